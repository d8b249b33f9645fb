"""`mem replay`: what the memory would have done in past sessions."""

from __future__ import annotations

from itertools import groupby
from pathlib import Path
from typing import Any

import click

from memory_layer.doors.cli.arguments import command
from memory_layer.doors.cli.call import CommandCall, bars, in_percent
from memory_layer.doors.cli.commands.import_history import transcript_options
from memory_layer.doors.cli.render import count
from memory_layer.model.replay import Replay, ReplayCounts
from memory_layer.verbs.learn import REPLAY

MOST_MONTHS = 24  #: shown, the last ones
#: The columns of the table, with the counts they show.
_COLUMNS = (
    ("sessions", ""),
    ("commands", "commands"),
    ("failed", "failures"),
    ("repeated", "repeats"),
    ("fix known", "fix_known"),
    ("warned", "warned"),
    ("told", "told"),
    ("false", "false_alarms"),
    ("tokens", "tokens"),
)


@command(
    "replay", "mem replay", "mem replay --since 90d --plot replay.svg", "mem replay ~/.codex/sessions --json"
)
@transcript_options
@click.option(
    "--plot",
    metavar="FILE",
    type=click.Path(path_type=Path, dir_okay=False, writable=True),
    help="Also draw the sums over time into an SVG file.",
)
@click.pass_obj
def replay(call: CommandCall, /, plot: Path | None, **options: Any) -> None:
    """Show what the memory would have done in your past sessions.

    Replays the transcripts that Claude Code, Codex and Gemini kept, or those in PATH, in their order on a temporary
    store: each session is judged by what earlier ones had taught when it began, as if you had approved all of it.
    Counts the errors that came back although their fix was known, how many of them an agent would have been warned of
    before the command or told right after the error, warnings on commands that then passed, and the tokens given.
    Nothing is stored.
    """
    from memory_layer.doors import wire

    with call.open(trial=True) as memory, bars() as begin:
        percent = in_percent(begin("Replaying", 100)) if begin else None
        found = memory.run(REPLAY, options, progress=percent)
    if plot is not None:
        from memory_layer.doors.cli.replay_plot import drawn

        plot.write_text(drawn(found), encoding="utf-8")
    call.reply(wire.plain(found), report_text(found))
    if plot is not None:
        call.say(f"drawn: {plot}")


def report_text(found: Replay) -> str:
    """Show a replay: a table by month, and what it means."""
    if not found.sessions:
        return f"no sessions in {count(found.files, 'transcript')}"
    months = groupby(found.sessions, key=lambda session: f"{session.begun:%Y-%m}")
    rows = [(month, [session.counts for session in some]) for month, some in months]
    lines = [_row("", [name for name, _ in _COLUMNS])]
    lines += [_row(month, _cells(some)) for month, some in rows[-MOST_MONTHS:]]
    lines.append(_row("all", _cells([session.counts for session in found.sessions])))
    return "\n".join([*lines, "", *_meaning(found)])


def _cells(counts: list[ReplayCounts]) -> list[str]:
    names = [name for _, name in _COLUMNS[1:]]
    return [f"{len(counts):,}", *(f"{sum(getattr(each, name) for each in counts):,}" for name in names)]


def _row(head: str, cells: list[str]) -> str:
    widths = [max(len(name), 7) for name, _ in _COLUMNS]
    return f"{head:<8}" + "".join(f"{cell:>{width + 2}}" for cell, width in zip(cells, widths, strict=True))


def _meaning(found: Replay) -> list[str]:
    total = found.total
    lines = [
        f"{count(total.repeats, 'error')} came back in a later session; for {total.fix_known:,} the fix was known.",
        f"Of these, agents would have been warned of {total.warned:,} before the command"
        f" and told about {total.told:,} right after the error.",
        f"{count(total.alarms, 'command')} would have had a warning; {total.false_alarms:,} of them passed.",
        f"You typed {count(total.retyped, 'rule')} again that you had typed in an earlier session.",
        f"In {total.held:,} of {total.fix_known + total.retyped:,} cases the session had already been given"
        " what it needed.",
        f"{total.tokens:,} tokens would have been given, {total.tokens // len(found.sessions):,} per session;"
        f" {count(total.learned, 'memory', 'memories')} learned.",
    ]
    if found.damaged:
        lines.append(f"{count(found.damaged, 'line')} could not be read.")
    if found.ignored:
        lines.append(f"{count(found.ignored, 'session')} skipped in folders that hooks ignore.")
    return lines
