"""Secrets that a sentence tells: `the password X works`, `X is the token`, `log in as bob with X`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from memory_layer.policy.secret_looks import MARKS, looks_chosen, looks_issued, looks_random
from memory_layer.policy.secret_values import MARKER
from memory_layer.policy.secret_words import NAME, family, name_places, opens

#: A text without any of these tells of no login, unless a value in it looks marked.
LOGIN_ANCHORS = ("login", "creds", "credential", "zugang", "username")

_BEHIND = 160  #: characters after a name in which a value may be its own
_AHEAD = 80  #: characters before it
_QUOTES = "\"'`“”‘’«»„「」*("
_VALUE = r"[^\s\"'`<>|,;()（）「」“”‘’«»，。：]{4,512}"
_VERBS = (
    r"is|was|are|be|ist|war|lautet|ist|sei|es|era|est|este|jest|to|je|e|é|è|är|ar|er|είναι|это|будет|adalah|là"
    r"|equals|becomes|reads|called|named|now|jetzt|nun|ahora"
)
#: What leads from a name to its value: nothing, a sign or a verb, and small words and marks beside it.
_LINK = (
    rf"(?:(?P<sign>[:=→]|=>|->|[ ][—–-](?=[ ]))|(?P<verb>(?<![\w])(?:{_VERBS})(?![\w])|是|为|為|は|は、|는|은|이))"
    rf"\s{{0,4}}(?:(?:now|still|currently|set|reset|changed|to|jetzt|nun|:)[ \t]{{1,4}}){{0,3}}[{_QUOTES}]{{0,3}}(?={_VALUE})"
)
_AT_ONCE = rf"[a-zåäöé]{{0,3}}[ \t]{{0,3}}[{_QUOTES}]{{0,3}}(?={_VALUE})"
#: What stands between a value and the name that follows it.
_NAMED_AFTER = (
    r"(?P<value>[^\s\"'`<>|,;()]{6,512})[\"'`”’»]?[ ](?:is|was|are|as|ist|war|als|es|est|como|comme|for|für)"
    r"(?:[ ][\w'’-]{1,20}){0,4}[ ]?\Z"
)
#: A word directly before a value that says the value is no secret.
_OPEN_LABELS = frozenset(
    "commit sha hash digest checksum fingerprint id uuid guid ids kid version build image tag revision rev path file"
    " url branch ticket trace public example placeholder fake dummy sample sha1 sha256 sha512 md5 etag ref release"
    " package bucket host hostname serial thumbprint header field column variable env class function method nonce"
    " user username login account client email slot regex pattern format".split()
)
#: A name with the ending that a language gives it.
NAME_IN_PROSE = NAME.replace("(?![A-Za-z])", "(?:[a-z]{0,3}(?![A-Za-z]))", 1)
_WIRELESS = r"(?i:wlan|wi-?fi|ssid)"
_LOGIN = (
    r"(?i:\b(?:log(?:ged|s)?[ -]?in(?:to)?|sign(?:ed|s)?[ -]?in(?:to)?|logins?|creds?|credentials?|zugang\w{0,8}"
    r"|zugänge|anmeldung|credenziali|credenciales|identifiants|basic[ -]?auth|user(?:name)?|konto|usuario|benutzer"
    r"|utilisateur|account|access|admin|tenant))\b(?P<rest>[^\n]{1,120})"
)
_PAIR = (
    r"(?<![\w@/.:-])[\w.+@-]{2,40}[\"'`”“]?(?:[ ]?[/:|+][ ]?|,[ ]|[ ][—–-][ ]|[ ](?:and|und|y|et|e|with|mit|con|avec)[ ])"
    r"[\"'`“„]?(?P<value>[^\s\"'`“”<>|,;()]{6,64})"
)
_SLASHED = r"(?<![\w/.])[\w.+@-]{2,40}[ ][/|][ ](?P<value>[^\s\"'`“”<>|,;()]{6,64})"


@cache
def _compiled(source: str) -> re.Pattern[str]:
    return re.compile(source, re.ASCII | re.VERBOSE)


@cache
def _pattern(source: str) -> re.Pattern[str]:
    return re.compile(source)


def told(text: str) -> Iterator[tuple[int, int, str]]:
    """Where a value stands near a word that announces it."""
    for place in name_places(text):
        match = _compiled(NAME_IN_PROSE).match(text, place)
        if match is None or not opens(text[max(0, place - 60) : place], match["name"]):
            continue
        kind = _kind(text, place, match["name"])
        for start, value in _near(text, place, match.end(), kind):
            if not _labelled(text, start):
                yield start, start + len(value), kind


def _kind(text: str, place: int, name: str) -> str:
    """Return what the name announces; the key to a wireless network is a password."""
    kind = family(name)
    return "password" if kind == "key" and _pattern(_WIRELESS).search(text, max(0, place - 80), place) else kind


def _near(text: str, place: int, end: int, kind: str) -> Iterator[tuple[int, str]]:
    limit = min(len(text), end + _BEHIND)
    at_once = _pattern(_AT_ONCE).match(text, end, limit)
    if at_once and at_once.end() > end:
        value = _value_at(text, at_once.end())
        if looks_issued(value) or (kind == "password" and looks_chosen(value)):
            yield at_once.end(), value
    for link in _pattern(_LINK).finditer(text, end, limit):
        value = _value_at(text, link.end())
        if looks_issued(value) or (kind in ("password", "secret") and looks_chosen(value)):
            if link["sign"] == ":" or not _pattern(r"[.!?][ \n]").search(text, end, link.start()):
                yield link.end(), value
    yield from _random_ones(text, end, limit)
    yield from _random_ones(text, max(0, place - _AHEAD), place)
    before = _pattern(_NAMED_AFTER).search(text, max(0, place - _AHEAD - 40), place)
    if before and looks_chosen(before["value"]) and _follows_as_noun(text, end):
        yield before.start("value"), before["value"]


def _random_ones(text: str, first: int, last: int) -> Iterator[tuple[int, str]]:
    for match in _pattern(_VALUE).finditer(text, first, last):
        start = match.start()
        if start == 0 or text[start - 1].isspace() or text[start - 1] in _QUOTES:
            value = _value_at(text, start)
            if looks_random(value):
                yield start, value


def _follows_as_noun(text: str, end: int) -> bool:
    """Tell whether the name ends its phrase, so that it is not only part of another noun."""
    return bool(_pattern(r"\Z|[^\w\s-]|\s+(?:for|of|on|in|to|at|and|but|which|that|until|für|von|der|de|del|\W)").match(text, end))


def _value_at(text: str, start: int) -> str:
    match = _pattern(_VALUE).match(text, start)
    return "" if match is None or MARKER in match[0] else match[0].rstrip(".:…*")


def _labelled(text: str, start: int) -> bool:
    words = _pattern(r"[A-Za-z0-9]+").findall(text[max(0, start - 24) : start])
    return bool(words) and words[-1].lower() in _OPEN_LABELS


def in_logins(text: str) -> Iterator[tuple[int, int, str]]:
    """Where a login is told as a user and a password."""
    for match in _pattern(_LOGIN).finditer(text):
        for pair in _pattern(_PAIR).finditer(text, *match.span("rest")):
            value = pair["value"].rstrip(".:…*")
            if _is_marked(value) or looks_random(value, 10):
                yield pair.start("value"), pair.start("value") + len(value), "password"
    for pair in _pattern(_SLASHED).finditer(text) if " / " in text or " | " in text else ():
        value = pair["value"].rstrip(".:…*")
        if _is_marked(value):
            yield pair.start("value"), pair.start("value") + len(value), "password"


def _is_marked(value: str) -> bool:
    """Tell whether a value has a digit and one of the marks that only passwords have."""
    return looks_chosen(value) and any(map(str.isdigit, value)) and not value.isalnum() and any(
        c in MARKS or c == "." for c in value[1:]
    )
