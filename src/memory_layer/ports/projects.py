"""What the core asks of a store about projects and registered folders."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from datetime import datetime

    from memory_layer.model.memory import Project


class Projects(Protocol):
    """Projects and the keys they are known by."""

    def get(self, alias: str) -> Project | None: ...

    def all(self, name: str | None = None) -> list[Project]: ...

    def save(self, project: Project, at: datetime) -> None: ...

    def note_commit(self, project_id: str, last_commit_at: datetime | None, looked_at: datetime) -> None: ...

    def idle(self, until: datetime) -> dict[str, datetime]: ...

    def roots(self) -> dict[str, str]: ...

    def set_root(self, root: str, project_id: str | None, at: datetime) -> None: ...
