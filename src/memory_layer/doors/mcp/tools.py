"""The core set: what an agent needs to remember, find again and learn from."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from memory_layer.doors import wire, wire_tiers
from memory_layer.doors.mcp import answers, arguments, hits
from memory_layer.doors.mcp.answers import brief, schema
from memory_layer.doors.mcp.bounded import Shape, fitting
from memory_layer.doors.mcp.tool import Call, Tool
from memory_layer.errors import InvalidInput, NotFound

if TYPE_CHECKING:
    from memory_layer.model.query import Found

PROCEDURES_LISTED = 50
#: What each action on procedures takes.
TAKEN = {
    "list": ("cursor",),
    "get": ("name",),
    "save": ("name", "steps", "when"),
    "report": ("name", "result", "evidence"),
}


def recall(call: Call, given: arguments.Recall) -> Shape:
    own = call.own

    def shown(found: Found) -> Shape:
        return hits.found(found, given.budget, own, call.tools)

    def measured(found: Found) -> str:
        """The answer as if some did not fit; the best hit always does, for it is shortened until it fits."""
        return wire.text(shown(found._replace(cut=1))) if len(found.hits) > 1 else ""

    return shown(
        call.memory.search(
            given.query,
            limit=given.limit,
            categories=given.categories,
            tags=given.tags,
            budget=given.budget,
            peek=call.only_read,
            shown=measured,
        )
    )


def learn(call: Call, given: arguments.Learn) -> Shape:
    added = call.memory.add(
        given.content,
        category=given.category,
        tags=given.tags,
        scope_patterns=given.scope,
        cite=given.cite,
        on_duplicate=given.on_duplicate,
    )
    now = None
    if added.status == "merged":
        with suppress(NotFound):  # somebody was faster to forget it
            now = call.memory.get(added.id, peek=True).content
    return call.placed(answers.added(added, call.tools, now))


def outcome(call: Call, given: arguments.Report) -> Shape:
    judged = call.memory.outcome(
        given.ids,
        given.result,
        recall=given.recall,
        evidence=given.evidence,
        event_id=given.event_id,
    )
    return {"outcomes": answers.judged(judged)}


def context(call: Call, given: arguments.Context) -> Shape:
    answer = call.memory.context(
        task=given.task, paths=given.paths, start=given.start, budget=given.budget, peek=call.only_read
    )
    return (
        brief({"recall": answer.recall})
        | {
            "text": answer.text,
            "tokens": answer.tokens,
            "ids": [line.memory.id for line in answer.lines],
        }
        | brief({"left_out": answer.left_out or None, "notice": answer.notice})
    )


def episode(call: Call, given: arguments.Episode) -> Shape:
    done = call.memory.episode(given.text, kind=given.kind, outcome=given.outcome)
    return call.placed(brief(wire_tiers.recorded(done)))


def procedure(call: Call, given: arguments.Procedure) -> Shape:
    """List, get, save or report; each is a use case of its own."""
    _check_taken(given)
    if given.action in ("save", "report"):
        call.check_may_write(f"{given.action} a procedure")
    own = call.own
    if given.action == "list":
        return fitting(
            PROCEDURES_LISTED,
            lambda limit: answers.procedures(call.memory.procedures(limit=limit, after=given.cursor), own),
            "procedures",
        )
    name = _needed(given.name, "name", given.action)
    if given.action == "get":
        kept = wire_tiers.procedure(call.memory.procedure(name))
        return {"procedures": [answers.procedure(kept, own)]}
    if given.action == "save":
        done = call.memory.save_procedure(name, given.steps, when=given.when)
        return call.placed({"procedures": [answers.procedure(wire_tiers.saved(done), call.own)]})
    result = _needed(given.result, "result", given.action)
    judged = call.memory.procedure_done(name, result, evidence=given.evidence)
    return {"outcome": answers.judged([judged])[0]}


def _check_taken(given: arguments.Procedure) -> None:
    """What was given for another action was meant for something: it is not passed over."""
    taken = TAKEN[given.action]
    every = dict.fromkeys(name for names in TAKEN.values() for name in names)
    if wrong := [name for name in every if name not in taken and getattr(given, name)]:
        of = [action for action, names in TAKEN.items() if wrong[0] in names]
        raise InvalidInput(
            f"the action {given.action} takes no {wrong[0]}, only {' and '.join(taken)}; {wrong[0]} belongs to"
            f" {' and '.join(of)}"
        )


def _needed(value: str | None, name: str, action: str) -> str:
    if value is None:
        raise InvalidInput(f"the action {action} needs the argument {name}")
    return value


def stats(call: Call, given: arguments.Stats) -> Shape:
    return wire.stats(call.memory.stats())


def consolidate(call: Call, given: arguments.Consolidate) -> Shape:
    done = call.memory.consolidate(
        dry_run=given.dry_run or call.only_read, project=given.project, progress=call.progress
    )
    assert done is not None  # it is None only where somebody asked whether it is due
    return answers.consolidated(done, call.tools)


CORE = (
    Tool(
        "memory_recall",
        "Search what is remembered, before you decide, edit or debug; not files or the web. Report the hits"
        " you used with memory_outcome.",
        arguments.Recall,
        schema(recall="s", hits="e!"),
        recall,
        reading="Search what is remembered, before you decide, edit or debug; not files or the web.",
    ),
    Tool(
        "memory_learn",
        "Remember one lasting fact, preference, decision or observation; not documents or curated knowledge"
        " (those belong in files), not the state of a session. After `similar` call again with on_duplicate.",
        arguments.Learn,
        schema(id="s!", status="s!", candidates="a", next="s"),
        learn,
        writes=True,
        idempotent=True,
    ),
    Tool(
        "memory_outcome",
        "Say whether memories you used worked, once you have seen the result: good ones rise, bad ones sink.",
        arguments.Report,
        schema(outcomes="a!"),
        outcome,
        writes=True,
    ),
    Tool(
        "memory_context",
        "What to know before a task: rules, facts and procedures as a text. Call it once at the beginning;"
        " later use memory_recall.",
        arguments.Context,
        schema(recall="s", text="s!", ids="a!"),
        context,
    ),
    Tool(
        "memory_episode",
        "Record what just happened: a decision, an error, a milestone. For what stays true use memory_learn.",
        arguments.Episode,
        schema(id="s!", status="s!", number="i!"),
        episode,
        writes=True,
    ),
    Tool(
        "memory_procedure",
        "Named steps to repeat: list, get, save (name, steps, when) or report how they went (name, result).",
        arguments.Procedure,
        schema(procedures="a", outcome="o", next="s"),
        procedure,
        writes=True,
        mixed=True,
        reading="Named steps to repeat: list them, or get one by its name.",
    ),
    Tool(
        "memory_stats",
        "How much is remembered, and how it fared.",
        arguments.Stats,
        schema(total="i!", active="i!", by_category="o!", outcomes="o!"),
        stats,
    ),
    Tool(
        "memory_consolidate",
        "Tidy up when asked to: archive what is over, merge what says the same. It can be undone; dry_run"
        " only shows.",
        arguments.Consolidate,
        schema(dry_run="b!", counts="o!", steps="a!", operation="s"),
        consolidate,
        writes=True,
        mixed=True,
        reading="Show what tidying up would archive and merge; nothing is done.",
    ),
)
