"""Tell the story to a store: the shipped verbs, called by two agents and a person under a clock of their own."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from docs.story import project
from docs.story.diary import (
    CONTRADICTIONS,
    DIARY,
    GUESS,
    HANDOFFS,
    HELD,
    PROCEDURES,
    QUESTIONS,
    REPEATS,
    TODAY,
    UNANSWERED,
)
from memory_layer.model.agents import Terminal
from memory_layer.settings import load
from memory_layer.verbs import give, govern, learn, recall, remember, tasks, upkeep
from memory_layer.verbs.call import Caller, Dispatcher, Verb
from memory_layer.wiring import open_engine

WEEKS, DAYS = 12, 5
NAME = "meridian"
TEXTS = Path(__file__).with_name("memories.txt")
LETTERS = {"w": "worked", "p": "partial", "f": "failed"}
DIGITS = "abcdefghijklmnopqrstuvwxyz234567"
AGENTS = ("claude-code", "codex")
PERSON = "lena"
EVIDENCE = {
    "worked": ("exit 0 of make check", "the plan ran through", "seen in the log of the night", None),
    "partial": ("faster, but not fast enough", "it came back a day later", None),
    "failed": ("exit 1 of make check", "the same error again", None),
}


class Told(NamedTuple):
    """One memory of the story."""

    week: int
    category: str
    tags: tuple[str, ...]
    scope: tuple[str, ...]
    cite: tuple[str, ...]
    reports: str
    question: str
    text: str

    @classmethod
    def from_line(cls, line: str) -> Told:
        week, category, tags, scope, cite, reports, question, text = (
            part.strip() for part in line.split("|")
        )
        return cls(int(week), category, _words(tags), _words(scope), _words(cite), reports, question, text)


class StoryClock:
    """Time that the story moves."""

    def __init__(self, begin: datetime) -> None:
        self.time = begin

    def __call__(self) -> datetime:
        return self.time


class Places(NamedTuple):
    """Folders of the story: the project, the store's folder, and the person's own folder."""

    root: Path
    home: Path
    person: Path

    @classmethod
    def below(cls, folder: Path) -> Places:
        return cls(folder / NAME, folder / "memory", folder / "person")


def seed(folder: Path, model: Path, until: datetime | None = None) -> Places:
    """Write project and store into an empty folder; the story ends half an hour before `until`."""
    places = Places.below(folder)
    end = (until or datetime.now(UTC)) - timedelta(minutes=30)
    with _opened(places, model, StoryClock(end - timedelta(weeks=WEEKS))) as story:
        story.tell(end)
    return places


@contextmanager
def _opened(places: Places, model: Path, clock: StoryClock) -> Iterator[Story]:
    project.write(places.root)
    environ = {
        "HOME": str(places.person),
        "MEM_HOME": str(places.home),
        "MEM_MODEL": str(model),
        "USER": PERSON,
    }
    settings = load(environ, cwd=places.root)
    chance = random.Random(7)
    with open_engine(settings, "python", now=clock) as opened:
        yield Story(opened._replace(new_id=partial(_numbered, chance)), places, clock, chance)


class Story:
    """The people and agents of the project, and what they remember by its text."""

    def __init__(self, engine: Any, places: Places, clock: StoryClock, chance: random.Random) -> None:
        self.engine, self.places, self.clock, self.chance = engine, places, clock, chance
        self.ids: dict[str, str] = {}
        self.due: list[tuple[datetime, Told, str]] = []  #: reports to come
        self.session, self.agent = "", AGENTS[0]

    def tell(self, end: datetime) -> None:
        """Tell the twelve weeks, then leave what waits for a decision."""
        begin = end - timedelta(weeks=WEEKS)
        told = [
            Told.from_line(line) for line in TEXTS.read_text(encoding="utf-8").splitlines() if line[0] != "#"
        ]
        for week in range(WEEKS):
            monday = begin + timedelta(weeks=week)
            new = [each for each in told if each.week == week + 1]
            self._plan_reports(new, monday, end)
            for day in range(DAYS):
                self._day(week, day, monday + timedelta(days=day), new[day::DAYS])
            self.clock.time = monday + timedelta(days=6)
            if week:
                self._person(upkeep.CONSOLIDATE)
        self._leave_waiting(end)

    def _plan_reports(self, new: list[Told], monday: datetime, end: datetime) -> None:
        """Spread the reports of a memory from its second day to the end."""
        for each in new:
            days = max(2.0, (end - monday).days - 4.0)
            for number, letter in enumerate(each.reports):
                share = (number + 0.4 + self.chance.random() * 0.5) / len(each.reports)
                self.due.append((monday + timedelta(days=4 + (days - 4) * share), each, LETTERS[letter]))

    def _day(self, week: int, day: int, date: datetime, new: list[Told]) -> None:
        """Work a day: each agent with news or reports has a session."""
        due = sorted((each for each in self.due if each[0].date() <= date.date()), key=lambda each: each[0])
        self.due = [each for each in self.due if each not in due]
        for half, agent in enumerate(AGENTS):
            self.clock.time = date.replace(minute=0) + timedelta(hours=3 * half, minutes=7 * day)
            self.agent, self.session = agent, f"{agent}-{date:%m-%d}"
            self._work(new[half::2], due[half::2])
            if half == 0 and day in (0, 2, 4):
                self._live(*DIARY[week][day // 2])
            if half == 0 and day == DAYS - 1:
                self._close_week(week)

    def _work(self, new: list[Told], due: list[tuple[datetime, Told, str]]) -> None:
        if not new and not due:
            return
        if self.agent == AGENTS[0]:
            self._do(give.CONTEXT, start=True, task=due[0][1].question or None if len(due) > 2 else None)
        for _, each, result in due:
            self._pass(11)
            self._report(each, result)
        for each in new:
            self._pass(9)
            self._remember(each)

    def _live(self, kind: str, text: str, outcome: str | None) -> None:
        self._pass(6)
        self._do(learn.EPISODE, text=text, kind=kind, outcome=outcome)

    def _close_week(self, week: int) -> None:
        self._pass(20)
        for question in UNANSWERED[week % len(UNANSWERED) :: len(UNANSWERED)]:
            self._do(recall.SEARCH, text=question)
        run = self._do(learn.START_RUN, task=HANDOFFS[week][0], limit=4)
        self._pass(30)
        used = [hit.memory.id for hit in run.hits][:2]
        result = "failed" if week in (3, 8) else "success"
        self._do(learn.FINISH_RUN, run_id=run.id, result=result, used=used)
        for name, week_saved, steps in PROCEDURES:
            if week_saved == week:
                self._do(learn.SAVE_PROCEDURE, name=name, steps=steps, when=f"somebody asks to {name}")
            elif week_saved < week and (week + week_saved) % 3 == 0:
                self._do(learn.PROCEDURE_DONE, name=name, result="worked")
        done, after, question = HANDOFFS[week]
        self._do(learn.HANDOFF, done=(done,), next_steps=(after,), questions=(question,) if question else ())

    def _remember(self, told: Told) -> None:
        values = {"content": told.text, "category": told.category, "tags": told.tags, "scope": told.scope}
        by_person = told.category in ("policy", "preference", "architecture", "tool_preference")
        added = (self._person if by_person else self._do)(
            remember.ADD, **values, cite=told.cite, on_duplicate="keep"
        )
        self.ids[told.text] = added.id

    def _report(self, told: Told, result: str) -> None:
        """Ask the question, then report on the memory that answered it."""
        if told.text not in self.ids:
            return
        memory = self.ids[told.text]
        values: dict[str, Any] = {"memory_ids": [memory], "result": result}
        if told.question:
            found = self._do(recall.SEARCH, text=told.question, limit=5)
            given = [hit.memory.id for hit in found.hits]
            values |= {"query": told.question}
            values |= {"recall": found.recall} if memory in given and found.recall else {}
        self._pass(12)
        self._do(learn.OUTCOME, **values, evidence=self.chance.choice(EVIDENCE[result]))

    def _leave_waiting(self, end: datetime) -> None:
        """Leave something of every kind for the person, and the newest events."""
        self.clock.time = end - timedelta(hours=5)
        self.agent, self.session = AGENTS[0], "claude-code-today"
        self._do(remember.ADD, content=GUESS, category="learning", confidence=0.2)
        approved = [
            each
            for text, each in self.ids.items()
            if text.startswith(("Moving a dome", "If container tests"))
        ]
        self._person(govern.APPROVE, memory_ids=approved)
        for number in range(10):
            self._pass(3)
            self._do(
                learn.OUTCOME,
                memory_ids=[approved[number % 2]],
                result="failed",
                query="move the dome by hand",
            )
        for category, text in HELD:
            self._do(remember.ADD, content=text, category=category)
        for text in QUESTIONS:
            self._do(remember.ADD, content=text)
        for category, text in CONTRADICTIONS:
            self._do(remember.ADD, content=text, category=category)
        for category, text in REPEATS:
            self._do(remember.ADD, content=text, category=category, source="import", on_duplicate="keep")
        for text in [text for text in self.ids if text.startswith(("Sorting requests", "Link", "Humidity"))]:
            self._do(govern.PROPOSE, memory_id=self.ids[text])
        self._pass(10)
        project.change(self.places.root)
        self._do(upkeep.VERIFY)
        project.write_tasks(self.places.root, self.places.person)
        self._link_tasks()
        self._person(remember.TAG, memory_id=next(iter(self.ids.values())), words=("overview",))
        self.clock.time = end - timedelta(minutes=40)
        self._do(give.CONTEXT, start=True)
        self._do(give.WARN, command="make ship SITE=graz")
        for event in TODAY:
            self._live(*event)

    def _link_tasks(self) -> None:
        for task, beginning in (
            ("mer-118", "A dome that reports closed"),
            ("mer-131", "Moving a dome by hand"),
            ("mer-220", "The page is slow because"),
            ("mer-214", "Exposures of comets"),
        ):
            memory = next(each for text, each in self.ids.items() if text.startswith(beginning))
            self._do(tasks.LINK_TASK, task_id=task, memory_ids=[memory])

    def _pass(self, minutes: int) -> None:
        self.clock.time += timedelta(minutes=minutes)

    def _do(self, verb: Verb[Any, Any], **values: Any) -> Any:
        """Run a verb for the agent at work."""
        caller = Caller("mcp", self.places.root, self.agent, self.session)
        return Dispatcher(self.engine, caller).run(verb, values)

    def _person(self, verb: Verb[Any, Any], **values: Any) -> Any:
        """Run a verb for the person at the desk, who has just typed the code."""
        terminal = Terminal("desk", is_own=True, is_traced=True)
        caller = Caller("cli", self.places.root, terminal=lambda: terminal, confirmed=lambda now: True)
        return Dispatcher(self.engine, caller).run(verb, values)


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.replace(",", " ").split())


def _numbered(chance: random.Random, prefix: str) -> str:
    return f"{prefix}_{''.join(chance.choices(DIGITS, k=26))}"
