"""Answers of the tools: the JSON of every door without unset fields, and bounded."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import TYPE_CHECKING, Any

from memory_layer.doors import wire, wire_context
from memory_layer.doors.mcp.limits import LONGEST_TEXT, WHOLE, Shape, first, shortened
from memory_layer.model.vocabulary import STARTING_CONFIDENCE, Source, Status

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from memory_layer.model.capture import Captured
    from memory_layer.model.changes import Curated, Edited
    from memory_layer.model.episodes import Timeline
    from memory_layer.model.history import History, Undone
    from memory_layer.model.memory import Added, Link, Memory, Project
    from memory_layer.model.outcome import Judged
    from memory_layer.model.query import Found, Page
    from memory_layer.model.review import Decision, Queue, Waiting
    from memory_layer.model.runs import Procedures
    from memory_layer.model.sources import Verified
    from memory_layer.model.upkeep import Consolidated
    from memory_layer.usecases.upkeep.doctor import Diagnosis


EVERYWHERE = "global"  #: stands for a project where there is none
_COMMAND = re.compile(r"`mem ([a-z]+(?: list| save| show| link)?)[^`]*`(?! \(for the person)")
#: The tool that does what a command does.
TOOLS_FOR_COMMANDS = {
    "search": "memory_recall",
    "show": "memory_get",
    "history": "memory_history",
    "edit": "memory_update with content and cite",
    "archive": "memory_archive",
    "restore": "memory_restore",
    "outcome": "memory_outcome",
    "revert": "memory_revert",
    "undo": "memory_undo",
    "stats": "memory_stats",
    "recalls": "memory_recalls",
    "run show": "memory_run with the action get",
    "timeline": "memory_timeline",
    "projects": "memory_projects",
    "review": "memory_review",
    "verify": "memory_verify",
    "episode": "memory_episode",
    "procedure list": "memory_procedure with the action list",
    "procedure save": "memory_procedure with the action save",
    "tasks": "memory_tasks with the action list",
    "tasks link": "memory_tasks with the action link",
}
FOR_A_PERSON = "{} (for the person you work for to run)"


#: The fields of a memory that an agent needs to use it; `memory_get` has the rest.
SUMMARY_FIELDS = (
    "id content category tier project scope tags priority confidence outcome_score worked failed status"
    " created_at"
).split()
#: Values that are left out: most memories are facts of normal priority without outcomes.
DEFAULTS = {
    "tier": "semantic",
    "priority": "normal",
    "outcome_score": 0.0,
    "worked": 0,
    "failed": 0,
    "partial": 0,
    "proven": False,
    "status": "active",
}
PAGE_SIZE = 20  #: entries of a list by default
LONGEST_LINE = 200  #: characters of a memory that the call itself named
DIGITS = 3  #: of a score
TO_THE_DAY, TO_THE_SECOND = 10, 19  #: characters of a moment
LONGEST_WHEN = 300  #: characters of a procedure's `when`, in a list
STEPS = "use the action get for all of it"
ASK_AGAIN = "call memory_learn again with the same content and on_duplicate set to merge, keep or skip"
SETTLE = "if so, call memory_learn again with the same content and its id as supersedes, same or conflicts"
BOTH = "both are kept and linked; if the older one is no longer true, "
CORRECT = "archive it with memory_archive or correct it with memory_update"
REPORT = "report it as failed with memory_outcome, and tell the person you work for"
_TYPES = {"s": "string", "i": "integer", "n": "number", "b": "boolean", "a": "array", "o": "object"}
_TEXT = {"type": "string"}
_ENTRY = {"type": "object"}
_MEMORY = {"type": "object", "properties": {"id": _TEXT, "content": _TEXT}, "required": ["id", "content"]}
#: Lists that say what is in them: `e` entries of their own shape, `m` memories.
_LISTS = {"e": _ENTRY, "m": _MEMORY}


def for_an_agent(text: str, tools: Collection[str]) -> str:
    """Replace commands by the tools that do the same; mark the others as commands for a person."""

    def replaced(found: re.Match[str]) -> str:
        tool = TOOLS_FOR_COMMANDS.get(found[1], "")
        return tool if tool.partition(" ")[0] in tools else FOR_A_PERSON.format(found[0])

    return _COMMAND.sub(replaced, text)


def schema(**fields: str) -> Shape:
    """Return the JSON Schema of an answer: each field with its type's letter, and `!` if it is always there."""
    shape: Shape = {"type": "object", "properties": {name: _field(kind[0]) for name, kind in fields.items()}}
    always = [name for name, kind in fields.items() if kind.endswith("!")]
    return shape | {"required": always} if always else shape


def _field(kind: str) -> Shape:
    return {"type": "array", "items": _LISTS[kind]} if kind in _LISTS else {"type": _TYPES[kind]}


def brief(shape: Shape) -> Shape:
    """Drop fields that are unset or empty."""
    return {name: _brief(inner) for name, inner in shape.items() if inner not in (None, "", [], {})}


def briefs(shapes: list[Shape]) -> list[Shape]:
    return [brief(each) for each in shapes]


def _brief(value: Any) -> Any:
    if isinstance(value, dict):
        return brief(value)
    return [_brief(each) for each in value] if isinstance(value, list) else value


def judged(reports: Iterable[Judged]) -> list[Shape]:
    """Show the result of each report; only a repeated one says so."""
    return [brief(shape | {"repeated": shape["repeated"] or None}) for shape in wire.judged(reports)]


def memory_summary(memory: Memory, project_key: str | None = None) -> Shape:
    """Show the fields of a memory that an agent needs, without the project if it is the call's own."""
    return summarise(wire.memory(memory), project_key)


def proposed(memory: Memory) -> Shape:
    return {"id": memory.id, "status": "proposed", "reason": "waits for a person's approval"}


def edited(done: Edited) -> Shape:
    """Show a memory after a change, in short, and the changed fields."""
    shape = memory_line(done.memory) | {"version": done.memory.version}
    changed = [each.field for each in done.changes]
    more = {"redacted": list(done.redacted), "hint": done.hint}
    return {"memory": shape, "changed": changed} | brief(more)


def memory_line(memory: Memory) -> Shape:
    """Show the memory that something was done with."""
    content = shortened(memory.content, LONGEST_LINE)
    return {"id": memory.id, "status": memory.status.value, "content": content}


def confirmed(done: Curated) -> Shape:
    """Show a memory that was confirmed, or why that was not counted."""
    return memory_line(done.memory) | brief({"notice": done.notice})


def undone(done: Undone) -> Shape:
    """Show the result of undoing an operation."""
    shape = wire.undone(done)
    details = {name: shape[name] for name in ("actions", "notes", "passed_over")}
    memories = [memory_line(each) for each in done.memories]
    return {"operation": done.operation, "undoes": done.undoes, "memories": memories} | brief(details)


def added(answer: Added, tools: Collection[str] = (), now: str | None = None) -> Shape:
    """Show the result of adding a memory and what to do next; `now` is the text after a merge."""
    shape = brief(wire.added(answer))
    for candidate in shape.get("candidates", ()):
        candidate["content"] = shortened(candidate["content"], LONGEST_TEXT)
    if now is not None:
        others = [each for each in shape.get("candidates", ()) if each["id"] != answer.id]
        shape = brief(shape | {"candidates": others, "content": shortened(now, LONGEST_TEXT)})
    asked = shape.pop("question", None)
    if answer.status == "similar":
        return shape | {"next": ASK_AGAIN}
    if asked:
        return shape | {"next": f"{asked[:-1]}? {SETTLE}"}
    if answer.status == "created" and any(each.relation == "conflicts" for each in answer.candidates):
        return shape | {"next": BOTH + (CORRECT if "memory_archive" in tools else REPORT)}
    return shape


def explained(answer: Found, project_key: str | None) -> Shape:
    """Show each hit and near miss with what decided about it."""
    fields = ("score", "signals", "reason", "words")
    shapes = wire.explained(answer)
    lists: Shape = {
        name: [
            memory_summary(each.memory, project_key)
            | {field: shape[field] for field in fields if field in shape}
            for each, shape in zip(getattr(answer, name), shapes[name], strict=True)
        ]
        for name in ("hits", "near_misses")
    }
    return lists | brief({"notice": answer.notice})


def page(answer: Page, project_key: str | None) -> Shape:
    return brief({"next": answer.next}) | {
        "items": [
            memory_summary(each, project_key) | ({"failing": True} if each.id in answer.failing else {})
            for each in answer.items
        ],
        "total": answer.total,
    }


def timeline(line: Timeline, project_key: str | None) -> Shape:
    shape = wire_context.timeline(line)
    items = [
        _without_defaults(each, project_key)
        | {"content": shortened(each["content"], LONGEST_TEXT), "at": f"{each['at'][:TO_THE_SECOND]}Z"}
        for each in shape["items"]
    ]
    return brief({"next": shape["next"]}) | {"items": briefs(items)}


def projects(known: Sequence[tuple[Project, int]], *, more: bool) -> Shape:
    every = [{"name": each.name, "key": each.key, "memories": count} for each, count in known]
    return brief({"next": known[-1][0].id if more else None}) | {"items": every}


def linked(known: Sequence[Link], values: Mapping[str, str]) -> Shape:
    """Pick the requested link out of all links of a memory."""
    kind, other = values["kind"].strip().lower(), values["other"]
    prefix = other if other.startswith("mem_") else f"mem_{other}"
    fitting = (
        each
        for each in known
        if each.kind == kind and (each.source.startswith(prefix) or each.target.startswith(prefix))
    )
    return {"links": wire.links([*fitting][:1])}


def queue(answer: Queue, project_key: str | None, rights: Callable[[Waiting], Collection[Decision]]) -> Shape:
    """Show the review queue, each item with what the caller may decide, and what only a person may."""
    items = [
        brief(wire.plain(each._asdict() | {"memory": None, "other": None}))
        | _offers(each, rights(each))
        | {"memory": memory_summary(each.memory, project_key)}
        | ({"other": memory_summary(each.other, project_key)} if each.other else {})
        for each in answer.items
    ]
    return brief({"next": answer.next}) | {
        "items": items,
        "total": answer.total,
        "by_kind": _nonzero(wire.plain(answer.by_kind)),
    }


def _offers(item: Waiting, allowed: Collection[Decision]) -> Shape:
    rest = [decision.value for decision in item.offers if decision not in allowed]
    return {"offers": [decision.value for decision in allowed]} | ({"needs_person": rest} if rest else {})


def consolidated(done: Consolidated, tools: Collection[str]) -> Shape:
    shape = wire.consolidated(done)
    steps = shape.pop("steps")
    counts = _nonzero(shape.pop("counts"))
    rest = "`mem consolidate --dry-run`" if done.dry_run else "`mem audit list`"
    whole = brief(shape) | {"dry_run": done.dry_run, "counts": counts, "steps": briefs(steps)}
    waits = "memory_review lists what waits for review; " if "memory_review" in tools else ""
    return first(whole, "steps", f"{waits}{rest} shows a person the whole list")


def _nonzero(counts: Shape) -> Shape:
    return {name: count for name, count in counts.items() if count}


def captured(done: Captured) -> Shape:
    shape = wire.captured(done)
    return brief(shape) | {"kept": briefs(shape["kept"]), "dry_run": done.dry_run}


def verified(done: Verified) -> Shape:
    shape = wire.verified(done)
    whole = brief(shape) | {"findings": briefs(shape["findings"]), "counts": _nonzero(shape["counts"])}
    rest = "verify some ids" if done.dry_run else "memory_review lists them as drifted"
    return first(whole, "findings", f"{rest}; `mem verify` shows a person the whole list")


def versions(past: History) -> Shape:
    """Show what each version changed, without the whole records and without the text in pieces."""
    every = [
        version | {"changes": [_shorten_texts(change) for change in version["changes"]], "memory": None}
        for version in wire.history(past)["versions"]
    ]
    return brief({"next": past.next}) | {"id": past.memory.id, "versions": briefs(every)}


def _shorten_texts(change: Shape) -> Shape:
    where = "memory_get has the newest text"
    return {
        name: shortened(value, LONGEST_TEXT, where) if isinstance(value, str) else value
        for name, value in change.items()
        if name != "pieces"
    }


def health(found: Diagnosis) -> Shape:
    """Show whether anything is wrong, and what."""
    wrong = [wire.plain(check) for check in found.checks if check.is_wrong]
    for check in wrong:
        check |= {name: for_an_agent(text, ()) for name, text in check.items() if isinstance(text, str)}
    return {"ok": not wrong and found.opens, "checks": len(found.checks), "problems": briefs(wrong)}


def procedures(listed: Procedures, project_key: str | None) -> Shape:
    """List procedures without their steps."""
    every = [
        procedure(
            shape | {"steps": len(shape["steps"]), "when": shortened(shape["when"], LONGEST_WHEN, STEPS)},
            project_key,
        )
        for shape in wire_context.procedures(listed.items)
    ]
    return brief({"next": listed.next}) | {"items": every}


def procedure(shape: Shape, project_key: str | None) -> Shape:
    return brief(_without_defaults(shape, project_key))


def summarise(
    shape: Shape, project_key: str | None, characters: int = LONGEST_TEXT, where: str = WHOLE
) -> Shape:
    summary = _without_defaults({name: shape[name] for name in SUMMARY_FIELDS}, project_key)
    if shape["confidence"] == STARTING_CONFIDENCE[Source(shape["source"])]:
        del summary["confidence"]
    if shape["status"] == Status.ACTIVE and shape.get("reason"):
        summary["reason"] = f"{shape['reason']}; it waits for a person's review"
    content = shortened(shape["content"], characters, where)
    return brief(summary | {"content": content, "created_at": shape["created_at"][:TO_THE_DAY]})


def _without_defaults(shape: Shape, project_key: str | None) -> Shape:
    """Drop default values, and the project if it is the one the call is about."""
    rest = {name: value for name, value in shape.items() if name not in DEFAULTS or value != DEFAULTS[name]}
    return rest | {"project": None if shape["project"] == project_key else shape["project"] or EVERYWHERE}
