"""`mem capture`: keep what is said in passing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from memory_layer.doors.cli.arguments import command, project_option, who_options
from memory_layer.doors.cli.call import CommandCall
from memory_layer.doors.cli.commands import add as typed
from memory_layer.verbs.call import Target
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
@click.option("--dry-run", is_flag=True, help="Show what would be kept, and change nothing.")
@click.option(
    "--transcript", is_flag=True, help="Read JSON lines of a conversation, even where they do not look so."
)
@project_option
@click.option("--global", "only_global", is_flag=True, help="What is kept applies everywhere.")
@who_options
@click.pass_obj
def capture(
    call: CommandCall,
    file: str | None,
    dry_run: bool,
    transcript: bool,
    project: str | None,
    only_global: bool,
    as_name: str | None,
    session: str | None,
) -> None:
    """Keep what you say in passing.

    Preferences, corrections, rules and decisions become memories. Reads one message, or the transcript of a
    conversation: JSON lines of Claude Code or of {"role", "content"}, or text with "User:" and "Assistant:" before what
    each says. Only what a person typed counts, by rules that know English: "I prefer", "always", "never"; "actually, it
    is"; "must", "don't ever"; "we decided", "let's go with"; "remember that". Questions, quotations, code, logs and
    orders for the work at hand are left out. Rules wait in `mem review`. What is known is confirmed instead, and the
    same transcript read twice changes nothing.
    """
    from memory_layer.doors import wire

    if file is None and call.at_terminal:
        raise click.UsageError("name a file, or pipe a message in")
    values: dict[str, object] = {"transcript": transcript or None, "dry_run": dry_run}
    if file is None or file == "-":
        values["text"] = typed.standard_input(call, LARGEST_INPUT)
    else:
        values["file"] = file
    with call.open(Target(project, only_global), as_name, session, trial=dry_run) as memory:
        done = memory.run(CAPTURE, values)
    call.reply(wire.captured(done), told(done))
    for line in remarks(done):
        call.say(line)


def told(done: Captured) -> str:
    """What was kept and confirmed, one line each."""
    from memory_layer.doors.cli import render

    shown = (*done.kept, *done.would_keep, *done.reinforced)
    return "\n".join(_line(each, render.visible(each.content)) for each in shown) or "nothing to keep"


def _line(each: CapturedStatement, content: str) -> str:
    from memory_layer.doors.cli import render

    name = render.short_id(each.id) if each.id else "-"
    return f"{name}  {each.status}  [{each.category.value}, {each.priority.value}]  {content}"


def remarks(done: Captured) -> list[str]:
    """What is worth knowing beside it."""
    from memory_layer.doors.cli import render

    found = sorted({kind for each in (*done.kept, *done.would_keep) for kind in each.redacted})
    waiting = sum(each.status in ("staged", "would stage") for each in (*done.kept, *done.would_keep))
    lines = [
        (bool(found), f"redacted before storing: {', '.join(found)}"),
        (bool(waiting), f"{waiting} held back until a person approves; `mem review` shows why"),
        (bool(done.skipped), f"{done.skipped} known from before and left as they are"),
        (bool(done.damaged), f"{done.damaged} lines could not be read"),
        (done.notice is not None, f"note: {done.notice}"),
        (done.operation is not None, f"`mem undo {render.short_id(done.operation or '')}` takes it back"),
        (done.dry_run, "nothing was changed; without --dry-run it is done"),
    ]
    return [line for holds, line in lines if holds]
