"""Whether the lines of an export make one whole: nothing missing, nothing twice, every digest as the chain says."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from hashlib import sha256
from typing import Any

from memory_layer.errors import InvalidInput
from memory_layer.model.export import (
    VECTORS,
    Carried,
    CarriedChange,
    CarriedContext,
    CarriedEpisode,
    CarriedLink,
    CarriedMemory,
    CarriedProject,
    CarriedQuery,
    CarriedQueryVector,
    CarriedRecall,
    CarriedRun,
    CarriedVector,
    Head,
    Kind,
)
from memory_layer.model.memory import Change, Memory
from memory_layer.model.outcome import OutcomeEvent
from memory_layer.model.record import NamedTuple
from memory_layer.model.vocabulary import AGAINST_IT, LinkKind, Reason, Status, Tier
from memory_layer.rules.drafts import address
from memory_layer.rules.history import is_note

ORDER = {kind: place for place, kind in enumerate(Kind)}
#: Bytes of a vector by the model that makes it: one of another length is never compared.
WIDTHS = {"all-MiniLM-L6-v2": 2 * 384}
_STAGED = (Reason.WRITING, Reason.QUESTION, Reason.REVIEW)
#: Why a memory can be in each state.
_REASONS: dict[Status, tuple[Reason | None, ...]] = {
    Status.ACTIVE: (None, *AGAINST_IT),
    Status.STAGED: _STAGED,
    Status.ARCHIVED: tuple(reason for reason in Reason if reason not in _STAGED),
}
START = "0" * 64  #: the hash before the first entry of a chain


class _Seen:
    """What has to be remembered of a memory until its last entry has passed."""

    __slots__ = ("after", "digest", "entries", "version")

    def __init__(self, digest: str, version: int) -> None:
        self.digest, self.version = bytes.fromhex(digest), version
        self.entries, self.after = 0, b""


class Digests(NamedTuple):
    """How a store computes what the chains of an export are checked against."""

    of_memory: Callable[[Memory], str]
    after: Callable[[str, Change], str]  #: the hash of an entry that follows another
    of_event: Callable[[Memory], str]
    after_event: Callable[[str, CarriedEpisode], str]


class Inspector:
    """Takes the records one after the other and refuses the first that does not fit what came before."""

    def __init__(
        self,
        head: Head,
        digests: Digests,
        *,
        without_history: bool = False,
    ) -> None:
        self.head = head
        self._without_history = without_history
        self._digests = digests
        self._counts = dict.fromkeys(Kind, 0)
        self._place = 0
        self._projects: set[str] = set()
        self._aliases: set[str] = set()
        self._memories: dict[str, _Seen] = {}
        self._live: set[bytes] = set()
        self._links: set[tuple[str, str, str]] = set()
        self._superseded: dict[str, list[str]] = {}
        self._queries: set[str] = set()
        self._logged: set[str] = set()  #: the ids of recalls, outcomes and runs
        self._vectors: set[tuple[str, str, bool]] = set()
        self._widths: dict[str, int] = {}
        self._last_hash = START
        self._events: dict[
            str, str | None
        ] = {}  #: those in no chain yet, with their digests if they say anything
        self._sessions: dict[str, tuple[int, str]] = {}  #: the number and the hash of the last event of each
        self._takers: dict[Kind, Callable[[Any], None]] = {
            Kind.PROJECT: self._project,
            Kind.MEMORY: self._memory,
            Kind.EPISODE: self._episode,
            Kind.LINK: self._link,
            Kind.AUDIT: self._audit,
            Kind.QUERY: self._query,
            Kind.RECALL: self._recall,
            Kind.OUTCOME: self._outcome,
            Kind.RUN: self._run,
            Kind.CONTEXT: self._context,
            Kind.VECTOR: self._vector,
            Kind.QUERY_VECTOR: self._query_vector,
        }

    @property
    def widths(self) -> dict[str, int]:
        """How many bytes a vector of each fingerprint takes."""
        return self._widths

    def take(self, kind: Kind, record: Carried) -> None:
        """Look at the next record."""
        if ORDER[kind] < self._place:
            raise InvalidInput(f"a {kind} cannot stand here")
        if (kind in (Kind.AUDIT, Kind.EPISODE) and self.head.partial) or (
            kind in VECTORS and not self.head.vectors
        ):
            raise InvalidInput(f"the first line announces no {kind}")
        self._place = ORDER[kind]
        self._counts[kind] += 1
        self._takers[kind](record)

    def finish(self) -> None:
        """Compare what came with what the first line announced."""
        for kind, count in self._counts.items():
            if count != self.head.counts[kind.value]:
                raise InvalidInput(
                    f"the first line announces {self.head.counts[kind.value]:,} of type {kind}, and {count:,} came"
                )
        _refuse_cycles(self._superseded)
        if self.head.partial or self._without_history:
            return
        if self.head.audit != (self._counts[Kind.AUDIT], self._last_hash):
            raise _untrue("the audit chain does not end as the first line says")
        if unchained := [memory_id for memory_id, digest in self._events.items() if digest is not None]:
            raise _untrue(f"{unchained[0]} is an event of no session")
        for memory_id, seen in self._memories.items():
            if seen.entries != seen.version:
                raise _untrue(f"{memory_id} has version {seen.version}, and {seen.entries} audit entries")
            if seen.after and seen.after != seen.digest:
                raise _untrue(f"{memory_id} is not as its last audit entry left it")

    def _project(self, record: CarriedProject) -> None:
        _once(self._projects, record.id)
        for alias in dict.fromkeys((record.key, *record.aliases)):
            _once(self._aliases, alias)

    def _memory(self, record: CarriedMemory) -> None:
        memory = record.memory
        if memory.id in self._memories:
            raise InvalidInput(f"{memory.id} stands here a second time")
        if record.project is not None and record.project not in self._projects:
            raise InvalidInput(f"its project {record.project[:40]!r} is not in the file")
        _check_state(memory)
        right_hash = address(memory, record.project)
        if memory.content_hash != right_hash and not self._without_history:
            raise _untrue("its content hash does not fit its text")
        if memory.status is not Status.ARCHIVED:
            text = bytes.fromhex(right_hash)
            if text in self._live:
                raise InvalidInput("its text is that of another live memory in the file")
            self._live.add(text)
        self._memories[memory.id] = _Seen(self._digests.of_memory(memory), memory.version)
        if memory.tier is Tier.EPISODIC:
            forgotten = memory.reason is Reason.FORGOTTEN
            self._events[memory.id] = None if forgotten else self._digests.of_event(memory)

    def _episode(self, event: CarriedEpisode) -> None:
        if self._without_history:
            return
        if event.memory not in self._events:
            raise InvalidInput(f"the event {event.memory} is not in the file")
        last, previous = self._sessions.get(event.session, (0, START))
        if event.number != last + 1:
            raise _untrue(f"event {last + 1} of the session {event.session[:40]!r} is missing")
        if self._digests.after_event(previous, event) != event.hash:
            raise _untrue(
                f"event {event.number} of the session {event.session[:40]!r} does not follow from the one before"
            )
        if self._events.pop(event.memory) not in (None, event.digest):
            raise _untrue(f"{event.memory} is not what its session says")
        self._sessions[event.session] = event.number, event.hash

    def _link(self, record: CarriedLink) -> None:
        link = record.link
        self._check_known(link.source)
        self._check_known(link.target)
        _once(self._links, (link.source, link.target, link.kind.value))
        if link.kind is LinkKind.SUPERSEDES:
            self._superseded.setdefault(link.source, []).append(link.target)

    def _audit(self, record: CarriedChange) -> None:
        change = record.change
        if self._without_history:
            return
        if change.number != self._counts[Kind.AUDIT]:
            raise _untrue(f"entry {self._counts[Kind.AUDIT]} of the audit chain is missing")
        if self._digests.after(self._last_hash, change) != change.hash:
            raise _untrue(f"entry {change.number} does not follow from the one before")
        self._last_hash = change.hash
        if change.memory is None:
            self._check_note(change, record.payload)
            return
        self._check_known(change.memory)
        seen = self._memories[change.memory]
        if change.before != (seen.after.hex() if seen.after else None):
            raise _untrue(f"entry {change.number} does not fit the history of {change.memory}")
        seen.entries += 1
        seen.after = bytes.fromhex(change.after) if change.after else b""

    def _check_note(self, change: Change, told: Mapping[str, object] | None) -> None:
        """An entry about no version: its digest covers what it tells, and that is about memories in the file."""
        if told is None and change.after is None:
            return
        if told is None or _digest(told) != change.after:
            raise _untrue(f"what is kept with entry {change.number} does not fit it")
        if not is_note(told):
            raise InvalidInput(f"what is kept with entry {change.number} is nothing that this program notes")
        for name in ("source", "target", "memory"):
            if name in told:
                self._check_known(str(told[name]))

    def _query(self, record: CarriedQuery) -> None:
        _once(self._queries, record.text)

    def _recall(self, recall: CarriedRecall) -> None:
        _once(self._logged, recall.id)
        self._check_asked(recall.query)
        if recall.project is not None and recall.project not in self._projects:
            raise InvalidInput(f"its project {recall.project[:40]!r} is not in the file")
        for item in recall.items:
            self._check_known(item.memory)

    def _outcome(self, event: OutcomeEvent) -> None:
        _once(self._logged, event.id)
        self._check_known(event.memory)
        if event.query is not None:
            self._check_asked(event.query)
        if event.recall is not None and event.recall not in self._logged:
            raise InvalidInput(f"its recall {event.recall} is not in the file")

    def _run(self, run: CarriedRun) -> None:
        _once(self._logged, run.id)
        if run.recall not in self._logged:
            raise InvalidInput(f"its recall {run.recall} is not in the file")
        for memory_id in run.ending.used if run.ending else ():
            self._check_known(memory_id)

    def _context(self, context: CarriedContext) -> None:
        _once(self._logged, f"context {context.recall}")
        if context.recall not in self._logged:
            raise InvalidInput(f"its recall {context.recall} is not in the file")

    def _vector(self, record: CarriedVector) -> None:
        self._check_known(record.memory)
        _once(self._vectors, (record.memory, record.fingerprint, False))
        for passage in record.passages:
            self._check_width(record.fingerprint, passage)

    def _query_vector(self, record: CarriedQueryVector) -> None:
        self._check_asked(record.query)
        _once(self._vectors, (record.query, record.fingerprint, True))
        self._check_width(record.fingerprint, record.numbers)

    def _check_known(self, memory_id: str) -> None:
        if memory_id not in self._memories:
            raise InvalidInput(f"the memory {memory_id} is not in the file")

    def _check_asked(self, text: str) -> None:
        if text not in self._queries:
            raise InvalidInput("its query is not in the file")

    def _check_width(self, fingerprint: str, numbers: bytes) -> None:
        expected = WIDTHS.get(fingerprint.partition("/")[0], len(numbers))
        if self._widths.setdefault(fingerprint, expected) != len(numbers):
            raise InvalidInput("its vector is not as long as the others of its fingerprint")


def _untrue(says: str) -> InvalidInput:
    """A history that does not hold; the memories may be worth having all the same."""
    return InvalidInput(f"{says} (with --without-history a person can bring in the memories alone)")


def _digest(told: Mapping[str, object]) -> str:
    text = json.dumps(told, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return sha256(text.encode()).hexdigest()


def _once(known: set[Any], value: Any) -> None:
    if value in known:
        name = value if isinstance(value, str) else " ".join(map(str, value))
        raise InvalidInput(f"{name[:80]!r} stands here a second time")
    known.add(value)


def _check_state(memory: Memory) -> None:
    """Refuse states that no store is ever in."""
    unfinished = memory.status is Status.STAGED and memory.reason is Reason.WRITING
    if (memory.version == 0 and not unfinished) or memory.reason not in _REASONS[memory.status]:
        raise InvalidInput(f"{memory.id} cannot be {memory.status} like this")
    if (memory.approved_by is None) != (memory.approved_at is None):
        raise InvalidInput(f"{memory.id} has half an approval")


def _refuse_cycles(superseded: dict[str, list[str]]) -> None:
    """No memory may supersede itself by way of others: all of them would be hidden."""
    done: set[str] = set()
    for start, targets in superseded.items():
        on_path: dict[str, Iterator[str]] = {} if start in done else {start: iter(targets)}
        while on_path:
            current = next(reversed(on_path))
            following = next(on_path[current], None)
            if following is None:
                done.add(current)
                del on_path[current]
            elif following in on_path:
                raise InvalidInput(f"{following} supersedes itself by way of others")
            elif following not in done:
                on_path[following] = iter(superseded.get(following, ()))
