"""Find who does what to whom: the role of each word of a text, as far as word order tells.

"A calls B" and "B calls A" have the same words. What matters is whether two words have swapped places around a verb or
a preposition; "in B use A" and "use A in B" give each word the same role.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from memory_layer.model.record import NamedTuple
from memory_layer.text.compare.sentences import (
    AUXILIARIES,
    BREAKS,
    DETERMINERS,
    VERBS,
    Sentence,
    first_verb,
    negates,
)
from memory_layer.text.compare.statement import content
from memory_layer.text.porter import stem

_PREPOSITIONS = frozenset(
    "to from into onto in on at with by for of over under above below before after through via against toward towards"
    " between behind beside inside outside within without upon per across around during as than".split()
)
_BE = frozenset("is are was were be been being am = :".split())
_JOINING = frozenset("and or nor plus & versus vs".split())
_NEXT = "then"  #: separates steps in order
_LONGEST_SIDE = 6  #: words that are swapped as a group
_SUBJECT, _OBJECT = "subject", "object"


class WordRole(NamedTuple):
    """The role of a word for a verb: subject, object, or the preposition before it."""

    role: str
    verb: str


class TextRoles(NamedTuple):
    """The terms of a text that have exactly one role, and the word that each term stands for."""

    parts: Mapping[str, WordRole]
    shown: Mapping[str, str]


def roles_of(sentences: Sequence[Sentence]) -> TextRoles:
    """Find the role of each word of a text."""
    found: dict[str, set[WordRole]] = {}
    shown: dict[str, str] = {}
    for tokens in sentences:
        for clause in _clauses(tokens):
            for word, term, part in _roles_in(clause):
                found.setdefault(term, set()).add(part)
                shown.setdefault(term, word)
    return TextRoles({term: next(iter(parts)) for term, parts in found.items() if len(parts) == 1}, shown)


def swapped_words(one: TextRoles, other: TextRoles) -> tuple[str, str] | None:
    """Find two words that have swapped roles; return the pair as each text has it."""
    moved = {
        (part, there): term
        for term, part in one.parts.items()
        if (there := other.parts.get(term)) is not None and there != part
    }
    for (before, after), term in sorted(moved.items()):
        if before.verb == after.verb and (partner := moved.get((after, before))):
            return (
                f"{one.shown[term]} … {one.shown[partner]}",
                f"{other.shown[partner]} … {other.shown[term]}",
            )
    return None


def swapped_groups(one: Sequence[str], other: Sequence[str]) -> tuple[str, str] | None:
    """Find two groups of words that have swapped places in otherwise equal texts; return them as each text has them."""
    ours, theirs = [*map(stem, one)], [*map(stem, other)]
    if ours == theirs or sorted(ours) != sorted(theirs):
        return None
    begin = next(at for at, pair in enumerate(zip(ours, theirs, strict=True)) if pair[0] != pair[1])
    end = len(ours) - next(at for at in range(len(ours)) if ours[-1 - at] != theirs[-1 - at])
    before, behind = one[:begin], one[end:]
    ours, theirs, one, other = ours[begin:end], theirs[begin:end], one[begin:end], other[begin:end]
    for first in range(1, min(_LONGEST_SIDE, len(ours) - 1) + 1):
        for last in range(1, min(_LONGEST_SIDE, len(ours) - first) + 1):
            if theirs == [*ours[-last:], *ours[first:-last], *ours[:first]]:
                between = one[first:-last]
                is_swap = _separates(between) or _are_separate_statements(before, between, behind)
                is_swap = is_swap and _is_name(one[:first]) and _is_name(one[-last:])
                return (_quote(one, first, last), _quote(other, last, first)) if is_swap else None
    return None


def _quote(words: Sequence[str], first: int, last: int) -> str:
    return f"{' '.join(words[:first])} … {' '.join(words[-last:])}"


def _separates(between: Sequence[str]) -> bool:
    """Tell whether the words between two others give them different roles; a list or "is" does not."""
    if _NEXT in between:
        return True
    if any(word in _JOINING for word in between):
        return False
    if any(word in _PREPOSITIONS or stem(word) in VERBS for word in between):
        return True
    return "," not in between and any(word not in _BE for word in between)


def _are_separate_statements(before: Sequence[str], between: Sequence[str], behind: Sequence[str]) -> bool:
    """Tell whether two words joined by "and" each have words of their own, as in "X is red and Y is blue".

    Words that only one of them has may refer to both: "unit tests and integration tests in CI".
    """
    joints = [at for at, word in enumerate(between) if word in _JOINING]
    if len(joints) != 1 or "," in between:
        return False
    after_first, before_second = between[: joints[0]], between[joints[0] + 1 :]
    before_first, after_second = _last_statement(before), _first_statement(behind)
    return _differ(after_first, after_second) or _differ(before_first[::-1], before_second[::-1])


def _first_statement(words: Sequence[str]) -> Sequence[str]:
    end = next((at for at, word in enumerate(words) if word in _JOINING or word == ","), len(words))
    return words[:end]


def _last_statement(words: Sequence[str]) -> Sequence[str]:
    return _first_statement(words[::-1])[::-1]


def _differ(one: Sequence[str], other: Sequence[str]) -> bool:
    """Tell whether two sequences of words differ before either of them ends."""
    return any(stem(ours) != stem(theirs) for ours, theirs in zip(one, other, strict=False))


def _is_name(side: Sequence[str]) -> bool:
    """Tell whether words name something; "in CI" does not, and can be anywhere."""
    return not any(word in _PREPOSITIONS or word == "," for word in side)


def _clauses(tokens: Sentence) -> Iterator[Sentence]:
    """Split a sentence where another statement begins."""
    clause: Sentence = []
    for token in map(str.lower, tokens):
        if token in BREAKS and token != ":":
            if clause:
                yield clause
            clause = []
        else:
            clause.append(token)
    if clause:
        yield clause


def _roles_in(words: Sentence) -> Iterator[tuple[str, str, WordRole]]:
    """Yield each content word of a clause with its term and its role."""
    at = first_verb(words)
    verb, end, is_passive = _verb(words, at)
    if not verb:
        return
    role, has_noun = _SUBJECT if at else _OBJECT, False
    for place, word in enumerate(words):
        if at <= place < end:
            role, has_noun = _OBJECT, False
        elif word in _PREPOSITIONS:
            role, has_noun = word, False
        elif word == ",":  # behind the verb, what follows may belong to anything
            role, has_noun = _SUBJECT if place < at else "", False
        elif word in DETERMINERS and has_noun and role in _PREPOSITIONS:
            role, has_noun = _SUBJECT if place < at else _OBJECT, False
        elif role:
            for term in content(word):
                has_noun = True
                yield word, term, WordRole(_active_role(role) if is_passive else role, verb)


def _verb(words: Sentence, at: int) -> tuple[str, int, bool]:
    """Return the verb of a clause, where it ends, and whether it is passive; "" for no verb or a mere "is"."""
    end = at
    while end < len(words) and (words[end] in AUXILIARIES or negates(words[end])):
        end += 1
    passive = at < end and words[end - 1] not in _BE and any(word in _BE for word in words[at : end - 1])
    if passive and (end == len(words) or not words[end].endswith("ed")):
        return stem(words[end - 1]), end, True  # "is built by": a form that stands among the auxiliaries
    is_passive = end < len(words) and words[end].endswith("ed") and any(word in _BE for word in words[at:end])
    only_equates = at < end and words[end - 1] in _BE and not is_passive
    if end >= len(words) or only_equates:
        return "", end, False
    return stem(words[end]), end + 1, is_passive


def _active_role(role: str) -> str:
    """Convert a role to the active voice: what is called is the object, and the caller the subject."""
    return {_SUBJECT: _OBJECT, "by": _SUBJECT}.get(role, role)
