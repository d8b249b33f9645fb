"""Collect the layers of a context; the caller holds the read transaction."""

from __future__ import annotations

from collections.abc import Sequence

from memory_layer.model.context import (
    LONGEST_HANDOFF,
    MOST_PROCEDURES,
    ContextLayer,
    ContextLine,
    ContextQuery,
    Present,
    Warrant,
)
from memory_layer.model.memory import Memory, Project
from memory_layer.model.query import Filters, Giving, Hit, Query, Reach
from memory_layer.model.record import NamedTuple
from memory_layer.model.vocabulary import Priority, Tier
from memory_layer.ports import Engine, Workspace
from memory_layer.ranking.rankers import CHANGED_CITATION
from memory_layer.rules import context, lifecycle
from memory_layer.rules.context_text import note_of
from memory_layer.rules.lifecycle import last_touched
from memory_layer.rules.permissions import is_learned_in, is_vouched, may_be_given
from memory_layer.usecases.recall.conflicts import given_out, rivals
from memory_layer.usecases.recall.pool import MOST_CHECKED, PreparedQuery
from memory_layer.usecases.recall.search import best_hits
from memory_layer.usecases.who.projects import stale_projects

#: A line takes about so many tokens: what bounds how many are looked at.
LEAST_TOKENS = 20
LEAST_LOOKED_AT = 40
SCOPED_RELEVANCE = 0.3  #: of what applies to a file of the task, and says nothing about the task itself
MOST_BASELINE = 400  #: whatever the budget is, so that a larger one never gives fewer


def present_for_paths(engine: Engine, filters: Filters, paths: Sequence[str], most: int) -> list[Present]:
    """Return facts whose patterns cover one of the paths: the `most` last touched of each pattern set.

    An agent's patterns count in the project they were written in, and nowhere else.
    """
    memories, covers = engine.store.memories, context.covering(paths)
    fitting = tuple(each for each in memories.scopes(filters) if covers(each))
    if not fitting:
        return []
    wanted = filters._replace(tiers=(Tier.SEMANTIC,), giving=Giving.BY_SCOPE, exact_scopes=fitting)
    return memories.present(wanted, engine.now(), most, "touched")


class ContextScope(NamedTuple):
    """The project and place a context is built for."""

    reach: Reach
    project: Project | None = None
    place: Workspace | None = None  #: where the caller works, if that is known


class Layers(NamedTuple):
    """The candidates for a context, each layer in order."""

    handoff: ContextLine | None
    baseline: Sequence[ContextLine]
    contextual: Sequence[ContextLine]
    procedures: Sequence[ContextLine]


def layers_of(
    engine: Engine, wanted: ContextQuery, around: ContextScope, prepared: PreparedQuery | None
) -> Layers:
    filters = Filters(
        reach=around.reach,
        project=around.project.id if around.project else None,
        paths=wanted.paths,
        min_confidence=lifecycle.LEAST_CONFIDENCE,
    )
    always = _baseline(engine, filters, around)
    known = frozenset(line.memory.id for line in always)
    handoff = _handoff(engine, around) if wanted.start else None
    if prepared is None:
        return Layers(handoff, always, _by_presence(engine, wanted, filters, around, known), ())
    return Layers(
        handoff,
        always,
        _by_relevance(engine, wanted, filters, prepared, known),
        _marked(engine, _procedures(engine, filters, prepared)),
    )


def _handoff(engine: Engine, around: ContextScope) -> ContextLine | None:
    """Return what the last session left, with its age."""
    from memory_layer.usecases.learn.session_ends import last_end

    handoff = last_end(engine.store, around.project)
    key = around.project.key if around.project else None
    if handoff is None or not may_be_given(Warrant(is_vouched(handoff), is_learned_in(handoff, key))):
        return None
    days = (engine.now() - handoff.created_at).days
    age = "today" if days <= 0 else f"{days} day{'s' if days > 1 else ''} ago"
    note = f"{age}, {note_of(handoff)}"
    return ContextLine(handoff, ContextLayer.HANDOFF, 1.0, {}, note, LONGEST_HANDOFF)


def _baseline(engine: Engine, filters: Filters, around: ContextScope) -> list[ContextLine]:
    """Return the lines that are always given, with their notes."""
    now = engine.now()
    wanted = filters._replace(
        tiers=(Tier.SEMANTIC,),
        categories=context.BASELINE,
        priorities=(Priority.CRITICAL, Priority.HIGH),
        giving=Giving.ALWAYS,
    )
    found = engine.store.memories.present(wanted, now, None, "presence")
    best = context.baseline(found, now)[:MOST_BASELINE]
    lines = map(_weighed, _checked(engine, _read(engine, best, ContextLayer.BASELINE), around.place))
    return _marked(engine, sorted(lines, key=lambda line: (-line.memory.priority.rank, -line.score)))


def _by_presence(
    engine: Engine, wanted: ContextQuery, filters: Filters, around: ContextScope, known: frozenset[str]
) -> list[ContextLine]:
    """Return the most active memories that apply here."""
    now = engine.now()
    most = max(wanted.budget // LEAST_TOKENS, LEAST_LOOKED_AT)
    bare = filters._replace(paths=())
    # Whatever the weights of categories and the speed of fading are, the most present ones are among these.
    unscoped = bare._replace(
        tiers=(Tier.SEMANTIC,), giving=Giving.ALWAYS, exact_scopes=((),) if wanted.paths else ()
    )
    found = engine.store.memories.present(unscoped, now, most, "presence")
    if wanted.paths:
        found += present_for_paths(engine, bare, wanted.paths, most)
    fresh = [each for each in found if each.id not in known]
    best = context.contextual(fresh, now, wanted.paths, stale_projects(engine))[:most]
    lines = map(_weighed, _checked(engine, _read(engine, best, ContextLayer.CONTEXTUAL), around.place))
    fits = context.covering(wanted.paths)
    return _marked(engine, sorted(lines, key=lambda line: (not fits(line.memory.scope), -line.score)))


def _weighed(line: ContextLine) -> ContextLine:
    """Lower the score of a line with drifted sources, which a search does by itself."""
    return line._replace(score=line.score * CHANGED_CITATION) if line.drifted else line


def _read(engine: Engine, best: Sequence[tuple[Present, float]], layer: ContextLayer) -> list[ContextLine]:
    memories = engine.store.memories.get([each.id for each, _ in best])
    return [
        ContextLine(memory, layer, worth, {"activation": worth})
        for memory, (_, worth) in zip(memories, best, strict=True)
    ]


def _by_relevance(
    engine: Engine, wanted: ContextQuery, filters: Filters, prepared: PreparedQuery, known: frozenset[str]
) -> list[ContextLine]:
    """Return memories that match the task, weighted by activation; those for its files need no shared words."""
    most = max(wanted.budget // LEAST_TOKENS, LEAST_LOOKED_AT)
    now = engine.now()
    near = {
        hit.memory.id: hit for hit in _near(engine, prepared, filters._replace(tiers=(Tier.SEMANTIC,)), most)
    }
    present = {each: _present(hit.memory) for each, hit in near.items()}
    if wanted.paths:
        bare = filters._replace(paths=())
        present |= {each.id: each for each in present_for_paths(engine, bare, wanted.paths, most)}

    def relevance(each: Present) -> float:
        return max(near[each.id].score, 0.0) if each.id in near else SCOPED_RELEVANCE

    fresh = [each for each in present.values() if each.id not in known]
    best = context.contextual(fresh, now, wanted.paths, (), relevance)[:most]
    lines = [
        line._replace(signals={"activation": context.presence(each, now), "relevance": relevance(each)})
        for line, (each, _) in zip(_read(engine, best, ContextLayer.CONTEXTUAL), best, strict=True)
    ]
    return _marked(engine, _checked(engine, lines, prepared.place))


def _near(engine: Engine, prepared: PreparedQuery, filters: Filters, most: int) -> list[Hit]:
    """Return the search hits that are close enough to be given unasked."""
    hits = best_hits(engine, prepared, Query(prepared.text, filters, limit=most)).hits
    near = []
    for hit in hits:
        values = {signal.name: signal.value for signal in hit.signals}
        meaning = values["semantic"] if prepared.vector is not None else None
        if context.near_enough(meaning, values["coverage"]):
            near.append(hit)
    return near


def _present(memory: Memory) -> Present:
    return Present(
        id=memory.id,
        category=memory.category,
        priority=memory.priority,
        confirmations=memory.reinforcement_count,
        created=memory.created_at,
        touched=last_touched(memory),
        scope=memory.scope,
    )


def _procedures(engine: Engine, filters: Filters, prepared: PreparedQuery) -> list[ContextLine]:
    """Return the procedures that fit the task, proven ones first."""
    ways = filters._replace(tiers=(Tier.PROCEDURAL,))
    if not engine.store.memories.present(ways, engine.now(), 1, "touched"):
        return []  # most stores have none, and a search takes longer
    hits = _near(engine, prepared, ways, LEAST_LOOKED_AT)
    by_id = {hit.memory.id: hit for hit in hits}
    best = context.proven_first([hit.memory for hit in hits])[:MOST_PROCEDURES]
    scores = [by_id[each.id].score for each in best]
    lines = [
        ContextLine(each, ContextLayer.PROCEDURE, score, {"relevance": score})
        for each, score in zip(best, scores, strict=True)
    ]
    return lines


def _marked(engine: Engine, lines: Sequence[ContextLine]) -> list[ContextLine]:
    """Add notes, and put contradicting lines next to each other, the newer first."""
    ids = [line.memory.id for line in lines]
    known = rivals(engine, ids)
    standing = set(ids) | given_out(engine, known.keys() - set(ids))
    placed: dict[str, ContextLine] = {}
    for line in lines:
        against = known.get(line.memory.id, set())
        group = [other for other in lines if other is line or other.memory.id in against]
        for each in sorted(group, key=lambda other: other.memory.created_at, reverse=True):
            against = known.get(each.memory.id, set()) & standing
            drifted = each.standing.state.value if each.standing and each.drifted else None
            note = note_of(each.memory, sorted(against), drifted)
            placed.setdefault(each.memory.id, each._replace(note=note))
    return list(placed.values())


def _checked(engine: Engine, lines: Sequence[ContextLine], place: Workspace | None) -> list[ContextLine]:
    """Add the state of their sources to the lines."""
    citing = [line.memory for line in lines if line.memory.citations][:MOST_CHECKED]
    if not citing:
        return list(lines)
    from memory_layer.usecases.upkeep.citations import checked_citations  # few memories cite anything

    standings = checked_citations(engine, citing, place)
    return [line._replace(standing=standings.get(line.memory.id)) for line in lines]
