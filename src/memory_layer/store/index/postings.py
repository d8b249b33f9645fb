"""Term frequencies per document as arrays; built from stemmed terms, and merged without them.

A segment has at most 65,536 documents. Terms are stored only as 64-bit hashes; the words themselves stay in the store.
Counts take one byte; the few that do not fit are listed separately, because scores must equal those of the store's
full text for every text.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from hashlib import blake2b
from itertools import chain
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from memory_layer.model.record import NamedTuple
from memory_layer.store.index.columns_file import Damaged

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Places = NDArray[np.intp]


Number = TypeVar("Number", bound=np.integer)

MAX_DOCUMENTS = 1 << 16
_PLACE_BITS = 16
MANY = 255  #: this many occurrences or more; `many_counts` has the exact number


_NO_TERMS = np.empty(0, dtype=np.uint64)
#: From this many tokens on, a lookup table of the query terms pays off.
MANY_DOCUMENTS = 4096


class Postings(NamedTuple):
    """The postings of one segment; the arrays may be memory-mapped and read-only."""

    terms: NDArray[np.uint64]  #: sorted hashes of the vocabulary
    starts: NDArray[np.uint32]  #: start of each term's postings, and the end of the last
    docs: NDArray[np.uint16]  #: document numbers, increasing within a term
    counts: NDArray[np.uint8]  #: occurrences of the term in the document, at most 255
    many: NDArray[np.uint32]  #: increasing positions of postings with 255 occurrences or more
    many_counts: NDArray[np.uint32]  #: their exact counts
    lengths: NDArray[np.uint32]  #: (documents,) terms of the document, repetitions included


def hashes(terms: Iterable[str]) -> NDArray[np.uint64]:
    """Return the hashes of these terms, in order."""
    digests = b"".join([blake2b(term.encode(), digest_size=8).digest() for term in terms])
    return np.frombuffer(digests, dtype="<u8").astype(np.uint64, copy=False)


def build(texts: Sequence[tuple[str, str]]) -> Postings:
    """Build postings from documents given as two space-separated strings of terms: body and labels."""
    if len(texts) > MAX_DOCUMENTS:
        raise ValueError(f"a segment has at most {MAX_DOCUMENTS} documents, not {len(texts)}")
    vocabulary, sizes = _Numbering(), array("I")
    tokens = np.fromiter(chain.from_iterable(_numbered(texts, vocabulary, sizes)), dtype=np.uint32)
    lengths = np.array(sizes, dtype=np.uint32)
    hashed = hashes(vocabulary)
    order = np.argsort(hashed)
    rank = np.empty(len(order), dtype=np.uint64)
    rank[order] = np.arange(len(order), dtype=np.uint64)
    keys = rank[tokens] << np.uint64(_PLACE_BITS)
    keys |= np.repeat(np.arange(len(texts), dtype=np.uint64), lengths)
    keys.sort()
    return _from_keys(hashed[order], keys, lengths)


class _Numbering(dict[str, int]):
    """Numbers distinct terms in order of first appearance."""

    def __missing__(self, term: str) -> int:
        self[term] = number = len(self)
        return number


def _numbered(
    texts: Sequence[tuple[str, str]], vocabulary: _Numbering, sizes: array[int]
) -> Iterator[Iterable[int]]:
    """Convert each text to term numbers, text by text to stay within the CPU caches."""
    number = vocabulary.__getitem__
    for body, labels in texts:
        words = body.split()
        words += labels.split()
        sizes.append(len(words))
        yield map(number, words)


def _from_keys(terms: NDArray[np.uint64], keys: NDArray[np.uint64], lengths: NDArray[np.uint32]) -> Postings:
    """Build postings from sorted occurrences, each a term's rank and a document number in one integer."""
    first = np.ones(len(keys), dtype=np.bool_)
    np.not_equal(keys[1:], keys[:-1], out=first[1:])
    at = np.flatnonzero(first)
    occurrences = np.diff(at, append=len(keys))
    unique = keys[at]
    starts = np.searchsorted(unique, np.arange(len(terms) + 1, dtype=np.uint64) << np.uint64(_PLACE_BITS))
    many = np.flatnonzero(occurrences >= MANY)
    return Postings(
        terms=terms,
        starts=starts.astype(np.uint32),
        docs=unique.astype(np.uint16),
        counts=np.minimum(occurrences, MANY).astype(np.uint8),
        many=many.astype(np.uint32),
        many_counts=occurrences[many].astype(np.uint32),
        lengths=lengths,
    )


def spans(postings: Postings, hashed: NDArray[np.uint64]) -> list[tuple[int, int]]:
    """Return the first posting of each term and one past its last; equal for an unknown term."""
    terms, starts = postings.terms, postings.starts
    if not len(terms):
        return [(0, 0)] * len(hashed)
    places = terms.searchsorted(hashed)
    known = (terms.take(places, mode="clip") == hashed).tolist()
    # A query has a handful of terms; for so few, plain integers are faster than arrays.
    found = [
        (int(starts[place]), int(starts[place + 1])) if held else (0, 0)
        for place, held in zip(places.tolist(), known, strict=True)
    ]
    if any(not begin <= end <= len(postings.docs) for begin, end in found):
        raise Damaged("the offsets of a term are out of bounds")
    return found


def found_in(
    postings: Postings, begin: int, end: int, docs: NDArray[np.intp]
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the positions in `docs` of documents with a posting in the span, and those postings."""
    span = postings.docs[begin:end]
    wanted = docs.astype(np.uint16)
    at = span.searchsorted(wanted)
    found = (span.take(at, mode="clip") == wanted).nonzero()[0]
    return found, at[found] + begin


def counts_of(postings: Postings, begin: int, end: int) -> NDArray[np.unsignedinteger]:
    """Return the true counts of a span of postings."""
    counts = postings.counts[begin:end]
    first, last = np.searchsorted(postings.many, [begin, end]) if len(postings.many) else (0, 0)
    if first == last:
        return counts
    true = counts.astype(np.uint32)
    true[postings.many[first:last] - begin] = postings.many_counts[first:last]
    return true


def counts_at(postings: Postings, at: NDArray[np.intp]) -> NDArray[np.unsignedinteger]:
    """Return the true counts of single postings."""
    counts = postings.counts[at]
    full = (counts == MANY).nonzero()[0] if len(postings.many) else ()
    if not len(full):
        return counts
    true = counts.astype(np.uint32)
    true[full] = postings.many_counts[np.searchsorted(postings.many, at[full])]
    return true


def merged(parts: Sequence[tuple[Postings, NDArray[np.bool_]]]) -> Postings:
    """Join the documents of all parts in order, dropping those whose mask is False."""
    if sum(int(np.count_nonzero(keep)) for _, keep in parts) > MAX_DOCUMENTS:
        raise ValueError(f"a segment has at most {MAX_DOCUMENTS} documents")
    filtered = [_filtered(postings, keep) for postings, keep in parts]
    vocabulary = distinct(np.concatenate([_NO_TERMS, *(part.terms for part in filtered)]))
    places = [np.searchsorted(vocabulary, part.terms) for part in filtered]
    sizes = np.zeros(len(vocabulary) + 1, dtype=np.int64)
    for part, place in zip(filtered, places, strict=True):
        sizes[place + 1] += np.diff(part.starts)
    starts = np.cumsum(sizes)
    return _joined(vocabulary, starts, filtered, places)


def distinct(numbers: NDArray[Number]) -> NDArray[Number]:
    """Return the sorted distinct numbers; `numpy.unique` would load masked arrays."""
    ordered = numbers.copy()
    ordered.sort()
    first = np.ones(len(ordered), np.bool_)
    np.not_equal(ordered[1:], ordered[:-1], out=first[1:])
    return ordered[first]


def _filtered(postings: Postings, keep: NDArray[np.bool_]) -> Postings:
    """Drop the documents that are masked out, and terms that no document contains any more."""
    if keep.all():
        return postings  # so every term still has a document
    stays = keep[postings.docs]
    before = np.concatenate([[0], np.cumsum(stays)])
    starts = before[postings.starts]
    used = starts[1:] > starts[:-1]
    renumbered = (np.cumsum(keep) - 1).astype(np.uint16)
    many = stays[postings.many]
    return Postings(
        terms=postings.terms[used],
        starts=np.concatenate([starts[:-1][used], starts[-1:]]).astype(np.uint32),
        docs=renumbered[postings.docs[stays]],
        counts=postings.counts[stays],
        many=before[postings.many[many]].astype(np.uint32),
        many_counts=postings.many_counts[many],
        lengths=postings.lengths[keep],
    )


def _joined(
    vocabulary: NDArray[np.uint64],
    starts: NDArray[np.int64],
    parts: Sequence[Postings],
    places: Sequence[NDArray[np.intp]],
) -> Postings:
    """Append each part's postings to those of the parts before it, term by term."""
    docs = np.empty(starts[-1], dtype=np.uint16)
    counts = np.empty(starts[-1], dtype=np.uint8)
    many, free, documents = [_NO_TERMS.astype(np.uint32)], starts[:-1].copy(), 0
    for part, place in zip(parts, places, strict=True):
        sizes = np.diff(part.starts)
        target = np.arange(len(part.docs)) + np.repeat(free[place] - part.starts[:-1], sizes)
        docs[target] = part.docs + np.uint32(documents)  # fits when stored: at most 65,536 documents
        counts[target] = part.counts
        many.append(target[part.many].astype(np.uint32))
        free[place] += sizes
        documents += len(part.lengths)
    all_many = np.concatenate(many)
    order = np.argsort(all_many)
    none = np.empty(0, dtype=np.uint32)
    return Postings(
        terms=vocabulary,
        starts=starts.astype(np.uint32),
        docs=docs,
        counts=counts,
        many=all_many[order],
        many_counts=np.concatenate([none, *(part.many_counts for part in parts)])[order],
        lengths=np.concatenate([none, *(part.lengths for part in parts)]),
    )


class Hits(NamedTuple):
    """Every occurrence of a query term, in order."""

    doc: Places
    at: Places  #: the position of the word in the document
    term: Places


def hits(tokens: NDArray[np.uint32], lengths: Places, hashed: NDArray[np.uint64]) -> Hits:
    """Find hashed terms in documents given as one sequence of tokens."""
    wanted = hashed.astype(np.uint32)
    order = wanted.argsort(kind="stable")
    numbers = wanted[order]
    at = np.arange(len(tokens))
    if len(tokens) > MANY_DOCUMENTS or not len(numbers):
        # Filter by half of each hash first: one table lookup instead of many comparisons.
        table = np.zeros(1 << 16, np.bool_)
        table[numbers.astype(np.uint16)] = True
        at = table[tokens.astype(np.uint16)].nonzero()[0]
        tokens = tokens[at]
    word = numbers.searchsorted(tokens)
    same = (numbers.take(word, mode="clip") == tokens).nonzero()[0]
    at = at[same]
    ends = lengths.cumsum()
    doc = ends.searchsorted(at, side="right")
    return Hits(doc, at - (ends - lengths)[doc], order[word[same]])
