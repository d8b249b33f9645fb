"""Looking back at what was recalled."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from memory_layer.errors import NotFound
from memory_layer.model.query import Mode
from memory_layer.model.recalls import Given, Recall
from memory_layer.store.rows import moment
from memory_layer.store.sqlite.memories import Memories

if TYPE_CHECKING:
    from memory_layer.store.sqlite.connection import Connections

READ_RECALL = (
    "select r.*, q.text, p.key as project_key,"
    " (select count(*) from recall_item i where i.recall = r.row) as n"
    " from recall r join query q on q.row = r.query left join project p on p.row = r.project "
)


class Recalls:
    def __init__(self, connection: Connections) -> None:
        self._connection = connection

    def recalls(self, session: str | None, limit: int) -> list[Recall]:
        """The last recalls, of one session or of all, newest first, without their lists."""
        condition, parameters = ("", []) if session is None else ("where r.session = ? ", [session])
        found = self._connection.rows(
            f"{READ_RECALL}{condition}order by r.row desc limit ?", [*parameters, limit]
        )
        return [_recall(row) for row in found]

    def recall(self, recall_id: str) -> Recall:
        """One recall with the exact list it gave."""
        row = self._connection.row(f"{READ_RECALL}where r.id = ?", [recall_id])
        if row is None:
            raise NotFound(f"there is no recall {recall_id!r}")
        found = self._connection.rows(
            "select m.id, i.score, i.signals from recall_item i join memory m on m.row = i.memory"
            " where i.recall = ? order by i.rank",
            [row["row"]],
        )
        memories = {
            memory.id: memory for memory in Memories(self._connection).get([each["id"] for each in found])
        }
        given = (Given(memories[each["id"]], each["score"], json.loads(each["signals"])) for each in found)
        return _recall(row)._replace(hits=tuple(given))


def _recall(row: Any) -> Recall:
    return Recall(
        id=row["id"],
        at=moment(row["at"]),
        query=row["text"],
        kind=row["kind"],
        mode=Mode(row["mode"]),
        ranker=row["ranker"],
        writer=row["writer"],
        session=row["session"],
        project=row["project_key"],
        memories=row["n"],
    )
