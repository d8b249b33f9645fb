"""Read and write projects and the keys they are known by."""

from __future__ import annotations

import json
import sqlite3
from datetime import datetime
from typing import TYPE_CHECKING

from memory_layer.model.memory import Project
from memory_layer.store.rows import from_micros, moment, to_micros

if TYPE_CHECKING:
    from memory_layer.store.sqlite.connection import Connections

_READ = (
    "select p.*, (select json_group_array(alias) from (select alias from project_alias"
    " where project = p.row and alias <> p.key order by alias)) as aliases from project p"
)


class SqliteProjects:
    def __init__(self, connection: Connections) -> None:
        self._connection = connection

    def get(self, alias: str) -> Project | None:
        """Return the project known by this key, former key, id or path."""
        row = self._connection.row(
            f"{_READ} where p.id = ?1 or p.row = (select project from project_alias where alias = ?1)",
            [alias],
        )
        return _project(row) if row else None

    def all(self, name: str | None = None) -> list[Project]:
        """Return every project by name, or those of one short name, which repositories may share."""
        condition, parameters = ("", []) if name is None else (" where p.name = ?", [name])
        return list(
            map(_project, self._connection.rows(f"{_READ}{condition} order by p.name, p.row", parameters))
        )

    def save(self, project: Project, at: datetime) -> None:
        """Create or update by id; claims its key and aliases unless another project has them."""
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

    def roots(self) -> dict[str, str]:
        """Return the registered folders, each with the id of its project."""
        found = self._connection.rows("select root, project from registered_root order by root")
        return {row["root"]: row["project"] for row in found}

    def set_root(self, root: str, project_id: str | None, at: datetime) -> None:
        """Register a folder for a project; None removes it."""
        if project_id is None:
            self._connection.run("delete from registered_root where root = ?", [root])
            return
        self._connection.run(
            "insert into registered_root (root, project, at) values (?, ?, ?)"
            " on conflict (root) do update set project = excluded.project",
            [root, project_id, to_micros(at)],
        )

    def note_commit(self, project_id: str, last_commit_at: datetime | None, looked_at: datetime) -> None:
        """Record the time of a project's last commit, and when it was looked up."""
        self._connection.run(
            "update project set last_commit_at = ?, looked_at = ? where id = ?",
            [to_micros(last_commit_at), to_micros(looked_at), project_id],
        )

    def idle(self, until: datetime) -> dict[str, datetime]:
        """Return the keys of projects without a commit after `until`, with the time of the last one."""
        found = self._connection.rows(
            "select key, last_commit_at from project where last_commit_at <= ? order by key",
            [to_micros(until)],
        )
        return {row["key"]: moment(row["last_commit_at"]) for row in found}


def _project(row: sqlite3.Row) -> Project:
    return Project(
        id=row["id"],
        key=row["key"],
        name=row["name"],
        root=row["root"],
        aliases=tuple(json.loads(row["aliases"])),
        last_commit_at=from_micros(row["last_commit_at"]),
        looked_at=from_micros(row["looked_at"]),
        is_stored=True,
    )
