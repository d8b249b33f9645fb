"""Insights: what the reports of a time say about the memory."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime

from memory_layer.model.memory import Memory
from memory_layer.model.query import Reports
from memory_layer.model.record import NamedTuple
from memory_layer.model.vocabulary import Outcome, Source

FEWEST_REPORTS = 20  #: below it counts are told and no rates
MOST_REPORTS = 10_000  #: newest reports that are read, and newest recalls
MOST_QUESTIONS = 2_000  #: newest answered questions whose order is computed again


class Reported(NamedTuple):
    """A report that counts."""

    memory: str
    source: Source
    result: Outcome
    at: datetime
    recall: int | None  #: the row of the recall it names


class Asked(NamedTuple):
    """A question of an agent."""

    recall: int
    question: str
    at: datetime
    given: int  #: number of memories it was answered with


class GivenItem(NamedTuple):
    """A memory of an answer, with what its score was made of."""

    recall: int
    memory: str
    score: float
    signals: Mapping[str, float]
    ranker: str
    question: str
    at: datetime


class Funnel(NamedTuple):
    """The memories that got so far."""

    given: int
    used: int
    reported: int
    worked: int


class WeekOfReports(NamedTuple):
    """The reports of a week, and the questions that were answered well in it."""

    week: date  #: its Monday
    reports: Reports
    questions: int  #: with a report that a memory worked
    right: int  #: of these, the first memory was one that worked
    right_without: int  #: likewise, if experience had not changed the order


class ShareInterval(NamedTuple):
    """A share with its 95 % interval."""

    share: float
    low: float
    high: float


class SourceCounts(NamedTuple):
    """The reports of the memories of one source."""

    source: Source
    reports: Reports
    worked: ShareInterval | None  #: None below FEWEST_REPORTS reports in all


class MovedMemory(NamedTuple):
    """A memory that reports moved up or down among what was given for a question."""

    memory: Memory
    question: str
    before: int  #: its place without experience, from 1
    now: int
    reports: Reports


class InVain(NamedTuple):
    """A question that had no answer, or only answers that failed."""

    question: str
    times: int
    failed: int  #: how many of the reports about its answers say so
    at: datetime  #: when it was asked last


class Insights(NamedTuple):
    """The reports of some weeks, summed up."""

    weeks: int
    since: datetime
    asked: int
    reports: Reports
    enough: bool  #: whether there are enough reports for rates
    worked: float | None  #: share of the reports
    questions: int
    first: float | None  #: share of the questions whose first memory worked
    first_without: float | None
    weekly: tuple[WeekOfReports, ...]
    moved: tuple[MovedMemory, ...]
    by_source: tuple[SourceCounts, ...]
    in_vain: tuple[InVain, ...]
    funnel: Funnel
    limited: bool  #: only the newest MOST_REPORTS reports or recalls, or MOST_QUESTIONS questions, were read
    note: str
