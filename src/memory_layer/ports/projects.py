"""What the core asks of a store about projects and registered folders."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from datetime import datetime

    from memory_layer.model.memory import Project


class Projects(Protocol):
    """Projects and the keys they are known by."""

    def project(self, alias: str) -> Project | None: ...

    def projects_named(self, name: str) -> list[Project]: ...

    def projects(self) -> list[tuple[Project, int]]: ...

    def save_project(self, project: Project, at: datetime) -> None: ...

    def registered_roots(self) -> dict[str, str]: ...

    def register_root(self, root: str, project_id: str, at: datetime) -> None: ...

    def unregister_root(self, root: str) -> None: ...

    def note_commit(self, project_id: str, last_commit_at: datetime | None, looked_at: datetime) -> None: ...

    def last_commits(self, until: datetime) -> dict[str, datetime]: ...
