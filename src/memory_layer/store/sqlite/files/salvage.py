"""Copy the readable rows of a damaged file into a new store, skipping damaged pages."""

from __future__ import annotations

import sqlite3
import struct
from collections.abc import Container, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from shutil import copyfile

from memory_layer.errors import StoreDamaged
from memory_layer.model.record import NamedTuple
from memory_layer.ports.files import Salvage
from memory_layer.store import migrate
from memory_layer.store.sqlite.counted import COUNTED, count_again
from memory_layer.store.sqlite.files import copies, private

#: Rows to try beyond the last readable one if their number is unknown.
PROBES = 200_000
LEAST_ROW_BYTES = 32  #: lower bound for the size of a row that is tried by its key
HEADER = 100  #: bytes of the first page that describe the file

#: References to a memory; such rows are dropped if it is lost.
HANGING = (
    ("memory_terms", "row not in (select row from memory)"),
    ("vector", "memory not in (select row from memory) or embedding not in (select row from embedding)"),
    ("link", "source not in (select row from memory) or target not in (select row from memory)"),
    ("task_link", "memory not in (select row from memory)"),
    ("recall_item", "memory not in (select row from memory) or recall not in (select row from recall)"),
    ("outcome", "memory not in (select row from memory)"),
    ("source_check", "memory not in (select row from memory)"),
    ("memory_tag", "memory not in (select row from memory)"),
    (
        "run_used",
        "memory not in (select row from memory)"
        " or run not in (select row from run where recall in (select row from recall))",
    ),
    ("run", "recall not in (select row from recall)"),
)
LOOSENED = (
    "update outcome set query = null where query not in (select row from query)",
    "update outcome set recall = null where recall not in (select row from recall)",
    "update query set embedding = null, numbers = null where embedding not in (select row from embedding)",
)


_ENTRIES_COUNTED = "select substr(value, 1, instr(value, ':') - 1) from meta where key = 'audit_head'"


def without_hanging(tables: Container[str]) -> list[str]:
    """Return the statements that delete dangling rows in a store of these tables."""
    return [f"delete from {table} where {condition}" for table, condition in HANGING if table in tables]


class Table(NamedTuple):
    name: str
    columns: tuple[str, ...]
    key: str  #: the key its rows are ordered by
    numbered: bool  #: the key is an integer, so the rows of a gap can be tried one by one


def salvage(database: Path, target: Path, busy_seconds: float) -> Salvage:
    """Write a new store from what is readable, if there is any memory; the damaged file is only read."""
    private.check_free(target)
    with (
        private.unfinished(target) as part,
        copies.explained(database, target),
        _readable(database, part) as old,
    ):
        with closing(sqlite3.connect(part, isolation_level=None)) as new:
            new.row_factory = sqlite3.Row
            new.execute("pragma synchronous = off")
            new.execute("begin immediate")
            version = _format(old)
            migrate.apply(new, up_to=version)
            for name in _tables(new):
                _copied(old, new, name)
            lost, unnamed = _lost(old, new)
            _clean_up(new)
            migrate.apply(new)
            new.execute("commit")
            saved = new.execute("select count(*) from memory where reason is not 'forgotten'").fetchone()[0]
        _check_sound(part, busy_seconds)
        if saved:  # an empty backup would only mislead
            private.publish(part, target)
    return Salvage(target, saved, tuple(sorted(lost)), unnamed)


@contextmanager
def _readable(database: Path, part: Path) -> Iterator[sqlite3.Connection]:
    """Open the damaged file as far as possible; if its first page is lost, a copy with a new one."""
    db = _lenient(database)
    try:
        db.execute("select sql from sqlite_master").fetchall()
    except sqlite3.DatabaseError:
        db.close()
    else:
        with closing(db):
            yield db
        return
    with private.unfinished(part) as work:
        copyfile(database, work)
        with suppress(FileNotFoundError):
            copyfile(f"{database}-wal", f"{work}-wal")
        for size in (HEADER, None):
            _with_first_page(work, size)
            with closing(_lenient(work)) as db, suppress(sqlite3.DatabaseError):
                if _looks_like_a_store(db):
                    yield db
                    return
    raise StoreDamaged(f"nothing of {database} can be read")


def _lenient(file: Path) -> sqlite3.Connection:
    db = copies.connect(file)
    db.text_factory = lambda raw: raw.decode("utf-8", "replace")
    db.execute("pragma writable_schema = on")  # makes SQLite continue although the file is too short
    return db


def _with_first_page(work: Path, size: int | None) -> None:
    """Give a file the header of a new store or, with None, its whole first page."""
    with private.unfinished(work) as fresh:
        with closing(sqlite3.connect(fresh, isolation_level=None)) as db:
            db.execute("begin")
            migrate.apply(db)
            db.execute("commit")
            page = db.execute("pragma page_size").fetchone()[0]
        begin = bytearray(fresh.read_bytes()[:page])
    struct.pack_into(">I", begin, 28, work.stat().st_size // page)
    with work.open("r+b") as out:
        out.write(begin[: size or page])


def _looks_like_a_store(db: sqlite3.Connection) -> bool:
    """Check that records are readable, not only the first page."""
    return any(str(row[0]).startswith("mem_") for row in db.execute("select id from memory limit 1"))


def _format(old: sqlite3.Connection) -> int:
    version = int(old.execute("pragma user_version").fetchone()[0])
    return version if 0 < version <= migrate.newest() else migrate.newest()


def _tables(new: sqlite3.Connection) -> list[str]:
    found = new.execute(
        "select name from sqlite_master where type = 'table' and sql not like 'create virtual%'"
        " and name not like 'memory_fts%' and name not like 'sqlite_%' order by rowid"
    )
    return [row["name"] for row in found]


def _table(old: sqlite3.Connection, new: sqlite3.Connection, name: str) -> Table | None:
    """Return the columns both stores have of a table, and its key in the old one; None if unreadable."""
    try:
        lying = {row["name"]: row for row in old.execute(f"pragma table_info({name})")}
    except sqlite3.DatabaseError:
        return None
    wanted = [row["name"] for row in new.execute(f"pragma table_info({name})")]
    columns = tuple(each for each in wanted if each in lying)
    if not columns:
        return None
    schema = new.execute("select sql from sqlite_master where name = ?", [name]).fetchone()
    first = next((row for row in lying.values() if row["pk"] == 1), None)
    if first is None or "without rowid" not in schema["sql"]:
        return Table(name, columns, "rowid", True)
    return Table(name, columns, first["name"], first["type"] == "INTEGER")


def _copied(old: sqlite3.Connection, new: sqlite3.Connection, name: str) -> None:
    table = _table(old, new, name)
    if table is None:
        return
    names, marks = ", ".join(table.columns), ", ".join("?" for _ in table.columns)
    insert = f"insert or ignore into {name} ({names}) values ({marks})"
    for row in _rows(old, new, table, names):
        with suppress(sqlite3.Error):  # the damaged value is invalid: count the row as lost
            new.execute(insert, tuple(row)[1:])


def _rows(
    old: sqlite3.Connection, new: sqlite3.Connection, table: Table, names: str
) -> Iterator[sqlite3.Row]:
    """Yield every readable row, perhaps twice: forwards and backwards up to the damage, then one by one."""
    read = f"select {table.key} as salvage_key, {names} from {table.name}"
    first, whole = None, True
    rows = _until_damaged(old, f"{read} order by {table.key}")
    for row in rows:
        if row is None:
            whole = False
            break
        first = row["salvage_key"]
        yield row
    if whole:
        return
    last = None
    for row in _until_damaged(old, f"{read} order by {table.key} desc"):
        if row is None or (first is not None and row["salvage_key"] < first):
            break
        last = row["salvage_key"]
        yield row
    if table.numbered:
        begin = 1 if first is None else int(first)
        for key in range(begin, _bound(old, new, table, begin, last) + 1):
            yield from (
                row for row in _until_damaged(old, f"{read} where {table.key} = {key}") if row is not None
            )


def _until_damaged(db: sqlite3.Connection, sql: str) -> Iterator[sqlite3.Row | None]:
    """Yield the rows of a query, then None if damage ended it early."""
    try:
        yield from db.execute(sql)
    except (sqlite3.DatabaseError, OverflowError):
        yield None


def _bound(
    old: sqlite3.Connection, new: sqlite3.Connection, table: Table, begin: int, last: int | None
) -> int:
    """Return the highest key worth trying."""
    if last is not None:
        return int(last)
    counted = "select seq from sqlite_sequence where name = '{}'"
    known = {
        "audit": _ENTRIES_COUNTED,
        "audit_payload": _ENTRIES_COUNTED,
        "memory_terms": counted.format("memory"),
        "vector": counted.format("memory"),
        "link": counted.format("memory"),
    }
    for db in (old, new):
        with suppress(sqlite3.DatabaseError, ValueError):
            row = db.execute(known.get(table.name, counted.format(table.name))).fetchone()
            if row and row[0]:
                return int(row[0])
    return begin + min(PROBES, _bytes(old) // LEAST_ROW_BYTES)


def _bytes(old: sqlite3.Connection) -> int:
    """Return the size of the file, or the size its header claims if larger."""
    size = Path(old.execute("pragma database_list").fetchone()["file"]).stat().st_size
    with suppress(sqlite3.DatabaseError):
        pages, page = (old.execute(f"pragma {name}").fetchone()[0] for name in ("page_count", "page_size"))
        size = max(size, pages * page)
    return size


def _lost(old: sqlite3.Connection, new: sqlite3.Connection) -> tuple[set[str], int]:
    """Return the ids of memories that could not be read, and the number of further losses."""
    rows = {row["row"]: row["id"] for row in new.execute("select row, id from memory")}
    saved = set(rows.values())
    named = {row["id"] for row in _indexed(old)}
    named |= {row[0] for row in new.execute("select distinct memory from audit where memory is not null")}
    highest = max(rows, default=0)
    with suppress(sqlite3.DatabaseError, TypeError, ValueError):
        row = old.execute("select seq from sqlite_sequence where name = 'memory'").fetchone()
        highest = max(highest, int(row[0]))
    lost = {each for each in named - saved if str(each).startswith("mem_")}
    return lost, max(0, highest - len(rows) - len(lost))


def _indexed(old: sqlite3.Connection) -> Iterable[sqlite3.Row]:
    """Return the ids the id index still has, read from both ends."""
    read = "select id from memory indexed by sqlite_autoindex_memory_1 order by id"
    for sql in (read, f"{read} desc"):
        for row in _until_damaged(old, sql):
            if row is None:
                break
            yield row


def _clean_up(new: sqlite3.Connection) -> None:
    """Delete rows that referred to lost ones, rebuild the full-text index, and count again."""
    for statement in without_hanging(_tables(new)):
        new.execute(statement)
    for statement in LOOSENED:
        new.execute(statement)
    new.execute("insert into memory_fts (memory_fts) values ('rebuild')")
    if COUNTED.keys() <= set(_tables(new)):
        count_again(new.execute)


def _check_sound(part: Path, busy_seconds: float) -> None:
    wrong = [flaw for flaw in copies.contents(part, busy_seconds).flaws if flaw.startswith(copies.PAGES)]
    if wrong:
        raise StoreDamaged(f"the rows that could be read do not make a valid store: {wrong[0]}")
