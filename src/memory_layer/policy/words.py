"""The terms of a text: what full text, coverage and phrases compare in every store.

A term holds only letters, digits and underscores, so that a full-text index keeps it in one piece:

    snake_case           snake, case, snake_case
    parseHTTPHeader      parsehttphead, pars, http, header
    src/core/db.py       src, core, db, py, db_py, src_core_db_py
    3.11.7               3, 11, 7, 3_11, 3_11_7
    pre-commit, Node.js  pre, commit, precommit; node, js, nodej
    --no-verify          verifi, noverifi
    C++, C#, .NET        cplusplus, csharp, dotnet + net
    me@example.com       me, exampl, com, example_com, me_example_com
    東京都               東京, 京都
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from datetime import datetime
from functools import lru_cache

from memory_layer.policy.lexicon import ALIASES, FILLERS, STOP_WORDS
from memory_layer.policy.porter import stem

MAX_TERMS = 65_536
_MAX_TEXT = 131_072  #: characters read; compatibility forms can make a text longer than it was
_MAX_TERM = 64
_MAX_CACHED = 64
_VERSION_LEVELS = 4

_COMPOUND = re.compile(r"\w+(?:[-./\\@]\w+)*")
_JOINTS = re.compile(r"[-./\\@]")
_VERSION = re.compile(r"v?(\d+(?:\.\d+)+)", re.IGNORECASE)
_SOLID = re.compile(r"\w+(?:-\w+)+|\w+\.js", re.IGNORECASE)  #: written in one word as often as not
_HASH = re.compile(r"[0-9a-f]{7,64}")
_BORDER = re.compile(r"[a-z][0-9]|[0-9][a-z]")
_PARTS = re.compile(r"U{2,}s$|U+(?![ls])|U?[ls]+|d+")  #: over one letter per character, see _kind
_PHRASE = re.compile(r'"([^"]+)"|“([^”]+)”')
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_PLUSES = re.compile(r"(?<=\w)\+\+")
_SHARP = re.compile(r"(?<!\w)([CFcf])#(?!\w)")
_DOTNET = re.compile(r"(?<![\w.])\.net(?!\w)", re.IGNORECASE)

#: Scripts written without spaces between words, which are cut into pairs of characters.
_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029"
    "\u3041-\u30ff\u3105-\u318f\u31a0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7ff"
    "\uf900-\ufaff\U0001b000-\U0001b16f\U00020000-\U000323af"
)
_SCRIPT_RUN = re.compile(f"[{_UNSPACED}]+|[^{_UNSPACED}]+")
_is_unspaced = re.compile(f"[{_UNSPACED}]").match

#: Letters for Python that SQLite's tokenizer takes for marks and would split a term at.
_DISPUTED = "\u19b0-\u19c0\u19c8\u19c9\u1cf2\u1cf3"
_NOT_A_TERM = re.compile(rf"\W|[{_DISPUTED}]")
_VOICING = "\u3099\u309a"  # a kana with it is another letter, not an accented one
_UNSEEN = frozenset(("Mn", "Mc", "Me", "Cf"))

_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip


def terms(text: str) -> list[str]:
    """Every term in the order of the text, repetitions included, stop words left out."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text)
    found: list[str] = []
    for chunk in text[:_MAX_TEXT].split():
        found += _terms_of(chunk) if len(chunk) <= _MAX_CACHED else _read(chunk)
    return found[:MAX_TERMS]


def query_terms(text: str) -> list[str]:
    """The distinct terms of a question in order; none when it has only stop words, which no index holds."""
    return list(dict.fromkeys(terms(text)))


def phrases(text: str) -> list[str]:
    """What stands between double quotes."""
    found = (straight or curly for straight, curly in _PHRASE.findall(text))
    return [phrase.strip() for phrase in found if phrase.strip()]


def content_words(text: str) -> frozenset[str]:
    """The terms that carry the statement, one form for each of several spellings, emphasis left out."""
    return frozenset(ALIASES.get(term, term) for term in terms(text)) - FILLERS


def date_words(moment: datetime) -> str:
    """The day as people write it in a question: "8 May 2023"."""
    return f"{moment.day} {_MONTHS[moment.month - 1]} {moment.year}"


@lru_cache(maxsize=16_384)
def _terms_of(chunk: str) -> tuple[str, ...]:
    return tuple(_read(chunk))


def _read(chunk: str) -> Iterator[str]:
    """The terms of one stretch of text without white space."""
    if chunk.isascii() and chunk.isalpha() and chunk.islower():
        yield from _plain(chunk)
        return
    for compound in _COMPOUND.findall(_spelled_out(_bare(chunk))):
        yield from _compound_terms(compound)


def _bare(text: str) -> str:
    """Without accents, vowel points and invisible characters."""
    if text.isascii():
        return text
    kept = (c for c in unicodedata.normalize("NFKD", text) if c in _VOICING or not _unseen(c))
    return unicodedata.normalize("NFKC", "".join(kept))


def _unseen(character: str) -> bool:
    return unicodedata.category(character) in _UNSEEN


def _spelled_out(chunk: str) -> str:
    """Signs that belong to a name, as letters."""
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
    """The parts of a path, address, version or hyphenated word, then the whole."""
    segments = re.split(r"[/\\@]", compound)
    for segment in segments:
        yield from _segment_terms(segment)
    if len(segments) > 1:
        yield from _whole(compound)


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
        yield from _plain("".join(pieces))
    elif not version or version.end() < len(segment):
        yield from _whole(segment)


def _version_terms(version: str) -> Iterator[str]:
    """From 3.11.7 also 3.11, so that the shorter form of a version finds the longer one."""
    numbers = version.split(".")
    for level in range(2, min(len(numbers), _VERSION_LEVELS) + 1):
        yield "_".join(numbers[:level])[:_MAX_TERM]


def _whole(compound: str) -> Iterator[str]:
    pieces = [piece.strip("_") for piece in _JOINTS.split(compound.casefold())]
    if not STOP_WORDS.issuperset(pieces):
        yield from _plain("_".join(pieces))


def _word_terms(word: str) -> Iterator[str]:
    """One run of letters, digits and underscores: the pieces between underscores, then all of it."""
    if word.isascii() and word.isalpha() and (word.islower() or word.isupper()):
        yield from _plain(word)
        return
    for piece in word.split("_"):
        for run in _SCRIPT_RUN.findall(piece):
            yield from _pairs(run) if _is_unspaced(run) else _piece_terms(run)
    if "_" in word and word.strip("_"):
        yield from _plain(word)


def _pairs(run: str) -> Iterator[str]:
    """Overlapping pairs of characters; one character alone stays."""
    for start in range(max(1, len(run) - 1)):
        yield from _plain(run[start : start + 2])


def _piece_terms(piece: str) -> Iterator[str]:
    """The piece, and its parts if a change of case or a digit divides it."""
    parts = _parts(piece)
    yield from _plain(piece)
    if len(parts) > 1:
        for part in parts:
            yield from _plain(part)


def _parts(piece: str) -> list[str]:
    """Cut at the borders of camel case and between letters and digits; "APIs" and hashes stay whole."""
    lower = piece.lower()
    if _HASH.fullmatch(lower) and len(_BORDER.findall(lower)) > 1:
        return [piece]
    kinds = "".join(_kind(character) for character in piece)
    return [piece[part.start() : part.end()] for part in _PARTS.finditer(kinds)]


def _kind(character: str) -> str:
    if character == "s":
        return character
    if character.isupper():
        return "U"
    return "l" if character.isalpha() else "d"


def _plain(word: str) -> Iterator[str]:
    """The term of one part: folded, stemmed if it is an English word, nothing for a stop word."""
    word = word.casefold()
    if word.isascii() and word.isalpha():
        if word not in STOP_WORDS:
            yield stem(word[:_MAX_TERM])
    elif word := _NOT_A_TERM.sub("", _bare(word)):
        yield word[:_MAX_TERM]
