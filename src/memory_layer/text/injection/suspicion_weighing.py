"""How much of what a text asks for stands together: one act may be ordinary where three are not."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from functools import cache

from memory_layer.text.injection.acts import is_unspaced
from memory_layer.text.injection.suspicion_acts import CONDITIONAL, ENOUGH, FORBIDDEN, WEIGHTS, WITHIN, Act

_ONE_CLAUSE = 90  #: characters between what is done and to what
_ONE_SENTENCE = 160  #: characters in which the words of an act stand
_SENTENCE_END = r"[.!?;](?= |$)|[。！？；।]"
#: What forbids an act: before it in its clause, or in scripts without spaces anywhere in its sentence.
_FORBIDDING = (
    r"(?<!\w)(?:never|not|no|cannot|avoid|nor|nie|niemals|nicht|kein\w*|nunca|jamas|jamais|ne|pas|nao|non"
    r"|mai|niet|nooit"
    r"|geen|inte|aldrig|ikke|nigdy|zakaz\w*|prohibido|interdit\w*|verboten|не|нет|никогда|нельзя|запрещ\w*|nikdy|asla"
    r"|khong|jangan|tidak)(?!\w)|n't(?!\w)"
)
#: What is not needed is not forbidden.
_NEEDLESS = (
    r"\b(?:no need|not? need\w*|nao precisa\w*|no (?:necesit\w+|hace falta)|pas besoin|kein\w* (?:freigabe"
    r"|bestatigung|ruckfrage|genehmigung|erlaubnis|zustimmung)\w*|non serve"
    r"|не (?:нужно|надо|требуется))"
)
_CLAUSE = r"[,;:،、，]| (?:und|et|y|i|e|en|och|og|и|та|ve|lalu) "
_CONDITION = r"\b(?:when|once|if|after|until|unless|whether|before|because|only)\b"
_FORBIDDING_UNSPACED = (
    r"禁止|不要|不得|切勿|严禁|请勿|不能|不可|しない|ないで|せず"
    r"|마세요|말 것|지 마|금지|않|لا |ممنوع|न करें|नहीं|मत "
)

_Places = list[tuple[int, str]]
_Ends = Callable[[], list[int]]  #: where sentences end, worked out when it is asked


def weighed(acts: Sequence[Act], minor: Sequence[Act], bare: str) -> Iterator[str]:
    """The reasons in what a text asks for, where what stands close together weighs enough.

    The minor acts are looked for only where another one is found.
    """
    ends = cache(lambda: [match.start() for match in _compiled(_SENTENCE_END).finditer(bare)])
    found = {(place, act.name) for act in acts for place in _places(act, bare, ends)}
    if not found:
        return
    found |= {(place, act.name) for act in minor for place in _places(act, bare, ends)}
    near: _Places = []
    for place, name in _given_away(sorted(found), ends):
        near = [each for each in near if each[0] >= place - WITHIN and each[1] != name] + [(place, name)]
        names = [each[1] for each in near]
        if sum(WEIGHTS[each][0] for each in names) >= ENOUGH:
            yield WEIGHTS[max(names, key=lambda each: WEIGHTS[each][0])][1]


def _given_away(places: _Places, ends: _Ends) -> _Places:
    """The acts but those of giving away where nothing is said to be done with a secret."""
    secrets = [place for place, name in places if name == "secret"]
    carried = {
        place for place, name in places if name == "carry" and _is_near(place, secrets, _ONE_CLAUSE, ends)
    }
    return [
        (place, name)
        for place, name in places
        if name not in ("carry", "away", "secret") or place in carried or (name != "carry" and carried)
    ]


def plainly(text: str) -> str:
    """A text without the marks that only stress a word or quote it."""
    return " ".join(text.replace("*", " ").replace('"', " ").split()) if "*" in text or '"' in text else text


def may_show(act: Act, text: str) -> bool:
    """Whether the pattern of an act is found in a text, or a word of each group."""
    groups = (act.pattern,) if act.pattern else act.groups
    return all(_any_of(group).search(text) for group in groups)


def _places(act: Act, text: str, ends: _Ends) -> Iterator[int]:
    """Where a text shows an act."""
    groups = []
    for group in (act.pattern,) if act.pattern else act.groups:
        groups.append([match.start() for match in _any_of(group).finditer(text) if begins(text, match)])
        if not groups[-1]:
            return
    for place in groups[0]:
        near = (_is_near(place, other, _ONE_SENTENCE, ends) for other in groups[1:])
        if all(near) and not (act.name in FORBIDDEN and _is_forbidden(act.name, text, place, ends)):
            yield place


def begins(text: str, match: re.Match[str]) -> bool:
    """Whether a match begins with a word, or in a script that has no spaces."""
    start = match.start()
    if start == 0 or not text[start - 1].isalnum() or not text[start].isalnum() or text[start] >= "\u0590":
        return True
    return text.startswith("n't", start)


def _is_near(place: int, others: list[int], most: int, ends: _Ends) -> bool:
    """Whether one of several places stands close to another in the same sentence."""
    at = bisect_left(others, place)
    return any(
        abs(other - place) <= most and bisect_left(ends(), place) == bisect_left(ends(), other)
        for other in others[max(at - 1, 0) : at + 1]
    )


def _is_forbidden(name: str, text: str, place: int, ends: _Ends) -> bool:
    stops = ends()
    sentence = bisect_left(stops, place)
    start = stops[sentence - 1] if sentence else 0
    clause = re.split(_CLAUSE, text[max(start, place - 60) : place])[-1]
    if _compiled(_FORBIDDING).search(_compiled(_NEEDLESS).sub(" ", clause)):
        return True
    if name in CONDITIONAL and _compiled(_CONDITION).search(clause):
        return True
    rest = re.split(_CLAUSE, text[place : place + 14])[0]
    return _compiled(_FORBIDDING_UNSPACED).search(clause[-10:] + rest) is not None


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
