"""What the core asks of the log of recalls, outcomes, runs, contexts, checks and events."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from memory_layer.model.query import Filters
from memory_layer.model.record import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import datetime

    from memory_layer.model.context import Kept
    from memory_layer.model.episodes import EpisodeKind, Timeline
    from memory_layer.model.memory import Memory
    from memory_layer.model.outcome import OutcomeEvent
    from memory_layer.model.recalls import Recall
    from memory_layer.model.runs import Ending, Run
    from memory_layer.model.sources import Checked, SourceState, Standing
    from memory_layer.model.upkeep import Failure
    from memory_layer.model.vocabulary import Outcome
    from memory_layer.ports import Edit


class Span(NamedTuple):
    """Which events are asked for; of the filters only whose they are and between which moments they happened."""

    filters: Filters = Filters()
    session: str | None = None
    kinds: tuple[EpisodeKind, ...] = ()


class Log(Protocol):
    """What was returned, reported and checked, and the events of sessions."""

    def record_recall(self, recall: Recall, query: int) -> None: ...

    def last_recall(
        self, memory_id: str, session: str, writer: str, project: str | None, since: datetime
    ) -> tuple[str, str] | None: ...

    def recall(self, recall_id: str) -> Recall: ...

    def recalls(self, session: str | None, limit: int) -> list[Recall]: ...

    def record_outcome(self, event: OutcomeEvent, edit: Edit) -> bool: ...

    def outcomes(self, memory_id: str) -> list[OutcomeEvent]: ...

    def outcome(self, event_id: str) -> OutcomeEvent | None: ...

    def failed_for(self, memory_id: str) -> dict[int | None, str]: ...

    def failures_since(self, session: str, since: datetime) -> int: ...

    def record_run(self, run: Run) -> None: ...

    def run(self, run_id: str) -> Run: ...

    def runs(self, project: str | None, limit: int) -> list[Run]: ...

    def ended_runs(self, project: str | None) -> list[str]: ...

    def reported(self, recall_id: str) -> dict[str, Outcome]: ...

    def end_run(self, run_id: str, ending: Ending, edit: Edit) -> None: ...

    def record_context(self, recall_id: str, kept: Kept) -> None: ...

    def context(self, recall_id: str) -> Kept | None: ...

    def remembered(self, ids: Sequence[str], since: datetime) -> dict[str, tuple[Checked, ...]]: ...

    def remember(self, standings: Mapping[str, Standing], at: datetime) -> None: ...

    def settle_checks(self, memory_id: str) -> None: ...

    def drifted(self, ids: Sequence[str]) -> dict[str, SourceState]: ...

    def timeline(self, span: Span, limit: int, after: str | None) -> Timeline: ...

    def last_handoff(self, project: str | None) -> Memory | None: ...

    def failures(self) -> Iterator[Failure]: ...
