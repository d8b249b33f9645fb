"""What can be wrong with a SQLite store beneath its records, how it is said, and how it is mended."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from typing import TYPE_CHECKING

from memory_layer.errors import StoreDamaged
from memory_layer.model.record import NamedTuple
from memory_layer.model.safety import FIX, FIX_OR_BACKUP, LOST, Check, State, ok, one_line, problem, some
from memory_layer.store import migrate
from memory_layer.store.sqlite.files.copies import NEW_LIFE
from memory_layer.store.sqlite.files.salvage import LOOSENED, without_hanging
from memory_layer.store.sqlite.files.unfit_vectors import drop_vector, unfit_vectors

if TYPE_CHECKING:
    from memory_layer.store.sqlite.connection import Connections

#: What the program can make again from the memories; the content of other tables would be gone.
DERIVED = {"memory_terms", "memory_fts", "memory_vocabulary", "vector", "embedding", "change"}
#: The tables whose rows a repair takes away or loosens when what they refer to is gone.
MENDABLE = {
    "memory_terms",
    "vector",
    "link",
    "recall_item",
    "outcome",
    "query",
    "run",
    "run_used",
    "source_check",
}
_PARTS = (
    "select type, name, sql from sqlite_master where sql is not null and name not like 'sqlite_%'"
    " and name not like 'memory_fts_%'"
)
_REBUILD = "insert into memory_fts (memory_fts) values ('rebuild')"
_AGAINST_CONTENT = "(memory_fts, rank) values ('integrity-check', 1)"

Sizes = Mapping[str, int]  #: how many numbers the vectors of a fingerprint have, where that is known


def look(connection: Connections, name: str, sizes: Sizes) -> Check:
    """Look at one thing, all of it at one moment unless the look itself needs the write lock."""
    check = _LOOKS[name]
    if check is _full_text:
        return check(connection, sizes)
    with connection.reading():
        return check(connection, sizes)


def mend(connection: Connections, name: str, sizes: Sizes) -> None:
    """Mend what is not about a record, and let whatever was built beside the file be built anew."""
    if name in _MENDS:
        _MENDS[name](connection, sizes)
    if connection.row("select 1 from sqlite_master where type = 'table' and name = 'meta'"):
        connection.run(NEW_LIFE)


def _pages(connection: Connections, _: Sizes) -> Check:
    wrong = _page_complaints(connection)
    if not wrong:
        return ok("every page and every index of the file is sound")
    places = [line for complaint in wrong for line in complaint.splitlines() if not line.startswith("***")]
    count = f"{len(places)} places" if len(places) > 1 else "one place"
    first = f", first {one_line(places[0])}" if places else ""
    says = f"the file itself is damaged in {count}{first}; memories may be unreadable"
    return problem(max(1, len(places)), says, FIX_OR_BACKUP)


def _page_complaints(connection: Connections) -> list[str]:
    """Return what SQLite itself finds wrong with its pages and indexes; at most a hundred lines."""
    try:
        return [row[0] for row in connection.rows("pragma integrity_check") if row[0] != "ok"]
    except StoreDamaged:
        return ["so that not even a search for the damage gets through"]


def _reindex(connection: Connections, _: Sizes) -> None:
    connection.run("reindex")


class Strange(NamedTuple):
    """A part of the schema that is not as the program makes it."""

    kind: str  #: table, index or trigger
    name: str
    missing: bool  #: else it is there, but different


def _schema(connection: Connections, _: Sizes) -> Check:
    version, newest = _format(connection), migrate.newest()
    if strange := _strange_parts(connection):
        names = some([f"{part.kind} {part.name}" for part in strange])
        return problem(len(strange), f"missing or not as this program makes them: {names}", FIX)
    if version < newest:
        return Check("", State.NOTICE, 1, f"format {version}; the next command brings it to {newest}")
    return ok(f"format {version}, with every table, index and trigger")


def _format(connection: Connections) -> int:
    row = connection.row("pragma user_version")
    assert row is not None
    return int(row[0])


def _strange_parts(connection: Connections) -> list[Strange]:
    """Return the tables, indexes and triggers that are not as this program makes them."""
    here = {(row["type"], row["name"]): row["sql"] for row in connection.rows(_PARTS)}
    return [
        Strange(kind, name, (kind, name) not in here)
        for kind, name, sql in _expected(_format(connection))
        if here.get((kind, name)) not in (sql, *_also_made(sql))
    ]


def _rebuild_parts(connection: Connections, _: Sizes) -> None:
    """Make missing indexes, triggers and derived tables again; what memories are in is left alone."""
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
    except sqlite3.IntegrityError:  # a unique index over texts that are there twice
        return


def _also_made(sql: str) -> tuple[str, ...]:
    """The first format was made with either order of a vector's key; the second has one again."""
    either = "(embedding, memory, passage)", "(memory, embedding, passage)"
    return (sql.replace(*either),) if either[0] in sql else ()


def _expected(version: int) -> list[Sequence[str]]:
    """Return the parts of a new store of that format, in the order they are made."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as db:
        migrate.apply(db, up_to=version)
        return [tuple(row) for row in db.execute(f"{_PARTS} order by rowid")]


def _references(connection: Connections, _: Sizes) -> Check:
    dangling: dict[str, int] = {}
    for row in connection.rows("pragma foreign_key_check"):
        dangling[row[0]] = dangling.get(row[0], 0) + 1
    if not dangling:
        return ok("whatever a row refers to is there")
    where = ", ".join(f"{count} in {table}" for table, count in sorted(dangling.items()))
    says = f"rows refer to something that is not there: {where}"
    return problem(sum(dangling.values()), says, FIX if dangling.keys() <= MENDABLE else LOST)


def _drop_dangling(connection: Connections, _: Sizes) -> None:
    """Take away what hangs on nothing; a report keeps its verdict without the question."""
    for statement in LOOSENED:
        connection.run(statement)
    tables = {row["name"] for row in connection.rows("select name from sqlite_master where type = 'table'")}
    for statement in without_hanging(tables):
        connection.run(statement)


def _full_text(connection: Connections, _: Sizes) -> Check:
    if _text_index_fits(connection):
        return ok("the full-text index is sound and fits the words")
    says = (
        "the full-text index is damaged or does not fit the words, so searches by keyword may miss memories"
    )
    return problem(1, says, FIX)


def _text_index_fits(connection: Connections) -> bool:
    """Return whether the full-text index has nothing against itself or the words it was made from."""
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
    """Make the full-text index anew from the words; if it cannot be rebuilt, replace it."""
    try:
        connection.run(_REBUILD)
    except StoreDamaged:
        connection.run("drop table memory_fts")
        connection.run(next(sql for _, name, sql in _expected(_format(connection)) if name == "memory_fts"))
        connection.run(_REBUILD)


def _vectors(connection: Connections, sizes: Sizes) -> Check:
    unfit = len(unfit_vectors(connection, sizes))
    if not unfit:
        return ok("every vector has its size and unit length")
    says = f"{unfit} vectors have the wrong size or length; searches by meaning miss their memories"
    return problem(unfit, says, FIX)


def _drop_unfit_vectors(connection: Connections, sizes: Sizes) -> None:
    """Drop what cannot be compared; the memories are embedded anew afterwards."""
    for table, row in unfit_vectors(connection, sizes):
        drop_vector(connection, table, row)


def _index(connection: Connections, _: Sizes) -> Check:
    flaw = index_flaw(connection)
    if flaw is None:
        return ok("the index for searches fits the store, or the next search makes it")
    says = (
        f"the index for searches is not sound, so that searches miss memories or take long: {one_line(flaw)}"
    )
    return problem(1, says, FIX)


def index_flaw(connection: Connections) -> str | None:
    """Return in what the index beside the file differs from the store; None also if there is none."""
    from memory_layer.store.sqlite.index_source import Reader

    return connection.beside().flaw(Reader(connection))


def _drop_index(connection: Connections, _: Sizes) -> None:
    connection.beside().drop()


_LOOKS: dict[str, Callable[[Connections, Sizes], Check]] = {
    "pages": _pages,
    "schema": _schema,
    "references": _references,
    "full_text": _full_text,
    "vectors": _vectors,
    "index": _index,
}
_MENDS: dict[str, Callable[[Connections, Sizes], None]] = {
    "pages": _reindex,
    "schema": _rebuild_parts,
    "references": _drop_dangling,
    "words": rebuild_text_index,
    "full_text": rebuild_text_index,
    "vectors": _drop_unfit_vectors,
    "index": _drop_index,
}
