"""Interface to the log of recalls, outcomes, runs, contexts, citation checks and events."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from memory_layer.model.query import Filters
from memory_layer.model.record import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from memory_layer.model.context import SavedContext
    from memory_layer.model.episodes import EpisodeKind, Timeline
    from memory_layer.model.outcome import OutcomeEvent
    from memory_layer.model.query import Recall
    from memory_layer.model.runs import Run
    from memory_layer.model.sources import Checked, SourceState, Standing
    from memory_layer.model.vocabulary import Outcome


class EventFilter(NamedTuple):
    """Filter for events; of the general filters only ownership and time apply."""

    filters: Filters = Filters()
    session: str | None = None
    kinds: tuple[EpisodeKind, ...] = ()
    outcomes: tuple[str, ...] = ()  #: their outcomes
    only_own: bool = False  #: only events of the filters' project, without global ones


class RecallFilter(NamedTuple):
    """Filter for recalls; empty means all but those of whole sessions, which only their ids find."""

    ids: Sequence[str] | None = None
    session: str | None = None
    helpers: bool = False  #: also of the sessions that helpers of that session had
    writer: str | None = None
    memory: str | None = None  #: that they returned
    projects: Sequence[str | None] | None = None  #: ids; None among them stands for no project
    since: datetime | None = None
    until: datetime | None = None
    before: str | None = None  #: only older ones than this recall, by its id
    hits: bool = False  #: also read the returned items


class OutcomeFilter(NamedTuple):
    """Filter for reports; empty means all."""

    ids: Sequence[str] | None = None
    memories: Sequence[str] | None = None  #: that they are about
    query: str | None = None  #: the text of the question that they name
    recall: str | None = None
    session: str | None = None
    after: datetime | None = None
    result: Outcome | None = None
    counted: bool = False  #: only reports that count


class RunFilter(NamedTuple):
    """Filter for runs; empty means all."""

    ids: Sequence[str] | None = None
    project: str | None = None  #: its id
    ended: bool = False  #: only ended runs


class CitationCheck(NamedTuple):
    """Result of the last check of a memory's citations."""

    state: SourceState
    outdated: bool  #: the memory's citations have changed since
    checks: tuple[Checked, ...]


class Log(Protocol):
    """Recalls, reports and citation checks, and the events of sessions."""

    def add_recall(self, recall: Recall) -> None: ...

    def recalls(self, wanted: RecallFilter, limit: int | None = None) -> list[Recall]: ...

    def put_outcome(self, event: OutcomeEvent) -> None: ...

    def outcomes(self, wanted: OutcomeFilter) -> list[OutcomeEvent]: ...

    def outcome_counts(self, filters: Filters, since: datetime) -> dict[Outcome, int]: ...

    def put_run(self, run: Run) -> None: ...

    def runs(self, wanted: RunFilter, limit: int | None = None) -> list[Run]: ...

    def put_context(self, recall_id: str, saved: SavedContext) -> None: ...

    def context(self, recall_id: str) -> SavedContext | None: ...

    def put_checks(self, standings: Mapping[str, Standing], at: datetime) -> None: ...

    def checks(self, ids: Sequence[str], since: datetime | None = None) -> dict[str, CitationCheck]: ...

    def timeline(self, span: EventFilter, limit: int, after: str | None) -> Timeline: ...
