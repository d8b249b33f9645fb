"""Record what happened when memories were used."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from memory_layer.errors import InvalidInput, NotFound
from memory_layer.model.memory import Memory, Writer
from memory_layer.model.outcome import Judged, OutcomeEvent
from memory_layer.model.record import NamedTuple
from memory_layer.model.vocabulary import Outcome, Reason
from memory_layer.ports import Edit, Engine
from memory_layer.ports.log import OutcomeFilter, RecallFilter, RunFilter
from memory_layer.rules import lifecycle, limits
from memory_layer.rules.edits import check_not_forgotten
from memory_layer.rules.merge import kept_in_sight
from memory_layer.rules.permissions import guarded_by_a_person
from memory_layer.text.secrets.redact import redact
from memory_layer.usecases.govern import ledger
from memory_layer.usecases.recall.evidence import compared
from memory_layer.usecases.who.lookup import read_memory, whole_id, whole_ids

if TYPE_CHECKING:
    from memory_layer.model.query import Recall
    from memory_layer.model.runs import Run
    from memory_layer.model.sources import SourceState
    from memory_layer.ports import Store, Vector


#: An outcome without a question is attributed to the writer's last recall within this time.
RECALL_HOURS = 2
BURST_HOURS = 1


def recall_of(store: Store, recall_id: str) -> Recall:
    """Return one recall with the exact list it returned."""
    found = store.log.recalls(RecallFilter(ids=(recall_id,), hits=True), 1)
    if not found:
        raise NotFound(f"there is no recall {recall_id!r}")
    return found[0]


def run_of(store: Store, run_id: str) -> Run:
    """Return one run with the memories it was given."""
    found = store.log.runs(RunFilter(ids=(run_id,)), 1)
    if not found:
        raise NotFound(f"there is no run {run_id!r}")
    return found[0]._replace(hits=recall_of(store, found[0].recall).hits)


def last_recall(
    store: Store, memory_id: str, writer: Writer, project: str | None, since: datetime
) -> Recall | None:
    """Return the last recall of a memory: in this session, else by this writer in the project since then."""
    own = RecallFilter(memory=memory_id, session=writer.session)
    others = RecallFilter(memory=memory_id, writer=writer.name, projects=(project,), since=since)
    found = store.log.recalls(own, 1) or store.log.recalls(others, 1)
    return found[0] if found else None


def failures_since(store: Store, session: str, since: datetime) -> int:
    """Count the failures without evidence that a session reported since then."""
    wanted = OutcomeFilter(session=session, after=since, result=Outcome.FAILED, counted=True)
    return sum(event.evidence is None for event in store.log.outcomes(wanted))


def reported(store: Store, recall_id: str) -> dict[str, Outcome]:
    """Return the last counted outcome of each memory of a recall, from reports that name it."""
    return {
        event.memory: event.result
        for event in store.log.outcomes(OutcomeFilter(recall=recall_id, counted=True))
    }


def drifted(store: Store, ids: Sequence[str]) -> dict[str, SourceState]:
    """Return the memories whose sources were changed or missing when last checked."""
    found = store.log.checks(ids).items()
    return {each: check.state for each, check in found if check.state.drifted and not check.outdated}


class OutcomeReport(NamedTuple):
    """A caller's report on the memories it used."""

    result: Outcome
    query: str | None = None  #: the question they were used for
    recall: str | None = None  #: the recall that returned them
    evidence: str | None = None  #: what shows it, such as a test's exit code
    event_id: str | None = None  #: the same id twice counts once
    project: str | None = None  #: the id of the project it happened in


def record_outcome(
    engine: Engine, prefixes: Sequence[str], report: OutcomeReport, writer: Writer
) -> list[Judged]:
    """Apply an outcome to the named memories; all of them or none."""
    if not prefixes:
        raise InvalidInput(
            "name the memories that were used; one outcome for everything recalled is not accepted"
        )
    report = report._replace(
        query=_clean(report.query, "the query", limits.QUERY_CHARACTERS),
        evidence=_clean(report.evidence, "the evidence", limits.EVIDENCE_CHARACTERS),
        event_id=_clean(report.event_id, "the event", limits.NAME_CHARACTERS) or engine.new_id("out"),
    )
    embedder = engine.embedder() if report.query else None
    vector = embedder.embed_query(report.query) if embedder and report.query else None
    ids = whole_ids(engine.store, prefixes)
    with engine.store.writing():
        report = _with_recalled_query(engine, report, ids)
        if report.query is not None:
            fingerprint = embedder.fingerprint if embedder else None
            engine.store.vectors.put_question(report.query, engine.now(), fingerprint, vector)
        edit = Edit(writer, engine.new_id("op"), "outcome", engine.now())
        return [_judge(engine, read_memory(engine.store, memory_id), report, edit) for memory_id in ids]


def count_run(engine: Engine, memory: Memory, result: Outcome, recall: str, task: str, edit: Edit) -> Judged:
    """Count the end of a run for a memory it used, once, as part of the same operation."""
    report = OutcomeReport(result, query=task, recall=recall, event_id=engine.new_id("out"))
    return _judge(engine, memory, report, edit, proven=True)


def _clean(text: str | None, what: str, most: int) -> str | None:
    if text is None:
        return None
    limits.check_text(text, what, most)
    return redact(text).text


def _with_recalled_query(engine: Engine, report: OutcomeReport, ids: Sequence[str]) -> OutcomeReport:
    """Take the question from the named recall, which must have returned these memories."""
    if report.recall is None:
        return report
    recall = recall_of(engine.store, whole_id(engine.store, report.recall, "recall"))
    strangers = set(ids) - {hit.memory.id for hit in recall.hits}
    if strangers:
        raise InvalidInput(f"recall {recall.id} did not return {', '.join(sorted(strangers))}")
    return report._replace(recall=recall.id, query=report.query or recall.query or None)


def _judge(
    engine: Engine, memory: Memory, report: OutcomeReport, edit: Edit, *, proven: bool = False
) -> Judged:
    """Record one outcome; a proven one counts regardless of the failure limit."""
    writer, now = edit.writer, edit.at
    check_not_forgotten(memory)
    event_id = f"{report.event_id}:{memory.id}"
    if known := engine.store.log.outcomes(OutcomeFilter(ids=(event_id,))):
        return _repeated(lifecycle.as_of(memory, now), known[0], report)
    question = report.query
    report = _attributed(engine, memory, report, writer)
    recent = failures_since(engine.store, writer.session, now - timedelta(hours=BURST_HOURS))
    counted = proven or lifecycle.counts(recent, report.result, report.evidence is not None)
    event = OutcomeEvent(
        id=event_id,
        memory=memory.id,
        result=report.result,
        counted=counted,
        at=now,
        query=report.query,
        recall=report.recall,
        evidence=report.evidence,
        session=writer.session,
        writer=writer.name,
    )
    ledger.record_outcome(engine.store, event, edit)
    memory = _moved(engine, memory, event if counted else None, question, edit)
    return Judged(memory.id, report.result, memory.outcome_score, memory.status, counted)


def _repeated(memory: Memory, known: OutcomeEvent, report: OutcomeReport) -> Judged:
    """Return the earlier result of the same event; refuse a different one."""
    if known.result is not report.result:
        raise InvalidInput(
            f"the event {report.event_id} was reported as {known.result} for {memory.id} already;"
            f" nothing was changed, and another result needs another event"
        )
    return Judged(memory.id, known.result, memory.outcome_score, memory.status, known.counted, repeated=True)


def _attributed(engine: Engine, memory: Memory, report: OutcomeReport, writer: Writer) -> OutcomeReport:
    """Attribute an outcome without a question to the recall that last returned the memory."""
    if report.query is not None:
        return report
    since = engine.now() - timedelta(hours=RECALL_HOURS)
    last = last_recall(engine.store, memory.id, writer, report.project, since)
    return report._replace(recall=last.id, query=last.query or None) if last else report


def _moved(
    engine: Engine, memory: Memory, event: OutcomeEvent | None, question: str | None, edit: Edit
) -> Memory:
    """Count the outcome, or only the use; only a changed status makes a version."""
    if event is None:
        judged = lifecycle.used(memory, edit.at)
    else:
        result, weight = event.result, event.weight
        everywhere = result is Outcome.FAILED and _fails_everywhere(engine, memory, question)
        archive_below, withhold_below = engine.settings.archive_below, engine.settings.withhold_below
        judged = lifecycle.judged(
            memory, result, edit.at, archive_below, everywhere=everywhere, weight=weight
        )
        judged = kept_in_sight(memory, judged)
        failing = lifecycle.is_failing(judged, result, edit.at, withhold_below, seen=event.is_seen)
        if failing and guarded_by_a_person(memory):
            judged = judged._replace(reason=Reason.OUTCOME)  # it stays, and goes to review
    ledger.count(engine.store, judged, edit)
    if (judged.status, judged.reason) != (memory.status, memory.reason):
        ledger.save(engine.store, judged, edit)
    return judged


def _fails_everywhere(engine: Engine, memory: Memory, question: str | None) -> bool:
    """Does this failure speak against the memory itself? Without a question it does."""
    if question is None:
        return True
    failures = OutcomeFilter(memories=[memory.id], result=Outcome.FAILED, counted=True)
    failed_for = {event.query for event in engine.store.log.outcomes(failures)}
    others = {query for query in failed_for if query is not None and query != question}
    fingerprint = engine.fingerprint()
    vector = _vector_of(engine, question, fingerprint) if fingerprint else None
    cosines, words = compared(engine, question, fingerprint, vector, others)
    likenesses = [*cosines.values(), *words.values(), *([None] if None in failed_for else [])]
    return lifecycle.fails_everywhere(memory.worked, likenesses, engine.settings.likeness)


def _vector_of(engine: Engine, question: str, fingerprint: str) -> Vector | None:
    """Return the stored vector of a question, if this model made it."""
    from memory_layer.usecases.recall.vectors import matrix

    known = engine.store.vectors.question_vectors([question], fingerprint)
    vectors = matrix(list(known.values())) if known else None
    return None if vectors is None else vectors[0]
