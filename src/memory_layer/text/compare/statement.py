"""What a text affirms and what it denies, clause by clause."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from memory_layer.text.compare.lexicon import EXCLUSIVE, PERMISSION, TURNING, VERBS
from memory_layer.text.compare.sentences import BREAKS, DETERMINERS, Sentence, first_verb, negates, sentences
from memory_layer.text.compare.values import Mark, marks
from memory_layer.text.porter import stem
from memory_layer.text.words import ALIASES, FILLERS, terms

_LEADS = frozenset(
    "if when whenever while before after in for on during to at unless with since once without".split()
)
_ADJUNCTS = frozenset("for in on when during inside".split())
_LONGEST_LABEL = 4


@dataclass(frozen=True, slots=True)
class Clause:
    """A stretch of text that is affirmed or denied as one."""

    words: frozenset[str]  #: its content words
    tokens: frozenset[str]  #: all its words in lower case
    stems: frozenset[str]  #: their stems
    sign: int  #: 1 affirmed, -1 denied, 0 neither: a heading, or the X of "never X without Y"
    negation: str = ""  #: the word that denies it


def content(token: str) -> Iterator[str]:
    """The content words of a token, without those that only affirm or deny."""
    lower = token.lower()
    if not negates(lower) and lower not in TURNING:
        for term in terms(token):
            if term not in FILLERS and term not in PERMISSION:
                yield ALIASES.get(term, term)


def clauses(tokens: Sentence) -> Iterator[Clause]:
    """Cut a sentence where a new statement begins and give each its sign."""
    found: list[Clause] = []
    for starter, piece in _pieces(tokens):
        clause = _clause(piece)
        if starter in TURNING:
            clause = _turned(clause, starter, found)
        elif starter == ":" and len(found) == 1 and len(found[0].words) <= _LONGEST_LABEL:
            found[0] = replace(found[0], sign=0)
        found.append(clause)
    yield from found


def _clause(piece: Sentence) -> Clause:
    negations = [token.lower() for token in piece if negates(token.lower())]
    return Clause(
        words=frozenset(word for token in piece for word in content(token)),
        tokens=frozenset(token.lower() for token in piece),
        stems=frozenset(stem(token.lower()) for token in piece),
        sign=-1 if len(negations) % 2 else 1,
        negation=negations[0] if negations else "",
    )


def _turned(clause: Clause, starter: str, found: list[Clause]) -> Clause:
    """The opposite of what the clause before it says; "never X without Y" asks for Y and leaves X open."""
    before = found[-1].sign if found else 1
    if before < 0 and starter != "insteadof":
        found[-1] = replace(found[-1], sign=0)
    return replace(clause, sign=-clause.sign * (before or 1), negation=clause.negation or starter)


def _pieces(tokens: Sentence) -> Iterator[tuple[str, Sentence]]:
    """Each clause with the word that begins it."""
    starter = ""
    piece: Sentence = []
    for at, token in enumerate(tokens):
        lower = token.lower()
        if (
            lower in TURNING
            or lower in BREAKS
            or _resumes(starter, lower)
            or _comma_divides(tokens, at, piece)
        ):
            if piece:
                yield starter, piece
            starter, piece = lower, []
        piece.append(token)
    yield starter, piece


def _resumes(starter: str, lower: str) -> bool:
    """Whether, after "X instead of Y", something is said of X again."""
    return starter == "insteadof" and lower in _ADJUNCTS


def _comma_divides(tokens: Sentence, at: int, piece: Sentence) -> bool:
    """Whether a comma ends a leading clause or stands before an order, not between the items of a list."""
    if tokens[at] != ",":
        return False
    following = tokens[at + 1].lower() if at + 1 < len(tokens) else ""
    leading = bool(piece) and piece[0].lower() in _LEADS
    return leading or negates(following) or following == "always" or stem(following) in VERBS


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
