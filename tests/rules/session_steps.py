"""Steps of made-up sessions, and the lessons from them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from memory_layer.model.steps import Step, StepKind
from memory_layer.rules.sessions.lessons import lessons
from memory_layer.rules.sessions.timeline import timeline

FOLDER = "/srv/code/orchard"
START = datetime(2026, 3, 1, tzinfo=UTC)


def ran(command, output="", passed=True):
    return Step(StepKind.COMMAND, START, output, command, passed=passed)


def unknown(command, output=""):
    """A command of an agent that does not tell how it ended."""
    return ran(command, output, passed=None)


def failed(command, output):
    return ran(command, output, passed=False)


def edited(*files):
    return Step(StepKind.EDIT, START, files=files, passed=True)


def asked(text):
    return Step(StepKind.PROMPT, START, text)


def found(*steps):
    timed = [step._replace(at=START + timedelta(seconds=number)) for number, step in enumerate(steps)]
    return lessons(timeline(timed, FOLDER))


def contents(*steps):
    return [lesson.content for lesson in found(*steps)]
