"""Phrases by which people say that something they were told, or that was done, is wrong or no longer so."""

from __future__ import annotations

import re

_NEAR = 45  #: characters around a word in which a rejection means it
_FAR = 60  #: characters in front of a word in which an affirmation of it begins
_OPENING = 600  #: characters of a prompt that tell what it is about
#: Rejections that mean the word next to them.
_REJECTED = re.compile(
    r"\b(?:outdated|obsolete|stale|out of date|stone age|ancient|deprecated|dead|gone(?! through)|history|legacy"
    r"|archive|wrong|(?<!be )(?:retired|removed|deleted|dropped|archived|abandoned|ditched|banned)|not true|incorrect"
    r"|any ?more|no longer|nobody|no one)\b"
    r"|\bthr(?:ew|own) (?:it |that )?(?:out|away)|\bgot rid\b|\bmoved (?:away|off|on|to|from)\b|\byears? ago\b"
    r"|\bstop(?:ped)? (?:using|doing|running|adding|calling|writing)\b|\b(?:switched|migrated) (?:away|off|to|from)\b"
    r"|\b(?:was|were|is|been|got|have|we|they) (?:replaced|renamed)\b|\bused to\b|\bwhere did you get\b"
    r"|\bwho told you\b|\bdon't (?:use|do|want|need|ever)\b|\bno,? we\b"
    r"|\b(?:was|is|were|are|that's|it's) (?:the |an? |from (?:the )?)?(?:old|last year|former|previous)\b"
    r"|\b(?:we|i|they) (?:don't|do not|never|haven't|didn't)\b"
    r"(?! (?:see|think|know|understand|remember|find|get|mean|care|believe)\b)"
    r"|\bnot (?:the |a |an |with |in |on )?$|\bno (?:more )?$|\binstead of\b|\brather than\b|\bwhy (?:the |an? |in )?$"
    r"|\bwhy (?:on earth |the hell )?(?:do|did|are|would|is|were) (?:you|we|it) (?:still |again )?"
    r"(?:us|pick|choos|run|go|writ|put|tak)\w*|^\s*\?[?!]|\bforget (?:about )?(?:the |that )?$|\bstill\b.{0,20}\?",
    re.IGNORECASE,
)
#: Words in front of a thing by which people say that it is the right one.
_AFFIRMED = re.compile(
    r"(?:\b(?:we|you|they|i)(?:'re|'ve| are| have)? (?:\w+ )?(?:use|using|on|have|with|moved to|switched to|migrated to"
    r"|need|want|prefer)|\bshould be|\bmust be|\bit'?s|\bit is|\buse|\bswitch to|\bmoved to|\bmigrated to|\bgo with"
    r"|\bis now|\bare now|\balways)\s+(?:the |a |an |only )?[`'\"]?$",
    re.IGNORECASE,
)
_NEGATED = re.compile(
    r"\b(?:don't|dont|do not|not|never|no longer|stop(?:ped)?|nobody|avoid|instead of|why|shouldn't|can't|no one)\b"
    r"[^,;]{0,25}$",
    re.IGNORECASE,
)
_ASKED = re.compile(
    r"\W*(?:and |but |also |so )?(?:do|does|did|should|shall|can|could|would|will|is|are|was|were|has|have|what|which"
    r"|how)\b[^.!]*\?",
    re.IGNORECASE,
)
#: Openings and remarks by which a person rejects what was just done.
_CORRECTION = re.compile(
    r"^\W*(?:no|nope|nah|wrong|stop|ugh|argh|oh no|lol|haha|wtf|huh|err+|hmm+,? no)\b[\s,.!:]"
    r"|\bthat(?:'s| is| was) (?:\w+ )?(?:wrong|outdated|old|obsolete|not (?:right|true|correct|how|what))"
    r"|\b(?:outdated|obsolete|stone age|out of date)\b|\bnot any ?more\b|\bit'?s .{1,40} now\b|\bwe use .{1,40} now\b"
    r"|\bwe (?:don't|do not|no longer|stopped|never)\b.{0,60}\b(?:any ?more|that)\b",
    re.IGNORECASE | re.MULTILINE,
)
#: Remarks that what was done used to be right.
_OUTDATED = re.compile(
    r"\b(?:outdated|obsolete|stale|stone age|out of date|ancient|deprecated|dead|gone|retired|history|last year"
    r"|years? ago|no longer)\b|\b(?:not|n't|no|nobody|never)\b.{0,60}\bany ?more\b|\bused to (?:be|do|use)\b"
    r"|\bthat(?:'s| is| was) (?:the |an? )?old\b|\bit'?s .{1,40} now\b|\bwe use .{1,40} now\b"
    r"|\bwe (?:moved|switched|migrated) (?:to|off|away|from)\b",
    re.IGNORECASE,
)
_NOBODY = re.compile(
    r"\bnobody\b|\bno one\b|\bwe (?:banned|dropped|ditched|killed|abandoned|removed|retired|threw|got rid)\b",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"[;:]\s|,? but\b|, and\b", re.IGNORECASE)
_POINTING_BACK = re.compile(r"\b(?:that|it|this|those)\b", re.IGNORECASE)
_RULE = re.compile(
    r"\W{0,3}(?:\w{1,20} )?(?:rule|note|memory|convention|guideline|policy)s?\b", re.IGNORECASE
)


def rejects(sentence: str, first: int, last: int) -> bool:
    """Does a sentence reject the words from `first` to before `last`?"""
    before = _CLAUSE.split(sentence[max(0, first - _NEAR) : first])[-1]
    behind = _CLAUSE.split(sentence[last : last + _NEAR])[0]
    doubted = "??" in sentence[first : last + 3]
    return doubted or _REJECTED.search(before) is not None or _REJECTED.search(behind) is not None


def rejects_before(sentence: str) -> bool:
    """Does a sentence reject what the one before it named: "nobody has used that since May"?"""
    near = sentence[: 2 * _NEAR]
    outdated = _OUTDATED.search(near) or _NOBODY.search(near)
    return outdated is not None and _POINTING_BACK.search(near) is not None


def affirms(sentence: str, first: int) -> bool:
    """Does a sentence say that the thing which begins at `first` is the right one?"""
    ahead = sentence[max(0, first - _FAR) : first]
    found = _AFFIRMED.search(ahead)
    return found is not None and _NEGATED.search(ahead[: found.start() + 12]) is None


def asks(sentence: str) -> bool:
    """Is a sentence a plain question, which rejects nothing?"""
    return _ASKED.match(sentence) is not None


def is_correction(text: str) -> bool:
    """Does a person reject what was just done?"""
    return _CORRECTION.search(text[:_OPENING]) is not None


def calls_outdated(text: str) -> bool:
    """Does a person say that what was just done is no longer right?"""
    return _OUTDATED.search(text[:_OPENING]) is not None


def names_rule(behind: str) -> bool:
    """Do the words behind a thing say that a rule or note about it is meant: "the kebab rule"?"""
    return _RULE.match(behind) is not None
