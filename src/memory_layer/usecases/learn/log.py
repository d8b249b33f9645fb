"""Rules over the log: which recall an outcome belongs to, what was reported in a run's name, what has drifted."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from memory_layer.errors import NotFound
from memory_layer.model.vocabulary import Outcome
from memory_layer.ports.log import Outcomes, Recalls, Runs

if TYPE_CHECKING:
    from memory_layer.model.memory import Writer
    from memory_layer.model.recalls import Recall
    from memory_layer.model.runs import Run
    from memory_layer.model.sources import SourceState
    from memory_layer.ports import Store


def recall_of(store: Store, recall_id: str) -> Recall:
    """Return one recall with the exact list it gave."""
    found = store.log.recalls(Recalls(ids=(recall_id,), hits=True), 1)
    if not found:
        raise NotFound(f"there is no recall {recall_id!r}")
    return found[0]


def run_of(store: Store, run_id: str) -> Run:
    """Return one run with what it was given."""
    found = store.log.runs(Runs(ids=(run_id,)), 1)
    if not found:
        raise NotFound(f"there is no run {run_id!r}")
    return found[0]._replace(hits=recall_of(store, found[0].recall).hits)


def last_recall(
    store: Store, memory_id: str, writer: Writer, project: str | None, since: datetime
) -> Recall | None:
    """Return the recall that last returned a memory: in the session, else to the writer in the project since then."""
    own = Recalls(memory=memory_id, session=writer.session)
    others = Recalls(memory=memory_id, writer=writer.name, projects=(project,), since=since)
    found = store.log.recalls(own, 1) or store.log.recalls(others, 1)
    return found[0] if found else None


def failures_since(store: Store, session: str, since: datetime) -> int:
    """Return how many counted failures without evidence a session reported since then."""
    wanted = Outcomes(session=session, after=since, result=Outcome.FAILED, counted=True)
    return sum(event.evidence is None for event in store.log.outcomes(wanted))


def reported(store: Store, recall_id: str) -> dict[str, Outcome]:
    """Return what was last reported, and counted, of the memories of a recall by those who named it."""
    return {
        event.memory: event.result for event in store.log.outcomes(Outcomes(recall=recall_id, counted=True))
    }


def drifted(store: Store, ids: Sequence[str]) -> dict[str, SourceState]:
    """Return those of these memories whose sources were last seen changed or missing."""
    found = store.log.checks(ids).items()
    return {each: check.state for each, check in found if check.state.drifted and not check.outdated}
