"""Measure how much of a query a text contains: its rare words, and its words in sequence.

Terms are stemmed, without stop words, in the order of the text; they may be strings or hashes.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from types import MappingProxyType
from typing import Generic, TypeVar

from memory_layer.model.record import NamedTuple

Term = TypeVar("Term")

STRETCH = 20  #: so many terms stand close together, which is a long sentence or two short ones
APART = 0.5  #: what a term counts outside the best stretch: in a long text many words occur by chance
RELATED = 0.7  #: what another word for the same thing counts, compared with the term itself

_NO_TERMS: Mapping[str, str] = MappingProxyType({})


class QueryTerms(NamedTuple):
    """The terms of a query, and the terms that may stand for one of them in a text."""

    terms: tuple[str, ...]
    spellings: Mapping[str, str] = _NO_TERMS  #: another spelling, and the term it counts as
    related: Mapping[str, str] = (
        _NO_TERMS  #: another word for the same thing, and the term it partly counts as
    )

    @property
    def matched(self) -> tuple[str, ...]:
        """Return the terms that a text is found by."""
        return (*self.terms, *self.spellings)


def idf(total: int, containing: int) -> float:
    """Return ln((N + 1) / (n + 0.5)), never below 0; a term that no memory contains has n = 0."""
    return max(0.0, math.log((total + 1.0) / (containing + 0.5)))


def rare_words(total: int, containing: Iterable[int]) -> float:
    """Return how many words that no memory contains would weigh as much as words so frequent."""
    return math.fsum(idf(total, count) for count in containing) / (idf(total, 0) or 1.0)


def neighbouring(terms: Sequence[Term]) -> list[tuple[Term, Term]]:
    """Return the distinct pairs of different adjacent terms."""
    return list(dict.fromkeys(pair for pair in pairwise(terms) if pair[0] != pair[1]))


def full_phrase(known: int) -> int:
    """Return the number of adjacent pairs that make a full phrase of `known` terms."""
    return max(1, known - 1)


class QueryWords(NamedTuple, Generic[Term]):
    """A query prepared once, to be compared with hundreds of documents."""

    weights: Mapping[Term, float]
    terms: frozenset[Term]
    pairs: frozenset[tuple[Term, Term]]
    whole: float  #: idf of all terms
    full_phrase: int  #: pairs that make a full phrase
    spellings: Mapping[Term, Term]
    related: Mapping[Term, tuple[Term, float]]  #: the term a word stands for, and what it adds

    @classmethod
    def of(cls, query_terms: Sequence[Term], idf: Mapping[Term, float], known: int) -> QueryWords[Term]:
        """Prepare a query; `idf` names all of its terms, `known` is how many of them occur in the store."""
        weights = {term: idf[term] for term in query_terms}
        whole = math.fsum(weights.values())
        pairs = frozenset(neighbouring(query_terms))
        return cls(weights, frozenset(weights), pairs, whole, full_phrase(known), {}, {})

    @staticmethod
    def expanded(query: QueryTerms, total: int, frequency: Mapping[str, int]) -> QueryWords[str]:
        """Prepare a query with other spellings and related words, given the frequencies of all of them."""
        containing = frequencies_of(query, frequency)
        weights = {term: idf(total, count) for term, count in zip(query.terms, containing, strict=True)}
        words = QueryWords.of(query.terms, weights, known=sum(count > 0 for count in containing))
        related = {
            other: (term, RELATED * min(idf(total, frequency[other]), weights[term]))
            for other, term in query.related.items()
            if frequency.get(other)
        }
        return words._replace(spellings=query.spellings, related=related)

    def covering(self, document_terms: Sequence[Term], labels: Sequence[Term] = ()) -> tuple[float, float]:
        """Return coverage and phrase, also by other spellings and related words."""
        spelled = self.spellings
        if spelled:
            document_terms = [spelled.get(term, term) for term in document_terms]
            labels = [spelled.get(term, term) for term in labels]
        coverage, phrase = self.both(document_terms, labels)
        if self.related and self.whole > 0.0:
            present = {*document_terms, *labels}
            added: dict[Term, float] = {}
            for other in self.related.keys() & present:
                term, worth = self.related[other]
                if term not in present:
                    added[term] = max(worth, added.get(term, 0.0))
            coverage += math.fsum(added.values()) / self.whole
        return coverage, phrase

    def both(self, document_terms: Sequence[Term], labels: Sequence[Term] = ()) -> tuple[float, float]:
        """Return coverage and phrase; labels count for coverage, scattered terms count less.

        A document with fewer than two of the terms has no phrase and nothing scattered.
        """
        found = self.terms.intersection(document_terms)
        whole = self._covered(found | self.terms.intersection(labels))
        if len(found) < 2:
            return whole, 0.0
        if len(document_terms) <= STRETCH:
            # zip over a slice is measurably faster here than pairwise
            return whole, self._share_of_phrase(zip(document_terms, document_terms[1:]))  # noqa: B905, RUF007
        hits = [(at, term) for at, term in enumerate(document_terms) if term in found]
        side_by_side = ((left, right) for (at, left), (after, right) in pairwise(hits) if after == at + 1)
        return whole - (1.0 - APART) * self._scattered(found, hits), self._share_of_phrase(side_by_side)

    def _scattered(self, found: Iterable[Term], hits: Sequence[tuple[int, Term]]) -> float:
        """Return the weight of the terms found outside the best stretch."""
        if hits[-1][0] - hits[0][0] < STRETCH:
            return 0.0
        return self._covered(found) - max(map(self._covered, _stretches(hits)))

    def _share_of_phrase(self, pairs: Iterable[tuple[Term, Term]]) -> float:
        return min(1.0, len(self.pairs.intersection(pairs)) / self.full_phrase)

    def _covered(self, found: Iterable[Term]) -> float:
        if self.whole <= 0.0:
            return 0.0
        # an exact sum does not depend on the order a set happens to have
        return math.fsum([self.weights[term] for term in found]) / self.whole


def frequencies_of(query: QueryTerms, frequency: Mapping[str, int]) -> list[int]:
    """Return how many memories hold each term; an unknown one counts like its most frequent other spelling."""
    spelled: dict[str, int] = {}
    for spelling, term in query.spellings.items():
        spelled[term] = max(spelled.get(term, 0), frequency.get(spelling, 0))
    return [frequency.get(term, 0) or spelled.get(term, 0) for term in query.terms]


def _stretches(hits: Sequence[tuple[int, Term]]) -> Iterator[set[Term]]:
    """Yield the terms of each stretch that begins with a hit and reaches further than the one before."""
    end = 0
    for start, (at, _) in enumerate(hits):
        reached = end
        while end < len(hits) and hits[end][0] < at + STRETCH:
            end += 1
        if end > reached:
            yield {term for _, term in hits[start:end]}
