"""Decide when an agent is reminded to store what a person said, by a table of weights over cheap cues.

A sentence scores the sum of the weights of its cues, a message as much as its best sentence. The weights were fitted by
`python -m bench capture-fit` (logistic regression, see docs/decisions/0036-capture-in-two-grades.md) and rounded.
"""

from __future__ import annotations

from collections.abc import Sequence

from memory_layer.text.lasting_cues import NAMES, cues
from memory_layer.text.pasted import typed_part
from memory_layer.text.reach import RequestKind, scope
from memory_layer.text.statements import Statement, statements

REMINDER = (
    "This message may hold something that lasts (a preference, rule, decision or fact):"
    " if so, store it in your own words, one statement each."
)
REMINDER_OF_MANY = "{:,} messages may hold" + REMINDER.removeprefix("This message may hold")
THRESHOLD = 0.73
#: Points of each cue (see `text/lasting_cues.py`).
WEIGHTS: dict[str, float] = {
    "standing": 0.66,
    "forbids": 0.79,
    "our way": 0.39,
    "wants": 0.93,
    "contrast": 0.62,
    "our": 0.24,
    "rule": 0.69,
    "choice": 1.27,
    "history": 0.75,
    "trap": 1.32,
    "agent": 0.41,
    "memo": 1.38,
    "place": 1.48,
    "universal": 0.64,
    "corrects": 0.49,
    "reason": 0.87,
    "states": 0.08,
    "when": 0.36,
    "explains code": 1.21,
    "asks for work": -0.38,
    "trouble": -0.41,
    "hedge": -0.19,
    "at hand": -0.72,
    "wish": -0.28,
    "one thing": -1.24,
    "look": -0.26,
    "declares": 1.36,
    "question": -1.54,
    "reproach": 0.81,
    "task": -0.59,
    "few words": -1.12,
    "in a task": -0.64,
    "on rules": 0.27,
}
CUES = NAMES
_AROUND = {RequestKind.TASK: ("in a task",), RequestKind.RULES: ("on rules",)}
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
