"""Rank documents by BM25 over segments of postings, with the scores of SQLite's bm25().

Query terms are added rarest first. A term adds at most idf * (k1 + 1) to a document, so once all remaining terms
together cannot lift a document above the worst of the current best, only documents already seen are followed.
Nothing is approximate: every path adds the same numbers in the same order, so equal documents get equal scores
and ties go to the lower position.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate
from math import log
from typing import TYPE_CHECKING

import numpy as np

from memory_layer.model.record import NamedTuple
from memory_layer.store.index.postings import counts_at, counts_of, found_in, hashes, spans

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from memory_layer.store.index.postings import Postings

    Floats = NDArray[np.float64]
    Places = NDArray[np.intp]
    Mask = NDArray[np.bool_]

K1 = 1.2
B = 0.75
_LEAST_IDF = 1e-6  #: for a term in half of the documents or more
_SLACK = 1e-9  #: share of the highest possible score, far above rounding errors
_AT_ONCE = 1 << 13  #: numbers per step: small enough for the CPU caches and for reused memory
_LOOKUP_COST = 5  #: finding one document among the postings takes as long as adding this many postings


_NO_MASK = np.empty(0, np.bool_)


class SegmentTerms(NamedTuple):
    """The postings of one segment, with the documents a query may match."""

    postings: Postings
    #: Positions of documents excluded from totals, frequencies and average length.
    dead: Places = np.empty(0, np.intp)
    allowed: Mask | None = None  #: mask of the documents that may match; None for all others

    @property
    def alive(self) -> Mask:
        """Return a mask of the documents that count."""
        mask = np.ones(len(self.postings.lengths), np.bool_)
        mask[self.dead] = False
        return mask


class Corpus(NamedTuple):
    """Statistics over all live documents; valid until a document is added or removed."""

    total: int
    tokens: int

    @classmethod
    def of(cls, parts: Sequence[SegmentTerms]) -> Corpus:
        total = sum(len(part.postings.lengths) - len(part.dead) for part in parts)
        return cls(total, sum(map(_tokens, parts)))

    @property
    def average(self) -> float:
        """Return the terms per document, or 1 if there are none, to avoid dividing by zero."""
        return self.tokens / self.total if self.tokens else 1.0


class TermQuery(NamedTuple):
    """Distinct query terms looked up once in every part; columns follow the order of the terms."""

    corpus: Corpus
    hashes: NDArray[np.uint64]
    containing: list[int]  #: live documents that contain each term
    scans: list[_Scan]  #: one for each part


class Words(NamedTuple):
    """Documents that contain any of the terms, best first; ties by part and position."""

    part: Places
    doc: Places
    score: Floats


class Held(NamedTuple):
    """The contribution of each query term to some documents."""

    score: Floats
    place: Places  #: a document, once for each term it contains, rarest first
    term: Places  #: that term


def prepared(terms: Sequence[str], parts: Sequence[SegmentTerms], corpus: Corpus) -> TermQuery:
    """Look up the terms in every part and count their frequency over all live documents."""
    hashed = hashes(terms)
    found = [spans(part.postings, hashed) for part in parts]
    containing = [0] * len(hashed)
    for part, places in zip(parts, found, strict=True):
        counts = _living(part, places)
        containing = [known + more for known, more in zip(containing, counts, strict=True)]
    idf = [_idf(corpus.total, count) for count in containing]
    rarest = sorted(range(len(idf)), key=lambda term: -idf[term])
    scans = [_Scan.of(*each, idf, rarest, corpus.average) for each in zip(parts, found, strict=True)]
    return TermQuery(corpus, hashed, containing, scans)


def best(question: TermQuery, depth: int) -> Words:
    """Return the `depth` highest scores among the allowed documents."""
    words = _NOTHING
    if depth <= 0 or not question.containing:
        return words
    sums = np.empty(max((len(scan.postings.lengths) for scan in question.scans), default=0))
    for number, scan in enumerate(question.scans):
        bar = float(words.score[-1]) if len(words.score) == depth else 0.0
        docs, scores = scan.above(bar, depth, sums)
        if len(docs):
            words = _leading(words, number, docs, scores, depth)
    return words


def held(question: TermQuery, number: int, docs: Places) -> Held:
    """Return the term contributions for the given documents of one part, in any order."""
    return question.scans[number].held(docs)


_NOTHING = Words(np.empty(0, np.intp), np.empty(0, np.intp), np.empty(0))


def _leading(words: Words, number: int, docs: Places, scores: Floats, depth: int) -> Words:
    """Merge the best so far with a later part, whose documents come in order and lose every tie."""
    score, part, doc = scores, np.full(len(docs), number), docs
    if len(words.doc):
        score = np.concatenate([words.score, score])
        part = np.concatenate([words.part, part])
        doc = np.concatenate([words.doc, doc])
    first = (-score).argsort(kind="stable")[:depth]
    return Words(part[first], doc[first], score[first])


def _summed(places: Places, numbers: Floats, size: int) -> Floats:
    return np.bincount(places, numbers, size).astype(np.float64, copy=False)


def _idf(total: int, containing: int) -> float:
    return max(log(max(total - containing + 0.5, 0.5) / (containing + 0.5)), _LEAST_IDF)


def _tokens(part: SegmentTerms) -> int:
    lengths = part.postings.lengths
    return int(lengths.sum(dtype=np.int64)) - int(lengths[part.dead].sum(dtype=np.int64))


def _living(part: SegmentTerms, spans: Sequence[tuple[int, int]]) -> list[int]:
    """Count the postings in each span that belong to live documents."""
    postings, dead, _ = part
    if not len(dead):
        return [end - begin for begin, end in spans]
    # For few postings, testing all is faster than looking up the dead documents.
    few = len(dead) * _LOOKUP_COST
    alive = part.alive if any(0 < end - begin <= few for begin, end in spans) else _NO_MASK
    return [
        end - begin - len(found_in(postings, begin, end, dead)[0])  # none in an empty span
        if end - begin > few
        else int(np.count_nonzero(alive[postings.docs[begin:end]]))
        for begin, end in spans
    ]


class _Scan(NamedTuple):
    """One part with the query terms it contains, rarest first."""

    postings: Postings
    admitted: Mask | None
    terms: list[int]
    spans: list[tuple[int, int]]
    idf: list[float]
    most: list[float]  #: the most that each term and all commoner ones can add together; 0 after the last
    average: float

    @classmethod
    def of(
        cls,
        part: SegmentTerms,
        spans: Sequence[tuple[int, int]],
        worth: Sequence[float],
        rarest: Sequence[int],
        average: float,
    ) -> _Scan:
        """Build a scan from a part and the spans and idf of every query term."""
        postings, dead, allowed = part
        terms = [term for term in rarest if spans[term][0] < spans[term][1]]
        idf = [worth[term] for term in terms]
        rest = list(accumulate(reversed(idf)))[::-1]
        most = [(K1 + 1.0) * (each + _SLACK * rest[0]) for each in rest]
        admitted = part.alive if allowed is None and len(dead) else allowed
        here = [spans[term] for term in terms]
        return cls(postings, admitted, terms, here, idf, [*most, 0.0], average)

    def held(self, docs: Places) -> Held:
        """Return the term contributions of each document, summed rarest first as in `above`."""
        wanted = docs.astype(np.uint16)
        places, postings = [_NOTHING.doc], [_NOTHING.doc]
        for begin, end in self.spans:
            span = self.postings.docs[begin:end]
            at = span.searchsorted(wanted)
            place = (span.take(at, mode="clip") == wanted).nonzero()[0]
            places.append(place)
            postings.append(at[place] + begin)
        place, sizes = np.concatenate(places), [len(some) for some in places[1:]]
        counts = counts_at(self.postings, np.concatenate(postings))
        gains = self._gain(np.array(self.idf).repeat(sizes), docs[place], counts)
        return Held(
            score=_summed(place, gains, len(docs)),
            place=place,
            term=np.array(self.terms, np.intp).repeat(sizes),
        )

    def size(self, term: int) -> int:
        begin, end = self.spans[term]
        return end - begin

    def above(self, bar: float, depth: int, sums: Floats) -> tuple[Places, Floats]:
        """Return allowed documents that score above the bar, in order, including all of the `depth` best.

        The bar is at least 0; `sums` is scratch space with one number per document.
        """
        opening = sum(most > bar for most in self.most[:-1])  # the terms that can still add documents
        sums = sums[: len(self.postings.lengths)]
        sums.fill(0.0)
        docs = self._few_admitted(opening)
        if docs is None:
            self._add_all(sums, 0, opening)
            bar = bar or self._reached(sums, depth)
            docs = self._met(sums, max(0.0, bar - self.most[opening]))
        else:
            opening = 0
        for term in range(opening, len(self.terms)):
            if not len(docs):
                break
            self._add(sums, term, docs)
            docs = docs[sums[docs] + self.most[term + 1] > bar]
        scores = sums[docs]
        passed = scores > bar
        return docs[passed], scores[passed]

    def _reached(self, sums: Floats, depth: int) -> float:
        """Return a score that at least `depth` allowed documents exceed, judged by a sample; 0 is always safe."""
        seen = sums[:_AT_ONCE]
        seen = seen[seen > 0.0 if self.admitted is None else (seen > 0.0) & self.admitted[:_AT_ONCE]]
        if len(seen) < depth:
            return 0.0
        return max(0.0, float(np.nextafter(np.partition(seen, -depth)[-depth], -1.0)))

    def _met(self, sums: Floats, floor: float) -> Places:
        """Return the allowed documents that score above the floor."""
        docs = (sums > floor).nonzero()[0]
        return docs if self.admitted is None else docs[self.admitted[docs]]

    def _few_admitted(self, opening: int) -> Places | None:
        """Return the allowed documents if looking each up is cheaper than adding the opening terms."""
        if self.admitted is None:
            return None
        lookups = int(np.count_nonzero(self.admitted)) * len(self.terms)
        postings = sum(map(self.size, range(opening)))
        return self.admitted.nonzero()[0] if lookups * _LOOKUP_COST < postings else None

    def _add(self, sums: Floats, term: int, docs: Places) -> None:
        """Add the contribution of a term, at least for these documents."""
        if len(docs) * _LOOKUP_COST < self.size(term):
            found, gains = self.gains(term, docs)
            sums[docs[found]] += gains
        else:
            self._add_all(sums, term, term + 1)

    def _add_all(self, sums: Floats, first: int, last: int) -> None:
        """Add the contributions of a range of terms to every document, one term at a time."""
        for batch in self._batches(first, last):
            docs = np.concatenate([self.postings.docs[begin:end] for _, begin, end in batch]).astype(np.intp)
            counts = np.concatenate([counts_of(self.postings, begin, end) for _, begin, end in batch])
            sizes = [end - begin for _, begin, end in batch]
            idf = np.array([self.idf[term] for term, *_ in batch]).repeat(sizes)
            np.add.at(sums, docs, self._gain(idf, docs, counts))

    def _batches(self, first: int, last: int) -> Iterator[list[tuple[int, int, int]]]:
        """Split postings into batches of (term, begin, end) that are added up together."""
        batch: list[tuple[int, int, int]] = []
        left = _AT_ONCE
        for term in range(first, last):
            begin, end = self.spans[term]
            while begin < end:
                until = min(end, begin + left)
                batch.append((term, begin, until))
                left -= until - begin
                begin = until
                if not left:
                    yield batch
                    batch, left = [], _AT_ONCE
        if batch:
            yield batch

    def gains(self, term: int, docs: Places) -> tuple[Places, Floats]:
        """Return the positions in `docs` that contain the term, and its contribution to each."""
        found, at = found_in(self.postings, *self.spans[term], docs)
        return found, self._gain(self.idf[term], docs[found], counts_at(self.postings, at))

    def _gain(self, idf: Floats | float, docs: Places, counts: NDArray[np.unsignedinteger]) -> Floats:
        gain = counts.astype(np.float64)
        below = self.postings.lengths.take(docs) * (K1 * B / self.average)
        below += K1 * (1.0 - B)
        below += gain
        gain *= K1 + 1.0
        gain *= idf
        gain /= below
        return gain
