"""Read and write links from tasks of other programs to memories."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

from memory_layer.model.tasks import TaskLink
from memory_layer.store import rows

if TYPE_CHECKING:
    from memory_layer.store.sqlite.connection import Connections

_IN_PROJECT = "(t.project is null or t.project = (select row from project where id = ?))"
_PROJECT = "(select row from project where id = ?)"


class SqliteTaskLinks:
    def __init__(self, connection: Connections) -> None:
        self._connection = connection

    def find(
        self,
        project: str | None,
        tasks: Sequence[str] | None = None,
        memories: Sequence[str] | None = None,
    ) -> list[TaskLink]:
        """Return the links made in a project or in none, oldest first; of these tasks, or to these memories."""
        conditions: dict[str, Sequence[str] | None] = {
            "t.task in (select value from json_each(?))": tasks,
            "m.id in (select value from json_each(?))": memories,
        }
        chosen = {sql: json.dumps(list(names)) for sql, names in conditions.items() if names is not None}
        found = self._connection.rows(
            "select t.task, m.id as memory, t.created_at, p.id as project, t.automatic"
            " from task_link t join memory m on m.row = t.memory left join project p on p.row = t.project"
            f" where {' and '.join([_IN_PROJECT, *chosen])} order by t.created_at, t.task, m.row",
            [project, *chosen.values()],
        )
        return [
            TaskLink(
                task=row["task"],
                memory=row["memory"],
                created_at=rows.moment(row["created_at"]),
                project=row["project"],
                automatic=bool(row["automatic"]),
            )
            for row in found
        ]

    def put(self, links: Sequence[TaskLink]) -> None:
        """Insert links; one that exists stays as it is."""
        self._connection.run_many(
            "insert into task_link (task, memory, created_at, project, automatic)"
            f" select ?, m.row, ?, {_PROJECT}, ? from memory m where m.id = ? on conflict do nothing",
            (
                [each.task, rows.to_micros(each.created_at), each.project, int(each.automatic), each.memory]
                for each in links
            ),
        )

    def drop(self, link: TaskLink) -> None:
        """Delete a link."""
        self._connection.run(
            "delete from task_link where task = ? and memory = (select row from memory where id = ?)"
            f" and project is {_PROJECT}",
            [link.task, link.memory, link.project],
        )
