"""Whether a new text repeats a known one, comes close to it, or denies it.

Closeness is a matter of vectors; the guard is not: texts that differ in a negation, a number, an identifier, a
proper name or a pair of opposed words are never duplicates, however close their vectors lie.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterator
from enum import Enum

from memory_layer.policy.lexicon import ANTONYMS, NEGATIVE_PREFIXES
from memory_layer.policy.reading import Clause, Mark, Place, Reading, read
from memory_layer.policy.words import content_words

SIMILAR_ABOVE = 0.92  #: cosine from which two texts say nearly the same
CONTAINED_ABOVE = 0.80  #: the same when one text's content words are all in the other
CONFLICT_ABOVE = 0.80  #: cosine from which two texts speak of the same thing
SAME_SUBJECT_SHARE = 0.6  #: of the shorter text's content words, apart from what differs


class Verdict(Enum):
    """What a new text is to a known one."""

    NEW = "new"
    SAME = "same"
    SIMILAR = "similar"
    CONFLICT = "conflict"


def canonical(text: str) -> str:
    """The form in which equal texts are equal: case, white space and edge punctuation do not count."""
    folded = unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold())
    collapsed = " ".join(folded.split())
    return _EDGES.sub("", collapsed) or collapsed


def content_hash(project_id: str | None, text: str) -> str:
    """The address of a text in its project; the same for every spelling of it that `canonical` makes equal."""
    material = f"{project_id or ''}\0{canonical(text)}"
    return hashlib.sha256(material.encode("utf-8", "surrogatepass")).hexdigest()
