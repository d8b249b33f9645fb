"""What a search found, within a budget of tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memory_layer.doors import wire
from memory_layer.doors.mcp.answers import DIGITS, brief, part_of
from memory_layer.doors.mcp.limits import WHOLE, Shape, bounded, is_small, shortened
from memory_layer.doors.mcp.wording import for_an_agent

if TYPE_CHECKING:
    from collections.abc import Collection

    from memory_layer.model.query import Found, Hit

LEAST_OF_A_HIT = 200  #: tokens
LEAST_TOLD = 60  #: characters of the best hit, however small the budget
LONGEST_OF_A_TOKEN = 4  #: characters, in most texts
MOST_SOURCES, LONGEST_SOURCE = 3, 200  #: of those that drifted, and characters of each
LARGER = "ask with a larger budget"


def found(answer: Found, budget: int, own: str | None = None, tools: Collection[str] = ()) -> Shape:
    """The hits; a long one takes about the fourth part of the budget, whatever its labels at most half of it.

    The best one is always among them, if need be without its labels.
    """
    where = f"{WHOLE}, or {LARGER}" if "memory_get" in tools else LARGER
    hits = [
        _within(budget, shape, own, where) | brief(_about(hit))
        for hit, shape in zip(answer.hits, wire.found(answer)["hits"], strict=True)
    ]
    notice = {"notice": for_an_agent(answer.notice, tools)} if answer.notice else {}
    cut = {"left_out": answer.cut, "rest": f"{LARGER}, or for something more exact"} if answer.cut else {}
    whole = brief({"recall": answer.recall}) | {"hits": hits} | cut | notice
    return whole if len(hits) != 1 or is_small(whole, budget) else _bare(whole, answer.hits[0], budget, where)


def _bare(whole: Shape, hit: Hit, budget: int, where: str) -> Shape:
    """The answer with as much of its only hit's text as fits, and no labels."""
    characters = LONGEST_OF_A_TOKEN * budget
    while True:
        said = shortened(hit.memory.content, max(characters, LEAST_TOLD), where)
        whole = whole | {"hits": [{"id": hit.memory.id, "content": said}]}
        if characters <= LEAST_TOLD or is_small(whole, budget):
            return whole
        characters = characters * 3 // 4


def _within(budget: int, shape: Shape, own: str | None, where: str) -> Shape:
    """A hit whose text has as many characters as the budget has tokens, or fewer where its labels are long."""
    hit, most = part_of(shape, own, budget, where), max(budget // 2, LEAST_OF_A_HIT)
    return hit if is_small(hit, most) else bounded(part_of(shape, own, len(shape["content"])), most, where)


def _about(hit: Hit) -> Shape:
    """How a hit stands: against the question, against others, and against what it cites."""
    checks = hit.standing.checks if hit.standing else ()
    drifted = [f"{each.citation.where} is {each.state}" for each in checks if each.state.drifted]
    more = [f"and {len(drifted) - MOST_SOURCES} more"] if len(drifted) > MOST_SOURCES else []
    return {
        "score": round(hit.score, DIGITS),
        "conflicts": list(hit.conflicts),
        "citation": hit.standing.state.value if hit.standing else None,
        "sources": [each[-LONGEST_SOURCE:] for each in drifted[:MOST_SOURCES]] + more,
    }
