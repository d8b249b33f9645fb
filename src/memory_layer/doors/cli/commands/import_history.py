"""`mem import history`: suggest memories from the transcripts of agents."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from memory_layer.doors.cli.arguments import OneOf, command, in_order, project_option, who_options
from memory_layer.doors.cli.call import CommandCall, bars, in_percent
from memory_layer.doors.cli.render import count, short_id
from memory_layer.model.imports import HistoryReport, ImportReport
from memory_layer.model.transcripts import TranscriptAgent
from memory_layer.model.vocabulary import Status
from memory_layer.verbs.transfer import IMPORT_HISTORY

PLANNED_SHOWN = 200

transcript_options = in_order(
    click.argument("paths", nargs=-1, metavar="[PATH]...", type=click.Path(path_type=Path)),
    click.option(
        "--agent",
        "agents",
        type=OneOf(TranscriptAgent),
        multiple=True,
        help="Only transcripts of this agent; repeatable.",
    ),
    click.option(
        "--since", metavar="AGE|DATE", help="Only sessions since 7d, 2w or 12h ago, or since a date."
    ),
)


@command(
    "history",
    "mem import history --dry-run",
    "mem import history --agent codex --since 30d",
    "mem import history ~/old-laptop/.claude/projects",
)
@transcript_options
@click.option("--dry-run", is_flag=True, help="Show what would be suggested; change nothing.")
@project_option("Only sessions of this project. Default: all projects.")
@who_options
@click.pass_obj
def import_history(call: CommandCall, /, dry_run: bool, **options: Any) -> None:
    """Suggest memories from the transcripts that your agents kept.

    Reads what Claude Code, Codex and Gemini keep of your sessions in your home directory, or the transcripts in PATH.
    Suggests one event per session (what was asked, how it ended, which files changed), lessons from commands that
    failed and then passed, and rules, preferences and decisions that you typed. Everything waits for you in
    `mem review`; nothing counts before you approve it. Each suggestion belongs to the project of the session's folder
    and cites the line of the transcript. A transcript is read once, so you can repeat the command or continue after an
    interruption. Sessions whose folder no longer exists are skipped, and so are those still under way.
    """
    from memory_layer.doors import wire

    with call.open(trial=dry_run) as memory, bars() as begin:
        percent = in_percent(begin("Reading", 100)) if begin else None
        values = options | {"dry_run": dry_run}
        report = memory.run(IMPORT_HISTORY, values, target=call.target, progress=percent, begin=begin)
    call.reply(wire.plain(report), "\n".join([history_summary(report), *planned(report)]))
    for line in history_remarks(report):
        call.say(line)


def history_summary(report: HistoryReport) -> str:
    """Sum up what past sessions left."""
    verb = "would suggest" if report.dry_run else "suggested"
    lines = [
        f"history: found {count(report.files, 'transcript')}, read {report.sessions:,},"
        f" {verb} {report.added:,}, {report.known:,} already known"
    ]
    parts = (
        (report.episodes, "session", "told by what was asked and how it ended"),
        (report.lessons, "lesson", "from errors that were overcome"),
        (report.statements, "statement", "of rules, preferences and decisions that you typed"),
        (report.unchanged, "transcript", "read before"),
        (report.under_way, "session", "still under way, for a later run"),
        (report.empty, "session", "without anything a person typed"),
        (report.gone, "session", "skipped: the folder no longer exists"),
        (report.elsewhere, "session", "skipped: in another project"),
        (report.ignored, "session", "skipped: in folders that hooks ignore"),
        (report.damaged, "line", "that cannot be read"),
        (report.left_out, "step", "of very long sessions left out"),
    )
    lines += [f"  {count(number, noun)} {words}" for number, noun, words in parts if number]
    if report.redacted:
        lines.append(f"  redacted before storing: {', '.join(report.redacted)}")
    return "\n".join(lines)


def history_remarks(report: HistoryReport) -> list[str]:
    """Say what to do next."""
    if report.dry_run:
        return ["Dry run: nothing changed. Run without --dry-run to apply."]
    if not report.operation:
        return []
    return [
        "Nothing is active yet: decide with `mem review`.",
        f"Undo: `mem undo {short_id(report.operation)}`",
    ]


def planned(report: ImportReport | HistoryReport) -> list[str]:
    """List the first memories that a dry run would add."""
    lines = [
        f"{each.where}  [{each.category}] {' '.join(each.content.split())}"
        + (" (would wait for your approval)" if each.status is Status.STAGED else "")
        for each in report.planned[:PLANNED_SHOWN]
    ]
    rest = len(report.planned) - PLANNED_SHOWN
    return [*lines, f"and {rest:,} more; --json lists all"] if rest > 0 else lines
