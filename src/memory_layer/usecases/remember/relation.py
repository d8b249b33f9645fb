"""Settle how two memories relate: one replaces the other, both say the same, or they contradict each other."""

from __future__ import annotations

from memory_layer.errors import InvalidInput, NotAllowed
from memory_layer.model.changes import Settled
from memory_layer.model.memory import Added, Draft, Link, Memory, Project, Writer
from memory_layer.model.record import NamedTuple
from memory_layer.model.vocabulary import LinkKind, MergeText, OnDuplicate, Reason, Relation, Status
from memory_layer.ports import Edit, Engine
from memory_layer.rules import lifecycle
from memory_layer.rules.edits import check_changeable
from memory_layer.rules.links import waits
from memory_layer.rules.permissions import (
    Action,
    check,
    guard,
    guarded_by_a_person,
    may,
)
from memory_layer.rules.review_queue import newer_first
from memory_layer.text.compare.guard import differences
from memory_layer.usecases.govern import ledger
from memory_layer.usecases.remember.add import Settling, add
from memory_layer.usecases.remember.links import (
    check_linking,
    check_room,
    settle_pair,
    speaks_against_guarded,
)
from memory_layer.usecases.remember.new_memory import merge_into
from memory_layer.usecases.who.lookup import read_memory, whole_id

KINDS = {Relation.SUPERSEDES: LinkKind.SUPERSEDES, Relation.CONFLICTS: LinkKind.CONFLICTS_WITH}
#: The requested text, seen from an older memory that goes.
_SEEN_FROM_THE_OLDER = {MergeText.NEW: MergeText.KNOWN, MergeText.KNOWN: MergeText.NEW}


class _Pair(NamedTuple):
    engine: Engine
    new: Memory
    old: Memory
    edit: Edit
    text: MergeText = MergeText.FULLER

    def links(self) -> list[Link]:
        ends = {self.new.id, self.old.id}
        found = self.engine.store.links.of([self.new.id])
        return [each for each in found if {each.source, each.target} == ends]

    def link(self, kind: LinkKind, *, review: bool = False) -> None:
        if kind not in {each.kind for each in self.links()}:
            link = Link(self.new.id, self.old.id, kind, self.edit.at)
            ledger.link(self.engine.store, link, self.edit._replace(action="link"), review)


def settle(engine: Engine, prefix: str, relation: Relation, other: str, writer: Writer) -> Settled:
    """Apply a decision about two memories as one operation; what an agent may not do becomes a proposal."""
    new, old = whole_id(engine.store, prefix), whole_id(engine.store, other)
    if new == old:
        raise InvalidInput("a memory cannot be settled with itself")
    return _settled(engine, new, old, relation, Edit(writer, engine.new_id("op"), "settle", engine.now()))


def add_settled(
    engine: Engine, draft: Draft, writer: Writer, project: Project | None, relation: Relation, other: str
) -> Added:
    """Store a memory, or find it, and settle how it relates to a known one, as one operation."""
    old = whole_id(engine.store, other)
    edit = Edit(writer, engine.new_id("op"), "settle", engine.now())

    def check_decision(new: Memory) -> None:
        if new.id == old:
            raise InvalidInput(f"{old} is this very text; name another memory")
        known = read_memory(engine.store, old)
        _check_settling(relation, writer, known)
        _only_proposed(_Pair(engine, new, known, edit), relation)

    kept = draft._replace(on_duplicate=OnDuplicate.KEEP)
    added = add(engine, kept, writer, project, edit.operation, settles=Settling(old, check_decision))
    if added.status == "staged":
        return added._replace(hint=f"nothing is settled about {old} before that")
    try:
        done = _settled(engine, added.id, old, relation, edit._replace(at=engine.now()), draft.merge_text)
    except NotAllowed as refusal:  # for what the comparison of the stored text brought up
        return added._replace(hint=f"{refusal}; the text is stored, but nothing is settled about {old}")
    hint = "; ".join(filter(None, (added.hint, done.notice)))
    status = "merged" if done.status == "merged" else added.status
    return added._replace(id=done.id, status=status, candidates=(), question=None, hint=hint)


def _check_settling(relation: Relation, writer: Writer, *memories: Memory) -> None:
    """Refuse to settle what is not active, or a merge that a person has not confirmed."""
    for memory in memories:
        check_changeable(memory)
        if memory.status is not Status.ACTIVE:
            state = "archived" if memory.status is Status.ARCHIVED else "waiting for a person"
            raise InvalidInput(f"{memory.id} is {state}; only active memories can be settled")
    if relation is Relation.SAME:
        check(writer, Action.MERGE)


def _settled(
    engine: Engine, new: str, old: str, relation: Relation, edit: Edit, text: MergeText = MergeText.FULLER
) -> Settled:
    with engine.store.writing():
        pair = _Pair(engine, read_memory(engine.store, new), read_memory(engine.store, old), edit, text)
        _check_settling(relation, edit.writer, pair.new, pair.old)
        if why := _only_proposed(pair, relation):
            if not any(map(waits, pair.links())):
                kind = LinkKind.RELATES_TO if relation is Relation.SAME else LinkKind.CONFLICTS_WITH
                pair.link(kind, review=True)
            return _proposed(pair, why)
        if may(edit.writer, Action.DECIDE):
            settle_pair(engine, new, old, edit)
        return _merged(pair) if relation is Relation.SAME else _linked(pair, relation)


def _only_proposed(pair: _Pair, relation: Relation) -> str | None:
    """Return why the decision is left to a person; None if the writer may make it, refused if nobody should ask."""
    if not may(pair.edit.writer, Action.DECIDE):
        if any(map(waits, pair.links())):
            return "the two wait to be compared"
        if guarded := _guarded(pair, relation):
            check_room(pair.engine, pair.edit.writer, guarded)
            return f"{guarded.id} {guard(guarded)}"
    _check_links(pair, relation)
    return None


def _check_links(pair: _Pair, relation: Relation) -> None:
    """Refuse a decision by which the writer would hide a memory that it may not hide."""
    writer = pair.edit.writer
    if relation is Relation.SAME:
        goes, stays = _goes_and_stays(pair)
        for kind in (LinkKind.SUPERSEDES, LinkKind.CONFLICTS_WITH):  # neither may be another project's
            check_linking(pair.engine, stays, goes, kind, writer)
        return
    check_linking(pair.engine, pair.new, pair.old, KINDS[relation], writer)
    if relation is Relation.CONFLICTS and speaks_against_guarded(pair.new, pair.old, writer):
        check_room(pair.engine, writer, pair.new, pair.old)


def _guarded(pair: _Pair, relation: Relation) -> Memory | None:
    """Return the memory that would vanish although a person guards it."""
    gone = {Relation.SUPERSEDES: pair.old, Relation.SAME: _goes_and_stays(pair)[0]}.get(relation)
    return gone if gone and guarded_by_a_person(gone) else None


def _goes_and_stays(pair: _Pair) -> tuple[Memory, Memory]:
    """Return the memory that a merge archives and the other one: the older, or a global one, which keeps applying."""
    newer, older = newer_first(pair.new, pair.old)
    is_wider = newer.project is None and older.project is not None
    return (older, newer) if is_wider else (newer, older)


def _proposed(pair: _Pair, why: str) -> Settled:
    return Settled(
        pair.new.id, "proposed", f"{why}; a person decides in `mem review`, until then both are kept"
    )


def _linked(pair: _Pair, relation: Relation) -> Settled:
    is_claim = speaks_against_guarded(pair.new, pair.old, pair.edit.writer)
    pair.link(KINDS[relation], review=is_claim and relation is Relation.CONFLICTS)
    if relation is Relation.CONFLICTS:
        return Settled(pair.new.id, "conflicts", "both are kept, linked as a contradiction")
    return Settled(pair.new.id, "superseded", f"{pair.old.id} is superseded and no longer shown")


def _merged(pair: _Pair) -> Settled:
    goes, stays = _goes_and_stays(pair)
    wanted = pair.text
    if wanted is MergeText.FULLER and differences(pair.new.content, pair.old.content):
        wanted = MergeText.NEW  # of two values the newer one holds, however much else the older text says
    text = wanted if goes.id == pair.new.id else _SEEN_FROM_THE_OLDER.get(wanted, wanted)
    edit = pair.edit._replace(action="merge")
    ledger.save(pair.engine.store, lifecycle.archived(goes, Reason.MERGED, edit.at, stays.id), edit)
    merge_into(pair.engine, stays, goes, text, edit, compared=True)
    return Settled(stays.id, "merged", f"{goes.id} is merged into {stays.id}")
