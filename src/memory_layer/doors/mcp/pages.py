"""Page through one memory with a cursor over its text, links and outcomes, and fit hits into a budget."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memory_layer.doors import wire
from memory_layer.doors.mcp.limits import WHOLE, Shape, bounded, fitting, is_small, shortened
from memory_layer.doors.mcp.tool_answers import DIGITS, brief, briefs, for_an_agent, summarise
from memory_layer.model.query import place, values_at

if TYPE_CHECKING:
    from collections.abc import Collection

    from memory_layer.model.query import Found, Hit
    from memory_layer.usecases.look_up.browse import Details


TEXT_TOKENS, LABEL_TOKENS, LIST_TOKENS = 8_000, 5_000, 3_000
COMPARED = ("content_hash", "lines_hash", "anchor")
MOST_LISTED = 20  #: links and outcomes at a time
LEAST_HIT_TOKENS = 200
LEAST_CHARACTERS = 60  #: of the best hit, however small the budget
CHARACTERS_PER_TOKEN = 4  #: in most texts
MOST_SOURCES, LONGEST_SOURCE = 3, 200  #: of those that drifted, and characters of each
LARGER = "use a larger budget"
NOTHING = "nothing stored answers this"


def opened(answer: Details, cursor: str | None) -> Shape:
    """Return the memory from a cursor on: all of it at first, then the rest of its text and lists."""
    shape = wire.details(answer)
    memory, links, outcomes = shape.pop("memory"), shape.pop("links"), shape.pop("outcomes")
    text, link, outcome = _places(cursor)
    part = _stretch(memory["content"][text:])
    shown_links = _some(links[link:])
    shown_outcomes = _some(outcomes[: len(outcomes) if outcome < 0 else outcome][::-1])  # newest first
    older = (len(outcomes) if outcome < 0 else min(outcome, len(outcomes))) - len(shown_outcomes)
    places = (text + len(part), link + len(shown_links), older)
    if places[0] < len(memory["content"]) or places[1] < len(links) or older:
        shape["next"] = place(places)
    labels = bounded(_labels(memory), LABEL_TOKENS) if cursor is None else {"id": memory["id"]}
    return {"memory": labels | brief({"content": part})} | brief(
        shape | {"links": shown_links, "outcomes": shown_outcomes, "failing": answer.failing or None}
    )


def _labels(memory: Shape) -> Shape:
    """Return a memory without its text and what only a program compares."""
    cited = [{name: each[name] for name in each if name not in COMPARED} for each in memory["citations"]]
    return brief(
        {name: memory[name] for name in memory if name not in COMPARED}
        | {"content": None, "citations": cited}
    )


def _places(cursor: str | None) -> tuple[int, int, int]:
    """Decode a cursor: characters and links already shown, and outcomes left; -1 for all."""
    if cursor is None:
        return 0, 0, -1
    text, link, outcome = (int(value or 0) for value in values_at(cursor, int, int, int))
    return max(text, 0), max(link, 0), max(outcome, 0)


def _stretch(text: str) -> str:
    """Return as much of a text as fits into one answer."""
    part = text
    while len(part) > 1 and not is_small({"content": part}, TEXT_TOKENS):
        part = part[: len(part) * 3 // 4]
    return part


def _some(entries: list[Any]) -> list[Shape]:
    def page_of(count: int) -> Shape:
        return {"entries": briefs(entries[:count])}

    page = fitting(min(MOST_LISTED, len(entries)), page_of, "entries", LIST_TOKENS)
    entries_shown: list[Shape] = bounded(page, LIST_TOKENS)["entries"]
    return entries_shown


def found(answer: Found, budget: int, project_key: str | None = None, tools: Collection[str] = ()) -> Shape:
    """Show the hits, fitted into the budget: a long text gets about a quarter of it, a hit at most half.

    The best one is always among them, without its labels if necessary.
    """
    where = f"{WHOLE}, or {LARGER}" if "memory_get" in tools else LARGER
    hits = [
        _within(budget, shape, project_key, where) | brief(_about(hit))
        for hit, shape in zip(answer.hits, wire.found(answer)["hits"], strict=True)
    ]
    remarks = [for_an_agent(answer.notice, tools)] if answer.notice else []
    remarks += [] if answer.hits or answer.cut else [NOTHING]
    notice = {"notice": "; ".join(remarks)} if remarks else {}
    cut = {"left_out": answer.cut, "rest": f"{LARGER} or a more specific query"} if answer.cut else {}
    whole = brief({"recall": answer.recall}) | {"hits": hits} | cut | notice
    return whole if len(hits) != 1 or is_small(whole, budget) else _bare(whole, answer.hits[0], budget, where)


def _bare(whole: Shape, hit: Hit, budget: int, where: str) -> Shape:
    """Return the answer with as much of its only hit's text as fits, and no labels."""
    characters = CHARACTERS_PER_TOKEN * budget
    while True:
        content = shortened(hit.memory.content, max(characters, LEAST_CHARACTERS), where)
        whole = whole | {"hits": [{"id": hit.memory.id, "content": content}]}
        if characters <= LEAST_CHARACTERS or is_small(whole, budget):
            return whole
        characters = characters * 3 // 4


def _within(budget: int, shape: Shape, project_key: str | None, where: str) -> Shape:
    """Return a hit with as many characters as the budget has tokens, fewer if its labels are long."""
    hit, most = summarise(shape, project_key, budget, where), max(budget // 2, LEAST_HIT_TOKENS)
    return (
        hit
        if is_small(hit, most)
        else bounded(summarise(shape, project_key, len(shape["content"])), most, where)
    )


def _about(hit: Hit) -> Shape:
    """Show the score of a hit, whether it is failing, its conflicts, and the state of its citations."""
    checks = hit.standing.checks if hit.standing else ()
    drifted = [f"{each.citation.where} is {each.state}" for each in checks if each.state.drifted]
    more = [f"and {len(drifted) - MOST_SOURCES} more"] if len(drifted) > MOST_SOURCES else []
    return {
        "score": round(hit.score, DIGITS),
        "strength": hit.strength.value,
        "failing": hit.failing or None,
        "conflicts": list(hit.conflicts),
        "citation": hit.standing.state.value if hit.standing else None,
        "sources": [each[-LONGEST_SOURCE:] for each in drifted[:MOST_SOURCES]] + more,
    }
