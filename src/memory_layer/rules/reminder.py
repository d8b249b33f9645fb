"""Decide when an agent is reminded to store what a person said, by a table of weights over cheap cues.

A sentence scores the sum of the weights of its cues, a message as much as its best sentence. The weights were fitted by
`python -m bench capture-fit` (logistic regression, see docs/decisions/0036-capture-in-two-grades.md) and rounded.
"""

from __future__ import annotations

from collections.abc import Sequence

from memory_layer.text.lasting_cues import NAMES, cues
from memory_layer.text.pasted import typed_part
from memory_layer.text.statements import Statement, statements

REMINDER = (
    "This message may hold something that lasts (a preference, rule, decision or fact):"
    " if so, store it in your own words, one statement each."
)
REMINDER_OF_MANY = "{:,} messages may hold" + REMINDER.removeprefix("This message may hold")
THRESHOLD = 0.58
#: Points of each cue (see `text/lasting_cues.py`).
WEIGHTS: dict[str, float] = {
    "standing": 0.82,
    "forbids": 1.07,
    "our way": 0.36,
    "wants": 0.72,
    "contrast": 0.26,
    "our": 0.26,
    "rule": 0.86,
    "choice": 1.09,
    "memo": 1.29,
    "place": 1.14,
    "universal": 0.38,
    "modal": 0.21,
    "corrects": 0.36,
    "reason": 0.71,
    "states": 0.06,
    "when": 0.34,
    "explains code": 1.02,
    "asks for work": -0.40,
    "trouble": -0.45,
    "hedge": -0.31,
    "at hand": -0.65,
    "look": -0.46,
    "declares": 1.21,
    "question": -1.49,
    "reproach": 0.92,
    "task": -0.29,
    "few words": -1.32,
}
CUES = NAMES
_MOST_SENTENCES = 40  #: that are read of a message


def reminder(message: str, contents: Sequence[str] = ()) -> str | None:
    """Return one line that asks the agent to store what lasts; None if the rest of the message holds nothing."""
    sentences = statements(typed_part(message))[:_MOST_SENTENCES]
    rest = [each for each in sentences if not any(_is_part(content, each) for content in contents)]
    return REMINDER if any(points(cues(each)) >= THRESHOLD for each in rest) else None


def _is_part(content: str, sentence: Statement) -> bool:
    """Is a stored text this sentence, or a part of it?"""
    return content.lower() in sentence.text.lower()


def points(names: Sequence[str]) -> float:
    """Return how likely a sentence with these cues holds something that lasts, in points."""
    return sum(WEIGHTS[name] for name in names)


def cues_of(message: str) -> tuple[tuple[str, ...], ...]:
    """Return the cues of each sentence of a message, which is what the weights were fitted on."""
    return tuple(map(cues, statements(typed_part(message))[:_MOST_SENTENCES]))
