"""Sum up what the reports of some weeks say: whether the first memory is the right one, and what is missing."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, time
from itertools import groupby

from memory_layer.model.insights import (
    FEWEST_REPORTS,
    MOST_QUESTIONS,
    MOST_REPORTS,
    GivenItem,
    Insights,
    MovedMemory,
    Reported,
)
from memory_layer.model.query import Filters
from memory_layer.model.vocabulary import Outcome
from memory_layer.ports import Engine
from memory_layer.ranking.without import without_experience
from memory_layer.rules import insights as rules
from memory_layer.usecases.govern.visibility import shown

MOST_WEEKS = 104
MOST_LISTED = 8  #: memories that moved, and questions in vain


class Placed:
    """An answer: its order as it was given, and as it would have been without experience."""

    def __init__(self, items: Sequence[GivenItem], strength: float) -> None:
        self.items = items
        self.order = [each.memory for each in items]
        scores = [without_experience(each.ranker, each.score, each.signals, strength) for each in items]
        self.without = [self.order[place] for place in sorted(range(len(items)), key=lambda at: -scores[at])]


def insights(engine: Engine, filters: Filters, weeks: int) -> Insights:
    """Return what the reports of the last weeks say; reading costs the same whatever the store holds."""
    mondays = rules.weeks_until(engine.now(), weeks, MOST_WEEKS)
    since = datetime.combine(mondays[0], time(), UTC)
    rows = engine.store.insights
    with engine.store.reading():
        reports = rows.reports(filters, since, MOST_REPORTS)
        asked = rows.asked(filters, since, MOST_REPORTS)
        funnel = rows.funnel(filters, since, MOST_REPORTS)
        results = _by_recall(reports)
        answers = _answers(engine, list(results))
        moved = _moved(engine, answers, reports)
    questions = [
        rules.AnsweredQuestion(placed.items[0].at, placed.order, placed.without, worked)
        for recall, placed in answers.items()
        if (worked := {each.memory for each in results[recall] if each.result is Outcome.WORKED})
    ]
    enough = len(reports) >= FEWEST_REPORTS
    counts = rules.counts_of(each.result for each in reports)
    right = sum(each.right for each in questions)
    right_without = sum(each.right_without for each in questions)
    told = {recall: [each.result for each in about] for recall, about in results.items()}
    found = Insights(
        weeks=weeks,
        since=since,
        asked=len(asked),
        reports=counts,
        enough=enough,
        worked=rules.rate(counts.worked, counts.total, enough=enough),
        questions=len(questions),
        first=rules.rate(right, len(questions), enough=enough),
        first_without=rules.rate(right_without, len(questions), enough=enough),
        weekly=rules.by_week(mondays, reports, questions),
        moved=moved,
        by_source=rules.by_source(reports),
        in_vain=rules.in_vain(asked, told, MOST_LISTED),
        funnel=funnel,
        limited=max(len(reports), len(asked)) >= MOST_REPORTS or len(results) > MOST_QUESTIONS,
        note=rules.NOTE,
    )
    return shown(engine, found)


def _by_recall(reports: Iterable[Reported]) -> dict[int, list[Reported]]:
    """Return the reports that name a recall, by it; the newest first."""
    found: dict[int, list[Reported]] = defaultdict(list)
    for report in reports:
        if report.recall is not None:
            found[report.recall].append(report)
    return found


def _answers(engine: Engine, recalls: Sequence[int]) -> dict[int, Placed]:
    items = engine.store.insights.given(sorted(recalls, reverse=True)[:MOST_QUESTIONS])
    strength = engine.settings.strength
    grouped = groupby(items, key=lambda each: each.recall)
    return {recall: Placed(list(own), strength) for recall, own in grouped}


def _moved(
    engine: Engine, answers: Mapping[int, Placed], reports: Iterable[Reported]
) -> tuple[MovedMemory, ...]:
    """Return the memories that reports moved furthest, each in the newest answer where they did."""
    results: dict[str, list[Outcome]] = defaultdict(list)
    for report in reports:
        results[report.memory].append(report.result)
    places: dict[str, tuple[str, int, int]] = {}
    for placed in answers.values():
        for now, memory in enumerate(placed.order, 1):
            before = placed.without.index(memory) + 1
            if before != now and memory in results and memory not in places:
                places[memory] = placed.items[0].question, before, now
    furthest = sorted(
        places.items(),
        key=lambda each: (-abs(each[1][1] - each[1][2]), -len(results[each[0]]), each[0]),
    )[:MOST_LISTED]
    memories = {memory.id: memory for memory in engine.store.memories.get([each for each, _ in furthest])}
    return tuple(
        MovedMemory(memories[each], *place, rules.counts_of(results[each]))
        for each, place in furthest
        if each in memories
    )
