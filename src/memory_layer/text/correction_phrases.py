"""Phrases by which people say that something they were told, or that was done, is wrong or no longer so."""

from __future__ import annotations

import re

_NEAR = 45  #: characters around a word in which a rejection means it
#: Rejections that mean the word next to them.
_REJECTED = re.compile(
    r"\b(?:outdated|obsolete|stale|out of date|stone age|ancient|deprecated|dead|gone|retired|removed|deleted|dropped"
    r"|history|legacy|archived?|abandoned|ditched|banned)\b|\bany ?more\b|\bno longer\b|\bnobody\b|\bno one\b"
    r"|\bthr(?:ew|own) (?:it |that )?(?:out|away)|\bgot rid\b|\bstop(?:ped)? (?:using|doing|running|adding|calling|writing)\b|\bmoved (?:away|off|on|to|from)\b"
    r"|\b(?:switched|migrated) (?:away|off|to|from)\b|\b(?:was|were|is|been|got|have|we|they) (?:replaced|renamed)\b"
    r"|\b(?:was|is|were|are|that's|it's) (?:the |an? |from (?:the )?)?(?:old|wrong|incorrect|last year|former|previous)\b"
    r"|\bwrong\b|\bnot true\b|\bincorrect\b|\byears? ago\b|\bused to\b|\bwhere did you get\b|\bwho told you\b"
    r"|\b(?:we|i|they) (?:don't|do not|never|haven't|didn't)\b|\bdon't (?:use|do|want|need|ever)\b|\bnot (?:the |a |an |with |in |on )?$"
    r"|\bno (?:more )?$|\binstead of\b|\brather than\b|\bwhy (?:on earth |the hell )?(?:do|did|are|would|is|were) (?:you|we|it)\b"
    r"|^\s*\?\?|^\s*\?!|\bforget (?:about )?(?:the |that )?$|\bstill\b.{0,20}\?|\bno,? we\b|\bwhy (?:the |an? |in )?$",
    re.IGNORECASE,
)
#: Words in front of a thing by which people say that it is the right one.
_AFFIRMED = re.compile(
    r"(?:\b(?:we|you|they|i)(?:'re|'ve| are| have)? (?:\w+ )?(?:use|using|on|have|render with|moved to|switched to|migrated to|need|want|prefer)"
    r"|\bshould be|\bmust be|\bit'?s|\bit is|\bplease use|^use|\buse|\bswitch to|\bmoved to|\bmigrated to|\bgo with|\bis now|\bare now|\balways)"
    r"\s+(?:the |a |an |only )?[`'\"]?$",
    re.IGNORECASE,
)
#: Openings and remarks by which a person rejects what was just done.
_CORRECTION = re.compile(
    r"^\W*(?:no|nope|nah|wrong|stop|ugh|argh|oh no|lol|haha|wtf|huh|err+|hmm+,? no)\b[\s,.!:]|\bthat(?:'s| is| was) (?:\w+ )?(?:wrong|outdated|old"
    r"|obsolete|not (?:right|true|correct|how|what))|\b(?:outdated|obsolete|stone age|out of date)\b|\bnot any ?more\b"
    r"|\bwe (?:don't|do not|no longer|stopped|never)\b.{0,60}\b(?:any ?more|that)\b|\bit'?s .{1,40} now\b|\bwe use .{1,40} now\b",
    re.IGNORECASE | re.MULTILINE,
)


def rejects(sentence: str, first: int, last: int) -> bool:
    """Does a sentence reject the words from `first` to before `last`?"""
    before, behind = sentence[max(0, first - _NEAR) : first], sentence[last : last + _NEAR]
    return (
        _REJECTED.search(before) is not None
        or _REJECTED.search(behind) is not None
        or "??" in sentence[first : last + 3]
    )


_ASKED = re.compile(
    r"\W*(?:and |but |also |so )?(?:do|does|did|should|shall|can|could|would|will|is|are|was|were|has|have|what|which|how)\b[^.!]*\?",
    re.IGNORECASE,
)


def asks(sentence: str) -> bool:
    """Is a sentence a plain question, which rejects nothing?"""
    return _ASKED.match(sentence) is not None


def affirms(sentence: str, first: int) -> bool:
    """Does a sentence say that the thing which begins at `first` is the right one?"""
    ahead = sentence[max(0, first - 60) : first]
    found = _AFFIRMED.search(ahead)
    return found is not None and _NEGATED.search(ahead[: found.start() + 12]) is None


_NEGATED = re.compile(
    r"\b(?:don't|dont|do not|not|never|no longer|stop(?:ped)?|nobody|avoid|instead of|why|shouldn't|can't|no one)\b[^,;]{0,25}$",
    re.IGNORECASE,
)


def is_correction(text: str) -> bool:
    """Does a person reject what was just done?"""
    return _CORRECTION.search(text[:600]) is not None


#: Remarks that what was done used to be right.
_OUTDATED = re.compile(
    r"\b(?:outdated|obsolete|stale|stone age|out of date|ancient|deprecated|dead|gone|retired|history|last year|years? ago)\b"
    r"|\b(?:not|n't|no|nobody|never)\b.{0,60}\bany ?more\b|\bno longer\b|\bthat(?:'s| is| was) (?:the |an? )?old\b"
    r"|\bit'?s .{1,40} now\b|\bwe use .{1,40} now\b|\bused to (?:be|do|use)\b|\bwe (?:moved|switched|migrated) (?:to|off|away|from)\b",
    re.IGNORECASE,
)


_POINTING_BACK = re.compile(r"\b(?:that|it|this|those|it's|that's)\b|^really\b", re.IGNORECASE)


def rejects_before(sentence: str) -> bool:
    """Does a sentence reject what the one before it named: "nobody has used that since May"?"""
    near = sentence[:80]
    outdated = _OUTDATED.search(near) or re.search(r"\bnobody\b|\bno one\b", near, re.IGNORECASE)
    return outdated is not None and _POINTING_BACK.search(near) is not None


def calls_outdated(text: str) -> bool:
    """Does a person say that what was just done is no longer right?"""
    return _OUTDATED.search(text[:600]) is not None


_RULE = re.compile(
    r"\W{0,3}(?:\w{1,20} )?(?:rule|note|memory|convention|guideline|policy)s?\b", re.IGNORECASE
)


def names_rule(behind: str) -> bool:
    """Do the words behind a thing say that a rule or note about it is meant: "the kebab rule"?"""
    return _RULE.match(behind) is not None
