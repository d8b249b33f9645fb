"""Where the audit chain breaks, and which records are not as its entries say."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import groupby
from typing import Any

from memory_layer.model.history import Flaw, FlawKind
from memory_layer.model.vocabulary import Reason
from memory_layer.store import rows
from memory_layer.store.sqlite.audit import START, chained, digest_of, head_from
from memory_layer.store.sqlite.past import ENTRIES, states_of

Each = Callable[..., Iterable[Any]]  #: the rows of a statement and its parameters


def first_in_chain(entries: Iterable[Any], kept_head: str | None) -> Flaw | None:
    """Where a chain breaks first, and how."""
    previous, expected = START, 1
    for row in entries:
        entry = [row[name] for name in row.keys() if name != "hash"]  # noqa: SIM118 - a Row yields values
        if row["number"] > expected:
            return Flaw(FlawKind.GAP, expected, None, f"entry {expected} is missing")
        if row["number"] < expected or chained(previous, entry) != row["hash"]:
            return Flaw(FlawKind.EDITED, expected, row["memory"], f"entry {expected} was edited")
        previous, expected = row["hash"], expected + 1
    return _at_the_end(kept_head, previous, expected)


def _at_the_end(kept_head: str | None, last: bytes, expected: int) -> Flaw | None:
    try:
        count, head = head_from(kept_head)
    except ValueError:
        return Flaw(FlawKind.HEAD, expected, None, "the head of the chain cannot be read")
    if count >= expected:
        says = f"the chain ends before entry {expected}, and its head counts {count}"
        return Flaw(FlawKind.CUT_OFF, expected, None, says)
    if (count, head) != (expected - 1, last):
        says = f"the head of the chain does not match its last entry, {expected - 1}"
        return Flaw(FlawKind.HEAD, expected, None, says)
    return None


def unfit(each: Each) -> Iterator[Flaw]:
    """Every memory, and every old value, that is not as the entries say."""
    told = each(ENTRIES + "where a.memory is not null order by a.memory, a.number desc")
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
    for entry in each(ENTRIES + "where a.memory is null and a.after is not null order by a.number"):
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
        for entry, _, holds in states_of(current, entries):
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
