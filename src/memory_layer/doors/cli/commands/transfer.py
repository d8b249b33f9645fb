"""`mem import`: bring in exports, rules files and the stores of other programs."""

from __future__ import annotations

import os
import sys
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict, Unpack

import click

from memory_layer.doors.cli.arguments import CategoryName, OneOf, command, project_option, who_options
from memory_layer.doors.cli.call import CommandCall, bars, in_percent
from memory_layer.errors import InvalidInput
from memory_layer.model.imports import ImportReport, Origin
from memory_layer.model.vocabulary import Category, Status
from memory_layer.verbs.call import Target
from memory_layer.verbs.transfer import EXPORT, IMPORT

if TYPE_CHECKING:
    from memory_layer.model.export import Exported


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
    call: CommandCall,
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


def told(report: ImportReport) -> str:
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


def remarks(report: ImportReport) -> list[str]:
    """What was skipped, what else there is to know, and what can be done now."""
    lines = [*_skipped(report), *_notes(report)]
    if report.operation:
        lines.append(f"`mem undo {report.operation}` takes it back")
    if report.dry_run:
        lines.append("nothing was changed; without --dry-run it is done")
    return lines


def _skipped(report: ImportReport) -> list[str]:
    """By reason, with the first places; --json has all of them."""
    places: defaultdict[str, list[str]] = defaultdict(list)
    for each in report.skipped:
        places[each.why].append(each.where)
    ordered = sorted(places.items(), key=lambda pair: -len(pair[1]))
    lines = [f"skipped {len(where):,}: {why} ({_first(where)})" for why, where in ordered[:REASONS_SHOWN]]
    rest = sum(len(where) for _, where in ordered[REASONS_SHOWN:])
    return [*lines, f"skipped {rest:,} for other reasons, which --json tells"] if rest else lines


def _notes(report: ImportReport) -> list[str]:
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


class NewFile(click.Path):
    """A file to write; a bare word is refused, because it may be meant as a word of the command line.

    `mem backup list` should list, and not leave a file called `list` behind.
    """

    def __init__(self, advice: str) -> None:
        super().__init__(path_type=Path)
        self._advice = advice  #: what shows the words that a command does know

    def convert(
        self,
        value: str | os.PathLike[str],
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> str | bytes | os.PathLike[str]:
        if isinstance(value, str) and value != "-" and not {os.sep, os.altsep, "."} & set(value):
            raise InvalidInput(
                f"{value[:80]!r} is taken for a word and not for a file; {self._advice},"
                f" and ./{value[:80]} names a file of that name"
            )
        return super().convert(value, param, ctx)


_file = NewFile("`mem export --help` shows the options")


class Choosing(TypedDict):
    """The options that make an export a part of a store."""

    project: str | None
    only_global: bool
    category: tuple[Category, ...]
    status: tuple[Status, ...]


@command(
    "export", "mem export backup.jsonl --vectors", "mem export --format markdown --project . > memories.md"
)
@click.argument("file", required=False, type=_file)
@click.option(
    "--format",
    "form",
    type=click.Choice(("jsonl", "markdown")),
    default="jsonl",
    help="For programs, or for people.",
)
@click.option(
    "--training", is_flag=True, help="The runs that have ended, to learn from; only --project narrows it."
)
@click.option("--vectors", is_flag=True, help="With the vectors, so that nothing has to be embedded again.")
@click.option("--force", is_flag=True, help="Replace FILE if it is there.")
@click.option("-p", "--project", metavar="PATH|NAME|KEY", help="Only this project's own memories.")
@click.option("--global", "only_global", is_flag=True, help="Only memories that apply everywhere.")
@click.option(
    "-c", "--category", "--type", "category", type=CategoryName(Category), multiple=True, help="Repeatable."
)
@click.option("--status", type=OneOf(Status), multiple=True, help="Repeatable.")
@click.pass_obj
def export(
    call: CommandCall,
    file: Path | None,
    form: str,
    training: bool,
    vectors: bool,
    force: bool,
    **given: Unpack[Choosing],
) -> None:
    """Write all memories to a file, or to standard output.

    The jsonl format holds everything: every status, history, links, outcomes and recalls; `mem import` restores it.
    With a filter it holds a part, without the history. The markdown format is for reading: the active memories,
    unless --status asks for others. The file appears when it is complete, readable by its owner only. Standard output
    is refused to an agent if part of it waits for a person or reads like an instruction.
    """
    if training:
        _check_training(form, vectors, given)
        form = "training"
    path = None if file is None or str(file) == "-" else file
    if call.as_json and path is None:
        raise click.UsageError("--json answers about a file; name one")
    values: dict[str, object] = {"path": path, "format": form, "vectors": vectors, "force": force}
    values |= {"categories": given["category"], "statuses": given["status"]}
    everything = not (given["project"] or given["only_global"])
    with call.open(Target(given["project"], given["only_global"], everything)) as memory, bars() as begin:
        done = memory.run(EXPORT, values, begin=begin, out=sys.stdout.buffer)
    if path is not None:
        _tell(call, path, done, training)
    _warn(call, done)


def _tell(call: CommandCall, path: Path, done: Exported, training: bool) -> None:
    from memory_layer.doors import wire
    from memory_layer.doors.cli.render import count

    told = f"{done.memories:,} memories in {done.lines:,} lines"
    call.reply(wire.plain(done), f"{path}: {count(done.lines, 'run') if training else told}")


def _check_training(form: str, vectors: bool, given: Choosing) -> None:
    if vectors or form != "jsonl" or given["only_global"] or given["category"] or given["status"]:
        raise click.UsageError("--training writes runs; only --project goes with it")


def _warn(call: CommandCall, done: Exported) -> None:
    if done.flaws:
        more = f", and {len(done.flaws) - 1} more" if len(done.flaws) > 1 else ""
        call.say(
            f"note: the store's history does not hold, so `mem import` takes this file only with --without-history:"
            f" {done.flaws[0]}{more}; `mem audit verify` lists all"
        )
