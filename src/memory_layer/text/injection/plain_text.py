"""Normalise a text for detection, and undo spelling out, encoding and disguise."""

from __future__ import annotations

import re
from binascii import Error as NotBase64
from binascii import a2b_base64
from codecs import decode
from collections.abc import Iterator
from unicodedata import normalize

from memory_layer.text.unicode import ENCODING_STARTS, decodings, fold, visible

#: Lower-case letters that look like Latin ones, and Latin letters that folding leaves.
LOOKALIKES = str.maketrans(
    "аеорсухівѕјһԁԛԝкмтнгпαοερτυνικχωɑɡıⅼłøđð’‘ʼ`´“”«»",
    "aeopcyxibsjhdqwkmthrnaoeptuvikxwagillodd'''''" + '"' * 4,
) | {ord("æ"): "ae", ord("œ"): "oe"}
_DIGITS = str.maketrans("013457@$", "oieastas")
_SHORTEST_BLOB = 24  #: characters of a text in base64
_BLOBS = 20  #: encoded passages that are decoded at most
#: Beginnings of words in orders; two of them, spelled out, are an attempt to hide.
_ORDER_WORDS = tuple(
    "ignor disregard previous earlier instruction prompt delet send password secret rules".split()
)
_FEWEST_LETTERS = 14
#: ASCII white space other than a single space.
_UNEVEN = ("  ", "\n", "\t", "\r", "\v", "\f", "\x1c", "\x1d", "\x1e", "\x1f")


def normalise(text: str) -> tuple[str, ...]:
    """Return a text in lower case with single spaces and, if that differs, also in plain Latin letters."""
    reading = _lower(text)
    if reading.isascii():
        return (reading,)
    plain = fold(reading).translate(LOOKALIKES)
    return (reading,) if plain == reading else (reading, plain)


def _lower(text: str) -> str:
    if not text.isascii():
        text = normalize("NFKC", visible(text))
    elif not (text[:1] == " " or text[-1:] == " " or any(map(text.__contains__, _UNEVEN))):
        return text.casefold()
    return " ".join(text.casefold().split())


def replace_digits(reading: str) -> str:
    """Replace digits that stand for letters."""
    return reading.translate(_DIGITS)


def is_spelled_out(reading: str) -> bool:
    """Tell whether single letters, set apart, spell the words of an order."""
    words = reading.replace(".", " ").replace("-", " ").split()
    if list(map(len, words)).count(1) < _FEWEST_LETTERS:
        return False
    letters = "".join(word if len(word) == 1 else " " for word in words)
    return sum(beginning in letters for beginning in _ORDER_WORDS) > 1


def decode_blobs(text: str) -> Iterator[str]:
    """Yield the readable contents of passages in base64 or hexadecimal."""
    if max(map(len, text.split()), default=0) < _SHORTEST_BLOB:
        return
    for blob in re.findall(rf"[A-Za-z0-9+/]{{{_SHORTEST_BLOB},}}={{0,2}}", text)[:_BLOBS]:
        try:
            plain = _bytes_of(blob).decode()
        except (NotBase64, ValueError):
            continue
        if plain.isprintable() or plain.isascii():
            yield plain


def _bytes_of(blob: str) -> bytes:
    if len(blob) % 2 == 0 and re.fullmatch(r"[0-9a-fA-F]+", blob):
        return bytes.fromhex(blob)
    return a2b_base64(blob + "=" * (-len(blob) % 4))


def unescape(text: str) -> str | None:
    """Decode entities, percent signs and backslashes; return None if there are none."""
    if not any(start in text for start in ENCODING_STARTS):
        return None
    found = None
    for reading in decodings(text):
        found = reading.text
    return found


def reverse_and_rot13(reading: str) -> tuple[str, str]:
    """Return a reading backwards, and decoded from ROT13."""
    return reading[::-1], decode(reading, "rot13")
