"""Projects and the keys they are known by."""

from __future__ import annotations

import sqlite3
from datetime import datetime

from memory_layer.model.memory import Project
from memory_layer.store.rows import to_micros
from memory_layer.store.sqlite.connection import Connections


class Projects(Connections):
    def project(self, alias: str) -> Project | None:
        """The project known by this key, former key, id or path."""
        row = self._row(
            "select p.* from project p where p.id = ?1"
            " or p.row = (select project from project_alias where alias = ?1)",
            [alias],
        )
        return self._project_from(row) if row else None

    def projects_named(self, name: str) -> list[Project]:
        """Every project of that short name; two repositories may share one."""
        rows = self._rows("select * from project where name = ? order by row", [name])
        return [self._project_from(row) for row in rows]

    def projects(self) -> list[tuple[Project, int]]:
        """All projects with the number of their live memories."""
        rows = self._rows(
            "select p.*, (select count(*) from memory m where m.project = p.row and m.status <> 'archived') as live"
            " from project p order by p.name, p.row"
        )
        return [(self._project_from(row), row["live"]) for row in rows]

    def save_project(self, project: Project, at: datetime) -> None:
        """Create or update by id; its key and aliases are claimed unless another project has them."""
        self._run(
            "insert into project (id, key, name, root, created_at) values (?, ?, ?, ?, ?)"
            " on conflict (id) do update set key = excluded.key, name = excluded.name, root = excluded.root",
            [project.id, project.key, project.name, project.root, to_micros(at)],
        )
        for alias in (project.key, *project.aliases):
            self._run(
                "insert into project_alias (alias, project) select ?, row from project where id = ?"
                " on conflict (alias) do nothing",
                [alias, project.id],
            )

    def _project_from(self, row: sqlite3.Row) -> Project:
        aliases = self._rows(
            "select alias from project_alias where project = ? and alias <> ? order by alias",
            [row["row"], row["key"]],
        )
        return Project(
            id=row["id"],
            key=row["key"],
            name=row["name"],
            root=row["root"],
            aliases=tuple(alias["alias"] for alias in aliases),
        )
