"""Select the memories of a context for a task; the caller holds the read transaction."""

from __future__ import annotations

from collections.abc import Sequence

from memory_layer.model.context import MOST_PROCEDURES, ContextLayer, ContextLine, ContextQuery
from memory_layer.model.memory import Memory
from memory_layer.model.query import Filters, Giving, Hit, Query
from memory_layer.model.record import NamedTuple
from memory_layer.model.vocabulary import FAMILIES, FAMILY_OF, Family, Tier
from memory_layer.ports import Engine
from memory_layer.rules import balance, context
from memory_layer.rules.balance import BASELINE_SHARE, SURE_FAMILIES, TASK_SHARE
from memory_layer.rules.permissions import is_rule
from memory_layer.text.words import query_terms
from memory_layer.usecases.give.layers import (
    Files,
    by_score,
    checked,
    files_of,
    looked_at,
    marked,
    read,
    unasked,
)
from memory_layer.usecases.give.portions import Portion, telling_line
from memory_layer.usecases.give.scoped import ContextScope, filters_of, present_where
from memory_layer.usecases.recall.pool import PreparedQuery
from memory_layer.usecases.recall.search import best_hits
from memory_layer.usecases.recall.vectors import matching

MOST_NAMING = 20  #: memories that are looked at because they may name a file of the task


class _Gathered(NamedTuple):
    """The lines that may stand in a context for a task, the most valuable first."""

    every: list[ContextLine]
    related: list[ContextLine]  #: to the task or its files
    always: set[str]  #: ids of the baseline
    answering: set[str]  #: ids of what is near the task
    files: Files


def for_task(
    engine: Engine, wanted: ContextQuery, around: ContextScope, prepared: PreparedQuery
) -> list[Portion]:
    """Return the baseline, what the task and its files need, the best of each family, procedures, and the rest."""
    found = _gathered(engine, wanted, around, prepared)
    procedures = [each for each in found.related if each.layer is ContextLayer.PROCEDURE][:MOST_PROCEDURES]
    facts = [each for each in found.related if each.layer is not ContextLayer.PROCEDURE]
    return [
        Portion([each for each in facts if _names_file(each.memory, wanted.paths)], most=1),
        *_first(wanted, found, [*facts, *procedures]),
        Portion(_best_of_families(engine, wanted, around, found), one_each=True, short=True),
        Portion([each for each in procedures if each.memory.id in found.answering]),
        Portion(facts, short=True),
    ]


def _gathered(
    engine: Engine, wanted: ContextQuery, around: ContextScope, prepared: PreparedQuery
) -> _Gathered:
    """Collect what was found for the task, is scoped to its files or names them, and the baseline."""
    files, most, filters = files_of(wanted), looked_at(wanted), filters_of(around)
    found = _found(engine, wanted, filters, prepared, most)
    always = unasked(engine, filters, most)
    scoped = present_where(engine, filters, files.covers, most) if files.paths or files.patterns else []
    naming = _naming(engine, filters, wanted.paths)
    others = [each.id for each in (*always, *scoped) if each.id not in found.hits]
    hits = [hit.memory for hit in found.hits.values()]
    memories = {each.id: each for each in (*hits, *read(engine, others), *naming)}
    fit = {each.id: files.fit(each, around.key) for each in memories.values()}
    named, near = {memory.id for memory in naming}, found.answering | found.related
    allowed = {each for each in {*named, *(each.id for each in (*always, *scoped))} if fit[each] is not False}
    lines = [
        _line(memory, found.hits.get(memory.id), fit[memory.id], wanted.paths)
        for memory in memories.values()
        if memory.id not in wanted.exclude and memory.id in near | allowed
    ]
    every = by_score(marked(engine, checked(engine, lines, prepared.place)))
    related = [each for each in every if each.memory.id in near | named or each.signals["write_scope"]]
    return _Gathered(every, related, {each.id for each in always} & allowed, found.answering, files)


def _line(memory: Memory, hit: Hit | None, fits: bool | None, paths: Sequence[str]) -> ContextLine:
    relevance = max(hit.score, 0.0) if hit else 0.0
    layer = ContextLayer.PROCEDURE if memory.tier is Tier.PROCEDURAL else ContextLayer.CONTEXTUAL
    signals = {"relevance": relevance, "write_scope": float(fits is True)}
    worth = balance.value(memory, relevance, fits, paths)
    return ContextLine(memory, layer, worth, signals, standing=hit.standing if hit else None)


def _first(wanted: ContextQuery, found: _Gathered, lines: list[ContextLine]) -> list[Portion]:
    """Return the baseline and what the task needs; of few lines, at least half are about the task."""
    baseline = Portion(_baseline(found), BASELINE_SHARE, in_order=True)
    task = Portion(by_score(lines), TASK_SHARE)
    if wanted.most is None:
        return [baseline, task]
    return [task._replace(most=-(-wanted.most // 2)), baseline._replace(most=-(-wanted.most // 4))]


def _names_file(memory: Memory, paths: Sequence[str]) -> bool:
    """Is a memory scoped to one of the very files, and not to a folder of theirs?"""
    return not set(paths).isdisjoint(pattern.lstrip("/") for pattern in memory.scope)


def _best_of_families(
    engine: Engine, wanted: ContextQuery, around: ContextScope, found: _Gathered
) -> list[ContextLine]:
    """Return the best line of each family that a context should have, found or not."""
    best = [
        next((each for each in found.every if FAMILY_OF[each.memory.category] is family), None)
        for family in SURE_FAMILIES
    ]
    missing = [family for family, line in zip(SURE_FAMILIES, best, strict=True) if line is None]
    return [*filter(None, best), *_of_families(engine, wanted, filters_of(around), found.files, missing)]


def _of_families(
    engine: Engine, wanted: ContextQuery, filters: Filters, files: Files, missing: Sequence[Family]
) -> list[ContextLine]:
    """Return the most active memories of families that the search did not find."""
    if not missing:
        return []
    categories = tuple(category for family in missing for category in FAMILIES[family])
    always = filters._replace(tiers=(Tier.SEMANTIC,), giving=Giving.ALWAYS, categories=categories)
    unscoped = always._replace(exact_scopes=((),)) if files.paths or files.patterns else always
    now = engine.now()
    found = engine.store.memories.present(unscoped, now, 1 + len(wanted.exclude), "presence")
    present = [each for each in found if each.id not in wanted.exclude]
    present.sort(key=lambda each: (-each.priority.rank, -context.presence(each, now), each.id))
    best = {FAMILY_OF[each.category]: each for each in reversed(present)}
    ids = [best[family].id for family in missing if family in best]
    return marked(
        engine,
        [ContextLine(each, ContextLayer.CONTEXTUAL, 0.0, {"relevance": 0.0}) for each in read(engine, ids)],
    )


def _naming(engine: Engine, filters: Filters, paths: Sequence[str]) -> list[Memory]:
    """Return memories whose text names one of the files of the task, or its folder."""
    if not paths:
        return []
    always = filters._replace(tiers=(Tier.SEMANTIC, Tier.PROCEDURAL), giving=Giving.ALWAYS)
    terms = tuple(dict.fromkeys(term for path in paths for term in query_terms(path)))
    found = read(engine, list(matching(engine.store, terms, always, engine.now(), MOST_NAMING)))
    return [memory for memory in found if balance.naming(memory, paths)]


class _Found(NamedTuple):
    hits: dict[str, Hit]
    answering: set[str]  #: given whoever wrote them
    related: set[str]  #: may be given unasked, and have something to do with the task


def _found(
    engine: Engine, wanted: ContextQuery, filters: Filters, prepared: PreparedQuery, most: int
) -> _Found:
    """Search for the task and the words of its files; sort the hits by how near they are."""
    words = balance.words_of_paths((*wanted.paths, *wanted.write_scope))
    terms = tuple(dict.fromkeys((*prepared.words.terms, *words)))
    # How near something must be is decided below: what a task needs is farther from it than an answer from a question.
    asked = prepared._replace(words=prepared.words._replace(terms=terms), cut=False)
    hits = best_hits(engine, asked, Query(prepared.text, filters, limit=most)).hits
    events = [hit for hit in hits if hit.memory.tier is Tier.EPISODIC]
    if 2 * len(events) > len(hits) >= most:  # many events must not hide the facts
        facts = filters._replace(tiers=(Tier.SEMANTIC, Tier.PROCEDURAL))
        hits = best_hits(engine, asked, Query(prepared.text, facts, limit=most)).hits
    answering, maybe = set(), []
    for hit in hits:
        values = {signal.name: signal.value for signal in hit.signals}
        meaning = values["semantic"] if prepared.vector is not None else None
        if context.near_enough(meaning, values["coverage"]):
            if not _is_session_end(hit.memory):
                answering.add(hit.memory.id)
        elif context.related(meaning, values["coverage"]) and hit.memory.tier is not Tier.EPISODIC:
            maybe.append(hit.memory.id)
    always = filters._replace(giving=Giving.ALWAYS)
    related = engine.store.search.passing(maybe, always, engine.now()) if maybe else {}
    return _Found({hit.memory.id: hit for hit in hits}, answering, set(related))


def _is_session_end(memory: Memory) -> bool:
    return memory.metadata.get("kind") in ("session_start", "session_end")


def _baseline(found: _Gathered) -> list[ContextLine]:
    """Return the lines of the baseline: what a person made a rule first, each by how much the task needs it.

    What has nothing to do with the task is shortened.
    """
    always = [line for line in found.every if line.memory.id in found.always]
    always.sort(
        key=lambda line: (
            not (is_rule(line.memory.category, line.memory.priority) or balance.is_usual(line.memory))
        )
    )
    whole = {line.memory.id for line in found.related}
    return [
        (line if line.memory.id in whole else telling_line(line, ()) or line)._replace(
            layer=ContextLayer.BASELINE
        )
        for line in always
    ]
