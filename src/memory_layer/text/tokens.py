"""An estimate of how many tokens a language model reads in a text, a little more rather than less.

It follows how byte-pair tokenizers cut: a word with its space in front, parts of camelCase apart, three digits at a
time, runs of marks, line ends and indentation. How many tokens a word of Latin letters has depends on how usual its
letters are beside each other in English and in code, which a table of pairs tells; other scripts cost by their length.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from operator import add, ne

from memory_layer.text.words import WordCache, split

#: The first letter of a pair is the row, the second the column. ~ is an accented letter of western Europe or
#: Vietnam, % another one of Latin script, ^ the edge of the word.
_LETTERS = "abcdefghijklmnopqrstuvwxyz~%^"
#: A is -0.30 of a token, and each further letter 0.05 more.
_ROWS = (
    "OLIKLPKPKLLILKLMHJNILMLFLNFQI",  # a
    "MNOOKMKNLAJFIIIKIMEILKGKLHPQK",  # b
    "JMJKINLIJIIHJNGLGHNFIHHJKLNLI",  # c
    "KPJJKMHNKIJJGLLEHNLPLMKGONQSA",  # d
    "HLHINLNMMOONLKOKFIJMLJIJOPLMD",  # e
    "HMOOMGGFGGJKIOMHJLPIMHGHJGNRF",  # f
    "NKKNIIKDLHOKHIKLHKRPLHKIRHPTC",  # g
    "MGKHKIHIMOMLIIKGGLJJLQKHLFSQC",  # h
    "JJGLLNLQSKOLMIBLINMISFPHRJJPK",  # i
    "OHMFPGGGMHCLJJOHGIOOMJMGGEOMH",  # j
    "NIKJLLFHOLJMOJPHGOMMNRFHTHQQF",  # k
    "KHLMLJNMKLMLLQLIHIPMLIHHHIQMC",  # l
    "JHKNHLJKKJONJJIEIGNPKOHHQJNQF",  # m
    "LODJMIHJNKNKKMMRKLHFNKGHTMNQE",  # n
    "MMKMOFLONKMKLIHKHGLNGKIJHUJNG",  # o
    "MGKGILIINIJIGJLHGIKJLJGGPGOPF",  # p
    "JHHIHGHGHGHIHHGGIGIGJHHGHGGGM",  # q
    "KJKMJKFLLPLLGHKLJLGINNJGJNPPC",  # r
    "NKIKKGQIMMPNPNKJJMHJLSHGKRROC",  # s
    "MJMKKKMDJMLLNPJHGIMLMQMJLIOME",  # t
    "HLIPILOOKRLHLMOJHJNKPOIFOONOK",  # u
    "NJLKJIHKLILNMQLHGLNLPHFHTHPPL",  # v
    "MIGILHGFNGHILGKJGKIHLGHHQJHJC",  # w
    "HGEHLHHFIGGGKHJFGHHIHHGHHGJGL",  # x
    "KPOOPOQRIIRNOKNLHOKPOLLHMIMQA",  # y
    "MKILKHNLMLKILONFGIKLKLKGNKNRJ",  # z
    "LKKQQJTPJNQPOMEOIQSQHMOIIVNVL",  # ~
    "SWRWTSZRXNXVSSXXLUZWUYKLRVZZS",  # %
    "FDECGFGFFEFFFIHEIDDFGGDLGKMOG",  # ^
)

#: In hundredths of a token, too.
WORD = 51  #: what every word begins with
AFTER_A_MARK = 18  #: more for one with no space before it


_LATIN = "a-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u1e00-\u1eff"
_REMEMBERED = 8_192  #: words
_LONGEST_PAIRED = 24  #: letters of a word that is judged by its pairs; longer ones are no words
_ACCENTED = "àáâãçèéêëíïñóôúüßœươđ"
_UNUSUAL = str.maketrans(
    dict.fromkeys(range(0x80, 0x250), "%")
    | dict.fromkeys((*map(ord, _ACCENTED + _ACCENTED.upper()), *range(0x1E00, 0x1F00)), "~")
)
# All costs are in hundredths of a token.
_THREE_DIGITS, _NUMBER_AFTER_SPACE = 110, 100
_MARKS, _OTHER_MARK, _SAME_MARK = 90, 42, 2  #: a run of marks, each change of mark in it, each repetition
#: What a mark costs in front of a word, which often takes it in.
_BEFORE_A_WORD = dict.fromkeys("._('#", 10) | dict.fromkeys('"-', 45) | dict.fromkeys("[{`$*@", 75)
_BEFORE_A_WORD_ELSE = 25
_LINE_END, _LINE_END_AFTER_MARK, _INDENT = 107, 36, 80
_GIBBERISH = 65  #: a letter of what is no word
#: The margin: tenths of the root of what a text weighs.
_UNSURE, _UNSURE_ELSEWHERE = 5, 6
_SHORTENED = 30  #: the 's or n't of a word
_CAPITALS, _MORE_CAPITALS = 60, 28  #: a run of capitals, and each further letter of it
#: What a run of letters costs in each script, and each letter of it, by the last code point of the script.
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
_LAST_LATIN, _MORE_LATIN = "\u024f", "\u1e00"
_CYRILLIC = "[\u0400-\u052f]"
#: Letters that Russian does not have, or hardly uses; their languages have fewer words of one token.
_NOT_RUSSIAN = "[іїєўґәғқңөұүһъѓјљњћџ]"
_CYRILLIC_ELSE, _SELDOM = 8, 150  #: more for a letter, and for how many one of those speaks
_AFTER_MARK = re.compile(r"\n(?<=[!-/:-@\[-`{-~]\n)")
_WIDE = re.compile(" {2,}")


@cache
def pairs() -> dict[str, int]:
    """What every pair of letters adds to a word, in hundredths of a token."""
    return {
        first + second: 5 * (ord(level) - ord("A")) - 30
        for first, row in zip(_LETTERS, _ROWS, strict=True)
        for second, level in zip(_LETTERS, row, strict=True)
    }


def estimate(text: str) -> int:
    """Tokens of a text, measured to be hardly ever less than nine tenths of what a real tokenizer counts."""
    most = len(text) if text.isascii() else 4 * len(text)
    return min(tokens_of(weight(text), is_wide(text)), most)


def tokens_of(weight: int, wide: bool) -> int:
    """Tokens of so much weight, with a margin that grows as the error of a sum does: less for each of many words."""
    unsure = _UNSURE_ELSEWHERE if wide else _UNSURE
    return -(-(weight + int(unsure * weight**0.5)) // 100)


def is_wide(text: str) -> bool:
    """Whether more than every hundredth character is none of ASCII, which is known less well."""
    return not text.isascii() and len(text.encode("utf-8", "replace")) > len(text) * 1.01


def weight(text: str) -> int:
    """What a text is worth in hundredths of a token; of ASCII texts the whole weighs what its lines do."""
    cost = sum(map(_weights.__getitem__, split(text)))
    if "\n" in text or "  " in text:
        cost += _spacing(text)
    if not text.isascii():
        cost += 100 * text.count("\u00a0") + _other_cyrillic(text)
    return cost


def _spacing(text: str) -> int:
    """What line ends and indentation cost."""
    ends = text.count("\n")
    after_marks = len(_AFTER_MARK.findall(text))
    wide = len(_WIDE.findall(text)) if "  " in text else 0
    wide += text.count("\n\t") // 2
    return (ends - after_marks) * _LINE_END + after_marks * _LINE_END_AFTER_MARK + wide * _INDENT


def _other_cyrillic(text: str) -> int:
    """What Cyrillic letters cost more where the language is not Russian."""
    marked = len(re.findall(_NOT_RUSSIAN, text))
    return min(len(re.findall(_CYRILLIC, text)), marked * _SELDOM) * _CYRILLIC_ELSE if marked else 0


def _word(word: str) -> int:
    """The same as `_mixed`, faster for what words mostly are."""
    if word.isascii():
        if word[1:].islower():
            if word.isalpha():
                return _plain_letters(word)
            if word[-1] in ".," and word[:-1].isalpha():
                return _plain_letters(word[:-1]) + _MARKS
    elif word[0] > _LAST_LATIN:
        if min(word) > _LAST_LATIN and max(word) < _MORE_LATIN:
            return _script(word[0])[0] + sum(map(_each, word))
    elif word.islower() and word.isalpha() and max(word) <= _LAST_LATIN:
        return _letters(word, False)
    return _mixed(word)


_weights = WordCache(_word)


@cache
def _pieces() -> re.Pattern[str]:
    """What a word is cut into; most programs that load this never need it."""
    return re.compile(
        rf"([A-Z]?[{_LATIN}]+(?:'(?:[stmd]|re|ve|ll)(?![{_LATIN}]))?"  # a word, it's, a part of camelCase
        rf"|[A-Z]+(?![{_LATIN}])|[A-Z])"
        r"|([0-9]+)"
        r"|([!-/:-@\[-`{-~]+)"
        rf"|([^!-~{_LATIN}]+)"
    )


def _mixed(word: str) -> int:
    """What a word of several kinds of characters costs."""
    cost, mark = 0, ""
    if word[0].isdigit():
        cost += _NUMBER_AFTER_SPACE
    for letters, digits, marks, others in _pieces().findall(word):
        if mark:
            cost += _marks(mark, bool(letters))
        if letters:
            cost += _letters(letters, bool(cost))
        elif digits:
            cost += -(-len(digits) // 3) * _THREE_DIGITS
        elif others:
            cost += _script(others[0])[0] + sum(map(_each, others))
        mark = marks
    return cost + _marks(mark, False) if mark else cost


@lru_cache(maxsize=1024)
def _marks(marks: str, before_a_word: bool) -> int:
    """What a run of marks costs; a word takes the last one before it in."""
    cost = 0
    if before_a_word:
        cost, marks = _BEFORE_A_WORD.get(marks[-1], _BEFORE_A_WORD_ELSE), marks[:-1]
    if marks:
        changes = sum(map(ne, marks, marks[1:]))
        cost += _MARKS + _OTHER_MARK * changes + _SAME_MARK * (len(marks) - 1 - changes)
    return cost


@lru_cache(maxsize=_REMEMBERED)
def _letters(letters: str, after_a_mark: bool) -> int:
    """What a word of Latin letters costs: by its pairs, at least one token."""
    length = len(letters)
    if length > _LONGEST_PAIRED:
        return length * _GIBBERISH
    letters, short, _ = letters.partition("'")
    plain = letters if letters.isascii() else letters.translate(_UNUSUAL)
    known = f"^{plain.lower()}^"
    cost = (WORD + _SHORTENED if short else WORD) + sum(map(pairs().__getitem__, map(add, known, known[1:])))
    if letters.isupper() and length > 1:
        cost = min(_CAPITALS + (length - 1) * _MORE_CAPITALS, 2 * max(100, cost))
    return max(100, cost + AFTER_A_MARK if after_a_mark else cost)


def _plain_letters(letters: str) -> int:
    """The same for letters of ASCII of which at most the first is a capital, as words mostly are."""
    if len(letters) > _LONGEST_PAIRED:
        return len(letters) * _GIBBERISH
    known = f"^{letters.lower()}^"
    return max(100, WORD + sum(map(pairs().__getitem__, map(add, known, known[1:]))))


def _script(letter: str) -> tuple[int, int]:
    """What a run that begins with this letter of another script costs, and what the letter itself does."""
    point = ord(letter)
    return next((run, each) for last, run, each in _SCRIPTS if point <= last)


_each = lru_cache(maxsize=4096)(lambda letter: _script(letter)[1])
