"""Evidence for a memory on this query: outcomes weighted by how similar their queries were.

k = max(0, (cosine of the two queries - 0.4) / 0.6)
d = 0.5 ^ (age in days / 90)
worked adds k d to w, failed adds k d to f, partial adds half of it to both
g = (w - f) / (w + f + 1)
An outcome that nobody reported, but that was seen in a session, adds two thirds of this.

Reports for this very question also decide by themselves, in h:
s = k ^ 8
worked adds s d to w', failed adds s d to f', partial adds s d to p'
c = (w' - f') / max(w' + f', 2)
h = c - (1 - |c|) min(p', 2) / 8
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping
from typing import TypeVar

from memory_layer.model.outcome import Experience
from memory_layer.model.record import NamedTuple
from memory_layer.model.vocabulary import Outcome
from memory_layer.ranking.signals import PLAIN, Maths, Number

FLOOR = 0.4  #: questions less alike than this say nothing about each other
HIGHEST_FLOOR = 0.99  #: the same question always counts: its vector is stored in half precision
HALF_LIFE_DAYS = 90.0
UNKNOWN_QUERY_K = 0.3  #: an outcome given for no known question counts this much for every one

SAME_POWER = 8  #: of k: a report counts as one for this very question by k to this power
CLEAR_REPORTS = 2.0  #: so many agreeing reports for the same question settle it
PARTLY = 0.25  #: what partly helped gives way by at most this share, where clear reports have not decided
TAKEN_OVER = 0.99  #: of a score where reports have settled the question; relevance orders equals by the rest

LEAST_SCORE = 1e-12  #: nothing is divided by less

#: The share of an event that speaks for the memory; the rest speaks against it.
PRAISE = {Outcome.WORKED: 1.0, Outcome.PARTIAL: 0.5, Outcome.FAILED: 0.0}

Term = TypeVar("Term")


class WeighedOutcome(NamedTuple):
    """One outcome as it bears on the present query."""

    k: float  #: likeness of its question to the present one, 0..1
    age_days: float
    result: Outcome
    weight: float = 1.0  #: less for one that nobody reported


class Evidence(NamedTuple):
    """The weight for and against a memory."""

    worked: float = 0.0
    failed: float = 0.0
    reports: Experience = Experience()  #: those that say anything about the present question
    same_worked: float = 0.0  #: the part of it that was reported for this very question
    same_failed: float = 0.0
    same_partial: float = 0.0

    @property
    def g(self) -> float:
        """Return the verdict, between -1 and 1; 0 without evidence."""
        return verdict(self.worked, self.failed)

    @property
    def h(self) -> float:
        """Return the verdict of reports for this very question, between -1 and 1; 0 without any."""
        return same_verdict(self.same_worked, self.same_failed, self.same_partial)


NO_EVIDENCE = Evidence()


def kernel(maths: Maths[Number], cosine: Number, floor: float = FLOOR) -> Number:
    """Map a cosine to 0..1: 0 up to the floor, 1 for the same query, linear in between."""
    floor = min(floor, HIGHEST_FLOOR)
    return maths.at_most(maths.at_least((cosine - floor) / (1.0 - floor), 0.0), 1.0)


def shared_words(query: Collection[Term], other: Collection[Term], idf: Mapping[Term, float]) -> float:
    """Return k without vectors: the root of the cosine of two idf-weighted word sets."""
    ours, theirs = set(query), set(other)
    lengths = _squares(ours, idf) * _squares(theirs, idf)
    if lengths <= 0.0:
        return 0.0
    return min(1.0, math.sqrt(_squares(ours & theirs, idf) / math.sqrt(lengths)))


def fading(maths: Maths[Number], age_days: Number) -> Number:
    """Return 0.5 ^ (days / half-life); an event from the future counts as new."""
    return maths.exp(-maths.at_least(age_days, 0.0) * (math.log(2.0) / HALF_LIFE_DAYS))


def shares(maths: Maths[Number], k: Number, age_days: Number, praise: Number) -> tuple[Number, Number]:
    """Return what an event adds to the weight for, and to the weight against."""
    weight = k * fading(maths, age_days)
    return weight * praise, weight * (1.0 - praise)


def verdict(worked: Number, failed: Number) -> Number:
    """Return g = (w - f) / (w + f + 1)."""
    return (worked - failed) / (worked + failed + 1.0)


def same_verdict(worked: float, failed: float, partial: float) -> float:
    """Return h: c = (w' - f') / max(w' + f', 2), less (1 - |c|) min(p', 2) / 8."""
    clear = (worked - failed) / max(worked + failed, CLEAR_REPORTS)
    return clear - (1.0 - abs(clear)) * PARTLY * min(partial / CLEAR_REPORTS, 1.0)


def settled(maths: Maths[Number], h: Number, score: Number, top: float) -> Number:
    """Return the factor 1 - 0.99 |h| + 0.99 max(h, 0) x top / score.

    It leads from the score without such reports (h = 0) over to almost `top` (h = 1) or almost nothing (h = -1), so
    that two clear reports for the same question outweigh any difference in relevance.
    """
    praise = maths.at_least(h, 0.0)
    either = praise + praise - h
    return 1.0 - TAKEN_OVER * either + TAKEN_OVER * praise * top / maths.at_least(score, LEAST_SCORE)


def weighed(events: Iterable[WeighedOutcome]) -> Evidence:
    """Add up the events of one memory."""
    worked = failed = 0.0
    same = dict.fromkeys(Outcome, 0.0)
    reports = dict.fromkeys(Outcome, 0)
    seen = 0
    for event in events:
        pro, contra = shares(PLAIN, event.k, event.age_days, PRAISE[event.result])
        worked += pro * event.weight
        failed += contra * event.weight
        same[event.result] += event.weight * event.k**SAME_POWER * fading(PLAIN, event.age_days)
        reports[event.result] += event.k > 0.0
        seen += event.k > 0.0 and event.weight < 1.0
    counts = Experience(reports[Outcome.WORKED], reports[Outcome.PARTIAL], reports[Outcome.FAILED], seen)
    return Evidence(worked, failed, counts, same[Outcome.WORKED], same[Outcome.FAILED], same[Outcome.PARTIAL])


def _squares(terms: Iterable[Term], idf: Mapping[Term, float]) -> float:
    return sum(idf[term] ** 2 for term in terms)
