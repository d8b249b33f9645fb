"""Run each kind of trial: what the agent does, and what is measured before and after."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import timedelta

from bench.learner import (
    ALL,
    LIVE,
    NOTHING,
    SHOWN,
    Habits,
    Learner,
    Rule,
    ranking,
    stored,
    worth,
)
from bench.measures import Figures, means
from bench.outcome_sets import Asked
from memory_layer.model.query import Hit
from memory_layer.model.vocabulary import Outcome, Status
from memory_layer.usecases.look_up.browse import list_memories, stats

PASSES = 5
MARKS = (1, 2, 5)
ELSEWHERE_PASSES = 10  #: of a single question each
BURST = 5  #: so many memories, so many times each
LATE_PASSES = 2
POPULAR_PASSES = 10

#: What was measured, after how many passes, on how many questions, before, after.
Found = tuple[str, int, int, Figures, Figures]


def curve(learner: Learner, rule: Rule, habits: Habits) -> Iterator[Found]:
    """Ask the questions again and again; measure on them, and on related ones that were never asked."""
    yield from honest(learner, rule, habits, MARKS)
    shown = learner.learn(rule, habits)
    yield "tokens", PASSES + 1, len(shown), {}, _tokens(learner, shown)


def honest(learner: Learner, rule: Rule, habits: Habits, marks: Sequence[int] = (PASSES,)) -> Iterator[Found]:
    """Ask the questions again and again, and measure only at the end."""
    before = _before(learner)
    for passes in range(1, PASSES + 1):
        in_use = _in_use(learner, learner.learn(rule, habits))
        yield "in use", passes, len(in_use), _precisions(means(before["same"])), means(in_use)
        if passes in marks:
            yield from _compared(passes, before, _both(learner, rule))
    yield "archived", PASSES, 1, {}, _archived(learner)


def elsewhere(learner: Learner, rule: Rule, habits: Habits) -> Iterator[Found]:
    """Reports under the one question about which the store is not; measured on all the others."""
    learner.case = learner.case.reversed()
    before = _before(learner)
    for _ in range(ELSEWHERE_PASSES):
        learner.learn(rule, habits)
    yield from _compared(ELSEWHERE_PASSES, before, _both(learner, rule))


def burst(learner: Learner, rule: Rule, habits: Habits, *, guarded: bool) -> Iterator[Found]:
    """Good memories are called failed again and again, in anger, or with evidence day after day."""
    for _ in range(PASSES):
        learner.learn(rule, habits)
    before = learner.worth(rule, learner.case.fresh)
    good = sorted({memory for asked in learner.case.fresh for memory in learner.relevant(asked)})
    if not good:
        return
    chance = random.Random(f"{learner.seed} burst")
    hit = chance.sample(good, min(BURST, len(good)))
    text = chance.choice(learner.case.asked).text
    learner.clock.time += timedelta(days=1)
    for time in range(BURST):
        for memory in hit:
            session = "burst" if guarded else f"burst {time}"
            learner.report(memory, Outcome.FAILED, text, proven=not guarded, session=session)
    after = learner.worth(rule, learner.case.fresh)
    yield "transfer", PASSES, len(after), means(before), means(after)


def late(learner: Learner, rule: Rule, habits: Habits) -> Iterator[Found]:
    """Memories that come when the others have been judged: their share of what is shown, and what is fair."""
    for _ in range(PASSES):
        learner.learn(rule, habits)
    learner.clock.time += timedelta(days=1)
    missing = {name: text for name, text in learner.case.texts.items() if name not in learner.stored}
    added = stored(learner.engine, learner.clock, missing, learner.seed, new=True)
    new = set(added.values()) - set(learner.stored.values())
    learner.stored |= added
    shares, fair = [], []
    for _ in range(LATE_PASSES):
        for asked, hits in learner.learn(rule, habits):
            plain = ranking(learner.engine, NOTHING, asked.text, SHOWN, peek=True, filters=ALL)
            fair.append(_share(plain, new))
            shares.append(_share(hits, new))
    yield "exposure", PASSES + LATE_PASSES, len(shares), means(fair), means(shares)


def popularity(learner: Learner, rule: Rule, habits: Habits) -> Iterator[Found]:
    """Measure how unevenly memories are shown, without reports and with them."""
    plain = [ranking(learner.engine, NOTHING, asked.text, SHOWN, peek=True) for asked in learner.case.asked]
    shown = [hits for _ in range(POPULAR_PASSES) for _, hits in learner.learn(rule, habits)]
    memories = len(set(learner.stored.values()))
    yield "popularity", POPULAR_PASSES, 1, _spread(plain, memories), _spread(shown, memories)


def _spread(answers: Sequence[Sequence[Hit]], memories: int) -> Figures:
    """The Gini coefficient of how often each was shown, and the share of the ten that were shown most."""
    shown = Counter(hit.memory.id for hits in answers for hit in hits)
    times = sorted([*shown.values(), *[0] * (memories - len(shown))])
    total = sum(times)
    if not total:
        return {"gini": 0.0, "ten": 0.0}
    ranked = sum(place * count for place, count in enumerate(times, start=1))
    return {
        "gini": (2 * ranked / total - memories - 1) / memories,
        "ten": sum(times[-10:]) / total,
    }


def _before(learner: Learner) -> dict[str, list[Figures]]:
    return {
        "same": learner.untouched(learner.case.asked),
        "transfer": learner.untouched(learner.case.fresh),
    }


def _both(learner: Learner, rule: Rule) -> dict[str, list[Figures]]:
    return {
        "same": learner.worth(rule, learner.case.asked),
        "transfer": learner.worth(rule, learner.case.fresh),
    }


def _compared(
    passes: int, before: dict[str, list[Figures]], after: dict[str, list[Figures]]
) -> Iterator[Found]:
    for measured, figures in before.items():
        if figures:
            yield measured, passes, len(figures), means(figures), means(after[measured])


def _in_use(learner: Learner, shown: Sequence[tuple[Asked, list[Hit]]]) -> list[Figures]:
    """Measure the answers that the agent was really given."""
    return [
        _precisions(worth([hit.memory.id for hit in hits], relevant))
        for asked, hits in shown
        if (relevant := learner.relevant(asked))
    ]


def _precisions(figures: Figures) -> Figures:
    """Without the mean over a ranking: five answers are not all of it."""
    return {name: value for name, value in figures.items() if name != "map"}


def _share(hits: Sequence[Hit], new: set[str]) -> Figures:
    return {"slots": sum(hit.memory.id in new for hit in hits) / SHOWN}


def _tokens(learner: Learner, shown: Sequence[tuple[Asked, list[Hit]]]) -> Figures:
    """Count the tokens of an answer's memories and of the whole store, as the store does."""
    ids = [tuple(hit.memory.id for hit in hits) for _, hits in shown if hits]
    counted = [stats(learner.engine, LIVE._replace(ids=one)).tokens_stored for one in ids]
    whole = stats(learner.engine, LIVE).tokens_stored
    return {"answer": sum(counted) / max(1, len(shown)), "whole": float(whole)}


def _archived(learner: Learner) -> Figures:
    """Count the memories that left the answers, and those of them that are good for a question."""
    gone = list_memories(learner.engine, LIVE._replace(statuses=(Status.ARCHIVED,)), limit=1000).items
    good = {memory for asked in learner.case.asked for memory in learner.relevant(asked)}
    return {"memories": float(len(gone)), "good": float(sum(memory.id in good for memory in gone))}
