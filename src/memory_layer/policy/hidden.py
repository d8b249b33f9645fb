"""Characters that a reader does not see: where they belong, and where they only hide something."""

from __future__ import annotations

from unicodedata import bidirectional, category

_ZERO_WIDTH = frozenset(
    {0x034F, 0x180E, 0x200B, 0x200C, 0x200D, 0x2060, 0x2061, 0x2062, 0x2063, 0x2064, 0xFEFF}
)
_FILLERS = frozenset({0x115F, 0x1160, 0x3164, 0xFFA0})
#: Marks, embeddings and isolates, which text written from right to left needs.
_ORDER = frozenset({0x061C, 0x200E, 0x200F, *range(0x202A, 0x202D), *range(0x2066, 0x206A)})
_OVERRIDES = frozenset({0x202D, 0x202E, *range(0x206A, 0x2070)})
_TAGS = frozenset(range(0xE0000, 0xE0080))
_EMOJI_SELECTORS = frozenset(range(0xFE00, 0xFE10))
_IDEOGRAPH_SELECTORS = frozenset(range(0xE0100, 0xE01F0))
_SELECTORS = _EMOJI_SELECTORS | _IDEOGRAPH_SELECTORS
_TERMINAL = frozenset({0x08, 0x1B, 0x9B})
_SOFT_HYPHEN = 0xAD

_UNSEEN = _ZERO_WIDTH | _FILLERS | _ORDER | _OVERRIDES | _TAGS | _SELECTORS | {_SOFT_HYPHEN}
_DROPPED = dict.fromkeys(_UNSEEN)

_BLACK_FLAG = 0x1F3F4
_TAG_END = 0xE007F
_SKIN_TONES = range(0x1F3FB, 0x1F400)
#: Scripts that write no spaces, where a zero-width one marks a word.
_SPACELESS = (range(0x0E00, 0x0F00), range(0x1000, 0x10A0), range(0x1780, 0x1800))
#: Scripts whose letters join, from Arabic to Mongolian; Latin, Greek, Cyrillic and Hebrew lie before.
_JOINING = (range(0x0600, 0x10A0), range(0x1700, 0x1CF9), range(0xA800, 0xAC00), range(0x10A00, 0x12000))


def seen(text: str) -> str:
    """The text as a reader sees it, without the characters that take no room."""
    return text if text.isascii() else text.translate(_DROPPED)


def seen_positions(text: str) -> list[int]:
    """Where each character of `seen(text)` stands in the text."""
    return [place for place, char in enumerate(text) if ord(char) not in _UNSEEN]


def hiding(text: str) -> tuple[str, ...]:
    """What the text hides from its reader, each reason once."""
    if (text.isascii() and text.isprintable()) or _WATCHED.isdisjoint(map(ord, text)):
        return ()
    reasons: dict[str, None] = {}
    for codes, reason, belongs in _RULES:
        places = (place for place, char in enumerate(text) if ord(char) in codes)
        if not all(belongs(text, place) for place in places):
            reasons[reason] = None
    if not _ORDER.isdisjoint(map(ord, text)) and not _has_right_to_left(text):
        reasons[_REORDERED] = None
    return tuple(reasons)


def _code(text: str, place: int) -> int:
    return ord(text[place]) if 0 <= place < len(text) else 0


def _never(text: str, place: int) -> bool:
    return False


def _zero_width_belongs(text: str, place: int) -> bool:
    code, before, after = ord(text[place]), _code(text, place - 1), _code(text, place + 1)
    if code == 0xFEFF:
        return place == 0
    if code == 0x200B:
        return any(before in script and after in script for script in _SPACELESS)
    if code not in (0x200C, 0x200D):
        return False
    if any(before in script for script in _JOINING) and category(chr(before))[0] in "LM":
        return True
    return code == 0x200D and _is_pictured(text, place - 1) and _is_pictured(text, place + 1)


def _is_pictured(text: str, place: int) -> bool:
    code = _code(text, place)
    return code in _EMOJI_SELECTORS or code in _SKIN_TONES or category(chr(code)) == "So"


def _has_right_to_left(text: str) -> bool:
    return any(bidirectional(char) in ("R", "AL") for char in text if ord(char) not in _ORDER)


def _is_flag(text: str, place: int) -> bool:
    """Three flags of nations are written as a black flag and at most six tags."""
    first = place
    while first > 0 and ord(text[first - 1]) in _TAGS and place - first <= 6:
        first -= 1
    return _code(text, first - 1) == _BLACK_FLAG and (_TAG_END in map(ord, text[place : place + 7]))


def _selects(text: str, place: int) -> bool:
    """One selector after a symbol, a keycap or an ideograph is ordinary; elsewhere it carries data."""
    code, before = ord(text[place]), _code(text, place - 1)
    if before < 0x80:
        return chr(before) in "0123456789#*" and code in _EMOJI_SELECTORS
    kind = category(chr(before))
    return before not in _SELECTORS and (kind in ("Lo", "Mn") or kind[0] == "S" or kind[0] == "P")


_REORDERED = "It holds characters that change the order in which the text is shown."
_RULES = (
    (_ZERO_WIDTH | _FILLERS, "It holds invisible characters.", _zero_width_belongs),
    (_OVERRIDES, _REORDERED, _never),
    (_TAGS, "It holds invisible tag characters, which can carry a hidden message.", _is_flag),
    (_SELECTORS, "It holds variation selectors, which can carry a hidden message.", _selects),
    (_TERMINAL, "It holds terminal control characters.", _never),
)
_WATCHED = _ORDER.union(*(codes for codes, _, _ in _RULES))
