"""Find the known texts that a new one may repeat, replace or contradict, where no rule is sure.

A text is close if it stands out from the rest of the store: by its cosine, measured against the cosines of the next
neighbours, and by the words it shares. Without vectors the shared words decide alone.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from memory_layer.model.record import NamedTuple
from memory_layer.text.words import content_words

MOST = 3  #: texts that are asked about
NEIGHBOURS = 10  #: that have to be known for the background
LEAST_COSINE = 0.25  #: below this no text is close
CLOSE_ABOVE = 0.39  #: closeness of a text that is asked about
SHARED_ABOVE = 0.2  #: share of common words, where there are no vectors
STRONG_ABOVE = 0.8  #: closeness from which a person should look if nobody can be asked
#: A text that is further behind the closest one is not asked about.
BEHIND = 0.25
BACKGROUND = 0.3  #: cosine of unrelated texts of one project, where the store is too small to tell
WORDS_WEIGHT = 0.8
QUESTION = "Does it replace, repeat or contradict one of these?"
CHANGED = "It tells of a change: does it replace one of these, or repeat or contradict it?"

_CHANGE = re.compile(
    r"\b(?:now|no longer|any ?more|any longer|formerly|previously|used to|instead of|as of|from now on|became|moved"
    r"|migrated|switched|ported|renamed|replaced|superseded|retired|discontinued|deprecated|abandoned|upgraded"
    r"|downgraded|raised|lowered|(?:up|down|changed) from|took the place of|stopped \w+ing|since v?[\d#]|went to"
    r"|(?:was|were|been|got) (?:cut|dropped|removed|deleted|disabled|merged|split|phased out|taken over|shut down))\b",
    re.IGNORECASE,
)


class Closeness(NamedTuple):
    """The closeness of a known text to a new one."""

    value: float
    at: int  #: its place among the compared texts


def closest(new: str, known: Sequence[str], cosines: Sequence[float] | None) -> list[Closeness]:
    """Return the few texts that are close to a new one, closest first; `cosines` fall, None stands for no vectors."""
    words = content_words(new)
    shared = [_shared(words, content_words(text)) for text in known]
    if cosines is None:
        values, least = shared, SHARED_ABOVE
    else:
        rest = cosines[MOST:NEIGHBOURS]
        background = max(BACKGROUND, sum(rest) / len(rest)) if len(cosines) >= NEIGHBOURS else BACKGROUND
        values = [
            cosine - background / 2 + WORDS_WEIGHT * share
            for cosine, share in zip(cosines, shared, strict=True)
        ]
        least = CLOSE_ABOVE
    ranked = sorted((Closeness(value, at) for at, value in enumerate(values) if value >= least), reverse=True)
    return [each for each in ranked[:MOST] if each.value >= ranked[0].value - BEHIND]


def _shared(one: frozenset[str], other: frozenset[str]) -> float:
    """Return the share of common words, from 0 to 1."""
    return len(one & other) / math.sqrt(len(one) * len(other)) if one and other else 0.0


def tells_a_change(text: str) -> bool:
    """Does a text say that something is no longer as it was?"""
    return _CHANGE.search(text) is not None


def question(text: str) -> str:
    """Return what to ask about the texts that are close to a new one."""
    return CHANGED if tells_a_change(text) else QUESTION
