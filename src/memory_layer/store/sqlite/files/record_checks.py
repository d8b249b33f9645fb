"""Check and repair a SQLite store below its records: pages, schema, references, full text, vectors, index."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from typing import TYPE_CHECKING

from memory_layer.errors import StoreDamaged
from memory_layer.model.record import NamedTuple
from memory_layer.model.upkeep import FIX, FIX_OR_BACKUP, LOST, Check, State, ok, one_line, problem, some
from memory_layer.store import migrate
from memory_layer.store.sqlite.counted import COUNTED, count_again, wrong_counts
from memory_layer.store.sqlite.files.copies import NEW_LIFE
from memory_layer.store.sqlite.files.salvage import LOOSENED, without_hanging
from memory_layer.store.sqlite.memories import changed

if TYPE_CHECKING:
    from memory_layer.store.sqlite.connection import Connections


BATCH = 4096  #: vectors held in memory at once
#: Allowed deviation of a vector's length from 1; half precision accounts for a thousandth.
TOLERANCE = 0.01


#: Tables that can be rebuilt from the memories; the content of others would be lost.
DERIVED = {"memory_terms", "memory_fts", "memory_vocabulary", "vector", "embedding", "change", *COUNTED}
#: Tables whose dangling rows a repair deletes or detaches.
MENDABLE = {
    "memory_terms",
    "vector",
    "link",
    "task_link",
    "recall_item",
    "outcome",
    "query",
    "run",
    "run_used",
    "source_check",
    "memory_tag",
}
_PARTS = (
    "select type, name, sql from sqlite_master where sql is not null and name not like 'sqlite_%'"
    " and name not like 'memory_fts_%'"
)
_REBUILD = "insert into memory_fts (memory_fts) values ('rebuild')"
_AGAINST_CONTENT = "(memory_fts, rank) values ('integrity-check', 1)"
Sizes = Mapping[str, int]  #: dimensions by fingerprint, where known


def unfit_vectors(connection: Connections, sizes: Mapping[str, int]) -> list[tuple[str, int]]:
    """Return the table and row of each vector that cannot be compared.

    The fingerprint of a known model tells its size; for other models the most common size is assumed.
    """
    return [*_unfit(connection, "vector", "memory", sizes), *_unfit(connection, "query", "row", sizes)]


def drop_vector(connection: Connections, table: str, row: int) -> None:
    """Delete a vector; a memory loses all of its passages and is embedded again."""
    if table == "vector":
        connection.run("delete from vector where memory = ?", [row])
        changed(connection, row)
    else:
        connection.run("update query set embedding = null, numbers = null where row = ?", [row])


def _unfit(connection: Connections, table: str, key: str, sizes: Mapping[str, int]) -> list[tuple[str, int]]:
    known = connection.rows("select row, fingerprint from embedding")
    exact = {row["row"]: 2 * sizes[row["fingerprint"]] for row in known if row["fingerprint"] in sizes}
    usual = _usual_sizes(connection, table) | exact
    unfit: list[tuple[str, int]] = []
    with connection.using() as db:
        cursor = db.execute(f"select {key} as key, embedding, numbers from {table} where numbers is not null")
        while batch := cursor.fetchmany(BATCH):
            wanted = [usual[row["embedding"]] for row in batch]
            unfit += [(table, row["key"]) for row in _incomparable(batch, wanted)]
    return unfit


def _usual_sizes(connection: Connections, table: str) -> dict[int, int]:
    """Return the most common vector size of each model, in bytes."""
    found = connection.rows(
        f"select embedding, length(numbers) as size, count(*) as n from {table}"
        " where numbers is not null group by embedding, size order by n"
    )
    return {row["embedding"]: row["size"] for row in found}


def _incomparable(batch: list[sqlite3.Row], wanted: list[int]) -> Iterator[sqlite3.Row]:
    """Yield the rows whose vector has the wrong size or is not of unit length."""
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


def look(connection: Connections, name: str, sizes: Sizes) -> Check:
    """Run one check on a single snapshot, unless the check itself needs the write lock."""
    check = _LOOKS[name]
    if check is _full_text:
        return check(connection, sizes)
    with connection.reading():
        return check(connection, sizes)


def mend(connection: Connections, name: str, sizes: Sizes) -> None:
    """Repair the findings that are not in records, and have derived files rebuilt."""
    if name in _MENDS:
        _MENDS[name](connection, sizes)
    if connection.row("select 1 from sqlite_master where type = 'table' and name = 'meta'"):
        connection.run(NEW_LIFE)


def _pages(connection: Connections, _: Sizes) -> Check:
    wrong = _page_complaints(connection)
    if not wrong:
        return ok("all pages and indexes are intact")
    places = [line for complaint in wrong for line in complaint.splitlines() if not line.startswith("***")]
    count = f"{len(places)} places" if len(places) > 1 else "one place"
    first = f", first {one_line(places[0])}" if places else ""
    says = f"the file is damaged in {count}{first}; memories may be unreadable"
    return problem(max(1, len(places)), says, FIX_OR_BACKUP)


def _page_complaints(connection: Connections) -> list[str]:
    """Return the output of SQLite's own integrity check; at most a hundred lines."""
    try:
        return [row[0] for row in connection.rows("pragma integrity_check") if row[0] != "ok"]
    except StoreDamaged:
        return ["the integrity check itself failed"]


def _reindex(connection: Connections, _: Sizes) -> None:
    connection.run("reindex")


class Strange(NamedTuple):
    """A schema object that differs from what this program creates."""

    kind: str  #: table, index or trigger
    name: str
    missing: bool  #: False if it exists but differs


def _schema(connection: Connections, _: Sizes) -> Check:
    version, newest = _format(connection), migrate.newest()
    if strange := _strange_parts(connection):
        names = some([f"{part.kind} {part.name}" for part in strange])
        return problem(len(strange), f"missing or changed: {names}", FIX)
    if version < newest:
        return Check("", State.NOTICE, 1, f"format {version}; the next command upgrades it to {newest}")
    return ok(f"format {version}, with every table, index and trigger")


def _format(connection: Connections) -> int:
    row = connection.row("pragma user_version")
    assert row is not None
    return int(row[0])


def _strange_parts(connection: Connections) -> list[Strange]:
    """Return the tables, indexes and triggers that differ from what this program creates."""
    here = {(row["type"], row["name"]): row["sql"] for row in connection.rows(_PARTS)}
    return [
        Strange(kind, name, (kind, name) not in here)
        for kind, name, sql in _expected(_format(connection))
        if here.get((kind, name)) not in (sql, *_also_made(sql))
    ]


def _rebuild_parts(connection: Connections, _: Sizes) -> None:
    """Recreate missing indexes, triggers and derived tables; tables with memories are left alone."""
    strange = {(part.kind, part.name): part for part in _strange_parts(connection)}
    for kind, name, sql in _expected(_format(connection)):
        part = strange.get((kind, name))
        if part is None or (kind == "table" and name not in DERIVED):
            continue
        if not part.missing and kind != "table":
            connection.run(f"drop {kind} {name}")
        if part.missing or kind != "table":
            _make(connection, sql)


def _make(connection: Connections, sql: str) -> None:
    try:
        connection.run(sql)
    except sqlite3.IntegrityError:  # a unique index over duplicate texts
        return


def _also_made(sql: str) -> tuple[str, ...]:
    """Accept either order of a vector's key in the first format; the second has one again."""
    either = "(embedding, memory, passage)", "(memory, embedding, passage)"
    return (sql.replace(*either),) if either[0] in sql else ()


def _expected(version: int) -> list[Sequence[str]]:
    """Return the schema of a new store of that format, in order of creation."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as db:
        migrate.apply(db, up_to=version)
        return [tuple(row) for row in db.execute(f"{_PARTS} order by rowid")]


def _references(connection: Connections, _: Sizes) -> Check:
    dangling: dict[str, int] = {}
    for row in connection.rows("pragma foreign_key_check"):
        dangling[row[0]] = dangling.get(row[0], 0) + 1
    if not dangling:
        return ok("no dangling references")
    where = ", ".join(f"{count} in {table}" for table, count in sorted(dangling.items()))
    says = f"dangling references: {where}"
    return problem(sum(dangling.values()), says, FIX if dangling.keys() <= MENDABLE else LOST)


def _drop_dangling(connection: Connections, _: Sizes) -> None:
    """Delete dangling rows; a report keeps its verdict without the query."""
    for statement in LOOSENED:
        connection.run(statement)
    tables = {row["name"] for row in connection.rows("select name from sqlite_master where type = 'table'")}
    for statement in without_hanging(tables):
        connection.run(statement)


def _full_text(connection: Connections, _: Sizes) -> Check:
    if _text_index_fits(connection):
        return ok("the full-text index is intact and up to date")
    says = "the full-text index is damaged or out of date, so keyword searches may miss memories"
    return problem(1, says, FIX)


def _text_index_fits(connection: Connections) -> bool:
    """Check that the full-text index is consistent and matches the stored terms."""
    try:
        with connection.using() as db:
            for arguments in ("(memory_fts) values ('integrity-check')", _AGAINST_CONTENT):
                db.execute("savepoint look")
                try:
                    db.execute(f"insert into memory_fts {arguments}")
                finally:
                    db.execute("rollback to look")
                    db.execute("release look")
    except StoreDamaged:
        return False
    return True


def rebuild_text_index(connection: Connections, _: Sizes) -> None:
    """Rebuild the full-text index from the stored terms; replace it if that fails."""
    try:
        connection.run(_REBUILD)
    except StoreDamaged:
        connection.run("drop table memory_fts")
        connection.run(next(sql for _, name, sql in _expected(_format(connection)) if name == "memory_fts"))
        connection.run(_REBUILD)


def _counts(connection: Connections, _: Sizes) -> Check:
    if not _keeps_counts(connection):
        return ok("this format keeps no counts")
    with connection.using() as db:
        wrong = wrong_counts(db.execute)
    if not wrong:
        return ok("the kept counts match the records")
    says = f"{wrong:,} kept counts differ from the records; lists and statistics show wrong numbers"
    return problem(wrong, says, FIX)


def _count_again(connection: Connections, _: Sizes) -> None:
    if _keeps_counts(connection):
        count_again(connection.run)


def _keeps_counts(connection: Connections) -> bool:
    return any(name in COUNTED for _, name, _ in _expected(_format(connection)))


def _vectors(connection: Connections, sizes: Sizes) -> Check:
    unfit = len(unfit_vectors(connection, sizes))
    if not unfit:
        return ok("all vectors have the right size and unit length")
    says = f"{unfit} vectors have the wrong size or length; searches by meaning do not find their memories"
    return problem(unfit, says, FIX)


def _drop_unfit_vectors(connection: Connections, sizes: Sizes) -> None:
    """Delete vectors that cannot be compared; their memories are embedded again later."""
    for table, row in unfit_vectors(connection, sizes):
        drop_vector(connection, table, row)


def _index(connection: Connections, _: Sizes) -> Check:
    flaw = index_flaw(connection)
    if flaw is None:
        return ok("the search index matches the store, or the next search rebuilds it")
    says = f"the search index is damaged, so searches may be slow or miss memories: {one_line(flaw)}"
    return problem(1, says, FIX)


def index_flaw(connection: Connections) -> str | None:
    """Return how the index beside the file differs from the store; None if it does not, or if there is none."""
    from memory_layer.store.sqlite.index_source import Reader

    return connection.beside().flaw(Reader(connection))


def _drop_index(connection: Connections, _: Sizes) -> None:
    connection.beside().drop()


_LOOKS: dict[str, Callable[[Connections, Sizes], Check]] = {
    "pages": _pages,
    "schema": _schema,
    "references": _references,
    "full_text": _full_text,
    "counts": _counts,
    "vectors": _vectors,
    "index": _index,
}
_MENDS: dict[str, Callable[[Connections, Sizes], None]] = {
    "pages": _reindex,
    "schema": _rebuild_parts,
    "references": _drop_dangling,
    "words": rebuild_text_index,
    "full_text": rebuild_text_index,
    "counts": _count_again,
    "vectors": _drop_unfit_vectors,
    "index": _drop_index,
}
