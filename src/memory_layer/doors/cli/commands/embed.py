"""`mem embed`: vectors for what has none of the installed model, and what becomes of another model's."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from memory_layer.doors.cli.call import Call, bars
from memory_layer.doors.cli.command import command
from memory_layer.verbs.upkeep import EMBED, EMBEDDING

if TYPE_CHECKING:
    from memory_layer.usecases.upkeep.embed import Embedded, Standing
    from memory_layer.verbs.verb import Dispatcher


@command("embed", "mem embed", "mem embed --check")
@click.option("--check", is_flag=True, help="Only say how many memories have their vectors.")
@click.option("--prune", is_flag=True, help="Then drop the vectors that other models made.")
@click.pass_obj
def embed(call: Call, check: bool, prune: bool) -> None:
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


def _embedded(call: Call, memory: Dispatcher, prune: bool) -> Embedded:
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
        lines.append(f"embedded {_memories(done.done)}" if done.done else "every memory has its vectors")
    if done.questions:
        lines.append(f"embedded {_questions(done.questions)} that outcomes were reported for")
    if (dropped := done.pruned) is not None:
        room = f"; the store's file has {size(dropped.size)} of room for new ones" if dropped.vectors else ""
        lines.append(f"dropped {_counted(dropped.vectors, 'vector', 'vectors')} of other models{room}")
    return "\n".join(lines)


def _standing(found: Standing) -> str:
    from memory_layer.doors.cli.commands.show import size

    whole = found.memories + found.missing
    lines = [f"{found.fingerprint}  {found.memories:,} of {_memories(whole)}, {size(found.size)}"]
    lines += [
        f"{each.fingerprint}  {_memories(each.memories)}, {size(each.size)}; another model's, never compared"
        for each in found.others
    ]
    left = [_memories(found.missing)] if found.missing else []
    left += [_questions(found.questions)] if found.questions else []
    lines += [f"to do: {' and '.join(left)}; `mem embed` does it"] if left else []
    lines += ["`mem embed --prune` drops what other models made"] if found.others else []
    return "\n".join(lines)


def _memories(count: int) -> str:
    return _counted(count, "memory", "memories")


def _questions(count: int) -> str:
    return _counted(count, "question", "questions")


def _counted(count: int, one: str, more: str) -> str:
    return f"{count:,} {one if count == 1 else more}"
