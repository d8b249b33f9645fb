"""The rest of the full set: runs, prompts, earlier recalls, reviewing, episodes, and maintenance."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memory_layer.doors import wire, wire_context
from memory_layer.doors.mcp import tool_answers
from memory_layer.doors.mcp.arguments import LONGEST_LIST, Argument, plain
from memory_layer.doors.mcp.limits import LONGEST_TEXT, Shape, fitting, shortened
from memory_layer.doors.mcp.memory_tools import ID, LIMIT, MEMORY_TOOLS
from memory_layer.doors.mcp.task_tools import TASK_TOOLS
from memory_layer.doors.mcp.tool import Tool, ToolAction, ToolCall, Values, of_actions
from memory_layer.doors.mcp.tool_answers import brief, briefs, schema
from memory_layer.doors.mcp.tools import CITED, CORE, CURSOR
from memory_layer.errors import InvalidInput
from memory_layer.model.review import Decision
from memory_layer.model.vocabulary import Category
from memory_layer.verbs import give, govern, learn, look_up, remember, upkeep

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
            "items": [brief(each | {"task": shortened(each["task"], LONGEST_TASK)}) for each in shapes],
        }

    return fitting(values.get("limit", tool_answers.PAGE_SIZE), page_of)


def _run(run: Run) -> Shape:
    """Show a run with the text that it was given."""
    shape = wire.run(run)
    text, hits = shape.pop("text"), shape.pop("hits")
    return brief(shape) | {"text": text or "", "ids": [each["id"] for each in hits]}


def compose(call: ToolCall, values: Values) -> Shape:
    shape = wire_context.prompt(call.do(give.COMPOSE, values))
    details = {
        "recall": shape["recall"],
        "left_out": len(shape["left_out"]) or None,
        "redacted": shape["redacted"],
    }
    return {"text": shape["text"], "tokens": shape["tokens"], "ids": shape["memories"]} | brief(details)


def recalls(call: ToolCall, values: Values) -> Shape:
    """List recalls, or show one: its memories, or its rebuilt text."""
    if call.extra.last:
        return _last_session(call, values)
    if "id" not in values:
        if call.extra.text:
            raise InvalidInput("text needs the id of a recall")
        return _list_recalls(call, values)
    if call.extra.text:
        return brief(wire_context.reproduced(call.do(look_up.TEXT_GIVEN, values)))
    shape = wire.recall(call.do(look_up.RECALL, values))
    project_key = call.project_key
    hits = [
        tool_answers.summarise(each, project_key) | {"score": each["score"]} for each in shape.pop("hits")
    ]
    return {"items": [brief(shape)], "hits": hits}


def _last_session(call: ToolCall, values: Values) -> Shape:
    report = call.do(look_up.LAST_SESSION, values)
    shape = wire.session_report(report) or {"lines": []}
    project_key = call.project_key
    lines = [
        {"part": each["part"]} | tool_answers.summarise(each["memory"], project_key)
        for each in shape.pop("lines")
    ]
    return {"items": [brief(shape)] if shape else [], "hits": lines}


def _list_recalls(call: ToolCall, values: Values) -> Shape:
    def page_of(limit: int) -> Shape:
        known = call.do(look_up.RECALLS, values, limit=limit)
        shapes = wire.recalls(known)
        return {"items": [brief(each | {"query": shortened(each["query"], LONGEST_TEXT)}) for each in shapes]}

    return fitting(values.get("limit", tool_answers.PAGE_SIZE), page_of)


RUN_TOOLS = (
    of_actions(
        "memory_run",
        "Run a task with memories: start (task) returns them, finish (id, result, used, notes) reports how it ended"
        "; get or list.",
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
            "include": Argument(),
            "exclude": Argument(),
            "budget": BUDGET,
            **plain("order result"),
            "used": Argument(about="Ids of the memories it used"),
            "notes": Argument(about="What it taught, one sentence each"),
            "limit": Argument(most=LONGEST_LIST),
        },
        schema(id="s", text="s", ids="a", learned="e", items="e"),
        in_session=True,
        reading="List tasks, or get one by its id, with the memories it was given.",
    ),
    Tool(
        "memory_compose",
        "Write a prompt for another agent from these parts and the memories a run would get.",
        (give.COMPOSE,),
        {
            **plain("task role workspace read_first constraints"),
            "retry_digest": Argument(about="What went wrong last time"),
            **plain("output_format write_scope include exclude"),
            "memories": Argument(about="Exactly these ids, in order"),
            "limit": Argument(most=LONGEST_LIST),
            "budget": BUDGET,
            "order": Argument(),
        },
        schema(recall="s", text="s!", tokens="i!", ids="a!"),
        compose,
        in_session=True,
    ),
    Tool(
        "memory_recalls",
        "List what agents were given, or get one recall by its id.",
        (look_up.RECALLS, look_up.RECALL, look_up.TEXT_GIVEN, look_up.LAST_SESSION),
        {
            "id": Argument("recall_id"),
            "text": Argument(about="Only the text of that context or prompt"),
            "of_session": Argument("session"),
            "last": Argument(about="What the last session got and learned"),
            "limit": Argument(most=LONGEST_LIST),
        },
        schema(items="e", hits="m", text="s"),
        recalls,
    ),
)


#: The decisions an agent may make at all; a person may make more.
AN_AGENT_MAY = (Decision.MERGE, Decision.KEEP, Decision.DROP, Decision.ARCHIVE)
HANDOFF_PARTS = ("text", "done", "next", "questions", "files")


def review(call: ToolCall, values: Values) -> Shape:
    project_key = call.project_key

    def page_of(limit: int) -> Shape:
        queue = call.do(govern.REVIEW, values, limit=limit)
        return tool_answers.queue(queue, project_key, lambda item: call.do(govern.RIGHTS, item=item))

    return fitting(values["limit"], page_of)


def propose(call: ToolCall, values: Values) -> Shape:
    """Propose a new rule, or a known memory."""
    if ("content" in values) == ("id" in values):
        raise InvalidInput("use either content for a new rule or id for a known memory, not both or neither")
    if "content" in values:
        added = call.do(remember.ADD, values, category=Category.POLICY)
        return call.placed(tool_answers.added(added, call.tools))
    if values.get("scope") or values.get("cite"):
        raise InvalidInput("scope and cite go with a new rule; use memory_update to change a known memory")
    return tool_answers.proposed(call.do(govern.PROPOSE, values).memory)


def decide(call: ToolCall, values: Values) -> Shape:
    done = call.do(govern.DECIDE, values)
    return brief(wire.plain(done._asdict() | {"memories": None})) | {
        "memories": [tool_answers.memory_summary(each, call.project_key) for each in done.memories]
    }


def timeline(call: ToolCall, values: Values) -> Shape:
    project_key = call.project_key
    return fitting(
        values["limit"],
        lambda limit: tool_answers.timeline(call.do(learn.TIMELINE, values, limit=limit), project_key),
    )


def handoff(call: ToolCall, values: Values) -> Shape:
    """Write a handoff for the next session, or read the last one if there is nothing to write."""
    has_parts = any(values.get(name) for name in HANDOFF_PARTS)
    if has_parts and call.extra.action == "read":
        raise InvalidInput(
            "the action read takes no text, done, next, questions or files; leave out the action to write"
        )
    if not has_parts and call.extra.action != "write":
        last = wire_context.handoff(call.do(learn.LAST_HANDOFF))
        return {"handoff": brief(last)} if last else {}
    call.check_may_write("write a handoff")
    done, _ = call.do(learn.HANDOFF, values)
    return call.placed({"recorded": brief(wire_context.recorded(done))})


def verify(call: ToolCall, values: Values) -> Shape:
    return tool_answers.verified(call.do(upkeep.VERIFY, values))


def warn(call: ToolCall, values: Values) -> Shape:
    answer = call.do(give.WARN, values)
    return {"text": answer.text} | brief(wire_context.warned(answer))


def capture(call: ToolCall, values: Values) -> Shape:
    done = call.do(remember.CAPTURE, values)
    return call.placed(tool_answers.captured(done)) if done.kept else tool_answers.captured(done)


def projects(call: ToolCall, values: Values) -> Shape:
    def page_of(limit: int) -> Shape:
        known = call.do(look_up.PROJECTS, values, limit=limit + 1)
        return tool_answers.projects(known[:limit], more=len(known) > limit)

    return fitting(values["limit"], page_of)


def health(call: ToolCall, values: Values) -> Shape:
    from memory_layer.usecases.upkeep import doctor
    from memory_layer.wiring import practice

    return tool_answers.health(doctor.examine(practice(call.dispatcher.engine.settings, "mcp")))


FULL = (
    *CORE,
    *MEMORY_TOOLS,
    Tool(
        "memory_review",
        "List what waits for a decision, and why: you may decide `offers`; `needs_person` needs a person.",
        (govern.REVIEW,),
        {"kinds": Argument(), "limit": LIMIT, "cursor": CURSOR},
        schema(items="e!", total="i!", by_kind="o!", next="s"),
        review,
    ),
    Tool(
        "memory_propose",
        "Propose a new rule for this project, or a memory by its id, for a person's approval. A rule is active only"
        " once approved.",
        (remember.ADD, govern.PROPOSE),
        {
            "content": Argument(about="A new rule, in one sentence"),
            "id": Argument("memory_id", "Or a memory to approve"),
            "scope": Argument(about="Paths, e.g. src/api/**"),
            "cite": Argument(about=CITED),
        },
        schema(id="s!", status="s!", reason="s"),
        propose,
        in_session=True,
        writes=True,
        idempotent=True,
    ),
    Tool(
        "memory_decide",
        "Decide an item of memory_review by one of its `offers`.",
        (govern.DECIDE,),
        {"id": ID, "decision": Argument(words=AN_AGENT_MAY), "other": Argument()},
        schema(operation="s!", memories="m!"),
        decide,
        writes=True,
    ),
    Tool(
        "memory_timeline",
        "List what happened, newest last; `next` is the cursor for earlier ones.",
        (learn.TIMELINE,),
        {
            "since": Argument(about="7d or a date"),
            "until": Argument(),
            "of_session": Argument("session"),
            "kinds": Argument(),
            "limit": LIMIT,
            "cursor": CURSOR,
        },
        schema(items="m!", next="s"),
        timeline,
    ),
    Tool(
        "memory_handoff",
        "End a session with notes for the next one; without notes, read the last handoff.",
        (learn.HANDOFF, learn.LAST_HANDOFF),
        {
            "action": Argument(words=("read", "write")),
            **plain("text done"),
            "next": Argument("next_steps"),
            **plain("questions files"),
        },
        schema(handoff="o", recorded="o"),
        handoff,
        in_session=True,
        writes=True,
        mixed=True,
        reading="Read the notes that the last session left.",
    ),
    Tool(
        "memory_verify",
        "Check whether cited sources still exist; citations of moved lines are updated.",
        (upkeep.VERIFY,),
        {
            "ids": Argument("memory_ids"),
            "everything": Argument(about="In every project"),
            "dry_run": Argument(),
        },
        schema(memories="i!", counts="o!", findings="e!", dry_run="b!", left_out="i", rest="s"),
        verify,
        writes=True,
        idempotent=True,
        mixed=True,
        reading="Check whether cited sources still exist; nothing is changed.",
    ),
    Tool(
        "memory_warn",
        "Warn about known problems with a command, a file or an error, in at most two lines.",
        (give.WARN,),
        plain("command path error"),
        schema(text="s!", warnings="e"),
        warn,
        in_session=True,
    ),
    Tool(
        "memory_capture",
        "Store what lasts of a person's message; heed its reminder.",
        (remember.CAPTURE,),
        {"text": Argument(needed=True), "dry_run": Argument()},
        schema(kept="e!", dry_run="b!"),
        capture,
        in_session=True,
        writes=True,
        idempotent=True,
        mixed=True,
        reading="Show which preferences, corrections, rules and decisions would be stored from what a person said.",
    ),
    Tool(
        "memory_projects",
        "List projects with the number of their memories; `next` is the next page's cursor.",
        (look_up.PROJECTS,),
        {"limit": LIMIT, "cursor": CURSOR},
        schema(items="e!", next="s"),
        projects,
    ),
    Tool(
        "memory_health",
        "Check the store for damage; nothing is changed.",
        (),
        {},
        schema(ok="b!", checks="i!", problems="e!"),
        health,
    ),
    *RUN_TOOLS,
    *TASK_TOOLS,
)
