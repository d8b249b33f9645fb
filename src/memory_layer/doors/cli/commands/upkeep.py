"""`mem consolidate`: keep the store tidy."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

import click

from memory_layer.doors.cli.arguments import MemoryId, command, who_options
from memory_layer.doors.cli.call import CommandCall, bars
from memory_layer.verbs.call import Target
from memory_layer.verbs.upkeep import CONSOLIDATE, EMBED, EMBEDDING, VERIFY

if TYPE_CHECKING:
    from memory_layer.model.sources import Finding, Verified
    from memory_layer.model.upkeep import Consolidated, ConsolidationStep
    from memory_layer.usecases.upkeep.embed import Embedded, EmbeddingState
    from memory_layer.verbs.call import Dispatcher


MOST_SHOWN = 20  #: steps of one kind

#: What each deed is called in a sum: what would be done, what was, and to what.
_SUMS = {
    "finish": ("finish", "finished", "{} that a dead writer left"),
    "archive": ("archive", "archived", "{}"),
    "merge": ("merge", "merged", "{} into others that say the same"),
    "review": ("put", "put", "{} up for review"),
    "follow": ("follow", "followed", "the moved sources of {}"),
    "drift": ("put", "put", "{} with a changed or missing source up for review"),
    "promote": ("raise", "raised", "the priority of {}"),
    "suggest": ("suggest", "suggested", "{}"),
}


@command("consolidate", "mem consolidate --dry-run", "mem consolidate", "mem consolidate --if-due --json")
@click.option("--dry-run", is_flag=True, help="Only say what would be done.")
@click.option("--if-due", is_flag=True, help="Only if a week has passed; else do and say nothing.")
@click.option("-p", "--project", metavar="PATH|NAME|KEY", help="Only what belongs to this project.")
@who_options
@click.pass_obj
def consolidate(
    call: CommandCall,
    dry_run: bool,
    if_due: bool,
    project: str | None,
    as_name: str | None,
    session: str | None,
) -> None:
    """Keep the store tidy.

    Archives what has expired or what nobody has touched for long, merges memories that say the same, puts pairs that
    nearly do up for review, checks what is cited, raises what was confirmed three times, and suggests what recurs: a
    text of three projects for all of them, and what keeps failing as a pitfall. Nothing is reworded, and what a person
    wrote, approved or made a rule is not hidden. `mem undo` takes all of it back.
    """
    from memory_layer.doors import wire

    with call.open(Target(project), as_name, session, trial=dry_run) as memory, bars() as begin:
        done = memory.run(CONSOLIDATE, {"dry_run": dry_run, "if_due": if_due}, begin=begin)
    if done is None:
        return
    call.reply(wire.consolidated(done), _consolidate_text(done))
    if done.notice:
        call.say(f"note: {done.notice}")


def _consolidate_text(done: Consolidated) -> str:
    """Every step in a line, the first of each kind where they are many, and the sums."""
    sums = [_sum(deed, count, done.dry_run) for deed, count in done.counts.items() if count]
    if not sums:
        return "there is nothing to tidy"
    lines: list[str] = []
    for _, group in groupby(done.steps, key=lambda step: step.deed):
        some = list(group)
        lines += [_line(step) for step in some[:MOST_SHOWN]]
        if more := len(some) - MOST_SHOWN:
            lines += [f"… and {more:,} more to {some[0].deed}; `--json` lists all"] if more > 0 else []
    lines.append(("would " if done.dry_run else "") + ", ".join(sums))
    if done.operation:
        from memory_layer.doors.cli.render import short_id

        lines.append(f"`mem undo {short_id(done.operation)}` takes it back")
    return "\n".join(lines)


def _line(step: ConsolidationStep) -> str:
    from memory_layer.doors.cli.render import short_id, visible, with_short_ids

    name = short_id(step.memory) if step.memory else "(new)"
    reason = with_short_ids(visible(step.reason))
    return f"{name:<12}  {step.deed:<7}  {visible(step.content)}  ({reason})"


def _sum(deed: str, number: int, dry_run: bool) -> str:
    from memory_layer.doors.cli.render import count

    would, did, what = _SUMS[deed]
    many = count(number, "pair") if deed == "review" else count(number, "memory", "memories")
    return f"{would if dry_run else did} {what.format(many)}"


@command("verify", "mem verify", "mem verify --project . --dry-run", "mem verify mem_abc123 --json")
@click.argument("ids", nargs=-1, type=MemoryId(), metavar="[ID]...")
@click.option("--dry-run", is_flag=True, help="Only say how the sources stand.")
@click.option("-p", "--project", metavar="PATH|NAME|KEY", help="Only what belongs to this project.")
@click.option("--all", "everything", is_flag=True, help="What belongs to any project.")
@who_options
@click.pass_obj
def verify(
    call: CommandCall,
    ids: tuple[str, ...],
    dry_run: bool,
    project: str | None,
    everything: bool,
    as_name: str | None,
    session: str | None,
) -> None:
    """Check whether what memories cite is still there.

    Looks at the project of the working directory, unless asked for others. A source is fresh, moved, changed, missing
    or unverifiable. Citations of lines that moved follow them, which `mem undo` takes back; memories whose source
    changed or is missing wait in `mem review`. Only files of the project are read, and no address is fetched.
    """
    from memory_layer.doors import wire

    values = {"memory_ids": ids, "everything": everything, "dry_run": dry_run}
    with call.open(Target(project), as_name, session, trial=dry_run) as memory, bars() as begin:
        done = memory.run(VERIFY, values, begin=begin)
    call.reply(wire.verified(done), _verify_text(done))


def _verify_text(done: Verified) -> str:
    """What is not where it was, the first of each state where they are many, and the sums."""
    from memory_layer.doors.cli.render import count, short_id

    if not done.memories:
        return "no memory cites anything"
    lines: list[str] = []
    for state, group in groupby(done.findings, key=lambda each: each.check.state):
        some = list(group)
        lines += map(_finding_line, some[:MOST_SHOWN])
        if len(some) > MOST_SHOWN:
            lines.append(f"… and {len(some) - MOST_SHOWN:,} more {state}; `--json` lists all")
    sums = ", ".join(f"{number:,} {state}" for state, number in done.counts.items() if number)
    lines.append(f"{count(sum(done.counts.values()), 'citation')} of {_memories(done.memories)}: {sums}")
    if done.operation:
        lines.append(f"`mem undo {short_id(done.operation)}` puts the citations that moved back")
    if any(each.check.state.drifted for each in done.findings) and not done.dry_run:
        lines.append("what changed or is missing waits in `mem review --kind drifted`")
    return "\n".join(lines)


def _memories(number: int) -> str:
    from memory_layer.doors.cli.render import count

    return count(number, "memory", "memories")


def _finding_line(finding: Finding) -> str:
    from memory_layer.doors.cli.render import short_id, source, state, visible

    check = finding.check
    now = f" to {source(check.now)}" if check.now else ""
    told = f"{source(check.citation)}{now}"
    return f"{short_id(finding.memory)}  {state(check.state):<7}  {told}  {visible(finding.content)}"


@command("embed", "mem embed", "mem embed --check")
@click.option("--check", is_flag=True, help="Only say how many memories have their vectors.")
@click.option("--prune", is_flag=True, help="Then drop the vectors that other models made.")
@click.pass_obj
def embed(call: CommandCall, check: bool, prune: bool) -> None:
    """Give every memory its vectors.

    Needed once after the model was installed, or when it changed. It can be stopped and taken up again, and
    searches go on meanwhile: they compare vectors of the installed model only, and find the rest by words.
    """
    from memory_layer.doors import wire

    if check and prune:
        raise click.UsageError("--check changes nothing, so it cannot be combined with --prune")
    with call.open() as memory:
        if check:
            found = memory.run(EMBEDDING, {})
            call.reply(wire.plain(found), _standing(found))
            return
        done = _embedded(call, memory, prune)
    shape = {"embedded": done.done, "questions": done.questions, "fingerprint": done.fingerprint}
    call.reply(shape | {"pruned": wire.plain(done.pruned)}, _done(done))


def _embedded(call: CommandCall, memory: Dispatcher, prune: bool) -> Embedded:
    try:
        with bars() as begin:
            return memory.run(EMBED, {"prune": prune}, begin=begin)
    except KeyboardInterrupt:
        call.say("stopped; what was embedded stays, and `mem embed` goes on from there")
        raise


def _done(done: Embedded) -> str:
    from memory_layer.doors.cli.commands.show import size

    lines = []
    if done.done or not done.questions:
        lines.append(f"embedded {_memory_count(done.done)}" if done.done else "every memory has its vectors")
    if done.questions:
        lines.append(f"embedded {_questions(done.questions)} that outcomes were reported for")
    if (dropped := done.pruned) is not None:
        room = f"; the store's file has {size(dropped.size)} of room for new ones" if dropped.vectors else ""
        lines.append(f"dropped {_counted(dropped.vectors, 'vector', 'vectors')} of other models{room}")
    return "\n".join(lines)


def _standing(found: EmbeddingState) -> str:
    from memory_layer.doors.cli.commands.show import size

    whole = found.memories + found.missing
    lines = [f"{found.fingerprint}  {found.memories:,} of {_memory_count(whole)}, {size(found.size)}"]
    lines += [
        f"{each.fingerprint}  {_memory_count(each.memories)}, {size(each.size)}; another model's, never compared"
        for each in found.others
    ]
    left = [_memory_count(found.missing)] if found.missing else []
    left += [_questions(found.questions)] if found.questions else []
    lines += [f"to do: {' and '.join(left)}; `mem embed` does it"] if left else []
    lines += ["`mem embed --prune` drops what other models made"] if found.others else []
    return "\n".join(lines)


def _memory_count(count: int) -> str:
    return _counted(count, "memory", "memories")


def _questions(count: int) -> str:
    return _counted(count, "question", "questions")


def _counted(count: int, one: str, more: str) -> str:
    return f"{count:,} {one if count == 1 else more}"
