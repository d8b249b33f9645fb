"""Read what a text says about a thing it names: do it, do not do it, it goes wrong, it needs something.

Sentences are lists of lower-case tokens with the marks between them; a part in backticks keeps its place.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import Enum
from itertools import pairwise

from memory_layer.model.record import NamedTuple
from memory_layer.text.porter import stem

LONGEST_READ = 4_000  #: characters of a text
_SPAN = re.compile(r"`([^`\n]{1,300})`")
_ITEM = re.compile(
    r"\x00\d+\x00|--?[A-Za-z][\w-]*(?:=[\w./-]+)?|[\w@$<~.][\w.@:+/'’<>{}$*-]*|->|[,;:()=→–—]|&&", re.UNICODE
)
_END = re.compile(r"(?<=[.!?…])[\"')\]]*\s+|\n+")
_ABBREVIATED = re.compile(r"(?:\b(?:e\.g|i\.e|incl|etc|vs|cf|approx|resp|no)\.)$", re.IGNORECASE)
_BOUNDS = frozenset(", ; : ( ) — – -> → but then so because otherwise".split())
_NEGATIONS = frozenset(
    "never don't dont not no avoid nobody mustn't shouldn't cannot can't won't isn't aren't doesn't nor neither"
    " forbidden banned nothing none".split()
)
#: Negations that tell what does not work, and forbid nothing.
_INABILITY = frozenset("cannot can't won't isn't aren't doesn't nothing none".split())
#: Words between a negation and a thing that turn the negation into a demand for the thing.
_REVERSING = frozenset("without unless until before forget only hesitate except".split())
_GONE = frozenset(
    "gone dead banned forbidden deprecated deleted removed retired obsolete prohibited disallowed unsupported"
    " off-limits dropped abandoned discouraged rejected taboo verboten unmaintained".split()
)
_LEAVING = frozenset(
    "switched moved migrated changed went away converted switching moving migrating changing".split()
)
_ADVISING = frozenset(
    "use using run prefer with via through by call try start do type execute take open see as wraps wrap".split()
)
_CONDITIONS = frozenset("if when whenever while once".split())
_FINE = frozenset("fine ok okay safe enough works allowed good instead harmless".split())
_DEMANDS = frozenset("need needs require requires must only want wants should always mandatory".split())
_BEFOREHAND = frozenset("before prior ask asking after".split())
_MODALS = frozenset("must should may shall will is are was allowed".split())
#: Stems of words that say that something goes wrong.
_RISKS = frozenset(
    stem(word)
    for word in (
        "wipe wipes drop drops delete deletes lose loses lost break breaks broke broken fail fails failed hang hangs"
        " crash crashes overwrite overwrites overwrote destroy destroys corrupt corrupts brick bricks block blocks"
        " lock locks kill kills deadlock deadlocks empty empties orphan orphans truncate truncates leak leaks revert"
        " reverts undone undo undoes skip skips ignore ignores duplicate duplicates double doubles doubled twice"
        " remove removes reset resets silently danger dangerous irreversible slow slows timeout outage stuck wrong"
        " conflict conflicts clash clashes mix mixes pollute refuse refuses reject rejects badly crawl stall stalls"
        " evict evicts throttle throttled bypass bypasses expose exposes disconnect stale invalid invalidates"
        " detach detaches leaves ruins ruin mess messes wreck wrecks clobber clobbers downtime"
        " mangles mangle swallow swallows evicted exhausts exhaust flood floods burns flaky unstable"
    ).split()
)
_ELSEWHERE = re.compile(
    r"\b(?:other|another|different|separate) (?:repo\w*|project)\b|\bnot (?:in )?(?:this|our) (?:repo\w*|project)\b"
    r"|\bdoes(?: not|n't) apply\b|\bnothing to do with\b|\bprivate thing\b",
    re.IGNORECASE,
)


class Stance(Enum):
    """The position a text takes on a thing it names."""

    FORBIDS = "forbids"
    RISKS = "risks"  #: it goes wrong
    REQUIRES = "requires"  #: it needs something, or something before it
    ADVISES = "advises"
    PLAIN = "plain"


class Sentence(NamedTuple):
    """The tokens of a sentence, and the ranges of those in backticks."""

    tokens: tuple[str, ...]
    spans: tuple[tuple[int, int, str], ...] = ()  #: first, behind the last, the text

    def in_span(self, at: int) -> bool:
        return any(first <= at < last for first, last, _ in self.spans)


def sentences(text: str) -> list[Sentence]:
    """Split a text into sentences of tokens."""
    spans: list[str] = []

    def hide(found: re.Match[str]) -> str:
        spans.append(found[1])
        return f" \x00{len(spans) - 1}\x00 "

    hidden = _SPAN.sub(hide, text[:LONGEST_READ].replace("\x00", " ").replace("’", "'"))
    found: list[str] = []
    for piece in _END.split(hidden):
        if found and _ABBREVIATED.search(found[-1]):
            found[-1] += f" {piece}"
        else:
            found.append(piece)
    return [each for piece in found if (each := _sentence(piece, spans)).tokens]


def _sentence(piece: str, spans: Sequence[str]) -> Sentence:
    tokens: list[str] = []
    ranges: list[tuple[int, int, str]] = []
    for item in _ITEM.findall(piece):
        if item[0] == "\x00":
            text = spans[int(item.strip("\x00"))]
            words = [each for word in text.split() if (each := word.strip("\"',;()").lower())]
            ranges.append((len(tokens), len(tokens) + len(words), text))
            tokens += words
            continue
        word = item.rstrip(".:'*").lstrip("'") if len(item) > 1 else item
        tokens += [word.lower()] if word else []
        tokens += [":"] if len(item) > 1 and item.endswith(":") else []
    return Sentence(tuple(tokens), tuple(ranges))


def speaks_of_elsewhere(text: str) -> bool:
    """Does a text say that it is about another project?"""
    return _ELSEWHERE.search(text) is not None


def stance(sentence: Sentence, first: int, last: int) -> Stance:
    """Return what a sentence says about its tokens from `first` to before `last`."""
    tokens = sentence.tokens
    before, after = _clause_before(tokens, first), tokens[last:]
    if negated := _negated(before):
        return negated
    if _replaced(tokens, first, last):
        return Stance.FORBIDS
    clause = _clause_after(after)
    near = clause[:6]
    if _denied(near, after):
        return Stance.FORBIDS
    advised = _advised(tokens, before, first, sentence)
    risky = any(stem(word) in _RISKS for word in clause[:12])
    if (advised and not risky) or near[:2] == ("must", "be"):
        return Stance.ADVISES
    if set(near[:4]) & _FINE and not risky:
        return Stance.ADVISES
    if risky or any(word in _NEGATIONS for word in near[:4]):
        return Stance.RISKS
    if set(before[-3:]) & _BEFOREHAND or set(clause[:9]) & _DEMANDS or set(before[-3:]) & _DEMANDS:
        return Stance.REQUIRES
    if any(stem(word) in _RISKS for word in after[:16]):
        return Stance.RISKS
    return Stance.PLAIN


def is_risk_near(sentence: Sentence, first: int, last: int) -> bool:
    """Does the clause that names a thing say that it goes wrong, and not only a later one?"""
    behind = _clause_after(sentence.tokens[last:])
    return stance(Sentence((*sentence.tokens[:last], *behind), sentence.spans), first, last) is Stance.RISKS


def is_directly_denied(sentence: Sentence, first: int, last: int) -> bool:
    """Is a thing itself denied, without another word between: "never x", "not x", "instead of x", "x is gone"?"""
    tokens = sentence.tokens
    ahead = tokens[max(0, first - 2) : first]
    if ahead and ahead[-1] in _NEGATIONS - _INABILITY and not set(tokens[last : last + 1]) & _REVERSING:
        return True
    if ahead[-2:] == ("do", "not") or (
        len(ahead) == 2 and ahead[0] in _NEGATIONS - _INABILITY and ahead[1] in _LIGHT
    ):
        return True
    return _replaced(tokens, first, last) or is_denied_behind(sentence, last)


#: Words between a negation and its object that change nothing.
_LIGHT = frozenset("use run do a an any the using running to more bare direct".split())


def is_refused(sentence: Sentence, first: int) -> bool:
    """Does a negation stand right in front of a thing?"""
    return bool(first) and sentence.tokens[first - 1] in _NEGATIONS - _INABILITY


def is_denied_behind(sentence: Sentence, last: int) -> bool:
    """Do the words behind a thing deny it: "x is gone", "x is not installed"?"""
    return _denied(_clause_after(sentence.tokens[last:])[:6], ())


def is_replaced(sentence: Sentence, first: int, last: int) -> bool:
    """Is a thing the one to be replaced: "instead of x", "rather than x", "use y, not x"?"""
    ahead = sentence.tokens[max(0, first - 2) : first]
    return ahead == (",", "not") or _replaced(sentence.tokens, first, last)


def denied_verb(sentence: Sentence, at: int) -> str | None:
    """Return the verb that a negation in front of a thing denies; None for one that means any use of it."""
    before = _clause_before(sentence.tokens, at)
    last = max((place for place, word in enumerate(before) if word in _NEGATIONS), default=None)
    behind = [] if last is None else [word for word in before[last + 1 :] if word not in _LIGHT]
    return behind[0] if behind and behind[0] not in _ANY_USE else None


_ANY_USE = frozenset("touch change edit modify alter write call access".split())


def tells(word: str) -> bool:
    """Is a word one of those that say what to do or what goes wrong?"""
    known = word in _NEGATIONS or word in _GONE or word in _DEMANDS or word in _MODALS or word in _FINE
    return known or stem(word) in _RISKS


def is_risky(word: str) -> bool:
    """Is a word one of those that say that something goes wrong?"""
    return stem(word) in _RISKS


def objects_after(
    sentence: Sentence, last: int, *, places: bool = False, listed: bool = False
) -> tuple[str, ...]:
    """Return the words that narrow down a thing: "push" in "never push to main" is narrowed down to main.

    With `places` only those behind a preposition count: "on the build machines". With `listed` also what stands
    behind "or": "never deploy rules or functions".
    """
    clause = _clause_after(sentence.tokens[last:])
    start = next((at for at, word in enumerate(clause) if word in _PLACING), len(clause)) if places else 0
    for at, word in enumerate(clause):
        if word == "and" or (word in ("or", "nor") and not listed):
            return clause[start:at]
    return clause[start:]


def refers_back(sentence: Sentence) -> bool:
    """Does a sentence speak of what the one before it named?"""
    return not _PRONOUNS.isdisjoint(sentence.tokens)


_PLACING = frozenset("on in for inside during against under at".split())
_PRONOUNS = frozenset("it them this that those these one they".split())


def is_instrument(sentence: Sentence, first: int) -> bool:
    """Is a thing only the means or the place of something: "only through x", "see x"?"""
    return bool(set(sentence.tokens[max(0, first - 2) : first]) & _MEANS)


def is_left_alone(sentence: Sentence, last: int) -> bool:
    """Does a sentence say behind a thing that nobody should change it: "is generated", "do not edit it"?"""
    behind = sentence.tokens[last:]
    if set(behind[:4]) & {"generated", "autogenerated", "auto-generated", "vendored"}:
        return True
    return any(
        word in _CHANGING and set(behind[max(0, at - 2) : at]) & _NEGATIONS for at, word in enumerate(behind)
    )


_CHANGING = frozenset("edit touch change modify rewrite format reformat".split())
_MEANS = frozenset("through via with by using see from into at to per like for".split())


def _clause_before(tokens: Sequence[str], first: int) -> tuple[str, ...]:
    start = first
    listed = tokens[first - 1 : first] and tokens[first - 1] in ("or", "nor")
    while start > 0 and (tokens[start - 1] not in _BOUNDS or (listed and _is_list_comma(tokens, start - 1))):
        start -= 1
    return tuple(tokens[start:first])


def _is_list_comma(tokens: Sequence[str], at: int) -> bool:
    """Does a comma stand between short items, as in "no a, b or c"?"""
    following = tokens[at + 1 : at + 4]
    return tokens[at] == "," and any(word in (",", "or", "nor") for word in following)


def _clause_after(tokens: Sequence[str]) -> tuple[str, ...]:
    for at, word in enumerate(tokens):
        if word in _BOUNDS:
            return tuple(tokens[:at])
    return tuple(tokens)


def _negated(before: Sequence[str]) -> Stance | None:
    """Return what a negation in front makes of a thing; None without one."""
    places = [at for at, word in enumerate(before) if word in _NEGATIONS]
    if not places or len(before) - places[-1] > 9:
        return None
    between = before[places[-1] + 1 :]
    if "need" in between[:1] or "only" in between[:1] or "once" in between:
        return None  # "cannot be renamed once deployed" says nothing against deploying
    if before[places[-1]] in _INABILITY:
        return Stance.RISKS
    return Stance.ADVISES if set(between) & _REVERSING else Stance.FORBIDS


def _replaced(tokens: Sequence[str], first: int, last: int) -> bool:
    """Is a thing the one that another took the place of?"""
    ahead = tuple(tokens[max(0, first - 2) : first])
    if ahead in (("instead", "of"), ("rather", "than"), ("no", "longer"), ("away", "from")):
        return True
    if ahead[-1:] and ahead[-1] in _GONE and ahead[0] not in _NEGATIONS:
        return True
    leads = tokens[max(0, first - 5) : first]
    if ahead[-1:] == ("from",) and set(leads) & _LEAVING:
        return True
    if ahead[-1:] == ("over",) and "prefer" in leads:
        return True
    if ahead[-1:] in (("replaces",), ("replaced",)):
        return True
    return tuple(tokens[last : last + 3])[:2] in (("replaced", "by"), ("no", "longer")) or tuple(
        tokens[last : last + 3]
    )[1:] == ("replaced", "by")


def _denied(near: Sequence[str], after: Sequence[str]) -> bool:
    """Do the words behind a thing deny it: "x is gone", "x must not …", "x …; don't"?"""
    if any(word in _GONE for word in near):
        return True
    if "only" in near[:5] and set(near[near.index("only") + 1 :][:2]) & _ONLY_BY:
        return True
    modal = any(
        one in _MODALS
        and two in ("not", "never", "no")
        and not (one in _BEING and set(near[at + 2 : at + 3]) & _PLACED)
        for at, (one, two) in enumerate(pairwise(near))
    )
    return modal or (len(after) > 2 and after[-1] in ("don't", "dont", "never") and after[-2] in _BOUNDS)


_BEING = frozenset("is are was".split())
#: Words behind "is not" that tell where or what a thing is, and deny nothing.
_PLACED = frozenset("in on at of for from to part a an the yet just only always the".split())
_ONLY_BY = frozenset("by via through in inside from on run".split())


def _advised(tokens: Sequence[str], before: Sequence[str], first: int, sentence: Sentence) -> bool:
    if set(before) & _CONDITIONS:
        return False
    if sentence.in_span(first) and first and tokens[first - 1] in (":", "=", "->", "→"):
        return True
    return bool(set(before[-3:]) & _ADVISING)
