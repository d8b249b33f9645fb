"""The core set: the tools an agent needs to remember, recall and learn."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from memory_layer.doors import wire, wire_context
from memory_layer.doors.mcp import pages, tool_answers
from memory_layer.doors.mcp.arguments import LONGEST_LIST, Argument, plain
from memory_layer.doors.mcp.limits import Shape, fitting
from memory_layer.doors.mcp.tool import Tool, ToolAction, ToolCall, Values, of_actions
from memory_layer.doors.mcp.tool_answers import brief, schema
from memory_layer.errors import NotFound
from memory_layer.model.vocabulary import Category, Status
from memory_layer.verbs import give, learn, look_up, recall, remember, upkeep
from memory_layer.verbs.call import Target

if TYPE_CHECKING:
    from memory_layer.model.query import Found

PROCEDURES_LISTED = 50
IDS = Argument("memory_ids", most=LONGEST_LIST)
CURSOR = Argument("after")
PATHS = "e.g. src/api/**"
CITED = "path:line or URL"


def search(call: ToolCall, values: Values) -> Shape:
    project_key, budget = call.project_key, values["budget"]

    def show(found: Found) -> Shape:
        return pages.found(found, budget, project_key, call.tools)

    def measured(found: Found) -> str:
        """Write the answer as if some hits did not fit; the best one is shortened until it does."""
        return wire.text(show(found._replace(cut=1))) if len(found.hits) > 1 else ""

    return show(call.do(recall.SEARCH, with_archive(call, values), measure=measured))


def with_archive(call: ToolCall, values: Values) -> Values:
    """Add the filter that includes archived memories, if the call asks for them."""
    widened = call.extra.archived and "statuses" not in values
    return {**values, "filters.statuses": (Status.ACTIVE, Status.ARCHIVED)} if widened else values


def add(call: ToolCall, values: Values) -> Shape:
    added = call.do(remember.ADD, values)
    now = None
    if added.status == "merged":
        with suppress(NotFound):  # forgotten in the meantime
            now = call.do(look_up.SHOW, memory_id=added.id, peek=True).memory.content
    return call.placed(tool_answers.added(added, call.tools, now))


def outcome(call: ToolCall, values: Values) -> Shape:
    done = call.do(learn.OUTCOME, values)
    return {"outcomes": tool_answers.judged(done)}


def context(call: ToolCall, values: Values) -> Shape:
    answer = call.do(give.CONTEXT, values)
    return (
        brief({"recall": answer.recall})
        | {
            "text": answer.text,
            "tokens": answer.tokens,
            "ids": [line.memory.id for line in answer.lines],
        }
        | brief({"left_out": answer.left_out or None, "notice": answer.notice})
    )


def episode(call: ToolCall, values: Values) -> Shape:
    return call.placed(brief(wire_context.recorded(call.do(learn.EPISODE, values))))


def procedures(call: ToolCall, values: Values) -> Shape:
    project_key = call.project_key
    return fitting(
        PROCEDURES_LISTED,
        lambda limit: tool_answers.procedures(call.do(learn.PROCEDURES, values, limit=limit), project_key),
    )


def procedure(call: ToolCall, values: Values) -> Shape:
    shape = wire_context.procedure(call.do(learn.PROCEDURE, values))
    return {"items": [tool_answers.procedure(shape, call.project_key)]}


def save_procedure(call: ToolCall, values: Values) -> Shape:
    saved = wire_context.saved(call.do(learn.SAVE_PROCEDURE, values))
    return call.placed({"items": [tool_answers.procedure(saved, call.project_key)]})


def procedure_done(call: ToolCall, values: Values) -> Shape:
    return {"outcome": tool_answers.judged([call.do(learn.PROCEDURE_DONE, values)])[0]}


def stats(call: ToolCall, values: Values) -> Shape:
    return wire.stats(call.do(look_up.STATS, values))


def consolidate(call: ToolCall, values: Values) -> Shape:
    # Without a project in the call itself the whole store is tidied, whatever project the server was started for.
    named = Target(call.extra.project or call.extra.namespace)
    done = call.do(upkeep.CONSOLIDATE, values, target=named)
    assert done is not None  # None only with if_due
    return tool_answers.consolidated(done, call.tools)


CORE = (
    Tool(
        "memory_recall",
        "Search memories before you decide, edit or debug; does not search files or the web. Report the hits"
        " you used with memory_outcome.",
        (recall.SEARCH,),
        {
            "query": Argument("text"),
            "limit": Argument(default=5, most=50),
            **plain("categories tags"),
            "paths": Argument("filters.paths", "Memories that apply to one of these files"),
            "scopes": Argument("filters.scopes", "Memories with these scope patterns"),
            "since": Argument("filters.after", "7d or a date"),
            "until": Argument("filters.before"),
            "min_confidence": Argument("filters.min_confidence"),
            "archived": Argument(about="Include archived ones"),
            "nearest": Argument(about="Also weak, distant hits"),
            "mode": Argument(),
            "budget": Argument(default=2_000, most=15_000),
        },
        schema(recall="s", hits="e!"),
        search,
        in_session=True,
        reading="Search memories before you decide, edit or debug; does not search files or the web.",
        at_once=True,
    ),
    Tool(
        "memory_learn",
        "Store one lasting fact, preference, decision or observation; not documents or curated knowledge"
        " (put those in files), not session state. If the answer has candidates, `next` says how to settle them."
        " memory://categories explains the categories.",
        (remember.ADD,),
        {
            "content": Argument(about="One fact, in one sentence"),
            "category": Argument(words=tuple(Category)),
            "type": Argument("category", "Same as category"),
            **plain("tags metadata"),
            "scope": Argument(about=f"Paths it applies to, {PATHS}"),
            "priority": Argument(),
            "confidence": Argument(about="0 to 1; can only lower the default"),
            "relevance": Argument(about="0 to 1"),
            "expires_at": Argument(about="30d or a date"),
            "never_expires": Argument(),
            "cite": Argument(about=CITED),
            "global": Argument("only_global", "Applies to every project"),
            "on_duplicate": Argument(about="merge, keep both or skip the new one"),
            **plain("supersedes same conflicts"),
            "namespace": Argument(about="Same as project"),
            "writer_id": Argument(about="The writer, if not the client"),
        },
        schema(id="s!", status="s!", candidates="a", next="s"),
        add,
        in_session=True,
        writes=True,
        idempotent=True,
    ),
    Tool(
        "memory_outcome",
        "Report whether memories you used worked, once you have seen the result; it changes their ranking.",
        (learn.OUTCOME,),
        {
            "ids": IDS,
            "result": Argument(),
            "recall": Argument(about="The id (rec_…) of the recall they came from"),
            "query": Argument(about="The question, if there is no recall"),
            "evidence": Argument(),
            "task": Argument(about="Completed; the evidence"),
            "event_id": Argument(about="Counts a retry only once"),
        },
        schema(outcomes="a!"),
        outcome,
        in_session=True,
        writes=True,
    ),
    Tool(
        "memory_context",
        "Get what to know before a task, as text. Call it once at the start; use memory_recall later.",
        (give.CONTEXT,),
        {
            **plain("task task_id paths"),
            "start": Argument(about="Open handoffs first"),
            "budget": Argument(most=10_000),
            "order": Argument(),
        },
        schema(recall="s", text="s!", ids="a!"),
        context,
        in_session=True,
        at_once=True,
    ),
    Tool(
        "memory_episode",
        "Record what just happened: a decision, an error, a milestone. Use memory_learn for lasting facts.",
        (learn.EPISODE,),
        {
            **plain("text kind outcome tags"),
            "at": Argument(about="If not now: 2h (ago) or a time"),
        },
        schema(id="s!", status="s!", number="i!"),
        episode,
        in_session=True,
        writes=True,
    ),
    of_actions(
        "memory_procedure",
        "Reusable named steps: list, get, save (name, steps, when) or report how they went (name, result).",
        {
            "list": ToolAction(learn.PROCEDURES, procedures),
            "get": ToolAction(learn.PROCEDURE, procedure),
            "save": ToolAction(learn.SAVE_PROCEDURE, save_procedure, writes=True),
            "report": ToolAction(learn.PROCEDURE_DONE, procedure_done, writes=True),
        },
        {
            "name": Argument(),
            "steps": Argument(steps=True),
            **plain("when scope tags result evidence"),
            "cursor": CURSOR,
        },
        schema(items="a", outcome="o", next="s"),
        reading="Reusable named steps: list them, or get one by its name.",
    ),
    Tool(
        "memory_stats",
        "Count memories by category, status and outcome.",
        (look_up.STATS,),
        plain("everything"),
        schema(total="i!", active="i!", by_category="o!", outcomes="o!"),
        stats,
    ),
    Tool(
        "memory_consolidate",
        "Tidy up when asked to: archive expired memories and merge duplicates. Can be undone; dry_run only"
        " shows it.",
        (upkeep.CONSOLIDATE,),
        {"dry_run": Argument()},
        schema(dry_run="b!", counts="o!", steps="a!", operation="s"),
        consolidate,
        writes=True,
        mixed=True,
        reading="Show what tidying up would archive and merge; nothing is changed.",
    ),
)
