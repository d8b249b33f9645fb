"""`mem run`: start, finish, show and list."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

import click

from memory_layer.doors.cli.arguments import MemoryId, command, family, in_order, project_option, who_options
from memory_layer.doors.cli.call import CommandCall
from memory_layer.doors.cli.render import age, count, entry, field, notes, short_id, short_ids
from memory_layer.model.context import BUDGET, MOST_GIVEN
from memory_layer.model.query import Given
from memory_layer.model.runs import Finished, Run, RunResult
from memory_layer.model.vocabulary import Status
from memory_layer.verbs.call import Target
from memory_layer.verbs.learn import FINISH_RUN, RUN, RUNS, START_RUN

choice_options = in_order(
    click.option(
        "--scope", "write_scope", metavar="PATTERN", multiple=True, help="Paths the task may change."
    ),
    click.option(
        "--include",
        type=MemoryId(),
        multiple=True,
        help="A memory that it gets in any case; several with commas or repeated.",
    ),
    click.option(
        "--exclude", type=MemoryId(), multiple=True, help="A memory that it never gets; several likewise."
    ),
    click.option(
        "-n",
        "--limit",
        type=click.IntRange(1, 1000),
        default=MOST_GIVEN,
        help=f"At most this many memories; {MOST_GIVEN} by default.",
    ),
    click.option(
        "--budget",
        type=click.IntRange(1),
        default=BUDGET,
        metavar="TOKENS",
        help=f"The most the memories may take, written as a section of a prompt; {BUDGET} by default.",
    ),
)
_result_options = in_order(
    click.option("--success", is_flag=True, help="It did what it should."),
    click.option("--failure", is_flag=True, help="It did not."),
)
_COLOURS = {RunResult.SUCCESS: "green", RunResult.FAILURE: "red"}


@family("run", 'mem run start "make uploads faster" --scope "src/core/**"', "mem run list --limit 5")
def run() -> None:
    """Give memories to a task, and learn from how it ended."""


@command(
    "start",
    'mem run start "make uploads faster" --scope "src/core/**"',
    'mem run start "write the release notes" --exclude mem_abc123 --json',
    of=run,
)
@click.argument("task", nargs=-1, required=True, metavar="TASK...")
@choice_options
@project_option
@click.option("--global", "only_global", is_flag=True, help="Only memories that apply everywhere.")
@who_options
@click.pass_obj
def start(
    call: CommandCall,
    task: tuple[str, ...],
    write_scope: tuple[str, ...],
    include: tuple[str, ...],
    exclude: tuple[str, ...],
    limit: int,
    budget: int,
    project: str | None,
    only_global: bool,
    as_name: str | None,
    session: str | None,
) -> None:
    """Begin a run and show the memories for it.

    They are active, not expired and of at least 0.3 confidence. Those whose scope or tags fit --scope come first, then
    the highest confidence times relevance, then the first id: the same memories always give the same list. The
    words of the task are not searched for; `mem search` and --include add what is about it. The list is kept as a
    recall. `mem run finish` says how the run ended.
    """
    from memory_layer.doors import wire

    values = {"task": " ".join(task), "write_scope": write_scope, "limit": limit, "budget": budget}
    values |= {"include": each_id(include), "exclude": each_id(exclude)}
    with call.open(Target(project, only_global), as_name, session) as memory:
        begun = memory.run(START_RUN, values)
        call.reply(wire.run(begun), one(begun, memory.engine.now(), call.width))
    if not begun.hits:
        call.say("no memory was chosen; what the run teaches can be told with `mem run finish --note`")


def each_id(given: tuple[str, ...]) -> tuple[str, ...]:
    """Ids that were given one by one or with commas."""
    return tuple(each for some in given for each in some.split(",") if each.strip())


@command(
    "finish",
    "mem run finish run_abc123 --success --used mem_abc123,mem_def456",
    'mem run finish run_abc123 --failure --note "the cache must be empty first"',
    of=run,
)
@click.argument("run_id", metavar="ID")
@_result_options
@click.option(
    "--used",
    type=MemoryId(),
    multiple=True,
    help="A memory that it went by; several with commas or repeated.",
)
@click.option(
    "--note", metavar="TEXT", multiple=True, help="Something learned, to be remembered. Repeatable."
)
@who_options
@click.pass_obj
def finish(
    call: CommandCall,
    run_id: str,
    success: bool,
    failure: bool,
    used: tuple[str, ...],
    note: tuple[str, ...],
    as_name: str | None,
    session: str | None,
) -> None:
    """Say how a run ended.

    What it used gains 0.1 confidence by a success and loses 0.1 by a failure; below 0.2 a memory is archived, and can
    be restored. Without --used only memories count that were reported with `mem outcome --recall` and the run's recall.
    A note becomes a memory of confidence 0.5. `mem undo` takes all of it back.
    """
    from memory_layer.doors import wire

    if success is failure:
        raise click.UsageError("say how it ended: --success or --failure")
    result = RunResult.SUCCESS if success else RunResult.FAILURE
    with call.open(None, as_name, session) as memory:
        end = {"run_id": run_id, "result": result, "used": each_id(used), "notes": note}
        done = memory.run(FINISH_RUN, end)
    call.reply(wire.finished(done), finished(done))
    for line in remarks(done):
        call.say(line)


@command("show", "mem run show run_abc123", "mem run show run_abc123 --json", of=run)
@click.argument("run_id", metavar="ID")
@click.pass_obj
def show(call: CommandCall, run_id: str) -> None:
    """Show one run: its task, what it was given and used, and how it ended.

    Looking never counts as use.
    """
    from memory_layer.doors import wire

    with call.open() as memory:
        found = memory.run(RUN, {"run_id": run_id})
        call.reply(wire.run(found), one(found, memory.engine.now(), call.width))


@command("list", "mem run list", "mem run list --limit 5 --json", of=run)
@click.option(
    "-n", "--limit", type=click.IntRange(1, 1000), default=20, help="At most this many; 20 by default."
)
@project_option
@click.pass_obj
def list_runs(call: CommandCall, limit: int, project: str | None) -> None:
    """List the last runs, newest first.

    Those of all projects unless --project names one.
    """
    from memory_layer.doors import wire

    with call.open(Target(project)) as memory:
        listed = memory.run(RUNS, {"limit": limit})
        call.reply(wire.runs(listed), several(listed, memory.engine.now(), call.width))
    if not listed:
        call.say("there was no run here yet; `mem run start` begins one")


def several(listed: Sequence[Run], now: datetime, width: int | None) -> str:
    """One entry for each run: its id, how it ended, its task."""
    short = short_ids(each.id for each in listed)
    return "\n".join(_head(each, short[each.id], now, width) for each in listed)


def one(run: Run, now: datetime, width: int | None) -> str:
    """A run, and below it what it was given, in its order."""
    short = short_ids(hit.memory.id for hit in run.hits)
    used = run.ending.used if run.ending else ()
    hits = (_hit(hit, short, used, now, width) for hit in run.hits)
    return "\n".join([_head(run, short_id(run.id), now, width), *hits])


def finished(done: Finished) -> str:
    """How a run ended, and what it did to each memory that it used."""
    short = short_ids(each.id for each in done.trusted)
    lines = [f"{click.style(short_id(done.run.id), fg='cyan')}  {_state(done.run)}"]
    for each in done.trusted:
        told = f"confidence {each.confidence_before:.2f} → {each.confidence:.2f}"
        mark = "" if each.status is Status.ACTIVE else f"  {each.status}"
        lines.append(f"{click.style(short[each.id], fg='cyan')}  {told}{mark}")
    for moved in done.moved:
        told = (
            f"relevance {moved.relevance_before:.2f} → {moved.relevance:.2f}, after what was reported of it"
        )
        lines.append(f"{click.style(short[moved.id], fg='cyan')}  {told}")
    lines += [f"{click.style(short_id(each.id), fg='cyan')}  {each.status}" for each in done.learned]
    return "\n".join(lines)


def remarks(done: Finished) -> Iterator[str]:
    """What else there is to say about an end."""
    if done.notice:
        yield field(done.notice)
    for each in done.learned:
        told = [f"{short_id(each.id)}: {said}" for said in (each.reason, each.hint) if said]
        told += [f"{short_id(each.id)}: a secret was taken out ({kind})" for kind in each.redacted]
        if each.status == "similar":
            told.append(f"{short_id(each.id)}: close to a known memory; `mem review` decides")
        yield from map(field, told)


def _head(run: Run, short: str, now: datetime, width: int | None) -> str:
    told = [f"by {run.writer}", *([run.project] if run.project else [])]
    told += [f"writes {', '.join(run.write_scope)}"] if run.write_scope else []
    head = [click.style(short, fg="cyan"), _state(run), count(run.memories, "memory", "memories")]
    return entry(head, run.task, [*map(field, told), age(run.at, now)], width)


def _state(run: Run) -> str:
    if run.ending is None:
        return "under way"
    return click.style(run.ending.result.value, fg=_COLOURS[run.ending.result])


def _hit(hit: Given, short: Mapping[str, str], used: Sequence[str], now: datetime, width: int | None) -> str:
    head = [
        click.style(short[hit.memory.id], fg="cyan"),
        click.style(hit.memory.category.value, bold=True),
        f"{hit.score:.2f}",
    ]
    told = ["fits the scope"] if hit.signals.get("write_scope") else []
    told += ["included"] if hit.signals.get("included") else []
    told += ["used"] if hit.memory.id in used else []
    told += [click.style(f"conflicts with {short[rival]}", fg="yellow") for rival in hit.conflicts]
    return entry(head, hit.memory.content, [*told, *notes(hit.memory, now)], width)
