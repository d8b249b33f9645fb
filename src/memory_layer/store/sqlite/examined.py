"""A store opened as it is: looked at without a change, and mended inside a transaction."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from memory_layer.errors import StoreDamaged
from memory_layer.model.safety import Strange, Tally
from memory_layer.ports.memories import Terms
from memory_layer.store import migrate, rows
from memory_layer.store.sqlite import SqliteStore
from memory_layer.store.sqlite.connection import Connections, holds, is_frozen
from memory_layer.store.sqlite.copies import NEW_LIFE, connect, connect_frozen
from memory_layer.store.sqlite.memory_rows import changed, row_of
from memory_layer.store.sqlite.salvage import LOOSENED, without_hanging

if TYPE_CHECKING:
    from memory_layer.model.memory import Memory

BATCH = 500  #: records held in memory at once
VECTORS = 4096  #: vectors held in memory at once
#: How far the length of a stored vector may be from 1; half precision accounts for a thousandth.
TOLERANCE = 0.01

#: What the program can make again from the memories; the content of other tables would be gone.
DERIVED = {"memory_terms", "memory_fts", "memory_vocabulary", "vector", "embedding", "change"}


class ExaminedConnections(Connections):
    """Connections to a file that is neither created, migrated nor finished on opening."""

    def _connect(self) -> sqlite3.Connection:
        db = connect(self.path, write=os.access(self.path, os.W_OK), busy_seconds=self.busy_seconds)
        if is_frozen(self.path) and not _can_be_read(db):
            db.close()
            db = connect_frozen(self.path)
        db.create_function("scope_covers", 2, self._scope_covers, deterministic=True)
        db.create_function("holds", 2, holds, deterministic=True)
        db.execute("pragma foreign_keys = on")
        db.execute("pragma synchronous = full")
        db.execute("pragma temp_store = memory")
        return db


class ExaminedStore(SqliteStore):
    """The store's own parts over a file as it is, and what can be asked about its health."""

    def __init__(
        self, path: Path, *, busy_seconds: float, covers: Callable[[Sequence[str], str], bool]
    ) -> None:
        super().__init__(path, busy_seconds=busy_seconds, covers=covers, connections=ExaminedConnections)

    # the file

    def page_complaints(self) -> list[str]:
        """What SQLite itself finds wrong with its pages and indexes; at most a hundred lines."""
        try:
            return [row[0] for row in self.connection.rows("pragma integrity_check") if row[0] != "ok"]
        except StoreDamaged:
            return ["so that not even a search for the damage gets through"]

    def reindex(self) -> None:
        self.connection.run("reindex")

    def begin_new_life(self) -> None:
        """Let whatever was built beside the file be built anew, because rows may not be what it knows."""
        if self.connection.row("select 1 from sqlite_master where type = 'table' and name = 'meta'"):
            self.connection.run(NEW_LIFE)

    # the schema

    def format(self) -> tuple[int, int]:
        """The format of the file, and the newest this program knows."""
        row = self.connection.row("pragma user_version")
        assert row is not None
        return int(row[0]), migrate.newest()

    def strange_parts(self) -> list[Strange]:
        """Tables, indexes and triggers that are not as this program makes them."""
        here = {(row["type"], row["name"]): row["sql"] for row in self.connection.rows(_PARTS)}
        return [
            Strange(kind, name, (kind, name) not in here)
            for kind, name, sql in _expected(self.format()[0])
            if here.get((kind, name)) not in (sql, *_also_made(sql))
        ]

    def rebuild_parts(self) -> None:
        """Make missing indexes, triggers and derived tables again; what memories are in is left alone."""
        strange = {(part.kind, part.name): part for part in self.strange_parts()}
        for kind, name, sql in _expected(self.format()[0]):
            part = strange.get((kind, name))
            if part is None or (kind == "table" and name not in DERIVED):
                continue
            if not part.missing and kind != "table":
                self.connection.run(f"drop {kind} {name}")
            if part.missing or kind != "table":
                self._made(sql)

    def _made(self, sql: str) -> None:
        try:
            self.connection.run(sql)
        except sqlite3.IntegrityError:  # a unique index over texts that are there twice
            return

    # references

    def dangling(self) -> dict[str, int]:
        """How many rows of each table refer to something that is not there."""
        found: dict[str, int] = {}
        for row in self.connection.rows("pragma foreign_key_check"):
            found[row[0]] = found.get(row[0], 0) + 1
        return found

    def drop_dangling(self) -> None:
        """Take away what hangs on nothing; a report keeps its verdict without the question."""
        for statement in LOOSENED:
            self.connection.run(statement)
        tables = {
            row["name"] for row in self.connection.rows("select name from sqlite_master where type = 'table'")
        }
        for statement in without_hanging(tables):
            self.connection.run(statement)

    # words

    def text_index_complaint(self) -> str | None:
        """What the full-text index says against itself or against the words it was made from."""
        try:
            with self.connection.using() as db:
                for arguments in ("(memory_fts) values ('integrity-check')", _AGAINST_CONTENT):
                    db.execute("savepoint look")
                    try:
                        db.execute(f"insert into memory_fts {arguments}")
                    finally:
                        db.execute("rollback to look")
                        db.execute("release look")
        except StoreDamaged as error:
            return str(error.__cause__ or error)
        return None

    def rebuild_text_index(self) -> None:
        """Make the full-text index anew from the words; if it cannot be rebuilt, replace it."""
        try:
            self.connection.run(_REBUILD)
        except StoreDamaged:
            self.connection.run("drop table memory_fts")
            self.connection.run(
                next(sql for _, name, sql in _expected(self.format()[0]) if name == "memory_fts")
            )
            self.connection.run(_REBUILD)

    def records(self) -> Iterator[tuple[int, str, Memory | None, str | None, Terms | None]]:
        """Each row: its number, id, memory (None if it makes no sense), project's id and words."""
        last = -1
        while batch := self.connection.rows(_RECORDS, [last, BATCH]):
            for row in batch:
                last = row["row"]
                terms = None if row["body"] is None else Terms(row["body"], row["labels"])
                try:
                    memory = rows.memory_from(row)
                except StoreDamaged:
                    memory = None
                yield row["row"], row["id"], memory, row["project_id"], terms

    def set_hash(self, memory_id: str, content_hash: str) -> None:
        """Correct the hash of a text without making a version."""
        row = row_of(self.connection, memory_id)
        self.connection.run(
            "update memory set content_hash = ? where row = ?", [bytes.fromhex(content_hash), row]
        )
        changed(self.connection, row)

    def write_terms(self, row: int, terms: Terms) -> None:
        """Replace the words of one memory; the index has to be rebuilt afterwards."""
        self.connection.run(
            "insert into memory_terms (row, body, labels) values (?, ?, ?)"
            " on conflict (row) do update set body = excluded.body, labels = excluded.labels",
            [row, terms.body, terms.labels],
        )
        changed(self.connection, row)

    # vectors

    def unfit_vectors(self, sizes: Mapping[str, int]) -> list[tuple[str, int, int]]:
        """The vectors that cannot be compared: not of unit length, or of another size than their model's.

        How many numbers a model's have is told by its fingerprint; of other models the commonest size is right.
        """
        return [
            *self._unfit("vector", "memory", "passage", sizes),
            *self._unfit("query", "row", "0", sizes),
        ]

    def _unfit(
        self, table: str, key: str, passage: str, sizes: Mapping[str, int]
    ) -> list[tuple[str, int, int]]:
        known = self.connection.rows("select row, fingerprint from embedding")
        told = {row["row"]: 2 * sizes[row["fingerprint"]] for row in known if row["fingerprint"] in sizes}
        usual = self._usual_sizes(table) | told
        unfit: list[tuple[str, int, int]] = []
        with self.connection.using() as db:
            cursor = db.execute(
                f"select {key} as key, {passage} as passage, embedding, numbers from {table}"
                " where numbers is not null"
            )
            while batch := cursor.fetchmany(VECTORS):
                wanted = [usual[row["embedding"]] for row in batch]
                unfit += [(table, row["key"], row["passage"]) for row in _incomparable(batch, wanted)]
        return unfit

    def _usual_sizes(self, table: str) -> dict[int, int]:
        """The commonest number of bytes of each model's vectors."""
        found = self.connection.rows(
            f"select embedding, length(numbers) as size, count(*) as n from {table}"
            " where numbers is not null group by embedding, size order by n"
        )
        return {row["embedding"]: row["size"] for row in found}

    def drop_vector(self, table: str, row: int, passage: int) -> None:
        """Take a vector away; a memory loses all of its passages, so that it is embedded anew."""
        if table == "vector":
            self.connection.run("delete from vector where memory = ?", [row])
            changed(self.connection, row)
        else:
            self.connection.run("update query set embedding = null, numbers = null where row = ?", [row])

    # the index beside the file

    def index_flaw(self) -> str | None:
        """In what the index beside the file differs from the store; None also if there is none."""
        from memory_layer.store.sqlite.indexed import Reader

        return self.connection.beside().flaw(Reader(self.connection))

    def drop_index(self) -> None:
        self.connection.beside().drop()

    # counters

    def tallies(self) -> Iterator[Tally]:
        """The counters of every memory that has any or was ever reported on."""
        with self.connection.using() as db:
            for row in db.execute(_TALLIES):
                yield Tally(*row)

    def outcome_times(self, row: int) -> list[tuple[str, bool, datetime]]:
        """The reports on one memory, oldest first: result, whether it counted, and when."""
        found = self.connection.rows(
            "select result, counted, at from outcome where memory = ? order by row", [row]
        )
        return [(each["result"], bool(each["counted"]), rows.moment(each["at"])) for each in found]


def _can_be_read(db: sqlite3.Connection) -> bool:
    try:
        db.execute("select 1 from sqlite_master").fetchone()
    except sqlite3.OperationalError:
        return False
    except sqlite3.DatabaseError:  # damaged, which is what the checks are there to say
        return True
    return True


_PARTS = (
    "select type, name, sql from sqlite_master where sql is not null and name not like 'sqlite_%'"
    " and name not like 'memory_fts_%'"
)
_REBUILD = "insert into memory_fts (memory_fts) values ('rebuild')"
_AGAINST_CONTENT = "(memory_fts, rank) values ('integrity-check', 1)"
_RECORDS = (
    "select m.*, p.key as project_key, p.id as project_id, t.body, t.labels from memory m"
    " left join project p on p.row = m.project left join memory_terms t on t.row = m.row"
    " where m.row > ? order by m.row limit ?"
)
#: An undo moves counters by what it takes back, and an import brings them as they were elsewhere.
_TALLIES = (
    "with taken_back (id) as materialized (select json_extract(p.payload, '$.memory')"
    "  from audit a join audit_payload p on p.number = a.number"
    "  where a.memory is null and a.action like 'undo %' and json_valid(p.payload)"
    "  and json_type(p.payload, '$.before.use_count') is not null)"
    " select m.row, m.id, m.worked, m.partial, m.failed, m.use_count, m.outcome_score, count(o.row),"
    " total(o.counted and o.result = 'worked'), total(o.counted and o.result = 'partial'),"
    " total(o.counted and o.result = 'failed'), m.id not in (select id from taken_back)"
    " and not exists (select 1 from audit where memory = m.id and action = 'import')"
    " from memory m left join outcome o on o.memory = m.row"
    " where m.worked or m.partial or m.failed or m.outcome_score or o.row is not null group by m.row"
)


def _incomparable(batch: list[sqlite3.Row], wanted: list[int]) -> Iterator[sqlite3.Row]:
    """The rows whose vector has another number of bytes than wanted, or is not of unit length."""
    import numpy as np

    alike: dict[int, list[sqlite3.Row]] = {}
    for row, size in zip(batch, wanted, strict=True):
        if size and size % 2 == 0 and len(row["numbers"]) == size:
            alike.setdefault(size, []).append(row)
        else:
            yield row
    for vectors in alike.values():
        numbers = np.frombuffer(b"".join(row["numbers"] for row in vectors), dtype="<f2")
        with np.errstate(all="ignore"):
            lengths = np.linalg.norm(numbers.reshape(len(vectors), -1).astype(np.float32), axis=1)
        fits = (np.abs(lengths - 1.0) <= TOLERANCE).tolist()
        yield from (row for row, fit in zip(vectors, fits, strict=True) if not fit)


def _also_made(sql: str) -> tuple[str, ...]:
    """The first format was made with either order of a vector's key; the second has one again."""
    either = "(embedding, memory, passage)", "(memory, embedding, passage)"
    return (sql.replace(*either),) if either[0] in sql else ()


def _expected(version: int) -> list[Sequence[str]]:
    """The parts of a new store of that format, in the order they are made."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as db:
        migrate.apply(db, up_to=version)
        return [tuple(row) for row in db.execute(f"{_PARTS} order by rowid")]
