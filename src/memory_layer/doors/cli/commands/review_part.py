"""`mem review`: the list of what waits, the walk through it, and one decision by its words."""

from __future__ import annotations

from typing import TypedDict, Unpack

import click

from memory_layer.doors.cli.arguments import MemoryId, OneOf, Scoping, scope_options, target_from, who_options
from memory_layer.doors.cli.call import Call
from memory_layer.doors.cli.command import command
from memory_layer.doors.cli.commands import given as typed
from memory_layer.model.review import Decision, Matter
from memory_layer.model.vocabulary import MergeText
from memory_layer.verbs.govern import DECIDE, REVIEW
from memory_layer.verbs.verb import Dispatcher


class Listing(Scoping):
    """The options that say what to look at."""

    kind: tuple[Matter, ...]
    limit: int
    start: str | None


class Deciding(TypedDict):
    """The options that say what to decide."""

    decide: Decision | None
    text: MergeText
    content: str | None


class Reviewing(Listing, Deciding):
    """Everything a command line says."""

    as_list: bool
    as_name: str | None
    session: str | None


@command("review", "mem review", "mem review mem_abc123 mem_def456 --decide merge --text new")
@click.argument("ids", nargs=-1, type=MemoryId(), metavar="[ID [OTHER]]")
@click.option("--list", "as_list", is_flag=True, help="Only list; ask nothing.")
@click.option("--kind", type=OneOf(Matter), multiple=True, help="Only these; repeatable.")
@click.option("--decide", type=OneOf(Decision), help="Decide about ID, without asking.")
@click.option("--text", type=OneOf(MergeText), default="fuller", help="Which text a merge shows.")
@click.option("--content", metavar="TEXT|-", help="The new text of an edit; - reads standard input.")
@click.option(
    "-n", "--limit", type=click.IntRange(1, 1000), default=20, help="List at most this many; 20 by default."
)
@click.option("--from", "start", metavar="PLACE", help="Go on where the last list ended.")
@scope_options
@who_options
@click.pass_obj
def review(call: Call, ids: tuple[str, ...], **given: Unpack[Reviewing]) -> None:
    """Decide what waits for a person, one thing after the other.

    Held back for approval, close to what is known, contradicting pairs, pairs that say nearly the same, memories whose
    cited source has changed or is gone, memories that a person guards and that failed, memories of little confidence,
    and what has just expired. At a terminal each is shown with the keys that decide it; with --list, --json, in a pipe
    or for an agent everything is listed and nothing asked. With --decide one thing is decided: of a pair, ID
    supersedes OTHER, or ID is archived. An agent may merge, keep or drop what is close to a known memory, and archive;
    only a person decides the rest, and types a code for what approves, once in a quarter of an hour.
    """
    if len(ids) > 2:
        raise click.UsageError("name one memory, or the two of a pair")
    if given["decide"] is None and (given["content"] is not None or given["text"] != MergeText.FULLER):
        raise click.UsageError("--text and --content go with --decide")
    if given["decide"] is not None and not ids:
        raise click.UsageError("name the memory to decide about")
    with call.open(target_from(given), given["as_name"], given["session"]) as memory:
        if given["decide"] is not None:
            _decide(call, memory, ids, given)
        else:
            _look(call, memory, ids, given)


def _decide(call: Call, memory: Dispatcher, ids: tuple[str, ...], given: Reviewing) -> None:
    from memory_layer.doors import wire
    from memory_layer.doors.cli import render

    choice = {
        "memory_id": ids[0],
        "decision": given["decide"],
        "other": ids[1] if len(ids) > 1 else None,
        "text": given["text"],
        "content": typed.standard_input(call) if given["content"] == "-" else given["content"],
    }
    decided = memory.run(DECIDE, choice)
    call.reply(wire.decided(decided), render.memories(decided.memories, memory.engine.now(), call.width))
    if decided.notice:
        call.say(render.with_short_ids(decided.notice))
    if decided.redacted:
        call.say(f"redacted before storing: {', '.join(decided.redacted)}")


def _look(call: Call, memory: Dispatcher, ids: tuple[str, ...], given: Reviewing) -> None:
    """Walk through what waits with a person at a terminal; list it for everybody else."""
    asks = call.width is not None and not call.as_json and memory.call().writer.is_person
    if asks and not given["as_list"] and given["start"] is None:
        from memory_layer.doors.cli.commands.review_walk import Walk

        Walk(call, memory, ids, given["kind"]).through()
    else:
        _list(call, memory, ids, given)


def _list(call: Call, memory: Dispatcher, ids: tuple[str, ...], given: Listing) -> None:
    from memory_layer.doors import wire
    from memory_layer.doors.cli.commands import review

    wanted = {"memory_ids": ids, "kinds": given["kind"], "limit": given["limit"], "after": given["start"]}
    queue = memory.run(REVIEW, wanted)
    call.reply(wire.queue(queue), review.listed(queue.items, memory.engine.now(), call.width))
    if queue.items:
        call.say("`mem review ID --decide WORD` decides one, of a pair `mem review ID OTHER --decide WORD`")
    if queue.next:
        call.say(f"{review.counted(queue)}; go on with --from {queue.next}")
    if not queue.total:
        call.say("nothing waits for a decision")
