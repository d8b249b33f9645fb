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
from functools import cache, lru_cache
from itertools import chain
from operator import add
from unicodedata import normalize

from memory_layer.policy.hidden import hiding, seen
from memory_layer.policy.suspicion_signs import PHRASES, SYNTAX, Sign

_ENCODED = "it carries encoded text that reads as an instruction"
_SPACED_OUT = "it spells an instruction letter by letter"

#: Letters of other scripts that look like Latin ones, in lower case.
_LOOKALIKES = str.maketrans(
    "аеорсухівѕјһԁԛԝкмтнгпαοερτυνικχωɑɡıⅼ’‘ʼ`´“”«»",
    "aeopcyxibsjhdqwkmthrnaoeptuvikxwagil'''''" + '"' * 4,
)
_BLOBS = 20  #: how many encoded passages are looked into
_SHORTEST_BLOB = 24
_SPELLED = (
    "ignoreprevious",
    "ignoreallprevious",
    "ignoretheabove",
    "disregardprevious",
    "disregardallprevious",
)
_FEWEST_LETTERS = min(map(len, _SPELLED))


_SIGNS = (*SYNTAX, *PHRASES)
_BEGINNINGS = tuple(dict.fromkeys(anchor for sign in _SIGNS for anchor in sign.anchors[0]))


def _begun_by(anchor: str) -> tuple[int, ...]:
    """The places of the signs that a text may show which holds this anchor, or a longer one that holds it."""
    return tuple(at for at, sign in enumerate(_SIGNS) if any(anchor in each for each in sign.anchors[0]))


def _first_word(anchor: str) -> str:
    """What of an anchor one word must hold: all of it, or at its end what stands before a space."""
    first, space, _ = anchor.partition(" ")
    return first + space


#: What the signs begin with: the shortest anchors, without which a text holds no longer one either.
_FIRST = tuple(
    (_first_word(anchor), _begun_by(anchor))
    for anchor in _BEGINNINGS
    if not any(other in anchor for other in _BEGINNINGS if other != anchor)
)
#: The first two characters of each, or its only one: most words that are numbers or names hold none.
_HEADS = frozenset(first[:2] for first, _ in _FIRST)
_REMEMBERED = 16_384  #: words
_LONGEST = 64  #: characters of a word that is remembered


def suspicions(text: str) -> tuple[str, ...]:
    """Why the text must be reviewed before it counts, in sentences for a person; nothing if it need not."""
    reading = _folded(text)
    found = _told(reading)
    lengths = list(map(len, reading.split(" ")))
    if (lengths.count(1) >= _FEWEST_LETTERS or "." in reading or "-" in reading) and _is_spelled_out(reading):
        found.append(_SPACED_OUT)
    may_be_encoded = max(lengths) >= _SHORTEST_BLOB or not text.isascii()
    if may_be_encoded and any(_told(_folded(blob)) for blob in _decoded(text)):
        found.append(_ENCODED)
    return tuple(dict.fromkeys([*found, *hiding(text)]))


def _told(reading: str) -> list[str]:
    """The reasons in a text, as it is written, with look-alikes taken for Latin letters, by its words alone."""
    latin = reading if reading.isascii() else reading.translate(_LOOKALIKES)
    written = (reading,) if latin == reading else (reading, latin)
    begun = sorted({at for text in written for at in _begun(text)})
    if not begun:
        return []
    anchored = [at for at in begun if any(_is_anchored(_SIGNS[at], text) for text in written)]
    syntax = [_SIGNS[at] for at in anchored if at < len(SYNTAX)]
    found = [sign.reason for sign in syntax if any(_shows(sign, text) for text in written)]
    phrases = [_SIGNS[at] for at in anchored if at >= len(SYNTAX)]
    if phrases:
        wordings = (*written, re.sub(r"(?:[^\w']|_)+", " ", latin))
        found += [sign.reason for sign in phrases if any(_shows(sign, text) for text in wordings)]
    return found


def _begun(reading: str) -> set[int]:
    """The places of the signs that a text may show; word by word, because words come again and again."""
    words = reading.split(" ")
    read = _remembered if max(map(len, words)) <= _LONGEST else _begun_in
    return set(chain.from_iterable(map(read, words)))


def _begun_in(word: str) -> tuple[int, ...]:
    """The same for one word and all that may follow it."""
    ended = f"{word} "
    if _HEADS.isdisjoint(chain(ended, map(add, ended, ended[1:]))):
        return ()
    return tuple({at for first, begun in _FIRST if first in ended for at in begun})


_remembered = lru_cache(maxsize=_REMEMBERED)(_begun_in)


def _folded(text: str) -> str:
    if not text.isascii():
        text = normalize("NFKC", seen(text))
    return " ".join(text.casefold().split())


def _is_anchored(sign: Sign, reading: str) -> bool:
    for group in sign.anchors:
        for anchor in group:
            if anchor in reading:
                break
        else:
            return False
    return True


def _shows(sign: Sign, reading: str) -> bool:
    if not _is_anchored(sign, reading):
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
    words = reading.replace(".", " ").replace("-", " ").split()
    if list(map(len, words)).count(1) < _FEWEST_LETTERS:
        return False
    letters = "".join(word if len(word) == 1 else " " for word in words)
    return any(phrase in letters for phrase in _SPELLED)


def _decoded(text: str) -> Iterator[str]:
    """What passages in base64 say, where they say something readable."""
    if max(map(len, text.split()), default=0) < _SHORTEST_BLOB:
        return
    blobs = re.findall(rf"[A-Za-z0-9+/]{{{_SHORTEST_BLOB},}}={{0,2}}", text)
    for blob in blobs[:_BLOBS]:
        try:
            decoded = a2b_base64(blob + "=" * (-len(blob) % 4)).decode()
        except (NotBase64, UnicodeDecodeError):
            continue
        if decoded.isprintable() or decoded.isascii():
            yield decoded
