"""Tools for tasks: runs, prompts, and earlier recalls."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memory_layer.doors import wire, wire_context
from memory_layer.doors.mcp import tool_answers
from memory_layer.doors.mcp.arguments import LONGEST_LIST, Argument
from memory_layer.doors.mcp.limits import LONGEST_TEXT, Shape, fitting, shortened
from memory_layer.doors.mcp.tool import Tool, ToolAction, ToolCall, Values, of_actions
from memory_layer.doors.mcp.tool_answers import brief, briefs, schema
from memory_layer.errors import InvalidInput
from memory_layer.verbs import learn, recall

if TYPE_CHECKING:
    from memory_layer.model.runs import Run

LONGEST_TASK = 200  #: characters of a task in a list
BUDGET = Argument(most=10_000)


def start(call: ToolCall, values: Values) -> Shape:
    return _run(call.do(learn.START_RUN, values))


def finish(call: ToolCall, values: Values) -> Shape:
    shape = wire.finished(call.do(learn.FINISH_RUN, values))
    run, learned = shape.pop("run"), shape.pop("learned")
    return {"id": run["id"], "result": run["result"]} | brief(shape | {"learned": briefs(learned)})


def get(call: ToolCall, values: Values) -> Shape:
    return _run(call.do(learn.RUN, values))


def runs(call: ToolCall, values: Values) -> Shape:
    def page_of(limit: int) -> Shape:
        known = call.do(learn.RUNS, values, limit=limit)
        shapes = wire.runs(known)
        return {
            "runs": [brief(each | {"task": shortened(each["task"], LONGEST_TASK)}) for each in shapes],
        }

    return fitting(values.get("limit", tool_answers.PAGE_SIZE), page_of, "runs")


def _run(run: Run) -> Shape:
    """Show a run with the text that it was given."""
    shape = wire.run(run)
    text, hits = shape.pop("text"), shape.pop("hits")
    return brief(shape) | {"text": text or "", "ids": [each["id"] for each in hits]}


def compose(call: ToolCall, values: Values) -> Shape:
    shape = wire_context.prompt(call.do(recall.COMPOSE, values))
    details = {name: shape[name] for name in ("recall", "left_out", "redacted")}
    return {"text": shape["text"], "tokens": shape["tokens"], "ids": shape["memories"]} | brief(details)


def recalls(call: ToolCall, values: Values) -> Shape:
    """List recalls, or show one: its memories, or its rebuilt text."""
    if "id" not in values:
        if call.extra.text:
            raise InvalidInput("text needs the id of a recall")
        return _list_recalls(call, values)
    if call.extra.text:
        return brief(wire_context.reproduced(call.do(recall.TEXT_GIVEN, values)))
    shape = wire.recall(call.do(recall.RECALL, values))
    project_key = call.project_key
    hits = [
        tool_answers.summarise(each, project_key) | {"score": each["score"]} for each in shape.pop("hits")
    ]
    return {"recalls": [brief(shape)], "hits": hits}


def _list_recalls(call: ToolCall, values: Values) -> Shape:
    def page_of(limit: int) -> Shape:
        known = call.do(recall.RECALLS, values, limit=limit)
        shapes = wire.recalls(known)
        return {
            "recalls": [brief(each | {"query": shortened(each["query"], LONGEST_TEXT)}) for each in shapes]
        }

    return fitting(values.get("limit", tool_answers.PAGE_SIZE), page_of, "recalls")


RUN_TOOLS = (
    of_actions(
        "memory_run",
        "Run a task with memories: start (task) returns them, finish (id, result, used, notes) reports how it ended"
        " and what it taught; get or list.",
        {
            "start": ToolAction(learn.START_RUN, start, writes=True),
            "finish": ToolAction(learn.FINISH_RUN, finish, writes=True),
            "get": ToolAction(learn.RUN, get),
            "list": ToolAction(learn.RUNS, runs),
        },
        {
            "id": Argument("run_id"),
            "task": Argument(),
            "write_scope": Argument(about="Paths it may change, e.g. src/api/**"),
            "include": Argument(about="Ids to always include"),
            "exclude": Argument(),
            "budget": BUDGET,
            "result": Argument(),
            "used": Argument(about="Ids of the memories it used"),
            "notes": Argument(about="What it taught, one sentence each"),
            "limit": Argument(most=LONGEST_LIST),
        },
        schema(id="s", text="s", ids="a", learned="e", runs="e"),
        in_session=True,
        reading="List tasks, or get one by its id, with the memories it was given.",
    ),
    Tool(
        "memory_compose",
        "Write a complete prompt for another agent from these parts and the memories a run would get.",
        (recall.COMPOSE,),
        {
            "task": Argument(),
            "role": Argument(),
            "workspace": Argument(),
            "read_first": Argument(),
            "constraints": Argument(),
            "retry_digest": Argument(about="What went wrong last time"),
            "output_format": Argument(),
            "write_scope": Argument(),
            "include": Argument(),
            "exclude": Argument(),
            "memories": Argument(about="Exactly these ids, in this order"),
            "limit": Argument(most=LONGEST_LIST),
            "budget": BUDGET,
        },
        schema(recall="s", text="s!", tokens="i!", ids="a!"),
        compose,
        in_session=True,
    ),
    Tool(
        "memory_recalls",
        "List what agents were given before, or get one recall by its id with its memories.",
        (recall.RECALLS, recall.RECALL, recall.TEXT_GIVEN),
        {
            "id": Argument("recall_id"),
            "text": Argument(about="Only the text of that context or prompt"),
            "of_session": Argument("session"),
            "limit": Argument(most=LONGEST_LIST),
        },
        schema(recalls="e", hits="m", text="s"),
        recalls,
    ),
)
