"""Projects and the keys they are known by."""

from __future__ import annotations

import sqlite3
from datetime import datetime
from typing import TYPE_CHECKING

from memory_layer.model.memory import Project
from memory_layer.store.rows import from_micros, moment, to_micros

if TYPE_CHECKING:
    from memory_layer.store.sqlite.connection import Connections


class Projects:
    def __init__(self, connection: Connections) -> None:
        self._connection = connection

    def project(self, alias: str) -> Project | None:
        """The project known by this key, former key, id or path."""
        row = self._connection.row(
            "select p.* from project p where p.id = ?1"
            " or p.row = (select project from project_alias where alias = ?1)",
            [alias],
        )
        return self._project_from(row) if row else None

    def projects_named(self, name: str) -> list[Project]:
        """Every project of that short name; two repositories may share one."""
        rows = self._connection.rows("select * from project where name = ? order by row", [name])
        return [self._project_from(row) for row in rows]

    def projects(self) -> list[tuple[Project, int]]:
        """All projects with the number of their live memories."""
        rows = self._connection.rows(
            "select p.*, (select count(*) from memory m where m.project = p.row and m.status <> 'archived') as live"
            " from project p order by p.name, p.row"
        )
        return [(self._project_from(row), row["live"]) for row in rows]

    def save_project(self, project: Project, at: datetime) -> None:
        """Create or update by id; its key and aliases are claimed unless another project has them."""
        self._connection.run(
            "insert into project (id, key, name, root, created_at) values (?, ?, ?, ?, ?)"
            " on conflict (id) do update set key = excluded.key, name = excluded.name, root = excluded.root",
            [project.id, project.key, project.name, project.root, to_micros(at)],
        )
        for alias in (project.key, *project.aliases):
            self._connection.run(
                "insert into project_alias (alias, project) select ?, row from project where id = ?"
                " on conflict (alias) do nothing",
                [alias, project.id],
            )

    def registered_roots(self) -> dict[str, str]:
        """The folders that a person registered, each with the id of its project."""
        found = self._connection.rows("select root, project from registered_root order by root")
        return {row["root"]: row["project"] for row in found}

    def register_root(self, root: str, project_id: str, at: datetime) -> None:
        """Let servers read the files of a folder."""
        self._connection.run(
            "insert into registered_root (root, project, at) values (?, ?, ?)"
            " on conflict (root) do update set project = excluded.project",
            [root, project_id, to_micros(at)],
        )

    def unregister_root(self, root: str) -> None:
        """Take that back."""
        self._connection.run("delete from registered_root where root = ?", [root])

    def note_commit(self, project_id: str, last_commit_at: datetime | None, looked_at: datetime) -> None:
        """Remember when a project had its last commit, and when somebody looked."""
        self._connection.run(
            "update project set last_commit_at = ?, looked_at = ? where id = ?",
            [to_micros(last_commit_at), to_micros(looked_at), project_id],
        )

    def last_commits(self, until: datetime) -> dict[str, datetime]:
        """The keys of the projects whose last commit is no later, with its moment."""
        found = self._connection.rows(
            "select key, last_commit_at from project where last_commit_at <= ? order by key",
            [to_micros(until)],
        )
        return {row["key"]: moment(row["last_commit_at"]) for row in found}

    def _project_from(self, row: sqlite3.Row) -> Project:
        aliases = self._connection.rows(
            "select alias from project_alias where project = ? and alias <> ? order by alias",
            [row["row"], row["key"]],
        )
        return Project(
            id=row["id"],
            key=row["key"],
            name=row["name"],
            root=row["root"],
            aliases=tuple(alias["alias"] for alias in aliases),
            last_commit_at=from_micros(row["last_commit_at"]),
            looked_at=from_micros(row["looked_at"]),
            is_stored=True,
        )
