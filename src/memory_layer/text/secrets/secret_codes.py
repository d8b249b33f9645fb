"""Secrets of a few digits, or of several words, that a word such as `PIN`, `door code` or `passphrase` announces."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from memory_layer.text.secrets.secret_looks import looks_chosen
from memory_layer.text.secrets.values import LINKING_WORDS, SENSITIVE_WORDS

_CODE_NAMES = (
    r"\bPIN(?:[ -]?(?:code|Code|number|Nummer))?\b|\b(?i:passcode|pin[ -]code|code[ ]pin)\b"
    r"|\b(?i:(?:recovery|backup|rescue|one-time|2fa|mfa|otp|sms|door|gate|alarm|unlock|pairing|access|keypad|safe"
    r"|zugangs|tür|tuer|einmal|sicherheits)[ -]?(?:codes?|pins?))\b"
)
_CODE = r"(?=[A-Za-z-]{0,9}\d)(?:[A-Za-z0-9]{4,8}-[A-Za-z0-9]{4,8}|\d{4,8})"
_CODES = (
    rf"(?:{_CODE_NAMES})[^\n.;\d]{{0,80}}?[ :=(\"'`\n][ -]{{0,3}}"
    rf"(?P<codes>{_CODE}(?:(?:,[ ]?|[ ]|\n[ ]?-?[ ]?){_CODE}){{0,32}})"
    r"(?![\w.%:-]*\w|[ ]?(?:digits|Ziffern|characters|ms|px))"
)
#: Groups of capitals and digits that license something, and the seed of one-time passwords.
_ISSUED = (
    r"(?i:licen[cs]e|lizenz|serial|product|activation)[^\n]{0,60}?(?P<codes>\b(?:[A-Z0-9]{4,8}-){3,}[A-Z0-9]{4,8}\b)"
    r"|\b(?i:seed)\b[^\n]{0,60}?[ :=](?P<seed>[A-Z2-7]{16,64}\b)"
)
_PHRASE = (
    r"(?i:\bpass-?phrase|\bseed(?:[ -]phrase)?|\bmnemonic|\brecovery[ -]phrase)\b[^\n:=\"']{0,60}"
    r"(?:[:=]|\b(?i:is|ist)\b|(?=[ ][\"'`“]))[ ]?[\"'`“]?"
    r"(?P<words>\b[^\W\d_]{3,12}(?:[ ][^\W\d_]{2,12}){2,23}(?:[ ]\d{1,4})?)"
    r"[\"'`”]?[ ]?(?:[.\n]|\Z|(?<=[\"'`”])|(?<=[\"'`”][ ]))"
)
_WIRELESS = (
    r"(?i:wlan|wi-?fi)[^\n]{0,80}?(?i:\b(?:code|key|schlüssel|clé|clave))[ :=]{1,3}[\"'`“«]?[ ]?"
    r"(?P<value>[^\s\"'`“”<>|,;()]{6,64})"
)


@cache
def _pattern(source: str) -> re.Pattern[str]:
    return re.compile(source)


def in_codes(text: str) -> Iterator[tuple[int, int, str]]:
    """Where a PIN, a code to get in or a license stands beside its name."""
    if not _pattern(r"\d{4}|\d[A-Za-z0-9]{0,7}-|-[A-Za-z0-9]{0,7}\d|[A-Z2-7]{16}").search(text):
        return
    for match in _pattern(_CODES).finditer(text):
        yield *match.span("codes"), "password"
    for match in _pattern(_ISSUED).finditer(text):
        group = "codes" if match["codes"] else "seed"
        if any(map(str.isdigit, match[group])) and len(set(match[group])) > 6:
            yield *match.span(group), "key"


def in_phrases(text: str) -> Iterator[tuple[int, int, str]]:
    """Where words in a row are the secret itself."""
    for match in _pattern(_PHRASE).finditer(text):
        words = match["words"].lower().split()
        if not any(word in LINKING_WORDS or word in SENSITIVE_WORDS for word in words):
            yield *match.span("words"), "password"


def in_wireless(text: str) -> Iterator[tuple[int, int, str]]:
    """Where the code of a wireless network is told."""
    for match in _pattern(_WIRELESS).finditer(text):
        value = match["value"].rstrip(".:…")
        if looks_chosen(value):
            yield match.start("value"), match.start("value") + len(value), "password"
