"""Secrets are taken out of every text before anything else sees it.

Two tables say what a secret is: `secret_formats` for tokens that are known by their looks, and
`secret_assignments` for values that are known by their name.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache

from memory_layer.errors import InvalidInput
from memory_layer.model.record import NamedTuple
from memory_layer.policy.hidden import ENCODING_STARTS, folded, readings
from memory_layer.policy.known_words import Trait
from memory_layer.policy.secret_addresses import URL_ANCHORS, in_links, in_urls
from memory_layer.policy.secret_assignments import assigned
from memory_layer.policy.secret_codes import (
    CODE_ANCHORS,
    CODE_SIGNS,
    CODE_WORDS,
    PHRASE_ANCHORS,
    in_codes,
    in_phrases,
)
from memory_layer.policy.secret_commands import COMMAND_ANCHORS, COMMAND_SIGNS, OPTIONS, in_commands
from memory_layer.policy.secret_formats import FORMATS, TOKEN_LENGTH, Format
from memory_layer.policy.secret_logins import LOGIN_ANCHORS, LOGIN_SIGNS, in_logins
from memory_layer.policy.secret_looks import MARKS
from memory_layer.policy.secret_prose import told
from memory_layer.policy.secret_tables import SQL_ANCHORS, in_sql, in_tables
from memory_layer.policy.secret_values import MARKER, Form, is_secret, without_markers
from memory_layer.policy.secret_words import NAME_ANCHORS, field_family, names_in

_NAMED_KINDS = ("password", "secret", "token", "key", "url-password", "command-password")
#: Every kind that can stand in a `[REDACTED:kind]`, the most telling first.
KINDS: tuple[str, ...] = tuple(dict.fromkeys([*(row.kind for row in FORMATS), *_NAMED_KINDS]))
DEEPEST_VALUE = 100  #: levels of nesting in a JSON value

#: Taking one secret out can lay bare another beside it: as many of a chain without gaps are found.
_PASSES = 32
_RANK = {kind: rank for rank, kind in enumerate(KINDS)}
#: Looking for a few letters is far cheaper than a pattern, and most texts hold none of them.
_ANCHORS = tuple((anchor, row) for row in FORMATS for anchor in row.anchors)
_SHORT = tuple((anchor, row) for anchor, row in _ANCHORS if row.length < TOKEN_LENGTH)
_LONG = tuple((anchor, row) for anchor, row in _ANCHORS if row.length >= TOKEN_LENGTH)
_ANY_CASE = tuple((anchor, row) for anchor, row in _LONG if anchor == anchor.lower())
_AS_WRITTEN = tuple((anchor, row) for anchor, row in _LONG if anchor != anchor.lower())
#: Fields that name what the field `value` beside them holds, and ends of fields that only describe a secret.
_LABELS = ("name", "key", "field", "label", "variable")
_DESCRIBING = ("name", "type", "kind", "description", "policy", "length", "date", "_at", "_in", "algorithm")
_Span = tuple[int, int, str]
_Finder = Callable[[str], Iterator[_Span]]
_FINDERS: tuple[tuple[tuple[str, ...], _Finder], ...] = (
    (LOGIN_ANCHORS, in_logins),
    (CODE_ANCHORS, in_codes),
    (PHRASE_ANCHORS, in_phrases),
    (URL_ANCHORS, in_urls),
    (URL_ANCHORS, in_links),
    (COMMAND_ANCHORS, in_commands),
    (SQL_ANCHORS, in_sql),
)
#: A text of short words with none of these, in which nothing is encoded or hidden and no word is striking, holds no
#: secret at all. None of them holds white space, so that a text has one if one of its words has.
_SIGNS = tuple(
    dict.fromkeys(
        [
            *ENCODING_STARTS,
            *(anchor for anchor, _ in _SHORT),
            *NAME_ANCHORS,
            *LOGIN_SIGNS,
            *CODE_SIGNS,
            *PHRASE_ANCHORS,
            *URL_ANCHORS,
            *COMMAND_SIGNS,
            *SQL_ANCHORS,
        ]
    )
)


class Redacted(NamedTuple):
    """A text without its secrets, and the kinds that were in it, each once, in order of appearance."""

    text: str
    kinds: tuple[str, ...] = ()


#: Ids that this program makes: one may end like the name of a secret, and another stand behind it.
_OWN_IDS = re.compile(r"(?:mem|out|op|rec|run)_[a-z2-7]{26}(?::mem_[a-z2-7]{26})?")


def redact(text: str) -> Redacted:
    """Put `[REDACTED:kind]` in place of every secret; what is already redacted stays as it is."""
    return Redacted(text) if _is_plain(text) or _OWN_IDS.fullmatch(text) else _looked_through(text)


def _is_plain(text: str) -> bool:
    """Whether a glance shows that the text holds no secret, as it does for most texts."""
    return all(_plain.of(text)) and folded(text) == text


def _are_plain(words: list[str]) -> list[bool]:
    together = " ".join(words).lower()
    signs = [sign for sign in _SIGNS if sign in together]
    return [
        len(word) < TOKEN_LENGTH
        and not (signs and any(map(word.lower().__contains__, signs)))
        and not (word in CODE_WORDS if word.isalpha() else _is_striking(word))
        for word in words
    ]


def _is_striking(word: str) -> bool:
    """Whether a single word looks like a password or announces one, which its letters alone do not tell."""
    if word.startswith("-"):
        return word[:2] in OPTIONS
    if len(word) >= 6 and not MARKS.isdisjoint(word) and any(map(str.isdigit, word)):
        return any(map(str.isalpha, word))
    return "@" in word[1:] or word.strip(".,:;!?()-\"'") in CODE_WORDS


_plain = Trait(_are_plain)


def _looked_through(text: str) -> Redacted:
    kinds: list[str] = []
    for _ in range(_PASSES):
        spans = _joined(_spans(text))
        if not spans:
            break
        kinds.extend(kind for _, _, kind in spans)
        text = _without(text, spans)
    return Redacted(text, tuple(dict.fromkeys(kinds)))


def redact_value(value: object) -> tuple[object, tuple[str, ...]]:
    """A JSON value without its secrets, in keys as in values, and the kinds that were in it."""
    kinds: list[str] = []
    return _clean(value, None, kinds, DEEPEST_VALUE), tuple(dict.fromkeys(kinds))


def _clean(value: object, family: str | None, kinds: list[str], levels: int) -> object:
    if levels == 0:
        raise InvalidInput(f"a value is nested deeper than {DEEPEST_VALUE} levels")
    if isinstance(value, Mapping):
        return _clean_pairs(value, family, kinds, levels)
    if isinstance(value, list | tuple):
        return _clean_items(value, family, kinds, levels)
    if isinstance(value, bool) or value is None:
        return value
    result = redact(value) if isinstance(value, str) else Redacted(str(value))
    kinds.extend(result.kinds)
    if family and is_secret(folded(without_markers(result.text)), family, Form.QUOTED):
        kinds.append(family)
        return f"{MARKER}{family}]"
    return result.text if isinstance(value, str) else value


def _clean_items(items: Sequence[object], family: str | None, kinds: list[str], levels: int) -> list[object]:
    cleaned: list[object] = []
    option = None
    for item in items:
        cleaned.append(_clean(item, option or family, kinds, levels - 1))
        option = field_family(folded(item)) if isinstance(item, str) and item.startswith("-") else None
    return cleaned


def _clean_pairs(
    pairs: Mapping[object, object], family: str | None, kinds: list[str], levels: int
) -> dict[object, object]:
    names = {folded(str(key)).lower(): value for key, value in pairs.items()}
    named = next((names[label] for label in _LABELS if isinstance(names.get(label), str)), "")
    cleaned: dict[object, object] = {}
    for key, value in pairs.items():
        name = folded(str(key))
        own = field_family(folded(str(named))) if name.lower() in ("value", "values") else field_family(name)
        inherited = None if name.lower().endswith(_DESCRIBING) else family
        kept = _clean(key, None, kinds, levels) if isinstance(key, str) else key
        while kept in cleaned:
            kept = f"{kept}+"
        cleaned[kept] = _clean(value, own or inherited, kinds, levels - 1)
    return cleaned


def _spans(text: str) -> Iterator[_Span]:
    yield from _found(text)
    for reading in readings(text):
        yield from reading.placed(_found(reading.text))


def _found(text: str) -> Iterator[_Span]:
    lowered = text.lower()
    longest = max(map(len, text.split()), default=0)
    rows = [row for anchor, row in _SHORT if anchor in lowered]
    if longest >= TOKEN_LENGTH:
        rows += [row for anchor, row in _ANY_CASE if anchor in lowered]
        rows += [row for anchor, row in _AS_WRITTEN if anchor in text]
    for row in dict.fromkeys(rows):
        if row.length <= longest:
            yield from _matches(row, text)
    if any(anchor in lowered for anchor in NAME_ANCHORS) and (names := names_in(text)):
        yield from assigned(text, names)
        yield from told(text, names)
        yield from in_tables(text)
        yield from in_sql(text)
    for anchors, finder in _FINDERS:
        if any(anchor in lowered for anchor in anchors):
            yield from finder(text)


def _matches(row: Format, text: str) -> Iterator[_Span]:
    for match in _compiled(row.pattern, row.touching).finditer(text):
        group = "secret" if "secret" in match.re.groupindex else 0
        value = match[group]
        if row.check(value):
            start, end = match.span(group)
            yield start, end - (len(value) - len(value.rstrip())), row.kind


@cache
def _compiled(pattern: str, touching: bool) -> re.Pattern[str]:
    if "(?P<secret>" not in pattern and not touching:
        pattern = rf"(?<![A-Za-z0-9])(?:{pattern})(?![A-Za-z0-9])"
    return re.compile(pattern, re.ASCII)


def _joined(spans: Iterable[_Span]) -> list[_Span]:
    """Overlapping finds made one, under the most telling kind."""
    joined: list[_Span] = []
    for start, end, kind in sorted(spans):
        if joined and start < joined[-1][1]:
            first, last, known = joined.pop()
            joined.append((first, max(last, end), min(known, kind, key=_RANK.__getitem__)))
        else:
            joined.append((start, end, kind))
    return joined


def _without(text: str, spans: list[_Span]) -> str:
    pieces: list[str] = []
    place = 0
    for start, end, kind in spans:
        pieces += [text[place:start], MARKER, kind, "]"]
        place = end
    return "".join([*pieces, text[place:]])
