"""`mem import` and `mem export`."""

from __future__ import annotations

import os
import sys
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from memory_layer.doors.cli.arguments import (
    OneOf,
    categories_option,
    command,
    global_option,
    project_option,
    who_options,
)
from memory_layer.doors.cli.call import CommandCall, bars, in_percent
from memory_layer.doors.cli.commands.import_history import import_history, planned
from memory_layer.doors.cli.render import age, count, field, short_id
from memory_layer.errors import InvalidInput
from memory_layer.model.imports import ImportReport, Origin
from memory_layer.model.vocabulary import Status
from memory_layer.verbs.transfer import EXPORT, IMPORT, IMPORTABLE

if TYPE_CHECKING:
    from memory_layer.model.export import Exported

PLACES_SHOWN = 5  #: for each reason to skip something
REASONS_SHOWN = 12
AUTO = "auto"


def _origin(ctx: click.Context, param: click.Parameter, value: str) -> Origin | None:
    return None if value == AUTO else Origin(value)


@command(
    "import",
    "mem import backup.jsonl",
    "mem import CLAUDE.md --dry-run",
    "mem import ~/.claude-mem/claude-mem.db",
    "mem import",
)
@click.argument("paths", nargs=-1, metavar="[PATH...]", type=click.Path(path_type=Path))
@click.option("--found", is_flag=True, help="List what could be imported from this machine, as without PATH.")
@click.option(
    "--from",
    "origin",
    type=click.Choice([AUTO, *(origin.value for origin in Origin)]),
    default=AUTO,
    callback=_origin,
    help="The kind of file. Default: auto.",
)
@click.option("--dry-run", is_flag=True, help="Show what would be imported; change nothing.")
@click.option(
    "--allow-secret", is_flag=True, help="Import the secrets of an export unredacted; only a person can."
)
@click.option(
    "--without-history",
    is_flag=True,
    help="Import the memories of an export with a broken history; only a person can.",
)
@project_option()
@global_option("Import as global memories.")
@who_options
@click.pass_obj
def import_command(
    call: CommandCall,
    paths: tuple[Path, ...],
    found: bool,
    origin: Origin | None,
    dry_run: bool,
    allow_secret: bool,
    without_history: bool,
) -> None:
    """Import an export, rules files or the memory of another program.

    PATH is a file of `mem export`; a rules file (CLAUDE.md, AGENTS.md, GEMINI.md, .cursorrules, .cursor/rules,
    copilot-instructions.md, .windsurfrules, .clinerules or any Markdown) or a folder of them; the memory folder of
    Claude Code or Codex; a store or export of claude-mem, mem0, py-memori, runtime-memory or mcp-memory-service; the
    file of the MCP reference memory server; or the lessons of a learner. Its kind is detected. Without PATH, what was
    found on this machine is listed, and nothing is imported.

    An export is checked as a whole; in an empty store it is restored exactly, including the history. Each rule becomes
    a memory of the repository that contains the file. What another program wrote counts as an agent's word, whoever
    imports it. Known memories do not change, so you can repeat the command or continue after an interruption.
    `mem import history` reads the transcripts that your agents kept.
    """
    if found or not paths:
        if paths:
            raise click.UsageError("--found takes no PATH")
        list_importable(call)
        return
    from memory_layer.doors import wire

    values = {"paths": paths, "origin": origin, "dry_run": dry_run}
    values |= {"allow_secret": allow_secret, "without_history": without_history}
    with call.open(trial=dry_run) as memory, bars() as begin:
        percent = in_percent(begin("Importing", 100)) if begin else None
        report = memory.run(IMPORT, values, target=call.target, progress=percent, begin=begin)
    call.reply(wire.plain(report), "\n".join([summary(report), *planned(report)]))
    for line in remarks(report):
        call.say(line)


import_command.add_command(import_history)


def list_importable(call: CommandCall) -> None:
    """List what other programs remember on this machine, and how to import it."""
    from memory_layer.doors import wire

    with call.open(trial=True) as memory:
        sources = memory.run(IMPORTABLE, {}, target=call.target)
        now = memory.engine.now()
    lines = [
        f"{each.origin}  {field(each.path)}  ({count(each.files, 'file')}, changed {age(each.modified_at, now)})"
        for each in sources
    ]
    call.reply(wire.plain(sources), "\n".join(lines))
    if sources:
        call.say("Nothing was imported. `mem import PATH --dry-run` shows what a path would add.")
    else:
        call.say("Nothing to import was found in the usual places; `mem import PATH` takes any file.")


def summary(report: ImportReport) -> str:
    """Sum up an import."""
    verb = "would add" if report.dry_run else "added"
    lines = [
        f"{report.source}: read {report.read:,}, {verb} {report.added:,}, {report.exists:,} already known"
    ]
    parts = (
        (report.merged, "merged into a known one"),
        (report.similar, "close to a known one, linked and waiting for you (`mem review`)"),
        (report.conflicts, "in conflict with a known one, linked and waiting for you (`mem review`)"),
        (report.staged, "not active yet: need your approval (`mem review`)"),
        (len(report.skipped), "skipped"),
    )
    lines += [f"  {count:,} {words}" for count, words in parts if count]
    if report.redacted:
        lines.append(f"  redacted before storing: {', '.join(report.redacted)}")
    return "\n".join(lines)


def remarks(report: ImportReport) -> list[str]:
    """List what was skipped, notes, and how to undo the import."""
    lines = [*_skipped(report), *_notes(report)]
    if report.operation:
        lines.append(f"Undo: `mem undo {short_id(report.operation)}`")
    if report.dry_run:
        lines.append("Dry run: nothing changed. Run without --dry-run to apply.")
    return lines


def _skipped(report: ImportReport) -> list[str]:
    """List the reasons for skipping, each with the first places; --json has all of them."""
    places: defaultdict[str, list[str]] = defaultdict(list)
    for each in report.skipped:
        places[each.why].append(each.where)
    ordered = sorted(places.items(), key=lambda pair: -len(pair[1]))
    lines = [f"skipped {len(where):,}: {why} ({_first(where)})" for why, where in ordered[:REASONS_SHOWN]]
    rest = sum(len(where) for _, where in ordered[REASONS_SHOWN:])
    return [*lines, f"skipped {rest:,} for other reasons; --json lists all"] if rest else lines


def _notes(report: ImportReport) -> list[str]:
    """List the first notes; those about no single memory come first."""
    ordered = sorted(report.notes, key=lambda each: each.where.startswith("mem_"))
    lines = [
        f"note: {each.where}: {each.why}" if each.where.startswith("mem_") else f"note: {each.why}"
        for each in ordered
    ]
    rest = len(lines) - REASONS_SHOWN
    return [*lines[:REASONS_SHOWN], f"note: {rest:,} more; --json lists all"] if rest > 0 else lines


def _first(places: list[str]) -> str:
    shown = ", ".join(places[:PLACES_SHOWN])
    return shown if len(places) <= PLACES_SHOWN else f"{shown}, …"


class NewFile(click.Path):
    """A file to write, which cannot be a bare word.

    `mem backup list` is a typo for --list, and should not write a file called `list`.
    """

    def __init__(self, advice: str) -> None:
        super().__init__(path_type=Path)
        self._advice = advice  #: how to see what the command accepts

    def convert(
        self,
        value: str | os.PathLike[str],
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> str | bytes | os.PathLike[str]:
        if isinstance(value, str) and value != "-" and not {os.sep, os.altsep, "."} & set(value):
            raise InvalidInput(
                f"{value[:80]!r} looks like a subcommand, not a file; {self._advice}."
                f" To use a file of that name, write ./{value[:80]}"
            )
        return super().convert(value, param, ctx)


_file = NewFile("`mem export --help` shows the options")


@command(
    "export", "mem export backup.jsonl --vectors", "mem export --format markdown --project . > memories.md"
)
@click.argument("file", required=False, type=_file)
@click.option(
    "--format",
    "form",
    type=click.Choice(("jsonl", "markdown")),
    default="jsonl",
    help="The format. Default: jsonl.",
)
@click.option(
    "--training", is_flag=True, help="Export finished runs as training data; only --project filters them."
)
@click.option("--vectors", is_flag=True, help="Include the vectors, so that they need not be computed again.")
@click.option("--force", is_flag=True, help="Overwrite FILE.")
@project_option("Only this project, without global memories.")
@global_option("Only global memories.")
@categories_option
@click.option("--status", "statuses", type=OneOf(Status), multiple=True, help="Only this status; repeatable.")
@click.pass_obj
def export(
    call: CommandCall,
    /,
    file: Path | None,
    form: str,
    training: bool,
    vectors: bool,
    force: bool,
    **options: Any,
) -> None:
    """Write memories to a file or to standard output.

    The jsonl format holds everything, including archived memories, history, links, outcomes and recalls; `mem import`
    restores it. A filtered export has no history. The markdown format is for reading, and holds the active memories
    unless you use --status. The file is written atomically and only its owner can read it. An agent cannot export to
    standard output if a memory is waiting for review or reads like an instruction.
    """
    if training:
        _check_training(call, form, vectors, options)
        form = "training"
    path = None if file is None or str(file) == "-" else file
    if call.as_json and path is None:
        raise click.UsageError("--json needs a FILE to export to")
    values = options | {"path": path, "format": form, "vectors": vectors, "force": force}
    call.everything = not (call.project or call.only_global)
    with call.open() as memory, bars() as begin:
        done = memory.run(EXPORT, values, begin=begin, out=sys.stdout.buffer)
    if path is not None:
        _tell(call, path, done, training)
    _warn(call, done)


def _tell(call: CommandCall, path: Path, done: Exported, training: bool) -> None:
    from memory_layer.doors import wire

    everything = f"{count(done.memories, 'memory', 'memories')} in {count(done.lines, 'line')}"
    call.reply(wire.plain(done), f"{path}: {count(done.lines, 'run') if training else everything}")


def _check_training(call: CommandCall, form: str, vectors: bool, options: dict[str, Any]) -> None:
    if vectors or form != "jsonl" or call.only_global or any(options.values()):
        raise click.UsageError("--training can only be combined with --project")


def _warn(call: CommandCall, done: Exported) -> None:
    if done.flaws:
        more = f", and {len(done.flaws) - 1} more" if len(done.flaws) > 1 else ""
        call.say(
            "note: the history of this store is broken, so `mem import` accepts this file only with"
            f" --without-history: {done.flaws[0]}{more}; `mem audit verify` lists all"
        )
