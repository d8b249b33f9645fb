"""A text cut into sentences of tokens, with turns of phrase that hide a negation or a limit written out."""

from __future__ import annotations

import re
import unicodedata

from memory_layer.text.compare.lexicon import AUXILIARIES, NEGATORS, VERBS
from memory_layer.text.porter import stem

Sentence = list[str]

_GREATER = "more|longer|larger|greater|bigger|higher|later|over|above"
_SMALLER = "less|fewer|shorter|smaller|lower|earlier|under|below"
_IDIOMS = tuple(
    (re.compile(pattern, re.IGNORECASE), replacement)
    for pattern, replacement in (
        (r"[‘’]", "'"),
        (r"\*\*|\[[ xX]?\]|[✅✓✔]", " "),
        (r"[❌✗✘]\s*(?=(?:never|not|no|do not|don't|avoid)\b)", " "),
        (r"[❌✗✘]", " not "),
        (r"\b(?:e\.g|i\.e|etc)\b\.?", " "),
        (r"(?:\.\s*){2,}|…", " "),
        (r"^\s*(?:[-*+•]|\d+[.)])\s+", ""),
        (r"(?<=\w)'s\b", ""),
        (r"\b(non|un)-(?=\w)", r"\1"),
        (r"\b(?:ca|wo|sha)n't\b", "not"),
        (r"n't\b", " not"),
        (r"\bcannot\b", "can not"),
        (rf"\b(?:no|not(?: be)?) (?:{_GREATER}) than\b|<=|≤|\bat most\b|\bup to\b", " atmost "),
        (rf"\b(?:no|not(?: be)?) (?:{_SMALLER}) than\b|>=|≥|\bat least\b", " atleast "),
        (r"\bnot exceed\w*|\bor (?:fewer|less)\b", " atmost "),
        (r"\bnot (?:only|just|necessarily)\b|\bno matter\b|\bwhether or not\b", " "),
        (r"\b(?:do not|never) forget (?:to|that)\b", " "),
        (r"\bno longer\b", "not"),
        (r"\b(?:stop|stops|stopped|quit|cease|refrain from)\s+(?=\w+ing\b)", "not "),
        (r"\breplac\w+ (\S+) (?:with|by) (\S+)", r"use \2 insteadof \1"),
        (r"\b(?:migrat|mov|switch)\w+ from (\S+) to (\S+)", r"use \2 insteadof \1"),
        (r"\bkeep (\S+(?: \S+)?) out of\b", r"not \1 in"),
        (r"\b(?:instead of|rather than|as opposed to|in place of)\b", " insteadof "),
        (r"(?:[,;]|\s[–—-]|\bbut|\band)\s+(?:not|never)\b", " insteadof "),
        (r"(\b(?:prefer|favou?r|choose)\w*\s+(?!to\b)[^.,;]{1,80}?)\s(?:over|to)\s", r"\1 insteadof "),
        (r"\b(?:to|and|or)\s+(?=(?:avoid|prevent|not|never|do not)\b)", " so "),
        (r"\bexcept (?=(?:for|in|on|when|if|the|that)\b)", "without "),
        (r"(?<=\D)\s[-–—→]\s|—|→", " : "),
    )
)
_SENTENCE = re.compile(r"(?<=[.!?;])\s+|\n+")
_TOKEN = re.compile(
    r"(?=\S{0,80}[._/])[\w./-]{0,80}\*[\w./*-]{0,80}\w"  # *_test.py
    r"|(?<![\w-])--?[A-Za-z][\w-]*"  # --no-verify
    r"|#?\w+(?:['./\\@:+#-]+\w+)*(?:\+\+|#|%)?"  # words, paths, addresses, C++, 80%
    r"|[,:=()]"
)

#: Words that end a subject or begin another statement inside a sentence.
BREAKS = frozenset("but because since so if when whenever while although though then".split())
BREAKS |= frozenset("which that who means until : ( )".split())
DETERMINERS = frozenset("the a an our my your their its this these those each every all".split())
_FINITE = frozenset("is are was were has have had must should can could will would may might = :".split())
_ORDERS = ("do", "always", "please")


def sentences(text: str) -> list[Sentence]:
    """The sentences that have any token."""
    text = unicodedata.normalize("NFKC", text)
    for pattern, replacement in _IDIOMS:
        text = pattern.sub(replacement, text)
    return [tokens for part in _SENTENCE.split(text) if (tokens := _TOKEN.findall(part))]


def negates(word: str) -> bool:
    """Whether a lower-case word turns round what its clause says."""
    return word in NEGATORS


def is_order(words: Sentence) -> bool:
    """Whether lower-case words begin with a verb."""
    return bool(words) and stem(words[0]) in VERBS


def is_verb(words: Sentence, at: int) -> bool:
    """Whether the lower-case word at this place is probably a verb."""
    return words[at] in AUXILIARIES or (stem(words[at]) in VERBS and words[at - 1] not in DETERMINERS)


def first_verb(words: Sentence) -> int:
    """Where the subject of lower-case words ends: 0 for an order, their number if there is no verb."""
    end = next((at for at, word in enumerate(words) if at and word in BREAKS and word != ":"), len(words))
    finite = [at for at in range(1, end) if words[at] in _FINITE]
    if is_order(words) or negates(words[0]) or words[0] in _ORDERS:
        return finite[0] if finite and is_order(words) else 0
    verbs = [at for at in range(1, end) if is_verb(words, at)]
    inflected = [at for at in verbs if words[at].endswith(("s", "ed"))]
    unknown = [at for at in range(1, end - 1) if _may_be_a_verb(words, at)]
    nothing = 0 if words[1:2] and words[1] in DETERMINERS else len(words)
    return min(finite[:1] + inflected[:1], default=(verbs + unknown + [nothing])[0])


def _may_be_a_verb(words: Sentence, at: int) -> bool:
    word = words[at]
    return (
        word.endswith("s") and not word.endswith("ss") and word.isalpha() and words[at - 1] not in DETERMINERS
    )
