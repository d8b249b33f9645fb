"""One memory in full, in as many answers as it takes: a cursor leads through its text, its links and its outcomes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memory_layer.doors import wire
from memory_layer.doors.mcp.answers import brief, briefs
from memory_layer.doors.mcp.limits import Shape, bounded, fitting, is_small
from memory_layer.model.place import place, values_at

if TYPE_CHECKING:
    from memory_layer.usecases.recall.browse import Details

TEXT_TOKENS, LABEL_TOKENS, LIST_TOKENS = 8_000, 5_000, 3_000
COMPARED = ("content_hash", "lines_hash", "anchor")
MOST_LISTED = 20  #: links and outcomes at a time


def opened(answer: Details, cursor: str | None) -> Shape:
    """The memory from a place on: all of it at first, then what is left of its text and its lists."""
    shape = wire.details(answer)
    memory, links, outcomes = shape.pop("memory"), shape.pop("links"), shape.pop("outcomes")
    text, link, outcome = _places(cursor)
    said = _stretch(memory["content"][text:])
    some_links = _some(links[link:])
    some_outcomes = _some(outcomes[: len(outcomes) if outcome < 0 else outcome][::-1])  # newest first
    older = (len(outcomes) if outcome < 0 else min(outcome, len(outcomes))) - len(some_outcomes)
    places = (text + len(said), link + len(some_links), older)
    if places[0] < len(memory["content"]) or places[1] < len(links) or older:
        shape["next"] = place(places)
    labels = bounded(_labels(memory), LABEL_TOKENS) if cursor is None else {"id": memory["id"]}
    return {"memory": labels | brief({"content": said})} | brief(
        shape | {"links": some_links, "outcomes": some_outcomes}
    )


def _labels(memory: Shape) -> Shape:
    """All of a memory but its text and what only a program compares."""
    cited = [{name: each[name] for name in each if name not in COMPARED} for each in memory["citations"]]
    return brief(
        {name: memory[name] for name in memory if name not in COMPARED}
        | {"content": None, "citations": cited}
    )


def _places(cursor: str | None) -> tuple[int, int, int]:
    """How much of the text and of the links was told, and how many outcomes are left; -1 for all."""
    if cursor is None:
        return 0, 0, -1
    text, link, outcome = (int(value or 0) for value in values_at(cursor, int, int, int))
    return max(text, 0), max(link, 0), max(outcome, 0)


def _stretch(text: str) -> str:
    """As much of a text as one answer holds."""
    part = text
    while len(part) > 1 and not is_small({"content": part}, TEXT_TOKENS):
        part = part[: len(part) * 3 // 4]
    return part


def _some(entries: list[Any]) -> list[Shape]:
    def listed(count: int) -> Shape:
        return {"entries": briefs(entries[:count])}

    some = fitting(min(MOST_LISTED, len(entries)), listed, "entries", LIST_TOKENS)
    kept: list[Shape] = bounded(some, LIST_TOKENS)["entries"]
    return kept
