"""Select the memories of a context in the balanced order; the caller holds the read transaction."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from functools import cache

from memory_layer.model.context import (
    LONGEST_HANDOFF,
    MOST_PROCEDURES,
    ContextLayer,
    ContextLine,
    ContextQuery,
    Present,
    Warrant,
)
from memory_layer.model.memory import Memory
from memory_layer.model.query import Filters, Giving, Hit, Query
from memory_layer.model.record import NamedTuple
from memory_layer.model.vocabulary import FAMILIES, FAMILY_OF, Category, Family, Priority, Tier
from memory_layer.ports import Engine, Workspace
from memory_layer.ranking.rankers import CHANGED_CITATION
from memory_layer.rules import balance, context
from memory_layer.rules.balance import BASELINE_SHARE, SURE_FAMILIES, TASK_SHARE
from memory_layer.rules.context_text import note_of
from memory_layer.rules.permissions import (
    is_learned_in,
    is_rule,
    is_vouched,
    may_be_given,
    scope_counts,
)
from memory_layer.text.scope_overlap import meet, tag_meets
from memory_layer.text.words import content_words, query_terms
from memory_layer.usecases.recall.conflicts import given_out, rivals
from memory_layer.usecases.recall.failing import withheld
from memory_layer.usecases.recall.pool import MOST_CHECKED, PreparedQuery
from memory_layer.usecases.recall.portions import LEAST_TOKENS, Portion, telling_line
from memory_layer.usecases.recall.scoped import ContextScope, filters_of, present_where
from memory_layer.usecases.recall.search import best_hits
from memory_layer.usecases.recall.vectors import matching
from memory_layer.usecases.who.projects import stale_projects

LEAST_LOOKED_AT = 60
MOST_NAMING = 20  #: memories that are looked at because they may name a file of the task
MORE_OF_A_GROUP = (
    8  #: memories of one kind that are read for a context without a task beyond those that may fit
)


class Files(NamedTuple):
    """The files of a task, as paths or as patterns."""

    paths: tuple[str, ...]
    patterns: tuple[str, ...]
    covers: Callable[[tuple[str, ...]], bool]  #: do the patterns of a memory apply to one of them?

    def fit(self, memory: Memory, project: str | None) -> bool | None:
        """Does a memory apply to one of the files? None without files, or without a scope."""
        if not self.paths and not self.patterns:
            return None
        if any(tag_meets(tag, self.patterns) for tag in memory.tags):
            return True
        if not memory.scope:
            return None
        return scope_counts(memory, project) and self.covers(memory.scope)


def files_of(wanted: ContextQuery) -> Files:
    covers = context.covering(wanted.paths)

    @cache
    def either(scope: tuple[str, ...]) -> bool:
        return covers(scope) or meet(scope, wanted.write_scope)

    return Files(wanted.paths, wanted.write_scope, either if wanted.write_scope else covers)


def balanced(
    engine: Engine, wanted: ContextQuery, around: ContextScope, prepared: PreparedQuery | None
) -> list[Portion]:
    """Return what a context is filled with: for a task, or for any work in the project."""
    if prepared is None:
        return _without_task(engine, wanted, around)
    return _for_task(engine, wanted, around, prepared)


def _for_task(
    engine: Engine, wanted: ContextQuery, around: ContextScope, prepared: PreparedQuery
) -> list[Portion]:
    """Return the baseline, what the task and its files need, the best of each family, procedures, and the rest."""
    files, most = files_of(wanted), _looked_at(wanted)
    filters = filters_of(around)
    found = _found(engine, wanted, filters, prepared, most)
    hits, answering = found.hits, found.answering
    unasked = _unasked(engine, filters, most)
    scoped = present_where(engine, filters, files.covers, most) if files.paths or files.patterns else []
    naming = _naming(engine, filters, wanted.paths)
    others = [each.id for each in (*unasked, *scoped) if each.id not in hits]
    memories = {
        each.id: each for each in (*(hit.memory for hit in hits.values()), *_read(engine, others), *naming)
    }
    named = {memory.id for memory in naming}
    allowed = {each.id for each in (*unasked, *scoped)} | named

    def line(memory: Memory) -> ContextLine:
        hit = hits.get(memory.id)
        relevance = max(hit.score, 0.0) if hit else 0.0
        fits = files.fit(memory, around.key)
        layer = ContextLayer.PROCEDURE if memory.tier is Tier.PROCEDURAL else ContextLayer.CONTEXTUAL
        signals = {"relevance": relevance, "write_scope": float(fits is True)}
        standing = hit.standing if hit else None
        worth = balance.value(memory, relevance, fits, wanted.paths)
        return ContextLine(memory, layer, worth, signals, standing=standing)

    def counts(each: ContextLine) -> bool:
        elsewhere = files.fit(each.memory, around.key) is False
        known = each.memory.id in answering or each.memory.id in found.related
        return known or (each.memory.id in allowed and not elsewhere)

    every = [line(memory) for memory in memories.values() if memory.id not in wanted.exclude]
    every = marked(engine, _checked(engine, [each for each in every if counts(each)], prepared.place))
    every.sort(key=lambda each: (-each.score, each.memory.id))
    related = [
        each
        for each in every
        if each.memory.id in answering
        or each.memory.id in found.related
        or each.signals["write_scope"]
        or each.memory.id in named
    ]
    unasked_ids = {each.memory.id for each in every if files.fit(each.memory, around.key) is not False} & {
        each.id for each in unasked
    }
    procedures = [each for each in related if each.layer is ContextLayer.PROCEDURE][:MOST_PROCEDURES]
    facts = [each for each in related if each.layer is not ContextLayer.PROCEDURE]
    families = [
        next((each for each in every if FAMILY_OF[each.memory.category] is family), None)
        for family in SURE_FAMILIES
    ]
    missing = [family for family, best in zip(SURE_FAMILIES, families, strict=True) if best is None]
    first = [
        Portion(_baseline(every, unasked_ids, related), BASELINE_SHARE, in_order=True),
        Portion(_by_score([*facts, *procedures]), TASK_SHARE),
    ]
    if wanted.most is not None:  # of few lines, at least half are about the task
        baseline, task = first
        first = [task._replace(most=-(-wanted.most // 2)), baseline._replace(most=-(-wanted.most // 4))]
    return [
        Portion([each for each in facts if _names_file(each.memory, wanted.paths)], most=1),
        *first,
        Portion(
            [*filter(None, families), *_of_families(engine, wanted, filters, files, missing)],
            one_each=True,
            short=True,
        ),
        Portion([each for each in procedures if each.memory.id in answering]),
        Portion(facts, short=True),
    ]


def _names_file(memory: Memory, paths: Sequence[str]) -> bool:
    """Is a memory scoped to one of the very files, and not to a folder of theirs?"""
    return not set(paths).isdisjoint(pattern.lstrip("/") for pattern in memory.scope)


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
        [ContextLine(each, ContextLayer.CONTEXTUAL, 0.0, {"relevance": 0.0}) for each in _read(engine, ids)],
    )


def _naming(engine: Engine, filters: Filters, paths: Sequence[str]) -> list[Memory]:
    """Return memories whose text names one of the files of the task, or its folder."""
    if not paths:
        return []
    always = filters._replace(tiers=(Tier.SEMANTIC, Tier.PROCEDURAL), giving=Giving.ALWAYS)
    terms = tuple(dict.fromkeys(term for path in paths for term in query_terms(path)))
    found = _read(engine, list(matching(engine.store, terms, always, engine.now(), MOST_NAMING)))
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


def _looked_at(wanted: ContextQuery) -> int:
    return max(wanted.budget // LEAST_TOKENS, LEAST_LOOKED_AT)


def _unasked(engine: Engine, filters: Filters, most: int) -> list[Present]:
    """Return the memories of the baseline, the most important first."""
    now = engine.now()
    always = filters._replace(tiers=(Tier.SEMANTIC,), giving=Giving.ALWAYS)
    important = always._replace(categories=context.BASELINE, priorities=(Priority.CRITICAL, Priority.HIGH))
    critical = always._replace(priorities=(Priority.CRITICAL,))
    present = engine.store.memories.present
    found = present(important, now, None, "presence") + present(critical, now, None, "presence")
    found = [each for each in dict.fromkeys(found) if may_be_given(each.warrant)]
    rules_first = sorted(
        found,
        key=lambda each: (
            not is_rule(each.category, each.priority),
            -each.priority.rank,
            -context.presence(each, now),
            each.id,
        ),
    )
    return rules_first[:most]


def _baseline(
    lines: Sequence[ContextLine], unasked: set[str], related: Sequence[ContextLine]
) -> list[ContextLine]:
    """Return the lines of the baseline: what a person made a rule first, each by how much the task needs it.

    What has nothing to do with the task is shortened.
    """
    always = [line for line in lines if line.memory.id in unasked]
    always.sort(
        key=lambda line: (
            not (is_rule(line.memory.category, line.memory.priority) or balance.is_usual(line.memory))
        )
    )
    whole = {line.memory.id for line in related}
    return [
        (line if line.memory.id in whole else telling_line(line, ()) or line)._replace(
            layer=ContextLayer.BASELINE
        )
        for line in always
    ]


def _by_score(lines: Iterable[ContextLine]) -> list[ContextLine]:
    return sorted(lines, key=lambda line: (-line.score, line.memory.id))


def _without_task(engine: Engine, wanted: ContextQuery, around: ContextScope) -> list[Portion]:
    """Return rules, preferences, everyday commands, the state of the project, hazards, design, and the rest."""
    now, files, most = engine.now(), files_of(wanted), _looked_at(wanted)
    always = filters_of(around)._replace(tiers=(Tier.SEMANTIC,), giving=Giving.ALWAYS)
    has_files = bool(files.paths or files.patterns)
    unscoped = always._replace(exact_scopes=((),)) if has_files else always
    found = engine.store.memories.present(unscoped, now, most, "presence")
    if has_files:
        found += present_where(engine, filters_of(around), files.covers, most)
    fresh = [each for each in dict.fromkeys(found) if each.id not in wanted.exclude]
    groups = balance.grouped(fresh, now, files.covers, stale_projects(engine))
    chosen = [
        members[: int(group.share * wanted.budget) // LEAST_TOKENS + group.more]
        for group, members in zip(balance.START_GROUPS, groups, strict=True)
    ]
    others = [pair for members in groups for pair in members]
    others.sort(key=lambda pair: (-pair[1], pair[0].id))
    worth = {each.id: activation for members in chosen for each, activation in members}
    worth |= {each.id: activation for each, activation in others[: wanted.budget // LEAST_TOKENS]}
    lines = [_activated(memory, worth[memory.id]) for memory in _read(engine, list(worth))]
    lines = marked(engine, list(map(_weighed, _checked(engine, lines, around.place))))
    by_id = {line.memory.id: line for line in lines}
    portions = [
        Portion(
            _everyday_first([by_id[each.id] for each, _ in members if each.id in by_id]),
            group.share,
            short=True,
        )
        for group, members in zip(balance.START_GROUPS[:-1], chosen, strict=False)
    ]
    rest = _by_score(lines)
    fitting = [line for line in rest if has_files and files.covers(line.memory.scope)]
    return [
        Portion(fitting, TASK_SHARE),
        *portions,
        Portion(rest, short=True),
    ]


def _activated(memory: Memory, worth: float) -> ContextLine:
    layer = (
        ContextLayer.BASELINE
        if balance.in_baseline(memory.category, memory.priority)
        else ContextLayer.CONTEXTUAL
    )
    return ContextLine(memory, layer, worth, {"activation": worth})


def _everyday_first(lines: list[ContextLine]) -> list[ContextLine]:
    """Sort the commands among the lines by how often they are needed; a command is the first of its group."""
    if not any(line.memory.category is Category.COMMAND for line in lines):
        return lines
    by_id = {line.memory.id: line for line in lines}
    return [by_id[each.id] for each in balance.everyday_first([line.memory for line in lines])]


def handoffs(engine: Engine, wanted: ContextQuery, around: ContextScope) -> list[ContextLine]:
    """Return the open handoffs with their age: all at a start, otherwise those that the task continues."""
    from memory_layer.usecases.learn.session_ends import open_ends

    lines = []
    for end in open_ends(engine.store, around.project, engine.now()):
        if not may_be_given(Warrant(is_vouched(end), is_learned_in(end, around.key))):
            continue
        if not wanted.start and not _continues(wanted, end):
            continue
        days = (engine.now() - end.created_at).days
        age = "today" if days <= 0 else f"{days} day{'s' if days > 1 else ''} ago"
        note = f"{age}, {note_of(end)}"
        lines.append(ContextLine(end, ContextLayer.HANDOFF, 1.0, {}, note, LONGEST_HANDOFF))
    return lines


def _continues(wanted: ContextQuery, end: Memory) -> bool:
    """Does a task continue the work of a handoff: does it share a third of its words, or one of its files?"""
    if any(path in end.content for path in wanted.paths):
        return True
    asked = content_words(wanted.question)
    return bool(asked) and 3 * len(asked & content_words(end.content)) >= len(asked)


def _weighed(line: ContextLine) -> ContextLine:
    """Lower the score of a line with drifted sources, which a search does by itself."""
    return line._replace(score=line.score * CHANGED_CITATION) if line.drifted else line


def _read(engine: Engine, ids: Sequence[str]) -> list[Memory]:
    return engine.store.memories.get(list(dict.fromkeys(ids)))


def marked(engine: Engine, lines: Sequence[ContextLine], included: Collection[str] = ()) -> list[ContextLine]:
    """Add notes, and what contradicts each line; drop what is failing unless the caller included it."""
    failing = withheld(engine, (line.memory for line in lines if line.memory.id not in included))
    lines = [line for line in lines if line.memory.id not in failing]
    ids = [line.memory.id for line in lines]
    known = rivals(engine, ids)
    standing = set(ids) | given_out(engine, known.keys() - set(ids))
    noted = []
    for line in lines:
        against = known.get(line.memory.id, set()) & standing
        drifted = line.standing.state.value if line.standing and line.drifted else None
        note = note_of(line.memory, sorted(against), drifted)
        noted.append(line._replace(note=note, conflicts=tuple(sorted(against))))
    return noted


def beside_rivals(lines: Sequence[ContextLine]) -> list[ContextLine]:
    """Put contradicting lines next to each other, the newer first; otherwise keep the order."""
    placed: dict[str, ContextLine] = {}
    for line in lines:
        group = [other for other in lines if other is line or other.memory.id in line.conflicts]
        for each in sorted(group, key=lambda other: other.memory.created_at, reverse=True):
            placed.setdefault(each.memory.id, each)
    return list(placed.values())


def _checked(engine: Engine, lines: Sequence[ContextLine], place: Workspace | None) -> list[ContextLine]:
    """Add the state of their sources to the lines."""
    citing = [line.memory for line in lines if line.memory.citations and line.standing is None][:MOST_CHECKED]
    if not citing:
        return list(lines)
    from memory_layer.usecases.upkeep.citations import checked_citations  # few memories cite anything

    standings = checked_citations(engine, citing, place)
    return [line._replace(standing=standings.get(line.memory.id, line.standing)) for line in lines]
