"""Cache the results of citation checks that had to read other files."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from memory_layer.model.memory import Citation
from memory_layer.model.sources import Checked, SourceState, Standing
from memory_layer.ports.log import CitationCheck
from memory_layer.store import rows

if TYPE_CHECKING:
    from memory_layer.store.sqlite.connection import Connections


class SourceChecks:
    def __init__(self, connection: Connections) -> None:
        self._connection = connection

    def checks(self, ids: Sequence[str], since: datetime | None) -> dict[str, CitationCheck]:
        """Return the results for these memories since then; unreadable ones are skipped."""
        found = self._connection.rows(
            "select m.id, c.state, c.citations <> m.citations as outdated, c.checks"
            " from source_check c join memory m on m.row = c.memory"
            " where (?1 is null or c.at >= ?1) and m.id in (select value from json_each(?2))",
            [rows.to_micros(since), json.dumps(list(ids))],
        )
        return {
            row["id"]: CitationCheck(SourceState(row["state"]), bool(row["outdated"]), _checks(row["checks"]))
            for row in found
        }

    def put_checks(self, standings: Mapping[str, Standing], at: datetime) -> None:
        """Store results that had to read other files, and delete outdated ones."""
        self._connection.run(
            "delete from source_check where memory in"
            " (select row from memory where id in (select value from json_each(?)))",
            [json.dumps(list(standings))],
        )
        for memory_id, standing in standings.items():
            if any(check.marks for check in standing.checks):
                self._connection.run(
                    "insert into source_check (memory, state, citations, checks, at)"
                    " select row, ?, citations, ?, ? from memory where id = ?",
                    [standing.state.value, _text(standing), rows.to_micros(at), memory_id],
                )


def _text(standing: Standing) -> str:
    return rows.to_json(
        [
            {
                "citation": _fields(check.citation),
                "state": check.state.value,
                "now": _fields(check.now) if check.now else None,
                "marks": list(check.marks),
            }
            for check in standing.checks
            if check.marks
        ]
    )


def _fields(citation: Citation) -> dict[str, object]:
    return {name: value for name, value in citation._asdict().items() if value is not None}


def _checks(text: str) -> tuple[Checked, ...]:
    try:
        return tuple(map(_check, json.loads(text)))
    except (ValueError, TypeError, KeyError):
        return ()


def _check(data: dict[str, Any]) -> Checked:
    before, after = data["marks"]
    return Checked(
        citation=Citation(**data["citation"]),
        state=SourceState(data["state"]),
        now=Citation(**data["now"]) if data["now"] else None,
        marks=(str(before), str(after)),
    )
