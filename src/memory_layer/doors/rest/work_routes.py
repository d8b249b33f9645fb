"""Routes for the work of agents: contexts, runs, outcomes, procedures, events and handoffs."""

from __future__ import annotations

from typing import Any

from memory_layer.doors import wire, wire_context, wire_tasks
from memory_layer.doors.rest.answer_schemas import members, optional, page_of, record
from memory_layer.doors.rest.route import RestCall, Route, Shape, Values
from memory_layer.doors.rest.work_shapes import (
    CAPTURED,
    CONTEXT,
    EVENT,
    FINISHED,
    HANDED_OFF,
    HANDOFF,
    PROCEDURE,
    PROMPT,
    RECALL,
    RECORDED,
    RUN,
    SAVED,
    SESSION,
    TASK,
    TASKS,
    WARNED,
    WHOLE_RECALL,
    WHOLE_RUN,
)
from memory_layer.model.context import Reproduced
from memory_layer.model.outcome import Judged
from memory_layer.verbs import give, learn, look_up, remember, tasks

RUNS = "/api/runs"
PROCEDURE_PATH = "/api/procedures/{name}"
JUDGED = record(Judged)
TASK_PATH = "/api/tasks/{task_id:path}"


def of_procedures(found: Any) -> Shape:
    return wire.listed(wire_context.procedures(found.items), found.next, counted=False)


def of_runs(found: Any) -> Shape:
    return wire.listed(wire.runs(found), counted=False)


def recalls(call: RestCall, values: Values) -> Shape:
    """List the last recalls, newest first."""
    found = call.do(look_up.RECALLS, values)
    full = len(found) == values.get("limit", look_up.RecallsRequest().limit)
    return wire.listed(wire.recalls(found), found[-1].id if full and found else None, counted=False)


WORK_ROUTES = (
    Route(
        "POST",
        "/api/outcomes",
        learn.OUTCOME,
        lambda judged: wire.listed(wire.judged(judged)),
        page_of(JUDGED),
        writes=True,
        status=201,
    ),
    Route("GET", "/api/context", give.CONTEXT, wire_context.context, CONTEXT),
    Route("POST", "/api/compose", give.COMPOSE, wire_context.prompt, PROMPT),
    Route("POST", "/api/warn", give.WARN, wire_context.warned, WARNED),
    Route("POST", "/api/capture", remember.CAPTURE, wire.captured, CAPTURED, writes=True, without="file"),
    Route("POST", "/api/episodes", learn.EPISODE, wire_context.recorded, RECORDED, writes=True, status=201),
    Route("GET", "/api/timeline", learn.TIMELINE, wire_context.timeline, page_of(EVENT)),
    Route(
        "GET",
        "/api/handoff",
        learn.LAST_HANDOFF,
        lambda left: {"handoff": wire_context.handoff(left)},
        members(handoff=optional(HANDOFF)),
    ),
    Route(
        "POST",
        "/api/handoff",
        learn.HANDOFF,
        lambda done: wire_context.handed_off(*done),
        HANDED_OFF,
        writes=True,
        status=201,
    ),
    Route("GET", "/api/procedures", learn.PROCEDURES, of_procedures, page_of(PROCEDURE)),
    Route("GET", PROCEDURE_PATH, learn.PROCEDURE, wire_context.procedure, PROCEDURE),
    Route("PUT", PROCEDURE_PATH, learn.SAVE_PROCEDURE, wire_context.saved, SAVED, writes=True),
    Route(
        "POST",
        f"{PROCEDURE_PATH}/outcomes",
        learn.PROCEDURE_DONE,
        lambda judged: wire.judged([judged])[0],
        JUDGED,
        writes=True,
        status=201,
    ),
    Route("DELETE", PROCEDURE_PATH, learn.ARCHIVE_PROCEDURE, wire_context.procedure, PROCEDURE, writes=True),
    Route("GET", RUNS, learn.RUNS, of_runs, page_of(RUN)),
    Route("POST", RUNS, learn.START_RUN, wire.run, WHOLE_RUN, writes=True, status=201),
    Route("GET", f"{RUNS}/{{run_id}}", learn.RUN, wire.run, WHOLE_RUN, scoped=False),
    Route(
        "POST",
        f"{RUNS}/{{run_id}}/finish",
        learn.FINISH_RUN,
        wire.finished,
        FINISHED,
        writes=True,
        scoped=False,
    ),
    Route(
        "GET",
        "/api/recalls",
        look_up.RECALLS,
        None,
        page_of(RECALL),
        run=recalls,
        about="List the last recalls, newest first.",
    ),
    Route(
        "GET",
        "/api/memories/{memory_id}/recalls",
        look_up.RECALLS,
        None,
        page_of(RECALL),
        run=recalls,
        about="List the recalls that returned a memory, newest first.",
    ),
    Route("GET", "/api/recalls/{recall_id}", look_up.RECALL, wire.recall, WHOLE_RECALL, scoped=False),
    Route(
        "GET",
        "/api/recalls/{recall_id}/text",
        look_up.TEXT_GIVEN,
        wire_context.reproduced,
        record(Reproduced),
        scoped=False,
    ),
    Route(
        "GET",
        "/api/sessions/last",
        look_up.LAST_SESSION,
        lambda report: {"session": wire.session_report(report)},
        members(session=optional(SESSION)),
    ),
    Route(
        "GET",
        "/api/tasks",
        tasks.TASKS,
        wire_tasks.tasks,
        TASKS,
        names={"statuses": "status", "sources": "source", "list_name": "list"},
    ),
    Route("GET", TASK_PATH, tasks.TASK, wire_tasks.task, TASK),
    Route("POST", f"{TASK_PATH}/memories", tasks.LINK_TASK, wire_tasks.task, TASK, writes=True),
    Route("DELETE", f"{TASK_PATH}/memories", tasks.UNLINK_TASK, wire_tasks.task, TASK, writes=True),
)
