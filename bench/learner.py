"""An agent that asks a store, uses the first answers and reports what came of it, day after day."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from bench import stores
from bench.measures import Figures, average_precision, precision_at
from bench.outcome_sets import Asked, Case
from memory_layer.model.memory import Draft, Memory
from memory_layer.model.outcome import Judged
from memory_layer.model.query import Filters, Hit, Query
from memory_layer.model.vocabulary import OnDuplicate, Outcome, Status
from memory_layer.ports import Embedder, Engine
from memory_layer.usecases.learn.outcome import OutcomeReport, record_outcome
from memory_layer.usecases.recall.search import search
from memory_layer.usecases.remember.add import add
from memory_layer.wiring import open_engine

START = datetime(2026, 1, 1, 8, 0, tzinfo=UTC)
OLDEST_DAYS = 180
SHOWN = 5
USED_MOST = 3
DIGITS = "abcdefghijklmnopqrstuvwxyz234567"
#: Adding holds back what looks suspicious until a person has seen it; here everything counts.
LIVE = Filters(statuses=(Status.ACTIVE, Status.STAGED), expired=True, superseded=True)
ALL = LIVE._replace(statuses=tuple(Status))
COUNTS_STRENGTH = 0.6
EVIDENCE = "the label of the data"  #: a report that shows what it rests on is never held for mood


class Rule(NamedTuple):
    """A way to let reports change the order."""

    name: str
    ranker: str = "balanced"
    strength: float | None = None  #: None takes the shipped one
    likeness: float | None = None
    counts: bool = False  #: reordered here by the reports that each memory has had, whatever the question


NOTHING = Rule("no feedback", strength=0.0)
FIVE_SIGNAL = Rule("five-signal", ranker="five-signal")
COUNTS = Rule("evidence counts", strength=0.0, counts=True)
BALANCED = Rule("balanced")
RULES = (FIVE_SIGNAL, COUNTS, BALANCED)


class Habits(NamedTuple):
    """The habits of an agent's reports, and what the store makes of them."""

    strangers: str = "skip"  #: a used memory without a verdict for this question: skip it, or say it failed
    noise: float = 0.0  #: the share of reports that are wrong
    shuffled: bool = False  #: the verdicts of a question are dealt out among its memories
    blanket: bool = False  #: the verdict on the first is given to all that were shown
    proven: bool = False  #: every report names its evidence, so that no limit holds it back
    archiving: bool = True
    minutes: float = 30.0  #: between two questions of a session


class Clock:
    """Time that moves only when told to."""

    def __init__(self, time: datetime = START) -> None:
        self.time = time

    def __call__(self) -> datetime:
        return self.time


class Learner:
    """One store of a case in the hands of one agent."""

    def __init__(
        self,
        engine: Engine,
        clock: Clock,
        case: Case,
        stored: Mapping[str, str],
        seed: str,
        untouched: dict[str, Figures] | None = None,
    ) -> None:
        self.engine, self.clock, self.case, self.seed = engine, clock, case, seed
        self.stored = dict(stored)
        self.passes = 0
        self._untouched = {} if untouched is None else untouched

    def learn(self, rule: Rule, habits: Habits) -> list[tuple[Asked, list[Hit]]]:
        """One pass: each question once, in a session of its own, a day after the last; what was shown."""
        self.passes += 1
        self.clock.time = START + timedelta(days=self.passes)
        chance = random.Random(f"{self.seed} pass {self.passes}")
        shown = []
        for asked in chance.sample(self.case.asked, len(self.case.asked)):
            self.clock.time += timedelta(minutes=habits.minutes)
            hits = ranking(self.engine, rule, asked.text, SHOWN, peek=False)
            shown.append((asked, hits))
            verdicts = self.verdicts(asked, habits.shuffled)
            uses = chance.randint(1, USED_MOST)
            lucks = [chance.random() for _ in range(USED_MOST)]
            results = [
                reported(verdicts.get(hit.memory.id), habits, luck)
                for hit, luck in zip(hits[:uses], lucks, strict=False)
            ]
            if habits.blanket:
                results = results[:1] * len(hits)
            for hit, result in zip(hits, results, strict=False):
                if result is not None:
                    self.report(hit.memory.id, result, asked.text, proven=habits.proven)
        return shown

    def report(
        self, memory: str, result: Outcome, text: str, *, proven: bool = False, session: str | None = None
    ) -> Judged:
        writer = stores.WRITER._replace(session=session or f"day {self.passes}")
        report = OutcomeReport(result, query=text, evidence=EVIDENCE if proven else None)
        return record_outcome(self.engine, [memory], report, writer)[0]

    def verdicts(self, asked: Asked, shuffled: bool = False) -> dict[str, tuple[Outcome, ...]]:
        """Return the known outcomes of each stored memory for a question; equal texts share theirs."""
        found: dict[str, tuple[Outcome, ...]] = {}
        for name, results in asked.verdicts.items():
            if name in self.stored:
                found[self.stored[name]] = found.get(self.stored[name], ()) + results
        if shuffled:
            dealt = random.Random(f"{self.seed} {asked.id}").sample(list(found.values()), len(found))
            return dict(zip(found, dealt, strict=True))
        return found

    def relevant(self, asked: Asked) -> set[str]:
        return {self.stored[name] for name in asked.relevant if name in self.stored}

    def worth(self, rule: Rule, questions: Sequence[Asked]) -> list[Figures]:
        """The whole ranking of each question that has an answer, looked at without leaving a trace."""
        return [self._worth(rule, asked) for asked in questions if self.relevant(asked)]

    def untouched(self, questions: Sequence[Asked]) -> list[Figures]:
        """Measure before the first report; the learners of one store share the result."""
        answered = [asked for asked in questions if self.relevant(asked)]
        for asked in answered:
            if asked.id not in self._untouched:
                self._untouched[asked.id] = self._worth(BALANCED, asked)
        return [self._untouched[asked.id] for asked in answered]

    def _worth(self, rule: Rule, asked: Asked) -> Figures:
        hits = ranking(self.engine, rule, asked.text, max(SHOWN, len(self.stored)), peek=True)
        return worth([hit.memory.id for hit in hits], self.relevant(asked))


def worth(ids: Sequence[str], relevant: set[str]) -> Figures:
    return {
        "map": average_precision(ids, relevant),
        "p@1": precision_at(1, ids, relevant),
        "p@5": precision_at(5, ids, relevant),
    }


def ranking(
    engine: Engine, rule: Rule, text: str, limit: int, *, peek: bool, filters: Filters = LIVE
) -> list[Hit]:
    """Return the hits of the shipped search, best first; counts reorder all that are relevant."""
    if rule.strength is not None:
        engine = engine._replace(settings=engine.settings._replace(strength=rule.strength))
    if rule.likeness is not None:
        engine = engine._replace(settings=engine.settings._replace(likeness=rule.likeness))
    query = Query(text, filters=filters, ranker=rule.ranker, limit=limit, peek=peek, nearest=True)
    if not rule.counts:
        return list(search(engine, query, stores.WRITER).hits)
    everything = search(engine, query._replace(limit=1000, peek=True), stores.WRITER).hits
    return sorted(everything, key=lambda hit: -hit.score * (1 + COUNTS_STRENGTH * counted(hit.memory)))[
        :limit
    ]


def counted(memory: Memory) -> float:
    """(w - 1.5 f) / (w + 1.5 f + 2), w being the successes and a quarter of the partial ones."""
    worked, failed = memory.worked + 0.25 * memory.partial, 1.5 * memory.failed
    return (worked - failed) / (worked + failed + 2)


def reported(known: tuple[Outcome, ...] | None, habits: Habits, luck: float) -> Outcome | None:
    """Return the agent's report on a memory that it used; `luck` in 0..1 stands for chance."""
    if known is None:
        known = (Outcome.FAILED,) if habits.strangers == "fail" else ()
    if not known:
        return None
    if luck < habits.noise:
        return _wrong(known[0], luck / habits.noise)
    luck = (luck - habits.noise) / (1 - habits.noise)
    return known[int(luck * len(known))]


def _wrong(truth: Outcome, luck: float) -> Outcome:
    opposite = {Outcome.WORKED: Outcome.FAILED, Outcome.FAILED: Outcome.WORKED}
    return opposite.get(truth, Outcome.WORKED if luck < 0.5 else Outcome.FAILED)


@contextmanager
def opened(
    folder: Path, embedder: Embedder | None, clock: Clock, seed: str, *, archiving: bool = True
) -> Iterator[Engine]:
    """An engine on the store of a folder, with its own time and its own chance."""
    environ = stores.environment(folder, folder / "no-model")
    settings = stores.settings_of(environ, folder)
    if not archiving:
        settings = settings._replace(archive_below=None)
    with open_engine(settings, "python") as engine:
        fingerprint = embedder.fingerprint if embedder else None
        yield engine._replace(
            embedder=lambda: embedder, fingerprint=lambda: fingerprint, now=clock, new_id=drawn_ids(seed)
        )


def drawn_ids(seed: str) -> Callable[[str], str]:
    """Draw ids from a seed, so that ties are broken in the same way in every run."""
    chance = random.Random(seed)
    return lambda prefix: f"{prefix}_{''.join(chance.choices(DIGITS, k=26))}"


def stored(
    engine: Engine, clock: Clock, texts: Mapping[str, str], seed: str, *, new: bool = False
) -> dict[str, str]:
    """Add each text on a day of the last half year, or all of them now; under which id each is found."""
    chance = random.Random(f"{seed} ages")
    ages = {name: 0.0 if new else chance.uniform(0, OLDEST_DAYS) for name in texts}
    now, found = clock.time, {}
    for name in sorted(texts, key=lambda name: -ages[name]):
        clock.time = now - timedelta(days=ages[name])
        draft = Draft(content=texts[name], on_duplicate=OnDuplicate.KEEP, never_expires=True)
        found[name] = add(engine, draft, stores.WRITER).id
    clock.time = now
    return found


@contextmanager
def copied(base: Path, folder: Path) -> Iterator[Path]:
    """Copy a store, to go on with it in another way."""
    shutil.copytree(base, folder)
    try:
        yield folder
    finally:
        shutil.rmtree(folder)
