"""The best documents by BM25 over segments of postings, with the scores that SQLite's bm25() gives.

The terms of a question are added up rarest first. A term can give a document at most idf * (k1 + 1), so as
soon as all commoner terms together could not lift a document above the worst of the best found so far, only
documents already met are followed further. Nothing is approximate: every way through the sums adds the same
numbers in the same order, so equal documents have equal scores and the lower place comes first.
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
_LEAST_IDF = 1e-6  #: of a term that half of the documents hold, or more
_SLACK = 1e-9  #: share of the highest possible score, far above what rounding can change
_AT_ONCE = 1 << 13  #: numbers in one step: arrays small enough for the caches, and never new to the process
_LOOKUP_COST = 5  #: finding one document among the postings takes as long as adding this many postings


_NO_MASK = np.empty(0, np.bool_)


class SegmentTerms(NamedTuple):
    """One segment as a question sees it."""

    postings: Postings
    #: The places of documents that count no more: in totals, frequencies and average length.
    dead: Places = np.empty(0, np.intp)
    allowed: Mask | None = None  #: which of the others may answer; None for all of them

    @property
    def alive(self) -> Mask:
        """Which documents count."""
        mask = np.ones(len(self.postings.lengths), np.bool_)
        mask[self.dead] = False
        return mask


class Corpus(NamedTuple):
    """What all living documents have in common; it holds until a document comes or goes."""

    total: int
    tokens: int

    @classmethod
    def of(cls, parts: Sequence[SegmentTerms]) -> Corpus:
        total = sum(len(part.postings.lengths) - len(part.dead) for part in parts)
        return cls(total, sum(map(_tokens, parts)))

    @property
    def average(self) -> float:
        """Terms per document; 1 where there are none, so that nothing is divided by zero."""
        return self.tokens / self.total if self.tokens else 1.0


class TermQuery(NamedTuple):
    """Distinct terms looked up once in every part; the columns keep the order of the terms."""

    corpus: Corpus
    hashes: NDArray[np.uint64]
    containing: list[int]  #: living documents that hold each term
    scans: list[_Scan]  #: one for each part


class Words(NamedTuple):
    """Documents with any of the terms, best first; equal scores by part and place."""

    part: Places
    doc: Places
    score: Floats


class Held(NamedTuple):
    """What the terms of a question are worth to some documents."""

    score: Floats
    place: Places  #: a document, once for each term that it holds, rarest terms first
    term: Places  #: that term


def prepared(terms: Sequence[str], parts: Sequence[SegmentTerms], corpus: Corpus) -> TermQuery:
    """The terms with their places in every part and their frequency over all living documents."""
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
    """The `depth` highest scores among the documents that may answer."""
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
    """Return what given documents of one part hold, in any order."""
    return question.scans[number].held(docs)


_NOTHING = Words(np.empty(0, np.intp), np.empty(0, np.intp), np.empty(0))


def _leading(words: Words, number: int, docs: Places, scores: Floats, depth: int) -> Words:
    """The best of those so far and of a later part, whose documents come in order and lose every tie."""
    score, part, doc = scores, np.full(len(docs), number), docs
    if len(words.doc):
        score = np.concatenate([words.score, score])
        part = np.concatenate([words.part, part])
        doc = np.concatenate([words.doc, doc])
    first = (-score).argsort(kind="stable")[:depth]
    return Words(part[first], doc[first], score[first])


def _summed(places: Places, numbers: Floats, size: int) -> Floats:
    """The numbers of each place, added in their order."""
    return np.bincount(places, numbers, size).astype(np.float64, copy=False)


def _idf(total: int, containing: int) -> float:
    return max(log(max(total - containing + 0.5, 0.5) / (containing + 0.5)), _LEAST_IDF)


def _tokens(part: SegmentTerms) -> int:
    lengths = part.postings.lengths
    return int(lengths.sum(dtype=np.int64)) - int(lengths[part.dead].sum(dtype=np.int64))


def _living(part: SegmentTerms, spans: Sequence[tuple[int, int]]) -> list[int]:
    """How many postings in each span belong to documents that live."""
    postings, dead, _ = part
    if not len(dead):
        return [end - begin for begin, end in spans]
    # So few postings are sooner all looked at than the dead looked up among them.
    few = len(dead) * _LOOKUP_COST
    alive = part.alive if any(0 < end - begin <= few for begin, end in spans) else _NO_MASK
    return [
        end - begin - len(found_in(postings, begin, end, dead)[0])  # never in an empty span
        if end - begin > few
        else int(np.count_nonzero(alive[postings.docs[begin:end]]))
        for begin, end in spans
    ]


class _Scan(NamedTuple):
    """One part with those terms of the question that it holds, rarest first."""

    postings: Postings
    admitted: Mask | None
    terms: list[int]
    spans: list[tuple[int, int]]
    idf: list[float]
    most: list[float]  #: what each term and all commoner ones can give together; 0 after the last
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
        """The part with the places and the idf of every term of a question."""
        postings, dead, allowed = part
        terms = [term for term in rarest if spans[term][0] < spans[term][1]]
        idf = [worth[term] for term in terms]
        rest = list(accumulate(reversed(idf)))[::-1]
        most = [(K1 + 1.0) * (each + _SLACK * rest[0]) for each in rest]
        admitted = part.alive if allowed is None and len(dead) else allowed
        here = [spans[term] for term in terms]
        return cls(postings, admitted, terms, here, idf, [*most, 0.0], average)

    def held(self, docs: Places) -> Held:
        """Return what each document holds; it is added up rarest first here too."""
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
        """Admitted documents, in order, that score more than the bar, all of the `depth` best among them.

        The bar is at least 0; `sums` is room for a number per document.
        """
        opening = sum(most > bar for most in self.most[:-1])  # the terms that new documents may come from
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
        """A score that at least `depth` admitted documents exceed, judged by the first few; 0 is always one."""
        seen = sums[:_AT_ONCE]
        seen = seen[seen > 0.0 if self.admitted is None else (seen > 0.0) & self.admitted[:_AT_ONCE]]
        if len(seen) < depth:
            return 0.0
        return max(0.0, float(np.nextafter(np.partition(seen, -depth)[-depth], -1.0)))

    def _met(self, sums: Floats, floor: float) -> Places:
        """The admitted documents with more than the floor."""
        docs = (sums > floor).nonzero()[0]
        return docs if self.admitted is None else docs[self.admitted[docs]]

    def _few_admitted(self, opening: int) -> Places | None:
        """The admitted documents, if looking each of them up is less work than adding the opening terms."""
        if self.admitted is None:
            return None
        lookups = int(np.count_nonzero(self.admitted)) * len(self.terms)
        postings = sum(map(self.size, range(opening)))
        return self.admitted.nonzero()[0] if lookups * _LOOKUP_COST < postings else None

    def _add(self, sums: Floats, term: int, docs: Places) -> None:
        """Add what a term gives, at least to these documents."""
        if len(docs) * _LOOKUP_COST < self.size(term):
            found, gains = self.gains(term, docs)
            sums[docs[found]] += gains
        else:
            self._add_all(sums, term, term + 1)

    def _add_all(self, sums: Floats, first: int, last: int) -> None:
        """Add what the terms give to every document, one term after the other."""
        for batch in self._batches(first, last):
            docs = np.concatenate([self.postings.docs[begin:end] for _, begin, end in batch]).astype(np.intp)
            counts = np.concatenate([counts_of(self.postings, begin, end) for _, begin, end in batch])
            sizes = [end - begin for _, begin, end in batch]
            idf = np.array([self.idf[term] for term, *_ in batch]).repeat(sizes)
            np.add.at(sums, docs, self._gain(idf, docs, counts))

    def _batches(self, first: int, last: int) -> Iterator[list[tuple[int, int, int]]]:
        """Stretches of postings, each as term, begin and end, so many at a time as are added up at once."""
        batch: list[tuple[int, int, int]] = []
        room = _AT_ONCE
        for term in range(first, last):
            begin, end = self.spans[term]
            while begin < end:
                until = min(end, begin + room)
                batch.append((term, begin, until))
                room -= until - begin
                begin = until
                if not room:
                    yield batch
                    batch, room = [], _AT_ONCE
        if batch:
            yield batch

    def gains(self, term: int, docs: Places) -> tuple[Places, Floats]:
        """Which of the documents hold the term, as places in `docs`, and what it gives to them."""
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
