"""Where a text holds secrets, and whether a glance shows that it holds none.

`secret_formats` knows tokens by their looks; the other tables know values by what stands beside them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache

from memory_layer.policy.hidden import ENCODING_STARTS, folded, readings
from memory_layer.policy.known_words import Trait
from memory_layer.policy.secret_addresses import URL_ANCHORS, in_links, in_urls
from memory_layer.policy.secret_assignments import assigned
from memory_layer.policy.secret_codes import (
    CODE_ANCHORS,
    CODE_SIGNS,
    CODE_WORDS,
    PHRASE_ANCHORS,
    WIRELESS_ANCHORS,
    in_codes,
    in_phrases,
    in_wireless,
)
from memory_layer.policy.secret_commands import COMMAND_ANCHORS, COMMAND_SIGNS, OPTIONS, in_commands
from memory_layer.policy.secret_formats import FORMATS
from memory_layer.policy.secret_logins import LOGIN_ANCHORS, LOGIN_SIGNS, in_logins
from memory_layer.policy.secret_looks import MARKS
from memory_layer.policy.secret_prose import told
from memory_layer.policy.secret_shape import TOKEN_LENGTH, Format
from memory_layer.policy.secret_tables import SQL_ANCHORS, in_sql, in_tables
from memory_layer.policy.secret_words import NAME_ANCHORS, names_in

Span = tuple[int, int, str]
_Anchored = tuple[tuple[str, Format], ...]


def _by_case(rows: _Anchored) -> tuple[_Anchored, _Anchored]:
    """Those that are looked for in lower case, and those as they are written."""
    any_case = tuple((anchor, row) for anchor, row in rows if anchor == anchor.lower())
    return any_case, tuple((anchor, row) for anchor, row in rows if anchor != anchor.lower())


#: Looking for a few letters is far cheaper than a pattern, and most texts hold none of them.
_ANCHORS = tuple((anchor, row) for row in FORMATS for anchor in row.anchors)
_SHORT = tuple((anchor, row) for anchor, row in _ANCHORS if row.length < TOKEN_LENGTH)
_LONG = tuple((anchor, row) for anchor, row in _ANCHORS if row.length >= TOKEN_LENGTH)
#: Anchors that stand in the token itself, so in one of the long words, and those that may stand beside it.
_TOKENS = _by_case(tuple((anchor, row) for anchor, row in _LONG if "(?P<secret>" not in row.pattern))
_APART = _by_case(tuple((anchor, row) for anchor, row in _LONG if "(?P<secret>" in row.pattern))
_FINDERS: tuple[tuple[tuple[str, ...], Callable[[str], Iterator[Span]]], ...] = (
    (LOGIN_ANCHORS, in_logins),
    (CODE_ANCHORS, in_codes),
    (PHRASE_ANCHORS, in_phrases),
    (WIRELESS_ANCHORS, in_wireless),
    (URL_ANCHORS, in_urls),
    (URL_ANCHORS, in_links),
    (COMMAND_ANCHORS, in_commands),
    (SQL_ANCHORS, in_sql),
)
#: A text of short words with none of these, in which nothing is encoded or hidden and no word is striking, holds no
#: secret at all. None of them holds white space, so that a text has one if one of its words has.
_ALL_SIGNS = dict.fromkeys(
    [
        *ENCODING_STARTS,
        *(anchor for anchor, _ in _SHORT),
        *(*NAME_ANCHORS, *LOGIN_SIGNS, *CODE_SIGNS, *PHRASE_ANCHORS, *WIRELESS_ANCHORS, *URL_ANCHORS),
        *(*COMMAND_SIGNS, *SQL_ANCHORS),
    ]
)
#: One that holds another sign shows nothing more.
_SIGNS = tuple(sign for sign in _ALL_SIGNS if not any(other in sign for other in _ALL_SIGNS if other != sign))
_PLAIN_SIGNS = tuple(filter(str.isascii, _SIGNS))
#: What one of several words has if any of them is striking.
_STRIKING = re.compile(rf"[0-9@]|(?<!\S)-|{'|'.join(CODE_WORDS)}")


def is_plain(text: str) -> bool:
    """Tell whether a glance shows that the text holds no secret, as it does for most texts."""
    return all(_plain.of(text)) and folded(text) == text


def _are_plain(words: list[str]) -> list[bool]:
    together = " ".join(words)
    lowered = together.lower()
    signs = [sign for sign in (_PLAIN_SIGNS if together.isascii() else _SIGNS) if sign in lowered]
    striking = _STRIKING.search(together)
    return [
        len(word) < TOKEN_LENGTH
        and not (signs and any(map(word.lower().__contains__, signs)))
        and not (striking and _is_striking(word))
        for word in words
    ]


def _is_striking(word: str) -> bool:
    """Tell whether a single word looks like a password or announces one, which its letters alone do not show."""
    if word.startswith("-"):
        return word[:2] in OPTIONS or word in OPTIONS
    if len(word) >= 6 and not MARKS.isdisjoint(word) and any(map(str.isdigit, word)):
        return any(map(str.isalpha, word))
    return "@" in word[1:] or word.strip(".,:;!?()-\"'") in CODE_WORDS


_plain = Trait(_are_plain)


def spans(text: str) -> Iterator[Span]:
    """Where secrets stand in the text, as it is written and as it reads once nothing in it is encoded or hidden."""
    yield from _found(text)
    for reading in readings(text):
        yield from reading.placed(_found(reading.text))


def _found(text: str) -> Iterator[Span]:
    lowered = text.lower()
    yield from _formatted(text, lowered)
    if names := names_in(text, lowered):
        yield from assigned(text, names)
        yield from told(text, names)
        yield from in_tables(text)
        yield from in_sql(text)
    for anchors, finder in _FINDERS:
        if any(map(lowered.__contains__, anchors)):
            yield from finder(text)


def _formatted(text: str, lowered: str) -> Iterator[Span]:
    words = text.split()
    longest = max(map(len, words), default=0)
    rows = [row for anchor, row in _SHORT if anchor in lowered]
    if longest >= TOKEN_LENGTH:
        tokens = " ".join([word for word in words if len(word) >= TOKEN_LENGTH])
        for within, lowered_part, (any_case, as_written) in (
            (text, lowered, _APART),
            (tokens, tokens.lower(), _TOKENS),
        ):
            rows += [row for anchor, row in any_case if anchor in lowered_part]
            rows += [row for anchor, row in as_written if anchor in within]
    for row in dict.fromkeys(rows):
        if row.length <= longest:
            yield from _matches(row, text)


def _matches(row: Format, text: str) -> Iterator[Span]:
    pattern = _compiled(row.pattern, row.touching)
    group = "secret" if "secret" in pattern.groupindex else 0
    match = pattern.search(text)
    while match:
        start, end = match.span(group)
        value = match[group]
        if row.check(value):
            end = _before_the_next(text, end)
            yield start, end - (len(value) - len(value.rstrip())), row.kind
        match = pattern.search(text, max(end, match.start() + 1))


def _before_the_next(text: str, end: int) -> int:
    """Where a token ends that ran into the first letters of another, which would no longer be known without them."""
    place = max(0, end - _LONGEST_ANCHOR)
    while following := _beginnings().search(text, place, end + _LONGEST_ANCHOR):
        if following.start() >= end:
            break
        if following.end() > end:
            return following.start()
        place = following.start() + 1
    return end


_LONGEST_ANCHOR = max(len(anchor) for anchor, _ in _ANCHORS)


@cache
def _beginnings() -> re.Pattern[str]:
    """Find what tokens begin with that are not made of letters and digits alone."""
    anchors = {anchor for rows in _TOKENS for anchor, _ in rows if len(anchor) > 2 and not anchor.isalnum()}
    return re.compile("|".join(map(re.escape, sorted(anchors, key=len, reverse=True))), re.IGNORECASE)


@cache
def _compiled(pattern: str, touching: bool) -> re.Pattern[str]:
    if "(?P<secret>" not in pattern and not touching:
        pattern = rf"(?<![A-Za-z0-9])(?:{pattern})(?![A-Za-z0-9])"
    return re.compile(pattern, re.ASCII)
