"""A text as the guard against false duplicates compares it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from memory_layer.text.common_words import ALIASES
from memory_layer.text.compare.lexicon import EXCLUSIVE
from memory_layer.text.compare.sentences import DETERMINERS, Sentence, first_verb, sentences
from memory_layer.text.compare.statement import Clause, clauses, content
from memory_layer.text.compare.values import Mark, marks
from memory_layer.text.porter import stem
from memory_layer.text.words import terms

LONGEST = 8_192  #: characters read; longer texts are compared by their hash alone
_SKIPPED = DETERMINERS | frozenset(",:=()")


@dataclass(frozen=True, slots=True)
class Reading:
    """What a text says, as far as rules can tell."""

    marks: tuple[Mark, ...]
    clauses: tuple[Clause, ...]
    line: str  #: its terms in order, each between spaces, one form for several spellings
    words: frozenset[str]  #: its content words
    stems: frozenset[str]  #: the stems of all its words
    subject: frozenset[str]  #: the content words before its first verb
    tokens: tuple[str, ...]  #: its words in lower case, without articles and punctuation
    sentences: tuple[Sentence, ...]


@lru_cache(maxsize=1024)
def read(text: str) -> Reading:
    """Read a text once for all comparisons it takes part in."""
    text = text[:LONGEST]
    found = sentences(text)
    parts = tuple(clause for tokens in found for clause in clauses(tokens))
    return Reading(
        marks=tuple(mark for tokens in found for mark in marks(tokens)),
        clauses=parts,
        line=f" {' '.join(ALIASES.get(term, term) for term in terms(text))} ",
        words=frozenset(word for clause in parts for word in clause.words),
        stems=frozenset(word for clause in parts for word in clause.stems),
        subject=frozenset(word for tokens in found[:1] for word in _subject(tokens)),
        tokens=tuple(word for tokens in found for word in map(str.lower, tokens) if word not in _SKIPPED),
        sentences=tuple(found),
    )


def _subject(tokens: Sentence) -> list[str]:
    """The content words before the first verb; none if a thing has only one such subject at a time."""
    words = [token.lower() for token in tokens]
    verb = first_verb(words)
    if EXCLUSIVE & {stem(word) for word in words[verb : verb + 1]}:
        return []
    return [word for token in tokens[:verb] for word in content(token)]
