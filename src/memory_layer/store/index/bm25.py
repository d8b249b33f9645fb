"""The best documents by BM25 over segments of postings, with the scores that SQLite's bm25() gives.

The terms of a question are added up rarest first. A term can give a document at most idf * (k1 + 1), so as
soon as all commoner terms together could not lift a document above the worst of the best found so far, only
documents already met are followed further. Nothing is approximate: every way through the sums adds the same
numbers in the same order, so equal documents have equal scores and the lower place comes first.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from memory_layer.store.index.postings import MANY, Postings, hashes

Floats = NDArray[np.float64]
Places = NDArray[np.intp]

K1 = 1.2
B = 0.75
_LEAST_IDF = 1e-6  #: of a term that half of the documents hold, or more
_SLACK = 1.0 + 1e-9  #: covers the rounding of a sum of bounds
_AT_ONCE = 1 << 17  #: postings added up in one step, so that memory stays bounded
_LOOKUP_COST = 5  #: finding one document among the postings takes as long as adding this many postings


class Part(NamedTuple):
    """One segment as a question sees it; None stands for all documents."""

    postings: Postings
    alive: NDArray[np.bool_] | None = None  #: those that count in totals, frequencies and average length
    allowed: NDArray[np.bool_] | None = None  #: which of the living may answer


class Corpus(NamedTuple):
    """What all living documents have in common; it holds until a document comes or goes."""

    total: int
    tokens: int

    @classmethod
    def of(cls, parts: Sequence[Part]) -> Corpus:
        lengths = [
            part.postings.lengths if part.alive is None else part.postings.lengths[part.alive]
            for part in parts
        ]
        return cls(sum(map(len, lengths)), sum(int(each.sum(dtype=np.int64)) for each in lengths))

    @property
    def average(self) -> float:
        """Terms per document; 1 where there are none, so that nothing is divided by zero."""
        return self.tokens / self.total if self.tokens else 1.0


class Question(NamedTuple):
    """Distinct terms looked up once in every part; the columns keep the order of the terms."""

    corpus: Corpus
    containing: NDArray[np.int64]  #: living documents that hold each term
    idf: Floats
    spans: tuple[NDArray[np.int64], ...]  #: for each part (2, terms): first posting, one past the last
    order: Places  #: the terms, rarest first


class Words(NamedTuple):
    """Documents with any of the terms, best first; equal scores by part and place."""

    part: Places
    doc: Places
    score: Floats
    coverage: Floats  #: weights of the terms it holds, added up


def prepared(terms: Sequence[str], parts: Sequence[Part], corpus: Corpus) -> Question:
    """The terms with their places in every part and their frequency over all living documents."""
    hashed = hashes(terms)
    spans = tuple(_spans(part.postings, hashed) for part in parts)
    containing = np.zeros(len(hashed), dtype=np.int64)
    for part, (begins, ends) in zip(parts, spans, strict=True):
        containing += ends - begins
        if part.alive is not None:
            containing -= _dead(part.postings, part.alive, begins, ends)
    odds = np.maximum(corpus.total - containing + 0.5, 0.5) / (containing + 0.5)
    idf = np.maximum(np.log(odds), _LEAST_IDF)
    return Question(corpus, containing, idf, spans, np.argsort(-idf, kind="stable"))


def best(question: Question, parts: Sequence[Part], depth: int, weights: Floats) -> Words:
    """The `depth` highest scores among the documents that may answer; `weights` has one for each term."""
    words = _NOTHING
    if depth <= 0 or not len(question.order):
        return words
    for number in range(len(parts)):
        bar = float(words.score[-1]) if len(words.score) == depth else 0.0
        docs, scores = _Scan.of(question, parts, number).above(bar)
        if len(docs):
            words = _leading(words, number, docs, scores, depth)
    coverage = np.zeros(len(words.doc))
    for number in np.unique(words.part).tolist():
        mine = np.flatnonzero(words.part == number)
        coverage[mine] = scores_of(question, parts, number, words.doc[mine], weights)[1]
    return words._replace(coverage=coverage)


def scores_of(
    question: Question, parts: Sequence[Part], number: int, docs: Places, weights: Floats
) -> tuple[Floats, Floats]:
    """BM25 and the weights of the terms found, for documents of one part, in any order."""
    scan = _Scan.of(question, parts, number)
    score, coverage = np.zeros(len(docs)), np.zeros(len(docs))
    for term, weight in enumerate(weights[question.order].tolist()):
        if scan.size(term):
            found, gains = scan.gains(term, docs)
            score[found] += gains
            coverage[found] += weight
    return score, coverage


_NOTHING = Words(np.empty(0, np.intp), np.empty(0, np.intp), np.empty(0), np.empty(0))


def _leading(words: Words, number: int, docs: Places, scores: Floats, depth: int) -> Words:
    """The best of those so far and of a later part, whose documents come in order and lose every tie."""
    score = np.concatenate([words.score, scores])
    part = np.concatenate([words.part, np.full(len(docs), number)])
    doc = np.concatenate([words.doc, docs])
    if len(score) > depth:
        among = np.flatnonzero(score >= np.partition(score, -depth)[-depth])
    else:
        among = np.arange(len(score))
    first = among[np.argsort(-score[among], kind="stable")[:depth]]
    return Words(part[first], doc[first], score[first], words.coverage)


def _spans(postings: Postings, hashed: NDArray[np.uint64]) -> NDArray[np.int64]:
    """First posting and one past the last of each term; twice the same for a term nobody holds."""
    spans = np.zeros((2, len(hashed)), dtype=np.int64)
    if len(postings.terms):
        at = np.minimum(np.searchsorted(postings.terms, hashed), len(postings.terms) - 1)
        known = np.flatnonzero(postings.terms[at] == hashed)
        spans[:, known] = postings.starts[at[known]], postings.starts[at[known] + 1]
    return spans


def _dead(
    postings: Postings, alive: NDArray[np.bool_], begins: NDArray[np.int64], ends: NDArray[np.int64]
) -> NDArray[np.int64]:
    """How many postings of each term belong to documents that do not live."""
    dead = np.flatnonzero(~alive)
    numbers = [
        len(_found(postings, begin, end, dead)[0])
        if len(dead) * _LOOKUP_COST < end - begin
        else int(end - begin - np.count_nonzero(alive[postings.docs[begin:end]]))
        for begin, end in zip(begins.tolist(), ends.tolist(), strict=True)
    ]
    return np.array(numbers, dtype=np.int64)


def _found(postings: Postings, begin: int, end: int, docs: Places) -> tuple[Places, Places]:
    """Which of the documents have a posting in the span, as places in `docs`, and which posting."""
    span = postings.docs[begin:end]
    if not len(span):
        return _NOTHING.doc, _NOTHING.doc
    at = np.searchsorted(span, docs.astype(np.uint16))
    found = np.flatnonzero(span.take(at, mode="clip") == docs)
    return found, at[found] + begin


class _Scan(NamedTuple):
    """One part with the terms of the question, rarest first."""

    postings: Postings
    admitted: NDArray[np.bool_] | None
    begins: list[int]
    ends: list[int]
    idf: Floats
    most: list[float]  #: what each term and all commoner ones can give together; 0 after the last
    average: float

    @classmethod
    def of(cls, question: Question, parts: Sequence[Part], number: int) -> _Scan:
        postings, alive, allowed = parts[number]
        begins, ends = question.spans[number][:, question.order].tolist()
        idf = question.idf[question.order]
        most = np.cumsum(np.append(0.0, idf[::-1]))[::-1] * ((K1 + 1.0) * _SLACK)
        admitted = allowed if alive is None else alive if allowed is None else alive & allowed
        return cls(postings, admitted, begins, ends, idf, most.tolist(), question.corpus.average)

    def size(self, term: int) -> int:
        return self.ends[term] - self.begins[term]

    def above(self, bar: float) -> tuple[Places, Floats]:
        """The admitted documents, in order, that score more than the bar, which is at least 0."""
        sums = np.zeros(len(self.postings.lengths))
        opening = sum(most > bar for most in self.most[:-1])  # the terms that new documents may come from
        docs = self._few_admitted(sum(map(self.size, range(opening))))
        if docs is None:
            self._add_all(sums, 0, opening)
            docs = np.flatnonzero(sums > max(0.0, bar - self.most[opening]))
            if self.admitted is not None:
                docs = docs[self.admitted[docs]]
        else:
            opening = 0
        for term in range(opening, len(self.idf)):
            self._add(sums, term, docs)
            docs = docs[sums[docs] + self.most[term + 1] > bar]
        scores = sums[docs]
        passed = np.flatnonzero(scores > bar)
        return docs[passed], scores[passed]

    def _few_admitted(self, postings: int) -> Places | None:
        """The admitted documents if looking each of them up is less work than adding so many postings."""
        if self.admitted is None:
            return None
        number = int(np.count_nonzero(self.admitted)) * len(self.idf)
        return np.flatnonzero(self.admitted) if number * _LOOKUP_COST < postings else None

    def _add(self, sums: Floats, term: int, docs: Places) -> None:
        """Add what a term gives, at least to these documents."""
        if len(docs) * _LOOKUP_COST < self.size(term):
            found, gains = self.gains(term, docs)
            sums[docs[found]] += gains
        else:
            self._add_all(sums, term, term + 1)

    def _add_all(self, sums: Floats, first: int, last: int) -> None:
        """Add what the terms give to every document, some terms at a time."""
        while first < last:
            end, postings = first + 1, self.size(first)
            while end < last and postings + self.size(end) <= _AT_ONCE:
                postings += self.size(end)
                end += 1
            if postings:
                spans = list(zip(self.begins[first:end], self.ends[first:end], strict=True))
                docs = np.concatenate([self.postings.docs[slice(*span)] for span in spans]).astype(np.intp)
                counts = np.concatenate([_counts(self.postings, *span) for span in spans])
                idf = np.repeat(self.idf[first:end], [stop - start for start, stop in spans])
                np.add.at(sums, docs, self._gain(idf, docs, counts))
            first = end

    def gains(self, term: int, docs: Places) -> tuple[Places, Floats]:
        """Which of the documents hold the term, as places in `docs`, and what it gives to them."""
        found, at = _found(self.postings, self.begins[term], self.ends[term], docs)
        return found, self._gain(self.idf[term], docs[found], _counts_at(self.postings, at))

    def _gain(self, idf: Floats | np.float64, docs: Places, counts: NDArray[np.unsignedinteger]) -> Floats:
        gain = counts.astype(np.float64)
        below = self.postings.lengths.take(docs) * (K1 * B / self.average)
        below += K1 * (1.0 - B)
        below += gain
        gain *= K1 + 1.0
        gain *= idf
        gain /= below
        return gain


def _counts(postings: Postings, begin: int, end: int) -> NDArray[np.unsignedinteger]:
    """The true occurrences of a span of postings."""
    counts = postings.counts[begin:end]
    first, last = np.searchsorted(postings.many, [begin, end]) if len(postings.many) else (0, 0)
    if first == last:
        return counts
    true = counts.astype(np.uint32)
    true[postings.many[first:last] - begin] = postings.many_counts[first:last]
    return true


def _counts_at(postings: Postings, at: Places) -> NDArray[np.unsignedinteger]:
    """The true occurrences of single postings."""
    counts = postings.counts[at]
    full = np.flatnonzero(counts == MANY) if len(postings.many) else ()
    if not len(full):
        return counts
    true = counts.astype(np.uint32)
    true[full] = postings.many_counts[np.searchsorted(postings.many, at[full])]
    return true
