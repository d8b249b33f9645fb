"""`mem history`, `mem revert`, `mem undo` and `mem audit`."""

from __future__ import annotations

import click

from memory_layer.doors.cli.arguments import MemoryId, who_options
from memory_layer.doors.cli.call import EXIT_FAILED, Call
from memory_layer.doors.cli.command import command, family
from memory_layer.verbs.govern import AUDIT_LOG, HISTORY, OPERATIONS, REVERT, UNDO, VERIFY_AUDIT

_limit = click.option(
    "-n", "--limit", type=click.IntRange(1, 1000), default=20, help="At most this many; 20 by default."
)


@command("history", "mem history mem_abc123", "mem history abc123 --json")
@click.argument("memory_id", type=MemoryId(), metavar="ID")
@click.option("-n", "--limit", type=click.IntRange(1), help="At most this many versions; all by default.")
@click.option("--from", "start", metavar="PLACE", help="Go on where the last list ended.")
@click.pass_obj
def history(call: Call, memory_id: str, limit: int | None, start: str | None) -> None:
    """Show every version of a memory, with what each changed.

    Newest first. Removed words stand in [- -], added ones in {+ +}. Outcomes, recalls and confirmations are logs
    of their own and make no version. A version marked ! does not fit the audit log.
    """
    from memory_layer.doors import wire
    from memory_layer.doors.cli.commands import history

    with call.open() as memory:
        found = memory.run(HISTORY, {"memory_id": memory_id, "limit": limit, "after": start})
        call.reply(wire.history(found), history.history(found, memory.engine.now()))
    if found.next:
        call.say(f"there are older ones; go on with --from {found.next}")


@command("revert", "mem revert mem_abc123 --to 2", "mem revert abc123 --to 1 --json")
@click.argument("memory_id", type=MemoryId(), metavar="ID")
@click.option("--to", type=click.IntRange(1), required=True, help="The number of the version in its history.")
@who_options
@click.pass_obj
def revert(call: Call, memory_id: str, to: int, as_name: str | None, session: str | None) -> None:
    """Bring an old version of a memory back.

    Its fields become a new version, and nothing in between is erased. Counters and reports stay as they are. An
    agent cannot change or hide what a person guards, nor an approval, nor a review that waits for a person.
    """
    from memory_layer.doors import wire
    from memory_layer.doors.cli import render

    with call.open(None, as_name, session) as memory:
        now = memory.run(REVERT, {"memory_id": memory_id, "to": to})
        call.reply(wire.memory(now), render.memories([now], memory.engine.now(), call.width))


@command("undo", "mem undo", "mem undo --list", "mem undo op_abc123 --json")
@click.argument("operation", required=False, metavar="[OP]")
@click.option("--list", "as_list", is_flag=True, help="Only show the last operations and their ids.")
@_limit
@who_options
@click.pass_obj
def undo(
    call: Call,
    operation: str | None,
    as_list: bool,
    limit: int,
    as_name: str | None,
    session: str | None,
) -> None:
    """Take back what one command did.

    Without OP it is your own last command that still stands and changed a memory of this project or a global one;
    what was forgotten is passed over. What it created is archived, what it changed gets its
    old values, all of it or nothing; a later change to the same memory is never lost, and stops the undo. Links,
    outcomes and confirmations are taken back, too; the report of an outcome stays and counts for nothing. Recalls
    stay. An agent cannot take back what only a person may do. An undo can be undone by its own id.
    """
    from memory_layer.doors import wire
    from memory_layer.doors.cli.commands import history

    if as_list and operation:
        raise click.UsageError("--list shows the last operations; it takes no OP")
    with call.open(None, as_name, session) as memory:
        now = memory.engine.now()
        if as_list:
            listed = memory.run(OPERATIONS, {"limit": limit})
            call.reply([wire.operation(each) for each in listed], history.operations(listed, now))
            return
        done = memory.run(UNDO, {"operation": operation})
    call.reply(wire.undone(done), history.undone(done, now, call.width))
    for line in history.passed_over(done):
        call.say(line)


@family("audit", "mem audit verify", "mem audit list --limit 50")
def audit() -> None:
    """Read and check the log of all changes.

    Every change adds an entry whose hash covers the one before, in the same transaction.
    """


@command("verify", "mem audit verify", "mem audit verify --json", of=audit)
@click.pass_obj
def verify(call: Call) -> None:
    """Check the log, and every memory against it.

    Finds entries that were edited, removed or cut off at the end, a head that names another last entry, memories that
    are not as their last entry left them, and old values that do not fit; in every session events that were changed,
    removed, or cut off at the end. The exit code is 1 when there is any.
    It cannot find a rewriting of everything, the head included; keep a copy of the head elsewhere if that matters.
    Counters, reports and recalls are not compared.
    """
    from memory_layer.doors import wire
    from memory_layer.doors.cli.commands import history

    with call.open() as memory:
        verdict = memory.run(VERIFY_AUDIT, {})
    call.reply(wire.verdict(verdict), history.verdict(verdict))
    if not verdict.intact:
        call.say(
            "something was changed, cut or lost outside this program; the memories can still be used, what they were"
            " is not proven; nothing can repair that: keep this answer, and compare with a backup (`mem backup --list`)"
        )
        raise click.exceptions.Exit(EXIT_FAILED)


@command("list", "mem audit list", "mem audit list --limit 50 --json", of=audit)
@_limit
@click.pass_obj
def list_entries(call: Call, limit: int) -> None:
    """List the last entries of the log.

    Newest first, each with its number, what was done to which memory and how that begins, by whom, and the operation it
    belongs to.
    """
    from memory_layer.doors import wire
    from memory_layer.doors.cli.commands import history

    with call.open() as memory:
        entries = memory.run(AUDIT_LOG, {"limit": limit})
        call.reply([wire.entry(each) for each in entries], history.entries(entries, memory.engine.now()))
    if not entries:
        call.say("nothing has been changed yet")
