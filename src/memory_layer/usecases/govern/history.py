"""Show the versions of a memory, and revert to one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from memory_layer.errors import InvalidInput, OnlyPersons
from memory_layer.model.history import History, KeptVersion, Version
from memory_layer.model.memory import Memory, Writer
from memory_layer.model.record import NamedTuple
from memory_layer.model.vocabulary import Reason, Status
from memory_layer.ports import Edit, Engine
from memory_layer.ports.search import Made
from memory_layer.rules import history as policy
from memory_layer.rules.edits import check_not_forgotten
from memory_layer.usecases.govern import chain
from memory_layer.usecases.govern.review import check_still_compared
from memory_layer.usecases.govern.visibility import shown
from memory_layer.usecases.recall.vectors import embedded
from memory_layer.usecases.remember.new_memory import hashed, live_twin, save_indexed
from memory_layer.usecases.who.lookup import read_memory, whole_id

if TYPE_CHECKING:
    from memory_layer.ports import PassageVectors


def history(engine: Engine, prefix: str, limit: int | None = None, after: str | None = None) -> History:
    """Return versions of a memory, newest first, each with its changes; looking does not count as use."""
    if limit is not None and limit < 1:
        raise InvalidInput(f"the limit must be at least 1, not {limit}")
    before = None if after is None else policy.placed(after)
    with engine.store.reading():
        memory_id = whole_id(engine.store, prefix)
        stored = shown(engine, chain.versions(engine.store, memory_id))
        end = len(stored) if before is None else min(before - 1, len(stored))
        start = 0 if limit is None else max(end - limit, 0)
        versions = [
            _version(stored[place], stored[place - 1] if place else None) for place in range(start, end)
        ]
        following = policy.place(stored[start].number) if start else None
        return History(shown(engine, read_memory(engine.store, memory_id)), tuple(versions[::-1]), following)


def _version(stored: KeptVersion, before: KeptVersion | None) -> Version:
    change = stored.change
    return Version(
        number=stored.number,
        at=change.at,
        action="undo" if change.undoes else change.action,
        operation=change.operation,
        undoes=change.undoes,
        writer=change.writer,
        door=change.door,
        intact=stored.intact,
        changes=policy.differences(before.memory, stored.memory) if before else (),
        memory=stored.memory,
    )


def revert(engine: Engine, prefix: str, to: int, writer: Writer) -> Memory:
    """Make an old version the newest one; nothing in between is erased."""
    memory_id = whole_id(engine.store, prefix)
    edit = Edit(writer, engine.new_id("op"), "revert", engine.now())

    def plan() -> list[RevertStep]:
        versions = chain.versions(engine.store, memory_id)
        if not versions:
            raise InvalidInput(f"{memory_id} is still being written")
        if not 1 <= to <= len(versions):
            raise InvalidInput(f"{memory_id} has no version {to}; it has 1 to {len(versions)}")
        current = read_memory(engine.store, memory_id)
        step = restoring(current, versions[to - 1], edit.at)
        return [] if not policy.differences(current, step.result) else [step]

    return shown(engine, (carried_out(engine, plan, edit) or [read_memory(engine.store, memory_id)])[0])


class RevertStep(NamedTuple):
    """One memory to be reverted."""

    current: Memory
    result: Memory
    own: bool = False  #: whether the writer takes back a change of its own
    trusted: bool = False  #: whether that is what the end of a run did to its confidence

    @property
    def rewords(self) -> bool:
        return self.current.content != self.result.content


def restoring(current: Memory, old: KeptVersion, at: datetime) -> RevertStep:
    """Return the step that brings back an old version, if its record is intact and it was ever finished."""
    check_not_forgotten(current)
    if not old.intact:
        raise InvalidInput(
            f"version {old.number} of {current.id} does not match the audit log; run `mem audit verify`"
        )
    if old.memory.reason is Reason.WRITING:
        raise InvalidInput(f"version {old.number} of {current.id} was never finished; choose another version")
    return RevertStep(current, policy.back_to(current, old.memory, at))


def uncreating(current: Memory, at: datetime) -> RevertStep:
    """Return the step that undoes a creation: the memory is archived, and its text no longer matches."""
    return RevertStep(current, current._replace(status=Status.ARCHIVED, reason=Reason.UNDONE, updated_at=at))


def carried_out(
    engine: Engine,
    plan: Callable[[], Sequence[RevertStep]],
    edit: Edit,
    afterwards: Callable[[], None] = lambda: None,
) -> list[Memory]:
    """Write all steps of a plan in one transaction; texts that come back are embedded before it."""
    ready: dict[str, tuple[str, PassageVectors] | None] = {}
    while True:
        with engine.store.reading():
            seen, steps = engine.store.chain.head(), plan()
        ready |= {text: embedded(engine, text) for text in _texts(steps) - ready.keys()}
        with engine.store.writing():
            if engine.store.chain.head() != seen:
                steps = plan()
            if _texts(steps) <= ready.keys():  # else somebody was faster, and the plan is another now
                written = [_write(engine, step, edit, ready) for step in steps]
                afterwards()
                return engine.store.memories.get([each.id for each in written])  # with what came afterwards


def _texts(steps: Sequence[RevertStep]) -> set[str]:
    return {step.result.content for step in steps if step.rewords}


def _write(
    engine: Engine, step: RevertStep, edit: Edit, ready: dict[str, tuple[str, PassageVectors] | None]
) -> Memory:
    """Check one step and write it; an old text was redacted when it was first stored."""
    current, result, store = step.current, step.result, engine.store
    if why := policy.refusal(current, result, edit.writer, own=step.own, trusted=step.trusted):
        raise OnlyPersons(f"{current.id} cannot be reverted: {why}")
    if current.status is Status.ACTIVE is not result.status and not step.own:
        check_still_compared(engine, current.id, edit.writer)
    result = hashed(engine, result)
    if result.status is not Status.ARCHIVED and (twin := live_twin(store, result)):
        raise InvalidInput(f"{current.id} cannot be reverted: {twin.id} says the same")
    saved = save_indexed(store, current, result, edit)
    if step.rewords:
        store.vectors.drop([current.id])
        if vectors := ready[result.content]:
            store.vectors.put(vectors[0], [Made(current.id, vectors[1])])
    return saved
