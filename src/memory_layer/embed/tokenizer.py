"""WordPiece tokenizer of uncased BERT.

One translation table does what BERT calls cleaning, lower-casing, accent stripping and splitting: every
character is replaced by nothing, by a space, by its plain form, or (punctuation and Chinese characters) by its
plain form between spaces. What remains to do is `str.split` and a look at the vocabulary.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

FEW = 200  #: lookups that together take no longer than building the dictionary
BEGINNING = 8  #: bytes compared at once
_MASKS = np.array([(1 << 8 * size) - 1 for size in range(BEGINNING + 1)], np.uint64)

UNKNOWN, START, END = 100, 101, 102
SPECIALS = {"[PAD]": 0, "[UNK]": UNKNOWN, "[CLS]": START, "[SEP]": END, "[MASK]": 103}
LONGEST_WORD = 100  #: characters; a longer word is unknown as a whole
LONGEST_PIECE = 18  #: characters of the longest entry of the vocabulary
REMEMBERED_WORDS = 50_000  #: bound of the cache of words already cut into pieces
# The sixth range begins at 2B920, although Unicode's block begins at 2B820: so does the reference.
CHINESE = (
    (0x4E00, 0x9FFF),
    (0x3400, 0x4DBF),
    (0x20000, 0x2A6DF),
    (0x2A700, 0x2B73F),
    (0x2B740, 0x2B81F),
    (0x2B920, 0x2CEAF),
    (0xF900, 0xFAFF),
    (0x2F800, 0x2FA1F),
)
_special = re.compile("|".join(re.escape(name) for name in SPECIALS))


class Vocabulary:
    """The vocabulary; the number of a piece is its line."""

    get: Callable[[str], int | None]  #: the number of a piece; None if there is no such piece

    def __init__(self, listed: bytes) -> None:
        self._listed = listed.rstrip(b"\n") + b"\n"
        ends = np.flatnonzero(np.frombuffer(self._listed, np.uint8) == ord("\n"))
        self._starts = np.concatenate([[0], ends[:-1] + 1])
        everywhere = np.ndarray(len(self._listed), "V8", self._listed + bytes(BEGINNING), strides=1)
        sizes = ends - self._starts
        np.minimum(sizes, BEGINNING, out=sizes)
        self._beginnings = everywhere[self._starts].view("<u8")
        self._beginnings &= _MASKS[sizes]
        self._lookups = 0
        self.get = self._scan

    def _scan(self, piece: str) -> int | None:
        self._lookups += 1
        if self._lookups > FEW:
            self.get = self._by_piece().get
            return self.get(piece)
        line = piece.encode("utf-8", "surrogatepass") + b"\n"
        beginning = np.uint64(int.from_bytes(line[:-1][:BEGINNING], "little"))
        for number in np.flatnonzero(self._beginnings == beginning).tolist():
            if self._listed.startswith(line, self._starts[number]):
                return int(number)
        return None

    def _by_piece(self) -> dict[str, int]:
        pieces = self._listed[:-1].decode("utf-8").split("\n")
        return dict(zip(pieces, range(len(pieces)), strict=True))


class _Plain(dict[int, str]):
    """A translation table whose entries are computed when a character is first met."""

    def __missing__(self, codepoint: int) -> str:
        self[codepoint] = plain = _plain(chr(codepoint))
        return plain


def _plain(char: str) -> str:
    if char in "\t\n\r":
        return " "
    if char == "\ufffd" or unicodedata.category(char) in ("Cc", "Cf", "Co", "Cs"):
        return ""
    if char.isspace():
        return " "
    bare = [each for each in unicodedata.normalize("NFD", char) if unicodedata.category(each) != "Mn"]
    if any(first <= ord(char) <= last for first, last in CHINESE):
        return f" {''.join(bare)} "
    return "".join(f" {each} " if _is_punctuation(each) else each.lower() for each in bare)


def _is_punctuation(char: str) -> bool:
    # BERT also counts the ASCII symbols ($+<=>^`|~) that Unicode does not.
    return char in "$+<=>^`|~" or unicodedata.category(char).startswith("P")


class Tokenizer:
    """A tokenizer for one vocabulary."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self._plain = _Plain()
        self._known: dict[str, tuple[int, ...]] = {}

    @classmethod
    def read(cls, vocabulary: Path) -> Tokenizer:
        """Read a vocabulary of one piece per line; the line number is the id."""
        return cls(Vocabulary(vocabulary.read_bytes()))

    def pieces(self, text: str) -> list[int]:
        """Return the ids of the text's word pieces, without start and end marks."""
        if "[" not in text:
            return self._pieces(text)
        ids: list[int] = []
        begin = 0
        for found in _special.finditer(text):
            ids += self._pieces(text[begin : found.start()])
            ids.append(SPECIALS[found.group()])
            begin = found.end()
        return ids + self._pieces(text[begin:])

    def is_word(self, word: str) -> bool:
        """Return whether the vocabulary holds a word in one piece, maybe without its plural s."""
        cuts = map(self._pieces, (word, word.removesuffix("s")))
        return any(len(ids) == 1 and ids[0] != UNKNOWN for ids in cuts)

    def count(self, text: str) -> int:
        """Return the number of word pieces of the text."""
        return len(self.pieces(text))

    def sequence(self, text: str, limit: int) -> list[int]:
        """Return the ids the model reads: start mark, as many pieces as fit into `limit`, end mark."""
        return [START, *self.pieces(text)[: limit - 2], END]

    def atoms(self, text: str) -> Iterator[tuple[int, int, int]]:
        """Yield (start, end, pieces) of the smallest spans that can be separated without changing any piece."""
        start, open_word = 0, False
        for at, char in enumerate(text):
            plain = self._plain[ord(char)]
            if at > start and (not open_word or plain[:1] == " "):
                yield start, at, len(self._pieces(text[start:at]))
                start, open_word = at, False
            open_word = plain[-1:] != " " if plain else open_word
        if start < len(text):
            yield start, len(text), len(self._pieces(text[start:]))

    def _pieces(self, text: str) -> list[int]:
        known = self._known
        ids: list[int] = []
        for word in text.translate(self._plain).split():
            ids += known.get(word) or self._cut(word)
        return ids

    def _cut(self, word: str) -> tuple[int, ...]:
        if len(self._known) >= REMEMBERED_WORDS:
            self._known.clear()
        self._known[word] = cut = self._longest_first(word)
        return cut

    def _longest_first(self, word: str) -> tuple[int, ...]:
        if len(word) > LONGEST_WORD:
            return (UNKNOWN,)
        found: list[int] = []
        start = 0
        while start < len(word):
            prefix = "##" if start else ""
            for end in range(min(len(word), start + LONGEST_PIECE), start, -1):
                piece = self._vocabulary.get(prefix + word[start:end])
                if piece is not None:
                    found.append(piece)
                    start = end
                    break
            else:
                return (UNKNOWN,)
        return tuple(found)
