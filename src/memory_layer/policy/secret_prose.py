"""Secrets that a sentence tells: `the password X works`, `X is the token`, `log in as bob with X`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from memory_layer.policy.secret_looks import MARKS, looks_chosen, looks_issued, looks_random
from memory_layer.policy.secret_values import MARKER
from memory_layer.policy.secret_words import NAME, family, is_sealed, looks_things_up, name_places, opens

#: A text without any of these tells of no login, unless a value in it looks marked.
LOGIN_ANCHORS = (
    *("login", "creds", "credential", "zugang", "zugänge", "username", "credenz", "identifiants", "admin", "basic"),
    *("@", "opens", "unlock", "decrypt", "öffn", "entsperr"),
)

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
    rf"(?:(?P<sign>[:=](?=[\s{_QUOTES}])|→|=>|->|[ ][—–-](?=[ ]))|(?P<verb>(?<![\w])(?:{_VERBS})(?![\w])|是|为|為|は|は、|는|은|이))"
    rf"\s{{0,4}}(?:(?:now|still|currently|set|reset|changed|to|jetzt|nun|:)[ \t]{{1,4}}){{0,3}}[{_QUOTES}]{{0,3}}(?={_VALUE})"
)
_AT_ONCE = rf"[:=]?[ \t]{{0,3}}[{_QUOTES}]{{0,3}}(?={_VALUE})"
#: What stands between a value and the name that follows it.
_NAMED_AFTER = (
    r"(?P<value>[^\s\"'`<>|,;()]{6,512})[\"'`”’»]?[ ](?:is|was|are|as|ist|war|als|es|est|como|comme|for|für)"
    r"(?:[ ][\w'’-]{1,20}){0,4}[ ]?\Z"
)
#: A word directly before a value that says the value is no secret.
_OPEN_LABELS = frozenset(
    "commit sha hash digest checksum fingerprint id uuid guid ids kid version revision rev public example placeholder"
    " fake dummy sample sha1 sha256 sha512 md5 etag ref nonce serialnumber thumbprint regex pattern format".split()
)
#: The same, unless a sign such as a colon parts them.
_HOLDERS = frozenset(
    "build image tag path file url branch ticket trace release package bucket host hostname serial header field column"
    " variable env class function method user username login account client email slot".split()
)
#: Words that make another noun of the name before them.
_NOUNS = frozenset(
    "field policy hash hashing reset manager store length rules provider type format algorithm issuer endpoint service"
    " name id budget count limit bucket based encoder encoding auth authentication login form page input file path"
    " header column scope scopes rotation refresh prompt flow check checker validator validation less".split()
)
_WIRELESS = r"(?i:wlan|wi-?fi|ssid)"
_LOGIN = (
    r"(?i:\b(?:log(?:ged|s)?[ -]?in(?:to)?|sign(?:ed|s)?[ -]?in(?:to)?|logins?|creds?|credentials?|zugang\w{0,8}"
    r"|zugänge|anmeldung|credenziali|credenciales|identifiants|basic[ -]?auth|user(?:name)?|konto|usuario|benutzer"
    r"|utilisateur|account|access|admin(?:istrator)?|root|tenant))\b[^\n]{1,120}"
)
_PAIR = (
    r"(?<![\w@/.:-])[\w.+@-]{2,40}[\"'`”“]?(?:(?P<tight>[ ][—–→/][ ])|[ ]?[/:|+][ ]?|,[ ]|[ ](?:and|und|y|et|e|with|mit|con|avec)[ ])"
    r"[\"'`“„]?(?P<value>[^\s\"'`“”<>|,;()]{6,64})"
)
_MAILED = (
    r"[\w.+-]{1,40}@[\w-]{1,40}(?:\.[\w-]{1,20}){1,3}[)\"'`]?(?:[ ]?[/|:,][ ]?|[ ](?:[—–→-]|and|und|y|et|e|with|mit|con|avec|pw)[ ])"
    r"[\"'`“„(]?(?P<value>[^\s\"'`“”<>|,;()]{6,64})"
)
_OPENED = (
    r"(?i:\b(?:open|unlock|decrypt|encrypt|protect|öffne|entsperr|entschlüssel|verschlüssel|abre|ouvr)\w{0,4}(?:[ ]\w{1,12}){0,3}"
    r"[ ](?:with|using|mit|con|avec)[ ])[\"'`“„]?(?P<value>[^\s\"'`“”<>|,;()]{6,64})"
)
_SLASHED = r"(?<![\w/.])[\w.+@-]{2,40}[ ][/|][ ](?P<value>[^\s\"'`“”<>|,;()]{6,64})"


@cache
def _compiled(source: str) -> re.Pattern[str]:
    return re.compile(source, re.VERBOSE)


@cache
def _pattern(source: str) -> re.Pattern[str]:
    return re.compile(source)


def told(text: str) -> Iterator[tuple[int, int, str]]:
    """Where a value stands near a word that announces it."""
    for place in name_places(text):
        match = _compiled(NAME).match(text, place)
        if match is None or is_sealed(text, place) or _is_verb(text, match):
            continue
        owner = text[max(0, place - 60) : place]
        kind = _kind(text, place, match["name"])
        found = _near if opens(owner, match["name"]) else _long_ones
        if found is _long_ones and (kind != "key" or looks_things_up(owner)):
            continue
        for start, value in found(text, place, match.end(), kind):
            if not _labelled(text, start):
                yield start, start + len(value), kind


def _is_verb(text: str, match: re.Match[str]) -> bool:
    """Tell whether `pass` only says what is done with something."""
    told_as_noun = _pattern(r"[ \t]{0,2}=" if match["name"] == "PASS" else r"[ \t]{0,2}[:=]|[ ](?:is|for|of)[ ]")
    return match["name"].lower() == "pass" and not told_as_noun.match(text, match.end())


def _kind(text: str, place: int, name: str) -> str:
    """Return what the name announces; the key to a wireless network is a password."""
    kind = family(name)
    return "password" if kind == "key" and _pattern(_WIRELESS).search(text, max(0, place - 80), place) else kind


def _long_ones(text: str, place: int, end: int, kind: str) -> Iterator[tuple[int, str]]:
    """Values that a key of no telling owner is given; a name in a table is shorter or spells something."""
    for start, value in _near(text, place, end, kind):
        if len(value) >= 16:
            yield start, value


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
    if not text[place : place + 4].lower().startswith(("pass", "pw", "secr", "toke", "key", "cred")):
        yield from _chosen_ones(text, end, limit)
    yield from _random_ones(text, end, limit, place)
    yield from _random_ones(text, max(0, place - _AHEAD), place, place)
    before = _pattern(_NAMED_AFTER).search(text, max(0, place - _AHEAD - 40), place)
    if before and looks_chosen(before["value"]) and _follows_as_noun(text, end):
        yield before.start("value"), before["value"]


def _chosen_ones(text: str, first: int, last: int) -> Iterator[tuple[int, str]]:
    """Values in a sentence of another language, whose words and endings nobody can list."""
    stop = _pattern(r"[.!?](?:\s|\Z)|\n").search(text, first, last)
    for match in _pattern(_VALUE).finditer(text, first, stop.start() if stop else last):
        value = _value_at(text, match.start())
        if looks_chosen(value) and any(map(str.isdigit, value)) and any(map(str.isupper, value)):
            yield match.start(), value


def _random_ones(text: str, first: int, last: int, place: int) -> Iterator[tuple[int, str]]:
    for match in _pattern(_VALUE).finditer(text, first, last):
        start = match.start()
        if start == 0 or text[start - 1].isspace() or text[start - 1] in _QUOTES:
            value = _value_at(text, start)
            if looks_random(value) and not start < place < start + len(value):
                yield start, value


def _follows_as_noun(text: str, end: int) -> bool:
    """Tell whether the name ends its phrase, so that it is not only part of another noun."""
    follower = _pattern(r"[ -]?(\w*)").match(text, end)
    return follower is None or follower[1].lower() not in _NOUNS


def _value_at(text: str, start: int) -> str:
    match = _pattern(_VALUE).match(text, start)
    if match is None or MARKER in match[0]:
        return ""
    return _pattern(r"&(?:amp;)?[\w.-]{1,40}=").split(match[0], maxsplit=1)[0].rstrip(".:…*")


def _labelled(text: str, start: int) -> bool:
    label = _pattern(r"([A-Za-z0-9]+)([^A-Za-z0-9]*)\Z").search(text, max(0, start - 24), start)
    if label is None:
        return False
    word = label[1].lower()
    return word in _OPEN_LABELS or (word in _HOLDERS and not any(sign in label[2] for sign in ":=\n"))


def in_logins(text: str) -> Iterator[tuple[int, int, str]]:
    """Where a login is told as a user and a password."""
    for match in _pattern(_LOGIN).finditer(text):
        for pair in _pattern(_PAIR).finditer(text, *match.span()):
            value = pair["value"].rstrip(".:…*")
            if _is_marked(value) or looks_random(value, 8) or (pair["tight"] and _has_digit(value)):
                yield pair.start("value"), pair.start("value") + len(value), "password"
    for source, suits in ((_SLASHED, _is_marked), (_MAILED, _has_digit), (_OPENED, _is_capitalised)):
        for pair in _pattern(source).finditer(text):
            value = pair["value"].rstrip(".:…*")
            if suits(value):
                yield pair.start("value"), pair.start("value") + len(value), "password"


def _is_capitalised(value: str) -> bool:
    return looks_chosen(value) and any(map(str.isupper, value))


def _has_digit(value: str) -> bool:
    return looks_chosen(value) and any(map(str.isdigit, value))


def _is_marked(value: str) -> bool:
    """Tell whether a value has a digit and one of the marks that only passwords have."""
    return looks_chosen(value) and any(map(str.isdigit, value)) and not value.isalnum() and any(
        c in MARKS or c == "." for c in value[1:]
    )
