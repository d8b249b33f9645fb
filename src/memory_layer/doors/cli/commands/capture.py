"""`mem capture`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from memory_layer.doors.cli.arguments import command, global_option, project_option, who_options
from memory_layer.doors.cli.call import CommandCall
from memory_layer.doors.cli.commands import add as typed
from memory_layer.doors.cli.render import count, entry, short_id
from memory_layer.verbs.remember import CAPTURE

if TYPE_CHECKING:
    from memory_layer.model.capture import Captured, CapturedStatement

LARGEST_INPUT = 64 * 1024 * 1024  #: bytes


@command(
    "capture",
    "mem capture message.txt --dry-run",
    "mem capture ~/.claude/projects/my-app/session.jsonl",
)
@click.argument("file", required=False, metavar="[FILE|-]")
@click.option("--dry-run", is_flag=True, help="Show what would be stored; change nothing.")
@click.option(
    "--transcript", is_flag=True, help="Read the input as a JSON lines transcript. Default: detect it."
)
@project_option()
@global_option("Store as global memories.")
@who_options
@click.pass_obj
def capture(call: CommandCall, file: str | None, dry_run: bool, transcript: bool) -> None:
    """Extract preferences and decisions from a chat or transcript.

    Also extracts corrections, rules and requests. Reads a message or a transcript: JSON lines of Claude Code or of
    {"role", "content"}, or text with "User:" and "Assistant:" labels. Only text typed by a person counts. The patterns
    are English, such as "I prefer", "stop adding", "use X, not Y", "we don't", "always", "never", "must", "we decided"
    and "remember that". Questions, quotations, code, logs, pasted documents and instructions for the current task are
    ignored. Rules wait in `mem review`. Known memories are confirmed instead, and reading a transcript twice changes
    nothing. If more seems to last, a reminder asks to store it in your own words.
    """
    from memory_layer.doors import wire

    if file is None and call.at_terminal:
        raise click.UsageError("name a file, or pipe a message in")
    values: dict[str, object] = {"transcript": transcript or None, "dry_run": dry_run}
    if file is None or file == "-":
        values["text"] = typed.standard_input(call, LARGEST_INPUT)
    else:
        values["file"] = file
    with call.open(trial=dry_run) as memory:
        done = memory.run(CAPTURE, values)
    call.reply(wire.captured(done), captured_text(done, call.width))
    for line in remarks(done):
        call.say(line)


def captured_text(done: Captured, width: int | None) -> str:
    """List the statements that were stored or confirmed."""
    statements = (*done.kept, *done.would_keep, *done.reinforced)
    return "\n".join(_statement(each, width) for each in statements) or "nothing to store"


def _statement(each: CapturedStatement, width: int | None) -> str:
    head = [short_id(each.id) if each.id else "-", each.status]
    return entry([*head, f"[{each.category.value}, {each.priority.value}]"], each.content, [], width)


def remarks(done: Captured) -> list[str]:
    """List remarks about the captured statements."""
    found = sorted({kind for each in (*done.kept, *done.would_keep) for kind in each.redacted})
    waiting = sum(each.status in ("staged", "would stage") for each in (*done.kept, *done.would_keep))
    lines = [
        (bool(found), f"redacted before storing: {', '.join(found)}"),
        (bool(waiting), f"{waiting} not active yet: need your approval (`mem review`)"),
        (bool(done.skipped), f"{done.skipped} already known, not changed"),
        (bool(done.damaged), f"{count(done.damaged, 'line')} could not be read"),
        (done.notice is not None, f"note: {done.notice}"),
        (done.reminder is not None, f"reminder: {done.reminder}"),
        (done.operation is not None, f"Undo: `mem undo {short_id(done.operation or '')}`"),
        (done.dry_run, "Dry run: nothing changed. Run without --dry-run to apply."),
    ]
    return [line for holds, line in lines if holds]
