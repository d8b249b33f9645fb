"""What a text affirms and what it denies, clause by clause."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from memory_layer.text.common_words import ALIASES, FILLERS
from memory_layer.text.compare.lexicon import PERMISSION, TURNING, VERBS
from memory_layer.text.compare.sentences import BREAKS, Sentence, negates
from memory_layer.text.porter import stem
from memory_layer.text.words import terms

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
