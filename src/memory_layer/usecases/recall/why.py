"""Explain which memories came close to answering a query, and why they were left out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from memory_layer.model.filters import Facts, Test, guarding, unmet, without_wishes
from memory_layer.model.memory import Memory
from memory_layer.model.query import Filters, Found, Hit, Mode, NearMiss, Query, Reach, Took, WordCount
from memory_layer.model.vocabulary import LinkKind, Reason, Status
from memory_layer.ports import Engine, Workspace
from memory_layer.ranking import explain
from memory_layer.ranking.explain import LeftOut
from memory_layer.ranking.rankers import ranker_named
from memory_layer.rules.intent import intent
from memory_layer.text.scopes import matches
from memory_layer.usecases.govern.visibility import shown
from memory_layer.usecases.recall.failing import marked
from memory_layer.usecases.recall.places import plain_lists, ranks_of
from memory_layer.usecases.recall.pool import PoolEntry, PreparedQuery, ranked_pool
from memory_layer.usecases.recall.search import Best, best_hits, notice_of_waiting, prepare
from memory_layer.usecases.who.projects import stale_projects

MOST = 10
FILTERED = 3  #: how many of them may be what a filter alone kept out
#: Told after what was nearly given, which they would crowd out.
_LAST = (LeftOut.FILTERED, LeftOut.BELOW_POOL, LeftOut.OTHER_PROJECT)


def near_misses(engine: Engine, prepared: PreparedQuery, query: Query, best: Best) -> list[NearMiss]:
    """Return memories held back, filtered out, too far or of other projects, each group best first.

    The caller holds the read transaction.
    """
    known, freely = _known(engine, prepared, query), _freely(engine, prepared, query)
    # Each pool has scores of its own, the best of it 1; all are told beside the hits, or beside the widest pool.
    reference = {hit.memory.id: hit.score for hit in best.hits} or _scores(freely)
    held_back = _held_back(engine, query, best, known, _scale(known, reference))
    ids = {miss.memory.id for miss in held_back}
    filtered = _filtered(engine, prepared, query, best, freely, _scale(freely, reference))
    filtered = [miss for miss in filtered if miss.memory.id not in ids][:FILTERED]
    return sorted(held_back[: MOST - len(filtered)] + filtered, key=_place)


def held_for_review(engine: Engine, prepared: PreparedQuery, query: Query) -> int:
    """Count the memories that would be given but wait for a person; their texts are not shown."""
    filters = query.filters
    if Status.STAGED in filters.statuses:
        return 0
    wider = filters._replace(statuses=(*filters.statuses, Status.STAGED))
    pool = ranked_pool(engine, prepared, wider, query.ranker, query.limit)
    best = [entry.read() for entry in pool[: query.limit] if entry.ranked.answers]
    return sum(memory.status is Status.STAGED and memory.reason is not Reason.WRITING for memory in best)


def _place(miss: NearMiss) -> int:
    return _LAST.index(LeftOut(miss.reason)) + 1 if miss.reason in _LAST else 0


def _known(engine: Engine, prepared: PreparedQuery, query: Query) -> list[PoolEntry]:
    """Run the same query with visibility guards off."""
    return ranked_pool(engine, prepared, _unguarded(query.filters), query.ranker, query.limit + 3 * MOST)


def _freely(engine: Engine, prepared: PreparedQuery, query: Query) -> list[PoolEntry]:
    """Run the query without its filters; empty if there are none."""
    filters = query.filters
    if without_wishes(filters) == filters and not prepared.phrases:
        return []
    wider = without_wishes(_unguarded(filters))._replace(reach=filters.reach, project=filters.project)
    return ranked_pool(engine, prepared._replace(phrases=()), wider, query.ranker, query.limit + MOST)


def _held_back(
    engine: Engine, query: Query, best: Best, pool: Sequence[PoolEntry], scale: float
) -> list[NearMiss]:
    """Explain why each candidate other than the hits was left out."""
    close = _not_given(pool, best)
    replaced = _replaced_by(engine, [entry.ranked.id for entry in close])
    result = []
    for ranked, read, *_ in close:
        memory = read()
        miss = (
            _stood_for(best, memory.id)
            or _guard(engine, query.filters, memory, replaced.get(memory.id))
            or explain.MissReason(memory.id, LeftOut.PAST_LIMIT if ranked.answers else LeftOut.BELOW_POOL)
        )
        result.append(NearMiss(memory, ranked.score * scale, miss.reason, miss.sentence))
    return sorted(result, key=_place)


def _filtered(
    engine: Engine, prepared: PreparedQuery, query: Query, best: Best, pool: Sequence[PoolEntry], scale: float
) -> list[NearMiss]:
    """Explain what the filters left out."""
    close = _not_given(pool[: query.limit], best)
    replaced = _replaced_by(engine, [entry.ranked.id for entry in close])
    result = []
    for ranked, read, *_ in close:
        memory = read()
        wish = unmet(query.filters, memory, matches) or (
            prepared.phrases and "its words are in a different order"
        )
        if wish and ranked.answers:
            guard = _guard(engine, query.filters, memory, replaced.get(memory.id))
            miss = explain.MissReason(
                memory.id, LeftOut.FILTERED, f"{wish}; {guard.sentence}" if guard else wish
            )
            result.append(NearMiss(memory, ranked.score * scale, miss.reason, miss.sentence))
    return result


def _not_given(pool: Sequence[PoolEntry], best: Best) -> list[PoolEntry]:
    hit_ids = {hit.memory.id for hit in best.hits}
    return [entry for entry in pool if entry.ranked.id not in hit_ids]


def _scores(pool: Sequence[PoolEntry]) -> dict[str, float]:
    return {entry.ranked.id: entry.ranked.score for entry in pool}


def _scale(pool: Sequence[PoolEntry], reference: Mapping[str, float]) -> float:
    """Return the factor from this pool's scores to the scores in `beside`, using a memory in both."""
    both = ((reference.get(each, 0.0), score) for each, score in _scores(pool).items())
    return next((other / own for other, own in both if other > 0.0 and own > 0.0), 1.0)


def _unguarded(filters: Filters) -> Filters:
    """Turn the visibility guards off; memories waiting for review stay hidden."""
    return filters._replace(
        reach=Reach.ALL,
        statuses=tuple(dict.fromkeys((*filters.statuses, Status.ACTIVE, Status.ARCHIVED))),
        min_confidence=0.0,
        expired=True,
        superseded=True,
    )


def _replaced_by(engine: Engine, ids: list[str]) -> Mapping[str, str]:
    """Map superseded memories to the active ones that replace them."""
    links = [link for link in engine.store.links.of(ids) if link.kind is LinkKind.SUPERSEDES]
    newer = engine.store.memories.get([link.source for link in links])
    active = {memory.id for memory in newer if memory.status is Status.ACTIVE}
    return {link.target: link.source for link in links if link.source in active}


def _stood_for(best: Best, memory_id: str) -> explain.MissReason | None:
    """Return the hit that stands for a memory, as a reason; None if there is none."""
    if memory_id in best.repeated:
        return explain.MissReason(memory_id, LeftOut.DUPLICATE, best.repeated[memory_id])
    if memory_id in best.grouped:
        return explain.MissReason(memory_id, LeftOut.GROUPED, best.grouped[memory_id])
    return None


def _guard(engine: Engine, filters: Filters, memory: Memory, newer: str | None) -> explain.MissReason | None:
    """Return the first guard that held a memory back; None if none did."""
    project = engine.store.projects.get(memory.project) if memory.project else None
    facts = Facts(project.id if project else memory.project, newer is not None)
    failed = guarding(filters, memory, facts, engine.now())
    if failed is Test.ONE_OF and memory.status is Status.ARCHIVED:
        return explain.MissReason(memory.id, LeftOut.ARCHIVED, explain.archived_because(memory.reason))
    reason = {
        None: None,
        Test.REACH: (LeftOut.OTHER_PROJECT, memory.project or "global"),
        Test.ONE_OF: (LeftOut.FILTERED, f"it is {memory.status}"),
        Test.UNEXPIRED: (LeftOut.EXPIRED, f"{memory.expires_at:%Y-%m-%d}" if memory.expires_at else ""),
        Test.UNREPLACED: (LeftOut.SUPERSEDED, newer or ""),
        Test.AT_LEAST: (LeftOut.GATED, f"{memory.confidence:.2f}"),
    }[failed]
    return explain.MissReason(memory.id, *reason) if reason else None


def why(engine: Engine, query: Query, place: Workspace | None = None) -> Found:
    """Return what a search from `place` would return, and why; looking never counts as use."""
    began = engine.now()
    prepared = prepare(engine, query)._replace(place=place)
    with engine.store.reading():
        best = best_hits(engine, prepared, query, explained=True)
        hits = _with_words(engine, prepared, marked(engine, best.hits))
        near = near_misses(engine, prepared, query, best)
        waiting = held_for_review(engine, prepared, query)
        stale = stale_projects(engine)
        notice = prepared.notice or notice_of_waiting(engine, prepared.embedder)
        by_words, by_meaning = plain_lists(best, query.limit)
    ranks = ranks_of(best)
    took_ms = (engine.now() - began).total_seconds() * 1000
    found = Found(
        recall=None,
        mode=prepared.mode,
        ranker=ranker_named(query.ranker).name,
        hits=tuple(hit._replace(ranks=ranks.get(hit.memory.id)) for hit in hits),
        by_words=by_words,
        by_meaning=by_meaning,
        took=Took(prepared.embedding_ms, took_ms - prepared.embedding_ms),
        group_by=query.group_by,
        duplicates=len(best.repeated) if query.diverse else None,
        near_misses=tuple(near),
        intent=intent(prepared.text),
        stale=stale,
        redacted=prepared.redacted,
        notice="; ".join(filter(None, (_waiting(waiting), notice))) or None,
    )
    return shown(engine, found)


def _with_words(engine: Engine, prepared: PreparedQuery, hits: Sequence[Hit]) -> tuple[Hit, ...]:
    """Count the words of the query in each hit: a share says little where it has only one that is distinctive."""
    query = prepared.words
    terms = set(query.terms)
    if not terms or prepared.mode is Mode.SEMANTIC:
        return tuple(hits)
    facets = {each.id: each for each in engine.store.search.facets([hit.memory.id for hit in hits])}
    texts = {key: {*each.body.split(), *each.labels.split()} for key, each in facets.items()}
    counts = {
        key: WordCount(len(terms & {query.spellings.get(word, word) for word in text}), len(terms))
        for key, text in texts.items()
    }
    return tuple(hit._replace(query_words=counts.get(hit.memory.id)) for hit in hits)


def _waiting(count: int) -> str | None:
    if not count:
        return None
    subject = "1 matching memory waits" if count == 1 else f"{count} matching memories wait"
    return f"{subject} for review: see `mem review`"
