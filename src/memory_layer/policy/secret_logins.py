"""Passwords that stand beside a user or open something: `admin / X`, `bob@example.com with X`, `opens with X`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache

from memory_layer.policy.secret_looks import MARKS, looks_chosen, looks_random

#: A text without any of these tells of no login.
LOGIN_ANCHORS = (
    " / ",
    *"""
    login creds credential zugang zugänge username credenz identifiants admin basic unlock decrypt öffn entsperr opens
    @ signed logged account user root
    """.split(),
)
#: What shows at a glance that one may be told, besides a word that looks like a password.
LOGIN_SIGNS = tuple("zugänge username admin unlock decrypt öffn entsperr opens".split())

_BESIDE = r"[—–→-]|and|und|y|et|e|with|mit|con|avec"
_SECRET = r"[\"'`“„(]?(?P<value>[^\s\"'`“”<>|,;()]{6,64})"
_LOGIN = (
    r"(?i:\b(?:log(?:ged|s)?[ -]?in(?:to)?|sign(?:ed|s)?[ -]?in(?:to)?|logins?|creds?|credentials?|zugang\w{0,8}"
    r"|zugänge|anmeldung|credenziali|credenciales|identifiants|basic[ -]?auth|user(?:name)?|konto|usuario|benutzer"
    r"|utilisateur|account|access|admin(?:istrator)?|root|tenant))\b[^\n]{1,120}"
)
_PAIR = (
    rf"(?<![\w@/.:-])[\w.+@-]{{2,40}}[\"'`”“]?(?:(?P<tight>[ ][—–→/][ ])|[ ]?[/:|+][ ]?|,[ ]|[ ](?:{_BESIDE})[ ])"
    rf"{_SECRET}"
)
_SLASHED = rf"(?<![\w/.])[\w.+@-]{{2,40}}[ ][/|][ ]{_SECRET}"
_MAILED = (
    r"[\w.+-]{1,40}@[\w-]{1,40}(?:\.[\w-]{1,20}){1,3}[)\"'`]?"
    rf"(?:[ ]?[/|:,][ ]?|[ ](?:{_BESIDE}|pw)[ ]){_SECRET}"
)
_OPENED = (
    r"(?i:\b(?:open|unlock|decrypt|encrypt|protect|öffne|entsperr|entschlüssel|verschlüssel|abre|ouvr)\w{0,4}"
    rf"(?:[ ]\w{{1,12}}){{0,3}}[ ](?:with|using|mit|con|avec)[ ]){_SECRET}"
)


@cache
def _pattern(source: str) -> re.Pattern[str]:
    return re.compile(source)


def in_logins(text: str) -> Iterator[tuple[int, int, str]]:
    """Where a password stands beside its user, or beside what it opens."""
    if not any(map(_is_candidate, text.split())):
        return
    for match in _pattern(_LOGIN).finditer(text):
        for pair in _pattern(_PAIR).finditer(text, *match.span()):
            value = pair["value"].rstrip(".:…*")
            if _is_marked(value) or looks_random(value, 8) or (pair["tight"] and _has_digit(value)):
                yield pair.start("value"), pair.start("value") + len(value), "password"
    for source, suits in _SOURCES:
        for pair in _pattern(source).finditer(text):
            value = pair["value"].rstrip(".:…*")
            if suits(value):
                yield pair.start("value"), pair.start("value") + len(value), "password"


def _is_candidate(word: str) -> bool:
    """Tell at a glance whether a word can be a password here: joined words, or letters with digits or marks."""
    return len(word) >= 6 and not word.isalpha() and any(map(str.isalpha, word)) and (
        any(map(str.isdigit, word))
        or ("_" in word and word[0].isupper() and not word.isupper())
        or any(c in MARKS for c in word[1:-1])
    )


def _is_marked(value: str) -> bool:
    """Tell whether a value has a digit and one of the marks that hardly anything but a password has."""
    return _has_digit(value) and any(c in MARKS or c == "." for c in value[1:])


def _has_digit(value: str) -> bool:
    return looks_chosen(value) and any(map(str.isdigit, value))


def _is_capitalised(value: str) -> bool:
    return looks_chosen(value) and any(map(str.isupper, value))


_SOURCES: tuple[tuple[str, Callable[[str], bool]], ...] = (
    (_SLASHED, _is_marked),
    (_MAILED, _has_digit),
    (_OPENED, _is_capitalised),
)
