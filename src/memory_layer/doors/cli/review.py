"""`mem review`: the list of what waits, the walk through it, and one decision by its words."""

from __future__ import annotations

from typing import TypedDict, Unpack

import click

from memory_layer.doors.cli import given as typed
from memory_layer.doors.cli.arguments import MemoryId, OneOf, Scoping, asked_from, scope_options, who_options
from memory_layer.doors.cli.call import Call
from memory_layer.doors.cli.command import command
from memory_layer.doors.scope import reading
from memory_layer.model.query import Filters
from memory_layer.model.review import Choice, Decision, Matter
from memory_layer.model.vocabulary import MergeText
from memory_layer.ports import Engine


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
    with call.engine() as engine:
        if given["decide"] is not None:
            _decide(call, engine, ids, given["decide"], given)
        else:
            _look(call, engine, ids, given)


def _decide(call: Call, engine: Engine, ids: tuple[str, ...], decision: Decision, given: Reviewing) -> None:
    from memory_layer.doors import wire
    from memory_layer.doors.cli import render
    from memory_layer.usecases.decide import decide

    where = reading(engine, asked_from(given), call.here)
    choice = Choice(
        memory=ids[0],
        decision=decision,
        other=ids[1] if len(ids) > 1 else None,
        text=given["text"],
        content=typed.standard_input(call) if given["content"] == "-" else given["content"],
    )
    writer = call.writer(engine, where, given["as_name"], given["session"])
    decided = decide(engine, choice, writer, where.place)
    call.reply(wire.decided(decided), render.memories(decided.memories, engine.now(), call.width))
    if decided.notice:
        call.say(render.with_short_ids(decided.notice))
    if decided.redacted:
        call.say(f"redacted before storing: {', '.join(decided.redacted)}")


def _look(call: Call, engine: Engine, ids: tuple[str, ...], given: Reviewing) -> None:
    """Walk through what waits with a person at a terminal; list it for everybody else."""
    from memory_layer.doors.cli.walk import Walk
    from memory_layer.usecases.browse import full_ids

    where = reading(engine, asked_from(given), call.here)
    writer = call.writer(engine, where, given["as_name"], given["session"])
    filters = Filters(reach=where.reach, project=where.project_id, ids=full_ids(engine, ids))
    asks = writer.is_person and call.width is not None and not call.as_json
    if asks and not given["as_list"] and given["start"] is None:
        Walk(call, engine, writer, where.place).through(filters, given["kind"])
    else:
        _list(call, engine, filters, given)


def _list(call: Call, engine: Engine, filters: Filters, given: Listing) -> None:
    from memory_layer.doors import wire
    from memory_layer.doors.cli import waiting
    from memory_layer.usecases import review as usecase

    queue = usecase.review(engine, filters, given["kind"], given["limit"], given["start"])
    call.reply(wire.queue(queue), waiting.listed(queue.items, engine.now(), call.width))
    if queue.items:
        call.say("`mem review ID --decide WORD` decides one, of a pair `mem review ID OTHER --decide WORD`")
    if queue.next:
        call.say(f"{waiting.counted(queue)}; go on with --from {queue.next}")
    if not queue.total:
        call.say("nothing waits for a decision")
