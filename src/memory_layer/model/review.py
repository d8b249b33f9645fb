"""The review queue, and the decisions that can be made about it."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from memory_layer.model.memory import Memory
from memory_layer.model.record import Listing, NamedTuple
from memory_layer.model.vocabulary import MergeText


class Matter(StrEnum):
    """The reason something is in the review queue, in the order of the queue."""

    HELD = "held"  #: held back until a person approves it
    PROPOSED = "proposed"  #: active, and somebody proposes that a person approves it
    QUESTION = "question"  #: close to a known memory, and nobody said what to do
    CONFLICT = "conflict"  #: two memories that contradict each other
    SIMILAR = "similar"  #: two memories that say nearly the same, and nobody was asked about them
    DRIFTED = "drifted"  #: what it cites has changed, or is gone
    FAILING = "failing"  #: active because a person guards it, though reports or runs speak against it
    DOUBTFUL = "doubtful"  #: active, with too little confidence to be given to a run
    EXPIRED = "expired"  #: ran out a short while ago


class Decision(StrEnum):
    """A decision about an item of the review queue."""

    APPROVE = "approve"  #: it counts, and the person vouches for it
    EDIT = "edit"  #: it counts in the person's own words
    KEEP = "keep"  #: both stay as they are
    MERGE = "merge"  #: one memory says what both said
    SUPERSEDE = "supersede"  #: the first replaces the second, which is not given out any more
    DROP = "drop"  #: the new one is not kept; of a proposal: the memory stays as it is
    ACCEPT = "accept"  #: it holds, and its sources are cited as they are now
    RENEW = "renew"  #: it holds for another term
    ARCHIVE = "archive"  #: it goes out of sight


class Waiting(NamedTuple):
    """An item of the review queue."""

    kind: Matter
    reason: str
    memory: Memory  #: of a pair the newer one
    other: Memory | None = None  #: of a pair the older one; for a question the known memory
    similarity: float | None = None  #: the cosine of the two texts, if both have vectors
    offers: tuple[Decision, ...] = ()  #: what can be decided about it


class Queue(Listing[Waiting]):
    """A page of the review queue, newest first within each kind."""

    items: tuple[Waiting, ...]
    next: str | None
    total: int
    by_kind: Mapping[Matter, int]


class Choice(NamedTuple):
    """A decision, and the item it is about."""

    memory: str  #: an id or the beginning of one; of a pair the one that supersedes or is archived
    decision: Decision
    other: str | None = None  #: the other one of a pair
    text: MergeText = MergeText.FULLER  #: which text a merge shows
    content: str | None = None  #: the new words of an edit
    seen: Waiting | None = None  #: what the person looked at, so that nothing else is decided


class Decided(NamedTuple):
    """The result of a decision."""

    operation: str  #: which `undo` takes back
    kind: Matter
    decision: Decision
    memories: tuple[Memory, ...]  #: those that it is about, as they are now
    redacted: tuple[str, ...] = ()  #: the kinds of secrets that were taken out
    notice: str | None = None  #: what cannot be seen on the memories themselves
