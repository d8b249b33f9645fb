"""What was, as text: versions with their differences, operations, entries of the log, a verdict on it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime

import click

from memory_layer.doors import wire
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

#: How a piece of text is marked, so that it can be read without colours.
_MARKS = {PieceKind.REMOVED: ("[-", "-]", "red"), PieceKind.ADDED: ("{+", "+}", "green")}
#: How much of an unchanged stretch is shown on either side of a change.
AROUND = 60
MOST_LISTED = 20  #: memories of one undo; --json has all of them

_PASSED_OVER = {
    "forgotten": "what was forgotten cannot be brought back",
    "elsewhere": "done in another project; `mem undo OP` takes it back",
}


def history(history: History, now: datetime) -> str:
    """Every version with what it changed, the first one with its text."""
    return "\n".join(_version(each, now) for each in history.versions)


def changed(
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


def operations(listed: Sequence[Operation], now: datetime) -> str:
    """One line for each: its id, what it did to how many memories, who and when."""
    short = short_ids(each.id for each in listed)
    return "\n".join(_operation(each, short[each.id], now) for each in listed)


def _operation(operation: Operation, short: str, now: datetime) -> str:
    actions = ", ".join(f"{name} {count}" for name, count in operation.actions)
    told = [age(operation.at, now), f"by {operation.writer} ({operation.door})"]
    told += [f"undoes {short_id(operation.undoes)}"] if operation.undoes else []
    told += ["undone"] if operation.undone else []
    return f"{click.style(short, fg='cyan')}  {visible(actions)}  {visible(' · '.join(told))}"


def undone(undone: Undone, now: datetime, width: int | None) -> str:
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


def entries(listed: Sequence[Logged], now: datetime) -> str:
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


def verdict(verdict: Verdict) -> str:
    """One line if all is well, else one for each flaw."""
    if verdict.intact:
        events = f", and the events of {count(verdict.sessions, 'session')}" if verdict.sessions else ""
        return f"intact: {verdict.entries:,} entries, head {verdict.head}{events}"
    return "\n".join(
        f"{click.style(flaw.kind.value, fg='red')}  {visible(flaw.says)}" for flaw in verdict.flaws
    )
