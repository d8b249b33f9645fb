"""Read and write records for exports and imports."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from memory_layer.model.export import ExportedMemory, LineKind
from memory_layer.model.query import Reach
from memory_layer.model.vocabulary import LinkKind
from memory_layer.ports.store import AuditEntry, EpisodeEntry
from memory_layer.store import rows
from memory_layer.store.sqlite import transfer_rows
from memory_layer.store.sqlite.chain import SqliteChain
from memory_layer.store.sqlite.filters import where

if TYPE_CHECKING:
    from memory_layer.model.export import ExportRecord
    from memory_layer.model.memory import Link
    from memory_layer.model.query import Filters
    from memory_layer.ports.store import IndexedTerms
    from memory_layer.store.sqlite.connection import Connections

#: Rows held in memory at once.
CHUNK = 1000

_EMBEDDING = "(select row from embedding where fingerprint = ?)"
_MEMORY = "(select row from memory where id = ?)"


class SqliteTransfer:
    def __init__(self, connection: Connections) -> None:
        self._connection = connection

    def records(self, kind: LineKind, chosen: Filters | None = None) -> Iterator[ExportRecord]:
        """Yield all records of a kind in order; with filters, only those of matching memories."""
        source, condition, order = transfer_rows.SOURCES[kind]
        prefix, parameters = _choosing(chosen)
        what = transfer_rows.selected(kind, part=chosen is not None)
        sql = f"{prefix}select {what} from {source} where {condition if chosen else '1'} order by {order}"
        return transfer_rows.records(kind, self._stream(sql, parameters))

    def count(self, kind: LineKind, chosen: Filters | None = None) -> int:
        """Count such records."""
        source, condition, _ = transfer_rows.SOURCES[kind]
        prefix, parameters = _choosing(chosen)
        what = transfer_rows.COUNTED_BY.get(kind, "*")
        row = self._connection.row(
            f"{prefix}select count({what}) as n from {source} where {condition if chosen else '1'}",
            parameters,
        )
        return int(row["n"]) if row else 0

    def write(self, kind: LineKind, records: Sequence[Any]) -> None:
        """Write records of one kind unchanged; log records that already exist stay as they are."""
        write = getattr(self, f"_write_{kind}", None)
        write(records) if write else self._insert(kind, records)

    def _insert(self, kind: LineKind, records: Iterable[ExportRecord]) -> None:
        self._connection.run_many(transfer_rows.insertion(kind), transfer_rows.bound(kind, records))

    def _insert_unknown(self, kind: LineKind, records: Sequence[ExportRecord]) -> list[ExportRecord]:
        """Insert and return the records whose ids are not in the table yet."""
        known = f"select 1 from {kind} where id = ?"
        new = [each for each in records if self._connection.row(known, [each.id]) is None]
        self._insert(kind, new)
        return new

    def _write_project(self, projects: Sequence[ExportRecord]) -> None:
        """Insert projects; an existing one keeps its key and takes the unclaimed aliases."""
        self._insert(LineKind.PROJECT, projects)
        self._connection.run_many(
            "insert into project_alias (alias, project) values (?, (select row from project where id = ?))"
            " on conflict do nothing",
            ([alias, each.id] for each in projects for alias in (each.key, *each.aliases)),
        )

    def _write_memory(self, memories: Sequence[tuple[ExportedMemory, IndexedTerms]]) -> None:
        """Insert new memories with their full text; audit entries are written separately."""
        self._insert(LineKind.MEMORY, (each for each, _ in memories))
        self._connection.run_many(
            f"insert into memory_terms (row, body, labels) values ({_MEMORY}, ?, ?)",
            ([each.memory.id, terms.body, terms.labels] for each, terms in memories),
        )
        self._note_changed(each.memory.id for each, _ in memories)

    def _write_episode(self, episodes: Sequence[ExportRecord]) -> None:
        entries = transfer_rows.bound(LineKind.EPISODE, episodes)
        SqliteChain(self._connection).append_episodes([EpisodeEntry(*columns) for columns in entries])

    def _write_link(self, links: Sequence[Link]) -> None:
        self._insert(LineKind.LINK, links)
        self._note_changed(link.target for link in links if link.kind is LinkKind.SUPERSEDES)

    def _write_audit(self, changes: Sequence[ExportRecord]) -> None:
        SqliteChain(self._connection).append(
            list(map(AuditEntry._make, transfer_rows.bound(LineKind.AUDIT, changes)))
        )

    def _write_recall(self, recalls: Sequence[ExportRecord]) -> None:
        """Insert recalls with those returned memories that exist here."""
        self._connection.run_many(
            "insert into recall_item (recall, rank, memory, score, signals)"
            " select (select row from recall where id = ?), ?, row, ?, ? from memory where id = ?",
            (
                [each.id, item["rank"], item["score"], rows.to_json(item["signals"]), item["memory"]]
                for each in self._insert_unknown(LineKind.RECALL, recalls)
                for item in each.items
            ),
        )

    def _write_run(self, runs: Sequence[ExportRecord]) -> None:
        self._connection.run_many(
            "insert into run_used (run, memory)"
            " select u.row, m.row from run u, memory m where u.id = ? and m.id = ?",
            ([each.id, used] for each in self._insert_unknown(LineKind.RUN, runs) for used in each.used),
        )

    def _write_vector(self, vectors: Sequence[ExportRecord]) -> None:
        self._know_fingerprints(each.fingerprint for each in vectors)
        self._connection.run_many(
            f"insert into vector (embedding, memory, passage, numbers) values ({_EMBEDDING}, {_MEMORY}, ?, ?)",
            (
                [each.fingerprint, each.memory, place, numbers]
                for each in vectors
                for place, numbers in enumerate(each.passages)
            ),
        )

    def _write_query_vector(self, vectors: Sequence[ExportRecord]) -> None:
        """Add vectors to queries that have none."""
        self._know_fingerprints(each.fingerprint for each in vectors)
        self._connection.run_many(
            f"update query set embedding = {_EMBEDDING}, numbers = ? where text = ? and numbers is null",
            ([each.fingerprint, each.numbers, each.query] for each in vectors),
        )

    def _note_changed(self, ids: Iterable[str]) -> None:
        self._connection.run_many(f"insert into change (memory) values ({_MEMORY})", ([each] for each in ids))

    def _know_fingerprints(self, fingerprints: Iterable[str]) -> None:
        self._connection.run_many(
            "insert into embedding (fingerprint) values (?) on conflict do nothing",
            ([each] for each in dict.fromkeys(fingerprints)),
        )

    def _stream(self, sql: str, parameters: list[Any]) -> Iterator[sqlite3.Row]:
        with self._connection.using() as db:
            cursor = db.execute(sql, parameters)
            while chunk := cursor.fetchmany(CHUNK):
                yield from chunk


def _choosing(chosen: Filters | None) -> tuple[str, list[Any]]:
    """Return the chosen rows as a common table expression; the reach `project` excludes global memories."""
    if chosen is None:
        return "", []
    # Include expired memories, because an export must not depend on the time.
    condition, parameters = where(chosen._replace(expired=True, superseded=True), rows.EPOCH)
    own = " and m.project is not null" if chosen.reach is Reach.PROJECT else ""
    return (
        f"with chosen as materialized (select m.row from memory m where {condition}{own}) ",
        parameters,
    )
