"""The audit chain: every entry's hash covers the one before."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from memory_layer.errors import AmbiguousId, InvalidInput, NotFound
from memory_layer.model.memory import Change
from memory_layer.model.record import NamedTuple
from memory_layer.store.rows import moment, to_json, to_micros
from memory_layer.store.sqlite.connection import Connections

if TYPE_CHECKING:
    from memory_layer.ports import Edit
    from memory_layer.store.rows import Row

START = bytes(32)
INSERT_ENTRY = (
    "insert into audit (number, at, operation, action, memory, writer, door, before, after, hash)"
    " values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
INSERT_PAYLOAD = "insert into audit_payload (number, payload) values (?, ?)"


class Entry(NamedTuple):
    """What one entry says: the memory if it is about one, the digests around it, and what is kept with it as JSON."""

    memory: str | None
    after: bytes | None
    before: bytes | None = None
    payload: str | None = None


def chained(previous: bytes, entry: list[object]) -> bytes:
    """The hash of an entry that follows `previous`."""
    from hashlib import sha256  # only writes need it, and a search should not wait for it

    return sha256(previous + to_json(entry).encode()).digest()


def _of(edit: Edit) -> tuple[int | None, str, str, str, str]:
    """What every entry of an operation says: when and what was done, and by whom."""
    return to_micros(edit.at), edit.operation, edit.action, edit.writer.name, edit.writer.door


def _hex(digest: bytes | None) -> str:
    return "null" if digest is None else f'"{digest.hex()}"'


def digest_of(told: str) -> bytes:
    from hashlib import sha256  # only writes need it, and a search should not wait for it

    return sha256(told.encode()).digest()


class Audit(Connections):
    def _append(
        self,
        edit: Edit,
        memory_id: str | None,
        before: bytes | None,
        after: bytes | None,
        payload: Mapping[str, object] | None,
    ) -> None:
        """Add one entry and move the head, inside the caller's transaction."""
        self._append_all(
            edit, [Entry(memory_id, after, before, None if payload is None else to_json(payload))]
        )

    def _append_all(self, edit: Edit, entries: Iterable[Entry]) -> None:
        """Add the entries of one operation and move the head once."""
        from hashlib import sha256  # only writes need it, and a search should not wait for it

        count, head = self._head()
        made: list[tuple[Any, ...]] = []
        kept: list[tuple[int, str]] = []
        at, operation, action, writer, door = of_edit = _of(edit)
        done, doer = to_json(of_edit[:3])[1:-1], to_json(of_edit[3:])[1:-1]
        for each in entries:
            count += 1
            # What `chained` covers, put together from what is the same in every entry of an operation.
            spelled = f"[{count},{done},{to_json(each.memory)},{doer},{_hex(each.before)},{_hex(each.after)}]"
            head = sha256(head + spelled.encode()).digest()
            made.append(
                (count, at, operation, action, each.memory, writer, door, each.before, each.after, head)
            )
            if each.payload is not None:
                kept.append((count, each.payload))
        if made:
            self._run_many(INSERT_ENTRY, made)
            if kept:
                self._run_many(INSERT_PAYLOAD, kept)
            self._move_head(count, head)

    def _move_head(self, count: int, head: bytes) -> None:
        self._run(
            "insert into meta (key, value) values ('audit_head', ?)"
            " on conflict (key) do update set value = excluded.value",
            [f"{count}:{head.hex()}"],
        )

    def _note(self, edit: Edit, told: Mapping[str, object]) -> None:
        """Add an entry for a change that makes no version; its digest is that of what it tells."""
        if edit.writer.is_person:
            told = {**told, "writer_kind": edit.writer.kind.value}
        self._append(edit, None, None, digest_of(to_json(told)), told)

    def _head(self) -> tuple[int, bytes]:
        row = self._row(HEAD)
        return head_from(row["value"] if row else None)

    def audit_head(self) -> tuple[int, str]:
        """How many entries the chain has, and its last hash."""
        count, head = self._head()
        return count, head.hex()

    def changes(self, memory_id: str | None = None) -> Iterator[Change]:
        """The chain's entries in order; those of one memory if named."""
        rows = self._rows("select * from audit where ?1 is null or memory = ?1 order by number", [memory_id])
        return map(change_from, rows)

    def latest_changes(self) -> Iterator[Change]:
        """The chain's entries, newest first, read as they are asked for."""
        return map(change_from, self._each("select * from audit order by number desc"))

    def operation(self, prefix: str) -> list[Change]:
        """The entries of the one operation whose id begins so, in order."""
        check_mark(prefix, "op_")
        bare = prefix.strip().lower().removeprefix("op_")
        if len(bare) < 4 or not bare.isalnum() or not bare.isascii():
            raise InvalidInput(f"{prefix!r} is not an operation; give at least 4 of its letters and digits")
        start = f"op_{bare}"
        found = self._rows(
            "select * from audit where operation >= ? and operation < ? order by number", [start, start + "~"]
        )
        ids = sorted({row["operation"] for row in found})
        if len(ids) > 1:
            raise AmbiguousId(f"{prefix!r} fits several operations: {', '.join(ids)}", ids)
        if not ids:
            raise NotFound(f"there is no operation {prefix!r}")
        return [change_from(row) for row in found]

    def entries_of(self, operations: Sequence[str]) -> Iterator[Change]:
        """The entries of several operations in order, in one pass over the chain."""
        found = self._each(
            "select * from audit where operation in (select value from json_each(?)) order by number",
            [to_json(list(operations))],
        )
        return map(change_from, found)


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


#: What a chain is read by: its entries in order, and what is kept of its end.
CHAIN = "select * from audit order by number"
HEAD = "select value from meta where key = 'audit_head'"


def head_from(kept: str | None) -> tuple[int, bytes]:
    """How many entries a chain has, and its last hash."""
    if kept is None:
        return 0, START
    count, _, head = kept.partition(":")
    return int(count), bytes.fromhex(head)


def change_from(row: Row) -> Change:
    """An entry from its columns."""
    return Change(
        number=row["number"],
        at=moment(row["at"]),
        operation=row["operation"],
        action=row["action"],
        memory=row["memory"],
        writer=row["writer"],
        door=row["door"],
        before=row["before"].hex() if row["before"] else None,
        after=row["after"].hex() if row["after"] else None,
        hash=row["hash"].hex(),
    )
