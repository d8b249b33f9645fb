"""What exports and imports ask of a store."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from memory_layer.model.carried import (
        Carried,
        CarriedChange,
        CarriedContext,
        CarriedLink,
        CarriedMemory,
        CarriedProject,
        CarriedQuery,
        CarriedQueryVector,
        CarriedRecall,
        CarriedRun,
        CarriedVector,
        Kind,
    )
    from memory_layer.model.memory import Change, Memory
    from memory_layer.model.outcome import OutcomeEvent
    from memory_layer.model.query import Filters
    from memory_layer.ports import Edit, Terms


class Departures(Protocol):
    """What an export asks of a store."""

    def space(self) -> str | None: ...

    def carried(self, kind: Kind, chosen: Filters | None = None) -> Iterator[Carried]: ...

    def count_carried(self, kind: Kind, chosen: Filters | None = None) -> int: ...

    def count_memories(self, chosen: Filters | None = None) -> int: ...

    def by_project(self, chosen: Filters) -> Iterator[Memory]: ...


class Arrivals(Protocol):
    """What an import asks of a store, and brings to it."""

    def is_blank(self) -> bool: ...

    def digest_of(self, memory: Memory) -> str: ...

    def hash_after(self, previous: str, change: Change) -> str: ...

    def digests(self, ids: Sequence[str]) -> dict[str, str]: ...

    def live_texts(self, hashes: Sequence[str]) -> dict[str, str]: ...

    def vector_width(self, fingerprint: str) -> int | None: ...

    def superseded_by(self, memory_id: str) -> set[str]: ...

    def bring_projects(self, projects: Sequence[CarriedProject]) -> None: ...

    def bring_memories(self, memories: Sequence[tuple[CarriedMemory, Terms]]) -> None: ...

    def bring_links(self, links: Sequence[CarriedLink], edit: Edit | None = None) -> None: ...

    def bring_changes(self, changes: Sequence[CarriedChange]) -> None: ...

    def append_created(self, edit: Edit, memories: Sequence[Memory]) -> None: ...

    def bring_queries(self, queries: Sequence[CarriedQuery]) -> None: ...

    def bring_recalls(self, recalls: Sequence[CarriedRecall]) -> None: ...

    def bring_outcomes(self, events: Sequence[OutcomeEvent]) -> None: ...

    def bring_runs(self, runs: Sequence[CarriedRun]) -> None: ...

    def bring_contexts(self, contexts: Sequence[CarriedContext]) -> None: ...

    def bring_vectors(self, vectors: Sequence[CarriedVector]) -> None: ...

    def bring_query_vectors(self, vectors: Sequence[CarriedQueryVector]) -> None: ...
