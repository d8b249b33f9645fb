"""The core set: the tools an agent needs to remember, recall and learn."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from memory_layer.doors import wire, wire_context
from memory_layer.doors.mcp import answers, pages
from memory_layer.doors.mcp.answers import brief, schema
from memory_layer.doors.mcp.arguments import LONGEST_LIST, Argument
from memory_layer.doors.mcp.limits import Shape, fitting
from memory_layer.doors.mcp.tool import Given, Tool, ToolAction, ToolCall, of_actions
from memory_layer.errors import NotFound
from memory_layer.model.vocabulary import Category, Status
from memory_layer.verbs import learn, recall, remember, upkeep
from memory_layer.verbs.call import Target

if TYPE_CHECKING:
    from memory_layer.model.query import Found

PROCEDURES_LISTED = 50
IDS = Argument("memory_ids", most=LONGEST_LIST)
CURSOR = Argument("after")
PATHS = "As src/api/**"
CITED = "path:line or URL"


def search(call: ToolCall, given: Given) -> Shape:
    own, budget = call.own, given["budget"]

    def shown(found: Found) -> Shape:
        return pages.found(found, budget, own, call.tools)

    def measured(found: Found) -> str:
        """Write the answer as if some hits did not fit; the best one is shortened until it does."""
        return wire.text(shown(found._replace(cut=1))) if len(found.hits) > 1 else ""

    return shown(call.do(recall.SEARCH, with_archive(call, given), measure=measured))


def with_archive(call: ToolCall, given: Given) -> Given:
    """Add the filter that includes archived memories, if the call asks for them."""
    widened = call.extra.archived and "statuses" not in given
    return {**given, "filters.statuses": (Status.ACTIVE, Status.ARCHIVED)} if widened else given


def add(call: ToolCall, given: Given) -> Shape:
    added = call.do(remember.ADD, given)
    now = None
    if added.status == "merged":
        with suppress(NotFound):  # somebody was faster to forget it
            now = call.do(recall.SHOW, memory_id=added.id, peek=True).memory.content
    return call.placed(answers.added(added, call.tools, now))


def outcome(call: ToolCall, given: Given) -> Shape:
    done = call.do(learn.OUTCOME, given)
    return {"outcomes": answers.judged(done)}


def context(call: ToolCall, given: Given) -> Shape:
    answer = call.do(recall.CONTEXT, given)
    return (
        brief({"recall": answer.recall})
        | {
            "text": answer.text,
            "tokens": answer.tokens,
            "ids": [line.memory.id for line in answer.lines],
        }
        | brief({"left_out": answer.left_out or None, "notice": answer.notice})
    )


def episode(call: ToolCall, given: Given) -> Shape:
    return call.placed(brief(wire_context.recorded(call.do(learn.EPISODE, given))))


def procedures(call: ToolCall, given: Given) -> Shape:
    own = call.own
    return fitting(
        PROCEDURES_LISTED,
        lambda limit: answers.procedures(call.do(learn.PROCEDURES, given, limit=limit), own),
        "procedures",
    )


def procedure(call: ToolCall, given: Given) -> Shape:
    kept = wire_context.procedure(call.do(learn.PROCEDURE, given))
    return {"procedures": [answers.procedure(kept, call.own)]}


def save_procedure(call: ToolCall, given: Given) -> Shape:
    saved = wire_context.saved(call.do(learn.SAVE_PROCEDURE, given))
    return call.placed({"procedures": [answers.procedure(saved, call.own)]})


def procedure_done(call: ToolCall, given: Given) -> Shape:
    return {"outcome": answers.judged([call.do(learn.PROCEDURE_DONE, given)])[0]}


def stats(call: ToolCall, given: Given) -> Shape:
    return wire.stats(call.do(recall.STATS))


def consolidate(call: ToolCall, given: Given) -> Shape:
    # Only a project that the call names: without one the whole store is tidied, whatever the server was started for.
    named = Target(call.extra.project or call.extra.namespace)
    done = call.do(upkeep.CONSOLIDATE, given, target=named)
    assert done is not None  # it is None only where somebody asked whether it is due
    return answers.consolidated(done, call.tools)


CORE = (
    Tool(
        "memory_recall",
        "Search what is remembered, before you decide, edit or debug; not files or the web. Report the hits"
        " you used with memory_outcome.",
        (recall.SEARCH,),
        {
            "query": Argument("text"),
            "limit": Argument(default=5, most=50),
            "categories": Argument(),
            "tags": Argument(),
            "paths": Argument("filters.paths", "That apply to one of these files"),
            "scopes": Argument("filters.scopes", "That carry these patterns"),
            "since": Argument("filters.after", "As 7d, or a date"),
            "until": Argument("filters.before"),
            "min_confidence": Argument("filters.min_confidence"),
            "archived": Argument(about="Also what is out of sight"),
            "mode": Argument(),
            "budget": Argument(default=2_000, most=15_000),
        },
        schema(recall="s", hits="e!"),
        search,
        in_session=True,
        reading="Search what is remembered, before you decide, edit or debug; not files or the web.",
    ),
    Tool(
        "memory_learn",
        "Remember one lasting fact, preference, decision or observation; not documents or curated knowledge"
        " (those belong in files), not the state of a session. After `similar` call again with on_duplicate."
        " memory://categories explains the categories.",
        (remember.ADD,),
        {
            "content": Argument(about="One fact, in one sentence"),
            "category": Argument(words=tuple(Category)),
            "type": Argument("category", "Same as category"),
            "tags": Argument(),
            "metadata": Argument(),
            "scope": Argument(about=f"Paths it holds for. {PATHS}"),
            "priority": Argument(),
            "confidence": Argument(about="0 to 1; can only lower the usual one"),
            "relevance": Argument(about="0 to 1"),
            "expires_at": Argument(about="As 30d, or a date"),
            "never_expires": Argument(),
            "cite": Argument(about=CITED),
            "global": Argument("only_global", "It holds in every project"),
            "on_duplicate": Argument(about="merge: the fuller text stays; keep: both; skip: the known one"),
            "namespace": Argument(about="Same as project"),
            "writer_id": Argument(about="Who writes, if not the client"),
        },
        schema(id="s!", status="s!", candidates="a", next="s"),
        add,
        in_session=True,
        writes=True,
        idempotent=True,
    ),
    Tool(
        "memory_outcome",
        "Say whether memories you used worked, once you have seen the result: good ones rise, bad ones sink.",
        (learn.OUTCOME,),
        {
            "ids": IDS,
            "result": Argument(),
            "recall": Argument(about="The recall id (rec_…) of that answer"),
            "query": Argument(about="Without a recall: the question"),
            "evidence": Argument(),
            "event_id": Argument(about="Makes a retry count once"),
        },
        schema(outcomes="a!"),
        outcome,
        in_session=True,
        writes=True,
    ),
    Tool(
        "memory_context",
        "What to know before a task: rules, facts and procedures as a text. Call it once at the beginning;"
        " later use memory_recall.",
        (recall.CONTEXT,),
        {
            "task": Argument(),
            "paths": Argument(),
            "start": Argument(about="Begin with the last handoff"),
            "budget": Argument(most=10_000),
        },
        schema(recall="s", text="s!", ids="a!"),
        context,
        in_session=True,
    ),
    Tool(
        "memory_episode",
        "Record what just happened: a decision, an error, a milestone. For what stays true use memory_learn.",
        (learn.EPISODE,),
        {
            "text": Argument(),
            "kind": Argument(),
            "outcome": Argument(),
            "tags": Argument(),
            "at": Argument(about="If not now: as 2h (ago), or a time"),
        },
        schema(id="s!", status="s!", number="i!"),
        episode,
        in_session=True,
        writes=True,
    ),
    of_actions(
        "memory_procedure",
        "Named steps to repeat: list, get, save (name, steps, when) or report how they went (name, result).",
        {
            "list": ToolAction(learn.PROCEDURES, procedures),
            "get": ToolAction(learn.PROCEDURE, procedure),
            "save": ToolAction(learn.SAVE_PROCEDURE, save_procedure, writes=True),
            "report": ToolAction(learn.PROCEDURE_DONE, procedure_done, writes=True),
        },
        {
            "name": Argument(),
            "steps": Argument(steps=True),
            "when": Argument(),
            "scope": Argument(),
            "tags": Argument(),
            "result": Argument(),
            "evidence": Argument(),
            "cursor": CURSOR,
        },
        schema(procedures="a", outcome="o", next="s"),
        reading="Named steps to repeat: list them, or get one by its name.",
    ),
    Tool(
        "memory_stats",
        "How much is remembered, and how it fared.",
        (recall.STATS,),
        {},
        schema(total="i!", active="i!", by_category="o!", outcomes="o!"),
        stats,
    ),
    Tool(
        "memory_consolidate",
        "Tidy up when asked to: archive what is over, merge what says the same. It can be undone; dry_run"
        " only shows.",
        (upkeep.CONSOLIDATE,),
        {"dry_run": Argument()},
        schema(dry_run="b!", counts="o!", steps="a!", operation="s"),
        consolidate,
        writes=True,
        mixed=True,
        reading="Show what tidying up would archive and merge; nothing is done.",
    ),
)
