"""Decide when an agent is reminded to store what a person said, by a table of weights over cheap cues.

A sentence scores the sum of the weights of its cues, a message as much as its best sentence. The weights were fitted by
`python -m bench capture-fit` (logistic regression, see docs/decisions/0036-capture-in-two-grades.md) and rounded.
"""

from __future__ import annotations

from collections.abc import Sequence

from memory_layer.text.lasting_cues import NAMES, cues
from memory_layer.text.pasted import typed_part
from memory_layer.text.reach import Scope, scope
from memory_layer.text.statements import Statement, statements

REMINDER = (
    "This message may hold something that lasts (a preference, rule, decision or fact):"
    " if so, store it in your own words, one statement each."
)
REMINDER_OF_MANY = "{:,} messages may hold" + REMINDER.removeprefix("This message may hold")
THRESHOLD = 0.78
#: Points of each cue (see `text/lasting_cues.py`).
WEIGHTS: dict[str, float] = {
    "standing": 0.64,
    "forbids": 0.77,
    "our way": 0.38,
    "wants": 0.92,
    "contrast": 0.60,
    "our": 0.23,
    "rule": 0.60,
    "choice": 1.30,
    "history": 0.74,
    "trap": 1.30,
    "agent": 0.52,
    "memo": 1.36,
    "place": 1.47,
    "universal": 0.65,
    "modal": -0.02,
    "corrects": 0.33,
    "reason": 0.86,
    "states": 0.08,
    "when": 0.36,
    "explains code": 1.18,
    "asks for work": -0.38,
    "trouble": -0.38,
    "hedge": -0.19,
    "at hand": -0.73,
    "wish": -0.26,
    "one thing": -1.25,
    "tells": 0.02,
    "look": -0.25,
    "declares": 1.37,
    "question": -1.55,
    "reproach": 0.80,
    "task": -0.51,
    "few words": -1.13,
    "in a task": -0.62,
    "on rules": 0.28,
}
CUES = NAMES
_AROUND = {Scope.TASK: ("in a task",), Scope.RULES: ("on rules",)}
_MOST_SENTENCES = 40  #: that are read of a message


def reminder(message: str, contents: Sequence[str] = ()) -> str | None:
    """Return one line that asks the agent to store what lasts; None if the rest of the message holds nothing."""
    sentences = _sentences(message)
    rest = [
        names
        for each, names in zip(sentences, _cues(sentences), strict=True)
        if not any(_is_part(content, each) for content in contents)
    ]
    return REMINDER if any(points(names) >= THRESHOLD for names in rest) else None


def _sentences(message: str) -> list[Statement]:
    return statements(typed_part(message))[:_MOST_SENTENCES]


def _cues(sentences: Sequence[Statement]) -> list[tuple[str, ...]]:
    """Return the cues of each sentence, with those of the whole message."""
    around = _AROUND.get(scope([each.own for each in sentences]), ())
    return [cues(each) + around for each in sentences]


def _is_part(content: str, sentence: Statement) -> bool:
    """Is a stored text this sentence, or a part of it?"""
    return content.lower() in sentence.text.lower()


def points(names: Sequence[str]) -> float:
    """Return how likely a sentence with these cues holds something that lasts, in points."""
    return sum(WEIGHTS[name] for name in names)


def cues_of(message: str) -> tuple[tuple[str, ...], ...]:
    """Return the cues of each sentence of a message, which is what the weights were fitted on."""
    return tuple(_cues(_sentences(message)))
