"""Ids that are given by their first letters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memory_layer.errors import AmbiguousId, InvalidInput, NotFound

if TYPE_CHECKING:
    from memory_layer.store.sqlite.connection import Connections

#: What an id is of, by its mark, and where it is shown.
MARKS = {
    "mem_": ("a memory", "`mem show` shows it"),
    "rec_": ("a recall", "`mem recalls` shows it"),
    "run_": ("a run", "`mem run show` shows it"),
    "op_": ("an operation", "`mem undo --list` shows the last ones"),
}


def check_mark(prefix: str, mark: str) -> None:
    """Refuse the id of something else than is asked for."""
    for known, (what, shown) in MARKS.items():
        if known != mark and prefix.strip().lower().startswith(known):
            raise InvalidInput(f"{prefix!r} is the id of {what}, not of {MARKS[mark][0]}; {shown}")


def resolved(connection: Connections, prefix: str, table: str, mark: str, several: str) -> str:
    """The one id of a table that begins so, with or without its mark."""
    check_mark(prefix, mark)
    bare = prefix.strip().lower().removeprefix(mark)
    if len(bare) < 4 or not bare.isalnum() or not bare.isascii():
        raise InvalidInput(f"{prefix!r} is not an id; give at least 4 of its letters and digits")
    start = f"{mark}{bare}"
    found = connection.rows(
        f"select id from {table} where id >= ? and id < ? order by id limit 11", [start, start + "~"]
    )
    if not found:
        raise NotFound(f"there is no {table} {prefix!r}")
    if len(found) > 1:
        ids = [row["id"] for row in found]
        raise AmbiguousId(f"{prefix!r} fits several {several}: {', '.join(ids)}", ids)
    return str(found[0]["id"])
