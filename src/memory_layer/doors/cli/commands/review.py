"""`mem review`: list what is waiting for a person, or show one item in full."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

import click

from memory_layer.doors.cli.arguments import (
    MemoryId,
    OneOf,
    command,
    limit_option,
    page_option,
    scope_options,
    who_options,
)
from memory_layer.doors.cli.call import CommandCall
from memory_layer.doors.cli.commands import add as typed
from memory_layer.doors.cli.render import (
    INDENT,
    age,
    entry,
    evidence,
    field,
    short_ids,
    visible,
    with_short_ids,
)
from memory_layer.model.memory import Memory
from memory_layer.model.review import Decision, Matter, Queue, Waiting
from memory_layer.model.vocabulary import MergeText
from memory_layer.verbs.call import Dispatcher
from memory_layer.verbs.govern import DECIDE, REVIEW

MOST_WORDS = 4_000  #: of both texts; in longer ones the differences are not marked
NARROWEST, WIDEST = 40, 110
#: The names of the kinds after a number.
NAMES = {
    Matter.HELD: "not active yet",
    Matter.PROPOSED: "proposed for approval",
    Matter.QUESTION: "close to a known memory",
    Matter.CONFLICT: "contradicting",
    Matter.SIMILAR: "similar",
    Matter.DRIFTED: "with a changed source",
    Matter.FAILING: "failing",
    Matter.DOUBTFUL: "with low confidence",
    Matter.EXPIRED: "expired",
}
_PIECES = re.compile(r"\n|[^\S\n]+|\S+")
Word = tuple[str, bool]  #: True if the other text lacks it


@command("review", "mem review", "mem review mem_abc123 mem_def456 --decide merge --text new")
@click.argument("ids", nargs=-1, type=MemoryId(), metavar="[ID [OTHER]]")
@click.option("--list", "as_list", is_flag=True, help="List the items without asking.")
@click.option(
    "--kind",
    type=OneOf(Matter),
    metavar="KIND",
    multiple=True,
    help=f"Only this kind; repeatable: {', '.join(Matter)}.",
)
@click.option(
    "--decide", type=OneOf(Decision), help=f"Decide about ID without asking: {', '.join(Decision)}."
)
@click.option(
    "--text", type=OneOf(MergeText), default="fuller", help="The text to keep in a merge. Default: fuller."
)
@click.option("--content", metavar="TEXT|-", help="The new text of an edit; - reads standard input.")
@limit_option(20)
@page_option
@scope_options
@who_options
@click.pass_obj
def review(call: CommandCall, /, ids: tuple[str, ...], **options: Any) -> None:
    """Decide what is waiting for a person, one item at a time.

    Items are memories that need approval, are close to a known memory, contradict or repeat another one, cite a
    source that changed or is missing, failed although a person wrote or approved them, have low confidence, or have
    just expired. At a terminal, shows each item with the keys that decide it. With --list, --json, in a pipe or for an
    agent, lists the items and asks nothing. With --decide, decides one item; for a pair, ID supersedes OTHER, or ID is
    archived. An agent may merge, keep or drop a memory that is close to a known one, and archive; only a person
    decides the rest. You confirm approvals by typing a code, at most once every 15 minutes.
    """
    if len(ids) > 2:
        raise click.UsageError("name one memory, or the two of a pair")
    if options["decide"] is None and (options["content"] is not None or options["text"] != MergeText.FULLER):
        raise click.UsageError("--text and --content need --decide")
    if options["decide"] is not None and not ids:
        raise click.UsageError("name the memory to decide about")
    with call.open() as memory:
        if options["decide"] is not None:
            _decide(call, memory, ids, options)
        else:
            _look(call, memory, ids, options)


def _decide(call: CommandCall, memory: Dispatcher, ids: tuple[str, ...], options: dict[str, Any]) -> None:
    from memory_layer.doors import wire
    from memory_layer.doors.cli import render

    choice = {
        "memory_id": ids[0],
        "decision": options["decide"],
        "other": ids[1] if len(ids) > 1 else None,
        "text": options["text"],
        "content": typed.standard_input(call) if options["content"] == "-" else options["content"],
    }
    decided = memory.run(DECIDE, choice)
    call.reply(wire.decided(decided), render.memories(decided.memories, memory.engine.now(), call.width))
    if decided.notice:
        call.say(render.with_short_ids(decided.notice))
    if decided.redacted:
        call.say(f"redacted before storing: {', '.join(decided.redacted)}")


def _look(call: CommandCall, memory: Dispatcher, ids: tuple[str, ...], options: dict[str, Any]) -> None:
    """Walk a person at a terminal through the items; list them for everybody else."""
    asks = call.width is not None and not call.as_json and memory.call().writer.is_person
    if asks and not options["as_list"] and options["start"] is None:
        from memory_layer.doors.cli.commands.review_walk import Walk

        Walk(call, memory, ids, options["kind"]).through()
    else:
        _list(call, memory, ids, options)


def _list(call: CommandCall, memory: Dispatcher, ids: tuple[str, ...], options: dict[str, Any]) -> None:
    from memory_layer.doors import wire

    wanted = {
        "memory_ids": ids,
        "kinds": options["kind"],
        "limit": options["limit"],
        "after": options["start"],
    }
    queue = memory.run(REVIEW, wanted)
    call.reply(wire.queue(queue), listed(queue.items, memory.engine.now(), call.width))
    if queue.items:
        call.say("Decide one: `mem review ID --decide WORD`, or a pair: `mem review ID OTHER --decide WORD`")
    call.say_more(queue.next, counted(queue))
    if not queue.total:
        call.say("nothing is waiting for review")


def listed(items: Sequence[Waiting], now: datetime, width: int | None) -> str:
    """List the items, pairs with both texts."""
    short = short_ids(memory.id for item in items for memory in _memories(item))
    return "\n".join(_entry(item, short, now, width) for item in items)


def counted(queue: Queue) -> str:
    """Count the items by kind, as in `12 waiting: 3 not active yet, 9 expired`."""
    kinds = ", ".join(f"{count:,} {NAMES[kind]}" for kind, count in queue.by_kind.items() if count)
    return f"{queue.total:,} waiting: {kinds}"


def left(selected: int, in_all: int, some: bool) -> str:
    """Count the items left, of the selected ones and of all."""
    if not in_all:
        return "nothing left to review"
    return f"{selected:,} of these left, {in_all:,} in all" if some else f"{in_all:,} left"


def shown(item: Waiting, now: datetime, width: int, coloured: bool) -> str:
    """Show an item in full, with the differences between two texts marked."""
    similarity = "" if item.similarity is None else f", similarity {item.similarity:.2f}"
    lines = [
        f"{click.style(NAMES[item.kind], fg='yellow')}: {with_short_ids(field(item.reason))}{similarity}"
    ]
    texts = [_words(visible(memory.content)) for memory in _memories(item)]
    if len(texts) > 1:
        texts = list(_compared(*texts))
    titles = ("new", "known") if item.kind is Matter.QUESTION else ("newer", "older")
    for place, (memory, words) in enumerate(zip(_memories(item), texts, strict=True)):
        title = f"{titles[place]}  " if item.other else ""
        lines.append(f"{title}{_head(memory, now)}")
        colour = "green" if place == 0 else "red"
        lines += [f"{INDENT}{line}" for line in _laid_out(words, width, colour if coloured else None)]
        lines += [f"{INDENT}{name}: {value}" for name, value in _labels(memory)]
    return "\n".join(lines)


def _memories(item: Waiting) -> list[Memory]:
    return [memory for memory in (item.memory, item.other) if memory]


def _entry(item: Waiting, short: dict[str, str], now: datetime, width: int | None) -> str:
    reason = item.reason
    for whole, beginning in short.items():
        reason = reason.replace(whole, beginning)
    why = [field(reason)] + ([] if item.similarity is None else [f"similarity {item.similarity:.2f}"])
    notes = [field(f"by {item.memory.writer}"), age(item.memory.created_at, now)]
    decide = f"decide: {_either(item.offers)}"
    head = [click.style(short[item.memory.id], fg="cyan"), click.style(item.kind.value, fg="yellow")]
    head.append(item.memory.category.value)
    if width is None:
        block = entry(head, item.memory.content, [*why, *notes, decide], None)
    else:
        lines = [entry(head, item.memory.content, notes, width), f"why: {', '.join(why)}", decide]
        block = f"\n{INDENT}".join(lines)
    if item.other is None:
        return block
    head = [click.style(short[item.other.id], fg="cyan"), item.other.category.value]
    other = entry(
        head, item.other.content, [field(f"by {item.other.writer}"), age(item.other.created_at, now)], width
    )
    return "\n".join([block, *(f"{INDENT}{line}" for line in other.splitlines())])


def _either(offers: Sequence[Decision]) -> str:
    """Join decisions, as in `approve, edit or archive`."""
    *some, last = [offer.value for offer in offers]
    return f"{', '.join(some)} or {last}" if some else last


def _head(memory: Memory, now: datetime) -> str:
    notes = [
        click.style(memory.category.value, bold=True),
        field(f"by {memory.writer} ({memory.writer_kind})"),
        f"source {memory.source}",
        f"confidence {memory.confidence:.2f}",
        age(memory.created_at, now),
        evidence(memory),
        field(memory.project or "global"),
    ]
    return f"{click.style(memory.id[:12], fg='cyan')}  {' · '.join(note for note in notes if note)}"


def _labels(memory: Memory) -> Iterator[tuple[str, str]]:
    """Yield the other fields that agents see, because they are approved along with the text."""
    from memory_layer.doors import wire

    if memory.priority.rank:
        yield "priority", memory.priority.value
    if memory.tags:
        yield "tags", field(", ".join(memory.tags))
    if memory.scope:
        yield "scope", field(", ".join(memory.scope))
    if memory.metadata:
        yield "metadata", field(wire.text(wire.plain(memory.metadata)))
    for citation in memory.citations:
        yield (
            "cites",
            field(": ".join(part for part in (citation.url or citation.path, citation.excerpt) if part)),
        )


def _words(text: str) -> list[Word]:
    return [(piece, False) for piece in _PIECES.findall(text.strip())]


def _compared(one: list[Word], two: list[Word]) -> tuple[list[Word], list[Word]]:
    """Mark the words in each text that the other one lacks at that place."""
    from difflib import SequenceMatcher

    if len(one) + len(two) > MOST_WORDS:
        return one, two
    matcher = SequenceMatcher(None, [word for word, _ in one], [word for word, _ in two], autojunk=False)
    same_in_one, same_in_two = set(), set()
    for block in matcher.get_matching_blocks():
        same_in_one |= set(range(block.a, block.a + block.size))
        same_in_two |= set(range(block.b, block.b + block.size))
    return (
        [(word, place not in same_in_one) for place, (word, _) in enumerate(one)],
        [(word, place not in same_in_two) for place, (word, _) in enumerate(two)],
    )


def _laid_out(words: list[Word], width: int, colour: str | None) -> list[str]:
    """Wrap the words to the terminal; mark differences by colour, or by brackets without colours."""
    columns = max(NARROWEST, min(width, WIDEST)) - len(INDENT)
    lines, used = [""], 0
    for word, differs in words:
        if word == "\n" or (used + len(word) > columns and used and not word.isspace()):
            lines.append("")
            used = 0
        if word == "\n" or (word.isspace() and not used):
            continue
        lines[-1] += _marked(word, colour) if differs and not word.isspace() else word
        used += len(word)
    return [line.rstrip(" \t") for line in lines]


def _marked(word: str, colour: str | None) -> str:
    return f"[{word}]" if colour is None else click.style(word, fg=colour)
