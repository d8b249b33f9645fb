"""`mem import`: bring in exports, rules files and the stores of other programs."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import click

from memory_layer.doors.cli.arguments import project_option, who_options
from memory_layer.doors.cli.call import Call, bars, in_percent
from memory_layer.doors.cli.command import command
from memory_layer.model.imports import Origin, Report
from memory_layer.verbs.scope import Target
from memory_layer.verbs.transfer import IMPORT

PLACES_SHOWN = 5  #: of what was skipped for one reason
REASONS_SHOWN = 12


AUTO = "auto"


def _origin(ctx: click.Context, param: click.Parameter, value: str) -> Origin | None:
    return None if value == AUTO else Origin(value)


@command(
    "import",
    "mem import backup.jsonl",
    "mem import CLAUDE.md --dry-run",
    "mem import ~/.runtime-memory/memories.db --global",
)
@click.argument("paths", nargs=-1, required=True, metavar="PATH...", type=click.Path(path_type=Path))
@click.option(
    "--from",
    "origin",
    type=click.Choice([AUTO, *(origin.value for origin in Origin)]),
    default=AUTO,
    callback=_origin,
    help="What the paths are; found out by looking unless said.",
)
@click.option("--dry-run", is_flag=True, help="Say what would happen, and change nothing.")
@click.option(
    "--allow-secret", is_flag=True, help="Store an export's secrets as they are; only a person may."
)
@click.option(
    "--without-history",
    is_flag=True,
    help="Add the memories of an export whose history does not hold; only a person may.",
)
@project_option
@click.option("--global", "only_global", is_flag=True, help="Everything applies everywhere.")
@who_options
@click.pass_obj
def import_command(
    call: Call,
    paths: tuple[Path, ...],
    origin: Origin | None,
    dry_run: bool,
    allow_secret: bool,
    without_history: bool,
    project: str | None,
    only_global: bool,
    as_name: str | None,
    session: str | None,
) -> None:
    """Bring in exports, rules files and the stores of other programs.

    PATH is a file of `mem export`, a rules file (CLAUDE.md, AGENTS.md, .cursorrules, .cursor/rules,
    copilot-instructions.md, GEMINI.md, .windsurfrules or any Markdown), a folder that holds some, or the store
    of py-memori, runtime-memory or mcp-memory-service. An export is checked as a whole and restored into an
    empty store exactly as it was, history included. Each rule becomes one memory of the repository that the
    file lies in. What is known already stays as it is, so the same command can be repeated or, after an
    interruption, taken up again. What an agent brings is no more trusted than what it writes.
    """
    from memory_layer.doors import wire

    values = {"paths": paths, "origin": origin, "dry_run": dry_run}
    values |= {"allow_secret": allow_secret, "without_history": without_history}
    target = Target(project, only_global)
    with call.open(None, as_name, session, trial=dry_run) as memory, bars() as begin:
        percent = in_percent(begin("Importing", 100)) if begin else None
        report = memory.run(IMPORT, values, target=target, progress=percent, begin=begin)
    call.reply(wire.plain(report), told(report))
    for line in remarks(report):
        call.say(line)


def told(report: Report) -> str:
    """The totals of an import."""
    verb = "would add" if report.dry_run else "added"
    lines = [
        f"{report.source}: read {report.read:,}, {verb} {report.added:,}, {report.exists:,} known already"
    ]
    parts = (
        (report.merged, "merged into a known one"),
        (report.similar, "close to a known one, linked and put into review"),
        (report.conflicts, "in conflict with a known one, linked"),
        (report.staged, "held back until a person approves"),
        (len(report.skipped), "skipped"),
    )
    lines += [f"  {count:,} {words}" for count, words in parts if count]
    if report.redacted:
        lines.append(f"  redacted before storing: {', '.join(report.redacted)}")
    return "\n".join(lines)


def remarks(report: Report) -> list[str]:
    """What was skipped, what else there is to know, and what can be done now."""
    lines = [*_skipped(report), *_notes(report)]
    if report.operation:
        lines.append(f"`mem undo {report.operation}` takes it back")
    if report.dry_run:
        lines.append("nothing was changed; without --dry-run it is done")
    return lines


def _skipped(report: Report) -> list[str]:
    """By reason, with the first places; --json has all of them."""
    places: defaultdict[str, list[str]] = defaultdict(list)
    for each in report.skipped:
        places[each.why].append(each.where)
    ordered = sorted(places.items(), key=lambda pair: -len(pair[1]))
    lines = [f"skipped {len(where):,}: {why} ({_first(where)})" for why, where in ordered[:REASONS_SHOWN]]
    rest = sum(len(where) for _, where in ordered[REASONS_SHOWN:])
    return [*lines, f"skipped {rest:,} for other reasons, which --json tells"] if rest else lines


def _notes(report: Report) -> list[str]:
    """What is about no single memory first; of the rest as many as of the reasons above."""
    ordered = sorted(report.notes, key=lambda each: each.where.startswith("mem_"))
    lines = [
        f"note: {each.where}: {each.why}" if each.where.startswith("mem_") else f"note: {each.why}"
        for each in ordered
    ]
    rest = len(lines) - REASONS_SHOWN
    return [*lines[:REASONS_SHOWN], f"note: {rest:,} more, which --json tells"] if rest > 0 else lines


def _first(places: list[str]) -> str:
    shown = ", ".join(places[:PLACES_SHOWN])
    return shown if len(places) <= PLACES_SHOWN else f"{shown}, …"
