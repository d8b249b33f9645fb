"""Texts that a person must look at before they count: a memory is data, and these read as orders.

A memory is shown to agents later, so whoever can write one can try to speak to them. Conventions
("always run the tests first") are what memories are for and pass; what addresses the agent itself,
undoes its instructions or hides something does not.
"""

from __future__ import annotations

import re
from binascii import Error as NotBase64
from binascii import a2b_base64
from collections.abc import Iterator
from functools import cache
from unicodedata import normalize

from memory_layer.policy.hidden import hiding, seen
from memory_layer.policy.suspicion_signs import SIGNS, Sign

_ENCODED = "It carries encoded text that reads as an instruction."
_SPACED_OUT = "It spells an instruction letter by letter."

#: Letters of other scripts that look like Latin ones, in lower case.
_LOOKALIKES = str.maketrans(
    "аеорсухівѕјһԁԛԝкмтнгпαοερτυνικχωɑɡıⅼ’‘ʼ`´“”«»",
    "aeopcyxibsjhdqwkmthrnaoeptuvikxwagil'''''" + '"' * 4,
)
_BLOBS = 20  #: how many encoded passages are looked into
_SHORTEST_BLOB = 24
_SPELLED = ("ignoreprevious", "ignoreallprevious", "ignoretheabove", "disregardprevious", "systemprompt")


def suspicions(text: str) -> tuple[str, ...]:
    """Why the text must be reviewed before it counts, in sentences for a person; nothing if it need not."""
    readings = _readings(text)
    found = [sign.reason for sign in SIGNS if any(_shows(sign, reading) for reading in readings)]
    if any(_is_spelled_out(reading) for reading in readings):
        found.append(_SPACED_OUT)
    if any(_shows(sign, _folded(blob)) for blob in _decoded(text) for sign in SIGNS):
        found.append(_ENCODED)
    return tuple(dict.fromkeys([*found, *hiding(text)]))


def _readings(text: str) -> tuple[str, ...]:
    """The text as it may be understood: as written, in Latin letters, by its words alone."""
    folded = _folded(text)
    latin = folded if folded.isascii() else folded.translate(_LOOKALIKES)
    words = re.sub(r"(?:[^\w']|_)+", " ", latin)  # punctuation between the words of a phrase changes nothing
    return tuple(dict.fromkeys((folded, latin, words)))


def _folded(text: str) -> str:
    if not text.isascii():
        text = normalize("NFKC", seen(text))
    return " ".join(text.casefold().split())


def _shows(sign: Sign, reading: str) -> bool:
    if not any(anchor in reading for anchor in sign.anchors):
        return False
    matches = _compiled(sign.pattern).finditer(reading)
    if not any(match.groupdict().get("good") is None for match in matches):
        return False
    return not sign.also or _compiled(sign.also).search(reading) is not None


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


def _is_spelled_out(reading: str) -> bool:
    """Whether single letters, set apart, spell the start of an order."""
    if not re.search(r"(?:\b\w[ .-]){9}", reading):
        return False
    letters = re.sub(r"[^a-z]", "", reading)
    return any(phrase in letters for phrase in _SPELLED)


def _decoded(text: str) -> Iterator[str]:
    """What passages in base64 say, where they say something readable."""
    blobs = re.findall(rf"[A-Za-z0-9+/]{{{_SHORTEST_BLOB},}}={{0,2}}", text)
    for blob in blobs[:_BLOBS]:
        try:
            decoded = a2b_base64(blob + "=" * (-len(blob) % 4)).decode()
        except (NotBase64, UnicodeDecodeError):
            continue
        if decoded.isprintable() or decoded.isascii():
            yield decoded
