"""`mem outcome`, `mem reinforce`, `mem archive`, `mem restore` and `mem approve`."""

from __future__ import annotations

import click

from memory_layer.doors.cli.arguments import MemoryId, OneOf, command, who_options
from memory_layer.doors.cli.call import EXIT_NEEDS_A_DECISION, CommandCall
from memory_layer.model.changes import Curated
from memory_layer.model.vocabulary import Outcome, Reason
from memory_layer.verbs.call import Dispatcher, Verb
from memory_layer.verbs.govern import APPROVE, ARCHIVE, FORGET, FORGET_PREVIEW, RESTORE
from memory_layer.verbs.learn import OUTCOME, REINFORCE
from memory_layer.verbs.request import Several

_ids = click.argument("ids", nargs=-1, required=True, type=MemoryId(), metavar="ID...")


@command(
    "outcome", "mem outcome mem_abc123 worked", 'mem outcome mem_abc123 failed --evidence "pytest: 2 failed"'
)
@click.argument("ids", nargs=-1, type=MemoryId(*Outcome), metavar="ID...")
@click.argument("result", type=OneOf(Outcome))
@click.option("--query", metavar="TEXT", help="The question they were used for.")
@click.option("--recall", metavar="ID", help="The recall that returned them.")
@click.option("--evidence", metavar="TEXT", help="What shows it, such as a test's exit code.")
@click.option(
    "--event",
    metavar="ID",
    help="The same event reported twice counts once; one with another result is refused.",
)
@who_options
@click.pass_obj
def outcome(
    call: CommandCall,
    ids: tuple[str, ...],
    result: Outcome,
    query: str | None,
    recall: str | None,
    evidence: str | None,
    event: str | None,
    as_name: str | None,
    session: str | None,
) -> None:
    """Say whether memories helped: worked, partial or failed.

    What worked comes back earlier for questions like this one, what failed later; below a score of -0.5 a
    memory is archived, or put into `mem review` where a person guards it. A failure with --query or --recall
    speaks for that question: it archives only what never worked and failed before for a question unlike it.
    Without them the report is about the memory itself, and for later searches it belongs to the last one that
    returned it.
    At most three failures an hour count from one session unless there is evidence.
    """
    from memory_layer.doors import wire
    from memory_layer.doors.cli import render

    report = {"memory_ids": ids, "result": result, "query": query, "recall": recall, "evidence": evidence}
    with call.open(None, as_name, session) as memory:
        judged = memory.run(OUTCOME, report | {"event_id": event})
    call.reply(wire.judged(judged), render.judged(judged))
    if not all(each.counted or each.repeated for each in judged):
        call.say(
            "stored but not counted: three failures an hour without evidence are enough for one session;"
            " with --evidence more of them count"
        )


@command("reinforce", "mem reinforce mem_abc123", "mem reinforce mem_abc123 mem_def456 --json")
@_ids
@who_options
@click.pass_obj
def reinforce(call: CommandCall, ids: tuple[str, ...], as_name: str | None, session: str | None) -> None:
    """Confirm that memories still hold.

    Restarts their decay. It says nothing about whether they helped; `mem outcome` does. An agent's confirmation counts
    once for a memory of a project and never for a global one; a person's counts each time.
    """
    _change(call, REINFORCE, ids, as_name, session)


@command("archive", "mem archive mem_abc123", "mem archive mem_abc123 mem_def456 --as release-bot")
@_ids
@who_options
@click.pass_obj
def archive(call: CommandCall, ids: tuple[str, ...], as_name: str | None, session: str | None) -> None:
    """Take memories out of sight; they can be restored.

    Archived memories are never given out unasked; `mem search --status archived` still finds them. An agent cannot
    archive what a person wrote or approved.
    """
    _change(call, ARCHIVE, ids, as_name, session)


@command("restore", "mem restore mem_abc123", "mem restore mem_abc123 --json")
@_ids
@who_options
@click.pass_obj
def restore(call: CommandCall, ids: tuple[str, ...], as_name: str | None, session: str | None) -> None:
    """Bring archived memories back.

    One that was archived for failing is not archived again before new evidence comes in. What a person wrote or
    approved and then archived comes back for an agent only into the review.
    """
    _change(call, RESTORE, ids, as_name, session)


@command("approve", "mem approve mem_abc123", "mem approve mem_abc123 mem_def456 --json")
@_ids
@who_options
@click.pass_obj
def approve(call: CommandCall, ids: tuple[str, ...], as_name: str | None, session: str | None) -> None:
    """Vouch for memories; only a person at a terminal can.

    Raises their confidence to 1.0, renews their expiry, and shows those that were held back for review. The terminal
    shows a code to be typed, once in a quarter of an hour.
    """
    _change(call, APPROVE, ids, as_name, session)


def _change(
    call: CommandCall,
    verb: Verb[Several, list[Curated]],
    ids: tuple[str, ...],
    as_name: str | None,
    session: str | None,
) -> None:
    """Change all of the named memories or none, and show them as they are now with what was changed."""
    from memory_layer.doors import wire
    from memory_layer.doors.cli import render
    from memory_layer.doors.cli.commands import history

    with call.open(None, as_name, session) as memory:
        curated = memory.run(verb, {"memory_ids": ids})
        text = render.memories([each.memory for each in curated], memory.engine.now(), call.width)
    call.reply([wire.curated(each) for each in curated], text)
    for each in curated:
        call.say(history.changed_text(*each))


@command("forget", "mem forget mem_abc123", "mem forget mem_abc123 mem_def456 --yes")
@click.argument("ids", nargs=-1, required=True, type=MemoryId(), metavar="ID...")
@click.option("--yes", is_flag=True, help="Erase; without it only what would be erased is shown.")
@who_options
@click.pass_obj
def forget(
    call: CommandCall, ids: tuple[str, ...], yes: bool, as_name: str | None, session: str | None
) -> None:
    """Erase memories for good; only a person at a terminal can.

    Text, tags, metadata, citations, vectors, old versions and links go, from the tables and from the bytes of the
    file, and with them the archived memories that were merged into these or skipped for them. An id, counts and
    the digests of the history stay. It cannot be undone. Questions that were searched for belong to their own log
    and stay. So do the same words in another memory or its history, which the preview names. Copies made before
    still hold everything: exports, and the backups that `mem backup --list` shows with their dates. `mem archive`
    only puts a memory aside. With --yes the terminal shows a code to be typed, once in a quarter of an hour.
    """
    with call.open(None, as_name, session) as memory:
        if yes:
            _erase(call, memory, ids)
        elif _preview(call, memory, ids):
            raise click.exceptions.Exit(EXIT_NEEDS_A_DECISION)


def _preview(call: CommandCall, memory: Dispatcher, ids: tuple[str, ...]) -> bool:
    """Show what would be erased; return whether there is anything."""
    from memory_layer.doors import wire
    from memory_layer.doors.cli.commands import show

    traces = memory.run(FORGET_PREVIEW, {"memory_ids": ids})
    call.reply(wire.would_forget(traces), show.would_forget(traces, call.width))
    left = any(each.memory.reason is not Reason.FORGOTTEN for each in traces)
    if left:
        call.say("this cannot be undone; nothing was erased yet, --yes does it")
    else:
        call.say("forgotten already; nothing of it is left to erase")
    return left


def _erase(call: CommandCall, memory: Dispatcher, ids: tuple[str, ...]) -> None:
    from memory_layer.doors import wire
    from memory_layer.doors.cli import render

    def begin(label: str, total: int) -> None:
        what = "erasing;" if total else "forgotten already; only old bytes are cleared again:"
        call.say(f"{what} the file is written anew, which takes a moment")

    done = memory.run(FORGET, {"memory_ids": ids}, begin=begin)
    call.reply(wire.forgotten(done), render.memories(done.memories, memory.engine.now(), call.width))
    if not done.swept:
        call.say(
            "another process uses the store, so its files still hold old bytes; the same again clears them"
        )
