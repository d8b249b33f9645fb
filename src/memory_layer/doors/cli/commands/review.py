"""What waits for a person as text: in a list, or one thing with everything needed to decide."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import TypedDict, Unpack

import click

from memory_layer.doors.cli.arguments import (
    MemoryId,
    OneOf,
    Scoping,
    command,
    scope_options,
    target_from,
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

#: Above this many words in both texts together nothing is marked.
MOST_WORDS = 4_000
NARROWEST, WIDEST = 40, 110
#: What a kind is called where there are one or several of it.
NAMES = {
    Matter.HELD: "held back",
    Matter.PROPOSED: "proposed for approval",
    Matter.QUESTION: "close to a known memory",
    Matter.CONFLICT: "contradicting",
    Matter.SIMILAR: "nearly the same",
    Matter.DRIFTED: "with a source that changed",
    Matter.FAILING: "guarded, but failing",
    Matter.DOUBTFUL: "of little confidence",
    Matter.EXPIRED: "expired",
}
_PIECES = re.compile(r"\n|[^\S\n]+|\S+")
Word = tuple[str, bool]  #: and whether the other text lacks it


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
def review(call: CommandCall, ids: tuple[str, ...], **given: Unpack[Reviewing]) -> None:
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


def _decide(call: CommandCall, memory: Dispatcher, ids: tuple[str, ...], given: Reviewing) -> None:
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


def _look(call: CommandCall, memory: Dispatcher, ids: tuple[str, ...], given: Reviewing) -> None:
    """Walk through what waits with a person at a terminal; list it for everybody else."""
    asks = call.width is not None and not call.as_json and memory.call().writer.is_person
    if asks and not given["as_list"] and given["start"] is None:
        from memory_layer.doors.cli.commands.review_walk import Walk

        Walk(call, memory, ids, given["kind"]).through()
    else:
        _list(call, memory, ids, given)


def _list(call: CommandCall, memory: Dispatcher, ids: tuple[str, ...], given: Listing) -> None:
    from memory_layer.doors import wire

    wanted = {"memory_ids": ids, "kinds": given["kind"], "limit": given["limit"], "after": given["start"]}
    queue = memory.run(REVIEW, wanted)
    call.reply(wire.queue(queue), listed(queue.items, memory.engine.now(), call.width))
    if queue.items:
        call.say("`mem review ID --decide WORD` decides one, of a pair `mem review ID OTHER --decide WORD`")
    if queue.next:
        call.say(f"{counted(queue)}; go on with --from {queue.next}")
    if not queue.total:
        call.say("nothing waits for a decision")


def listed(items: Sequence[Waiting], now: datetime, width: int | None) -> str:
    """One entry for each thing, of a pair with both texts."""
    short = short_ids(memory.id for item in items for memory in _memories(item))
    return "\n".join(_entry(item, short, now, width) for item in items)


def counted(queue: Queue) -> str:
    """`12 wait: 3 held back, 9 expired`."""
    kinds = ", ".join(f"{count:,} {NAMES[kind]}" for kind, count in queue.by_kind.items() if count)
    return f"{queue.total:,} {'waits' if queue.total == 1 else 'wait'}: {kinds}"


def left(asked_for: int, in_all: int, some: bool) -> str:
    """What still waits, of `some` that were asked for and of everything."""
    if not in_all:
        return "nothing waits any more"
    if not some:
        return f"{in_all:,} still {'waits' if in_all == 1 else 'wait'}"
    these = f"{asked_for:,} of these still {'waits' if asked_for == 1 else 'wait'}"
    return f"{these if asked_for else 'none of these waits any more'}, {in_all:,} in all"


def shown(item: Waiting, now: datetime, width: int, coloured: bool) -> str:
    """One thing in full: why it waits, and what it says; what differs between two texts is marked."""
    alike = "" if item.similarity is None else f", similarity {item.similarity:.2f}"
    lines = [f"{click.style(NAMES[item.kind], fg='yellow')}: {with_short_ids(field(item.reason))}{alike}"]
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
    told = [field(reason)]
    told += [] if item.similarity is None else [f"similarity {item.similarity:.2f}"]
    told += [field(f"by {item.memory.writer}"), age(item.memory.created_at, now)]
    told.append(f"decide: {_either(item.offers)}")
    head = [click.style(short[item.memory.id], fg="cyan"), click.style(item.kind.value, fg="yellow")]
    block = entry([*head, item.memory.category.value], item.memory.content, told, width)
    if item.other is None:
        return block
    head = [click.style(short[item.other.id], fg="cyan"), item.other.category.value]
    other = entry(
        head, item.other.content, [field(f"by {item.other.writer}"), age(item.other.created_at, now)], width
    )
    return "\n".join([block, *(f"{INDENT}{line}" for line in other.splitlines())])


def _either(offers: Sequence[Decision]) -> str:
    """`approve, edit or archive`."""
    *some, last = [offer.value for offer in offers]
    return f"{', '.join(some)} or {last}" if some else last


def _head(memory: Memory, now: datetime) -> str:
    told = [
        click.style(memory.category.value, bold=True),
        field(f"by {memory.writer} ({memory.writer_kind})"),
        f"source {memory.source}",
        f"confidence {memory.confidence:.2f}",
        age(memory.created_at, now),
        evidence(memory),
        field(memory.project or "global"),
    ]
    return f"{click.style(memory.id[:12], fg='cyan')}  {' · '.join(part for part in told if part)}"


def _labels(memory: Memory) -> Iterator[tuple[str, str]]:
    """Everything else an agent would be told, because it is approved along with the text."""
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
    """Both texts with the words marked that the other lacks at that place."""
    from difflib import SequenceMatcher

    if len(one) + len(two) > MOST_WORDS:
        return one, two
    matcher = SequenceMatcher(None, [word for word, _ in one], [word for word, _ in two], autojunk=False)
    kept, known = set(), set()
    for block in matcher.get_matching_blocks():
        kept |= set(range(block.a, block.a + block.size))
        known |= set(range(block.b, block.b + block.size))
    return (
        [(word, place not in kept) for place, (word, _) in enumerate(one)],
        [(word, place not in known) for place, (word, _) in enumerate(two)],
    )


def _laid_out(words: list[Word], width: int, colour: str | None) -> list[str]:
    """The words in lines of the terminal's width; marks are colours, or brackets where there are none."""
    room = max(NARROWEST, min(width, WIDEST)) - len(INDENT)
    lines, used = [""], 0
    for word, differs in words:
        if word == "\n" or (used + len(word) > room and used and not word.isspace()):
            lines.append("")
            used = 0
        if word == "\n" or (word.isspace() and not used):
            continue
        lines[-1] += _marked(word, colour) if differs and not word.isspace() else word
        used += len(word)
    return [line.rstrip(" \t") for line in lines]


def _marked(word: str, colour: str | None) -> str:
    return f"[{word}]" if colour is None else click.style(word, fg=colour)
