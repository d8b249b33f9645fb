"""Write the handoff of a session that left none, and tell how the session ended."""

from __future__ import annotations

from collections.abc import Sequence

from memory_layer.model.episodes import HandoffParts
from memory_layer.model.runs import RunResult
from memory_layer.model.steps import Step, StepKind
from memory_layer.text.shell import steps as programs_in

MOST_FILES = 6
MOST_OPEN = 3
LONGEST_REQUEST = 160  #: characters of what the person asked for last
LONGEST_COMMAND = 120


def handoff_of(steps: Sequence[Step]) -> HandoffParts | None:
    """Return what the next session should know of this one; None if nothing was changed and nothing fails."""
    files = changed_files(steps)
    failing = open_failures(steps)
    if not files and not failing:
        return None
    asked = [step.text for step in steps if step.kind is StepKind.PROMPT]
    last = f"Last request: {_short(asked[-1], LONGEST_REQUEST)}" if asked else "Work of the last session"
    named = [
        *files[:MOST_FILES],
        *([f"and {len(files) - MOST_FILES} more"] if len(files) > MOST_FILES else []),
    ]
    still = tuple(f"`{_short(command, LONGEST_COMMAND)}` still fails" for command in failing[:MOST_OPEN])
    return HandoffParts(text=last, next=still, files=tuple(named))


def changed_files(steps: Sequence[Step]) -> list[str]:
    """Return the files that the session changed, in their order."""
    edits = (step for step in steps if step.kind is StepKind.EDIT and step.passed is not False)
    return list(dict.fromkeys(file for step in edits for file in step.files))


def open_failures(steps: Sequence[Step]) -> list[str]:
    """Return the commands that check something and whose last run failed."""
    last: dict[str, bool | None] = {}
    for step in steps:
        if step.kind is StepKind.COMMAND and _checks(step.command):
            last.pop(step.command, None)
            last[step.command] = step.passed
    return [command for command, passed in last.items() if passed is False]


def result_of(steps: Sequence[Step]) -> RunResult | None:
    """Return how the session ended by its last check; None if it ran none."""
    checks = [
        step.passed
        for step in steps
        if step.kind is StepKind.COMMAND and step.passed is not None and _checks(step.command)
    ]
    return None if not checks else RunResult.WORKED if checks[-1] else RunResult.FAILED


def _checks(command: str) -> bool:
    """Does a command line test, build or check something?"""
    return any(step.only_checks for step in programs_in(command))


def _short(text: str, most: int) -> str:
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[: most - 1]}…"
