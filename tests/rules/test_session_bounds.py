"""However long a session was, only so much of it is read."""

from __future__ import annotations

from datetime import timedelta

import pytest

from memory_layer.model.steps import Step, StepKind
from memory_layer.rules.sessions import bounds
from memory_layer.rules.sessions.bounds import bounded
from tests.conftest import NOON


def run(command: str, number: int = 0) -> Step:
    return Step(StepKind.COMMAND, NOON + timedelta(seconds=number), "", command, passed=True)


def test_the_last_steps_of_a_long_session_are_read():
    steps = [run(f"make {number}", number) for number in range(bounds.MOST_STEPS + 5)]

    assert bounded(steps) == steps[5:]


def test_the_commands_of_a_session_are_read_until_they_are_too_many():
    steps = [run(f"make {number:04d}{'x' * 1_000}", number) for number in range(1_000)]

    kept = bounded(steps)
    assert kept == steps[-len(kept) :]
    assert 0 < sum(len(step.command) for step in kept) <= bounds.MOST_CHARACTERS


@pytest.mark.parametrize("command", ["a;" * 1_000, "make x && " * 30 + "y", "x" * 2_001, "<<a" * 600])
def test_a_command_line_that_is_out_of_all_proportion_is_passed_over(command):
    assert bounded([run(command), run("make")]) == [run("make")]


def test_a_file_that_is_written_by_a_command_line_may_have_many_lines():
    step = run("cat > a.py <<'EOF'\n" + "x = 1\n" * 100 + "EOF\nmake test")

    assert bounded([step]) == [step]
