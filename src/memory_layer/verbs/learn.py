"""Verbs that record or replay what happened: outcomes, runs, procedures, episodes, handoffs, past sessions."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from memory_layer.model.context import ContextOrder
from memory_layer.model.episodes import EpisodeKind
from memory_layer.model.query import Filters
from memory_layer.model.record import NamedTuple
from memory_layer.model.runs import RunResult
from memory_layer.model.transcripts import TranscriptAgent
from memory_layer.model.vocabulary import Outcome
from memory_layer.verbs.call import Verb
from memory_layer.verbs.request import Nothing, Past, Several

if TYPE_CHECKING:
    from memory_layer.model.changes import Curated
    from memory_layer.model.episodes import Handoff as Left
    from memory_layer.model.episodes import Recorded
    from memory_layer.model.episodes import Timeline as Line
    from memory_layer.model.outcome import Judged
    from memory_layer.model.replay import Replay
    from memory_layer.model.runs import Finished, Procedure, Procedures, Run, Saved
    from memory_layer.usecases.learn.session import LearnedFromSession
    from memory_layer.verbs.call import Call


class ReportRequest(NamedTuple):
    """The outcome of using memories."""

    memory_ids: tuple[str, ...]
    result: Outcome
    query: str | None = None  #: the question they were used for
    recall: str | None = None  #: the recall they came from
    evidence: str | None = None  #: such as a test's exit code
    event_id: str | None = None  #: the same id twice counts once
    task: str | None = None  #: a completed task that shows it


def outcome(call: Call, request: ReportRequest) -> list[Judged]:
    """Record an outcome for the named memories; all of them or none."""
    from memory_layer.usecases.learn import outcome as usecase

    report = usecase.OutcomeReport(
        result=request.result,
        query=request.query,
        recall=request.recall,
        evidence=request.evidence,
        event_id=request.event_id,
        project=call.scope.project_id,
    )
    if request.task is not None:
        from memory_layer.usecases.learn.task_outcome import with_task
        from memory_layer.verbs.tasks import task_scope

        report = with_task(call.engine, report, request.task, request.memory_ids, task_scope(call))
    return usecase.record_outcome(call.engine, request.memory_ids, report, call.writer)


def reinforce(call: Call, request: Several) -> list[Curated]:
    """Confirm that memories still hold."""
    from memory_layer.usecases.remember import curate

    return curate.reinforce(call.engine, request.memory_ids, call.writer)


class StartRun(NamedTuple):
    """A task, and the caller's choice of memories."""

    task: str
    write_scope: tuple[str, ...] = ()  #: patterns of the paths it may change
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    limit: int | None = None  #: default: configured, else as many as fit, of order s1 ten
    budget: int | None = None  #: default: configured
    order: ContextOrder = ContextOrder.BALANCED


def start_run(call: Call, request: StartRun) -> Run:
    """Start a run and select its memories."""
    from memory_layer.model.runs import RunTask
    from memory_layer.usecases.learn import run as usecase

    chosen = (request.task, request.write_scope, request.include, request.exclude)
    task = RunTask(*chosen, *call.limits(request.limit, request.budget), request.order)
    return usecase.start(call.engine, task, call.writer, call.scope.project)


class FinishRun(NamedTuple):
    """The result of a run, the memories it used, and what it taught."""

    run_id: str
    result: RunResult
    used: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def finish_run(call: Call, request: FinishRun) -> Finished:
    """Finish a run: adjust the confidence of the memories it used, and store its notes."""
    from memory_layer.model.runs import Finish
    from memory_layer.usecases.learn import run as usecase

    end = Finish(request.result, request.used, request.notes)
    return usecase.finish(call.engine, request.run_id, end, call.writer)


class OneRun(NamedTuple):
    """A run by its id or a prefix of it."""

    run_id: str


def run(call: Call, request: OneRun) -> Run:
    """Return a run with the memories it was given; never counts as use."""
    from memory_layer.usecases.learn import run as usecase

    return usecase.run(call.engine, request.run_id)


class RunsRequest(NamedTuple):
    """The number of runs to list."""

    limit: int = 20


def runs(call: Call, request: RunsRequest) -> list[Run]:
    """List the last runs of a named project, or of all."""
    from memory_layer.usecases.learn import run as usecase

    if call.target.project is None:
        return usecase.runs(call.engine, None, request.limit)
    project = call.scope.project_id
    return [] if project is None else usecase.runs(call.engine, project, request.limit)


class SaveProcedure(NamedTuple):
    """Steps under a name; a field that is not given keeps its value."""

    name: str
    steps: tuple[str, ...]
    when: str | None = None
    scope: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()


def save_procedure(call: Call, request: SaveProcedure) -> Saved:
    """Store steps under a name that is unique in the project."""
    from memory_layer.model.runs import Recipe
    from memory_layer.usecases.learn import procedures as usecase

    return usecase.save(call.engine, Recipe(*request), call.writer, call.scope.project)


class OneProcedure(NamedTuple):
    """A procedure by its name."""

    name: str


def procedure(call: Call, request: OneProcedure) -> Procedure:
    """Return a procedure: the project's own, else a global one."""
    from memory_layer.usecases.learn import procedures as usecase

    return usecase.procedure(call.engine, request.name, call.scope.project)


class ListProcedures(NamedTuple):
    """A page of procedures."""

    limit: int = 100
    after: str | None = None


def procedures(call: Call, request: ListProcedures) -> Procedures:
    """List the procedures of the project and the global ones, proven ones first."""
    from memory_layer.usecases.learn import procedures as usecase

    filters = Filters(reach=call.scope.reach, project=call.scope.project_id)
    return usecase.procedures(call.engine, filters, request.limit, request.after)


class ProcedureDone(NamedTuple):
    """The outcome of following a procedure."""

    name: str
    result: Outcome
    evidence: str | None = None


def procedure_done(call: Call, request: ProcedureDone) -> Judged:
    """Record how a procedure went, as an outcome of its memory."""
    from memory_layer.usecases.learn import procedures as usecase

    return usecase.done(
        call.engine, request.name, request.result, call.writer, call.scope.project, request.evidence
    )


def archive_procedure(call: Call, request: OneProcedure) -> Procedure:
    """Archive a procedure, which frees its name."""
    from memory_layer.usecases.learn import procedures as usecase

    return usecase.put_away(call.engine, request.name, call.writer, call.scope.project)


class EpisodeRequest(NamedTuple):
    """An event."""

    text: str
    kind: EpisodeKind = EpisodeKind.OBSERVATION
    outcome: Outcome | None = None
    tags: tuple[str, ...] = ()
    at: Past | None = None


def episode(call: Call, request: EpisodeRequest) -> Recorded:
    """Record an event at the end of the session."""
    from memory_layer.model.episodes import Event
    from memory_layer.usecases.learn import episodes as usecase

    return usecase.record(call.engine, Event(*request), call.writer, call.scope.project)


class TimelineRequest(NamedTuple):
    """The events to list."""

    since: Past | None = None
    until: Past | None = None
    session: str | None = None
    kinds: tuple[EpisodeKind, ...] = ()
    limit: int = 20
    after: str | None = None


def timeline(call: Call, request: TimelineRequest) -> Line:
    """List the last events, newest last."""
    from memory_layer.ports.log import EventFilter
    from memory_layer.usecases.learn import episodes as usecase

    between = Filters(
        reach=call.scope.reach, project=call.scope.project_id, after=request.since, before=request.until
    )
    span = EventFilter(between, request.session, request.kinds)
    return usecase.timeline(call.engine, span, request.limit, request.after)


class HandoffRequest(NamedTuple):
    """Notes for the next session."""

    text: str = ""
    done: tuple[str, ...] = ()
    next_steps: tuple[str, ...] = ()
    questions: tuple[str, ...] = ()
    files: tuple[str, ...] = ()


def handoff(call: Call, request: HandoffRequest) -> tuple[Recorded, Left]:
    """Close the session with notes for the next one."""
    from memory_layer.model.episodes import HandoffParts
    from memory_layer.usecases.learn import episodes as usecase

    return usecase.hand_off(call.engine, HandoffParts(*request), call.writer, call.scope.project)


def last_handoff(call: Call, request: Nothing) -> Left | None:
    """Return the last handoff of the project."""
    from memory_layer.usecases.learn import episodes as usecase

    scope = call.scope
    unknown = scope.project is None and scope.place is not None and not call.target.only_global
    return None if unknown else usecase.last_handoff(call.engine, scope.project)


class SessionJournal(NamedTuple):
    """The journal of a session that has ended."""

    file: Path


def learn_from_session(call: Call, request: SessionJournal) -> LearnedFromSession:
    """Conclude from the steps of a session what helped, what misled and what is open."""
    from memory_layer.usecases.learn import journal
    from memory_layer.usecases.learn import session as usecase

    found = journal.read(request.file)
    steps, folder = (found.steps, found.folder) if found else ((), "")
    return usecase.learn_from_session(call.engine, steps, call.writer, call.scope.project, folder)


class ReplayRequest(NamedTuple):
    """Transcripts of agents to replay; none means all that the agents keep."""

    paths: tuple[Path, ...] = ()
    agents: tuple[TranscriptAgent, ...] = ()
    since: Past | None = None


def replay(call: Call, request: ReplayRequest) -> Replay:
    """Tell what the memory would have known and said in past sessions; nothing is stored."""
    from memory_layer.usecases.learn import replay as usecase
    from memory_layer.usecases.who.projects import path_named

    paths = [path_named(path, call.caller.here) for path in request.paths]
    return usecase.replay(call.engine, paths, request.agents, request.since, call.progress)


OUTCOME = Verb("outcome", ReportRequest, outcome)
REINFORCE = Verb("reinforce", Several, reinforce)
START_RUN = Verb("start_run", StartRun, start_run, stores=True)
FINISH_RUN = Verb("finish_run", FinishRun, finish_run)
RUN = Verb("run", OneRun, run)
RUNS = Verb("runs", RunsRequest, runs)
SAVE_PROCEDURE = Verb("save_procedure", SaveProcedure, save_procedure, stores=True)
PROCEDURE = Verb("procedure", OneProcedure, procedure)
PROCEDURES = Verb("procedures", ListProcedures, procedures)
PROCEDURE_DONE = Verb("procedure_done", ProcedureDone, procedure_done)
ARCHIVE_PROCEDURE = Verb("archive_procedure", OneProcedure, archive_procedure)
EPISODE = Verb("episode", EpisodeRequest, episode, stores=True)
TIMELINE = Verb("timeline", TimelineRequest, timeline)
HANDOFF = Verb("handoff", HandoffRequest, handoff, stores=True)
LAST_HANDOFF = Verb("last_handoff", Nothing, last_handoff)
LEARN_FROM_SESSION = Verb("learn_from_session", SessionJournal, learn_from_session, stores=True)
REPLAY = Verb("replay", ReplayRequest, replay)
