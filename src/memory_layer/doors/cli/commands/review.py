"""What waits for a person as text: in a list, or one thing with everything needed to decide."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import datetime

import click

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
