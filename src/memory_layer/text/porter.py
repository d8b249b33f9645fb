"""Porter's stemmer for English, with the two later changes of its author that SQLite's version also has."""

from __future__ import annotations

from functools import lru_cache

_STEP_2 = {
    "ational": "ate", "tional": "tion", "enci": "ence", "anci": "ance", "izer": "ize", "logi": "log",
    "bli": "ble", "alli": "al", "entli": "ent", "eli": "e", "ousli": "ous", "ization": "ize", "ation": "ate",
    "ator": "ate", "alism": "al", "iveness": "ive", "fulness": "ful", "ousness": "ous", "aliti": "al",
    "iviti": "ive", "biliti": "ble",
}  # fmt: skip
_STEP_3 = {"icate": "ic", "ative": "", "alize": "al", "iciti": "ic", "ical": "ic", "ful": "", "ness": ""}
_STEP_4 = dict.fromkeys(
    "al ance ence er ic able ible ant ement ment ent ion ou ism ate iti ous ive ize".split(), ""
)
#: The last two letters of each suffix, to skip the look-up for most words.
_ENDS_2, _ENDS_3, _ENDS_4 = ({ending[-2:] for ending in step} for step in (_STEP_2, _STEP_3, _STEP_4))
_LONGEST_WORD = 63  # SQLite leaves longer ones alone
_NO_SUFFIX = frozenset("abfhjkopqvwxz")  #: last letters of no suffix


def compute_stem(word: str) -> str:
    """Stem a lower-case word of ASCII letters, without the cache."""
    if not 2 < len(word) <= _LONGEST_WORD or word[-1] in _NO_SUFFIX:
        return word
    word = _without_participle(_without_plural(word))
    if word.endswith("y") and "v" in _shape(word[:-1]):
        word = word[:-1] + "i"
    if word[-2:] in _ENDS_2:
        word = _replace_ending(word, _STEP_2, 0)
    if word[-2:] in _ENDS_3:
        word = _replace_ending(word, _STEP_3, 0)
    if word[-2:] in _ENDS_4:
        word = _replace_ending(word, _STEP_4, 1)
    return _without_last_letter(word) if word.endswith(("e", "ll")) else word


#: `compute_stem` with a cache, for words that recur.
stem = lru_cache(maxsize=16_384)(compute_stem)


def _shape(word: str) -> str:
    """Map each letter to `v` (vowel) or `c` (consonant); a y after a consonant is a vowel."""
    shape = ""
    for letter in word:
        vowel = letter in "aeiou" or (letter == "y" and shape.endswith("c"))
        shape += "v" if vowel else "c"
    return shape


def _measure(word: str) -> int:
    return _shape(word).count("vc")


def _ends_short(word: str) -> bool:
    """Tell whether a word ends in consonant, vowel, consonant, the last not w, x or y."""
    return _shape(word).endswith("cvc") and word[-1] not in "wxy"


def _without_plural(word: str) -> str:
    if not word.endswith("s") or word.endswith("ss"):
        return word
    return word[:-2] if word.endswith(("sses", "ies")) else word[:-1]


def _without_participle(word: str) -> str:
    if not word.endswith(("ed", "ing")):
        return word
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) > 0 else word
    for suffix in ("ed", "ing"):
        if word.endswith(suffix):
            root = word[: -len(suffix)]
            return _restore_root(root) if "v" in _shape(root) else word
    return word


def _restore_root(root: str) -> str:
    """Restore the e that a participle's ending replaced, or undo the doubled consonant."""
    if root.endswith(("at", "bl", "iz")):
        return root + "e"
    if _shape(root[-1:]) == "c" and root[-2:-1] == root[-1] and root[-1] not in "lsz":
        return root[:-1]
    if _measure(root) == 1 and _ends_short(root):
        return root + "e"
    return root


def _replace_ending(word: str, endings: dict[str, str], least: int) -> str:
    """Replace the longest known ending if the root before it is long enough."""
    for length in range(min(7, len(word) - 1), 1, -1):
        ending = word[-length:]
        if ending not in endings:
            continue
        root = word[:-length]
        if _measure(root) <= least or (ending == "ion" and root[-1] not in "st"):
            return word
        return root + endings[ending]
    return word


def _without_last_letter(word: str) -> str:
    if word.endswith("e"):
        root = word[:-1]
        measure = _measure(root)
        if measure > 1 or (measure == 1 and not _ends_short(root)):
            word = root
    if word.endswith("ll") and _measure(word[:-1]) > 1:
        word = word[:-1]
    return word
