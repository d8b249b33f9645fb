"""Tell by a glance that a text holds no secret, as most hold none: its words have no sign of one."""

from __future__ import annotations

from collections.abc import Sequence

from memory_layer.text.known_words import MOST, is_kept, split
from memory_layer.text.secrets.redact import MARKS, OPTIONS, SHORT_ANCHORS, SIGN_WORDS, SIGNS, TOKEN_LENGTH
from memory_layer.text.unicode import ENCODING_STARTS, folded

_SIGNS = tuple(dict.fromkeys([*ENCODING_STARTS, *SHORT_ANCHORS, *SIGNS]))
_PLAIN_SIGNS = tuple(filter(str.isascii, _SIGNS))


def is_plain(text: str) -> bool:
    """Tell whether a glance shows that the text holds no secret, as it does for most texts."""
    words = split(text)
    return (_plain.issuperset(words) or not odd_words(words)) and folded(text) == text


#: Words that hold no sign of a secret.
_plain: set[str] = set()
_TOGETHER = (
    32  #: words read at once: what none of them holds is looked for once, but of many words some hold it
)


def odd_words(words: Sequence[str]) -> set[str]:
    """Return the words that may be a part of a secret or announce one."""
    odd: set[str] = set()
    unread = list(set(words).difference(_plain))
    for start in range(0, len(unread), _TOGETHER):
        some = unread[start : start + _TOGETHER]
        odd.update(_odd_of(some))
        if len(_plain) >= MOST:
            _plain.clear()
        _plain.update([word for word in some if is_kept(word) and word not in odd])
    return odd


def _odd_of(words: list[str]) -> list[str]:
    together = " ".join(words)
    lowered = together.lower()
    signs = [sign for sign in (_PLAIN_SIGNS if together.isascii() else _SIGNS) if sign in lowered]
    return [
        word
        for word in words
        if len(word) >= TOKEN_LENGTH
        or (signs and any(map(word.lower().__contains__, signs)))
        or (word in SIGN_WORDS if word.isalpha() else _is_striking(word))
    ]


def _is_striking(word: str) -> bool:
    """Tell whether a single word looks like a password or announces one, which its letters alone do not show."""
    if word.startswith("-"):
        return word[:2] in OPTIONS or word in OPTIONS
    if len(word) >= 6 and not MARKS.isdisjoint(word) and any(map(str.isdigit, word)):
        return any(map(str.isalpha, word))
    return "@" in word[1:] or word.strip(".,:;!?()-\"'") in SIGN_WORDS
