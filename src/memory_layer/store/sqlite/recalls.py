"""Looking back at what was recalled."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from memory_layer.model.query import Mode
from memory_layer.model.recalls import Given, Recall
from memory_layer.store.rows import moment, to_json, to_micros
from memory_layer.store.sqlite.memories import Memories

if TYPE_CHECKING:
    from memory_layer.ports.log import Recalls
    from memory_layer.store.sqlite.connection import Connections

READ_RECALL = (
    "select r.*, q.text, p.key as project_key,"
    " (select count(*) from recall_item i where i.recall = r.row) as n"
    " from recall r join query q on q.row = r.query left join project p on p.row = r.project "
)


class RecallRows:
    def __init__(self, connection: Connections) -> None:
        self._connection = connection

    def recalls(self, wanted: Recalls, limit: int | None) -> list[Recall]:
        """Return recalls, newest first; their lists only if they are wanted."""
        condition, parameters = _condition(wanted)
        found = self._connection.rows(
            f"{READ_RECALL}where {condition} order by r.row desc limit ?",
            [*parameters, -1 if limit is None else limit],
        )
        if not wanted.hits:
            return [_recall(row) for row in found]
        return [_recall(row)._replace(hits=self._given(row["row"])) for row in found]

    def _given(self, recall: int) -> tuple[Given, ...]:
        found = self._connection.rows(
            "select m.id, i.score, i.signals from recall_item i join memory m on m.row = i.memory"
            " where i.recall = ? order by i.rank",
            [recall],
        )
        memories = {
            memory.id: memory for memory in Memories(self._connection).get([each["id"] for each in found])
        }
        return tuple(
            Given(memories[each["id"]], each["score"], json.loads(each["signals"])) for each in found
        )


def _condition(wanted: Recalls) -> tuple[str, list[object]]:
    conditions: dict[str, object] = {
        "r.session = ?": wanted.session,
        "r.writer = ?": wanted.writer,
        "r.at >= ?": to_micros(wanted.since),
        "r.row in (select recall from recall_item where memory = (select row from memory where id = ?))": (
            wanted.memory
        ),
        "r.id in (select value from json_each(?))": None if wanted.ids is None else to_json([*wanted.ids]),
    }
    chosen = {sql: value for sql, value in conditions.items() if value is not None}
    parts, parameters = [*chosen], [*chosen.values()]
    if wanted.projects is not None:
        none = " or r.project is null" if None in wanted.projects else ""
        parts.append(
            "(r.project in (select row from project where id in (select value from json_each(?)))"
            + none
            + ")"
        )
        parameters.append(to_json([each for each in wanted.projects if each is not None]))
    return " and ".join(parts or ["true"]), parameters


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
