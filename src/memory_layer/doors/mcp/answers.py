"""What the tools answer: the shapes of every door, without what is unset, and bounded."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memory_layer.doors import wire, wire_tiers

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memory_layer.model.capture import Captured
    from memory_layer.model.history import History
    from memory_layer.model.memory import Added, Memory
    from memory_layer.model.procedures import Procedure
    from memory_layer.model.query import Found, Page
    from memory_layer.model.review import Queue
    from memory_layer.model.upkeep import Consolidated
    from memory_layer.usecases.browse import Details
    from memory_layer.usecases.doctor import Diagnosis

Shape = dict[str, Any]

MOST_STEPS = 20  #: of a consolidation or a check, each told in a line
#: As much of a memory as an agent needs to use it; `memory_get` has the rest.
TOLD = (
    "id content category tier project scope tags priority confidence outcome_score worked failed status"
    " created_at"
).split()
#: What goes without saying: most memories are facts of normal priority that nobody judged yet.
USUAL = {"tier": "semantic", "priority": "normal", "outcome_score": 0.0, "worked": 0, "failed": 0}
ASK_AGAIN = "call memory_learn again with the same content and on_duplicate merge, keep or skip"
_TYPES = {"s": "string", "i": "integer", "n": "number", "b": "boolean", "a": "array", "o": "object"}


def schema(**fields: str) -> Shape:
    """The JSON Schema of an answer: each field with the first letter of its type, and `!` if it is always there."""
    shape: Shape = {
        "type": "object",
        "properties": {name: {"type": _TYPES[kind[0]]} for name, kind in fields.items()},
    }
    always = [name for name, kind in fields.items() if kind.endswith("!")]
    return shape | {"required": always} if always else shape


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


def found(answer: Found) -> Shape:
    hits = [
        _of(shape) | brief({name: shape.get(name) for name in ("score", "conflicts", "citation")})
        for shape in wire.found(answer)["hits"]
    ]
    more = {"left_out": answer.cut, "notice": answer.notice}
    return {"recall": answer.recall or "", "hits": hits} | {name: kept for name, kept in more.items() if kept}


def added(answer: Added) -> Shape:
    shape = brief(wire.added(answer))
    return shape | {"next": ASK_AGAIN} if answer.status == "similar" else shape


def details(answer: Details) -> Shape:
    return brief(wire.details(answer))


def page(answer: Page) -> Shape:
    return brief({"next": answer.next}) | {
        "items": [told(each) for each in answer.items],
        "total": answer.total,
    }


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
        "by_kind": wire.plain(answer.by_kind),
    }


def consolidated(done: Consolidated) -> Shape:
    shape = wire.consolidated(done)
    steps = shape.pop("steps")
    counts = {deed: count for deed, count in shape.pop("counts").items() if count}
    left = {"left_out": len(steps) - MOST_STEPS} if len(steps) > MOST_STEPS else {}
    return (
        brief(shape) | {"dry_run": done.dry_run, "counts": counts, "steps": briefs(steps[:MOST_STEPS])} | left
    )


def captured(done: Captured) -> Shape:
    shape = wire.captured(done)
    return brief(shape) | {"kept": briefs(shape["kept"]), "dry_run": done.dry_run}


def cut(shape: Shape, name: str) -> Shape:
    """The same with a bounded list, and how many did not fit."""
    items = shape[name]
    if len(items) <= MOST_STEPS:
        return shape
    return shape | {name: items[:MOST_STEPS], "left_out": len(items) - MOST_STEPS}


def versions(past: History) -> Shape:
    """What each version changed, without the whole record of each."""
    every = [
        {name: value for name, value in version.items() if name != "memory"}
        for version in wire.history(past)["versions"]
    ]
    return cut({"id": past.memory.id, "versions": briefs(every)}, "versions")


def health(found: Diagnosis) -> Shape:
    """Whether anything is wrong, and what."""
    wrong = [wire.plain(check) for check in found.checks if check.is_wrong]
    return {"ok": not wrong and found.opens, "checks": len(found.checks), "problems": briefs(wrong)}


def procedures(kept: Iterable[Procedure]) -> Shape:
    return {"procedures": briefs(wire_tiers.procedures(kept))}


def _of(shape: Shape) -> Shape:
    said = {name: shape[name] for name in TOLD if name not in USUAL or shape[name] != USUAL[name]}
    return brief(said)
