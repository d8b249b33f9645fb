"""A segment of the index: up to 65,536 memories as columns, with their words and vectors; immutable."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from memory_layer.model.record import NamedTuple, cached_property
from memory_layer.model.vocabulary import Reason
from memory_layer.store.index import postings
from memory_layer.store.index.codes import Codes, encode
from memory_layer.store.index.columns_file import Content, Damaged
from memory_layer.store.index.postings import Postings, distinct, hashes

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Mask = NDArray[np.bool_]

MOST_DOCS = 65_536
AT_ONCE = 8_192  #: memories converted to columns at a time
MOST_SLOTS = 65_536  #: vectors of one embedding
MOST_WORDS = 1 << 23
NEVER = (1 << 63) - 1

PREFIX, ID_BYTES = "mem_", 26  #: an id is the prefix and so many letters, stored as bytes

GONE, SUPERSEDED, JUDGED = 1, 2, 4  #: the flags of a memory

#: Columns with few distinct values, stored as codes with a list of meanings.
CODED = ("category", "tier", "status", "source", "reason", "writer", "scope", "tags")
PLAIN = {
    "rows": np.int64,
    "ids": np.uint8,
    "sequences": np.int64,
    "projects": np.int32,
    "created": np.int64,
    "expires": np.int64,
    "confidences": np.float64,
    "flags": np.uint8,
}
_POSTINGS = Postings._fields
_CODES = Codes._fields

Kind = tuple[int, int]  #: an embedding and its dimensions; vectors of other sizes are never compared


class Doc(NamedTuple):
    """A memory as it is indexed."""

    row: int
    id: str  #: empty for a tombstone
    sequence: int  #: its last change, or 0 if that was long ago
    project: int  #: 0 for a global one
    created: int
    expires: int
    confidence: float
    flags: int
    category: str
    tier: str
    status: str
    source: str
    reason: str
    writer: str
    scope: str
    tags: str
    body: str
    labels: str
    vectors: Sequence[tuple[int, NDArray[np.float32]]]  #: embedding, one row per passage


def gone(row: int, sequence: int) -> Doc:
    """Return a tombstone for a deleted memory."""
    nothing = dict.fromkeys(CODED, "")
    return Doc(row, "", sequence, 0, 0, NEVER, 0.0, GONE, **nothing, body="", labels="", vectors=())


class Segment:
    """The columns of some memories, in a file of that name or only in this process."""

    def __init__(self, content: Content, name: str | None = None) -> None:
        self.content = content
        self.name = name
        self.rows: NDArray[np.int64] = content.arrays["rows"]
        self.flags: NDArray[np.uint8] = content.arrays["flags"]
        self.newest = int(content.facts["newest"])  #: the last change of any of its memories
        self.soonest = int(content.facts["soonest"])  #: when the first of them expires
        self.words = int(content.facts["words"])
        self.masks: dict[Any, Mask] = {}
        self._decoded: set[str] = set()

    def __len__(self) -> int:
        return len(self.rows)

    def column(self, name: str) -> NDArray[Any]:
        return self.content.arrays[name]

    def ids(self, docs: NDArray[np.intp]) -> NDArray[np.bytes_]:
        """Return the ids of these memories, without their prefix."""
        found: NDArray[np.bytes_] = self.content.arrays["ids"][docs].view(f"S{ID_BYTES}").ravel()
        return found

    def coded(self, name: str) -> tuple[NDArray[np.uint16], Sequence[str]]:
        """Return a column of codes and their meanings; raise Damaged if a code has no meaning."""
        column, meanings = self.content.arrays[name], self.content.lists[name]
        if name not in self._decoded:
            if len(column) and column.max() >= len(meanings):
                raise Damaged(f"the column {name} has a code without a meaning")
            self._decoded.add(name)
        return column, meanings

    @cached_property
    def postings(self) -> Postings:
        return Postings._make(self.content.arrays[f"words.{name}"] for name in _POSTINGS)

    @cached_property
    def embeddings(self) -> dict[Kind, Codes]:
        """Return the vector codes by kind, for each kind that any memory has."""
        arrays = self.content.arrays
        found = {name.rpartition(".")[0] for name in arrays if name.startswith("vectors.")}
        return {_kind(each): Codes._make(arrays[f"{each}.{name}"] for name in _CODES) for each in found}

    @cached_property
    def _order(self) -> tuple[NDArray[np.int64], NDArray[np.intp] | None]:
        """Return the sorted rows, and their positions if the rows are stored in another order."""
        if len(self.rows) < 2 or bool((self.rows[1:] > self.rows[:-1]).all()):
            return self.rows, None
        order = np.argsort(self.rows)
        return self.rows[order], order

    @property
    def span(self) -> tuple[int, int]:
        """Return the lowest and the highest row."""
        rows, _ = self._order
        return (int(rows[0]), int(rows[-1])) if len(rows) else (0, -1)

    def places(self, rows: NDArray[np.int64]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Find these rows; return positions in `rows` and positions in this segment."""
        ordered, order = self._order
        if not len(ordered) or not len(rows):
            nothing = np.empty(0, np.intp)
            return nothing, nothing
        at = np.minimum(np.searchsorted(ordered, rows), len(ordered) - 1)
        found = np.flatnonzero(ordered[at] == rows)
        here = at[found]
        return found, here if order is None else order[here]

    def size(self) -> tuple[int, int, int]:
        """Return the number of memories, of vectors of one embedding, and of words."""
        return len(self), max((len(codes.docs) for codes in self.embeddings.values()), default=0), self.words


def fits(sizes: Iterable[tuple[int, int, int]]) -> bool:
    """Check whether the sizes together fit into one segment."""
    docs = slots = words = 0
    for size in sizes:
        docs, slots, words = docs + size[0], slots + size[1], words + size[2]
    return docs <= MOST_DOCS and slots <= MOST_SLOTS and words <= MOST_WORDS


def segments(docs: Iterable[Doc]) -> Iterator[Segment]:
    """Build segments from these memories, each as large as allowed."""
    made: list[Segment] = []
    for small in map(built, _batches(docs)):
        if made and not fits([each.size() for each in (*made, small)]):
            yield joined([(each, _all(each)) for each in made])
            made = []
        made.append(small)
    if made:
        yield joined([(each, _all(each)) for each in made])


def _all(segment: Segment) -> Mask:
    return np.ones(len(segment), np.bool_)


def _batches(docs: Iterable[Doc]) -> Iterator[list[Doc]]:
    """Split documents into batches."""
    some: list[Doc] = []
    slots = words = 0
    for doc in docs:
        more = sum(len(vectors) for _, vectors in doc.vectors)
        length = len(doc.body) + len(doc.labels)
        if some and (len(some) >= AT_ONCE or slots + more > AT_ONCE or words + length > MOST_WORDS):
            yield some
            some, slots, words = [], 0, 0
        some.append(doc)
        slots += more
        words += length
    if some:
        yield some


def built(docs: Sequence[Doc]) -> Segment:
    """Build a segment from these memories."""
    arrays: dict[str, NDArray[Any]] = {
        "rows": np.array([doc.row for doc in docs], np.int64),
        "ids": _ids([doc.id for doc in docs]),
        "sequences": np.array([doc.sequence for doc in docs], np.int64),
        "projects": np.array([doc.project for doc in docs], np.int32),
        "created": np.array([doc.created for doc in docs], np.int64),
        "expires": np.array([doc.expires for doc in docs], np.int64),
        "confidences": np.array([doc.confidence for doc in docs], np.float64),
        "flags": np.array([doc.flags for doc in docs], np.uint8),
    }
    lists: dict[str, list[str]] = {}
    for name in CODED:
        known: dict[str, int] = {}
        values = [str(getattr(doc, name)) for doc in docs]
        arrays[name] = np.array([known.setdefault(value, len(known)) for value in values], np.uint16)
        lists[name] = list(known)
    arrays |= _words(postings.build([(doc.body, doc.labels) for doc in docs]))
    arrays |= _tokens([doc.body.split() for doc in docs])
    arrays |= _vectors(docs)
    return _segment(arrays, lists)


def _ids(ids: Sequence[str]) -> NDArray[np.uint8]:
    """Return the ids as bytes, one row each; raise an error for an id that does not fit."""
    bare = [each.removeprefix(PREFIX).encode() for each in ids]
    if not all(
        len(each) <= ID_BYTES and (not whole or whole.startswith(PREFIX))
        for each, whole in zip(bare, ids, strict=True)
    ):
        raise ValueError("an id is too long")
    return np.array(bare, f"S{ID_BYTES}").view(np.uint8).reshape(len(ids), ID_BYTES)


def _words(made: Postings) -> dict[str, NDArray[Any]]:
    return {f"words.{name}": array for name, array in made._asdict().items()}


def _tokens(texts: Sequence[Sequence[str]]) -> dict[str, NDArray[Any]]:
    """Return the terms of every text in order, each as half a hash, so that adjacent words can be matched."""
    numbers: dict[str, int] = {}
    each = (numbers.setdefault(word, len(numbers)) for text in texts for word in text)
    words = np.fromiter(each, np.intp)
    ends = np.cumsum([len(text) for text in texts], dtype=np.int64)
    return {"tokens": hashes(numbers).astype(np.uint32)[words], "token_ends": ends}


def _vectors(docs: Sequence[Doc]) -> dict[str, NDArray[Any]]:
    found: dict[Kind, list[tuple[int, NDArray[np.float32]]]] = {}
    for place, doc in enumerate(docs):
        for embedding, vectors in doc.vectors:
            found.setdefault((embedding, vectors.shape[1]), []).append((place, vectors))
    arrays: dict[str, NDArray[Any]] = {}
    for kind, vectors_of in found.items():
        whose = np.repeat([place for place, _ in vectors_of], [len(vectors) for _, vectors in vectors_of])
        numbers = padded(np.concatenate([vectors for _, vectors in vectors_of]))
        arrays |= _codes(kind, Codes(*encode(numbers), whose.astype(np.uint32)))
    return arrays


def padded(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """Pad vectors to a multiple of 8 dimensions."""
    missing = -vectors.shape[-1] % 8
    return np.pad(vectors, [(0, 0)] * (vectors.ndim - 1) + [(0, missing)]) if missing else vectors


def _codes(kind: Kind, codes: Codes) -> dict[str, NDArray[Any]]:
    embedding, numbers = kind
    return {f"vectors.{embedding}.{numbers}.{name}": array for name, array in codes._asdict().items()}


def _kind(name: str) -> Kind:
    _, embedding, numbers = name.split(".")
    return int(embedding), int(numbers)


def _segment(arrays: dict[str, NDArray[Any]], lists: dict[str, list[str]]) -> Segment:
    facts = {
        "newest": int(arrays["sequences"].max(initial=0)),
        "soonest": int(arrays["expires"].min(initial=NEVER)),
        "words": int(arrays["words.lengths"].sum(dtype=np.int64)),
    }
    return Segment(Content(facts, arrays, lists))


def joined(parts: Sequence[tuple[Segment, Mask]]) -> Segment:
    """Merge the masked memories of several segments into one."""
    arrays: dict[str, NDArray[Any]] = {
        name: np.concatenate([part.column(name)[keep] for part, keep in parts]) for name in PLAIN
    }
    lists: dict[str, list[str]] = {}
    for name in CODED:
        arrays[name], lists[name] = _recoded([(part, keep) for part, keep in parts], name)
    arrays |= _words(postings.merged([(part.postings, keep) for part, keep in parts]))
    token_parts = [_tokens_kept(part, keep) for part, keep in parts]
    arrays["tokens"] = np.concatenate([tokens for tokens, _ in token_parts])
    arrays["token_ends"] = np.cumsum(np.concatenate([lengths for _, lengths in token_parts]), dtype=np.int64)
    for kind in sorted({each for part, _ in parts for each in part.embeddings}):
        codes = _joined_codes(parts, kind)
        if len(codes.docs):
            arrays |= _codes(kind, codes)
    return _segment(arrays, lists)


def where(segment: Segment, name: str, holds: Callable[[str], bool]) -> Mask:
    """Return a mask of the memories whose value satisfies a test, run once per distinct value."""
    column, meanings = segment.coded(name)
    right = np.array([holds(text) for text in meanings], np.bool_)
    mask: Mask = right[column]
    return mask


def outdated(segment: Segment, forgotten: NDArray[np.int64]) -> Mask:
    """Return the positions at which a segment still holds data of memories that are now forgotten."""
    mask: Mask = np.zeros(len(segment), np.bool_)
    _, places = segment.places(forgotten)
    if len(places):
        mask[places] = where(segment, "reason", lambda reason: reason != Reason.FORGOTTEN)[places]
    return mask


def _recoded(parts: Sequence[tuple[Segment, Mask]], name: str) -> tuple[NDArray[np.uint16], list[str]]:
    """Merge a coded column of several segments under one list of meanings."""
    known: dict[str, int] = {}
    columns = []
    for part, keep in parts:
        column, meanings = part.coded(name)
        old = column[keep]
        used = distinct(old)
        new = np.zeros(len(meanings), np.uint16)
        for code in used.tolist():
            new[code] = known.setdefault(meanings[code], len(known))
        columns.append(new[old])
    return np.concatenate(columns), list(known)


def _tokens_kept(part: Segment, keep: Mask) -> tuple[NDArray[np.uint32], NDArray[np.int64]]:
    lengths = np.diff(part.column("token_ends"), prepend=0)
    return part.column("tokens")[np.repeat(keep, lengths)], lengths[keep]


def _joined_codes(parts: Sequence[tuple[Segment, Mask]], kind: Kind) -> Codes:
    found = []
    before = 0
    for part, keep in parts:
        codes = part.embeddings.get(kind)
        if codes is not None:
            slots = keep[codes.docs]
            # The position of a remaining memory in the merged segment.
            place = (before + np.cumsum(keep) - 1).astype(np.uint32)
            found.append(
                Codes(codes.bits[:, slots], codes.ints[slots], codes.scales[slots], place[codes.docs[slots]])
            )
        before += int(keep.sum())
    return Codes(
        np.concatenate([each.bits for each in found], axis=1),
        np.concatenate([each.ints for each in found]),
        np.concatenate([each.scales for each in found]),
        np.concatenate([each.docs for each in found]),
    )
