"""`mem run`: start, finish, show and list."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

import click

from memory_layer.doors.cli.arguments import (
    MemoryId,
    budget_option,
    command,
    family,
    global_option,
    in_order,
    limit_option,
    order_option,
    project_option,
    who_options,
)
from memory_layer.doors.cli.call import CommandCall
from memory_layer.doors.cli.render import age, count, entry, field, notes, short_id, short_ids
from memory_layer.model.context import MOST_GIVEN, ContextOrder
from memory_layer.model.query import Given
from memory_layer.model.runs import Finished, Run, RunResult
from memory_layer.model.vocabulary import Status
from memory_layer.verbs.learn import FINISH_RUN, RUN, RUNS, START_RUN

choice_options = in_order(
    click.option(
        "--scope",
        "write_scope",
        metavar="PATTERN",
        multiple=True,
        help="Paths the task may change; repeatable.",
    ),
    click.option(
        "--include",
        type=MemoryId(),
        multiple=True,
        help="Always include this memory; repeatable or comma-separated.",
    ),
    click.option(
        "--exclude",
        type=MemoryId(),
        multiple=True,
        help="Never include this memory; repeatable or comma-separated.",
    ),
    click.option(
        "-n",
        "--limit",
        type=click.IntRange(1, 1000),
        metavar="N",
        help=f"At most this many memories. Default: run.limit, or else as many as fit;"
        f" with --order s1, {MOST_GIVEN}.",
    ),
    budget_option(" for the memories"),
    order_option,
)
_result_options = in_order(
    click.option("--worked", is_flag=True, help="The run worked."),
    click.option("--failed", is_flag=True, help="The run failed."),
    click.option("--success", is_flag=True, hidden=True),
    click.option("--failure", is_flag=True, hidden=True),
)
_COLOURS = {RunResult.WORKED: "green", RunResult.FAILED: "red"}


@family("run", 'mem run start "make uploads faster" --scope "src/core/**"', "mem run list --limit 5")
def run() -> None:
    """Give memories to a task, and learn from its result."""


@command(
    "start",
    'mem run start "make uploads faster" --scope "src/core/**"',
    'mem run start "write the release notes" --exclude mem_abc123 --json',
    of=run,
)
@click.argument("task", nargs=-1, required=True, metavar="TASK...")
@choice_options
@project_option()
@global_option("Only global memories.")
@who_options
@click.pass_obj
def start(
    call: CommandCall,
    task: tuple[str, ...],
    write_scope: tuple[str, ...],
    include: tuple[str, ...],
    exclude: tuple[str, ...],
    limit: int | None,
    budget: int,
    order: ContextOrder,
) -> None:
    """Start a run and print the memories for it.

    Selects memories as `mem context` does: rules, what the task and the files of --scope need, then the best of every
    other kind. With --order s1, memories whose scope or tags match --scope come first, then those with the highest
    confidence × relevance, then by id. The same store always gives the same list. It is recorded as a recall. Report
    the result with `mem run finish`.
    """
    from memory_layer.doors import wire

    values = {"task": " ".join(task), "write_scope": write_scope, "limit": limit, "budget": budget}
    values |= {"order": order, "include": each_id(include), "exclude": each_id(exclude)}
    with call.open() as memory:
        begun = memory.run(START_RUN, values)
        call.reply(wire.run(begun), one(begun, memory.engine.now(), call.width))
    if not begun.hits:
        call.say("no memories selected; add what you learn with `mem run finish --note`")


def each_id(values: tuple[str, ...]) -> tuple[str, ...]:
    """Split ids that were repeated or separated by commas."""
    return tuple(each for value in values for each in value.split(",") if each.strip())


@command(
    "finish",
    "mem run finish run_abc123 --worked --used mem_abc123,mem_def456",
    'mem run finish run_abc123 --failed --note "the cache must be empty first"',
    of=run,
)
@click.argument("run_id", metavar="ID")
@_result_options
@click.option(
    "--used",
    type=MemoryId(),
    multiple=True,
    help="A memory that the run used; repeatable or comma-separated.",
)
@click.option(
    "--note", metavar="TEXT", multiple=True, help="Store something learned as a memory; repeatable."
)
@who_options
@click.pass_obj
def finish(
    call: CommandCall, /, run_id: str, used: tuple[str, ...], note: tuple[str, ...], **results: bool
) -> None:
    """Report the result of a run.

    Memories that it used gain 0.1 confidence if it worked and lose 0.1 if it failed; below 0.2 a memory is archived and
    can be restored. Without --used, only memories reported with `mem outcome --recall` for this run count. Each note
    becomes a memory with confidence 0.5. `mem undo` undoes all of it.
    """
    from memory_layer.doors import wire

    named = {RunResult(word) for word, is_set in results.items() if is_set}
    if len(named) != 1:
        raise click.UsageError("add --worked or --failed")
    (result,) = named
    with call.open() as memory:
        end = {"run_id": run_id, "result": result, "used": each_id(used), "notes": note}
        done = memory.run(FINISH_RUN, end)
    call.reply(wire.finished(done), finished(done))
    for line in remarks(done):
        call.say(line)


@command("show", "mem run show run_abc123", "mem run show run_abc123 --json", of=run)
@click.argument("run_id", metavar="ID")
@click.pass_obj
def show(call: CommandCall, run_id: str) -> None:
    """Show a run: its task, its memories and its result.

    Never counts as use.
    """
    from memory_layer.doors import wire

    with call.open() as memory:
        found = memory.run(RUN, {"run_id": run_id})
        call.reply(wire.run(found), one(found, memory.engine.now(), call.width))


@command("list", "mem run list", "mem run list --limit 5 --json", of=run)
@limit_option(20)
@project_option()
@click.pass_obj
def list_runs(call: CommandCall, limit: int) -> None:
    """List the last runs, newest first.

    Lists the runs of all projects, or of --project.
    """
    from memory_layer.doors import wire

    with call.open() as memory:
        listed = memory.run(RUNS, {"limit": limit})
        shape = wire.listed(wire.runs(listed), counted=False)
        call.reply(shape, several(listed, memory.engine.now(), call.width))
    if not listed:
        call.say("no runs yet; start one with `mem run start`")


def several(listed: Sequence[Run], now: datetime, width: int | None) -> str:
    """List runs, each with its id, result and task."""
    short = short_ids(each.id for each in listed)
    return "\n".join(_head(each, short[each.id], now, width) for each in listed)


def one(run: Run, now: datetime, width: int | None) -> str:
    """Show a run and its memories, in their order."""
    short = short_ids(hit.memory.id for hit in run.hits)
    used = run.ending.used if run.ending else ()
    hits = (_hit(hit, short, used, now, width) for hit in run.hits)
    return "\n".join([_head(run, short_id(run.id), now, width), *hits])


def finished(done: Finished) -> str:
    """Show the result of a run, and how it changed the memories it used."""
    short = short_ids(each.id for each in done.trusted)
    lines = [f"{click.style(short_id(done.run.id), fg='cyan')}  {_state(done.run)}"]
    for each in done.trusted:
        change = f"confidence {each.confidence_before:.2f} → {each.confidence:.2f}"
        mark = "" if each.status is Status.ACTIVE else f"  {each.status}"
        lines.append(f"{click.style(short[each.id], fg='cyan')}  {change}{mark}")
    for moved in done.moved:
        change = f"relevance {moved.relevance_before:.2f} → {moved.relevance:.2f}, from its outcomes"
        lines.append(f"{click.style(short[moved.id], fg='cyan')}  {change}")
    lines += [f"{click.style(short_id(each.id), fg='cyan')}  {each.status}" for each in done.learned]
    return "\n".join(lines)


def remarks(done: Finished) -> Iterator[str]:
    """Yield remarks about a finished run."""
    if done.notice:
        yield field(done.notice)
    for each in done.learned:
        lines = [f"{short_id(each.id)}: {line}" for line in (each.reason, each.hint) if line]
        lines += [f"{short_id(each.id)}: redacted before storing ({kind})" for kind in each.redacted]
        if each.status == "similar":
            lines.append(f"{short_id(each.id)}: close to a known memory; decide in `mem review`")
        yield from map(field, lines)


def _head(run: Run, short: str, now: datetime, width: int | None) -> str:
    remarks = [f"by {run.writer}", *([run.project] if run.project else [])]
    remarks += [f"scope {', '.join(run.write_scope)}"] if run.write_scope else []
    head = [click.style(short, fg="cyan"), _state(run), count(run.memories, "memory", "memories")]
    return entry(head, run.task, [age(run.at, now), *map(field, remarks)], width)


def _state(run: Run) -> str:
    if run.ending is None:
        return "running"
    return click.style(run.ending.result.value, fg=_COLOURS[run.ending.result])


def _hit(hit: Given, short: Mapping[str, str], used: Sequence[str], now: datetime, width: int | None) -> str:
    head = [
        click.style(short[hit.memory.id], fg="cyan"),
        click.style(hit.memory.category.value, bold=True),
        f"{hit.score:.2f}",
    ]
    marks = ["matches the scope"] if hit.signals.get("write_scope") else []
    marks += ["included"] if hit.signals.get("included") else []
    marks += ["used"] if hit.memory.id in used else []
    marks += [click.style(f"conflicts with {short[other]}", fg="yellow") for other in hit.conflicts]
    return entry(head, hit.memory.content, [*marks, *notes(hit.memory, now)], width)
