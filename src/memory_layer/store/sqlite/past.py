"""Earlier versions of memories, and whether memories and audit chain still agree."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import groupby
from typing import Any

from memory_layer.errors import StoreDamaged
from memory_layer.model.history import Flaw, FlawKind, Kept
from memory_layer.model.vocabulary import Reason
from memory_layer.store import rows
from memory_layer.store.sqlite.audit import change_from, digest_of
from memory_layer.store.sqlite.memories import READ_MEMORY, Memories

Each = Callable[..., Iterable[Any]]  #: the rows of a statement and its parameters

_ENTRIES = "select a.*, p.payload from audit a left join audit_payload p on p.number = a.number "


class Past(Memories):
    def versions(self, memory_id: str) -> list[Kept]:
        """Every version of a memory, oldest first, taken back step by step from what it is now."""
        current = self._row(READ_MEMORY + "where m.id = ?", [memory_id])
        if current is None:
            return []
        entries = self._rows(_ENTRIES + "where a.memory = ? order by a.number desc", [memory_id])
        erased = current["reason"] == Reason.FORGOTTEN.value
        try:
            states = _states(dict(current), entries)
            found = [
                Kept(
                    number,
                    change_from(entry),
                    rows.memory_from(values | {"version": number}),
                    holds or erased,
                )
                for number, (entry, values, holds) in zip(range(len(entries), 0, -1), states, strict=True)
            ]
        except (ValueError, KeyError, TypeError, OverflowError) as error:
            raise StoreDamaged(
                f"the history of {memory_id} cannot be read; `mem audit verify` says where it breaks"
            ) from error
        return found[::-1]

    def flaws(self) -> Iterator[Flaw]:
        """The first break of the chain, then every memory that is not as its entries say."""
        if broken := self._first_in_chain():
            yield broken
        yield from unfit(self._each)


def unfit(each: Each) -> Iterator[Flaw]:
    """Every memory, and every old value, that is not as the entries say."""
    told = each(_ENTRIES + "where a.memory is not null order by a.memory, a.number desc")
    for memory_id, entries in groupby(told, key=lambda entry: str(entry["memory"])):
        current = next(iter(each("select * from memory where id = ?", [memory_id])), None)
        if flaw := _in_record(memory_id, current, list(entries)):
            yield flaw
    yield from _in_notes(each)
    for row in each(
        "select id from memory m where not exists (select 1 from audit where memory = m.id)"
        " and not (version = 0 and status = 'staged' and reason = 'writing')"
    ):
        yield Flaw(FlawKind.RECORD, None, row["id"], f"{row['id']} is in no entry")


def _in_notes(each: Each) -> Iterator[Flaw]:
    """Entries without a memory whose kept values are not what their digest covers."""
    for entry in each(_ENTRIES + "where a.memory is null and a.after is not null order by a.number"):
        if entry["payload"] is None or digest_of(entry["payload"]) != entry["after"]:
            says = f"the old values kept with entry {entry['number']} do not fit"
            yield Flaw(FlawKind.PAYLOAD, entry["number"], None, says)


def _in_record(memory_id: str, current: Any, entries: list[Any]) -> Flaw | None:
    """The first thing about one memory that does not fit its entries, newest first."""
    last = entries[0]
    if current is None:
        return _record(last, f"{memory_id} is gone, and no entry says so")
    if rows.digest(current) != last["after"]:
        return _record(last, f"{memory_id} is not as entry {last['number']} left it")
    if current["version"] != len(entries):
        return _record(last, f"{memory_id} has version {current['version']}, and {len(entries)} entries")
    if current["reason"] == Reason.FORGOTTEN.value:
        return None  # its old values were erased with it; only the digests can be compared
    if len(entries) == 1 and last["before"] is None and last["payload"] is None:
        return None  # never changed since it was made
    return _first_unfit(memory_id, dict(current), entries)


def _record(entry: Any, says: str) -> Flaw:
    return Flaw(FlawKind.RECORD, entry["number"], entry["memory"], says)


def _first_unfit(memory_id: str, current: Mapping[str, Any], entries: list[Any]) -> Flaw | None:
    """Where the old values that were kept stop leading back to the digests."""
    newer = entries[0]
    try:
        for entry, _, holds in _states(current, entries):
            if not holds:
                break
            newer = entry
        else:
            if entries[-1]["payload"] is None:  # a creation replaced nothing
                return None
    except (ValueError, KeyError, TypeError):
        pass
    says = f"the old values kept with entry {newer['number']} of {memory_id} do not fit"
    return Flaw(FlawKind.PAYLOAD, newer["number"], memory_id, says)


def _states(current: Mapping[str, Any], entries: list[Any]) -> Iterator[tuple[Any, dict[str, Any], bool]]:
    """Each entry, newest first, with the columns it left and whether their digest is the one it names."""
    values = dict(current)
    for place, entry in enumerate(entries):
        before = entries[place + 1]["after"] if place + 1 < len(entries) else None
        holds = rows.digest(values) == entry["after"] and entry["before"] == before
        yield entry, values, holds
        values = rows.earlier(values, json.loads(entry["payload"] or "{}"))
