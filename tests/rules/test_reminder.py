"""A sensitive cue asks the agent to store what rules cannot word, and stays silent otherwise."""

from __future__ import annotations

import subprocess
import sys

import pytest

from memory_layer.rules import reminder as rules
from memory_layer.usecases.remember.listen import CUES, cues_of, listen
from tests.counted import counted


@pytest.mark.parametrize(
    "text",
    [
        "the nightly import needs docker and two hours on the staging server",
        "for the invoices finance wants half-even rounding in all reports, that was agreed last week",
        "why did you push to main instead of a branch?",
        "be aware that those fixtures are shared by every team",
        "I always want to see the plan before any code",
    ],
)
def test_a_message_that_probably_holds_something_lasting_gives_a_reminder(text):
    assert listen(text).reminder == rules.REMINDER


@pytest.mark.parametrize(
    "text",
    [
        "",
        "thanks!",
        "what does this function do?",
        "can you run the tests again",
        "fix the failing test",
        "it crashes when I click the button",
        "looks good, go ahead",
        'Traceback (most recent call last):\n  File "a.py", line 1\nValueError: all rows must have a key',
    ],
)
def test_a_message_without_anything_gives_none(text):
    assert listen(text).reminder is None


def test_a_sentence_that_is_stored_needs_no_reminder():
    assert listen("Never commit generated files.") == (listen("Never commit generated files.").noticed, None)
    more = listen(
        "Never commit generated files. The demo server in production has only two cores because of its licence."
    )
    assert more.noticed
    assert more.reminder or len(more.noticed) == 2


def test_a_reminder_is_one_short_line():
    assert "\n" not in rules.REMINDER
    assert len(rules.REMINDER) < 160


def test_every_cue_has_one_weight():
    assert set(rules.WEIGHTS) == set(CUES)
    assert {
        name for sentence in cues_of("We never deploy on fridays, not even hotfixes.") for name in sentence
    } <= set(CUES)


@pytest.mark.parametrize(
    "text",
    ["x" * 1_000_000, "we use it. " * 100_000, "no\n" * 300_000, "# a\n- **b**\n" * 80_000],
    ids=["one word", "sentences", "lines", "a document"],
)
def test_work_on_a_hostile_message_is_bounded(text, monkeypatch):
    weighed = counted(monkeypatch, rules, "cues")
    listen(text)
    assert len(weighed) <= 40


def test_listening_loads_no_store_no_model_and_no_command_line():
    code = (
        "import sys, memory_layer.usecases.remember.listen\n"
        "print([name for name in ('sqlite3', 'numpy', 'click', 'mcp', 'memory_layer.ports') if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.strip() == "[]"
