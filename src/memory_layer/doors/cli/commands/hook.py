"""`mem hook`, `mem pause` and `mem resume`."""

from __future__ import annotations

import click

from memory_layer.doors.cli.arguments import command
from memory_layer.doors.cli.call import CommandCall
from memory_layer.verbs.request import future


@command("hook", "mem hook claude-code session-start < event.json", "mem hook codex prompt < event.json")
@click.argument("agent")
@click.argument("event")
def hook(agent: str, event: str) -> None:
    """Answer an event of an agent; agents call this.

    Reads the event as JSON from standard input and prints the answer in the agent's own form, or nothing. It always
    exits with 0: what goes wrong is in the log that `mem doctor` reads.
    """
    from memory_layer.doors.hook.main import run

    run(agent, event)


@command("pause", "mem pause", "mem pause --for 2h")
@click.option(
    "--for", "until", metavar="SPAN", help="How long, such as 2h or 1d. Default: until `mem resume`."
)
@click.pass_obj
def pause(call: CommandCall, until: str | None) -> None:
    """Stop the hooks of your agents from looking, until you resume.

    Nothing that you or your agents do is looked at or stored then.
    Commands and tools that somebody calls work as before. `MEM_OFF=1` does the same for one terminal, and text between
    <private> and </private> in a prompt is never looked at.
    """
    from datetime import UTC, datetime

    from memory_layer.usecases.who import privacy

    end = None if until is None else future(until, datetime.now(UTC))
    privacy.pause(call.settings.state_folder, end)
    shape = {"paused": True, "until": end.isoformat() if end else None}
    call.reply(shape, f"Paused until {end:%Y-%m-%d %H:%M} UTC." if end else "Paused. Resume: `mem resume`")


@command("resume", "mem resume", "mem resume --json")
@click.pass_obj
def resume(call: CommandCall) -> None:
    """Let the hooks work again."""
    from memory_layer.usecases.who import privacy

    was = privacy.resume(call.settings.state_folder, call.writer_without_file())
    call.reply({"paused": False}, "The hooks work again." if was else "The hooks were not paused.")
