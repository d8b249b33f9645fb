"""Archive, restore, approve and reinforce."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from memory_layer.errors import InvalidInput, NotAllowed
from memory_layer.model.memory import Memory, Writer
from memory_layer.model.vocabulary import LinkKind, Reason, Status
from memory_layer.policy import lifecycle, review
from memory_layer.ports import Edit, Engine


def archive(engine: Engine, prefixes: Sequence[str], writer: Writer) -> list[Memory]:
    """Take memories out of sight; they stay searchable on request and can be restored."""
    now = engine.now()

    def archived(memory: Memory) -> Memory:
        return lifecycle.archived(memory, Reason.ASKED, now)

    return _changed(engine, prefixes, writer, "archive", archived, unless=Status.ARCHIVED)


def restore(engine: Engine, prefixes: Sequence[str], writer: Writer) -> list[Memory]:
    """Bring archived memories back, or into review where a person has to look first."""
    now = engine.now()

    def restored(memory: Memory) -> Memory:
        _refuse_forgotten(memory)
        if memory.status is Status.STAGED:
            raise InvalidInput(f"{memory.id} is not archived; it waits for a decision ({memory.reason})")
        if reasons := review.reasons(memory):
            return review.held(memory, reasons)
        holder = engine.store.same_text(memory.content_hash)
        if holder and holder.id != memory.id and holder.status is not Status.ARCHIVED:
            raise InvalidInput(f"{memory.id} cannot be restored: {holder.id} says the same")
        if memory.reason in (Reason.MERGED, Reason.SKIPPED):
            engine.store.unlink(memory.id, LinkKind.SUPERSEDES)
        return lifecycle.restored(memory, now)

    return _changed(engine, prefixes, writer, "restore", restored, unless=Status.ACTIVE)


def approve(engine: Engine, prefixes: Sequence[str], writer: Writer) -> list[Memory]:
    """A person vouches for memories, which also shows those that waited for it."""
    if not writer.is_person:
        raise NotAllowed("only a person at a terminal can approve a memory")
    now = engine.now()

    def approved(memory: Memory) -> Memory:
        _refuse_forgotten(memory)
        if memory.reason is Reason.WRITING:
            raise InvalidInput(f"{memory.id} is still being written")
        return lifecycle.approved(memory, writer.name, now, engine.settings.default_expiry)

    return _changed(engine, prefixes, writer, "approve", approved)


def reinforce(engine: Engine, prefixes: Sequence[str], writer: Writer) -> list[Memory]:
    """Confirm that memories still hold, which also restarts their decay."""
    with engine.store.writing():
        memories = []
        for memory_id in _ids(engine, prefixes):
            memory = lifecycle.reinforced(engine.store.get(memory_id), engine.now())
            engine.store.count(memory)
            memories.append(memory)
        return memories


def _refuse_forgotten(memory: Memory) -> None:
    if memory.reason is Reason.FORGOTTEN:
        raise InvalidInput(f"{memory.id} was forgotten; nothing of it is left")


def _changed(
    engine: Engine,
    prefixes: Sequence[str],
    writer: Writer,
    action: str,
    change: Callable[[Memory], Memory],
    unless: Status | None = None,
) -> list[Memory]:
    """Change all of the named memories or none, as one operation."""
    edit = Edit(writer, engine.new_id("op"), action, engine.now())
    with engine.store.writing():
        return [
            memory if memory.status is unless else engine.store.save(change(memory), edit)
            for memory in map(engine.store.get, _ids(engine, prefixes))
        ]


def _ids(engine: Engine, prefixes: Sequence[str]) -> list[str]:
    if not prefixes:
        raise InvalidInput("name at least one memory")
    return list(dict.fromkeys(engine.store.resolve(prefix) for prefix in prefixes))
