"""Who wrote what: looks into the store's file between two calls and holds it against what the server said."""

from __future__ import annotations

import json
import re
import sqlite3
from pathlib import Path
from typing import Any

from memory_layer.store.sqlite import SqliteStore
from memory_layer.text import scopes

ID = re.compile(r"\bmem_[0-9a-z]{26}\b")
WRITTEN = {
    "memory": "select id from memory where row > ?",
    "audit": "select memory from audit where number > ? and memory is not null",
    "outcome": "select m.id from outcome o join memory m on m.row = o.memory where o.row > ?",
}
LAST = {"memory": "max(row)", "audit": "max(number)", "outcome": "max(row)"}
#: What was merged or skipped stays in the archive, and the answer names the one that took it in.
TAKEN_IN = (
    "select id, reason_detail from memory where status = 'archived' and reason in ('merged', 'skipped')"
)
LINKS = "select s.id, t.id, l.kind from link l join memory s on s.row = l.source join memory t on t.row = l.target"


class Ledger:
    """What is in the store, and by which answers it got there."""

    def __init__(self, database: Path) -> None:
        SqliteStore(
            database, busy_seconds=5, covers=scopes.matches
        ).close()  # one whose commits can be counted
        self._file = sqlite3.connect(f"file:{database}?mode=ro", uri=True, isolation_level=None)
        self._file.execute("pragma busy_timeout = 10000")
        self.acknowledged: dict[str, None] = {}
        self.outcomes = 0
        self._look()

    def close(self) -> None:
        self._file.close()

    def refused(self, about: object) -> None:
        """A call that was refused has committed nothing at all."""
        assert self._commits() == self._seen, f"a refused call wrote something: {about!r:.500}"

    def answered(self, answer: dict[str, Any], about: object, *, only_reads: bool) -> None:
        """Whatever a call wrote is named in its answer; one that says it only reads has written no memory."""
        told = set(ID.findall(json.dumps(answer)))
        told |= {each for each, taken_in_by in self._file.execute(TAKEN_IN) if taken_in_by in told}
        fresh = {table: self._since(table) for table in WRITTEN}
        for table, ids in fresh.items():
            assert set(ids) <= told, f"{table} of {set(ids) - told} was not acknowledged: {about!r:.500}"
        links = self._links()
        assert all(told & set(ends) for ends in links - self.links), f"links beside {about!r:.500}"
        if only_reads:
            assert not any(fresh.values()), f"it only reads: {about!r:.500}"
            assert links == self.links
        self.acknowledged |= dict.fromkeys(fresh["memory"])
        self.outcomes += len(fresh["outcome"])
        self._look()

    def everything(self) -> list[str]:
        """The ids of all memories, in whatever state they are."""
        return [row[0] for row in self._file.execute("select id from memory order by row")]

    def _look(self) -> None:
        self._seen = self._commits()
        self._last = {
            table: self._file.execute(f"select coalesce({last}, 0) from {table}").fetchone()[0]
            for table, last in LAST.items()
        }
        self.links = self._links()

    def _commits(self) -> int:
        """A number that changes whenever somebody else commits."""
        return int(self._file.execute("pragma data_version").fetchone()[0])

    def _since(self, table: str) -> list[str]:
        return [row[0] for row in self._file.execute(WRITTEN[table], (self._last[table],))]

    def _links(self) -> set[tuple[str, str, str]]:
        return set(self._file.execute(LINKS))
