"""Estimate the tokens that a language model reads in a text, rather too many than too few.

It follows how byte-pair tokenizers split: a word with its leading space, parts of camelCase, three digits at a time,
runs of marks, line ends and indentation. A Latin word costs by its letters, the most common in English least, and less
with an English ending; other scripts cost by their length. `bench/tokens.py` measures it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from functools import lru_cache
from operator import ne

from memory_layer.text import regex
from memory_layer.text.word_rules import WordRule

_LATIN = "a-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u1e00-\u1eff"

# All costs are in hundredths of a token.
#: The base cost of a Latin word, and what it adds to follow a mark and to have an English ending.
_WORD, _AFTER_A_MARK, _ENDING = -113, 50, -108
_ENDINGS = tuple("ing ed er ly s ion ment th ght ck ry ty al le ure ve ate able".split())
_ACCENTED = 139  #: any other letter
_LETTER_COSTS = (
    "a40 b41 c-30 d21 e33 f11 g59 h55 i65 j87 k110 l45 m45 n1 o38 p35 q33 r35 s46 t23 u77 v70 w19 x49 y53 z95"
)
_LETTERS = defaultdict(lambda: _ACCENTED, {entry[0]: int(entry[1:]) for entry in _LETTER_COSTS.split()})
_SHORTEST_WITH_ENDING, _LONGEST = 4, 24  #: letters; anything longer is not a word
_THREE_DIGITS, _NUMBER_AFTER_SPACE = 110, 100
_MARKS, _OTHER_MARK, _SAME_MARK = 90, 42, 2  #: a run of marks, each change of mark in it, each repetition
#: The cost of a mark before a word, which often absorbs it.
_BEFORE_A_WORD = dict.fromkeys("._('#", 10) | dict.fromkeys('"-', 45) | dict.fromkeys("[{`$*@", 75)
_BEFORE_A_WORD_ELSE = 25
_LINE_END, _LINE_END_AFTER_MARK, _INDENT = 107, 36, 80
_GIBBERISH = 65  #: per letter of anything that is not a word
#: The margin in tenths of the square root of the weight.
_MARGIN, _WIDE_MARGIN = 5, 6
_CONTRACTION = 30  #: the 's or n't of a word
_CAPITALS, _MORE_CAPITALS = 60, 28  #: a run of capitals, and each further letter of it

#: The last code point of each script, and the cost of a run of letters and of each letter.
_SCRIPTS = (
    (0x036F, 0, 110),  # accents and signs of Latin text
    (0x03FF, 15, 38),  # Greek
    (0x052F, 70, 15),  # Cyrillic, as Russian has it
    (0x058F, 110, 18),  # Armenian
    (0x05FF, 33, 40),  # Hebrew
    (0x08FF, 33, 31),  # Arabic
    (0x097F, 20, 33),  # Devanagari
    (0x09FF, 45, 33),  # Bengali
    (0x0A7F, 30, 57),  # Gurmukhi
    (0x0AFF, 20, 38),  # Gujarati
    (0x0B7F, 0, 100),
    (0x0BFF, 30, 36),  # Tamil
    (0x0C7F, 10, 51),  # Telugu
    (0x0CFF, 20, 43),  # Kannada
    (0x0D7F, 38, 33),  # Malayalam
    (0x0DFF, 0, 60),
    (0x0E7F, 0, 42),  # Thai
    (0x0FFF, 0, 130),
    (0x109F, 20, 57),  # Burmese
    (0x10FF, 75, 24),  # Georgian
    (0x11FF, 0, 150),
    (0x139F, 0, 210),  # Ethiopic
    (0x177F, 0, 250),
    (0x17FF, 0, 66),  # Khmer
    (0x1FFF, 0, 150),
    (0x206F, 0, 100),  # dashes, quotes and other marks
    (0x2FFF, 0, 130),  # signs
    (0x30FF, 0, 75),  # Kana
    (0x33FF, 0, 150),
    (0x9FFF, 0, 79),  # Chinese characters
    (0xABFF, 0, 200),
    (0xD7A3, 20, 68),  # Hangul
    (0xFFEF, 0, 150),
    (0x10FFFF, 0, 250),  # emoji and what is rare
)
_CYRILLIC = "[\u0400-\u052f]"
#: Letters that Russian hardly uses; fewer words of their languages are one token.
_NOT_RUSSIAN = "[іїєўґәғқңөұүһъѓјљњћџ]"
_CYRILLIC_ELSE, _LETTERS_PER_MARKED = 8, 150  #: extra cost of a letter, and the letters per such sign
_AFTER_MARK = re.compile(r"\n(?<=[!-/:-@\[-`{-~]\n)")
_WIDE = re.compile(" {2,}")
#: Pieces of a word: letters (a word, it's, a part of camelCase), digits, marks, other scripts.
_PIECES = (
    rf"([A-Z]?[{_LATIN}]+(?:'(?:[stmd]|re|ve|ll)(?![{_LATIN}]))?"
    rf"|[A-Z]+(?![{_LATIN}])|[A-Z])"
    r"|([0-9]+)"
    r"|([!-/:-@\[-`{-~]+)"
    rf"|([^!-~{_LATIN}]+)"
)


def estimate(text: str) -> int:
    """Estimate the tokens of a text; hardly ever less than nine tenths of what a real tokenizer counts."""
    most = len(text) if text.isascii() else 4 * len(text)
    return min(tokens_of(weight(text), is_wide(text)), most)


def tokens_of(weight: int, wide: bool) -> int:
    """Convert a weight to tokens, with a margin that grows like the error of a sum: smaller per word in long texts."""
    margin = _WIDE_MARGIN if wide else _MARGIN
    return -(-(weight + int(margin * weight**0.5)) // 100)


def is_wide(text: str) -> bool:
    """Tell whether over one percent of the characters are not ASCII, for which the estimate is less certain."""
    return not text.isascii() and len(text.encode("utf-8", "replace")) > len(text) * 1.01


def weight(text: str) -> int:
    """Weigh a text in hundredths of a token; an ASCII text weighs as much as its lines."""
    cost = sum(_weights.answers(text))
    if "\n" in text or "  " in text:
        cost += _spacing(text)
    if not text.isascii():
        cost += 100 * text.count("\u00a0") + _other_cyrillic(text)
    return cost


def _spacing(text: str) -> int:
    """Return the cost of line ends and indentation."""
    ends = text.count("\n")
    after_marks = len(_AFTER_MARK.findall(text))
    wide = len(_WIDE.findall(text)) if "  " in text else 0
    wide += text.count("\n\t") // 2
    return (ends - after_marks) * _LINE_END + after_marks * _LINE_END_AFTER_MARK + wide * _INDENT


def _other_cyrillic(text: str) -> int:
    """Return the extra cost of Cyrillic letters in languages other than Russian."""
    marked = len(re.findall(_NOT_RUSSIAN, text))
    return (
        min(len(re.findall(_CYRILLIC, text)), marked * _LETTERS_PER_MARKED) * _CYRILLIC_ELSE if marked else 0
    )


def _word(word: str) -> int:
    """Return the cost of a word, by its pieces."""
    cost, mark = 0, ""
    if word[0].isdigit():
        cost += _NUMBER_AFTER_SPACE
    for letters, digits, marks, others in regex(_PIECES).findall(word):
        if mark:
            cost += _marks(mark, bool(letters))
        if letters:
            cost += _letters(letters, bool(cost))
        elif digits:
            cost += -(-len(digits) // 3) * _THREE_DIGITS
        elif others:
            cost += _script(others[0])[0] + sum(map(_letter_cost, others))
        mark = marks
    return cost + _marks(mark, False) if mark else cost


_weights = WordRule(lambda words: map(_word, words))


@lru_cache(maxsize=1024)
def _marks(marks: str, before_a_word: bool) -> int:
    """Return the cost of a run of marks; a word absorbs the last mark before it."""
    cost = 0
    if before_a_word:
        cost, marks = _BEFORE_A_WORD.get(marks[-1], _BEFORE_A_WORD_ELSE), marks[:-1]
    if marks:
        changes = sum(map(ne, marks, marks[1:]))
        cost += _MARKS + _OTHER_MARK * changes + _SAME_MARK * (len(marks) - 1 - changes)
    return cost


def _letters(letters: str, after_a_mark: bool = False) -> int:
    """Return the cost of a Latin word, at least one token."""
    if len(letters) > _LONGEST:
        return len(letters) * _GIBBERISH
    if len(letters) > 1 and letters.isupper():
        return _CAPITALS + (len(letters) - 1) * _MORE_CAPITALS
    known, short, _ = letters.lower().partition("'")
    cost = _WORD + sum(map(_LETTERS.__getitem__, known))
    if known.endswith(_ENDINGS) and len(known) >= _SHORTEST_WITH_ENDING:
        cost += _ENDING
    if after_a_mark:
        cost += _AFTER_A_MARK
    return max(100, cost + _CONTRACTION if short else cost)


def _script(letter: str) -> tuple[int, int]:
    """Return the cost of a run in the script of this letter, and of the letter itself."""
    point = ord(letter)
    return next((run, entry) for last, run, entry in _SCRIPTS if point <= last)


_letter_cost = lru_cache(maxsize=4096)(lambda letter: _script(letter)[1])
