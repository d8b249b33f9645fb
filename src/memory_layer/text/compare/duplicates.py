"""Decide whether a new text is a duplicate of a known one, similar to it, or in conflict with it.

Similarity comes from vectors; the guard does not: texts that differ in a negation, a number, an identifier, a proper
name or a pair of opposites are never duplicates, however close their vectors are. This module also has the canonical
form and the content hash by which exact duplicates are found.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from enum import Enum

from memory_layer.text.word_rules import WordRule
from memory_layer.text.words import content_words

LONGEST = 8_192  #: characters read; longer texts are compared by their hash alone
SIMILAR_ABOVE = 0.92  #: cosine above which two texts are similar
CONTAINED_ABOVE = 0.80  #: cosine above which they are, if all content words of one are in the other
CONFLICT_ABOVE = 0.60  #: cosine above which a denial may concern the known text

_LEADING = re.compile(r"(?:[\s\"'“”‘’«»`¿¡]|[-*•]\s)+")
_TRAILING = ".,;:!?…\"'“”‘’«»`。、！？"
_IDENTIFIER = re.compile(r"_|[a-z][A-Z]")

#: The share of common content words from which two texts without vectors count as duplicates. It finds about as many
#: as a cosine of 0.92; at 0.7 and below, real rules begin to differ in meaning.
WORDS_ALIKE = 0.75


class DuplicateVerdict(Enum):
    """The relation of a new text to a known one."""

    NEW = "new"
    SAME = "same"
    SIMILAR = "similar"
    CONFLICT = "conflict"


def canonical(text: str) -> str:
    """Normalise case, white space and edge punctuation, so that equal texts compare equal.

    Identifiers keep their case: `http_proxy` and `HTTP_PROXY` are two things.
    """
    collapsed = " ".join(_lowered.answers(text if text.isascii() else unicodedata.normalize("NFC", text)))
    return _without_edges(collapsed) or collapsed


def _without_edges(text: str) -> str:
    """Strip edge punctuation attached to a word; a mark on its own ("the separator is ;") is content."""
    leading = _LEADING.match(text)
    text = text[leading.end() :] if leading else text
    bare = text.rstrip(_TRAILING)
    return bare if bare and not bare[-1].isspace() else text


def _lower(word: str) -> str:
    if word.isascii() and word.islower():
        return word
    if ("_" in word or not word[1:].islower()) and _IDENTIFIER.search(word):
        return word
    if word.isascii():
        return word.lower()
    return unicodedata.normalize("NFC", unicodedata.normalize("NFD", word).casefold())


_lowered = WordRule(lambda words: map(_lower, words))


def content_hash(project_id: str | None, text: str) -> str:
    """Hash the canonical text together with its project."""
    material = f"{project_id or ''}\0{canonical(text)}"
    return hashlib.sha256(material.encode("utf-8", "surrogatepass")).hexdigest()


def verdict(new: str, known: str, cosine: float, threshold: float = SIMILAR_ABOVE) -> DuplicateVerdict:
    """Classify a new text against a known one, given the cosine of their vectors."""
    if canonical(new) == canonical(known):
        return DuplicateVerdict.SAME
    if cosine <= min(threshold, CONTAINED_ABOVE, CONFLICT_ABOVE):
        return DuplicateVerdict.NEW
    from memory_layer.text.compare.guard import denies, differences  # most memories have no close neighbour

    if differences(new, known):
        return (
            DuplicateVerdict.CONFLICT
            if cosine > CONFLICT_ABOVE and denies(new, known)
            else DuplicateVerdict.NEW
        )
    if cosine > threshold or (cosine > CONTAINED_ABOVE and _contains(new, known)):
        return DuplicateVerdict.NEW if _adds_a_change(new, known) else DuplicateVerdict.SIMILAR
    return DuplicateVerdict.NEW


def _contains(a: str, b: str) -> bool:
    one, other = content_words(a), content_words(b)
    return bool(one and other) and (one <= other or other <= one)


def _adds_a_change(new: str, known: str) -> bool:
    """Does the new text say more than the known one, and that something is no longer so?"""
    from memory_layer.text.compare.close import tells_a_change

    says_more = content_words(new) > content_words(known)
    return says_more and tells_a_change(new) and not tells_a_change(known)


def repeats(text: str, better: str, cosine: float | None, threshold: float = SIMILAR_ABOVE) -> bool:
    """Return True for a near duplicate, or a text with the same meaning whose content words are all in the better one.

    A longer text never repeats a shorter one: it says more. `cosine` is None if either text has no single vector.
    """
    if canonical(text) == canonical(better):
        return True
    if max(len(text), len(better)) > LONGEST or not _is_close(text, better, cosine, threshold):
        return False
    from memory_layer.text.compare.guard import differences  # likewise

    return not differences(text, better)


def _is_close(text: str, better: str, cosine: float | None, threshold: float) -> bool:
    if cosine is not None and (cosine > threshold or cosine <= CONTAINED_ABOVE):
        return cosine > threshold
    ours, theirs = content_words(text), content_words(better)
    if cosine is not None:
        return bool(ours) and ours <= theirs
    return bool(ours) and len(ours & theirs) >= WORDS_ALIKE * len(ours | theirs)
