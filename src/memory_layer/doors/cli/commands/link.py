"""`mem link`, and the question of `mem add` that it answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from memory_layer.doors.cli.arguments import MemoryId, OneOf, command, who_options
from memory_layer.model.vocabulary import Relation
from memory_layer.verbs.look_up import SHOW
from memory_layer.verbs.remember import SETTLE

if TYPE_CHECKING:
    from memory_layer.doors.cli.call import CommandCall
    from memory_layer.model.memory import Added, Candidate
    from memory_layer.verbs.call import Dispatcher

_KEYS = {"r": Relation.SUPERSEDES, "s": Relation.SAME, "c": Relation.CONFLICTS}


@command("link", "mem link mem_abc123 supersedes mem_def456", "mem link mem_abc123 same mem_def456")
@click.argument("memory_id", type=MemoryId(), metavar="NEW")
@click.argument("relation", type=OneOf(Relation))
@click.argument("other", type=MemoryId(), metavar="OLD")
@who_options
@click.pass_obj
def link(call: CommandCall, /, **values: Any) -> None:
    """Settle that a memory replaces, repeats or contradicts another.

    With supersedes, OLD is no longer shown; with same, the newer one is merged into the older one; with conflicts, both
    are kept and linked. `mem undo` takes it back. What a person wrote or approved, an agent can neither replace nor
    merge away: that becomes a proposal in `mem review`.
    """
    from memory_layer.doors import wire
    from memory_layer.doors.cli import render

    with call.open() as memory:
        done = memory.run(SETTLE, values)
        text = memory.run(SHOW, {"memory_id": done.id, "peek": True}).memory.content
    call.reply(wire.settled(done), f"{render.short_id(done.id)}  {render.one_line(text)}")
    call.say(render.with_short_ids(done.notice))


def tell(call: CommandCall, answer: Added) -> None:
    """Print what a new memory is close to, and the command that settles it."""
    from memory_layer.doors.cli import render

    call.say(render.candidates(_close(answer), call.width))
    new = render.short_id(answer.id)
    call.say(f"{answer.question} `mem link {new} supersedes|same|conflicts ID` settles it.")


def ask(call: CommandCall, memory: Dispatcher, answer: Added) -> None:
    """Ask a person by a single key how a new memory relates to a close one; any other key keeps both."""
    from memory_layer.doors.cli import render

    close, chosen = _close(answer), 0
    call.say(render.candidates(close, call.width))
    call.say(answer.question or "")
    while True:
        press = _pressed(call, close, chosen)
        if press not in map(str, range(1, len(close) + 1)):
            break
        chosen = int(press) - 1
    if press not in _KEYS:
        call.say("All are kept.")
        return
    named = {"memory_id": answer.id, "relation": _KEYS[press], "other": close[chosen].id}
    call.say(render.with_short_ids(call.confirmed(lambda: memory.run(SETTLE, named)).notice))


def _pressed(call: CommandCall, close: list[Candidate], chosen: int) -> str:
    """Show the keys and wait for one; breaking off counts as Enter."""
    which, others = "it", ""
    if len(close) > 1:
        which, others = f"number {chosen + 1}", f"  [1-{len(close)}] another"
    call.say(f"[r]eplaces {which}  [s]ame  [c]onflicts{others}  [Enter] keep both")
    try:
        return click.getchar().lower()
    except (KeyboardInterrupt, EOFError):
        return ""


def _close(answer: Added) -> list[Candidate]:
    return [each for each in answer.candidates if each.relation == "close"]
