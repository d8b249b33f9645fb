"""What was, as text: versions with their differences, operations, entries of the log, a verdict on it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime

import click

from memory_layer.doors import wire
from memory_layer.doors.cli.arguments import MemoryId, command, family, who_options
from memory_layer.doors.cli.call import EXIT_FAILED, CommandCall
from memory_layer.doors.cli.render import (
    INDENT,
    age,
    count,
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
from memory_layer.verbs.govern import AUDIT_LOG, HISTORY, OPERATIONS, REVERT, UNDO, VERIFY_AUDIT

_limit = click.option(
    "-n", "--limit", type=click.IntRange(1, 1000), default=20, help="At most this many; 20 by default."
)


#: How a piece of text is marked, so that it can be read without colours.
_MARKS = {PieceKind.REMOVED: ("[-", "-]", "red"), PieceKind.ADDED: ("{+", "+}", "green")}
#: How much of an unchanged stretch is shown on either side of a change.
AROUND = 60
MOST_LISTED = 20  #: memories of one undo; --json has all of them
_PASSED_OVER = {
    "forgotten": "what was forgotten cannot be brought back",
    "elsewhere": "done in another project; `mem undo OP` takes it back",
}


@command("history", "mem history mem_abc123", "mem history abc123 --json")
@click.argument("memory_id", type=MemoryId(), metavar="ID")
@click.option("-n", "--limit", type=click.IntRange(1), help="At most this many versions; all by default.")
@click.option("--from", "start", metavar="PLACE", help="Go on where the last list ended.")
@click.pass_obj
def history(call: CommandCall, memory_id: str, limit: int | None, start: str | None) -> None:
    """Show every version of a memory, with what each changed.

    Newest first. Removed words stand in [- -], added ones in {+ +}. Outcomes, recalls and confirmations are logs
    of their own and make no version. A version marked ! does not fit the audit log.
    """

    with call.open() as memory:
        found = memory.run(HISTORY, {"memory_id": memory_id, "limit": limit, "after": start})
        call.reply(wire.history(found), history_text(found, memory.engine.now()))
    if found.next:
        call.say(f"there are older ones; go on with --from {found.next}")


@command("revert", "mem revert mem_abc123 --to 2", "mem revert abc123 --to 1 --json")
@click.argument("memory_id", type=MemoryId(), metavar="ID")
@click.option("--to", type=click.IntRange(1), required=True, help="The number of the version in its history.")
@who_options
@click.pass_obj
def revert(call: CommandCall, memory_id: str, to: int, as_name: str | None, session: str | None) -> None:
    """Bring an old version of a memory back.

    Its fields become a new version, and nothing in between is erased. Counters and reports stay as they are. An
    agent cannot change or hide what a person guards, nor an approval, nor a review that waits for a person.
    """
    from memory_layer.doors.cli import render

    with call.open(None, as_name, session) as memory:
        now = memory.run(REVERT, {"memory_id": memory_id, "to": to})
        call.reply(wire.memory(now), render.memories([now], memory.engine.now(), call.width))


@command("undo", "mem undo", "mem undo --list", "mem undo op_abc123 --json")
@click.argument("operation", required=False, metavar="[OP]")
@click.option("--list", "as_list", is_flag=True, help="Only show the last operations and their ids.")
@_limit
@who_options
@click.pass_obj
def undo(
    call: CommandCall,
    operation: str | None,
    as_list: bool,
    limit: int,
    as_name: str | None,
    session: str | None,
) -> None:
    """Take back what one command did.

    Without OP it is your own last command that still stands and changed a memory of this project or a global one;
    what was forgotten is passed over. What it created is archived, what it changed gets its
    old values, all of it or nothing; a later change to the same memory is never lost, and stops the undo. Links,
    outcomes and confirmations are taken back, too; the report of an outcome stays and counts for nothing. Recalls
    stay. An agent cannot take back what only a person may do. An undo can be undone by its own id.
    """

    if as_list and operation:
        raise click.UsageError("--list shows the last operations; it takes no OP")
    with call.open(None, as_name, session) as memory:
        now = memory.engine.now()
        if as_list:
            listed = memory.run(OPERATIONS, {"limit": limit})
            call.reply([wire.operation(each) for each in listed], operations_text(listed, now))
            return
        done = memory.run(UNDO, {"operation": operation})
    call.reply(wire.undone(done), undone_text(done, now, call.width))
    for line in passed_over(done):
        call.say(line)


@family("audit", "mem audit verify", "mem audit list --limit 50")
def audit() -> None:
    """Read and check the log of all changes.

    Every change adds an entry whose hash covers the one before, in the same transaction.
    """


@command("verify", "mem audit verify", "mem audit verify --json", of=audit)
@click.pass_obj
def verify(call: CommandCall) -> None:
    """Check the log, and every memory against it.

    Finds entries that were edited, removed or cut off at the end, a head that names another last entry, memories that
    are not as their last entry left them, and old values that do not fit; in every session events that were changed,
    removed, or cut off at the end. The exit code is 1 when there is any.
    It cannot find a rewriting of everything, the head included; keep a copy of the head elsewhere if that matters.
    Counters, reports and recalls are not compared.
    """

    with call.open() as memory:
        verdict = memory.run(VERIFY_AUDIT, {})
    call.reply(wire.verdict(verdict), verdict_text(verdict))
    if not verdict.intact:
        call.say(
            "something was changed, cut or lost outside this program; the memories can still be used, what they were"
            " is not proven; nothing can repair that: keep this answer, and compare with a backup (`mem backup --list`)"
        )
        raise click.exceptions.Exit(EXIT_FAILED)


@command("list", "mem audit list", "mem audit list --limit 50 --json", of=audit)
@_limit
@click.pass_obj
def list_entries(call: CommandCall, limit: int) -> None:
    """List the last entries of the log.

    Newest first, each with its number, what was done to which memory and how that begins, by whom, and the operation it
    belongs to.
    """

    with call.open() as memory:
        entries = memory.run(AUDIT_LOG, {"limit": limit})
        call.reply([wire.entry(each) for each in entries], entries_text(entries, memory.engine.now()))
    if not entries:
        call.say("nothing has been changed yet")


def history_text(history: History, now: datetime) -> str:
    """Every version with what it changed, the first one with its text."""
    return "\n".join(_version(each, now) for each in history.versions)


def changed_text(
    memory: Memory, changes: Sequence[Difference], confirmed: bool = False, notice: str | None = None
) -> str:
    """What a command did to one memory, field by field, or that it did nothing."""
    told = [_difference(each) for each in changes]
    told += [f"confirmed {times(memory.reinforcement_count - 1)} by now"] if confirmed else []
    told += [f"not counted: {notice}"] if notice else []
    return f"{short_id(memory.id)}: {with_short_ids('; '.join(told)) or 'nothing changed'}"


def _version(version: Version, now: datetime) -> str:
    mark = "" if version.intact else click.style(" !", fg="red", bold=True)
    action = f"undo of {short_id(version.undoes)}" if version.undoes else version.action
    by = visible(f"by {version.writer} ({version.door})")
    told = f"{version.at:%Y-%m-%d %H:%M} UTC, {age(version.at, now)}"
    head = f"{click.style(str(version.number), fg='cyan')}{mark}  {action}  {by}  {told}"
    lines = [_difference(each) for each in version.changes]
    if version.number == 1:
        lines = [_fold(visible(version.memory.content))]
    if not version.intact:
        lines.append("does not fit the audit log; `mem audit verify` says more")
    return "\n".join([f"{head}  {short_id(version.operation)}", *(f"{INDENT}{line}" for line in lines)])


def _difference(difference: Difference) -> str:
    if difference.pieces:
        return f"{difference.field}: {_fold(''.join(map(_piece, difference.pieces)))}"
    old, new = _value(difference.old), _value(difference.new)
    if old == new:  # lines that were cited before and changed since
        return f"{difference.field}: {new}, as it is now"
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
    """A field as people write it."""
    if isinstance(value, tuple) and value and all(isinstance(each, Citation) for each in value):
        return ", ".join(map(source, value))
    shape = wire.plain(value)
    if shape in (None, [], {}):
        return "nothing"
    return one_line(shape if isinstance(shape, str) else wire.text(shape))


def operations_text(listed: Sequence[Operation], now: datetime) -> str:
    """One line for each: its id, what it did to how many memories, who and when."""
    short = short_ids(each.id for each in listed)
    return "\n".join(_operation(each, short[each.id], now) for each in listed)


def _operation(operation: Operation, short: str, now: datetime) -> str:
    actions = ", ".join(f"{name} {count}" for name, count in operation.actions)
    told = [age(operation.at, now), f"by {operation.writer} ({operation.door})"]
    told += [f"undoes {short_id(operation.undoes)}"] if operation.undoes else []
    told += ["undone"] if operation.undone else []
    return f"{click.style(short, fg='cyan')}  {visible(actions)}  {visible(' · '.join(told))}"


def undone_text(undone: Undone, now: datetime, width: int | None) -> str:
    """What was taken back and where, and the memories as they are now."""
    actions = ", ".join(f"{name} {count}" for name, count in undone.actions)
    where = ", ".join(project or "global" for project in undone.projects)
    told = visible(" · ".join(part for part in (actions, where) if part))
    head = f"{click.style(short_id(undone.operation), fg='cyan')}  undid {short_id(undone.undoes)}"
    lines = [f"{head}  {told}", *_first([with_short_ids(visible(note)) for note in undone.notes])]
    if undone.memories:
        lines.append(memories(undone.memories[:MOST_LISTED], now, width))
    if len(undone.memories) > MOST_LISTED:
        lines.append(f"… and {len(undone.memories) - MOST_LISTED:,} more memories")
    return "\n".join(lines)


def _first(lines: list[str]) -> list[str]:
    more = len(lines) - MOST_LISTED
    return lines if more <= 0 else [*lines[:MOST_LISTED], f"… and {more:,} more of this kind"]


def passed_over(undone: Undone) -> Iterator[str]:
    """Which later operations were left as they are, and why."""
    for why, told in _PASSED_OVER.items():
        ids = [each.operation for each in undone.passed_over if each.why == why]
        if ids:
            more = f" and {len(ids) - 3:,} more" if len(ids) > 3 else ""
            yield f"passed over {', '.join(map(short_id, ids[:3]))}{more}: {told}"


def entries_text(listed: Sequence[Logged], now: datetime) -> str:
    """One line for each: its number, what was done to which memory and how that begins, who and when."""
    return "\n".join(_entry(each, now) for each in listed)


def _entry(logged: Logged, now: datetime) -> str:
    change = logged.change
    action = f"undo of {short_id(change.undoes)}" if change.undoes else change.action
    ids = ", ".join(memory.id for memory in logged.memories)
    subject = with_short_ids(visible(logged.said or change.memory or ids or "-"))
    text = "".join(f"  {visible(wire.beginning(memory))}" for memory in logged.memories[:1])
    told = visible(
        f"{age(change.at, now)} · by {change.writer} ({change.door}) · {short_id(change.operation)}"
    )
    return f"{change.number}  {visible(action)}  {click.style(subject, fg='cyan')}{text.rstrip()}  ({told})"


def verdict_text(verdict: Verdict) -> str:
    """One line if all is well, else one for each flaw."""
    if verdict.intact:
        events = f", and the events of {count(verdict.sessions, 'session')}" if verdict.sessions else ""
        return f"intact: {verdict.entries:,} entries, head {verdict.head}{events}"
    return "\n".join(
        f"{click.style(flaw.kind.value, fg='red')}  {visible(flaw.says)}" for flaw in verdict.flaws
    )
