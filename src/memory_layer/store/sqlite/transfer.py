"""Read and write records for exports and imports."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

from memory_layer.errors import StoreDamaged
from memory_layer.model.export import FORMS, ExportedMemory, ExportField, LineKind
from memory_layer.model.memory import COUNTED, Memory
from memory_layer.model.query import Reach
from memory_layer.model.vocabulary import LinkKind
from memory_layer.ports.store import AuditEntry, EpisodeEntry
from memory_layer.store import rows
from memory_layer.store.chain import columns_as_read
from memory_layer.store.sqlite.chain import SqliteChain
from memory_layer.store.sqlite.filters import where

if TYPE_CHECKING:
    import sqlite3

    from memory_layer.model.export import ExportRecord
    from memory_layer.model.memory import Link
    from memory_layer.model.query import Filters
    from memory_layer.ports.store import IndexedTerms
    from memory_layer.store.sqlite.connection import Connections


_ASKED = (
    "t.row in (select r.query from recall_item i join recall r on r.row = i.recall where i.memory in chosen"
    " union select query from outcome where memory in chosen)"
)
_GIVEN = "exists (select 1 from recall_item i where i.recall = t.recall and i.memory in chosen)"
#: For each kind: its table, the condition in a partial export, and the order.
SOURCES: dict[LineKind, tuple[str, str, str]] = {
    LineKind.PROJECT: (
        "project t",
        "t.row in (select project from memory where row in chosen"
        " union select r.project from recall_item i join recall r on r.row = i.recall where i.memory in chosen"
        " union select project from task_link where memory in chosen)",
        "t.row",
    ),
    LineKind.MEMORY: ("memory m left join project p on p.row = m.project", "m.row in chosen", "m.row"),
    LineKind.EPISODE: ("episode t", "0", "t.session, t.number"),
    LineKind.LINK: (
        "link t cross join memory s on s.row = t.source cross join memory m on m.row = t.target",
        "t.source in chosen and t.target in chosen",
        "t.source, t.target, t.kind",
    ),
    LineKind.AUDIT: ("audit t", "0", "t.number"),
    LineKind.QUERY: ("query t", _ASKED, "t.row"),
    LineKind.RECALL: (
        "recall t left join recall_item i on i.recall = t.row",
        "i.memory in chosen",
        "t.row, i.rank",
    ),
    LineKind.OUTCOME: ("outcome t cross join memory m on m.row = t.memory", "t.memory in chosen", "t.row"),
    LineKind.RUN: ("run t join recall r on r.row = t.recall", _GIVEN, "t.row"),
    LineKind.CONTEXT: ("context t join recall r on r.row = t.recall", _GIVEN, "t.recall"),
    LineKind.TASK_LINK: (
        "task_link t cross join memory m on m.row = t.memory",
        "t.memory in chosen",
        "t.task, t.memory, t.project",
    ),
    LineKind.VECTOR: (
        "vector t cross join embedding e on e.row = t.embedding",
        "t.memory in chosen",
        "t.memory, e.fingerprint, t.passage",
    ),
    LineKind.QUERY_VECTOR: ("query t join embedding e on e.row = t.embedding", _ASKED, "t.row"),
}
#: The expression to count where several rows make one record.
COUNTED_BY = {LineKind.RECALL: "distinct t.row", LineKind.VECTOR: "distinct t.memory || ' ' || t.embedding"}
#: A partial export keeps references of outcomes and runs only to records that it contains.
SAME_PART = {
    LineKind.OUTCOME: " and exists (select 1 from recall_item i where i.recall = r.row and i.memory in chosen)",
    LineKind.RUN: " and x.memory in chosen",
}
#: The expression for a field that is neither the column of its name nor a reference.
_SELECTED = {
    "aliases": "(select json_group_array(alias) from project_alias where project = t.row and alias <> t.key)",
    "attention": "t.review",
    "payload": "(select payload from audit_payload p where p.number = t.number)",
    "items": "(select id from memory where row = i.memory), i.rank, i.score, i.signals",
    "used": "(select json_group_array(id) from (select m.id from run_used x"
    " join memory m on m.row = x.memory where x.run = t.row{part} order by m.id))",
    "fingerprint": "e.fingerprint",
    "passages": "t.numbers",
    "outcome.recall": "(select id from recall r where row = t.recall{part})",
    "query_vector.query": "t.text",
}
#: The column by which an export refers to a record of another table.
_NAMED_BY = {"project": "id", "memory": "id", "query": "text", "recall": "id"}
#: The fields stored in separate tables.
_ELSEWHERE = ("aliases", "items", "used")
#: The kinds whose existing records are not changed.
_SKIPPED = (
    LineKind.PROJECT,
    LineKind.QUERY,
    LineKind.OUTCOME,
    LineKind.CONTEXT,
    LineKind.TASK_LINK,
)


_WRITE: dict[str, Callable[[Any], Any]] = {
    "word": lambda word: word.value,
    "moment": rows.to_micros,
    "digest": bytes.fromhex,
    **dict.fromkeys(("asked", "labels", "lines", "marks", "payload"), rows.to_json),
}
#: The value each row adds to the last field of a record made of several rows.
_PART_OF_RECORD: dict[LineKind, Callable[[Any], Any]] = {
    LineKind.RECALL: lambda item: dict(
        zip(("memory", "rank", "score", "signals"), (*item[:3], json.loads(item[3])), strict=True)
    ),
    LineKind.VECTOR: lambda vector: vector[0],
}
_MEMORY_COLUMNS = (*rows.VERSIONED, *COUNTED, "id", "version", "updated_at")


def _texts(text: str) -> tuple[str, ...]:
    return tuple(json.loads(text))


#: Conversions from column to field value and back, where they differ.
_READ: dict[str, Callable[[Any], Any]] = {
    "moment": rows.moment,
    "digest": bytes.hex,
    "flag": bool,
    "labels": _texts,
    "marks": _texts,
    "paths": lambda text: tuple(sorted(json.loads(text))),
    "asked": json.loads,
    "payload": json.loads,
    "lines": _texts,
}


def selected(kind: LineKind, *, part: bool) -> str:
    """Return the select list for a kind, for all records or for part of a store."""
    if kind is LineKind.MEMORY:
        return f"{rows.RECORD}, p.id, m.tokens, m.lease_until"
    columns = ", ".join(_column(kind, field) for field in FORMS[kind].fields)
    return columns.replace("{part}", SAME_PART.get(kind, "") if part else "")


def records(kind: LineKind, found: Iterator[sqlite3.Row]) -> Iterator[ExportRecord]:
    """Yield records from the rows of such a statement."""
    if kind is LineKind.MEMORY:
        return map(_memory, found)
    making = [(field.place, read) for field in FORMS[kind].fields if (read := _reader(field))]
    made = FORMS[kind].made
    lists: Iterator[list[Any]] = _grouped(kind, found) if kind in _PART_OF_RECORD else map(list, found)

    def record(values: list[Any]) -> ExportRecord:
        try:
            for place, read in making:
                if values[place] is not None:
                    values[place] = read(values[place])
        except (ValueError, KeyError, TypeError, OverflowError) as error:
            raise StoreDamaged(f"a record of type {kind} is damaged: {error}") from error
        return made(values)

    return map(record, lists)


def insertion(kind: LineKind) -> str:
    """Return the statement that inserts a record."""
    if kind is LineKind.MEMORY:
        columns = [*_MEMORY_COLUMNS, "tokens", "lease_until", "project"]
        marks = [*("?" for _ in columns[:-1]), _row("project")]
    else:
        columns = ["review" if field.name == "attention" else field.name for field in _stored(kind)]
        marks = [_row(field.shape) if field.shape in _NAMED_BY else "?" for field in _stored(kind)]
    skipping = " on conflict do nothing" if kind in _SKIPPED else ""
    return f"insert into {kind} ({', '.join(columns)}) values ({', '.join(marks)}){skipping}"


def bound(kind: LineKind, found: Iterable[ExportRecord]) -> Iterator[list[Any]]:
    """Yield the parameters of that statement for each record."""
    if kind is LineKind.MEMORY:
        return map(_memory_columns, found)
    form = FORMS[kind]
    writing = [(field.place, _WRITE.get(field.shape)) for field in _stored(kind)]

    def columns(record: ExportRecord) -> list[Any]:
        values = form.values(record)
        return [
            values[place] if write is None or values[place] is None else write(values[place])
            for place, write in writing
        ]

    return map(columns, found)


def _stored(kind: LineKind) -> list[ExportField]:
    return [field for field in FORMS[kind].fields if field.name not in _ELSEWHERE]


def _column(kind: LineKind, field: ExportField) -> str:
    if special := _SELECTED.get(f"{kind}.{field.name}", _SELECTED.get(field.name)):
        return special
    named_by = _NAMED_BY.get(field.shape)
    return (
        f"(select {named_by} from {field.shape} where row = t.{field.name})"
        if named_by
        else f"t.{field.name}"
    )


def _row(table: str) -> str:
    return f"(select row from {table} where {_NAMED_BY[table]} = ?)"


def _reader(field: ExportField) -> Callable[[Any], Any] | None:
    if field.words is not None:
        return {word.value: word for word in field.words}.__getitem__
    return _READ.get(field.shape)


def _grouped(kind: LineKind, found: Iterator[sqlite3.Row]) -> Iterator[list[Any]]:
    width, part = len(FORMS[kind].fields) - 1, _PART_OF_RECORD[kind]
    for start, together in groupby(found, key=lambda row: row[:width]):
        yield [*start, tuple(part(row[width:]) for row in together if row[width] is not None)]


def _memory(row: sqlite3.Row) -> ExportedMemory:
    size = len(Memory._fields)
    project, tokens, lease_until = row[size:]
    return ExportedMemory(rows.memory_of(row[:size]), project, tokens, rows.from_micros(lease_until))


def _memory_columns(record: Any) -> list[Any]:
    values = columns_as_read(record.memory)
    own = (values[name] for name in _MEMORY_COLUMNS)
    return [*own, record.tokens, rows.to_micros(record.lease_until), record.project]


#: Rows held in memory at once.
CHUNK = 1000

_EMBEDDING = "(select row from embedding where fingerprint = ?)"
_MEMORY = "(select row from memory where id = ?)"


class SqliteTransfer:
    def __init__(self, connection: Connections) -> None:
        self._connection = connection

    def records(self, kind: LineKind, chosen: Filters | None = None) -> Iterator[ExportRecord]:
        """Yield all records of a kind in order; with filters, only those of matching memories."""
        source, condition, order = SOURCES[kind]
        prefix, parameters = _choosing(chosen)
        what = selected(kind, part=chosen is not None)
        sql = f"{prefix}select {what} from {source} where {condition if chosen else '1'} order by {order}"
        return records(kind, self._stream(sql, parameters))

    def count(self, kind: LineKind, chosen: Filters | None = None) -> int:
        """Count such records."""
        source, condition, _ = SOURCES[kind]
        prefix, parameters = _choosing(chosen)
        what = COUNTED_BY.get(kind, "*")
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
        self._connection.run_many(insertion(kind), bound(kind, records))

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
        entries = bound(LineKind.EPISODE, episodes)
        SqliteChain(self._connection).append_episodes([EpisodeEntry(*columns) for columns in entries])

    def _write_link(self, links: Sequence[Link]) -> None:
        self._insert(LineKind.LINK, links)
        self._note_changed(link.target for link in links if link.kind is LinkKind.SUPERSEDES)

    def _write_audit(self, changes: Sequence[ExportRecord]) -> None:
        SqliteChain(self._connection).append(list(map(AuditEntry._make, bound(LineKind.AUDIT, changes))))

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
