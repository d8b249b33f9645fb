"""`mem export`: write memories to a file."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict, Unpack

import click

from memory_layer.doors.cli.arguments import CategoryName, OneOf
from memory_layer.doors.cli.call import Call, bars
from memory_layer.doors.cli.command import command
from memory_layer.doors.cli.commands.new_file import NewFile
from memory_layer.model.vocabulary import Category, Status
from memory_layer.verbs.scope import Target
from memory_layer.verbs.transfer import EXPORT

if TYPE_CHECKING:
    from memory_layer.model.export import Exported

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
    call: Call,
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


def _tell(call: Call, path: Path, done: Exported, training: bool) -> None:
    from memory_layer.doors import wire
    from memory_layer.doors.cli.render import count

    told = f"{done.memories:,} memories in {done.lines:,} lines"
    call.reply(wire.plain(done), f"{path}: {count(done.lines, 'run') if training else told}")


def _check_training(form: str, vectors: bool, given: Choosing) -> None:
    if vectors or form != "jsonl" or given["only_global"] or given["category"] or given["status"]:
        raise click.UsageError("--training writes runs; only --project goes with it")


def _warn(call: Call, done: Exported) -> None:
    if done.flaws:
        more = f", and {len(done.flaws) - 1} more" if len(done.flaws) > 1 else ""
        call.say(
            f"note: the store's history does not hold, so `mem import` takes this file only with --without-history:"
            f" {done.flaws[0]}{more}; `mem audit verify` lists all"
        )
