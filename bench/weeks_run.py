"""Twelve weeks of one invented project: what is stored and asked when, and an agent that reports how it went."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from bench.project_store import Desk
from bench.weeks_project import AREAS, FACTS
from memory_layer.doors.python import Memories
from memory_layer.model.vocabulary import Outcome
from memory_layer.text.tokens import estimate

WEEKS = 12
FIRST_FACTS = 12  #: facts of the first week; the others follow, three a week
QUESTIONS, TASKS = 30, 6  #: a week
CHANGES = 2  #: facts that change in each week from the third on: one with a link, one without
NEVER = 2  #: the value that was never right
SHARE_WRONG, SHARE_REPEATED = 0.35, 0.4  #: facts with a wrong note, and facts that are noted twice
SHARE_PLAIN = 0.5  #: questions with words of the notes
SHARE_PERSON, SHARE_PARTIAL = 0.4, 0.2
MOST_USED = 2  #: memories that the agent tries for one question or task
STEP = timedelta(minutes=20)


class Note(NamedTuple):
    """A memory to store: a fact with one of its values, in one of its wordings."""

    fact: int
    value: int
    wording: int
    by: str
    replaces: bool = False  #: whether it is linked to the notes of the value before

    @property
    def text(self) -> str:
        fact = FACTS[self.fact]
        return fact.statements[self.wording].format(fact.values[self.value])


class Week(NamedTuple):
    """The events of one week."""

    notes: tuple[Note, ...]
    changed: frozenset[int]  #: facts whose second value holds from now on
    questions: tuple[tuple[int, str], ...]  #: a fact, and the words of the question
    tasks: tuple[tuple[str, str], ...]  #: an area, and the words of the task


def plan(seed: int, weeks: int = WEEKS) -> list[Week]:
    """Draw what is stored, changed and asked; nothing depends on any answer."""
    draw = random.Random(seed)
    order = draw.sample(range(len(FACTS)), len(FACTS))
    popularity = {fact: 1 / (place + 1) ** 0.7 for place, fact in enumerate(draw.sample(order, len(order)))}
    late: dict[int, list[Note]] = {}
    known: list[int] = []
    changed: set[int] = set()
    planned = []
    for week in range(weeks):
        new = order[:FIRST_FACTS] if week == 0 else order[FIRST_FACTS + 3 * (week - 1) :][:3]
        changing = draw.sample(sorted(set(known) - changed), CHANGES) if week >= 2 else []
        notes = [_note(draw, fact, 0) for fact in new]
        _add_late(draw, late, week, new)
        notes += [note for note in late.get(week, ()) if note.fact not in changed]
        notes += [_note(draw, fact, 1, replaces=place % 2 == 0) for place, fact in enumerate(changing)]
        known += new
        changed |= set(changing)
        planned.append(_week(draw, notes, changing, known, [popularity[fact] for fact in known]))
    return planned


def _add_late(draw: random.Random, late: dict[int, list[Note]], week: int, facts: Iterable[int]) -> None:
    """Draw the wrong notes and the repetitions that follow some facts, this week or later."""
    for fact in facts:
        if draw.random() < SHARE_WRONG:
            wrong = _note(draw, fact, NEVER)._replace(by="agent")
            late.setdefault(week + draw.randrange(2), []).append(wrong)
        if draw.random() < SHARE_REPEATED:
            late.setdefault(week + draw.randrange(1, 5), []).append(_note(draw, fact, 0))


def _week(
    draw: random.Random,
    notes: Sequence[Note],
    changing: Sequence[int],
    known: Sequence[int],
    weights: Sequence[float],
) -> Week:
    asked = draw.choices(known, weights, k=QUESTIONS)
    areas = [FACTS[fact].area for fact in draw.choices(known, weights, k=TASKS)]
    return Week(
        tuple(notes),
        frozenset(changing),
        tuple((fact, _question(draw, fact)) for fact in asked),
        tuple((area, draw.choice(AREAS[area].tasks)) for area in areas),
    )


def _note(draw: random.Random, fact: int, value: int, *, replaces: bool = False) -> Note:
    by = "person" if draw.random() < SHARE_PERSON else "agent"
    return Note(fact, value, draw.randrange(2), by, replaces)


def _question(draw: random.Random, fact: int) -> str:
    plain, *others = FACTS[fact].questions
    return plain if draw.random() < SHARE_PLAIN else draw.choice(others)


class Simulation:
    """One run of the weeks in one store, with or without reports."""

    def __init__(self, desk: Desk, start: datetime, *, reports: bool, false_share: float, seed: int) -> None:
        self._desk = desk
        self._start = start
        self._reports = reports
        self._false_share = false_share
        self._chance = random.Random(seed + 1)
        self._notes: dict[str, Note] = {}
        self._current = dict.fromkeys(range(len(FACTS)), 0)
        self._failed: set[str] = set()  #: wrong memories that failed the agent, reported or not
        self._written = 0  #: tokens of everything noted so far

    def run(self, weeks: Sequence[Week]) -> list[Counter[str]]:
        """Live through the weeks; return what each counted."""
        return [self._week(number, week) for number, week in enumerate(weeks)]

    def _week(self, number: int, week: Week) -> Counter[str]:
        self._desk.clock.time = self._start + timedelta(weeks=number)
        for fact in week.changed:
            self._current[fact] = 1
        for note in week.notes:
            self._store(note)
            self._desk.clock.time += STEP
        counts = Counter(notes_tokens=self._written, memories=len(self._notes))
        counts += self._begin(number)
        for place, (fact, text) in enumerate(week.questions):
            counts += self._ask(self._session(f"week {number} question {place}"), fact, text)
        for place, (area, text) in enumerate(week.tasks):
            counts += self._work(self._session(f"week {number} task {place}"), area, text)
        self._desk.clock.time = self._start + timedelta(weeks=number, days=6)
        self._desk.memories("person").consolidate()
        return counts

    def _session(self, name: str) -> Memories:
        self._desk.clock.time += STEP
        return self._desk.memories(session=name)

    def _store(self, note: Note) -> None:
        fact = FACTS[note.fact]
        added = self._desk.memories(note.by).add(note.text, category=fact.category, on_duplicate="keep")
        if added.status == "staged":
            self._desk.approve(added.id)
        if note.replaces:
            old = [
                each for each, known in self._notes.items() if known.fact == note.fact and known.value == 0
            ]
            for memory_id in old:
                self._desk.memories("person").link(added.id, "supersedes", memory_id)
        self._notes[added.id] = note
        self._written += estimate(note.text)

    def _begin(self, number: int) -> Counter[str]:
        """Begin a session without a task."""
        given = self._session(f"week {number} start").context(start=True)
        return Counter(start_tokens=given.tokens)

    def _ask(self, memories: Memories, fact: int, text: str) -> Counter[str]:
        found = memories.search(text)
        given = [hit.memory.id for hit in found.hits]
        subject = [each for each in given if self._is_about(each, {fact})]
        counts = self._counted("search", given, subject)
        counts += Counter(
            search_first=bool(given) and given[0] in subject and self._holds(given[0]),
            search_tokens=sum(estimate(hit.memory.content) for hit in found.hits),
        )
        self._use(memories, subject, found.recall)
        return counts

    def _work(self, memories: Memories, area: str, text: str) -> Counter[str]:
        context = memories.context(task=text, paths=[AREAS[area].path])
        given = [line.memory.id for line in context.lines]
        facts = {number for number, fact in enumerate(FACTS) if fact.area == area}
        subject = [each for each in given if self._is_about(each, facts)]
        counts = self._counted("context", given, subject) + Counter(context_tokens=context.tokens)
        self._use(memories, subject, context.recall)
        return counts

    def _counted(self, kind: str, given: Sequence[str], subject: Sequence[str]) -> Counter[str]:
        counted = {
            "asked": 1,
            "lines": len(given),
            "right": sum(map(self._holds, subject)),
            "subject": len(subject),
            "wrong": sum(not self._holds(each) for each in given),
            "repeated": any(each in self._failed for each in subject),
            "tried_again": bool(subject) and subject[0] in self._failed,
        }
        return Counter({f"{kind}_{name}": count for name, count in counted.items()})

    def _is_about(self, memory_id: str, facts: Iterable[int]) -> bool:
        note = self._notes.get(memory_id)
        return note is not None and note.fact in facts

    def _holds(self, memory_id: str) -> bool:
        """Is what a memory says true today? A text that nobody noted is taken as true."""
        note = self._notes.get(memory_id)
        return note is None or note.value == self._current[note.fact]

    def _use(self, memories: Memories, subject: Sequence[str], recall: str | None) -> None:
        """Try what concerns the subject until something works, and report each."""
        for memory_id in subject[:MOST_USED]:
            holds = self._holds(memory_id)
            is_false = self._chance.random() < self._false_share
            is_partial = self._chance.random() < SHARE_PARTIAL
            if self._reports:
                result = Outcome.FAILED
                if holds is not is_false:
                    result = Outcome.PARTIAL if is_partial else Outcome.WORKED
                memories.outcome(memory_id, result.value, recall=recall)
            if not holds and not is_false:
                self._failed.add(memory_id)
            if holds:
                return
