"""The answers of the routes for the work of agents as JSON Schemas."""

from __future__ import annotations

from memory_layer.doors.rest.answer_schemas import (
    FLAG,
    NUMBER,
    TEXT,
    TEXTS,
    TIME,
    WHOLE,
    Schema,
    extended,
    items_of,
    members,
    named,
    of_kind,
    optional,
    page_of,
    record,
    unnamed,
)
from memory_layer.doors.rest.shapes import ADDED, MEMORY, PART
from memory_layer.model.capture import Captured, CapturedStatement
from memory_layer.model.context import ContextLayer
from memory_layer.model.episodes import Handoff, Recorded
from memory_layer.model.query import Recall
from memory_layer.model.runs import Finished, Procedure, Run, RunResult
from memory_layer.model.sessions import SessionLine, SessionReport
from memory_layer.model.tasks import Task, Tasks
from memory_layer.model.vocabulary import Status

STATUS = of_kind(Status)
_SIGNALS: Schema = {"type": "object", "additionalProperties": NUMBER}
CONTEXT = members(
    recall=optional(TEXT),
    text=TEXT,
    tokens=WHOLE,
    budget=WHOLE,
    digest=TEXT,
    memories=items_of(members(id=TEXT, layer=of_kind(ContextLayer), signals=_SIGNALS, score=NUMBER)),
    left_out=WHOLE,
    redacted=TEXTS,
    notice=optional(TEXT),
)
PROMPT = members(
    recall=optional(TEXT),
    text=TEXT,
    tokens=WHOLE,
    digest=TEXT,
    budget=WHOLE,
    memory_tokens=WHOLE,
    memories=TEXTS,
    left_out=TEXTS,
    redacted=TEXTS,
)
WARNED = members(
    recall=optional(TEXT),
    text=TEXT,
    warnings=items_of(members(id=TEXT, because=TEXT, line=TEXT)),
    redacted=TEXTS,
)
_STATEMENTS = items_of(record(CapturedStatement))
CAPTURED = extended(record(Captured, without="operation would_keep"), {"would_keep": _STATEMENTS})
RECORDED = extended(record(Recorded, without="reason"), {"reason": TEXT})
EVENT = named(
    "TimelineEvent",
    members(
        id=TEXT,
        status=STATUS,
        reason=MEMORY["properties"]["reason"],
        session=optional(TEXT),
        number=optional(WHOLE),
        kind=optional(TEXT),
        outcome=optional(TEXT),
        at=TIME,
        content=TEXT,
        tags=TEXTS,
        project=optional(TEXT),
        writer=TEXT,
    ),
)
HANDOFF = record(Handoff)
HANDED_OFF = extended(HANDOFF, {"reason": TEXT}, status=TEXT, number=WHOLE, redacted=TEXTS)
PROCEDURE = named("Procedure", extended(unnamed(record(Procedure)), proven=FLAG))
SAVED = extended(PROCEDURE, {"reason": TEXT}, saved=TEXT, redacted=TEXTS)
RUN = named(
    "Run",
    extended(
        record(Run, without="hits ending text"),
        result=optional(of_kind(RunResult)),
        finished_at=optional(TIME),
        finished_by=optional(TEXT),
        used=TEXTS,
    ),
)
_GIVEN = extended(PART, score=NUMBER, signals=items_of(members(name=TEXT, value=NUMBER)))
WHOLE_RUN = extended(RUN, hits=items_of(extended(_GIVEN, conflicts=TEXTS)), text=optional(TEXT))
FINISHED = extended(
    record(Finished, without="trusted", run=RUN, learned=items_of(ADDED)),
    memories=record(Finished)["properties"]["trusted"],
)
RECALL = named("Recall", record(Recall, without="hits"))
WHOLE_RECALL = extended(RECALL, hits=items_of(_GIVEN))
SESSION = named("Session", record(SessionReport, lines=items_of(record(SessionLine, memory=PART))))
LINKED_MEMORY = members(id=TEXT, content=TEXT, status=STATUS, linked_at=TIME, automatic=FLAG, reported=FLAG)
TASK = named("Task", extended(unnamed(record(Task)), waits_for=TEXTS, memories=items_of(LINKED_MEMORY)))
TASKS = page_of(TASK, to_report=items_of(TASK), origins=record(Tasks)["properties"]["origins"])
