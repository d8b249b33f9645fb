"""Secrets of a few digits, or of several words, that a word such as `PIN`, `door code` or `passphrase` announces."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from memory_layer.policy.secret_values import LINKING_WORDS, SENSITIVE_WORDS

PHRASE_ANCHORS = ("phrase", "seed", "mnemonic")
CODE_ANCHORS = ("pin", "code")
#: The words of a text that tells a code; shorter ones are too common to be looked for within others.
CODE_SIGNS = ("codes", "passcode", "pincode", "keypad", "zugangscode")
CODE_WORDS = frozenset({"PIN", "door", "alarm"})

_NAMES = (
    r"\bPIN(?:[ -]?(?:code|Code|number|Nummer))?\b|\b(?i:passcode|pin[ -]code|code[ ]pin)\b"
    r"|\b(?i:(?:recovery|backup|rescue|one-time|2fa|mfa|otp|sms|door|gate|alarm|unlock|pairing|access|keypad|safe"
    r"|zugangs|tür|tuer|einmal|sicherheits)[ -]?(?:codes?|pins?)|(?:recovery|backup|einmal)[ -]codes?)\b"
)
_REST = r"[^\n.;\d]{0,80}?[ :=(\"'`\n][ -]{0,3}"
_CODES = r"(?P<codes>(?:[A-Za-z0-9]{4,8}-[A-Za-z0-9]{4,8}|\d{4,8})(?:(?:,[ ]?|[ ]|\n[ ]?-?[ ]?)(?:[A-Za-z0-9]{4,8}-[A-Za-z0-9]{4,8}|\d{4,8}))*)(?![\w.%:-]*\w|[ ]?(?:digits|Ziffern|characters|ms|px))"


@cache
def _codes() -> re.Pattern[str]:
    return re.compile(rf"(?:{_NAMES}){_REST}{_CODES}", re.ASCII)


_PHRASE = (
    r"(?i:\bpass-?phrase|\bseed(?:[ -]phrase)?|\bmnemonic|\brecovery[ -]phrase)\b[^\n:=\"']{0,60}(?:[:=]|\b(?i:is|ist)\b|(?=[ ][\"'`“]))[ ]?[\"'`“]?"
    r"(?P<words>\b[^\W\d_]{3,12}(?:[ ][^\W\d_]{2,12}){2,23}(?:[ ]\d{1,4})?)[\"'`”]?[ ]?(?:[.\n]|\Z|(?<=[\"'`”])|(?<=[\"'`”][ ]))"
)


@cache
def _phrases() -> re.Pattern[str]:
    return re.compile(_PHRASE)


def in_phrases(text: str) -> Iterator[tuple[int, int, str]]:
    """Where words in a row are the secret itself."""
    for match in _phrases().finditer(text):
        words = match["words"].lower().split()
        if not any(word in LINKING_WORDS or word in SENSITIVE_WORDS for word in words):
            yield *match.span("words"), "password"


def in_codes(text: str) -> Iterator[tuple[int, int, str]]:
    """Where a PIN or a code to get in stands beside its name."""
    for match in _codes().finditer(text):
        if any(map(str.isdigit, match["codes"])):
            yield *match.span("codes"), "password"
