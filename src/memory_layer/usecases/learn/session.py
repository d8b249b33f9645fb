"""Learn from a session of an agent once it has ended: what helped, what misled, what was overcome, what is open."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from itertools import islice

from memory_layer.model.episodes import EpisodeKind, HandoffParts
from memory_layer.model.memory import Draft, Memory, Project, Writer
from memory_layer.model.outcome import SEEN
from memory_layer.model.query import SESSION_RECALL, Filters, Reach, Recall
from memory_layer.model.record import NamedTuple
from memory_layer.model.runs import Ending, Run, RunResult
from memory_layer.model.steps import Lesson, SeenOutcome, ShownMemory, Step, StepKind
from memory_layer.model.vocabulary import Category, Source, Status, Tier
from memory_layer.ports import Edit, Engine
from memory_layer.ports.log import EventFilter, OutcomeFilter, RecallFilter, RunFilter
from memory_layer.rules import drafts, limits, review
from memory_layer.rules.episodes import AUTOMATIC, is_handoff
from memory_layer.rules.episodes import handoff_of as stored
from memory_layer.rules.sessions.bounds import bounded
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
MOST_ENDS = 20  #: of a session, the last ones
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


def conclude(
    steps: Sequence[Step],
    folder: str = "",
    shown: Sequence[ShownMemory] = (),
    former: HandoffParts | None = None,
) -> Conclusions:
    """Return what helped or misled a session, what it overcame and what it leaves open; store nothing."""
    line = timeline(steps, folder)
    return Conclusions(
        tuple(seen_outcomes(line, shown)), tuple(lessons(line)), handoff_of(line, former), result_of(line)
    )


def learn_from_session(
    engine: Engine, steps: Sequence[Step], writer: Writer, project: Project | None, folder: str = ""
) -> LearnedFromSession:
    """Record what follows from the steps of a session; a second call adds nothing."""
    steps = bounded(steps)
    with engine.store.reading():
        wanted = RecallFilter(session=writer.session, helpers=True, hits=True)
        recalls = engine.store.log.recalls(wanted, MOST_RECALLS)[::-1]
        ends = _ends(engine, writer, project)
    former = _former(ends)
    shown = [ShownMemory(hit.memory, recall.at) for recall in recalls for hit in recall.hits]
    concluded = conclude(steps, folder, shown, former)
    handoff = concluded.handoff if concluded.handoff != former and _may_hand_off(ends) else None
    outcomes = _outcomes(engine, steps, concluded.outcomes, writer, project)
    return LearnedFromSession(
        outcomes=tuple(outcomes),
        suggested=tuple(_suggested(engine, concluded.lessons, writer, project)),
        handoff=hand_off(engine, handoff, writer, project, {AUTOMATIC: True})[0].id if handoff else None,
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
    if not found:
        return []
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


def _ends(engine: Engine, writer: Writer, project: Project | None) -> list[Memory]:
    """Return the ends of a session in a project: those that wait for a person, then the others, newest first."""
    whose = Filters(reach=Reach.PROJECT, project=project.id if project else None)
    kinds = (EpisodeKind.SESSION_END,)
    span = EventFilter(whose, session=writer.session, kinds=kinds, only_own=True)
    held = whose._replace(statuses=(Status.STAGED,), sessions=(writer.session,), tiers=(Tier.EPISODIC,))
    waiting = engine.store.memories.page(held, engine.now(), "stored", MOST_ENDS, None).items
    told = (end.memory for end in events(engine.store, span, MOST_ENDS))
    return [*(end for end in waiting if is_handoff(end)), *islice(told, MOST_ENDS)]


def _may_hand_off(ends: Sequence[Memory]) -> bool:
    """May the program tell how a session ended? Not if the session did, nor while a person is to look at that."""
    return all(AUTOMATIC in end.metadata and end.status is not Status.STAGED for end in ends)


def _former(ends: Sequence[Memory]) -> HandoffParts | None:
    """Return the handoff that the program wrote when the session ended before."""
    left = next((stored(end) for end in ends if end.status is Status.ACTIVE), None)
    return HandoffParts(left.text, left.done, left.next, left.questions, left.files) if left else None


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
    if context is None or result is None:
        return None
    used = tuple(each.memory for each in outcomes if each.memory in {hit.memory.id for hit in context.hits})
    ending = Ending(result, steps[-1].at, writer.name, used)
    if known := engine.store.log.runs(RunFilter(ids=(run_id,)), 1):
        return _ended_again(engine, known[0], ending, writer, project)
    if not asked:
        return None
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
        ledger.end_run(engine.store, run.id, ending, edit)
    return run.id


def _ended_again(
    engine: Engine, run: Run, ending: Ending, writer: Writer, project: Project | None
) -> str | None:
    """Let the end of a session that went on take the place of its former end, unless somebody else told that."""
    former = run.ending
    elsewhere = run.project != (project.key if project else None)
    if elsewhere or former is None or former.by != ending.by or former.at >= ending.at:
        return None
    used = tuple(dict.fromkeys([*former.used, *ending.used]))
    edit = Edit(writer, engine.new_id("op"), "run", engine.now())
    with engine.store.writing():
        ledger.end_run(engine.store, run.id, ending._replace(used=used), edit)
    return run.id
