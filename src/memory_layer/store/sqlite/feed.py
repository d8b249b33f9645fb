"""Read what changed since a position."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memory_layer.model.feed import Changed, Position

if TYPE_CHECKING:
    from memory_layer.store.sqlite.connection import Connections

MARK_BYTES = 6  #: of an entry's hash, enough to tell two chains apart

_POSITION = (
    "select coalesce((select max(number) from audit), 0) as audit,"
    " coalesce((select max(sequence) from change), 0) as change,"
    " coalesce((select max(row) from recall), 0) as recall,"
    " coalesce((select max(row) from outcome), 0) as outcome"
)
_MEMORIES = (
    "select m.id from (select memory from change where sequence > ? and sequence <= ?"
    " union select i.memory from recall_item i where i.recall > ? and i.recall <= ?"
    " union select memory from outcome where row > ? and row <= ?) c"
    " join memory m on m.row = c.memory where m.status <> 'staged' or m.reason is not 'writing'"
    " order by m.row desc limit ?"
)
_ACTIONS = (
    "select action, count(distinct coalesce(memory, operation)) as n from audit"
    " where number > ? and number <= ? group by action"
)
_RECALLS = "select count(*) as n from recall where row > ? and row <= ?"
RECALL = "recall"  #: the action of giving memories, which the chain does not record


class SqliteFeed:
    def __init__(self, connection: Connections) -> None:
        self._connection = connection

    def position(self) -> Position:
        """Return the newest row of each log."""
        row = self._connection.row(_POSITION)
        return Position(*row) if row else Position()

    def mark(self, audit: int) -> str:
        """Return the beginning of the hash of an entry, which tells this chain from another; empty if there is none."""
        row = self._connection.row("select hash from audit where number = ?", [audit])
        return bytes(row["hash"])[:MARK_BYTES].hex() if row else ""

    def changed(self, after: Position, until: Position, most: int) -> Changed:
        """Return the memories and actions between two positions."""
        spans = [bound for name in ("change", "recall", "outcome") for bound in _span(name, after, until)]
        found = self._connection.rows(_MEMORIES, [*spans, most])
        actions = {
            row["action"]: row["n"]
            for row in self._connection.rows(_ACTIONS, [*_span("audit", after, until)])
        }
        recalls = self._connection.rows(_RECALLS, [*_span("recall", after, until)])[0]["n"]
        return Changed(tuple(row["id"] for row in found), actions | ({RECALL: recalls} if recalls else {}))


def _span(name: str, after: Position, until: Position) -> tuple[int, int]:
    return getattr(after, name), getattr(until, name)
