"""Write a session as a list of steps, for tests of what is concluded from it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from memory_layer.model.memory import Memory
from memory_layer.model.steps import SeenOutcome, ShownMemory, Step, StepKind
from memory_layer.model.vocabulary import Category
from memory_layer.rules.sessions.outcomes import seen_outcomes
from memory_layer.rules.sessions.timeline import timeline

START = datetime(2026, 3, 1, 9, tzinfo=UTC)
Entry = Step | Memory


def memory(content: str, category: str = "command", name: str = "m-000001") -> Memory:
    return Memory(name, content, "", START, START, category=Category(category))


def person(text: str) -> Step:
    return Step(StepKind.PROMPT, START, text)


def ran(command: str, output: str = "", passed: bool | None = True) -> Step:
    return Step(StepKind.COMMAND, START, output, command, passed=passed)


def edited(*files: str) -> Step:
    return Step(StepKind.EDIT, START, files=files, passed=True)


def said(text: str) -> Step:
    return Step(StepKind.SAID, START, text)


def conclude(*entries: Entry) -> list[SeenOutcome]:
    """Conclude from a session; a memory stands where it is given."""
    steps, shown = list[Step](), list[ShownMemory]()
    for number, entry in enumerate(entries):
        at = START + timedelta(minutes=number)
        if isinstance(entry, Memory):
            shown.append(ShownMemory(entry, at))
        else:
            steps.append(entry._replace(at=at))
    return seen_outcomes(timeline(steps), shown)


def verdicts(*entries: Entry) -> list[tuple[str, str]]:
    """Conclude from a session; return results with their kinds."""
    return [(each.result.value, each.kind.value) for each in conclude(*entries)]
