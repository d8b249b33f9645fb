"""Invisible and encoded characters: remove or decode them, and tell legitimate uses from hiding."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from unicodedata import bidirectional, category, normalize

from memory_layer.model.record import NamedTuple
from memory_layer.text import regex

_ZERO_WIDTH = frozenset(
    {0x034F, 0x180E, 0x200B, 0x200C, 0x200D, *range(0x2060, 0x2066), 0xFEFF, 0xFFF9, 0xFFFA, 0xFFFB}
)
_FILLERS = frozenset({0x115F, 0x1160, 0x3164, 0xFFA0})
#: Marks, embeddings and isolates, which right-to-left text needs.
_ORDER = frozenset({0x061C, 0x200E, 0x200F, *range(0x202A, 0x202D), *range(0x2066, 0x206A)})
_OVERRIDES = frozenset({0x202D, 0x202E, *range(0x206A, 0x2070)})
_TAGS = frozenset(range(0xE0000, 0xE0080))
_EMOJI_SELECTORS = frozenset(range(0xFE00, 0xFE10))
_IDEOGRAPH_SELECTORS = frozenset(range(0xE0100, 0xE01F0))
_SELECTORS = _EMOJI_SELECTORS | _IDEOGRAPH_SELECTORS
_TERMINAL = frozenset({0x08, 0x1B, 0x9B})
_SOFT_HYPHEN = 0xAD
#: Selectors for the shape of a Mongolian letter; invisible after any other.
_MONGOLIAN = frozenset({0x180B, 0x180C, 0x180D, 0x180F})

_INVISIBLE = _ZERO_WIDTH | _FILLERS | _ORDER | _OVERRIDES | _TAGS | _SELECTORS | _MONGOLIAN | {_SOFT_HYPHEN}
_DROPPED = dict.fromkeys(_INVISIBLE)
_INVISIBLE_CHARACTERS = frozenset(map(chr, _INVISIBLE))

_BLACK_FLAG = 0x1F3F4
_TAG_END = 0xE007F
_SKIN_TONES = range(0x1F3FB, 0x1F400)
#: Scripts without spaces, in which a zero-width space separates words.
_SPACELESS = (range(0x0E00, 0x0F00), range(0x1000, 0x10A0), range(0x1780, 0x1800))
#: Scripts whose letters join, from Arabic to Mongolian; Latin, Greek, Cyrillic and Hebrew come before.
_JOINING = (range(0x0600, 0x10A0), range(0x1700, 0x1CF9), range(0xA800, 0xAC00), range(0x10A00, 0x12000))

_Piece = tuple[int, int, str]  #: start, end and replacement
_LAYERS = 3  #: of encoding, such as a log line in a query string in a page
_SPACES = "\t\n\v\f\r\x85"
_ESCAPE_STARTS = "\x1b\x9b"
#: Nothing is encoded in a text with none of these.
ENCODING_STARTS = ("%", "&", "\\", *_ESCAPE_STARTS)
_ENCODED = r"""(?x)
    (?:\x1b\[|\x9b)[0-?]{0,40}[ -/]{0,4}[@-~]
  | \x1b\][^\x07\x1b\x9b\n]{0,200}(?:\x07|\x1b\\)
  | %(?:25)*(?:u00)?(?P<percent>[0-7][0-9A-Fa-f])
  | &(?:amp;)*+(?:\#(?:0*(?P<decimal>[0-9]{1,7})|[xX]0*(?P<entity>[0-9A-Fa-f]{1,6}));?|(?P<named>[a-z]{2,6});)
  | (?<!\\)\\++(?:
        u(?P<four>[0-9A-Fa-f]{4}) | u\{(?P<braced>[0-9A-Fa-f]{1,6})\} | x(?P<two>[0-9A-Fa-f]{2})
      | (?P<octal>0[0-7]{2}|1[0-7]{2}) | (?P<letter>[nrtfvb0e])
    )
"""
_BASES = {"percent": 16, "decimal": 10, "entity": 16, "four": 16, "braced": 16, "two": 16, "octal": 8}
_LETTERS = {"n": "\n", "r": "\n", "t": "\t", "e": "\x1b"}
_NAMED = {"quot": '"', "apos": "'", "amp": "&", "lt": "<", "gt": ">", "nbsp": " ", "lowbar": "_"} | {
    "equals": "=",
    "colon": ":",
    "commat": "@",
}
_REORDERED = "it holds characters that change the order in which the text is shown"


def visible(text: str) -> str:
    """Remove invisible characters."""
    return text if text.isascii() or _INVISIBLE_CHARACTERS.isdisjoint(text) else text.translate(_DROPPED)


class DecodedText(NamedTuple):
    """A text with nothing encoded or hidden, and the steps that led to it."""

    text: str
    steps: tuple[tuple[str, Callable[[str], Iterable[_Piece]]], ...]

    def map_back(self, spans: Iterable[tuple[int, int, str]]) -> Iterator[tuple[int, int, str]]:
        """Map spans of the decoded text to the original text."""
        spans = list(spans)
        for text, pieces in reversed(self.steps if spans else ()):
            starts, ends = _edges(text, pieces(text))
            spans = [(starts[start], ends[end - 1], kind) for start, end, kind in spans]
        yield from spans


def decodings(text: str) -> Iterator[DecodedText]:
    """Yield the text decoded by one layer of encoding after the other."""
    steps: list[tuple[str, Callable[[str], Iterable[_Piece]]]] = []
    for _ in range(_LAYERS):
        known = len(steps)
        for transform, pieces in ((_decode, _decoded_pieces), (fold, _folded_pieces)):
            result = transform(text)
            if result != text:
                steps.append((text, pieces))
                text = result
        if len(steps) == known:
            return
        yield DecodedText(text, tuple(steps))


def fold(text: str) -> str:
    """Convert to plain letters: no marks, controls or invisible characters, and wide letters made narrow."""
    if text.isascii():
        return text if len(text.encode().translate(None, _CONTROLS)) == len(text) else text.translate(_FOLDS)
    return text if all(_FOLDS[ord(char)] == char for char in set(text)) else text.translate(_FOLDS)


def _is_shown(char: str) -> bool:
    if " " <= char <= "~" or char in _SPACES or char in _ESCAPE_STARTS:
        return True
    return ord(char) not in _INVISIBLE and category(char) not in ("Mn", "Me", "Cf", "Cc")


#: Invisible ASCII characters.
_CONTROLS = bytes(code for code in range(0x80) if not _is_shown(chr(code)))


class _Folds(dict[int, str]):
    """The folded form of each character, computed on first use."""

    _MOST = 4096

    def __missing__(self, code: int) -> str:
        written = chr(code) if code < 0x80 else normalize("NFKD", chr(code))
        if len(self) >= self._MOST:
            self.clear()
        self[code] = shown = "".join(filter(_is_shown, written))
        return shown


_FOLDS = _Folds()


def _folded_pieces(text: str) -> Iterator[_Piece]:
    for place, char in enumerate(text):
        if (shown := _FOLDS[ord(char)]) != char:
            yield place, place + 1, shown


def _decode(text: str) -> str:
    if not any(start in text for start in ENCODING_STARTS):
        return text
    return regex(_ENCODED).sub(_decode_match, text)


def _decoded_pieces(text: str) -> Iterator[_Piece]:
    for match in regex(_ENCODED).finditer(text):
        yield *match.span(), _decode_match(match)


def _decode_match(match: re.Match[str]) -> str:
    group = match.lastgroup
    if group is None:
        return ""  # a colour
    if group == "letter":
        return _LETTERS.get(match[group], " ")
    if group == "named":
        return _NAMED.get(match[group], match[0])
    code = int(match[group], _BASES[group])
    return chr(code) if code <= 0x10FFFF else match[0]


def _edges(text: str, pieces: Iterable[_Piece]) -> tuple[list[int], list[int]]:
    """Return where each character of a changed text begins and ends in the original."""
    starts: list[int] = []
    ends: list[int] = []
    place = 0
    for start, end, replacement in (*pieces, (len(text), len(text), "")):
        starts += [*range(place, start), *[start] * len(replacement)]
        ends += [*range(place + 1, start + 1), *[end] * len(replacement)]
        place = end
    return starts, ends


def hidden_characters(text: str) -> tuple[str, ...]:
    """List the ways in which a text hides something from its reader, each once."""
    if not any(map(text.__contains__, _WATCHED_IN_ASCII)) and (text.isascii() or _WATCHED.isdisjoint(text)):
        return ()
    reasons: dict[str, None] = {}
    for codes, reason, is_legitimate in _RULES:
        places = (place for place, char in enumerate(text) if ord(char) in codes)
        if not all(is_legitimate(text, place) for place in places):
            reasons[reason] = None
    if not _ORDER.isdisjoint(map(ord, text)) and not _has_right_to_left(text):
        reasons[_REORDERED] = None
    return tuple(reasons)


def _code(text: str, place: int) -> int:
    return ord(text[place]) if 0 <= place < len(text) else 0


def _never(text: str, place: int) -> bool:
    return False


def _is_legitimate_zero_width(text: str, place: int) -> bool:
    code, before, after = ord(text[place]), _code(text, place - 1), _code(text, place + 1)
    if code == 0xFEFF:
        return place == 0
    if code == 0x200B:
        return any(before in script and after in script for script in _SPACELESS)
    if code not in (0x200C, 0x200D):
        return False
    if any(before in script for script in _JOINING) and category(chr(before))[0] in "LM":
        return True
    return code == 0x200D and _is_emoji_part(text, place - 1) and _is_emoji_part(text, place + 1)


def _is_emoji_part(text: str, place: int) -> bool:
    code = _code(text, place)
    return code in _EMOJI_SELECTORS or code in _SKIN_TONES or category(chr(code)) == "So"


def _has_right_to_left(text: str) -> bool:
    return any(bidirectional(char) in ("R", "AL") for char in text if ord(char) not in _ORDER)


def _is_flag(text: str, place: int) -> bool:
    """Recognise the three national flags that are written as a black flag and at most six tags."""
    first = place
    while first > 0 and ord(text[first - 1]) in _TAGS and place - first <= 6:
        first -= 1
    return _code(text, first - 1) == _BLACK_FLAG and (_TAG_END in map(ord, text[place : place + 7]))


def _is_legitimate_selector(text: str, place: int) -> bool:
    """Accept one selector after a symbol, a keycap or an ideograph; elsewhere it carries data."""
    code, before = ord(text[place]), _code(text, place - 1)
    if before < 0x80:
        return chr(before) in "0123456789#*" and code in _EMOJI_SELECTORS
    kind = category(chr(before))
    return before not in _SELECTORS and (kind in ("Lo", "Mn") or kind[0] == "S" or kind[0] == "P")


_RULES = (
    (_ZERO_WIDTH | _FILLERS, "it holds invisible characters", _is_legitimate_zero_width),
    (_OVERRIDES, _REORDERED, _never),
    (_TAGS, "it holds invisible tag characters, which can carry a hidden message", _is_flag),
    (_SELECTORS, "it holds variation selectors, which can carry a hidden message", _is_legitimate_selector),
    (_TERMINAL, "it holds terminal control characters", _never),
)
_WATCHED = frozenset(map(chr, _ORDER.union(*(codes for codes, _, _ in _RULES))))
_WATCHED_IN_ASCII = tuple(filter(str.isascii, _WATCHED))
