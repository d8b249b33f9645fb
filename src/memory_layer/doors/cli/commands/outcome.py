"""`mem outcome`, `mem reinforce`, `mem archive`, `mem restore`, `mem approve` and `mem forget`."""

from __future__ import annotations

from typing import Any

import click

from memory_layer.doors.cli.arguments import MemoryId, OneOf, command, who_options
from memory_layer.doors.cli.call import EXIT_NEEDS_A_DECISION, CommandCall
from memory_layer.model.changes import Curated
from memory_layer.model.vocabulary import Outcome, Reason
from memory_layer.verbs.call import Dispatcher, Verb
from memory_layer.verbs.govern import APPROVE, ARCHIVE, FORGET, FORGET_PREVIEW, RESTORE
from memory_layer.verbs.learn import OUTCOME, REINFORCE

_ids = click.argument("ids", nargs=-1, required=True, type=MemoryId(), metavar="ID...")


@command(
    "outcome", "mem outcome mem_abc123 worked", 'mem outcome mem_abc123 failed --evidence "pytest: 2 failed"'
)
@click.argument("ids", nargs=-1, type=MemoryId(*Outcome), metavar="ID...")
@click.argument("result", type=OneOf(Outcome))
@click.option("--query", metavar="TEXT", help="The query they were used for.")
@click.option("--recall", metavar="ID", help="The recall that returned them.")
@click.option("--evidence", metavar="TEXT", help="Proof, such as the output of a test.")
@click.option("--task", metavar="TASK", help="A completed task of `mem tasks`, as the evidence.")
@click.option(
    "--event",
    metavar="ID",
    help="An id of your own; the same event counts once, and a different result is refused.",
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
    task: str | None,
    event: str | None,
) -> None:
    """Report whether memories worked, partly worked or failed.

    For similar queries, memories that worked rank higher and memories that failed rank lower. Below a score of -0.5 a
    memory is archived, or waits in `mem review` if a person wrote or approved it. A failure with --query or --recall
    counts for that query: it archives only memories that never worked and also failed for a different question.
    Without them, it counts for the memory itself, and for queries like the last one that returned it. Without
    --evidence, at most three failures per hour and session count.
    """
    from memory_layer.doors import wire
    from memory_layer.doors.cli import render

    report = {"memory_ids": ids, "result": result, "query": query, "recall": recall, "evidence": evidence}
    with call.open() as memory:
        judged = memory.run(OUTCOME, report | {"event_id": event, "task": task})
    call.reply(wire.judged(judged), render.judged(judged))
    if not all(each.counted or each.repeated for each in judged):
        call.say(
            "stored but not counted: without --evidence, at most three failures per hour and session count"
        )


@command("reinforce", "mem reinforce mem_abc123", "mem reinforce mem_abc123 mem_def456 --json")
@_ids
@who_options
@click.pass_obj
def reinforce(call: CommandCall, ids: tuple[str, ...]) -> None:
    """Confirm that memories are still true.

    Restarts their decay. Use `mem outcome` to report whether they helped. A confirmation by an agent counts once for a
    memory of a project and never for a global one; a confirmation by a person always counts.
    """
    _change(call, REINFORCE, ids)


@command("archive", "mem archive mem_abc123", "mem archive mem_abc123 mem_def456 --as release-bot")
@_ids
@who_options
@click.pass_obj
def archive(call: CommandCall, ids: tuple[str, ...]) -> None:
    """Hide memories; they can be restored.

    Archived memories are no longer used, but `mem search --status archived` finds them. An agent cannot archive
    memories that a person wrote or approved.
    """
    _change(call, ARCHIVE, ids)


@command("restore", "mem restore mem_abc123", "mem restore mem_abc123 --json")
@_ids
@who_options
@click.pass_obj
def restore(call: CommandCall, ids: tuple[str, ...]) -> None:
    """Restore archived memories.

    A memory archived for failing is not archived again until new outcomes come in. If an agent restores a memory that
    a person wrote or approved and then archived, it waits for your review.
    """
    _change(call, RESTORE, ids)


@command("approve", "mem approve mem_abc123", "mem approve mem_abc123 mem_def456 --json")
@_ids
@who_options
@click.pass_obj
def approve(call: CommandCall, ids: tuple[str, ...]) -> None:
    """Approve memories; needs a person at a terminal.

    Raises their confidence to 1.0, renews their expiry, and activates those that were waiting for review. You confirm
    by typing a code, at most once every 15 minutes.
    """
    _change(call, APPROVE, ids)


def _change(call: CommandCall, verb: Verb[Any, list[Curated]], ids: tuple[str, ...]) -> None:
    """Change all of the named memories or none, and print them with their changes."""
    from memory_layer.doors import wire
    from memory_layer.doors.cli import render
    from memory_layer.doors.cli.commands import history

    with call.open() as memory:
        curated = memory.run(verb, {"memory_ids": ids})
        text = render.memories([each.memory for each in curated], memory.engine.now(), call.width)
    call.reply(wire.listed(map(wire.curated, curated)), text)
    for each in curated:
        call.say(history.changed_text(*each))
    if any(each.changes for each in curated):
        call.say("Undo: `mem undo`")


@command("forget", "mem forget mem_abc123", "mem forget mem_abc123 mem_def456 --yes")
@click.argument("ids", nargs=-1, required=True, type=MemoryId(), metavar="ID...")
@click.option("--yes", is_flag=True, help="Erase. Default: only show what would be erased.")
@who_options
@click.pass_obj
def forget(call: CommandCall, ids: tuple[str, ...], yes: bool) -> None:
    """Erase memories permanently; needs a person at a terminal.

    Erases text, tags, metadata, citations, vectors, old versions and links, from the tables and from the bytes of the
    file, as well as archived memories that were merged into these or dropped in favour of them. This cannot be undone.
    The id, counts and the hashes of the history stay. So do logged queries, and the same words in another memory or
    its history, which the preview names. Exports and backups (`mem backup --list`) made earlier still hold everything.
    To only hide a memory, use `mem archive`. With --yes you confirm by typing a code, at most once every 15 minutes.
    """
    with call.open() as memory:
        if yes:
            _erase(call, memory, ids)
        elif _preview(call, memory, ids):
            raise click.exceptions.Exit(EXIT_NEEDS_A_DECISION)


def _preview(call: CommandCall, memory: Dispatcher, ids: tuple[str, ...]) -> bool:
    """Show what would be erased; return False if nothing is left to erase."""
    from memory_layer.doors import wire
    from memory_layer.doors.cli.commands import show

    traces = memory.run(FORGET_PREVIEW, {"memory_ids": ids})
    call.reply(wire.would_forget(traces), show.would_forget(traces, call.width))
    left = any(each.memory.reason is not Reason.FORGOTTEN for each in traces)
    if left:
        call.say("Nothing erased. Add --yes to erase permanently; this cannot be undone.")
    else:
        call.say("Already forgotten; nothing is left to erase.")
    return left


def _erase(call: CommandCall, memory: Dispatcher, ids: tuple[str, ...]) -> None:
    from memory_layer.doors import wire
    from memory_layer.doors.cli import render

    def begin(label: str, total: int) -> None:
        what = "erasing" if total else "already forgotten; clearing leftover bytes"
        call.say(f"{what}: rewriting the file, which takes a moment")

    done = memory.run(FORGET, {"memory_ids": ids}, begin=begin)
    call.reply(wire.forgotten(done), render.memories(done.memories, memory.engine.now(), call.width))
    if not done.swept:
        call.say(
            "Another process is using the store, so its files still hold old bytes."
            " Run the command again to clear them."
        )
