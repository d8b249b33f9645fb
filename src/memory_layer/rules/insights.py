"""Sum up reports: by week, by source, and the questions that nothing answered."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta

from memory_layer.errors import InvalidInput
from memory_layer.model.insights import (
    FEWEST_REPORTS,
    Asked,
    InVain,
    Reported,
    ShareInterval,
    SourceCounts,
    WeekOfReports,
)
from memory_layer.model.query import Reports
from memory_layer.model.vocabulary import Outcome, Source

Z = 1.959964  #: of a 95 % interval
NOTE = (
    "Without experience means: the same memories of the same answers, ordered by relevance alone."
    " A memory that was not given cannot win, so the difference is a lower bound of what reports changed."
)


def monday_of(day: date) -> date:
    """Return the Monday of a day's week."""
    return day - timedelta(days=day.weekday())


def week_of(at: datetime) -> date:
    """Return the Monday of a time's week."""
    return monday_of(at.astimezone(UTC).date())


def weeks_until(now: datetime, weeks: int, most: int) -> list[date]:
    """Return the Mondays of so many weeks, the last being the current one; refuse more than `most`."""
    if not 1 <= weeks <= most:
        raise InvalidInput(f"weeks must be from 1 to {most}, not {weeks}")
    last = week_of(now)
    return [last - timedelta(weeks=back) for back in reversed(range(weeks))]


def counts_of(results: Iterable[Outcome]) -> Reports:
    """Count results."""
    found = Counter(results)
    return Reports(found[Outcome.WORKED], found[Outcome.PARTIAL], found[Outcome.FAILED])


def share_of(part: int, total: int) -> ShareInterval | None:
    """Return a share with its Wilson interval; None of nothing."""
    if not total:
        return None
    share, square = part / total, Z * Z
    middle = (share + square / (2 * total)) / (1 + square / total)
    half = Z * math.sqrt(share * (1 - share) / total + square / (4 * total * total)) / (1 + square / total)
    return ShareInterval(share, max(0.0, middle - half), min(1.0, middle + half))


def rate(part: int, total: int, *, enough: bool) -> float | None:
    """Return a share, or None where there are too few reports to tell one."""
    return part / total if enough and total else None


class AnsweredQuestion:
    """An answer of which at least one memory worked."""

    def __init__(self, at: datetime, order: Sequence[str], without: Sequence[str], worked: set[str]) -> None:
        self.week = week_of(at)
        self.right = order[0] in worked
        self.right_without = without[0] in worked


def by_week(
    weeks: Sequence[date], reports: Iterable[Reported], questions: Iterable[AnsweredQuestion]
) -> tuple[WeekOfReports, ...]:
    """Return every week, also one without reports."""
    results: dict[date, list[Outcome]] = defaultdict(list)
    for report in reports:
        results[week_of(report.at)].append(report.result)
    answered: dict[date, list[AnsweredQuestion]] = defaultdict(list)
    for question in questions:
        answered[question.week].append(question)
    return tuple(
        WeekOfReports(
            week,
            counts_of(results[week]),
            len(answered[week]),
            sum(each.right for each in answered[week]),
            sum(each.right_without for each in answered[week]),
        )
        for week in weeks
    )


def by_source(reports: Sequence[Reported]) -> tuple[SourceCounts, ...]:
    """Return the sources with reports, the one that works most often first."""
    results: dict[Source, list[Outcome]] = defaultdict(list)
    for report in reports:
        results[report.source].append(report.result)
    enough = len(reports) >= FEWEST_REPORTS
    listed = [(source, counts_of(found)) for source, found in results.items()]
    listed.sort(key=lambda each: (-each[1].worked / each[1].total, -each[1].total, each[0]))
    return tuple(
        SourceCounts(source, counts, share_of(counts.worked, counts.total) if enough else None)
        for source, counts in listed
    )


def in_vain(
    asked: Sequence[Asked], results: Mapping[int, Sequence[Outcome]], most: int
) -> tuple[InVain, ...]:
    """Return the questions whose last answer was empty, or failed whenever it was reported; most frequent first."""
    groups: dict[str, list[Asked]] = defaultdict(list)
    for each in asked:
        groups[" ".join(each.question.casefold().split())].append(each)
    found = []
    for group in groups.values():
        last = max(group, key=lambda each: (each.at, each.recall))
        said = [result for each in group for result in results.get(each.recall, ())]
        failed = sum(result is Outcome.FAILED for result in said)
        if not last.given or (said and failed == len(said)):
            found.append(InVain(last.question, len(group), failed, last.at))
    found.sort(key=lambda each: (-each.times, -each.at.timestamp()))
    return tuple(found[:most])
