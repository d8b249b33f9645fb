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
from itertools import chain
from operator import add
from unicodedata import normalize

from memory_layer.policy.hidden import hiding, seen
from memory_layer.policy.known_words import Trait
from memory_layer.policy.suspicion_signs import PHRASES, SYNTAX, Sign

_ENCODED = "it carries encoded text that reads as an instruction"
_SPACED_OUT = "it spells an instruction letter by letter"

#: Letters of other scripts that look like Latin ones, in lower case.
_LOOKALIKES = str.maketrans(
    "аеорсухівѕјһԁԛԝкмтнгпαοερτυνικχωɑɡıⅼ’‘ʼ`´“”«»",
    "aeopcyxibsjhdqwkmthrnaoeptuvikxwagil'''''" + '"' * 4,
)
_LOOKING_LATIN = frozenset(map(chr, _LOOKALIKES))
_BLOBS = 20  #: how many encoded passages are looked into
_SHORTEST_BLOB = 24
_SPELLED = (
    "ignoreprevious",
    "ignoreallprevious",
    "ignoretheabove",
    "disregardprevious",
    "disregardallprevious",
)
#: What stands between words in ASCII, besides one space.
_UNEVEN = ("  ", "\n", "\t", "\r", "\v", "\f", "\x1c", "\x1d", "\x1e", "\x1f")
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
#: By its first two characters: most words hold few of these, and names and numbers none.
_HEADS = {
    head: tuple(each for each in _FIRST if each[0].startswith(head))
    for head in {first[:2] for first, _ in _FIRST if len(first) > 1}
}
_SINGLE = tuple(each for each in _FIRST if len(each[0]) == 1)
#: What else a word can be a sign of: a text in base64, and single letters that spell an order, all of which hold an r.
_LONG, _LONE_R = -1, -2


def suspicions(text: str) -> tuple[str, ...]:
    """Why the text must be reviewed before it counts, in sentences for a person; nothing if it need not."""
    if not text.isascii():
        return _looked_through(text, *_written(_folded(text)))
    begun = _begun_of(text)
    return _looked_through(text, (_folded(text),), begun) if begun else hiding(text)


def _looked_through(text: str, written: tuple[str, ...], begun: set[int]) -> tuple[str, ...]:
    found = _told(written, begun)
    if _LONE_R in begun and _is_spelled_out(written[0]):
        found.append(_SPACED_OUT)
    may_be_encoded = _LONG in begun or not text.isascii()
    if may_be_encoded and any(_told(*_written(_folded(blob))) for blob in _decoded(text)):
        found.append(_ENCODED)
    return tuple(dict.fromkeys([*found, *hiding(text)]))


def _written(reading: str) -> tuple[tuple[str, ...], set[int]]:
    """A text as it is written and with look-alikes taken for Latin letters, and what its words are signs of."""
    written: tuple[str, ...] = (reading,)
    if not (reading.isascii() or _LOOKING_LATIN.isdisjoint(reading)):
        written = reading, reading.translate(_LOOKALIKES)
    return written, set().union(*map(_begun_of, written))


def _told(written: tuple[str, ...], begun: set[int]) -> list[str]:
    """The reasons in a text, as it is written in one way or another, and by its words alone."""
    anchored = [
        at for at in sorted(begun) if at >= 0 and any(_is_anchored(_SIGNS[at], text) for text in written)
    ]
    if not anchored:
        return []
    syntax = [_SIGNS[at] for at in anchored if at < len(SYNTAX)]
    found = [sign.reason for sign in syntax if any(_shows(sign, text) for text in written)]
    phrases = [_SIGNS[at] for at in anchored if at >= len(SYNTAX)]
    if phrases:
        wordings = (*written, re.sub(r"(?:[^\w']|_)+", " ", written[-1]))
        found += [sign.reason for sign in phrases if any(_shows(sign, text) for text in wordings)]
    return found


def _begun_in(words: list[str]) -> list[tuple[int, ...]]:
    """By word, the places of the signs that a text may show which holds it, whatever may follow it."""
    together = f"{' '.join(words).casefold()} "
    heads = _HEADS.keys() & map(add, together, together[1:])
    firsts = [each for head in heads for each in _HEADS[head] if each[0] in together]
    firsts += [each for each in _SINGLE if each[0] in together]
    if firsts or _has_lone_r(together) or max(map(len, words)) >= _SHORTEST_BLOB:
        return [_begun_by_one_of(firsts, f"{word.casefold()} ") for word in words]
    return [()] * len(words)


def _begun_by_one_of(firsts: list[tuple[str, tuple[int, ...]]], ended: str) -> tuple[int, ...]:
    begun = {at for first, places in firsts if first in ended for at in places}
    if len(ended) > _SHORTEST_BLOB:
        begun.add(_LONG)
    if _has_lone_r(ended):
        begun.add(_LONE_R)
    return tuple(begun)


def _has_lone_r(ended: str) -> bool:
    return " r " in f" {ended}".replace(".", " ").replace("-", " ")


_begun = Trait(_begun_in)


def _begun_of(text: str) -> set[int]:
    """The same for all words of a text."""
    return set(chain.from_iterable(filter(None, _begun.of(text))))


def _folded(text: str) -> str:
    """The text in lower case, with plain letters and single spaces."""
    if not text.isascii():
        text = normalize("NFKC", seen(text))
    elif not (text[:1] == " " or text[-1:] == " " or any(map(text.__contains__, _UNEVEN))):
        return text.casefold()
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
