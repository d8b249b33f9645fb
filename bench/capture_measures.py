"""Measure what is stored of messages by itself, and when an agent is reminded to store something.

A stored statement is right if it expresses a label of its message: they share at least two content words (one, if
there is only one), and at least a third of those of the shorter of the two. Words are compared by their first five
letters, and a shorter one may begin a longer one.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from bench import report
from memory_layer.model.capture import Noticed
from memory_layer.usecases.remember.listen import listen

Row = dict[str, Any]
_WORD = re.compile(r"[^\W_]+")
_STEM = 5  #: letters by which words are compared
_SHORTEST = 3  #: letters of a word that may stand for a longer one
_Z = 1.96  #: of a 95 % interval
_STOP_WORDS = frozenset(
    "a about again all also always am an and any are aren as at be because been before being but by can could did do"
    " does doesn doing don done each else ever every for from get go going good had has have here how i if in instead"
    " into is isn it its just keep let like ll make may me more must my need never no not now of off on one only or"
    " other our out please pls re remember rule rules s should so some still stop such sure t than that the their them"
    " then there these they thing this those to too up us use used uses using very want was way we were what when where"
    " which who why will with without would you your".split()
)
HEADINGS = {
    "set": "messages of",
    "messages": "messages",
    "holding": "with something",
    "stored": "stored",
    "right": "right",
    "precision": "precision",
    "category": "right category",
    "stored_recall": "stored of those with something",
    "recall": "stored or reminded",
    "firing": "fired on the rest",
}


class Message(NamedTuple):
    """A message, and the statements that should last."""

    text: str
    keep: tuple[dict[str, str], ...]
    group: str = ""


class Heard(NamedTuple):
    """A message and everything that capture does with it."""

    message: Message
    stored: tuple[Noticed, ...]
    right: tuple[tuple[Noticed, str], ...]  #: with the category of the label
    reminded: bool

    @property
    def fires(self) -> bool:
        return bool(self.stored) or self.reminded


def read(file: Path, group: Callable[[dict[str, Any]], str] = lambda line: "") -> list[Message]:
    """Read labelled messages, one JSON object a line: {"text": …, "keep": [{"text": …, "category": …}]}."""
    lines = (json.loads(line) for line in file.read_text(encoding="utf-8").split("\n") if line.strip())
    return [Message(line["text"], tuple(line["keep"]), group(line)) for line in lines]


def hear(message: Message) -> Heard:
    """Capture one message without a store."""
    stored, reminder = listen(message.text)
    labels = {label["text"]: label["category"] for label in message.keep}
    firsts = ((each, next(filter(partial(expresses, each.content), labels), None)) for each in stored)
    right = tuple((each, labels[first]) for each, first in firsts if first is not None)
    return Heard(message, stored, right, reminder is not None)


def expresses(statement: str, label: str) -> bool:
    """Judge by shared content words whether a statement says what a label says."""
    own, wanted = content_words(statement), content_words(label)
    shared = sum(any(_is_same(word, other) for other in wanted) for word in own)
    shorter = min(len(own), len(wanted))
    return shared >= min(2, max(1, shorter)) and 3 * shared >= shorter


def content_words(text: str) -> set[str]:
    """Return the words that carry the meaning, cut to their first letters."""
    words = _WORD.findall(text.lower().replace("'", " ").replace("’", " "))
    return {word[:_STEM] for word in words if word not in _STOP_WORDS}


def _is_same(word: str, other: str) -> bool:
    """Are two words the same, but perhaps for an ending?"""
    short, long = sorted((word, other), key=len)
    return word == other or (len(short) >= _SHORTEST and long.startswith(short))


def row(name: str, heard: Sequence[Heard]) -> Row:
    """Sum up some messages."""
    holding = [each for each in heard if each.message.keep]
    rest = [each for each in heard if not each.message.keep]
    stored, right = (sum(len(getattr(each, field)) for each in heard) for field in ("stored", "right"))
    same = sum(found.category.value == category for each in heard for found, category in each.right)
    return {
        "set": name,
        "messages": len(heard),
        "holding": len(holding),
        "stored": stored,
        "right": right,
        "precision": share(right, stored),
        "category": share(same, right),
        "stored_recall": share(sum(bool(each.right) for each in holding), len(holding)),
        "recall": share(sum(bool(each.right) or each.reminded for each in holding), len(holding)),
        "firing": share(sum(each.fires for each in rest), len(rest)),
    }


def share(some: int, of: int) -> list[float] | None:
    """Return a share and its 95 % interval (Wilson); None of nothing."""
    if not of:
        return None
    value, spread = some / of, _Z * _Z / of
    middle = (value + spread / 2) / (1 + spread)
    half = _Z / (1 + spread) * math.sqrt(value * (1 - value) / of + spread / (4 * of))
    return [round(each, 3) for each in (value, max(0.0, middle - half), min(1.0, middle + half))]


def table(rows: Sequence[Row]) -> str:
    """Show shares with their intervals."""
    return report.table([{name: _cell(value) for name, value in row.items()} for row in rows], HEADINGS)


def _cell(value: object) -> object:
    if isinstance(value, list):
        return "{:.2f} [{:.2f} {:.2f}]".format(*value)
    return "" if value is None else value
