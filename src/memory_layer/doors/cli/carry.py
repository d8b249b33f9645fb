"""`mem export` and `mem import`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict, Unpack

import click

from memory_layer.doors.cli.arguments import CategoryName, OneOf, who_options
from memory_layer.doors.cli.call import Call, progress
from memory_layer.doors.cli.command import command
from memory_layer.doors.scope import Asked, reading
from memory_layer.model.vocabulary import Category, Status

if TYPE_CHECKING:
    from memory_layer.model.intake import Report
    from memory_layer.model.query import Filters
    from memory_layer.ports import Engine

MOST_SAID = 20  #: sentences about an import on a terminal; --json has all of them
_file = click.Path(path_type=Path)


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
    call: Call, file: Path | None, form: str, vectors: bool, force: bool, **given: Unpack[Choosing]
) -> None:
    """Write all memories to a file, or to standard output.

    The jsonl format holds everything: every status, history, links, outcomes and recalls; `mem import` restores it.
    With a filter it holds a part, without the history. The markdown format is for reading: the active memories,
    unless --status asks for others. The file appears when it is complete, readable by its owner only.
    """
    from memory_layer.usecases import export as usecase

    if vectors and form == "markdown":
        raise click.UsageError("--vectors belongs to the jsonl format")
    to_file = file is not None and str(file) != "-"
    if call.as_json and not to_file:
        raise click.UsageError("--json answers about a file; name one")
    with call.engine() as engine:
        chosen = _chosen(call, engine, form, given)
        if file is None or not to_file:
            usecase.export(engine, sys.stdout.buffer, format=form, chosen=chosen, vectors=vectors)
            return
        with progress(usecase.size_of(engine, form, chosen, vectors), "Exporting") as advance:
            done = usecase.export_to_file(
                engine, file, format=form, chosen=chosen, vectors=vectors, force=force, progress=advance
            )
    from memory_layer.doors import wire

    call.reply(wire.plain(done), f"{file}: {done.memories:,} memories in {done.lines:,} lines")


def _chosen(call: Call, engine: Engine, form: str, given: Choosing) -> Filters | None:
    """The filters, or None when everything is meant."""
    from memory_layer.model.query import Filters

    if not any(given.values()):
        return None
    everything = not (given["project"] or given["only_global"])
    where = reading(engine, Asked(given["project"], given["only_global"], everything), call.here)
    statuses = (Status.ACTIVE,) if form == "markdown" else tuple(Status)
    return Filters(
        reach=where.reach,
        project=where.project_id,
        categories=given["category"],
        statuses=given["status"] or statuses,
    )


@command("import", "mem import backup.jsonl", "mem import backup.jsonl --dry-run --json")
@click.argument("path", type=_file)
@click.option(
    "--from", "form", type=click.Choice(("memory-layer",)), help="The format; found out if not named."
)
@click.option("--dry-run", is_flag=True, help="Only say what would be done.")
@click.option("--allow-secret", is_flag=True, help="Store secrets as they are; only a person may.")
@who_options
@click.pass_obj
def import_command(
    call: Call,
    path: Path,
    form: str | None,
    dry_run: bool,
    allow_secret: bool,
    as_name: str | None,
    session: str | None,
) -> None:
    """Bring memories in from a file.

    An export goes into an empty store exactly as it was, history included. Into a store that holds something the
    memories that are missing are added, as one operation; nothing that is there is overwritten. The whole file is
    checked before anything is written. What an agent brings is no more trusted than what it writes.
    """
    from memory_layer.usecases.carry_in import carry_in, steps

    with call.engine() as engine:
        writer = call.writer(engine, reading(engine, Asked(), call.here), as_name, session)
        with progress(steps(path), "Importing") as advance:
            report = carry_in(
                engine, path, writer, dry_run=dry_run, allow_secret=allow_secret, progress=advance
            )
        told(call, report)
        if report.added and not dry_run:
            embed_what_came(call, engine)


def told(call: Call, report: Report) -> None:
    """The report: its numbers as the answer, the sentences beside it."""
    from memory_layer.doors import wire

    numbers = {
        name: getattr(report, name)
        for name in ("added", "exists", "merged", "similar", "conflicts", "staged")
    }
    said = ", ".join(
        f"{name} {count:,}" for name, count in numbers.items() if count or name in ("added", "exists")
    )
    call.reply(wire.plain(report), f"read {report.read:,}, {said}")
    for each in report.skipped[:MOST_SAID]:
        call.say(f"{each.where}: {each.why}")
    if len(report.skipped) > MOST_SAID:
        call.say(f"and {len(report.skipped) - MOST_SAID:,} more; --json lists all")
    if report.redacted:
        call.say(f"redacted before storing: {', '.join(report.redacted)}")
    if report.operation:
        call.say(f"`mem undo {report.operation}` takes it back")
    if report.dry_run:
        call.say("nothing was changed; without --dry-run it is done")


def embed_what_came(call: Call, engine: Engine) -> None:
    """Give new memories their vectors where a model is there; until then they are found by words."""
    from memory_layer.usecases.embed import embed_missing, missing

    if engine.has_model() and (count := missing(engine)):
        with progress(count, "Embedding") as advance:
            embed_missing(engine, advance)
