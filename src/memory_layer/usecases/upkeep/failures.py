"""Collect failures from the whole log."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from memory_layer.model.episodes import Episode
from memory_layer.model.query import Filters, Reach
from memory_layer.model.runs import RunResult
from memory_layer.model.upkeep import Failure
from memory_layer.model.vocabulary import Outcome, Status
from memory_layer.ports import Store
from memory_layer.ports.log import EventFilter, OutcomeFilter, RecallFilter, RunFilter
from memory_layer.usecases.who.ids import events

AT_ONCE = 1000
#: How an event says that it came out badly; the second is older.
FAILED = ("failure", "failed")


def failures(store: Store) -> Iterator[Failure]:
    """Yield reports with evidence (once for several memories), failed runs, and failed events."""
    yield from _of_outcomes(store)
    for run in reversed(store.log.runs(RunFilter(ended=True))):
        if run.ending is not None and run.ending.result is RunResult.FAILURE:
            yield Failure(run.id, run.task, run.project, run.ending.at, run.ending.used)
    for memory in (event.memory for event in _failed_events(store)):
        if memory.status is Status.ACTIVE:
            yield Failure(memory.id, memory.content, memory.project, memory.created_at, (memory.id,))


def _of_outcomes(store: Store) -> Iterator[Failure]:
    reports = [
        event
        for event in store.log.outcomes(OutcomeFilter(result=Outcome.FAILED, counted=True))
        if event.evidence is not None
    ]
    recalls = list({event.recall for event in reports if event.recall})
    asked_in = {recall.id: recall.project for recall in store.log.recalls(RecallFilter(ids=recalls))}
    memories = store.memories.get(list({event.memory for event in reports}))
    projects = {memory.id: memory.project for memory in memories}
    for call, same in groupby(reports, key=lambda event: _call(event.id)):
        first, *more = same
        project = (asked_in.get(first.recall) if first.recall else None) or projects[first.memory]
        about = (first.memory, *(event.memory for event in more))
        yield Failure(call, first.evidence or "", project, first.at, about)


def _failed_events(store: Store) -> list[Episode]:
    """Return the events that failed, oldest first."""
    span = EventFilter(Filters(reach=Reach.ALL), outcomes=FAILED)
    return list(events(store, span, AT_ONCE))[::-1]


def _call(report: str) -> str:
    """Return the id that the reports of one call share."""
    return report.rpartition(":")[0] or report
