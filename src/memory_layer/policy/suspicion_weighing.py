"""How much of what a text asks for stands together: one act may be ordinary where three are not."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import cache

from memory_layer.policy.suspicion_acts import ACTS, CONDITIONAL, ENOUGH, FORBIDDEN, WEIGHTS, WITHIN, Act

__all__ = ["ACTS", "is_unspaced", "weighed"]

_ONE_CLAUSE = 90  #: characters between what is done and to what
_ONE_SENTENCE = 160  #: characters in which the words of an act stand
_SENTENCE_END = re.compile(r"[.!?;](?= |$)|[。！？；।]")
#: What forbids an act: before it in its clause, or in scripts without spaces anywhere in its sentence.
_FORBIDDING = (
    r"(?<!\w)(?:never|not|no|cannot|avoid|nor|nie|niemals|nicht|kein\w*|nunca|jamas|jamais|ne|pas|nao|non|mai|niet|nooit"
    r"|geen|inte|aldrig|ikke|nigdy|zakaz\w*|prohibido|interdit\w*|verboten|не|нет|никогда|нельзя|запрещ\w*|nikdy|asla"
    r"|khong|jangan|tidak)(?!\w)|n't(?!\w)"
)
#: What is not needed is not forbidden.
_NEEDLESS = (
    r"\b(?:no need|not? need\w*|nao precisa\w*|no (?:necesit\w+|hace falta)|pas besoin|keine? \w+|non serve"
    r"|не (?:нужно|надо|требуется))"
)
_CONDITION = r"\b(?:when|once|if|after|until|unless|whether|before|because|only|that|who|which)\b"
_FORBIDDING_UNSPACED = (
    r"禁止|不要|不得|切勿|严禁|请勿|不能|不可|しない|ないで|せず|마세요|말 것|지 마|금지|않|لا |ممنوع|न करें|नहीं|मत "
)

_Places = list[tuple[int, str]]


def weighed(acts: Sequence[Act], text: str) -> Iterator[str]:
    """The reasons in what a text asks for, where what stands close together weighs enough."""
    rows: dict[str, list[Act]] = {}
    for act in acts:
        rows.setdefault(act.name, []).append(act)
    if _most(rows) < ENOUGH:
        return
    bare = " ".join(text.replace("*", " ").replace('"', " ").split())
    ends = [match.start() for match in _SENTENCE_END.finditer(bare)]
    near: _Places = []
    for place, name in _given_away(_found(rows, bare, ends), ends):
        near = [each for each in near if each[0] >= place - WITHIN and each[1] != name] + [(place, name)]
        names = [each[1] for each in near]
        if sum(WEIGHTS[each][0] for each in names) >= ENOUGH:
            yield WEIGHTS[max(names, key=lambda each: WEIGHTS[each][0])][1]


def _most(names: dict[str, list[Act]]) -> int:
    """How much these acts weigh at most; giving away is nothing without a secret."""
    return sum(
        WEIGHTS[name][0] for name in names if name not in ("carry", "away") or {"carry", "secret"} <= names.keys()
    )


def _found(rows: dict[str, list[Act]], text: str, ends: list[int]) -> _Places:
    """Where a text shows acts, the weightiest looked for first and no more once the rest is too little."""
    places: set[tuple[int, str]] = set()
    left = dict(rows)
    for name in [name for name in WEIGHTS if name in rows]:
        if _most(left) < ENOUGH:
            return []
        shown = {(place, name) for act in rows[name] for place in _places(act, text, ends)}
        places |= shown
        if not shown:
            del left[name]
    return sorted(places)


def _given_away(places: _Places, ends: list[int]) -> _Places:
    """The acts but those of giving away that have no secret for their object."""
    secrets = [place for place, name in places if name == "secret"]
    carried = {
        place for place, name in places if name == "carry" and _is_near(place, secrets, _ONE_CLAUSE, ends)
    }
    return [
        (place, name)
        for place, name in places
        if name not in ("carry", "away") or place in carried or (name == "away" and carried)
    ]


def _places(act: Act, text: str, ends: list[int]) -> Iterator[int]:
    """Where a text shows an act."""
    groups = []
    for group in (act.pattern,) if act.pattern else act.groups:
        groups.append([match.start() for match in _any_of(group).finditer(text) if _begins(text, match)])
        if not groups[-1]:
            return
    for place in groups[0]:
        near = (_is_near(place, other, _ONE_SENTENCE, ends) for other in groups[1:])
        if all(near) and not (act.name in FORBIDDEN and _is_forbidden(act.name, text, place, ends)):
            yield place


def _begins(text: str, match: re.Match[str]) -> bool:
    """Whether a match begins with a word, or in a script that has no spaces."""
    start = match.start()
    return start == 0 or not text[start - 1].isalnum() or not text[start].isalnum() or text[start] >= "\u0590"


def _is_near(place: int, others: list[int], most: int, ends: list[int]) -> bool:
    """Whether one of several places stands close to another in the same sentence."""
    at = bisect_left(others, place)
    return any(
        abs(other - place) <= most and bisect_left(ends, place) == bisect_left(ends, other)
        for other in others[max(at - 1, 0) : at + 1]
    )


def _is_forbidden(name: str, text: str, place: int, ends: list[int]) -> bool:
    sentence = bisect_left(ends, place)
    start = ends[sentence - 1] if sentence else 0
    clause = re.split(r"[,;:]", text[max(start, place - 60) : place])[-1]
    if _compiled(_FORBIDDING).search(_compiled(_NEEDLESS).sub(" ", clause)):
        return True
    if name in CONDITIONAL and _compiled(_CONDITION).search(clause):
        return True
    end = ends[sentence] if sentence < len(ends) else len(text)
    return _compiled(_FORBIDDING_UNSPACED).search(text, start, min(end + 1, place + 200)) is not None


def is_unspaced(word: str) -> bool:
    """Whether words of this script run on into others, before them or behind."""
    return any(char >= "\u0590" for char in word) and not any("\u1e00" <= char <= "\u1fff" for char in word)


@cache
def _any_of(words: tuple[str, ...] | str) -> re.Pattern[str]:
    """A pattern that begins with letters, by which places are found quickly."""
    if isinstance(words, str):
        return re.compile(re.sub(r"(^|\|)\\b", r"\1", words))
    return re.compile("|".join(map(_word, words)))


def _word(written: str) -> str:
    if is_unspaced(written):
        return re.escape(written.rstrip("*"))
    pattern = re.escape(written).replace(r"\*", r"\w*")
    return pattern if written.endswith(("*", " ")) else rf"{pattern}(?!\w)"


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)
