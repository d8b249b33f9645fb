"""Undo one operation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from itertools import islice, takewhile

from memory_layer.errors import InvalidInput, NotFound
from memory_layer.model.history import KeptVersion, Note, Operation, PassedOver, Undone
from memory_layer.model.memory import Change, Memory, Writer
from memory_layer.model.record import NamedTuple
from memory_layer.model.vocabulary import LinkKind, Reason, Status
from memory_layer.ports import Edit, Engine
from memory_layer.ports.store import Entries
from memory_layer.rules import history as policy
from memory_layer.rules import limits
from memory_layer.rules.edits import check_not_forgotten
from memory_layer.rules.permissions import Action, check_allowed, may
from memory_layer.store.chain import change_from
from memory_layer.usecases.govern import chain, ledger
from memory_layer.usecases.govern.history import RevertStep, carried_out, restoring, uncreating
from memory_layer.usecases.govern.visibility import shown
from memory_layer.usecases.remember.links import check_superseding
from memory_layer.usecases.who.lookup import read_memory, whole_id

#: Operations looked up together after the last one, so that their memories are read at once.
AT_ONCE = 50
#: Entries of an operation that a list looks at, and the memories that it names of a larger one.
MOST_ENTRIES = 200
MOST_MEMORIES = 20


def undo(
    engine: Engine, writer: Writer, prefix: str | None = None, around: UndoScope | None = None
) -> Undone:
    """Undo a whole operation as a new one: the named one, or the writer's last one in `around`.

    What it created is archived, what it changed gets its old values back; later changes are never lost.
    """
    with engine.store.reading():
        operation, passed_over = (
            (whole_id(engine.store, prefix, "operation"), ()) if prefix else _last(engine, writer, around)
        )
        changes = list(chain.changes_of(engine.store, [operation]))
        if not changes:
            raise InvalidInput(
                f"{operation} is about a passkey, a token or the passphrase, and cannot be undone"
            )
        notes = chain.notes_of(engine.store, [operation])
        about = _about(engine, changes, notes)
    edit = Edit(writer, engine.new_id("op"), f"undo {operation}", engine.now())

    def plan() -> list[RevertStep]:
        _check_standing(engine, changes)
        _check_notes(engine, changes, notes, writer)
        own = changes[0].writer == writer.name
        trusted = own and any(note.run for note in notes)
        steps = [_step(engine, each, operation, edit) for each in _touched(changes)]
        return [step._replace(own=own, trusted=trusted) for step in steps]

    def unnote() -> None:
        for note in notes:
            ledger.take_back(engine.store, note, edit)

    memories = carried_out(engine, plan, edit, unnote)
    done = Undone(
        operation=edit.operation,
        undoes=operation,
        memories=tuple(memories),
        actions=_actions(changes),
        projects=tuple(dict.fromkeys(memory.project for memory in about)),
        notes=policy.taken_back(notes),
        passed_over=passed_over,
    )
    return shown(engine, done)


class UndoScope(NamedTuple):
    """The memories an undo is about: a project's and the global ones, or only the global ones."""

    project: str | None = None  #: its key


def operations(
    engine: Engine,
    limit: int = 20,
    after: str | None = None,
    since: datetime | None = None,
    until: datetime | None = None,
) -> list[Operation]:
    """Return the last operations, newest first; `after` is the id of the last one of the page before."""
    limits.check_limit(limit)
    with engine.store.reading():
        below = None if after is None else _first_number(engine, whole_id(engine.store, after, "operation"))
        found = engine.store.chain.newest_operations(Entries(below=below, since=since, until=until), limit)
        taken_back = policy.undone(_undoing(engine, found))
        listed = [_listed(engine, each, each in taken_back) for each in found]
        return shown(engine, listed)


def _first_number(engine: Engine, operation: str) -> int:
    """Return the number of an operation's first entry; older operations lie below it."""
    return next(engine.store.chain.entries(Entries(operations=(operation,), most=1))).number


def _listed(engine: Engine, operation: str, undone: bool) -> Operation:
    """Return an operation as a list shows it; of a very large one, its last memories and all its actions."""
    changes = chain.newest_changes_of(engine.store, operation, MOST_ENTRIES)
    if len(changes) < MOST_ENTRIES:
        notes = {note.number: note for note in chain.notes_of(engine.store, [operation])}
        return _operation(changes, notes, undone)
    whole = _operation(changes, {}, undone)
    actions = engine.store.chain.actions(operation) if whole.undoes is None else dict(whole.actions)
    return whole._replace(actions=tuple(actions.items()), memories=whole.memories[:MOST_MEMORIES])


def _undoing(engine: Engine, operations: list[str]) -> list[Change]:
    """Return the entries that undo these operations, and those that undo the undoing, newest first."""
    found: dict[int, Change] = {}
    wanted = operations
    while wanted:
        new = [change_from(each) for each in engine.store.chain.entries(Entries(undoing=wanted))]
        wanted = list({each.operation for each in new if each.number not in found})
        found |= {each.number: each for each in new}
    return [found[number] for number in sorted(found, reverse=True)]


def _operation(changes: Sequence[Change], notes: Mapping[int, Note], undone: bool) -> Operation:
    own_notes = [notes[each.number] for each in reversed(changes) if each.number in notes]
    noted_ids = (memory_id for note in own_notes for memory_id in note.memories)
    last = changes[-1]
    return Operation(
        id=last.operation,
        at=last.at,
        writer=last.writer,
        door=last.door,
        actions=_actions(changes),
        memories=tuple(dict.fromkeys((*_touched(changes), *noted_ids))),
        undoes=last.undoes,
        undone=undone,
    )


def _actions(changes: Sequence[Change]) -> tuple[tuple[str, int], ...]:
    versions = [each for each in changes if each.memory] or changes
    return tuple(Counter("undo" if each.undoes else each.action for each in versions).items())


def _last(engine: Engine, writer: Writer, around: UndoScope | None) -> tuple[str, tuple[PassedOver, ...]]:
    """Return the writer's last operation that can be undone, and the later ones that were skipped."""
    passed_over: list[PassedOver] = []
    if operation := _last_of(engine, writer.name, around, passed_over):
        return operation, tuple(passed_over)
    if may(writer, Action.TAKE_BACK_NOTE) and (other := _last_of(engine, None, around, [])):
        by = next(chain.changes_of(engine.store, [other])).writer
        raise NotFound(f"you have nothing to undo here; the last change is {by}'s: `mem undo {other}`")
    more = " here; `mem undo --list` shows what was done elsewhere or forgotten" if passed_over else ""
    raise NotFound(f"nothing to undo{more}")


def _last_of(
    engine: Engine, writer: str | None, around: UndoScope | None, passed_over: list[PassedOver]
) -> str | None:
    """Return the last operation of a writer, or of anybody, that an undo means; record those it skips."""
    near = (None, around.project) if around else None
    candidates = policy.standing(chain.latest_changes(engine.store), writer)
    while some := list(islice(candidates, AT_ONCE if passed_over else 1)):
        for operation, about, notes in _about_each(engine, some):
            ended_a_run = any(note.run for note in notes)
            why = policy.out_of_the_way(about, near, ended_a_run=ended_a_run)
            if why is None:
                return operation
            passed_over.append(PassedOver(operation, why))
    return None


def _about_each(engine: Engine, operations: Sequence[str]) -> Iterator[tuple[str, list[Memory], list[Note]]]:
    """Yield the memories and notes of each operation, in one pass over the chain."""
    changes: dict[str, list[Change]] = {operation: [] for operation in operations}
    for change in chain.changes_of(engine.store, operations):
        changes[change.operation].append(change)
    notes = {note.number: note for note in chain.notes_of(engine.store, list(operations))}
    for operation, own in changes.items():
        own_notes = [notes[each.number] for each in own if each.number in notes]
        yield operation, _about(engine, own, own_notes), own_notes


def _about(engine: Engine, changes: Sequence[Change], notes: Sequence[Note]) -> list[Memory]:
    """Return the memories that an operation changed or noted something about."""
    noted_ids = [memory_id for note in notes for memory_id in note.memories]
    return engine.store.memories.get(list(dict.fromkeys((*_touched(changes), *noted_ids))))


def _touched(changes: Sequence[Change]) -> list[str]:
    """Return the memories of an operation, the one changed last first."""
    return list(dict.fromkeys(each.memory for each in reversed(changes) if each.memory))


def _check_standing(engine: Engine, changes: Sequence[Change]) -> None:
    """Refuse to undo an operation twice."""
    later = takewhile(lambda each: each.number > changes[-1].number, chain.latest_changes(engine.store))
    if by := policy.undone(later).get(changes[0].operation):
        raise InvalidInput(f"{changes[0].operation} was already undone by {by}")


def _check_notes(engine: Engine, changes: Sequence[Change], notes: Sequence[Note], writer: Writer) -> None:
    """Let an agent take back only its own links, outcomes and confirmations; a person anybody's."""
    own = changes[0].writer == writer.name and not any(note.by_a_person for note in notes)
    if notes:
        whose = shown(engine, changes[0].writer)
        check_allowed(writer, Action.TAKE_BACK_NOTE, own=own, whose=whose)
    about = {
        each.id: each
        for each in engine.store.memories.get([each for note in notes for each in note.memories])
    }
    for memory in about.values():
        check_not_forgotten(memory)
    for source, target in filter(None, (note.superseded for note in notes)):
        check_superseding(engine, about[source], about[target], writer)


def _step(engine: Engine, memory_id: str, operation: str, edit: Edit) -> RevertStep:
    current, versions = read_memory(engine.store, memory_id), chain.versions(engine.store, memory_id)
    check_not_forgotten(current)
    if lost := policy.would_be_lost(versions, operation):
        raise InvalidInput(
            f"{memory_id} was changed later ({lost.action.partition(' ')[0]} by {shown(engine, lost.writer)}),"
            f" and undoing {operation} would lose that change; see `mem history {memory_id}`"
        )
    old = policy.before_operation(versions, operation)
    step = restoring(current, old, edit.at) if old else uncreating(current, edit.at)
    if current.status is Status.ACTIVE is not step.result.status:
        _check_nothing_rests_on(engine, current, versions, operation)
    return step


def _check_nothing_rests_on(
    engine: Engine, memory: Memory, versions: Sequence[KeptVersion], operation: str
) -> None:
    """Refuse to hide a memory that others were merged into since: their texts would be lost with it."""
    begun = next(each.change.at for each in versions if each.change.operation == operation)
    over = [
        link.target
        for link in engine.store.links.of([memory.id])
        if (link.source, link.kind) == (memory.id, LinkKind.SUPERSEDES) and link.created_at >= begun
    ]
    for other in engine.store.memories.get(over):
        merging = chain.versions(engine.store, other.id)[-1].change.operation
        if other.reason is Reason.MERGED and merging != operation:
            raise InvalidInput(
                f"{memory.id} took over {other.id} since, and then neither would be found;"
                f" `mem undo {merging}` takes that back first"
            )
