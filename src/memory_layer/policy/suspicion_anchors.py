"""Which signs and acts a text may show, told by its words alone: most texts show none, and cost a look at each word."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache, reduce
from operator import add, or_

from memory_layer.model.record import NamedTuple
from memory_layer.policy.known_words import Trait
from memory_layer.policy.suspicion_acts import ACTS
from memory_layer.policy.suspicion_signs import PHRASES, SYNTAX
from memory_layer.policy.suspicion_weighing import is_unspaced

SHORTEST_BLOB = 24  #: characters of a text in base64
_PART = re.compile(r"[^\W_]+")
_HEAD = 3  #: characters of a part of a word by which it is looked up
_LONGEST = 14  #: characters of an anchor; what is longer is looked up by its beginning

SIGNS = (*SYNTAX, *PHRASES)
ROWS = len(SIGNS) + len(ACTS)  #: signs first, then acts


class _Index(NamedTuple):
    """The bits of all groups of anchors, by how an anchor is looked up, and by row which bits it needs."""

    heads: dict[str, list[tuple[str, int]]]  #: anchors anywhere in a word, by their first two characters
    single: list[tuple[str, int]]  #: those of one character
    starts: dict[str, int]  #: anchors that begin a part of a word
    parts: dict[str, int]  #: those that must be all of it
    gates: frozenset[str]  #: the first characters of those that begin a part
    letters: dict[str, list[tuple[str, int]]]  #: anchors of scripts without spaces, by their first character
    needed: list[int]  #: by row
    first: dict[int, int]  #: rows by the bit of their rarest group
    firsts: int  #: all of these bits


#: Beside the groups: a word that is long enough for base64, a letter that stands alone, letters and digits mixed.
LONG, LONE, MIXED = 1, 2, 4
_OWN = 3


@cache
def _index() -> _Index:
    index = _Index({}, [], {}, {}, frozenset(), {}, [], {}, 0)
    bit = 1 << _OWN
    for row, groups in enumerate(_groups()):
        rarest = max(groups, key=lambda group: min(map(len, group)))
        needed = 0
        for group in groups:
            needed |= bit
            if group is rarest:
                index.first[bit] = row
            for anchor in group:
                _enter(index, row, anchor, bit)
            bit <<= 1
        index.needed.append(needed)
    gates = frozenset(start[:_HEAD] for start in index.starts)
    return index._replace(gates=gates, firsts=reduce(or_, index.first))


def _groups() -> Iterable[tuple[tuple[str, ...], ...]]:
    for sign in SIGNS:
        yield sign.anchors
    for act in ACTS:
        yield act.groups


def _enter(index: _Index, row: int, anchor: str, bit: int) -> None:
    """Put an anchor where a word is looked up: of several words only one, of an act the longest."""
    if row < len(SIGNS):
        first, space, _ = anchor.partition(" ")
        word = bare = first + space
    else:
        word = max(anchor.split(), key=len)
        bare = word.rstrip("*")
    if is_unspaced(bare):
        index.letters.setdefault(bare[0], []).append((bare, bit))
    elif row < len(SIGNS) or not _PART.fullmatch(bare):
        place = index.single if len(bare) == 1 else index.heads.setdefault(bare[:2], [])
        place.append((bare, bit))
    else:
        begins = len(bare) >= _HEAD and (word != bare or ACTS[row - len(SIGNS)].pattern)
        table, key = (index.starts, bare[:_LONGEST]) if begins else (index.parts, bare)
        table[key] = table.get(key, 0) | bit


def _read(words: list[str]) -> list[int]:
    """By word, the bits of the groups that have an anchor in it."""
    index = _index()
    together = f"{' '.join(words).casefold()} "
    heads = index.heads.keys() & map(add, together, together[1:])
    inside = [each for head in heads for each in index.heads[head] if each[0] in together]
    inside += [each for each in index.single if each[0] in together]
    return [_bits(index, inside, f"{word.casefold()} ") for word in words]


def _bits(index: _Index, inside: list[tuple[str, int]], ended: str) -> int:
    bits = 0
    for anchor, bit in inside:
        if anchor in ended:
            bits |= bit
    for part in _PART.findall(ended):
        if part[:_HEAD] in index.gates:
            for length in range(_HEAD, min(len(part), _LONGEST) + 1):
                bits |= index.starts.get(part[:length], 0)
        bits |= index.parts.get(part, 0)
    if not ended.isascii():
        for char in index.letters.keys() & set(ended):
            for anchor, bit in index.letters[char]:
                bits |= bit if anchor in ended else 0
    if len(ended) > SHORTEST_BLOB:
        bits |= LONG
    if " r " in f" {ended}".replace(".", " ").replace("-", " "):
        bits |= LONE
    return bits | MIXED if _is_mixed(ended) else bits


def _is_mixed(ended: str) -> bool:
    """Whether a digit stands where a letter belongs, as in `1gn0re`."""
    return not ended.isalpha() and re.search(r"[a-z][013457@$][a-z]|\b[013457][a-z]{2}", ended) is not None


_trait = Trait(_read)


def bits_of(text: str) -> int:
    """All bits of the words of a text."""
    return reduce(or_, filter(None, _trait.of(text)), 0)


def rows_of(bits: int) -> list[int]:
    """The rows that a text with these bits may show, in their order."""
    index = _index()
    found, left = [], bits & index.firsts
    while left:
        lowest = left & -left
        left ^= lowest
        row = index.first[lowest]
        if index.needed[row] & ~bits == 0:
            found.append(row)
    return sorted(found)
