"""`mem run`: start, finish, show and list."""

from __future__ import annotations

import click

from memory_layer.doors.cli.arguments import MemoryId, in_order, project_option, who_options
from memory_layer.doors.cli.call import Call
from memory_layer.doors.cli.command import command, family
from memory_layer.model.context import BUDGET, MOST_GIVEN
from memory_layer.model.runs import RunResult
from memory_layer.verbs.learn import FINISH_RUN, RUN, RUNS, START_RUN
from memory_layer.verbs.scope import Target


@family("run", 'mem run start "make uploads faster" --scope "src/core/**"', "mem run list --limit 5")
def run() -> None:
    """Give memories to a task, and learn from how it ended."""


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
    call: Call,
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
    from memory_layer.doors.cli.commands import runs

    values = {"task": " ".join(task), "write_scope": write_scope, "limit": limit, "budget": budget}
    values |= {"include": each_id(include), "exclude": each_id(exclude)}
    with call.open(Target(project, only_global), as_name, session) as memory:
        begun = memory.run(START_RUN, values)
        call.reply(wire.run(begun), runs.one(begun, memory.engine.now(), call.width))
    if not begun.hits:
        call.say("no memory was chosen; what the run teaches can be told with `mem run finish --note`")


def each_id(given: tuple[str, ...]) -> tuple[str, ...]:
    """Ids that were given one by one or with commas."""
    return tuple(each for some in given for each in some.split(",") if each.strip())


_result_options = in_order(
    click.option("--success", is_flag=True, help="It did what it should."),
    click.option("--failure", is_flag=True, help="It did not."),
)


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
    call: Call,
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
    from memory_layer.doors.cli.commands import runs

    if success is failure:
        raise click.UsageError("say how it ended: --success or --failure")
    result = RunResult.SUCCESS if success else RunResult.FAILURE
    with call.open(None, as_name, session) as memory:
        end = {"run_id": run_id, "result": result, "used": each_id(used), "notes": note}
        done = memory.run(FINISH_RUN, end)
    call.reply(wire.finished(done), runs.finished(done))
    for line in runs.remarks(done):
        call.say(line)


@command("show", "mem run show run_abc123", "mem run show run_abc123 --json", of=run)
@click.argument("run_id", metavar="ID")
@click.pass_obj
def show(call: Call, run_id: str) -> None:
    """Show one run: its task, what it was given and used, and how it ended.

    Looking never counts as use.
    """
    from memory_layer.doors import wire
    from memory_layer.doors.cli.commands import runs

    with call.open() as memory:
        found = memory.run(RUN, {"run_id": run_id})
        call.reply(wire.run(found), runs.one(found, memory.engine.now(), call.width))


@command("list", "mem run list", "mem run list --limit 5 --json", of=run)
@click.option(
    "-n", "--limit", type=click.IntRange(1, 1000), default=20, help="At most this many; 20 by default."
)
@project_option
@click.pass_obj
def list_runs(call: Call, limit: int, project: str | None) -> None:
    """List the last runs, newest first.

    Those of all projects unless --project names one.
    """
    from memory_layer.doors import wire
    from memory_layer.doors.cli.commands import runs

    with call.open(Target(project)) as memory:
        listed = memory.run(RUNS, {"limit": limit})
        call.reply(wire.runs(listed), runs.several(listed, memory.engine.now(), call.width))
    if not listed:
        call.say("there was no run here yet; `mem run start` begins one")
