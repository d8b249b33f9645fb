"""`mem consolidate`, `mem verify` and `mem embed`."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

import click

from memory_layer.doors.cli.arguments import MemoryId, command, project_option, who_options
from memory_layer.doors.cli.call import CommandCall, bars
from memory_layer.doors.cli.render import count, entry, short_id, source, state, visible, with_short_ids
from memory_layer.verbs.upkeep import CONSOLIDATE, EMBED, EMBEDDING, VERIFY

if TYPE_CHECKING:
    from memory_layer.model.sources import Finding, Verified
    from memory_layer.model.upkeep import Consolidated, ConsolidationStep
    from memory_layer.usecases.upkeep.embed import Embedded, EmbeddingState
    from memory_layer.verbs.call import Dispatcher

MOST_SHOWN = 20  #: steps of one kind
#: Each step in the summary: as planned, as done, and its object.
_SUMS = {
    "finish": ("finish", "finished", "{} left unfinished by a crashed writer"),
    "archive": ("archive", "archived", "{}"),
    "merge": ("merge", "merged", "{} into duplicates"),
    "review": ("put", "put", "{} up for review"),
    "follow": ("update", "updated", "the moved citations of {}"),
    "drift": ("put", "put", "{} with a changed or missing source up for review"),
    "promote": ("raise", "raised", "the priority of {}"),
    "suggest": ("suggest", "suggested", "{}"),
}


@command("consolidate", "mem consolidate --dry-run", "mem consolidate", "mem consolidate --if-due --json")
@click.option("--dry-run", is_flag=True, help="Show what would be done; change nothing.")
@click.option("--if-due", is_flag=True, help="Run only if the last time was a week ago or more.")
@project_option("Only this project. Default: the whole store.")
@who_options
@click.pass_obj
def consolidate(call: CommandCall, dry_run: bool, if_due: bool) -> None:
    """Clean up: merge duplicates, archive stale memories.

    Archives memories that expired or were unused for a long time, merges duplicates, puts near duplicates up for
    review, checks citations, and raises the priority of memories confirmed three times. Suggests texts found in three
    projects as global memories, and repeated failures as pitfalls. Never rewords a memory, and never hides one that a
    person wrote, approved or made a policy. `mem undo` undoes all of it.
    """
    from memory_layer.doors import wire

    with call.open(trial=dry_run) as memory, bars() as begin:
        done = memory.run(CONSOLIDATE, {"dry_run": dry_run, "if_due": if_due}, begin=begin)
    if done is None:
        return
    call.reply(wire.consolidated(done), _consolidate_text(done, call.width))
    if done.notice:
        call.say(f"note: {done.notice}")


def _consolidate_text(done: Consolidated, width: int | None) -> str:
    """List the first steps of each kind, and sum up all of them."""
    sums = [_sum(deed, count, done.dry_run) for deed, count in done.counts.items() if count]
    if not sums:
        return "nothing to clean up"
    lines: list[str] = []
    for _, group in groupby(done.steps, key=lambda step: step.deed):
        some = list(group)
        lines += [_line(step, width) for step in some[:MOST_SHOWN]]
        if more := len(some) - MOST_SHOWN:
            lines += [f"… and {more:,} more to {some[0].deed}; `--json` lists all"] if more > 0 else []
    lines.append(("Would " if done.dry_run else "") + ", ".join(sums))
    if done.dry_run:
        lines.append("Dry run: nothing changed. Run without --dry-run to apply.")
    if done.operation:
        lines.append(f"Undo: `mem undo {short_id(done.operation)}`")
    return "\n".join(lines)


def _line(step: ConsolidationStep, width: int | None) -> str:
    name = short_id(step.memory) if step.memory else "(new)"
    head = [f"{name:<12}", f"{step.deed:<7}"]
    return entry(head, step.content, [with_short_ids(visible(step.reason))], width)


def _sum(deed: str, number: int, dry_run: bool) -> str:
    would, did, what = _SUMS[deed]
    many = count(number, "pair") if deed == "review" else count(number, "memory", "memories")
    return f"{would if dry_run else did} {what.format(many)}"


@command("verify", "mem verify", "mem verify --project . --dry-run", "mem verify mem_abc123 --json")
@click.argument("ids", nargs=-1, type=MemoryId(), metavar="[ID]...")
@click.option("--dry-run", is_flag=True, help="Show the state of the sources; change nothing.")
@project_option("Only this project. Default: the current directory's.")
@click.option("--all", "everything", is_flag=True, help="Check all projects.")
@who_options
@click.pass_obj
def verify(call: CommandCall, ids: tuple[str, ...], dry_run: bool, everything: bool) -> None:
    """Check that the sources cited by memories still exist.

    Checks the project of the current directory. A source is fresh, moved, changed, missing or unverifiable. Citations
    of moved lines are updated, which `mem undo` undoes. Memories whose source changed or is missing wait in
    `mem review`. Reads only files of the project and fetches no URLs.
    """
    from memory_layer.doors import wire

    values = {"memory_ids": ids, "everything": everything, "dry_run": dry_run}
    with call.open(trial=dry_run) as memory, bars() as begin:
        done = memory.run(VERIFY, values, begin=begin)
    call.reply(wire.verified(done), _verify_text(done, call.width))


def _verify_text(done: Verified, width: int | None) -> str:
    """List the first sources of each state that are not fresh, and sum up all of them."""
    if not done.memories:
        return "no memory cites a source"
    lines: list[str] = []
    for name, group in groupby(done.findings, key=lambda each: each.check.state):
        some = list(group)
        lines += [_finding_line(each, width) for each in some[:MOST_SHOWN]]
        if len(some) > MOST_SHOWN:
            lines.append(f"… and {len(some) - MOST_SHOWN:,} more {name}; `--json` lists all")
    sums = ", ".join(f"{number:,} {name}" for name, number in done.counts.items() if number)
    lines.append(f"{count(sum(done.counts.values()), 'citation')} of {_memories(done.memories)}: {sums}")
    if done.operation:
        lines.append(f"Undo the updated citations: `mem undo {short_id(done.operation)}`")
    if any(each.check.state.drifted for each in done.findings) and not done.dry_run:
        lines.append("Review changed and missing sources: `mem review --kind drifted`")
    return "\n".join(lines)


def _finding_line(finding: Finding, width: int | None) -> str:
    check = finding.check
    now = f" to {source(check.now)}" if check.now else ""
    head = [short_id(finding.memory), f"{state(check.state):<7}", f"{source(check.citation)}{now}"]
    return entry(head, finding.content, [], width)


@command("embed", "mem embed", "mem embed --check")
@click.option("--check", is_flag=True, help="Count the memories with vectors; change nothing.")
@click.option("--prune", is_flag=True, help="Then delete the vectors of other models.")
@click.pass_obj
def embed(call: CommandCall, check: bool, prune: bool) -> None:
    """Compute missing embedding vectors.

    Run it once after the model was installed or changed. You can stop it and continue later. Searches work meanwhile:
    they use the vectors of the installed model, and find the other memories by words.
    """
    from memory_layer.doors import wire

    if check and prune:
        raise click.UsageError("use either --check or --prune")
    with call.open() as memory:
        if check:
            found = memory.run(EMBEDDING, {})
            call.reply(wire.plain(found), _embedding_text(found))
            return
        done = _embedded(call, memory, prune)
    shape = {"embedded": done.done, "questions": done.questions, "fingerprint": done.fingerprint}
    call.reply(shape | {"pruned": wire.plain(done.pruned)}, _embedded_text(done))


def _embedded(call: CommandCall, memory: Dispatcher, prune: bool) -> Embedded:
    try:
        with bars() as begin:
            return memory.run(EMBED, {"prune": prune}, begin=begin)
    except KeyboardInterrupt:
        call.say("Stopped. Run `mem embed` to continue from here.")
        raise


def _embedded_text(done: Embedded) -> str:
    from memory_layer.doors.cli.commands.show import size

    lines = []
    if done.done or not done.questions:
        lines.append(f"embedded {_memories(done.done)}" if done.done else "every memory has vectors")
    if done.questions:
        lines.append(f"embedded {_queries(done.questions)} with outcomes")
    if (dropped := done.pruned) is not None:
        free = f"; {size(dropped.size)} of the file can be reused" if dropped.vectors else ""
        lines.append(f"deleted {count(dropped.vectors, 'vector')} of other models{free}")
    return "\n".join(lines)


def _embedding_text(found: EmbeddingState) -> str:
    from memory_layer.doors.cli.commands.show import size

    whole = found.memories + found.missing
    lines = [f"{found.fingerprint}  {found.memories:,} of {_memories(whole)}, {size(found.size)}"]
    lines += [
        f"{each.fingerprint}  {_memories(each.memories)}, {size(each.size)}; another model, not used"
        for each in found.others
    ]
    left = [_memories(found.missing)] if found.missing else []
    left += [_queries(found.questions)] if found.questions else []
    lines += [f"Not embedded yet: {' and '.join(left)}. Run `mem embed`."] if left else []
    lines += ["Delete the vectors of other models: `mem embed --prune`"] if found.others else []
    return "\n".join(lines)


def _memories(number: int) -> str:
    return count(number, "memory", "memories")


def _queries(number: int) -> str:
    return count(number, "query", "queries")
