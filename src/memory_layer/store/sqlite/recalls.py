"""Looking back at what was recalled."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from memory_layer.errors import NotFound
from memory_layer.model.query import Mode
from memory_layer.model.recalls import Recalled
from memory_layer.store.rows import moment
from memory_layer.store.sqlite.logs import Logs

READ_RECALL = (
    "select r.*, q.text, p.key as project_key,"
    " (select count(*) from recall_item i where i.recall = r.row) as n"
    " from recall r join query q on q.row = r.query left join project p on p.row = r.project "
)


class Recalls(Logs):
    def resolve_recall(self, prefix: str) -> str:
        """The one recall whose id begins so, with or without `rec_`."""
        return self._resolved(prefix, "recall", "rec_", "recalls")

    def recalls(self, session: str | None, limit: int) -> list[Recalled]:
        """The last recalls, of one session or of all, newest first."""
        condition, parameters = ("", []) if session is None else ("where r.session = ? ", [session])
        found = self._rows(f"{READ_RECALL}{condition}order by r.row desc limit ?", [*parameters, limit])
        return [_recalled(row) for row in found]

    def recalled(self, recall_id: str) -> Recalled:
        """One recall without its list."""
        row = self._row(f"{READ_RECALL}where r.id = ?", [recall_id])
        if row is None:
            raise NotFound(f"there is no recall {recall_id!r}")
        return _recalled(row)

    def given(self, recall_id: str) -> list[tuple[str, float, Mapping[str, float]]]:
        """The exact list of a recall: each memory's id, score and signals, best first."""
        found = self._rows(
            "select m.id, i.score, i.signals from recall_item i join memory m on m.row = i.memory"
            " where i.recall = (select row from recall where id = ?) order by i.rank",
            [recall_id],
        )
        return [(row["id"], row["score"], json.loads(row["signals"])) for row in found]


def _recalled(row: Any) -> Recalled:
    return Recalled(
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
