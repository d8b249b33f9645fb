"""List everything that waits for a person."""

from __future__ import annotations

from collections.abc import Sequence

from memory_layer.errors import InvalidInput, NotAllowed, StoreDamaged
from memory_layer.model.memory import Memory, Writer
from memory_layer.model.query import Filters
from memory_layer.model.record import NamedTuple
from memory_layer.model.review import Decision, Matter, Queue, Waiting
from memory_layer.model.vocabulary import PROPOSED_TAG, LinkKind, Status
from memory_layer.ports import Engine
from memory_layer.rules import limits
from memory_layer.rules import review_queue as policy
from memory_layer.rules.links import awaited, waits
from memory_layer.rules.permissions import Action, may
from memory_layer.usecases.govern import chain
from memory_layer.usecases.govern.visibility import shown
from memory_layer.usecases.recall.vectors import likenesses


def review(
    engine: Engine,
    filters: Filters,
    kinds: Sequence[Matter] = (),
    limit: int = 20,
    after: str | None = None,
) -> Queue:
    """Return a page of the queue, kind by kind and newest first; the totals count all of it."""
    limits.check_limit(limit)
    wanted = [kind for kind in Matter if not kinds or kind in kinds]
    first, inside = policy.placed(after) if after is not None else (wanted[0], None)
    if first not in wanted:
        raise InvalidInput(f"that place is among {first}, which is not asked for")
    items: list[Waiting] = []
    by_kind: dict[Matter, int] = {}
    following: str | None = None
    passed = True
    with engine.store.reading():
        for kind in wanted:
            passed = passed and kind is not first
            remaining = 0 if passed or following else limit - len(items)
            stretch = _stretch(engine, kind, filters, remaining, inside if kind is first else None)
            by_kind[kind] = stretch.total
            items += stretch.items
            if following is None and not passed and (stretch.next or (not remaining and stretch.total)):
                following = policy.place(kind, stretch.next if remaining else None)
    return shown(engine, Queue(tuple(items), following, sum(by_kind.values()), by_kind))


def counts(engine: Engine, filters: Filters) -> dict[Matter, int]:
    """Count the queue by kind."""
    with engine.store.reading():
        return {kind: _stretch(engine, kind, filters, 0, None).total for kind in Matter}


def waiting_for(engine: Engine, ids: Sequence[str], kinds: Sequence[Matter] = ()) -> list[Waiting]:
    """Return everything that waits because of these memories right now."""
    filters = Filters(ids=tuple(ids))
    wanted = [kind for kind in Matter if not kinds or kind in kinds]
    return [item for kind in wanted for item in _stretch(engine, kind, filters, limits.LIST_MOST, None).items]


def again(engine: Engine, item: Waiting) -> Waiting | None:
    """Return an item as it is now; None if it no longer waits."""
    with engine.store.reading():
        for now in waiting_for(engine, [item.memory.id], [item.kind]):
            if item.kind not in policy.PAIRS or _ends(now) == _ends(item):
                return shown(engine, now)
    return None


def rights(item: Waiting, writer: Writer) -> tuple[Decision, ...]:
    """Return the decisions that the writer may make."""
    return tuple(decision for decision in item.offers if _may(item, decision, writer))


def _may(item: Waiting, decision: Decision, writer: Writer) -> bool:
    try:
        policy.check_rights(item, decision, writer)
    except NotAllowed:
        return False
    return True


def pairs_of(engine: Engine, memory_id: str) -> list[Waiting]:
    """Return the waiting pairs with this memory; most memories have no link that waits."""
    if not any(waits(link) for link in engine.store.links.of([memory_id])):
        return []
    return waiting_for(engine, [memory_id], list(policy.PAIRS))


def check_still_compared(engine: Engine, memory_id: str, writer: Writer, other: str | None = None) -> None:
    """Refuse to let an agent end the review of a memory, or of its pair with `other`."""
    if may(writer, Action.END_REVIEW):
        return
    for pair in pairs_of(engine, memory_id):
        if other is None or other in _ends(pair):
            policy.check_may_end_review(pair, writer)


class _Stretch(NamedTuple):
    items: Sequence[Waiting]
    next: str | None
    total: int


def _stretch(engine: Engine, kind: Matter, filters: Filters, limit: int, inside: str | None) -> _Stretch:
    if kind in policy.PAIRS:
        return _pairs(engine, kind, filters, limit, inside)
    now = engine.now()
    narrowed = policy.narrowed(kind, filters, now)
    page = engine.store.memories.page(narrowed, now, "created", max(limit, 1), inside)
    total = engine.store.memories.count(narrowed, now) if page.total is None else page.total
    memories = page.items if limit else ()
    others = _known(engine, memories) if kind is Matter.QUESTION else {}
    items = [_item(kind, memory, *others.get(memory.id, (None, None))) for memory in memories]
    if kind is Matter.PROPOSED:
        items = _with_proposers(engine, items)
    if kind is Matter.DRIFTED and items:
        items = _with_sources(engine, items)
    return _Stretch(items, page.next, total)


def _with_proposers(engine: Engine, items: Sequence[Waiting]) -> list[Waiting]:
    """Add who proposed each item."""
    proposed = ((item, _proposer(engine, item.memory)) for item in items)
    return [item._replace(reason=f"{item.reason}, by {by}") if by else item for item, by in proposed]


def _proposer(engine: Engine, memory: Memory) -> str | None:
    """Return who last proposed a memory; None if its history cannot be read, which must not block a decision."""
    by, labelled = None, False
    try:
        versions = chain.versions(engine.store, memory.id)
    except StoreDamaged:
        return None
    for version in versions:
        before, labelled = labelled, PROPOSED_TAG in version.memory.tags
        if labelled and not before:
            by = version.change.writer
    return by


def _with_sources(engine: Engine, items: Sequence[Waiting]) -> list[Waiting]:
    """Add the sources of each item that drifted, as last seen."""
    stored = engine.store.log.checks([item.memory.id for item in items])
    drifted = {
        each: [check for check in found.checks if check.state.drifted] for each, found in stored.items()
    }
    return [
        item._replace(reason=policy.drift(checks)) if (checks := drifted.get(item.memory.id)) else item
        for item in items
    ]


def _pairs(engine: Engine, kind: Matter, filters: Filters, limit: int, inside: str | None) -> _Stretch:
    link = policy.PAIRS[kind]
    page = engine.store.links.pairs(link, awaited(link), filters, engine.now(), max(limit, 1), inside)
    pairs = [policy.newer_first(*pair) for pair in page.items] if limit else []
    close = likenesses(engine.store, [(newer.id, older.id) for newer, older in pairs])
    items = [_item(kind, newer, older, close.get((newer.id, older.id))) for newer, older in pairs]
    return _Stretch(items, page.next, page.total)


def _known(engine: Engine, questions: Sequence[Memory]) -> dict[str, tuple[Memory, float | None]]:
    """Map each question to the closest known memory and its similarity; leave out those whose matches are gone."""
    ids = {memory.id for memory in questions}
    ends = [
        (link.source, link.target)
        for link in engine.store.links.of(sorted(ids))
        if link.kind is LinkKind.RELATES_TO and link.source in ids
    ]
    memories = {memory.id: memory for memory in engine.store.memories.get([end for _, end in ends])}
    close = likenesses(engine.store, ends)
    best: dict[str, tuple[Memory, float | None]] = {}
    for question, known in sorted(ends, key=lambda pair: close.get(pair, 0.0)):
        if memories[known].status is Status.ACTIVE:
            best[question] = memories[known], close.get((question, known))
    return best


def _item(kind: Matter, memory: Memory, other: Memory | None, similarity: float | None) -> Waiting:
    return Waiting(
        kind=kind,
        reason=policy.reason(kind, memory, other),
        memory=memory,
        other=other,
        similarity=None if similarity is None else round(similarity, 4),
        offers=policy.offers(kind, memory, other),
    )


def _ends(item: Waiting) -> set[str]:
    return {memory.id for memory in (item.memory, item.other) if memory}
