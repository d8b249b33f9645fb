"""Verify a whole export: nothing missing, nothing twice, every digest as the chains record it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from graphlib import CycleError, TopologicalSorter
from hashlib import sha256
from operator import itemgetter
from typing import Any

from memory_layer.errors import InvalidInput
from memory_layer.model.export import FORMS, REFERENCES, VECTORS, ExportedMemory, ExportRecord, LineKind
from memory_layer.model.memory import Link, Memory
from memory_layer.model.record import NamedTuple
from memory_layer.model.vocabulary import AGAINST_IT, LinkKind, Reason, Status, Tier
from memory_layer.rules.drafts import address
from memory_layer.rules.history import is_note

ORDER = {kind: place for place, kind in enumerate(LineKind)}
CHAINS = (LineKind.AUDIT, LineKind.EPISODE)  #: only a whole store has them
#: Bytes of a vector by model; vectors of other sizes are never compared.
WIDTHS = {"all-MiniLM-L6-v2": 2 * 384}
_STAGED = (Reason.WRITING, Reason.QUESTION, Reason.REVIEW)
#: The allowed reasons of each state.
_REASONS: dict[Status, tuple[Reason | None, ...]] = {
    Status.ACTIVE: (None, *AGAINST_IT),
    Status.STAGED: _STAGED,
    Status.ARCHIVED: tuple(reason for reason in Reason if reason not in _STAGED),
}
#: The key of a record's values, and the fields that refer to earlier records.
_KEYS = {kind: itemgetter(*form.key) for kind, form in FORMS.items() if form.key}
_REFERENCES = {
    kind: [
        (field.name, field.place, REFERENCES[field.shape])
        for field in form.fields
        if field.shape in REFERENCES
    ]
    for kind, form in FORMS.items()
}
START = "0" * 64  #: the hash before the first entry of a chain


class _Seen:
    """The state of a memory that is kept until its last audit entry."""

    __slots__ = ("after", "digest", "entries", "version")

    def __init__(self, digest: str, version: int) -> None:
        self.digest, self.version = bytes.fromhex(digest), version
        self.entries, self.after = 0, b""


class Digests(NamedTuple):
    """The hash functions of a store, to verify the chains of an export."""

    of_memory: Callable[[Memory], str]
    after: Callable[[str, ExportRecord], str]  #: the hash of an entry that follows another
    of_event: Callable[[Memory], str]
    after_event: Callable[[str, ExportRecord], str]


class ExportCheck:
    """Takes the records one by one and refuses the first that does not fit the ones before."""

    def __init__(self, head: ExportRecord, digests: Digests, *, without_history: bool = False) -> None:
        self.head = head
        self.widths: dict[str, int] = {}  #: bytes per vector by fingerprint
        self._digests, self._without_history = digests, without_history
        self._counts = dict.fromkeys(LineKind, 0)
        self._place = 0
        self._known: dict[LineKind, dict[Any, Any]] = {kind: {} for kind in LineKind}  #: by their keys
        self._aliases: dict[str, None] = {}
        self._live: set[bytes] = set()
        self._superseded: dict[str, list[str]] = {}
        self._last_hash = START
        #: Events not in a chain yet, with their digests unless forgotten.
        self._events: dict[str, str | None] = {}
        self._sessions: dict[str, tuple[int, str]] = {}  #: number and hash of the last event by session
        #: Further checks by kind.
        self._more = {kind: getattr(self, f"_check_{kind}", None) for kind in LineKind}

    def take(self, kind: LineKind, record: ExportRecord) -> None:
        """Check the next record."""
        if ORDER[kind] < self._place:
            raise InvalidInput(f"a record of type {kind} is not allowed here")
        if (kind in CHAINS and self.head.partial) or (kind in VECTORS and not self.head.vectors):
            raise InvalidInput(f"the first line announces no {kind}")
        self._place = ORDER[kind]
        self._counts[kind] += 1
        values = FORMS[kind].values(record)
        for name, place, earlier in _REFERENCES[kind]:
            if values[place] is not None and values[place] not in self._known[earlier]:
                raise InvalidInput(f"its {name} is not in the file")
        if kind in _KEYS:
            _check_new(self._known[kind], _KEYS[kind](values))
        if more := self._more[kind]:
            more(record)

    def finish(self) -> None:
        """Compare the records with the counts and chain head of the first line."""
        for kind, count in self._counts.items():
            if count != self.head.counts[kind.value]:
                raise InvalidInput(
                    f"the first line announces {self.head.counts[kind.value]:,} of type {kind}, but there are {count:,}"
                )
        _refuse_cycles(self._superseded)
        if self.head.partial or self._without_history:
            return
        if self.head.audit != {"count": self._counts[LineKind.AUDIT], "hash": self._last_hash}:
            raise _invalid_history("the audit chain does not end as the first line says")
        if unchained := [memory_id for memory_id, digest in self._events.items() if digest is not None]:
            raise _invalid_history(f"{unchained[0]} is an event without a session")
        for memory_id, seen in self._known[LineKind.MEMORY].items():
            if seen.entries != seen.version:
                raise _invalid_history(
                    f"{memory_id} has version {seen.version} but {seen.entries} audit entries"
                )
            if seen.after and seen.after != seen.digest:
                raise _invalid_history(f"{memory_id} does not match its last audit entry")

    def _check_project(self, project: ExportRecord) -> None:
        for alias in dict.fromkeys((project.key, *project.aliases)):
            _check_new(self._aliases, alias)

    def _check_memory(self, record: ExportedMemory) -> None:
        memory = record.memory
        _check_state(memory)
        right_hash = address(memory, record.project)
        if memory.content_hash != right_hash and not self._without_history:
            raise _invalid_history("its content hash does not match its text")
        if memory.status is not Status.ARCHIVED:
            text = bytes.fromhex(right_hash)
            if text in self._live:
                raise InvalidInput("another live memory in the file has the same text")
            self._live.add(text)
        self._known[LineKind.MEMORY][memory.id] = _Seen(self._digests.of_memory(memory), memory.version)
        if memory.tier is Tier.EPISODIC:
            forgotten = memory.reason is Reason.FORGOTTEN
            self._events[memory.id] = None if forgotten else self._digests.of_event(memory)

    def _check_episode(self, event: ExportRecord) -> None:
        if self._without_history:
            return
        if event.memory not in self._events:
            raise InvalidInput(f"the event {event.memory} is not in the file")
        last, previous = self._sessions.get(event.session, (0, START))
        if event.number != last + 1:
            raise _invalid_history(f"event {last + 1} of the session {event.session[:40]!r} is missing")
        if self._digests.after_event(previous, event) != event.hash:
            raise _invalid_history(
                f"event {event.number} of the session {event.session[:40]!r} does not follow from the one before"
            )
        if self._events.pop(event.memory) not in (None, event.digest):
            raise _invalid_history(f"{event.memory} does not match its session")
        self._sessions[event.session] = event.number, event.hash

    def _check_link(self, link: Link) -> None:
        if link.source == link.target:
            raise InvalidInput("it links a memory with itself")
        if link.kind is LinkKind.SUPERSEDES:
            self._superseded.setdefault(link.source, []).append(link.target)

    def _check_audit(self, change: ExportRecord) -> None:
        if self._without_history:
            return
        if change.number != self._counts[LineKind.AUDIT]:
            raise _invalid_history(f"entry {self._counts[LineKind.AUDIT]} of the audit chain is missing")
        if self._digests.after(self._last_hash, change) != change.hash:
            raise _invalid_history(f"entry {change.number} does not follow from the one before")
        self._last_hash = change.hash
        if change.memory is None:
            self._check_note(change)
            return
        self._check_memory_id(change.memory)
        seen: _Seen = self._known[LineKind.MEMORY][change.memory]
        if change.before != (seen.after.hex() if seen.after else None):
            raise _invalid_history(f"entry {change.number} does not match the history of {change.memory}")
        seen.entries += 1
        seen.after = bytes.fromhex(change.after) if change.after else b""

    def _check_note(self, change: ExportRecord) -> None:
        """Check an entry that makes no version: its digest covers its payload, which refers to memories in the file."""
        note: Mapping[str, object] | None = change.payload
        if note is None and change.after is None:
            return
        spelled = json.dumps(note, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
        if note is None or sha256(spelled.encode()).hexdigest() != change.after:
            raise _invalid_history(f"the payload of entry {change.number} does not match its digest")
        if not is_note(note):
            raise InvalidInput(f"the payload of entry {change.number} is of an unknown kind")
        for name in ("source", "target", "memory"):
            if name in note:
                self._check_memory_id(str(note[name]))

    def _check_recall(self, recall: ExportRecord) -> None:
        for item in recall.items:
            self._check_memory_id(item["memory"])

    def _check_run(self, run: ExportRecord) -> None:
        """Check that an unfinished run names neither who ended it nor used memories."""
        ended = run.result is not None
        if (run.finished_at is not None, bool(run.finished_by)) != (ended, ended) or (run.used and not ended):
            raise InvalidInput("its field 'result' contradicts the others")
        for memory_id in run.used:
            self._check_memory_id(memory_id)

    def _check_vector(self, record: ExportRecord) -> None:
        model = record.fingerprint.partition("/")[0]
        for numbers in vectors_of(record):
            expected = self.widths.setdefault(record.fingerprint, WIDTHS.get(model, len(numbers)))
            if len(numbers) != expected:
                raise InvalidInput("its vector differs in size from the others of its fingerprint")

    _check_query_vector = _check_vector

    def _check_memory_id(self, memory_id: str) -> None:
        if memory_id not in self._known[LineKind.MEMORY]:
            raise InvalidInput(f"the memory {memory_id[:40]} is not in the file")


def vectors_of(record: ExportRecord) -> tuple[bytes, ...]:
    """Return the vectors of a memory or a question."""
    return (record[-1],) if isinstance(record[-1], bytes) else record[-1]


def _check_new(known: dict[Any, Any], key: Any) -> None:
    if key in known:
        name = key if isinstance(key, str) else " ".join(map(str, key))
        raise InvalidInput(f"{name[:80]!r} occurs a second time")
    known[key] = None


def _invalid_history(says: str) -> InvalidInput:
    """Return the error for an invalid history; the memories may still be worth importing."""
    return InvalidInput(f"{says} (a person can import just the memories with --without-history)")


def _check_state(memory: Memory) -> None:
    """Refuse states that no store can be in."""
    unfinished = memory.status is Status.STAGED and memory.reason is Reason.WRITING
    if (memory.version == 0 and not unfinished) or memory.reason not in _REASONS[memory.status]:
        raise InvalidInput(f"{memory.id} cannot be {memory.status} like this")
    if (memory.approved_by is None) != (memory.approved_at is None):
        raise InvalidInput(f"{memory.id} has an incomplete approval")


def _refuse_cycles(superseded: dict[str, list[str]]) -> None:
    """Refuse a memory that supersedes itself through others, because all of them would be hidden."""
    try:
        TopologicalSorter(superseded).prepare()
    except CycleError as found:
        raise InvalidInput(f"{found.args[1][0]} supersedes itself through other memories") from None
