"""Learn from a session of an agent once it has ended: what helped, what misled, what was overcome, what is open."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence

from memory_layer.model.episodes import EpisodeKind, HandoffParts
from memory_layer.model.memory import Draft, Memory, Project, Writer
from memory_layer.model.outcome import SEEN
from memory_layer.model.query import SESSION_RECALL, Filters, Reach, Recall
from memory_layer.model.record import NamedTuple
from memory_layer.model.runs import Ending, Run, RunResult
from memory_layer.model.steps import Lesson, SeenOutcome, ShownMemory, Step, StepKind
from memory_layer.model.vocabulary import Category, Source
from memory_layer.ports import Edit, Engine
from memory_layer.ports.log import EventFilter, OutcomeFilter, RecallFilter, RunFilter
from memory_layer.rules import drafts, limits, review
from memory_layer.rules.episodes import AUTOMATIC
from memory_layer.rules.sessions.handoff import handoff_of, result_of
from memory_layer.rules.sessions.lessons import lessons
from memory_layer.rules.sessions.outcomes import seen_outcomes
from memory_layer.rules.sessions.timeline import timeline
from memory_layer.usecases.govern import ledger
from memory_layer.usecases.learn.episodes import hand_off
from memory_layer.usecases.learn.outcome import OutcomeReport, record_outcome
from memory_layer.usecases.remember.new_memory import new_from, new_memory
from memory_layer.usecases.who.lookup import events
from memory_layer.usecases.who.projects import know_project

MOST_RECALLS = 200  #: of a session, the last ones
MOST_LESSONS = 3  #: suggested from one session


class LearnedFromSession(NamedTuple):
    """The results of learning from a session."""

    outcomes: tuple[SeenOutcome, ...] = ()
    suggested: tuple[str, ...] = ()  #: ids of memories that wait for a person
    handoff: str | None = None  #: the id of the handoff that was written
    run: str | None = None


class Conclusions(NamedTuple):
    """The conclusions from the steps of a session alone."""

    outcomes: tuple[SeenOutcome, ...]  #: at most one for each memory that the session was given
    lessons: tuple[Lesson, ...]
    handoff: HandoffParts | None
    result: RunResult | None


def conclude(steps: Sequence[Step], folder: str = "", shown: Sequence[ShownMemory] = ()) -> Conclusions:
    """Return what helped or misled a session, what it overcame and what it leaves open; store nothing."""
    line = timeline(steps, folder)
    return Conclusions(
        tuple(seen_outcomes(line, shown)), tuple(lessons(line)), handoff_of(line), result_of(line)
    )


def learn_from_session(
    engine: Engine, steps: Sequence[Step], writer: Writer, project: Project | None, folder: str = ""
) -> LearnedFromSession:
    """Record what follows from the steps of a session; a second call adds nothing."""
    with engine.store.reading():
        wanted = RecallFilter(session=writer.session, helpers=True, hits=True)
        recalls = engine.store.log.recalls(wanted, MOST_RECALLS)[::-1]
    shown = [
        ShownMemory(hit.memory, recall.at, recall.kind, recall.id)
        for recall in recalls
        for hit in recall.hits
    ]
    concluded = conclude(steps, folder, shown)
    outcomes = _outcomes(engine, steps, concluded.outcomes, writer, project)
    return LearnedFromSession(
        outcomes=tuple(outcomes),
        suggested=tuple(_suggested(engine, concluded.lessons, writer, project)),
        handoff=_handed_off(engine, concluded.handoff, writer, project),
        run=_run(engine, steps, recalls, outcomes, concluded.result, writer, project),
    )


def _outcomes(
    engine: Engine,
    steps: Sequence[Step],
    found: Sequence[SeenOutcome],
    writer: Writer,
    project: Project | None,
) -> list[SeenOutcome]:
    """Record the outcomes that were seen, except where the session reported one."""
    known = {event.memory for event in engine.store.log.outcomes(OutcomeFilter(session=writer.session))}
    new = [each for each in found if each.memory not in known]
    for each in new:
        report = OutcomeReport(
            each.result,
            query=_question(steps, each),
            evidence=each.evidence[: limits.EVIDENCE_CHARACTERS],
            event_id=SEEN + _digest(writer.session),
            project=project.id if project else None,
        )
        record_outcome(engine, [each.memory], report, writer)
    return new


def _question(steps: Sequence[Step], outcome: SeenOutcome) -> str | None:
    """Return what the person had asked for when a memory was used."""
    asked = [step.text for step in steps if step.kind is StepKind.PROMPT and step.at <= outcome.at]
    return " ".join(asked[-1].split())[: limits.QUERY_CHARACTERS] if asked else None


def _digest(session: str) -> str:
    return base64.b32encode(hashlib.sha256(session.encode()).digest())[:26].decode().lower()


def _suggested(engine: Engine, found: Sequence[Lesson], writer: Writer, project: Project | None) -> list[str]:
    """Stage the lessons as memories that wait for review; return the new ones."""
    made = [_suggestion(engine, lesson, writer, project) for lesson in found[:MOST_LESSONS]]
    edit = Edit(writer, engine.new_id("op"), "suggest", engine.now())
    new = list[Memory]()
    with engine.store.writing():
        know_project(engine.store, project, edit.at)
        for memory in made:
            if not engine.store.memories.by_hash([memory.content_hash]):
                ledger.create(engine.store, [new_from(engine, memory)], edit)
                new.append(memory)
    return [memory.id for memory in new]


def _suggestion(engine: Engine, lesson: Lesson, writer: Writer, project: Project | None) -> Memory:
    draft = Draft(content=lesson.content, category=Category.LEARNING, session=writer.session)
    clean, _ = drafts.redacted_draft(draft)
    memory = new_memory(engine, clean, writer, project, source=Source.LEARNING)
    evidence, _ = drafts.redacted_draft(Draft(content=f"{lesson.command}: {lesson.error}"))
    memory = memory._replace(metadata={"evidence": evidence.content, "session": writer.session})
    return review.held(memory, ("suggested: an error that a session overcame", *review.doubts(memory)))


def _handed_off(
    engine: Engine, parts: HandoffParts | None, writer: Writer, project: Project | None
) -> str | None:
    """Write a handoff from what happened, if the session left none."""
    whose = Filters(reach=Reach.ALL)
    span = EventFilter(whose, session=writer.session, kinds=(EpisodeKind.SESSION_END,))
    if parts is None or next(iter(events(engine.store, span, 1)), None) is not None:
        return None
    return hand_off(engine, parts, writer, project, {AUTOMATIC: True})[0].id


def _run(
    engine: Engine,
    steps: Sequence[Step],
    recalls: Sequence[Recall],
    outcomes: Sequence[SeenOutcome],
    result: RunResult | None,
    writer: Writer,
    project: Project | None,
) -> str | None:
    """Keep the session as a run: its task, the context it was given, what it used, and how it ended.

    How it ended follows from its last check, else from the last outcome that was seen; else it is not kept.
    """
    context = next((recall for recall in recalls if recall.kind == "context"), None)
    asked = [step for step in steps if step.kind is StepKind.PROMPT]
    run_id = f"run_{_digest(writer.session)}"
    last = max(outcomes, key=lambda each: each.at, default=None)
    result = result or (RunResult(last.result) if last else None)
    if context is None or not asked or result is None:
        return None
    if engine.store.log.runs(RunFilter(ids=(run_id,)), 1):
        return None
    used = tuple(each.memory for each in outcomes if each.memory in {hit.memory.id for hit in context.hits})
    own = context._replace(
        id=engine.new_id("rec"),
        query=" ".join(asked[0].text.split())[: limits.QUERY_CHARACTERS],
        kind=SESSION_RECALL,
    )
    run = Run(
        id=run_id,
        task=own.query,
        write_scope=(),
        at=context.at,
        writer=writer.name,
        session=writer.session,
        project=project.key if project else None,
        recall=own.id,
        memories=len(context.hits),
    )
    edit = Edit(writer, engine.new_id("op"), "run", engine.now())
    saved = engine.store.log.context(context.id)
    with engine.store.writing():
        engine.store.vectors.put_question(own.query, own.at)
        engine.store.log.add_recall(own)
        if saved is not None:
            engine.store.log.put_context(own.id, saved)
        engine.store.log.put_run(run)
        ledger.end_run(engine.store, run.id, Ending(result, steps[-1].at, writer.name, used), edit)
    return run.id
