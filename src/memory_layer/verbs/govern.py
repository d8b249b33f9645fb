"""Verbs that decide and undo: review, archive, approve, forget, history, undo, audit, register."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from memory_layer.model.query import Filters
from memory_layer.model.record import NamedTuple
from memory_layer.model.review import Choice, Decision, Matter, Waiting
from memory_layer.model.vocabulary import MergeText, Reason
from memory_layer.verbs.call import Verb
from memory_layer.verbs.request import Nothing, Past, Several

if TYPE_CHECKING:
    from memory_layer.model.changes import Curated, Edited, Forgotten, Traces
    from memory_layer.model.history import History as Versions
    from memory_layer.model.history import Logged, Operation, Undone, Verdict
    from memory_layer.model.memory import Memory
    from memory_layer.model.review import Decided, Queue
    from memory_layer.usecases.who.registered import Registration
    from memory_layer.verbs.call import Call


class Review(NamedTuple):
    """The items of the review queue to list."""

    kinds: tuple[Matter, ...] = ()
    limit: int = 20
    after: str | None = None
    memory_ids: tuple[str, ...] = ()  #: only what is about these


def review(call: Call, request: Review) -> Queue:
    """List the review queue."""
    from memory_layer.usecases.govern import review as usecase
    from memory_layer.usecases.look_up.browse import full_ids

    ids = full_ids(call.engine, request.memory_ids)
    filters = Filters(reach=call.scope.reach, project=call.scope.project_id, ids=ids)
    return usecase.review(call.engine, filters, request.kinds, request.limit, request.after)


class ReviewItemRequest(NamedTuple):
    """An item of the review queue, as it was seen."""

    item: Waiting


def rights(call: Call, request: ReviewItemRequest) -> tuple[Decision, ...]:
    """List what the caller may decide about an item of the review queue."""
    from memory_layer.usecases.govern import review as usecase

    return usecase.rights(request.item, call.writer)


def look_again(call: Call, request: ReviewItemRequest) -> Waiting | None:
    """Return an item of the review queue as it is now; None if it is gone."""
    from memory_layer.usecases.govern import review as usecase

    return usecase.again(call.engine, request.item)


class Decide(NamedTuple):
    """A decision about an item of the review queue."""

    memory_id: str  #: of a pair the one that supersedes or is archived
    decision: Decision
    other: str | None = None
    text: MergeText = MergeText.FULLER  #: which text a merge shows
    content: str | None = None  #: the new words of an edit
    seen: Waiting | None = None  #: decide only if it is still what was looked at


def decide(call: Call, request: Decide) -> Decided:
    """Apply a decision to an item of the review queue, as one operation."""
    from memory_layer.usecases.govern import decide as usecase

    return usecase.decide(call.engine, Choice(*request), call.writer, call.scope.place)


class DecideMany(NamedTuple):
    """One decision about several items of one kind, none of them a pair."""

    memory_ids: tuple[str, ...]
    kind: Matter
    decision: Decision
    seen: tuple[Waiting, ...] = ()  #: decide only if they are still what was looked at


def decide_many(call: Call, request: DecideMany) -> list[Decided]:
    """Apply a decision to several items of the review queue as one operation, to all or to none."""
    from memory_layer.usecases.govern import decide_alike as usecase

    return usecase.decide_alike(
        call.engine,
        request.memory_ids,
        request.kind,
        request.decision,
        request.seen,
        call.writer,
        call.scope.place,
    )


class OneMemory(NamedTuple):
    """A memory by its id or a prefix of it."""

    memory_id: str


def propose(call: Call, request: OneMemory) -> Edited:
    """Propose an active memory for a person's approval."""
    from memory_layer.usecases.remember import curate as usecase

    return usecase.propose(call.engine, request.memory_id, call.writer)


class SeveralSeen(NamedTuple):
    """Memories by their ids or prefixes of them, and what somebody was shown of them."""

    memory_ids: tuple[str, ...]
    seen: int | None = None  #: change only this version


def archive(call: Call, request: SeveralSeen) -> list[Curated]:
    """Archive memories."""
    from memory_layer.usecases.remember import curate

    return curate.put_away(call.engine, request.memory_ids, call.writer, request.seen)


def restore(call: Call, request: SeveralSeen) -> list[Curated]:
    """Restore archived memories."""
    from memory_layer.usecases.remember import curate

    change = partial(curate.restore, version=request.seen)
    return curate.compared(call.engine, change, request.memory_ids, call.writer)


def approve(call: Call, request: Several) -> list[Curated]:
    """Approve memories; only a person can."""
    from memory_layer.usecases.remember import curate

    return curate.compared(call.engine, curate.approve, request.memory_ids, call.writer)


def forget_preview(call: Call, request: Several) -> list[Traces]:
    """Show what forgetting these memories would erase; nothing is changed."""
    from memory_layer.usecases.remember import forget as usecase

    return usecase.preview(call.engine, request.memory_ids, call.writer)


def forget(call: Call, request: SeveralSeen) -> Forgotten:
    """Erase everything that memories said, for good; only a person can."""
    from memory_layer.usecases.remember import forget as usecase

    traces = usecase.preview(call.engine, request.memory_ids, call.writer)
    remaining = [each for each in traces if each.memory.reason is not Reason.FORGOTTEN]
    if remaining:
        usecase.check_may_forget(call.writer)
    call.stage("Erasing", lambda: len(remaining))
    return usecase.forget(call.engine, request.memory_ids, call.writer, request.seen)


class HistoryRequest(NamedTuple):
    """A memory, and the page of its versions."""

    memory_id: str
    limit: int | None = None
    after: str | None = None


def history(call: Call, request: HistoryRequest) -> Versions:
    """List the versions of a memory, newest first, each with what it changed."""
    from memory_layer.usecases.govern import history as usecase

    return usecase.history(call.engine, request.memory_id, request.limit, request.after)


class Revert(NamedTuple):
    """A memory and the version to go back to."""

    memory_id: str
    to: int


def revert(call: Call, request: Revert) -> Memory:
    """Make an old version the newest one."""
    from memory_layer.usecases.govern import history as usecase

    return usecase.revert(call.engine, request.memory_id, request.to, call.writer)


class Undo(NamedTuple):
    """The operation to undo; by default the caller's last in the project."""

    operation: str | None = None


def undo(call: Call, request: Undo) -> Undone:
    """Undo one operation, as a new one."""
    from memory_layer.usecases.govern import undo as usecase

    project = call.scope.project
    scope = usecase.UndoScope(project.key if project else None)
    return usecase.undo(call.engine, call.writer, request.operation, scope)


class Last(NamedTuple):
    """The number of entries to list."""

    limit: int = 20


class OperationsRequest(NamedTuple):
    """The operations to list."""

    limit: int = 20
    since: Past | None = None
    until: Past | None = None
    after: str | None = None  #: the id of the last one before


def operations(call: Call, request: OperationsRequest) -> list[Operation]:
    """List the last operations, newest first."""
    from memory_layer.usecases.govern import undo as usecase

    return usecase.operations(call.engine, request.limit, request.after, request.since, request.until)


def audit_log(call: Call, request: Last) -> list[Logged]:
    """List the last entries of the audit log, newest first."""
    from memory_layer.usecases.govern import audit as usecase

    return usecase.entries(call.engine, request.limit)


def verify_audit(call: Call, request: Nothing) -> Verdict:
    """Compare the audit log with the memories."""
    from memory_layer.usecases.govern import audit as usecase

    return usecase.verify(call.engine)


class FolderRequest(NamedTuple):
    """A folder of a repository."""

    folder: Path


def register_folder(call: Call, request: FolderRequest) -> Registration:
    """Let servers quote the files of the repository around a folder; only a person can."""
    from memory_layer.usecases.who import registered as usecase
    from memory_layer.usecases.who.projects import path_named

    return usecase.register(call.engine, path_named(request.folder, call.caller.here), call.writer)


def unregister_folder(call: Call, request: FolderRequest) -> Registration:
    """Revoke a registration; only a person can, and stored excerpts stay."""
    from memory_layer.usecases.who import registered as usecase
    from memory_layer.usecases.who.projects import path_named

    return usecase.unregister(call.engine, path_named(request.folder, call.caller.here), call.writer)


def registered(call: Call, request: Nothing) -> dict[str, tuple[str, ...]]:
    """Return the registered folders by the ids of their projects."""
    from memory_layer.usecases.who import registered as usecase

    return usecase.registered(call.engine)


REVIEW = Verb("review", Review, review)
RIGHTS = Verb("rights", ReviewItemRequest, rights)
LOOK_AGAIN = Verb("look_again", ReviewItemRequest, look_again)
DECIDE = Verb("decide", Decide, decide)
DECIDE_MANY = Verb("decide_many", DecideMany, decide_many)
PROPOSE = Verb("propose", OneMemory, propose)
ARCHIVE = Verb("archive", SeveralSeen, archive)
RESTORE = Verb("restore", SeveralSeen, restore)
APPROVE = Verb("approve", Several, approve)
FORGET_PREVIEW = Verb("forget_preview", Several, forget_preview)
FORGET = Verb("forget", SeveralSeen, forget)
HISTORY = Verb("history", HistoryRequest, history)
REVERT = Verb("revert", Revert, revert)
UNDO = Verb("undo", Undo, undo)
OPERATIONS = Verb("operations", OperationsRequest, operations)
AUDIT_LOG = Verb("audit_log", Last, audit_log)
VERIFY_AUDIT = Verb("verify_audit", Nothing, verify_audit)
REGISTER_FOLDER = Verb("register_folder", FolderRequest, register_folder)
UNREGISTER_FOLDER = Verb("unregister_folder", FolderRequest, unregister_folder)
REGISTERED = Verb("registered", Nothing, registered)
