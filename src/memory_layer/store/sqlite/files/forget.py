"""Erase the content of a memory: from the tables, the index, the history, and the bytes of the file."""

from __future__ import annotations

import sqlite3
import time
from typing import TYPE_CHECKING

from memory_layer.store.sqlite.memories import row_of

if TYPE_CHECKING:
    from memory_layer.store.sqlite.connection import Connections

NAP_SECONDS = 0.05


class Forgetting:
    def __init__(self, connection: Connections) -> None:
        self._connection = connection

    def copies_of(self, memory_id: str) -> list[str]:
        """Return archived memories with the same text, or merged into or skipped for this one, transitively."""
        found = self._connection.rows(
            "with recursive own (id) as ("
            " select ?1"
            " union select c.id from own o join memory m on m.id = o.id join memory c on c.status = 'archived'"
            "  and ((c.reason in ('merged', 'skipped', 'undone') and c.reason_detail = m.id)"
            "   or (c.content_hash = m.content_hash and m.reason is not 'forgotten'))"
            ") select own.id from own join memory on memory.id = own.id where own.id <> ?1 order by memory.row",
            [memory_id],
        )
        return [row["id"] for row in found]

    def tellers_of(self, memory_id: str) -> list[str]:
        """Return other memories that have or had exactly this text, and suggestions that quote its reports."""
        found = self._connection.rows(
            "select o.id from memory m join memory o on o.id <> m.id where m.id = ?1 and (o.content = m.content"
            " or o.id in (select a.memory from audit_payload p join audit a on a.number = p.number"
            "  where json_extract(p.payload, '$.content') = m.content)"
            " or (o.source = 'learning' and exists (select 1 from json_each(o.metadata, '$.evidence') e"
            "  where e.value = m.id or exists (select 1 from outcome r where r.memory = m.row"
            "   and r.id = e.value || ':' || m.id)))) order by o.row",
            [memory_id],
        )
        return [row["id"] for row in found]

    def erase(self, memory_id: str) -> None:
        """Delete what belongs to a memory, and overwrite deleted bytes from now on."""
        with self._connection.using() as db:
            db.execute("pragma secure_delete = on")
        row = row_of(self._connection, memory_id)
        self._connection.run(
            "insert into change (memory) select target from link where source = ? and kind = 'supersedes'",
            [row],
        )
        self._connection.run("delete from vector where memory = ?", [row])
        self._connection.run("delete from source_check where memory = ?", [row])
        self._connection.run("delete from link where source = ?1 or target = ?1", [row])
        self._connection.run("delete from task_link where memory = ?", [row])
        self._connection.run(
            "update outcome set evidence = '' where memory = ? and evidence is not null", [row]
        )

    def sweep(self) -> bool:
        """Rewrite the file without the erased bytes; False if others still have them open."""
        with self._connection.writing():
            self._connection.run("insert into memory_fts (memory_fts) values ('rebuild')")
        purged = self.purged_index()
        with self._connection.using() as db:
            self._connection.insist(db, "vacuum")
            return self._emptied_log(db) and purged

    def purged_index(self) -> bool:
        """Erase forgotten memories from the index files; return whether that succeeded."""
        folder = self._connection.index_folder()
        if folder is None or not folder.exists():
            return True
        from memory_layer.store.sqlite.index_source import Reader

        return self._connection.beside().purge(Reader(self._connection), self._connection.reading)

    def _emptied_log(self, db: sqlite3.Connection) -> bool:
        """Truncate the write-ahead log; return False if others keep reading it."""
        deadline = time.monotonic() + self._connection.busy_seconds
        while db.execute("pragma wal_checkpoint(truncate)").fetchone()[0]:
            if time.monotonic() > deadline:
                return False
            time.sleep(NAP_SECONDS)
        return True
