"""Passwords that stand beside a user or open something: `admin / X`, `bob@example.com with X`, `opens with X`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache

from memory_layer.text.secrets.redact import MARKS
from memory_layer.text.secrets.secret_looks import is_hex_key, looks_chosen, looks_random

_BESIDE = r"[—–→-]|and|und|y|et|e|with|mit|con|avec"
_VALUE = r"[\"'`“„(]?(?P<value>[^\s\"'`“”<>|,;()]{6,64})"
_LOGIN = (
    r"(?i:\b(?:log(?:ged|s)?[ -]?in(?:to)?|sign(?:ed|s)?[ -]?in(?:to)?|logins?|creds?|credentials?|zugang\w{0,8}"
    r"|zugänge|anmeldung|credenziali|credenciales|identifiants|basic[ -]?auth|user(?:name)?(?!-)|konto|usuario|benutzer"
    r"|utilisateur|account|access|admin(?:istrator)?|root|tenant))\b[^\n]{1,120}"
)
#: Seen from each word, for the second of a pair may be the first of the next.
_PAIR = (
    rf"(?<![\w@/.:-])(?=[\w.+@-]{{2,40}}[\"'`”“]?"
    rf"(?:(?P<tight>[ ][—–→/][ ])|(?P<parted>[ ]?[/:|+][ ]?|,[ ]|[ ](?:{_BESIDE})[ ])|[ ]){_VALUE})"
)


@cache
def _pattern(source: str) -> re.Pattern[str]:
    return re.compile(source)


def in_logins(text: str) -> Iterator[tuple[int, int, str]]:
    """Where a password stands beside its user, or beside what it opens."""
    if not any(
        _is_candidate(word) for word in _pattern(r"[\s\"'`“”„<>|,;()]+").split(text) if not word.isalpha()
    ):
        return
    for match in _pattern(_LOGIN).finditer(text):
        for pair in _pattern(_PAIR).finditer(text, *match.span()):
            if _suits(pair, value := _trimmed(pair)):
                yield pair.start("value"), pair.start("value") + len(value), "password"
    for source, suits in _SOURCES:
        for pair in _pattern(source).finditer(text):
            if suits(value := _trimmed(pair)):
                yield pair.start("value"), pair.start("value") + len(value), "password"


def _trimmed(pair: re.Match[str]) -> str:
    return pair["value"].rstrip(".:…*")


def _is_candidate(word: str) -> bool:
    """Tell at a glance whether a word, or what a sign in it parts from a user, can be a password here."""
    if len(word) < 6 or "://" in word or not _pattern(r"[0-9!#$%^&*~]|[A-Z]\w*_").search(word):
        return False
    pieces = [piece.rstrip(".:…*") for piece in {word, *_pattern(r"[:/+=]").split(word)}]
    return any(looks_chosen(piece) or looks_random(piece, 8) or is_hex_key(piece) for piece in pieces)


def _suits(pair: re.Match[str], value: str) -> bool:
    """Tell whether the second of two words looks enough like a password for what stands between them."""
    if _is_marked(value) or (pair["tight"] and looks_chosen(value)):
        return True
    return bool(pair["tight"] or pair["parted"]) and (looks_random(value, 8) or is_hex_key(value))


def _is_marked(value: str) -> bool:
    """Tell whether a value has a digit and one of the marks that hardly anything but a password has."""
    return _has_digit(value) and any(c in MARKS or c == "." for c in value[1:])


def _has_digit(value: str) -> bool:
    return looks_chosen(value) and any(map(str.isdigit, value))


def _is_capitalised(value: str) -> bool:
    return looks_chosen(value) and any(map(str.isupper, value))


#: Other places for a password, and how it has to look there.
_SOURCES: tuple[tuple[str, Callable[[str], bool]], ...] = (
    (rf"(?<![\w/.])[\w.+@-]{{2,40}}[ ]/[ ]{_VALUE}", _is_marked),
    (
        r"(?<![:/\w.])[\w.+-]{1,40}@[\w-]{1,40}(?:\.[\w-]{1,20}){1,3}[)\"'`]?"
        rf"(?:[ ]?[/|:,][ ]?|[ ](?:{_BESIDE}|pw)[ ]){_VALUE}",
        _has_digit,
    ),
    (
        r"(?i:\b(?:open|unlock|decrypt|encrypt|protect|öffne|entsperr|entschlüssel|verschlüssel|abre|ouvr)\w{0,4}"
        rf"(?:[ ]\w{{1,12}}){{0,3}}[ ](?:with|using|mit|con|avec)[ ]){_VALUE}",
        _is_capitalised,
    ),
    (
        r"(?i:\b(?:\w{0,20}auth|\w{0,12}credentials?|login|connect))[ ]?[=(][ ]?[(]?[ ]?"
        r"[\"'][^\"'\n]{1,60}[\"'],[ ]?(?=[\"'])" + _VALUE,
        looks_chosen,
    ),
    (rf"(?:--user|--auth)[ =][\"']?[\w.@-]{{1,40}}:{_VALUE}", looks_chosen),
    (
        r"(?i:\b(?:creds?|credentials?|zugangsdaten|logins?|basic[ -]?auth))(?:[:=]|[ ]is)?[ ]"
        rf"[\w.@-]{{1,40}}[:/]{_VALUE}",
        _has_digit,
    ),
    (rf"(?<![\w/.])(?:admin|root|administrator|sa)[/:]{_VALUE}", _is_capitalised),
    (
        rf"(?i:\b(?:use|enter|type|try|nimm|mit))[ ]{_VALUE}[\"'`]?[ ](?i:to|zum|pour|para)[ ]"
        r"(?i:log|sign|unlock|connect|einloggen|anmelden|open|decrypt)",
        _is_capitalised,
    ),
)
