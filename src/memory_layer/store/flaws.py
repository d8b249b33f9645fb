"""Find breaks in the audit chain and the session chains, and records that do not match them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import TYPE_CHECKING, Any

from memory_layer.model.history import Flaw, FlawKind
from memory_layer.model.vocabulary import Reason, Status, Tier
from memory_layer.store import rows
from memory_layer.store.chain import START, Columns, chained, digest_of, event_digest, event_hash, states_of

if TYPE_CHECKING:
    from memory_layer.ports.store import AuditEntry, EpisodeEntry, Head


def first_in_chain(entries: Iterable[AuditEntry], head: Head | None) -> Flaw | None:
    """Return the first break in a chain; its head is None if it cannot be read."""
    previous, expected = START, 1
    for entry in entries:
        if entry.number > expected:
            return Flaw(FlawKind.GAP, expected, None, f"entry {expected} is missing")
        if entry.number < expected or chained(previous, entry[:9]) != entry.hash:
            return Flaw(FlawKind.EDITED, expected, entry.memory, f"entry {expected} was edited")
        previous, expected = entry.hash, expected + 1
    return _head_flaw(head, previous, expected)


def _head_flaw(head: Head | None, last: bytes, expected: int) -> Flaw | None:
    if head is None:
        return Flaw(FlawKind.HEAD, expected, None, "the head of the chain cannot be read")
    count, last_hash = head
    if count >= expected:
        says = f"the chain ends before entry {expected}, but its head counts {count}"
        return Flaw(FlawKind.CUT_OFF, expected, None, says)
    if (count, last_hash) != (expected - 1, last):
        says = f"the head of the chain does not match its last entry, {expected - 1}"
        return Flaw(FlawKind.HEAD, expected, None, says)
    return None


class Records:
    """The records of a store, compared with their entries; both come in the order of memory ids."""

    def __init__(self, records: Iterable[Columns]) -> None:
        self._records = records
        self.episodic: dict[str, None] = {}  #: the events among them that were not forgotten

    def unfit(self, entries: Iterable[AuditEntry], notes: Iterable[AuditEntry]) -> Iterator[Flaw]:
        """Yield every memory and payload that does not match its entries; entries come newest first per memory."""
        unrecorded: list[str] = []
        for memory_id, record, own in self._with_entries(entries):
            if own:
                if flaw := _record_flaw(memory_id, record, own):
                    yield flaw
            elif record is not None and not _is_being_written(record):
                unrecorded.append(memory_id)
        yield from _note_flaws(notes)
        for memory_id in unrecorded:
            yield Flaw(FlawKind.RECORD, None, memory_id, f"{memory_id} is in no audit entry")

    def _with_entries(
        self, entries: Iterable[AuditEntry]
    ) -> Iterator[tuple[str, Columns | None, list[AuditEntry]]]:
        """Yield each memory id with its record, if any, and its entries."""
        groups = groupby(entries, key=lambda entry: str(entry.memory))
        group = next(groups, None)
        for record in self._records:
            memory_id = record["id"]
            if record["tier"] == Tier.EPISODIC.value and record["reason"] != Reason.FORGOTTEN.value:
                self.episodic[memory_id] = None
            while group is not None and group[0] < memory_id:
                yield group[0], None, list(group[1])
                group = next(groups, None)
            if group is not None and group[0] == memory_id:
                yield memory_id, record, list(group[1])
                group = next(groups, None)
            else:
                yield memory_id, record, []
        while group is not None:
            yield group[0], None, list(group[1])
            group = next(groups, None)

    def in_sessions(self, events: Iterable[EpisodeEntry], heads: Mapping[str, Head]) -> Iterator[Flaw]:
        """Yield the first break of each session, and every event that is missing or was changed.

        Events come by session and number; `unfit` has already read the records.
        """
        heads, strays = dict(heads), dict(self.episodic)
        for session, own in groupby(events, key=lambda event: str(event.session)):
            yield from _session_flaw(session, own, heads.pop(session, (0, START)), strays)
        for session, (count, _) in sorted(heads.items()):
            says = f"session {session!r}: all of its {count} events are missing"
            yield Flaw(FlawKind.CUT_OFF, None, None, says, session)
        for memory_id in strays:
            yield Flaw(FlawKind.RECORD, None, memory_id, f"{memory_id} is an event without a session")


def _is_being_written(record: Columns) -> bool:
    return (record["version"], record["status"], record["reason"]) == (
        0,
        Status.STAGED.value,
        Reason.WRITING.value,
    )


def _note_flaws(notes: Iterable[AuditEntry]) -> Iterator[Flaw]:
    """Yield entries without a memory whose payload does not match their digest."""
    for entry in notes:
        if entry.after is not None and (entry.payload is None or digest_of(entry.payload) != entry.after):
            says = f"the old values saved with entry {entry.number} do not match it"
            yield Flaw(FlawKind.PAYLOAD, entry.number, None, says)


def _record_flaw(memory_id: str, current: Columns | None, entries: list[AuditEntry]) -> Flaw | None:
    """Return the first mismatch between a memory and its entries, newest first."""
    last = entries[0]
    if current is None:
        return _record(last, f"{memory_id} is missing, and no audit entry records its removal")
    if rows.digest(current) != last.after:
        return _record(last, f"{memory_id} does not match audit entry {last.number}")
    if current["version"] != len(entries):
        return _record(last, f"{memory_id} has version {current['version']} but {len(entries)} entries")
    if current["reason"] == Reason.FORGOTTEN.value:
        return None  # its old values were erased with it; only the digests can be compared
    if len(entries) == 1 and last.before is None and last.payload is None:
        return None  # unchanged since its creation
    return _payload_flaw(memory_id, current, entries)


def _record(entry: AuditEntry, says: str) -> Flaw:
    return Flaw(FlawKind.RECORD, entry.number, entry.memory, says)


def _payload_flaw(memory_id: str, current: Columns, entries: list[AuditEntry]) -> Flaw | None:
    """Return the point at which the saved old values no longer lead back to the digests."""
    newer = entries[0]
    try:
        for entry, _, holds in states_of(current, entries):
            if not holds:
                break
            newer = entry
        else:
            if entries[-1].payload is None:  # a creation replaced nothing
                return None
    except (ValueError, KeyError, TypeError):
        pass
    says = f"the old values saved with entry {newer.number} of {memory_id} do not match it"
    return Flaw(FlawKind.PAYLOAD, newer.number, memory_id, says)


def _session_flaw(
    session: str, events: Iterable[EpisodeEntry], head: Head, strays: dict[str, Any]
) -> Iterator[Flaw]:
    previous, number, whole = START, 0, True
    for event in events:
        number += 1
        strays.pop(event.memory, None)
        if whole and (broken := _break(session, event, number, previous)):
            whole = False
            yield broken
        if changed := _event_flaw(session, event):
            yield changed
        previous = event.hash
    if whole and (number, previous) != head:
        yield _end(session, number, head[0])


def _break(session: str, event: EpisodeEntry, expected: int, previous: bytes) -> Flaw | None:
    if event.number != expected:
        says = f"session {session!r}: event {expected} is missing"
        return Flaw(FlawKind.GAP, None, None, says, session)
    if event.hash != event_hash(previous, session, expected, event.memory, event.digest):
        says = f"session {session!r}: event {expected} does not follow from the one before"
        return Flaw(FlawKind.EDITED, None, event.memory, says, session)
    return None


def _event_flaw(session: str, event: EpisodeEntry) -> Flaw | None:
    """Return how an event's memory differs from its digest; of a forgotten one only the digest is left."""
    where = f"session {session!r}: event {event.number}"
    if event.said is None:
        return Flaw(FlawKind.RECORD, None, event.memory, f"{where}, {event.memory}, is missing", session)
    if event.reason == Reason.FORGOTTEN.value:
        return None
    if event_digest(event.said) != event.digest:
        says = f"{where}, {event.memory}, was changed"
        return Flaw(FlawKind.RECORD, None, event.memory, says, session)
    return None


def _end(session: str, last: int, counted: int) -> Flaw:
    if counted > last:
        says = f"session {session!r} ends with event {last}, but its head counts {counted}"
        return Flaw(FlawKind.CUT_OFF, None, None, says, session)
    says = f"session {session!r}: its head does not match its last event, {last}"
    return Flaw(FlawKind.HEAD, None, None, says, session)
