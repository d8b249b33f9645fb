"""List, add and remove the links of a memory."""

from __future__ import annotations

from collections.abc import Iterable

from memory_layer.errors import InvalidInput, NotFound
from memory_layer.model.memory import Link, Memory, Writer
from memory_layer.model.vocabulary import Attention, LinkKind, Status
from memory_layer.ports import Edit, Engine
from memory_layer.rules.edits import check_changeable
from memory_layer.rules.episodes import check_append_only
from memory_layer.rules.links import waits
from memory_layer.rules.permissions import Action, check_allowed, guard, guarded_by_a_person, may
from memory_layer.usecases.govern import ledger
from memory_layer.usecases.govern.review import check_still_compared, pairs_of
from memory_layer.usecases.who.lookup import read_memory, whole_id
from memory_layer.usecases.who.origin import is_learned_elsewhere

MOST_WAITING = 5  #: memories that may wait to be compared with a guarded one before agents add no more


def links(engine: Engine, prefix: str) -> list[Link]:
    """Return every link from or to a memory, oldest first."""
    with engine.store.reading():
        return engine.store.links.of([whole_id(engine.store, prefix)])


def superseding(engine: Engine, memory_id: str, links: Iterable[Link]) -> str | None:
    """Return the active memory that supersedes this one, given its links."""
    by = [link.source for link in links if link.kind is LinkKind.SUPERSEDES and link.target == memory_id]
    return next((each.id for each in engine.store.memories.get(by) if each.status is Status.ACTIVE), None)


def freed(engine: Engine, memory_id: str) -> list[str]:
    """Return the active memories that only this one superseded."""
    links = engine.store.links.of([memory_id])
    under = [link.target for link in links if link.kind is LinkKind.SUPERSEDES and link.source == memory_id]
    return [
        each.id
        for each in engine.store.memories.get(under)
        if each.status is Status.ACTIVE
        and superseding(engine, each.id, engine.store.links.of([each.id])) is None
    ]


def link(engine: Engine, prefix: str, kind: LinkKind, other: str, writer: Writer) -> list[Link]:
    """Link two memories; linking them again changes nothing."""
    ids = _ids(engine, prefix, other)
    with engine.store.writing():
        source, target = _pair(engine, *ids)
        check_linking(engine, source, target, kind, writer)
        wanted = Link(source.id, target.id, kind, engine.now())
        if not _known(engine, wanted):
            claim = kind is LinkKind.CONFLICTS_WITH and speaks_against_guarded(source, target, writer)
            if claim:
                check_room(engine, writer, source, target)
            ledger.link(engine.store, wanted, Edit(writer, engine.new_id("op"), "link", engine.now()), claim)
        return engine.store.links.of([source.id])


def unlink(engine: Engine, prefix: str, kind: LinkKind, other: str, writer: Writer) -> list[Link]:
    """Remove a link."""
    ids = _ids(engine, prefix, other)
    with engine.store.writing():
        source, target = _pair(engine, *ids)
        if guarded_by_a_person(source) or guarded_by_a_person(target):
            check_allowed(writer, Action.UNLINK_GUARDED)
        known = _known(engine, Link(source.id, target.id, kind, engine.now()))
        if known is None:
            raise NotFound(f"there is no link {source.id} {kind} {target.id}")
        if waits(known):
            check_still_compared(engine, source.id, writer, target.id)
        ledger.unlink(engine.store, known, Edit(writer, engine.new_id("op"), "unlink", engine.now()))
        return engine.store.links.of([source.id])


def stand_alone(engine: Engine, memory_id: str, edit: Edit) -> None:
    """Remove the links by which others supersede a memory."""
    for known in engine.store.links.of([memory_id]):
        if known.kind is LinkKind.SUPERSEDES and known.target == memory_id:
            ledger.unlink(engine.store, known, edit)


def _ids(engine: Engine, *prefixes: str) -> list[str]:
    return [whole_id(engine.store, prefix) for prefix in prefixes]


def _pair(engine: Engine, source_id: str, target_id: str) -> tuple[Memory, Memory]:
    source, target = read_memory(engine.store, source_id), read_memory(engine.store, target_id)
    if source.id == target.id:
        raise InvalidInput("a memory cannot be linked to itself")
    check_changeable(source)
    check_changeable(target)
    return source, target


def _known(engine: Engine, wanted: Link) -> Link | None:
    """Return the stored link; all kinds but `supersedes` are symmetric."""
    either = {(wanted.source, wanted.target)}
    if wanted.kind is not LinkKind.SUPERSEDES:
        either.add((wanted.target, wanted.source))
    for known in engine.store.links.of([wanted.source]):
        if known.kind is wanted.kind and (known.source, known.target) in either:
            return known
    return None


def speaks_against_guarded(one: Memory, other: Memory, writer: Writer) -> bool:
    """Does an agent set a memory that nobody vouches for against one that a person guards?"""
    return not may(writer, Action.DECIDE) and guarded_by_a_person(one) != guarded_by_a_person(other)


def check_room(engine: Engine, writer: Writer, *memories: Memory) -> None:
    """Refuse a further proposal about a guarded memory that enough others wait to be compared with."""
    for memory in filter(guarded_by_a_person, memories):
        count = len(pairs_of(engine, memory.id))
        if count >= MOST_WAITING:
            check_allowed(writer, Action.PROPOSE_MORE, id=memory.id, count=count)


def check_linking(engine: Engine, source: Memory, target: Memory, kind: LinkKind, writer: Writer) -> None:
    """Refuse a link by which the writer would hide a memory that it may not hide."""
    if kind is LinkKind.SUPERSEDES:
        check_superseding(engine, source, target, writer)
    if kind is LinkKind.CONFLICTS_WITH:
        _check_learned_here(engine, (source, target), "dispute", writer)


def check_superseding(engine: Engine, source: Memory, target: Memory, writer: Writer) -> None:
    """Refuse to supersede a memory the writer may not hide, or in a circle."""
    check_append_only(source, target)
    if guarded_by_a_person(target):
        check_allowed(writer, Action.SUPERSEDE_GUARDED, id=target.id, guard=guard(target))
    _check_learned_here(engine, (target,), "supersede", writer)
    check_still_compared(engine, target.id, writer)
    older = {target.id}
    while found := _superseded(engine, older) - older:
        older |= found
    if source.id in older:
        raise InvalidInput(f"{source.id} cannot supersede {target.id}, which already supersedes it")


def _check_learned_here(engine: Engine, memories: Iterable[Memory], what: str, writer: Writer) -> None:
    """Refuse to let an agent hide what was learned in a project it does not work in."""
    for memory in memories:
        own = not is_learned_elsewhere(engine, memory, writer)
        check_allowed(writer, Action.HIDE_LEARNED, own=own, id=memory.id, what=what)


def _superseded(engine: Engine, ids: set[str]) -> set[str]:
    found = engine.store.links.of(sorted(ids))
    return {link.target for link in found if link.kind is LinkKind.SUPERSEDES and link.source in ids}


def settle_links(engine: Engine, links: Iterable[Link], edit: Edit) -> None:
    """Mark these links as settled."""
    for link in links:
        if waits(link):
            ledger.settle(engine.store, link, Attention.GIVEN, edit._replace(action="settle"))


def settle_likenesses(engine: Engine, memory_id: str, edit: Edit) -> None:
    """Settle the similarity links of a memory."""
    found = engine.store.links.of([memory_id])
    settle_links(engine, [link for link in found if link.kind is LinkKind.RELATES_TO], edit)


def settle_pair(engine: Engine, one: str, two: str, edit: Edit) -> None:
    """Settle the links between two memories."""
    found = engine.store.links.of([one])
    settle_links(engine, [link for link in found if two in (link.source, link.target)], edit)
