"""Erasing what a memory said: from its tables, its index, its history, and from the bytes of the file."""

from __future__ import annotations

import sqlite3
import time
from typing import TYPE_CHECKING

from memory_layer.ports.memories import Terms
from memory_layer.store.sqlite.memories import Memories
from memory_layer.store.sqlite.memory_rows import row_of

if TYPE_CHECKING:
    from memory_layer.model.memory import Memory
    from memory_layer.ports import Edit
    from memory_layer.store.sqlite.connection import Connections

NAP_SECONDS = 0.05


class Forgetting:
    def __init__(self, connection: Connections) -> None:
        self._connection = connection

    def recalls_of(self, memory_id: str) -> int:
        """How many answers gave a memory out."""
        row = self._connection.row(
            "select count(distinct recall) as n from recall_item"
            " where memory = (select row from memory where id = ?)",
            [memory_id],
        )
        return int(row["n"]) if row else 0

    def copies_of(self, memory_id: str) -> list[str]:
        """Archived memories with the same text, or merged into or skipped for this one, through any number of steps."""
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
        """Other memories that say or said the very text of this one, and suggestions that quote its reports."""
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

    def forget(self, memory: Memory, edit: Edit) -> Memory:
        """Put an empty place where a memory was; the chain keeps only its digests."""
        with self._connection.using() as db:
            db.execute("pragma secure_delete = on")
        saved = Memories(self._connection).save(memory, edit, Terms(body="", labels=""), tokens=0)
        row = row_of(self._connection, memory.id)
        self._connection.run(
            "delete from audit_payload where number in (select number from audit where memory = ?)",
            [memory.id],
        )
        self._connection.run("delete from vector where memory = ?", [row])
        self._connection.run("delete from source_check where memory = ?", [row])
        self._connection.run("delete from link where source = ?1 or target = ?1", [row])
        self._connection.run(
            "update outcome set evidence = '' where memory = ? and evidence is not null", [row]
        )
        return saved

    def sweep(self) -> bool:
        """Write the file anew without what was erased; False if others still have the old bytes open."""
        with self._connection.writing():
            self._connection.run("insert into memory_fts (memory_fts) values ('rebuild')")
        purged = self.purged_index()
        with self._connection.using() as db:
            self._connection.insist(db, "vacuum")
            return self._emptied_log(db) and purged

    def purged_index(self) -> bool:
        """Whether what was erased is in no file of the index either."""
        folder = self._connection.index_folder()
        if folder is None or not folder.exists():
            return True
        from memory_layer.store.sqlite.indexed import Reader

        return self._connection.beside().purge(Reader(self._connection), self._connection.reading)

    def _emptied_log(self, db: sqlite3.Connection) -> bool:
        """Whether the log beside the file could be cut to nothing, which nobody may be reading then."""
        deadline = time.monotonic() + self._connection.busy_seconds
        while db.execute("pragma wal_checkpoint(truncate)").fetchone()[0]:
            if time.monotonic() > deadline:
                return False
            time.sleep(NAP_SECONDS)
        return True
