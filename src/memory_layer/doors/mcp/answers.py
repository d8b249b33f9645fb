"""What the tools answer: the shapes of every door, without what is unset, and bounded."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memory_layer.doors import wire, wire_tiers
from memory_layer.doors.mcp.bounded import LONGEST_TOLD, WHOLE, Shape, bounded, first, is_small, shortened
from memory_layer.doors.mcp.wording import for_an_agent

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from memory_layer.model.capture import Captured
    from memory_layer.model.episodes import Timeline
    from memory_layer.model.history import History
    from memory_layer.model.memory import Added, Citation, Link, Memory, Project
    from memory_layer.model.procedures import Procedure, Procedures
    from memory_layer.model.query import Found, Hit, Page
    from memory_layer.model.review import Queue
    from memory_layer.model.sources import Verified
    from memory_layer.model.upkeep import Consolidated
    from memory_layer.usecases.doctor import Diagnosis

#: As much of a memory as an agent needs to use it; `memory_get` has the rest.
TOLD = (
    "id content category tier project scope tags priority confidence outcome_score worked failed status"
    " created_at"
).split()
#: What goes without saying: most memories are facts of normal priority that nobody judged yet.
USUAL = {"tier": "semantic", "priority": "normal", "outcome_score": 0.0, "worked": 0, "failed": 0}
LONGEST_NOTED = 200  #: characters of a memory that a call named itself
LEAST_OF_A_HIT = 200  #: tokens
LONGEST_WHEN = 300  #: characters of when to use a procedure, in a list
STEPS = "the action get has all of it"
ASK_AGAIN = "call memory_learn again with the same content and on_duplicate merge, keep or skip"
BOTH = "both are kept and linked; if the older one no longer holds, "
CORRECT = "take it out of sight with memory_archive or correct it with memory_update"
REPORT = "report it with memory_outcome as failed, and tell the person you work for"
LARGER = "ask with a larger budget, or for something more exact"
LEAST_TOLD = 60  #: characters of the best hit, however small the budget
_TYPES = {"s": "string", "i": "integer", "n": "number", "b": "boolean", "a": "array", "o": "object"}
_TEXT = {"type": "string"}
_ENTRY = {"type": "object"}
_MEMORY = {"type": "object", "properties": {"id": _TEXT, "content": _TEXT}, "required": ["id", "content"]}
#: Lists that say what is in them: `e` entries of their own shape, `m` memories.
_LISTS = {"e": _ENTRY, "m": _MEMORY}


def schema(**fields: str) -> Shape:
    """The JSON Schema of an answer: each field with the first letter of its type, and `!` if it is always there."""
    shape: Shape = {"type": "object", "properties": {name: _field(kind[0]) for name, kind in fields.items()}}
    always = [name for name, kind in fields.items() if kind.endswith("!")]
    return shape | {"required": always} if always else shape


def _field(kind: str) -> Shape:
    return {"type": "array", "items": _LISTS[kind]} if kind in _LISTS else {"type": _TYPES[kind]}


def brief(shape: Shape) -> Shape:
    """The same without fields that are unset or empty."""
    return {name: _brief(inner) for name, inner in shape.items() if inner not in (None, "", [], {})}


def briefs(shapes: list[Shape]) -> list[Shape]:
    return [brief(each) for each in shapes]


def _brief(value: Any) -> Any:
    if isinstance(value, dict):
        return brief(value)
    return [_brief(each) for each in value] if isinstance(value, list) else value


def told(memory: Memory) -> Shape:
    """As much of a memory as an agent needs."""
    return _of(wire.memory(memory))


def proposed(memory: Memory) -> Shape:
    return {"id": memory.id, "status": "proposed", "reason": "it waits for a person's approval"}


def noted(memory: Memory) -> Shape:
    """Which memory something was done with."""
    said = shortened(memory.content, LONGEST_NOTED)
    return {"id": memory.id, "status": memory.status.value, "content": said}


def found(answer: Found, budget: int, tools: Collection[str] = ()) -> Shape:
    """The hits; a long one takes about the fourth part of the budget, whatever its labels at most half of it.

    The best one is always among them, if need be without its labels.
    """
    where = f"{WHOLE}, or ask with a larger budget" if "memory_get" in tools else "ask with a larger budget"
    hits = [
        _within(budget, shape, where)
        | brief({name: shape.get(name) for name in ("score", "conflicts", "citation")})
        | _drifted(hit)
        for hit, shape in zip(answer.hits, wire.found(answer)["hits"], strict=True)
    ]
    more = {"left_out": answer.cut, "rest": LARGER if answer.cut else None, "notice": answer.notice}
    whole = {"recall": answer.recall or "", "hits": hits} | brief({**more, "left_out": answer.cut or None})
    if len(hits) == 1 and not is_small(whole, budget):
        best = answer.hits[0].memory
        said = shortened(best.content, max(budget, LEAST_TOLD), where)
        whole["hits"] = [{"id": best.id, "content": said}]
    return whole


def _within(budget: int, shape: Shape, where: str) -> Shape:
    """A hit whose text has as many characters as the budget has tokens, or fewer where its labels are long."""
    hit, most = _of(shape, budget, where), max(budget // 2, LEAST_OF_A_HIT)
    return hit if is_small(hit, most) else bounded(_of(shape, len(shape["content"])), most, where)


def _drifted(hit: Hit) -> Shape:
    """Which of a hit's sources changed or are gone."""
    checks = hit.standing.checks if hit.standing else ()
    drifted = [f"{source(each.citation)} is {each.state}" for each in checks if each.state.drifted]
    return {"sources": drifted} if drifted else {}


def source(citation: Citation) -> str:
    """Where a citation leads: `src/app.py:12-14`, or its address."""
    if citation.url:
        return citation.url
    lines = [str(line) for line in (citation.first_line, citation.last_line) if line is not None]
    return ":".join([citation.path or "", *(["-".join(dict.fromkeys(lines))] if lines else [])])


def added(answer: Added, tools: Collection[str] = (), now: str | None = None) -> Shape:
    """What became of a memory, what it is close to, and what to do about that; `now` is what a merge made of it."""
    shape = brief(wire.added(answer))
    for candidate in shape.get("candidates", ()):
        candidate["content"] = shortened(candidate["content"], LONGEST_TOLD)
    if now is not None:
        others = [each for each in shape["candidates"] if each["id"] != answer.id]
        shape = brief(shape | {"candidates": others, "content": shortened(now, LONGEST_TOLD)})
    if answer.status == "similar":
        return shape | {"next": ASK_AGAIN}
    if answer.status == "created" and any(each.relation == "conflicts" for each in answer.candidates):
        return shape | {"next": BOTH + (CORRECT if "memory_archive" in tools else REPORT)}
    return shape


def page(answer: Page) -> Shape:
    return brief({"next": answer.next}) | {
        "items": [told(each) for each in answer.items],
        "total": answer.total,
    }


def timeline(line: Timeline) -> Shape:
    shape = wire_tiers.timeline(line)
    items = [each | {"content": shortened(each["content"], LONGEST_TOLD)} for each in shape["items"]]
    return brief({"next": shape["next"]}) | {"items": briefs(items)}


def projects(known: Sequence[tuple[Project, int]], *, more: bool) -> Shape:
    every = [{"name": each.name, "key": each.key, "memories": count} for each, count in known]
    return brief({"next": known[-1][0].id if more else None}) | {"projects": every}


def linked(known: Sequence[Link], kind: str, other: str) -> Shape:
    """Of all the links that a memory has, the one that was asked for."""
    begun = other if other.startswith("mem_") else f"mem_{other}"
    ends = [(each, (each.source, each.target)) for each in known if each.kind == kind]
    made = [each for each, both in ends if any(end.startswith(begun) for end in both)]
    return {"links": wire.links(made[:1])}


def queue(answer: Queue) -> Shape:
    items = [
        brief(wire.plain(each._asdict() | {"memory": None, "other": None}))
        | {"memory": told(each.memory)}
        | ({"other": told(each.other)} if each.other else {})
        for each in answer.items
    ]
    return brief({"next": answer.next}) | {
        "items": items,
        "total": answer.total,
        "by_kind": _counted(wire.plain(answer.by_kind)),
    }


def consolidated(done: Consolidated) -> Shape:
    shape = wire.consolidated(done)
    steps = shape.pop("steps")
    counts = _counted(shape.pop("counts"))
    rest = "`mem consolidate --dry-run`" if done.dry_run else "`mem audit list`"
    whole = brief(shape) | {"dry_run": done.dry_run, "counts": counts, "steps": briefs(steps)}
    return first(whole, "steps", f"memory_review has what waits; {rest} shows a person all of it")


def _counted(counts: Shape) -> Shape:
    """What there is any of."""
    return {name: count for name, count in counts.items() if count}


def captured(done: Captured) -> Shape:
    shape = wire.captured(done)
    return brief(shape) | {"kept": briefs(shape["kept"]), "dry_run": done.dry_run}


def verified(done: Verified) -> Shape:
    shape = wire.verified(done)
    whole = brief(shape) | {"findings": briefs(shape["findings"]), "counts": _counted(shape["counts"])}
    asked = "ask about some ids" if done.dry_run else "memory_review lists them as drifted"
    return first(whole, "findings", f"{asked}; `mem verify` shows a person all of it")


def versions(past: History) -> Shape:
    """What each version changed, without the whole record of each and without the text in pieces."""
    every = [
        version | {"changes": [_in_short(change) for change in version["changes"]], "memory": None}
        for version in wire.history(past)["versions"]
    ]
    return brief({"next": past.next}) | {"id": past.memory.id, "versions": briefs(every)}


def _in_short(change: Shape) -> Shape:
    where = "memory_get has the newest text"
    return {
        name: shortened(value, LONGEST_TOLD, where) if isinstance(value, str) else value
        for name, value in change.items()
        if name != "pieces"
    }


def health(found: Diagnosis) -> Shape:
    """Whether anything is wrong, and what."""
    wrong = [wire.plain(check) for check in found.checks if check.is_wrong]
    for check in wrong:
        check |= {name: for_an_agent(said, ()) for name, said in check.items() if isinstance(said, str)}
    return {"ok": not wrong and found.opens, "checks": len(found.checks), "problems": briefs(wrong)}


def procedures(listed: Procedures) -> Shape:
    """Which procedures there are, without their steps."""
    every = [
        brief(shape | {"steps": len(shape["steps"]), "when": shortened(shape["when"], LONGEST_WHEN, STEPS)})
        for shape in wire_tiers.procedures(listed.items)
    ]
    return brief({"next": listed.next}) | {"procedures": every}


def procedure(kept: Procedure) -> Shape:
    return {"procedures": briefs(wire_tiers.procedures([kept]))}


def _of(shape: Shape, characters: int = LONGEST_TOLD, where: str = WHOLE) -> Shape:
    said = {name: shape[name] for name in TOLD if name not in USUAL or shape[name] != USUAL[name]}
    return brief(said | {"content": shortened(shape["content"], characters, where)})
