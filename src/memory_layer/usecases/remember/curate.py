"""Archive, restore, approve and reinforce."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from memory_layer.errors import InvalidInput
from memory_layer.model.changes import Curated, Edited
from memory_layer.model.memory import Memory, Writer
from memory_layer.model.vocabulary import PROPOSED_TAG, Reason, Status, WriterKind
from memory_layer.ports import Edit, Engine
from memory_layer.rules import lifecycle, review
from memory_layer.rules.edits import check_not_forgotten, check_version
from memory_layer.rules.history import differences
from memory_layer.rules.permissions import Action, check_allowed
from memory_layer.rules.review_queue import check_may_archive
from memory_layer.usecases.govern.review import check_still_compared
from memory_layer.usecases.govern.visibility import shown
from memory_layer.usecases.remember.edit import tag
from memory_layer.usecases.remember.links import freed, stand_alone
from memory_layer.usecases.remember.new_memory import confirmed, live_twin, save_indexed
from memory_layer.usecases.who.expiry import days_for
from memory_layer.usecases.who.expiry import restored as back
from memory_layer.usecases.who.lookup import named_ids, read_memory, whole_id
from memory_layer.usecases.who.origin import touched

Curation = Callable[[Engine, Sequence[str], Writer], list[Memory]]


def propose(engine: Engine, prefix: str, writer: Writer) -> Edited:
    """Propose an active memory for a person's approval; it stays active meanwhile."""
    memory = read_memory(engine.store, whole_id(engine.store, prefix))
    if memory.approved_by is not None or memory.writer_kind is WriterKind.PERSON:
        raise InvalidInput(f"a person already vouches for {memory.id}")
    if memory.status is not Status.ACTIVE:
        state = "is already waiting for a person" if memory.status is Status.STAGED else "is archived"
        raise InvalidInput(f"{memory.id} {state}; only active memories can be proposed")
    return tag(engine, memory.id, [PROPOSED_TAG], writer)


def compared(engine: Engine, curation: Curation, prefixes: Sequence[str], writer: Writer) -> list[Curated]:
    """Archive, restore or approve, and return what changed."""
    with engine.store.reading():
        before = {
            memory.id: memory for memory in engine.store.memories.get(named_ids(engine.store, prefixes))
        }
    return [
        Curated(after, differences(shown(engine, before[after.id]), after), confirmed=False)
        for after in curation(engine, prefixes, writer)
    ]


def put_away(
    engine: Engine, prefixes: Sequence[str], writer: Writer, version: int | None = None
) -> list[Curated]:
    """Archive memories, and name those that are given out again because nothing supersedes them any more."""
    done = compared(engine, partial(archive, version=version), prefixes, writer)
    with engine.store.reading():
        back = {each.memory.id: freed(engine, each.memory.id) for each in done if each.changes}
    return [
        each._replace(notice=f"no longer superseded: {', '.join(back[each.memory.id])}")
        if back.get(each.memory.id)
        else each
        for each in done
    ]


def archive(
    engine: Engine, prefixes: Sequence[str], writer: Writer, version: int | None = None
) -> list[Memory]:
    """Archive memories; they stay searchable on request and can be restored."""

    def archived(memory: Memory, edit: Edit) -> Memory:
        check_may_archive(memory, writer)
        check_still_compared(engine, memory.id, writer)
        return lifecycle.archived(memory, Reason.ASKED, edit.at)

    return _changed(engine, prefixes, writer, "archive", archived, lifecycle.is_put_away, version)


def restore(
    engine: Engine, prefixes: Sequence[str], writer: Writer, version: int | None = None
) -> list[Memory]:
    """Restore archived memories, or put them into review where a person has to look first."""

    def restored(memory: Memory, edit: Edit) -> Memory:
        check_not_forgotten(memory)
        if memory.status is Status.STAGED:
            raise InvalidInput(f"{memory.id} is not archived; it is waiting for a decision ({memory.reason})")
        memory = touched(engine, memory, writer)
        if reasons := review.reasons_to_return(memory, writer):
            return review.held(memory, reasons)
        if twin := live_twin(engine.store, memory):
            raise InvalidInput(f"{memory.id} cannot be restored: {twin.id} says the same")
        if memory.reason in (Reason.MERGED, Reason.SKIPPED):
            stand_alone(engine, memory.id, edit)
        return back(engine, memory, edit)

    return _changed(engine, prefixes, writer, "restore", restored, _is_active, version)


def approve(engine: Engine, prefixes: Sequence[str], writer: Writer) -> list[Memory]:
    """Approve memories as a person, which also activates those that waited for it."""
    check_allowed(writer, Action.APPROVE)

    def approved(memory: Memory, edit: Edit) -> Memory:
        check_not_forgotten(memory)
        if memory.reason is Reason.WRITING:
            raise InvalidInput(f"{memory.id} is still being written")
        after = lifecycle.approved(memory, writer.name, edit.at, days_for(engine, memory, by_person=True))
        if after.status is not memory.status and (twin := live_twin(engine.store, memory)):
            raise InvalidInput(f"{memory.id} cannot be restored: {twin.id} says the same")
        return after

    return _changed(engine, prefixes, writer, "approve", approved)


def reinforce(engine: Engine, prefixes: Sequence[str], writer: Writer) -> list[Curated]:
    """Confirm that memories still hold, which also restarts their decay."""
    edit = Edit(writer, engine.new_id("op"), "reinforce", engine.now())
    ids = named_ids(engine.store, prefixes)
    with engine.store.writing():
        results = []
        for memory_id in ids:
            memory = read_memory(engine.store, memory_id)
            check_not_forgotten(memory)
            if memory.status is Status.ARCHIVED:
                raise InvalidInput(f"{memory_id} is archived; bring it back with `mem restore` first")
            results.append(confirmed(engine, memory, edit))
        return shown(engine, results)


def _changed(
    engine: Engine,
    prefixes: Sequence[str],
    writer: Writer,
    action: str,
    change: Callable[[Memory, Edit], Memory],
    unless: Callable[[Memory], bool] | None = None,
    version: int | None = None,
) -> list[Memory]:
    """Change all of the named memories or none, as one operation."""
    edit = Edit(writer, engine.new_id("op"), action, engine.now())
    with engine.store.writing():
        named = engine.store.memories.get(named_ids(engine.store, prefixes))
        check_version(named, version)
        changed = [
            memory
            if unless is not None and unless(memory)
            else save_indexed(engine.store, memory, change(memory, edit), edit)
            for memory in named
        ]
    return shown(engine, changed)


def _is_active(memory: Memory) -> bool:
    return memory.status is Status.ACTIVE
