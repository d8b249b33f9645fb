"""Split a text into terms, which full-text search, coverage and phrases compare in every store.

A term has only letters, digits and underscores, so that a full-text index keeps it in one piece:

    snake_case           snake, case, snake_case
    parseHTTPHeader      parsehttphead, pars, http, header
    src/core/db.py       src, core, db, py, db_py, src_core_db_py
    3.11.7               3, 11, 7, 3_11, 3_11_7
    pre-commit, Node.js  pre, commit, precommit; node, js, nodej
    --no-verify          verifi, noverifi
    C++, C#, .NET        cplusplu; csharp; dotnet, net
    9fceb02d0ae598e9     9fceb02d0ae598e9, 9fceb02
    ann@example.com      ann, exampl, com, example_com, ann_example_com
    東京都               東京, 京都
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect
from collections.abc import Iterable, Iterator
from datetime import date
from itertools import groupby

from memory_layer.text.porter import compute_stem, stem
from memory_layer.text.word_rules import WordRule

_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
    "November", "December",
)  # fmt: skip
_NUMBERS = {name[:3].lower(): number for number, name in enumerate(_MONTHS, 1)}
_STOP_WORDS = """
    a about am an and are aren as at be been being but by can could couldn d did didn do does doesn don for
    from had hadn has hasn have haven he her him his how i if in into is isn it its just ll m me my no not of
    on or our re s she should shouldn so such t that the their them then there these they this to too us ve
    very was wasn we were what when where which who why will with won would wouldn you your
"""
#: Excluded from every index and query. Words such as "before" or "all" must stay searchable.
STOP_WORDS = frozenset(_STOP_WORDS.split())
_FILLERS = """
    all also always any currently each ensure every go goes keep let make may must need note now please prefer
    remember require shall still sure use using via
"""
#: Stems of emphasis and connecting words, which do not change the meaning of a memory.
FILLERS = frozenset(map(stem, _FILLERS.split()))
NUMBER_WORDS = {
    "zero": "0", "one": "1", "once": "1", "two": "2", "twice": "2", "three": "3", "four": "4", "five": "5",
    "six": "6", "seven": "7", "eight": "8", "nine": "9", "ten": "10", "eleven": "11", "twelve": "12",
    "dozen": "12", "fifteen": "15", "twenty": "20", "thirty": "30", "forty": "40", "fifty": "50",
    "sixty": "60", "ninety": "90", "hundred": "100", "thousand": "1000", "million": "1000000",
}  # fmt: skip
_SPELLINGS = """
    application=app=apps authentication=auth authorization=authz configuration=config=configs=conf
    database=db=dbs dependency=dep=deps development=dev directory=dir=folder documentation=doc=docs
    environment=env function=func=fn information=info javascript=js kubernetes=k8s library=lib maximum=max
    message=msg minimum=min minute=mins mongodb=mongo nodejs=node outdated=stale package=pkg
    parameter=param=argument=arg postgres=postgresql=psql production=prod python=py repository=repo
    run=execute second=sec=secs specification=spec temporary=tmp=temp typescript=ts variable=var=vars
"""
MAX_TERMS = 65_536
_MAX_TEXT = 131_072  #: characters read; normalisation can lengthen a text
_MAX_TERM = 64
_VERSION_LEVELS = 4
_COMPOUND = re.compile(r"\w+(?:[-./\\@]\w+)*")
_JOINTS = re.compile(r"[-./\\@]")
_VERSION = re.compile(r"v?(\d+(?:\.\d+)+)", re.IGNORECASE)
_SOLID = re.compile(r"\w+(?:-\w+)+|\w+\.js", re.IGNORECASE)  #: often written as one word
_HASH = re.compile(r"[0-9a-f]{7,64}")
_SHORT_HASH = 7  #: characters of an abbreviated commit hash
_BORDER = re.compile(r"(?=[a-z][0-9]|[0-9][a-z])")
_SNAKE = re.compile(r"(?:[a-z]+|\d+)(?:_(?:[a-z]+|\d+))*")
_AROUND = ",;:!?()[]{}\"'"  #: marks around a word that are not part of a term
_AROUND_AND_AFTER = _AROUND + "."
_PARTS = re.compile(r"U{2,}s$|U+(?![ls])|U?[ls]+|d+")  #: over one letter per character, see _character_class
_PHRASE = re.compile(r'"([^"]*)"|“([^“”]*)”')
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_PLUSES = re.compile(r"(?<=\w)\+\+")
_SHARP = re.compile(r"(?<!\w)([CFcf])#(?!\w)")
_DOTNET = re.compile(r"(?<![\w.])\.net(?!\w)", re.IGNORECASE)
#: Scripts written without spaces between words, as first and last code point, in order.
_UNSPACED = (
    (0x0E00, 0x0EFF), (0x1000, 0x109F), (0x1100, 0x11FF), (0x1780, 0x17FF), (0x2E80, 0x2FDF),
    (0x3005, 0x3007), (0x3021, 0x3029), (0x3041, 0x30FF), (0x3105, 0x318F), (0x31A0, 0x31FF),
    (0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xA960, 0xA97F), (0xAC00, 0xD7FF), (0xF900, 0xFAFF),
    (0x1B000, 0x1B16F), (0x20000, 0x323AF),
)  # fmt: skip
_UNSPACED_FROM = tuple(first for first, _ in _UNSPACED)
#: Letters in Python at which SQLite's tokenizer would split a term.
_DISPUTED = frozenset(map(chr, (*range(0x19B0, 0x19C1), 0x19C8, 0x19C9, 0x1CF2, 0x1CF3)))
_VOICING = "\u3099\u309a"  # a kana with it is another letter, not an accented one
_INVISIBLE = frozenset(("Mn", "Mc", "Me", "Cf"))


def date_words(day: date) -> str:
    """Format a day in words: "8 May 2023"."""
    return f"{day.day} {_MONTHS[day.month - 1]} {day.year}"


def days_named(text: str) -> Iterator[str]:
    """Yield the days that a text names in words, as terms of numbers: "8 May 2023" is 2023_05_08."""
    words = [word.rstrip(".?!") for word in text.lower().replace(",", " ").split() if word != "of"]
    for before, word, after, last in zip(
        ["", *words], words, [*words[1:], ""], [*words[2:], "", ""], strict=False
    ):
        number = _NUMBERS.get(word[:3])
        if number and _MONTHS[number - 1].lower().startswith(word):
            for day, year in ((before, after), (after, last)):
                day = day.rstrip("stndrh")  # 1st, 2nd, 3rd, 4th
                if day.isdecimal() and len(day) <= 2 and year.isdecimal() and len(year) == 4:
                    yield f"{year}_{number:02}_{int(day):02}"


#: One form for words with several spellings; all of them stems.
ALIASES = {stem(word): number for word, number in NUMBER_WORDS.items()} | {
    stem(spelling): stem(line.split("=")[0])
    for line in _SPELLINGS.split()
    for spelling in line.split("=")[1:]
}


def terms(text: str) -> list[str]:
    """Return all terms in text order, with repetitions, without stop words."""
    return line(text).split()


def line(text: str) -> str:
    """Return the terms in one line, as full-text search needs them."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text)
    found = " ".join(filter(None, _lines.answers(text if len(text) <= _MAX_TEXT else text[:_MAX_TEXT])))
    return found if found.count(" ") < MAX_TERMS else " ".join(found.split(" ")[:MAX_TERMS])


def unnumbered(text: str) -> str:
    """Return a text without the numbers of its steps: "1. ", "2) " at the beginning of lines."""
    return re.sub(r"^\s*\d{1,3}[.)]\s+", "", text, flags=re.MULTILINE)


def query_terms(text: str) -> list[str]:
    """Return the distinct terms of a query in order; none if it has only stop words, which no index holds."""
    return list(dict.fromkeys(terms(text)))


def other_spellings(text: str, query: Iterable[str]) -> list[str]:
    """Return terms that texts may use for those of a query: the short form of a hash, the numbers of a day.

    The beginning of a hash may look like a number, so anything that may be a hash is shortened.
    """
    hashes = [term[:_SHORT_HASH] for term in query if _HASH.fullmatch(term)]
    return [term for term in dict.fromkeys([*hashes, *days_named(text)]) if term not in query]


def spelled_out(text: str, short: str) -> str:
    """Return the words whose initials are an abbreviation, where a text gives both; empty if it does not.

    Both "Recovery Point Objective (RPO)" and "RPO (recovery point objective)" or "RPO = recovery ..." count.
    """
    initials = r"\W{1,2}".join(rf"{letter}\w+" for letter in re.escape(short) if letter.isalpha())
    forms = (
        rf"\b({initials})\s*\({short}\)|\b{short}\s*(?:\(|=|:|stands for|means|is short for)\s*({initials})\b"
    )
    found = re.search(forms, text, re.IGNORECASE)
    return (found[1] or found[2]) if found else ""


def phrases(text: str) -> list[str]:
    """Return the phrases in double quotes, each once."""
    found = (straight or curly for straight, curly in _PHRASE.findall(text))
    return list(dict.fromkeys(phrase.strip() for phrase in found if phrase.strip()))


def content_words(text: str) -> frozenset[str]:
    """Return the terms that carry the meaning, with one form for all spellings and without fillers."""
    return frozenset(ALIASES.get(term, term) for term in terms(text)) - FILLERS


def _read(chunk: str) -> str:
    """Return the terms of one chunk without white space, in one line."""
    bare = chunk.lstrip(_AROUND).rstrip(_AROUND_AND_AFTER)
    if bare.isascii():
        if bare.isalpha() and (bare[1:].islower() or bare.isupper()):
            word = bare if bare.islower() else bare.lower()
            return "" if word in STOP_WORDS else compute_stem(word[:_MAX_TERM])
        if _SNAKE.fullmatch(bare):
            pieces = bare.split("_")
            words = [piece[:_MAX_TERM] for piece in pieces if piece not in STOP_WORDS]
            found = [stem(word) if word.isalpha() else word for word in words]
            return " ".join([*found, bare[:_MAX_TERM]] if len(pieces) > 1 else found)
    return " ".join(_chunk_terms(chunk))


_lines = WordRule(lambda words: map(_read, words))


def _chunk_terms(chunk: str) -> Iterator[str]:
    for compound in _COMPOUND.findall(_spell_out(_strip_marks(chunk))):
        yield from _compound_terms(compound)


def _strip_marks(text: str) -> str:
    """Remove accents, vowel points and invisible characters."""
    if text.isascii():
        return text
    visible = (c for c in unicodedata.normalize("NFKD", text) if c in _VOICING or not _is_invisible(c))
    return unicodedata.normalize("NFKC", "".join(visible))


def _is_invisible(character: str) -> bool:
    return unicodedata.category(character) in _INVISIBLE


def _spell_out(chunk: str) -> str:
    """Spell out signs that belong to a name."""
    if "+" in chunk:
        chunk = _PLUSES.sub("plusplus", chunk)
    if "#" in chunk:
        chunk = _SHARP.sub(r"\1sharp", chunk)
    if "." in chunk:
        chunk = _DOTNET.sub("dotnet net", chunk)
    if "," in chunk:
        chunk = _THOUSANDS.sub("", chunk)
    return chunk


def _compound_terms(compound: str) -> Iterator[str]:
    """Yield the parts of a path, address, version or hyphenated word, then the whole."""
    segments = re.split(r"[/\\@]", compound)
    for segment in segments:
        yield from _segment_terms(segment)
    if len(segments) > 1:
        yield from _joined_term(compound)


def _segment_terms(segment: str) -> Iterator[str]:
    pieces = re.split(r"[-.]", segment)
    for piece in pieces:
        yield from _word_terms(piece)
    if len(pieces) == 1:
        return
    version = _VERSION.match(segment)
    if version:
        yield from _version_terms(version[1])
    if _SOLID.fullmatch(segment) and not all(piece.isdigit() for piece in pieces):
        yield from _term("".join(pieces))
    elif not version or version.end() < len(segment):
        yield from _joined_term(segment)


def _version_terms(version: str) -> Iterator[str]:
    """Yield 3.11 for 3.11.7, so that the shorter form of a version finds the longer one."""
    numbers = version.split(".")
    for level in range(2, min(len(numbers), _VERSION_LEVELS) + 1):
        yield "_".join(numbers[:level])[:_MAX_TERM]


def _joined_term(compound: str) -> Iterator[str]:
    pieces = [piece.strip("_") for piece in _JOINTS.split(compound.casefold())]
    if not STOP_WORDS.issuperset(pieces):
        yield from _term("_".join(pieces))


def _word_terms(word: str) -> Iterator[str]:
    """Yield the pieces between underscores, then the whole word."""
    if word.isascii() and word.isalpha() and (word.islower() or word.isupper()):
        yield from _term(word)
        return
    for piece in word.split("_"):
        if piece.isascii():
            yield from _piece_terms(piece)
            continue
        for unspaced, run in groupby(piece, _is_unspaced):
            read = _pairs if unspaced else _piece_terms
            yield from read("".join(run))
    if "_" in word:
        yield from _term(word)


def _is_unspaced(character: str) -> bool:
    at = bisect(_UNSPACED_FROM, ord(character)) - 1
    return at >= 0 and ord(character) <= _UNSPACED[at][1]


def _pairs(run: str) -> Iterator[str]:
    """Yield overlapping pairs of characters; a single character stays."""
    for start in range(max(1, len(run) - 1)):
        yield from _term(run[start : start + 2])


def _piece_terms(piece: str) -> Iterator[str]:
    """Yield the piece, and its parts if a change of case or a digit divides it."""
    if piece.isascii() and (piece.isdigit() or (piece.islower() and piece.isalpha())):
        yield from _term(piece)
        return
    yield from _term(piece)
    for part in _parts(piece):
        if part != piece:
            yield from _term(part)


def _parts(piece: str) -> list[str]:
    """Split at changes of case and between letters and digits; "APIs" stays whole, hashes are shortened."""
    lower = piece.lower()
    borders = len(_BORDER.findall(lower)) if _HASH.fullmatch(lower) else 0
    short = [piece[:_SHORT_HASH]] if borders else []
    if borders > 1:
        return short
    kinds = "".join(_character_class(character) for character in piece)
    return [piece[part.start() : part.end()] for part in _PARTS.finditer(kinds)] + short


def _character_class(character: str) -> str:
    if character == "s":
        return character
    if character.isupper():
        return "U"
    return "l" if character.isalpha() else "d"


def _term(word: str) -> Iterator[str]:
    """Yield the term of one part: folded, stemmed if it is an English word, nothing for a stop word."""
    word = word.casefold()
    if word.isascii() and word.isalpha():
        if word not in STOP_WORDS:
            yield stem(word[:_MAX_TERM])
    elif word.isascii():  # letters, digits and underscores, of which nothing is dropped
        if word.strip("_"):
            yield word[:_MAX_TERM]
    elif (word := "".join(filter(_is_term_character, _strip_marks(word)))).strip("_"):
        yield word[:_MAX_TERM]


def _is_term_character(character: str) -> bool:
    return (character.isalnum() or character == "_") and character not in _DISPUTED
