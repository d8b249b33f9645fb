"""`mem history`, `mem revert`, `mem undo` and `mem audit`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

import click

from memory_layer.doors import wire
from memory_layer.doors.cli.arguments import MemoryId, command, family, limit_option, page_option, who_options
from memory_layer.doors.cli.call import EXIT_FAILED, CommandCall
from memory_layer.doors.cli.render import (
    INDENT,
    REASONS,
    age,
    count,
    entry,
    memories,
    one_line,
    short_id,
    short_ids,
    source,
    times,
    visible,
    with_short_ids,
)
from memory_layer.model.history import (
    Difference,
    History,
    Logged,
    Operation,
    Piece,
    PieceKind,
    Undone,
    Verdict,
    Version,
)
from memory_layer.model.memory import Citation, Memory
from memory_layer.model.query import Filters
from memory_layer.model.record import NamedTuple
from memory_layer.model.vocabulary import Reason, Status
from memory_layer.verbs.call import Dispatcher, Target
from memory_layer.verbs.govern import AUDIT_LOG, HISTORY, OPERATIONS, REVERT, UNDO, VERIFY_AUDIT
from memory_layer.verbs.look_up import LIST

#: The marks around changed text, readable without colours.
_MARKS = {PieceKind.REMOVED: ("[-", "-]", "red"), PieceKind.ADDED: ("{+", "+}", "green")}
AROUND = 60  #: characters of unchanged text shown next to a change
MOST_LISTED = 20  #: memories of one undo; --json has all of them
_PASSED_OVER = {
    "forgotten": "forgotten memories cannot be restored",
    "elsewhere": "it changed another project; `mem undo OP` undoes it",
}
#: Each action in the past tense.
_DID = {
    "add": "added",
    "edit": "edited",
    "tag": "tagged",
    "archive": "archived",
    "restore": "restored",
    "approve": "approved",
    "merge": "merged",
    "merge away": "merged into another",
    "link": "linked",
    "unlink": "unlinked",
    "link_task": "linked to a task",
    "unlink_task": "unlinked from a task",
    "outcome": "outcome reported",
    "reinforce": "confirmed",
    "promote": "priority raised",
    "revert": "reverted",
    "undo": "undone",
    "forget": "forgotten",
    "import": "imported",
    "capture": "captured",
    "run": "run finished",
    "episode": "event recorded",
    "procedure": "procedure saved",
    "consolidate": "cleaned up",
    "suggest": "suggested",
    "settle": "decided",
    "reopen": "reopened",
    "recover": "recovered",
    "verify": "citations updated",
    "renew": "renewed",
}
_EVERY_STATUS = tuple(Status)


@command("history", "mem history mem_abc123", "mem history abc123 --json")
@click.argument("memory_id", type=MemoryId(), metavar="ID")
@click.option(
    "-n", "--limit", type=click.IntRange(1), metavar="N", help="At most this many versions. Default: all."
)
@page_option
@click.pass_obj
def history(call: CommandCall, memory_id: str, limit: int | None, start: str | None) -> None:
    """Show every version of a memory and its changes.

    Newest first. Removed words are in [- -], added words in {+ +}. Outcomes, recalls and confirmations are logged
    separately and create no version. A version marked ! does not match the audit log.
    """
    with call.open() as memory:
        found = memory.run(HISTORY, {"memory_id": memory_id, "limit": limit, "after": start})
        call.reply(wire.history(found), history_text(found, memory.engine.now()))
    call.say_more(found.next, "There are older versions")


@command("revert", "mem revert mem_abc123 --to 2", "mem revert abc123 --to 1 --json")
@click.argument("memory_id", type=MemoryId(), metavar="ID")
@click.option(
    "--to",
    type=click.IntRange(1),
    required=True,
    help="The number of the version, as shown by `mem history`.",
)
@who_options
@click.pass_obj
def revert(call: CommandCall, memory_id: str, to: int) -> None:
    """Restore an old version of a memory.

    The old fields become a new version; nothing in between is erased. Counters and outcomes do not change. An agent
    cannot change or hide a memory that a person wrote or approved, nor an approval or a pending review.
    """
    with call.open() as memory:
        reverted = memory.run(REVERT, {"memory_id": memory_id, "to": to})
        call.reply(wire.memory(reverted), memories([reverted], memory.engine.now(), call.width))


@command("undo", "mem undo", "mem undo --list", "mem undo op_abc123 --json")
@click.argument("operation", required=False, metavar="[OP]")
@click.option("--list", "as_list", is_flag=True, help="List the last commands and their ids; undo nothing.")
@limit_option(20)
@click.option(
    "--since", metavar="WHEN", help="With --list: only commands since 7d, 2w or 12h ago, or since a date."
)
@click.option("--until", metavar="WHEN", help="With --list: only commands before that.")
@page_option
@who_options
@click.pass_obj
def undo(
    call: CommandCall,
    /,
    operation: str | None,
    as_list: bool,
    limit: int,
    start: str | None,
    **span: str | None,
) -> None:
    """Undo a command.

    Without OP, undoes your last command that changed a memory of this project or a global one and was not undone yet.
    New memories are archived, changed ones get their old values, all or nothing. If a memory was changed again since,
    the undo stops and nothing is lost. Links, outcomes and confirmations are undone too; an outcome stays in the log
    but no longer counts. Forgotten memories cannot be restored. An agent cannot undo what only a person may do. An
    undo can be undone by its own id.
    """
    if as_list and operation:
        raise click.UsageError("--list shows the last commands; use it without OP")
    if (start or any(span.values())) and not as_list:
        raise click.UsageError("--since, --until and --from need --list")
    with call.open() as memory:
        now = memory.engine.now()
        if as_list:
            listed = memory.run(OPERATIONS, {**span, "limit": limit, "after": start})
            text = "" if call.as_json else operations_text(listed, _subjects(memory, listed), now, call.width)
            call.reply(wire.listed(map(wire.operation, listed), counted=False), text)
            return
        done = memory.run(UNDO, {"operation": operation})
    call.reply(wire.undone(done), undone_text(done, now, call.width))
    call.say(f"Undo this: `mem undo {short_id(done.operation)}`")
    for line in passed_over(done):
        call.say(line)


def _subjects(memory: Dispatcher, listed: Sequence[Operation]) -> dict[str, Subject]:
    """Read the first memory of each operation, with what the operation changed in it."""
    first = {each.id: each.memories[0] for each in listed if each.memories}
    filters = Filters(ids=tuple({*first.values()}), statuses=_EVERY_STATUS, expired=True, superseded=True)
    everywhere = Target(everything=True)
    page = memory.run(LIST, {"filters": filters, "limit": 1000}, target=everywhere) if first else None
    known = {each.id: each for each in page.items} if page else {}
    subjects = {}
    for operation, memory_id in first.items():
        if memory_id not in known:
            continue
        versions = memory.run(HISTORY, {"memory_id": memory_id, "limit": MOST_LISTED}).versions
        changes = [each for version in versions if version.operation == operation for each in version.changes]
        subjects[operation] = Subject(known[memory_id], tuple(changes))
    return subjects


@family("audit", "mem audit verify", "mem audit list --limit 50")
def audit() -> None:
    """Read and check the log of all changes.

    Every change adds an entry in the same transaction, and its hash covers the entry before.
    """


@command("verify", "mem audit verify", "mem audit verify --json", of=audit)
@click.pass_obj
def verify(call: CommandCall) -> None:
    """Check the log, and compare every memory with it.

    Finds entries that were edited, removed or truncated, a head that does not match the last entry, memories that
    differ from their last entry, old values that do not match, and events that were changed, removed or truncated in a
    session. Exits with 1 if it finds any. A rewrite of the whole log including its head is found up to the last
    signature of a passkey; without one keep a copy of the head elsewhere. Counters, outcomes and recalls are not
    compared.
    """
    with call.open() as memory:
        verdict = memory.run(VERIFY_AUDIT, {})
    call.reply(wire.verdict(verdict), verdict_text(verdict))
    if not verdict.intact:
        call.say(
            "Something was changed or lost outside this program. The memories can still be used, but their history is"
            " no longer proven, and this cannot be repaired. Keep this output, and compare with a backup"
            " (`mem backup --list`)."
        )
        raise click.exceptions.Exit(EXIT_FAILED)


@command("list", "mem audit list", "mem audit list --limit 50 --json", of=audit)
@limit_option(20)
@click.pass_obj
def list_entries(call: CommandCall, limit: int) -> None:
    """List the last entries of the log.

    Newest first, each with its number, the action, the memory, the writer and the id for `mem undo`.
    """
    with call.open() as memory:
        entries = memory.run(AUDIT_LOG, {"limit": limit})
        call.reply(
            wire.listed(map(wire.entry, entries), counted=False),
            entries_text(entries, memory.engine.now(), call.width),
        )
    if not entries:
        call.say("no changes yet")


def history_text(history: History, now: datetime) -> str:
    """List the versions with their changes, the first one with its text."""
    return "\n".join(_version(each, now) for each in history.versions)


def changed_text(
    memory: Memory, changes: Sequence[Difference], confirmed: bool = False, notice: str | None = None
) -> str:
    """Describe what a command changed in a memory."""
    parts = _differences(changes)
    parts += [f"confirmed {times(memory.reinforcement_count - 1)} so far"] if confirmed else []
    parts += [notice if changes else f"not counted: {notice}"] if notice else []
    return f"{short_id(memory.id)}: {with_short_ids('; '.join(parts)) or 'nothing changed'}"


def _version(version: Version, now: datetime) -> str:
    mark = "" if version.intact else click.style(" !", fg="red", bold=True)
    action = f"undo of {short_id(version.undoes)}" if version.undoes else version.action
    by = visible(f"by {version.writer} ({version.door})")
    when = f"{version.at:%Y-%m-%d %H:%M} UTC, {age(version.at, now)}"
    head = f"{click.style(str(version.number), fg='cyan')}{mark}  {action}  {by}  {when}"
    lines = _differences(version.changes)
    if version.number == 1:
        lines = [_fold(visible(version.memory.content))]
    if not version.intact:
        lines.append("does not match the audit log; see `mem audit verify`")
    return "\n".join([f"{head}  {short_id(version.operation)}", *(f"{INDENT}{line}" for line in lines)])


def _differences(changes: Sequence[Difference]) -> list[str]:
    """Describe changed fields; a new status comes with its reason, an approval without its time."""
    fields = {each.field: each for each in changes}
    changes = [each for each in changes if each.field != "approved_at" or "approved_by" not in fields]
    status, reason = fields.get("status"), fields.get("reason")
    if status is None or status.new == status.old:
        return [_difference(each) for each in changes]
    why = REASONS[reason.new] if reason and isinstance(reason.new, Reason) else ""
    rest = [_difference(each) for each in changes if each.field not in ("status", "reason")]
    return [f"{status.old} → {status.new}" + (f" ({why})" if why else ""), *rest]


def _difference(difference: Difference) -> str:
    if difference.pieces:
        return f"{difference.field}: {_fold(''.join(map(_piece, difference.pieces)))}"
    old, new = _value(difference.old), _value(difference.new)
    if old == new:  # the same lines are cited, but their text changed
        return f"{difference.field}: {new}, updated"
    return f"{difference.field}: {old} → {new}"


def _piece(piece: Piece) -> str:
    text = visible(piece.text)
    if piece.kind is PieceKind.SAME:
        return text if len(text) <= 2 * AROUND else f"{text[:AROUND]} … {text[-AROUND:]}"
    opening, closing, colour = _MARKS[piece.kind]
    return click.style(f"{opening}{text}{closing}", fg=colour)


def _fold(text: str) -> str:
    return f"\n{INDENT}".join(text.strip().splitlines())


def _value(value: object) -> str:
    """Format the value of a field."""
    if isinstance(value, tuple) and value and all(isinstance(each, Citation) for each in value):
        return ", ".join(map(source, value))
    if isinstance(value, datetime):
        return f"{value:%Y-%m-%d %H:%M} UTC"
    if isinstance(value, tuple) and value and all(isinstance(each, str) for each in value):
        return one_line(", ".join(value))
    shape = wire.plain(value)
    if shape in (None, [], {}):
        return "none"
    return one_line(shape if isinstance(shape, str) else wire.text(shape))


class Subject(NamedTuple):
    """The first memory of an operation, with what the operation changed in it."""

    memory: Memory
    changes: tuple[Difference, ...]


def operations_text(
    listed: Sequence[Operation], subjects: Mapping[str, Subject], now: datetime, width: int | None
) -> str:
    """List operations, each with its id, its actions and the memory that it changed."""
    short = short_ids(each.id for each in listed)
    return "\n".join(_operation(each, short[each.id], subjects.get(each.id), now, width) for each in listed)


def _operation(
    operation: Operation, short: str, subject: Subject | None, now: datetime, width: int | None
) -> str:
    notes = [age(operation.at, now), visible(f"by {operation.writer} ({operation.door})")]
    notes += [f"undoes {short_id(operation.undoes)}"] if operation.undoes else []
    notes += ["undone"] if operation.undone else []
    more = len(operation.memories) - 1
    notes += [f"and {count(more, 'more memory', 'more memories')}"] if subject and more else []
    head = [click.style(short, fg="cyan"), visible(_actions(operation.actions))]
    if subject is None:
        return "  ".join([*head, " · ".join(notes)])
    lines = [entry(head, one_line(subject.memory.content), notes, width)]
    if width is not None:
        lines += [f"{INDENT}{line}" for line in _differences(subject.changes)]
    return "\n".join(lines)


def _actions(actions: Sequence[tuple[str, int]]) -> str:
    """Describe actions in the past tense, as in `archived (3), linked`; an outcome always has two entries."""
    return ", ".join(
        _DID.get(name, name) + (f" ({number:,})" if number > 1 and name != "outcome" else "")
        for name, number in actions
    )


def undone_text(undone: Undone, now: datetime, width: int | None) -> str:
    """Describe an undo, and list the memories as they are now."""
    where = ", ".join(project or "global" for project in undone.projects)
    what = visible(" · ".join(part for part in (_actions(undone.actions), where) if part))
    head = f"{click.style(short_id(undone.operation), fg='cyan')}  undid {short_id(undone.undoes)}"
    lines = [f"{head}  {what}", *_first([with_short_ids(visible(note)) for note in undone.notes])]
    if undone.memories:
        lines.append(memories(undone.memories[:MOST_LISTED], now, width))
    if len(undone.memories) > MOST_LISTED:
        lines.append(f"… and {len(undone.memories) - MOST_LISTED:,} more memories")
    return "\n".join(lines)


def _first(lines: list[str]) -> list[str]:
    more = len(lines) - MOST_LISTED
    return lines if more <= 0 else [*lines[:MOST_LISTED], f"… and {more:,} more of this kind"]


def passed_over(undone: Undone) -> Iterator[str]:
    """Name the later operations that were skipped, and why."""
    for why, reason in _PASSED_OVER.items():
        ids = [each.operation for each in undone.passed_over if each.why == why]
        if ids:
            more = f" and {len(ids) - 3:,} more" if len(ids) > 3 else ""
            yield f"skipped {', '.join(map(short_id, ids[:3]))}{more}: {reason}"


def entries_text(listed: Sequence[Logged], now: datetime, width: int | None) -> str:
    """List entries of the log."""
    return "\n".join(_entry(each, now, width) for each in listed)


def _entry(logged: Logged, now: datetime, width: int | None) -> str:
    change = logged.change
    action = f"undo of {short_id(change.undoes)}" if change.undoes else change.action
    ids = ", ".join(memory.id for memory in logged.memories)
    subject = with_short_ids(visible(logged.said or change.memory or ids or "-"))
    head = [str(change.number), visible(action), click.style(subject, fg="cyan")]
    notes = [age(change.at, now), visible(f"by {change.writer} ({change.door})"), short_id(change.operation)]
    if by := logged.confirmed_by:
        notes.append("signed" if by == "passkey" else visible(f"confirmed by {by}"))
    text = wire.beginning(logged.memories[0]) if logged.memories else ""
    return entry(head, text, notes, width)


def verdict_text(verdict: Verdict) -> str:
    """Confirm that the log is intact, or list its flaws."""
    if verdict.intact:
        events = f", and the events of {count(verdict.sessions, 'session')}" if verdict.sessions else ""
        signed = f", {count(verdict.signatures, 'signature')} verified" if verdict.signatures else ""
        return f"intact: {verdict.entries:,} entries, head {verdict.head}{events}{signed}"
    return "\n".join(
        f"{click.style(flaw.kind.value, fg='red')}  {visible(flaw.says)}" for flaw in verdict.flaws
    )
