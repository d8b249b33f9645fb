"""Which signs and acts a text may show, told by its words alone: most texts show none, and cost a look at each word."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache, reduce
from operator import add, or_
from typing import Generic, TypeVar

from memory_layer.model.record import NamedTuple
from memory_layer.policy.known_words import Trait

#: Beside what rows need: a word that is long enough for base64, a letter that stands alone, letters and digits mixed,
#: a word of an order that is written backwards or with its letters moved, and a frequent word of another language.
LONG, LONE, MIXED, TURNED, FOREIGN = 1, 2, 4, 8, 16
DISGUISED = LONG | LONE | MIXED | TURNED
_OWN = 5
_LONG = 24  #: characters
_MIXED = r"[a-z][013457@$][a-z]|\W[013457][a-z]{2}"  #: a digit in the place of a letter
_DIGITS = frozenset("013457@$")
_TURNED = (
    *("erongi", "snoitcurtsni", "dragersid", "suoiverp"),
    *("vtaber", "vafgehpgvba", "qvfertneq", "cerivbhf"),
)
_FOREIGN = frozenset(
    "alle alles und der den dem nicht fur mit ist wird du bist deine ab toutes tous les des une dans pour "
    "avec tes vos ne est"
    " todas todos las los para con una por del sus tus que em uma nao voce seu suas tutte tutti gli della "
    "che non il sei"
    " het een voor niet naar van och att inte alla och og ikke wszystk wszystkie sie nie jest od bez "
    "vsechny toate osszes"
    " ve bir icin tum butun bu kullanici semua yang untuk ini dengan dari tat moi khong nguoi truoc kaikki "
    "glem vergiss"
    " ignoriere ignoruj zignoruj zapomnij unut unutun abaikan jangan lupakan olvida oublie oubliez ignorez"
    " dimentica esqueca senza utente usuario utilisateur sans sem gebruiker benutzer nutzer ohne zonder utan"
    " uzytkownik uzytkownika kullaniciya pengguna anvandaren brugeren niemandem".split()
)
#: Words that nearly every text has.
_FREQUENT = frozenset(
    "a all an and any are as at be by do for from has have i if in into is it let no not of on only or out that the"
    " their them these they this to was what when with without you your".split()
)
#: What parts a word of ASCII.
_PARTING = str.maketrans(dict.fromkeys("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", " "))
_HEAD = 4  #: characters of a part of a word by which it is looked up
_ENDINGS = ("", "s", "ed", "ing")  #: of words that are too short to begin others
_LONGEST = 14  #: characters of an anchor; what is longer is looked up by its beginning

_Thing = TypeVar("_Thing")


class Row(NamedTuple):
    """What a text must have to show a thing: one anchor of each group."""

    groups: tuple[tuple[str, ...], ...]
    begin: bool = False  #: whether anchors may be the beginning of a word; else `*` says so
    minor: bool = False  #: whether it counts only beside another


class Anchors(Generic[_Thing]):
    """Things by the words without which no text shows them, each group of words by a bit."""

    def __init__(self, things: Iterable[tuple[_Thing, Row]]) -> None:
        # Anchors that begin a part of a word, that are all of it, that hold punctuation, and of scripts without spaces.
        self._starts = dict.fromkeys(_TURNED, TURNED)
        self._parts = dict.fromkeys(_FOREIGN, FOREIGN)
        self._marks: dict[str, int] = {}
        self._letters: dict[str, int] = {}
        self._first: tuple[dict[int, tuple[_Thing, int, Row]], ...] = ({}, {})
        parts, bit = self._parts, 1 << _OWN
        for thing, row in things:
            needed = 0
            for group in row.groups:
                for anchor in group:
                    if not row.begin and anchor.isascii() and anchor.isalpha():
                        parts[anchor] = parts.get(anchor, 0) | bit  # most anchors are one whole word
                    else:
                        self._enter(row, anchor, bit)
                needed |= bit
                bit <<= 1
            rarest = max(range(len(row.groups)), key=lambda at: min(map(len, row.groups[at])))
            first = bit >> len(row.groups) - rarest
            self._first[row.minor][first] = thing, needed, _phrases(row)
        self._firsts = tuple(reduce(or_, by_bit, 0) for by_bit in self._first)
        self._gates = frozenset(start[:_HEAD] for start in self._starts)
        self._heads: dict[str, list[tuple[str, int]]] = {}
        self._marking = frozenset(char for mark in self._marks for char in mark if not char.isalnum())
        for mark, bits in self._marks.items():
            self._heads.setdefault(mark[:2], []).append((mark, bits))
        self._trait = Trait(self._read)

    def bits_of(self, text: str) -> int:
        """All bits of the words of a text."""
        return reduce(or_, filter(None, self._trait.of(text)), 0)

    def begun_by(self, bits: int, *, minor: bool = False) -> list[tuple[_Thing, Row]]:
        """The things that a text with these bits may show, each with its groups of several words."""
        by_bit, found = self._first[minor], []
        left = bits & self._firsts[minor]
        while left:
            lowest = left & -left
            left ^= lowest
            thing, needed, phrases = by_bit[lowest]
            if needed & ~bits == 0:
                found.append((thing, phrases))
        return found

    def _enter(self, row: Row, anchor: str, bit: int) -> None:
        """Put an anchor where a word is looked up: of several words only one, the most telling."""
        word = anchor if anchor.isalpha() else _most_telling(anchor)
        bare = word.rstrip("*")
        begins = word != bare or (word == anchor and row.begin)
        if not bare.isascii() and is_unspaced(bare):
            forms, table = [bare], self._letters
        elif not bare.isalnum():
            forms, table = [bare], self._marks
        elif begins and len(bare) >= _HEAD:
            forms, table = [bare[:_LONGEST]], self._starts
        else:
            forms, table = [f"{bare}{ending}" for ending in _ENDINGS] if begins else [bare], self._parts
        for form in forms:
            table[form] = table.get(form, 0) | bit

    def _read(self, words: list[str]) -> list[int]:
        """By word, the bits of the groups that have an anchor in it; a plain word takes two looks."""
        folded = [word.casefold() for word in words]
        marked = " ".join([word for word in folded if not word.isalpha()])
        inside: list[tuple[str, int]] = []
        if not self._marking.isdisjoint(marked):
            heads = self._heads.keys() & {*map(add, marked, marked[1:]), *marked}
            inside = [each for head in heads for each in self._heads[head] if each[0] in marked]
        together = " ".join(folded)
        if not together.isascii():
            inside += [each for each in self._letters.items() if each[0] in together]
            return [self._bits(inside, word) for word in folded]
        known, gates = self._parts.get, self._gates
        return [
            known(word, 0)
            if word[:_HEAD] not in gates and 1 < len(word) < _LONG and word.isalpha()
            else self._bits(inside, word)
            for word in folded
        ]

    def _bits(self, inside: list[tuple[str, int]], word: str) -> int:
        bits = _oddness(word)
        for part in (word,) if word.isalpha() else _parts_of(word):
            bits |= self._parts.get(part, 0)
            if part[:_HEAD] in self._gates:
                for length in range(_HEAD, min(len(part), _LONGEST) + 1):
                    bits |= self._starts.get(part[:length], 0)
        for anchor, bit in inside:
            if anchor in word:
                bits |= bit
        return bits


def _most_telling(anchor: str) -> str:
    """Of several words, and of names with a line between them, the one that fewest texts have."""
    words = anchor.replace("_", " ").split()
    return max([word for word in words if word not in _FREQUENT] or words, key=len)


def _parts_of(word: str) -> list[str]:
    if word.isascii():
        return word.translate(_PARTING).split()
    return re.findall(r"[^\W_]+", word)


def _is_lone(text: str) -> bool:
    """Whether the letter r stands alone, which every order has that is spelled letter by letter."""
    return " r " in f" {text} ".replace(".", " ").replace("-", " ")


def _oddness(word: str) -> int:
    bits = LONG if len(word) >= _LONG else 0
    if "r" in word and _is_lone(word):
        bits |= LONE
    if not (word.isalpha() or word.isdigit() or _DIGITS.isdisjoint(word)) and _mixed().search(f" {word} "):
        bits |= MIXED
    return bits


@cache
def _mixed() -> re.Pattern[str]:
    return re.compile(_MIXED)


def _phrases(row: Row) -> Row:
    """The groups of which each anchor has several words: that they follow each other, no bit can tell."""
    groups = (group for group in row.groups if all(" " in anchor for anchor in group))
    return Row(tuple(tuple(anchor.rstrip("*") for anchor in group) for group in groups))


def followed(row: Row, text: str) -> bool:
    """Whether a text has words that follow each other, where a row asks for such."""
    return not row.groups or all(any(anchor in text for anchor in group) for group in row.groups)


def is_unspaced(word: str) -> bool:
    """Whether words of this script run on into others, before them or behind."""
    return any(char >= "\u0590" for char in word) and not any("\u1e00" <= char <= "\u1fff" for char in word)


def has_foreign_letters(text: str) -> bool:
    """Whether a text has letters beyond ASCII: other languages may be looked for in it."""
    return not text.isascii() and any(char > "\x7f" and char.isalpha() for char in text)
