"""Conclude from the agent's own words that it relied on a memory."""

from __future__ import annotations

import re

from memory_layer.model.steps import EvidenceKind, SeenOutcome
from memory_layer.model.vocabulary import Outcome
from memory_layer.rules.sessions.advice import ReadMemory
from memory_layer.rules.sessions.evidence import shortened
from memory_layer.rules.sessions.timeline import SessionTimeline
from memory_layer.rules.sessions.words import means_one, places_of, sentences_of
from memory_layer.text.advice import Stance, stance
from memory_layer.text.words import content_words

FEWEST, ENOUGH = 2, 3  #: words of the memory that nothing else in the session explains
SHARE = 0.3  #: of such words, if there are only the fewest
#: Names of functions, members and settings; files have other evidence.
_CODE_NAME = re.compile(
    r"\b[A-Za-z_]\w{1,60}(?=\(\))|\b[A-Za-z_]\w{1,60}\.(?![a-z]{1,4}\b)[A-Za-z_]\w{1,60}|\b[a-z]+[A-Z]\w{1,60}\b"
    r"|\b[a-z]\w{0,60}_\w{1,60}\b"
)
#: Words by which an agent says that it knows something from earlier.
_SOURCE = re.compile(
    r"\bmemor(?:y|ies)\b|\bremember(?:ed|s)?\b|\brecorded\b|\bstored (?:fact|note|rule|lesson|decision|preference)"
    r"|\b(?:as|was|is|were|are|been|it's) noted\b|\b(?:project|team|saved|earlier|known|your|our|house|the|a|an)"
    r"(?: \w+){0,2}? (?:notes?|lessons?|conventions?|decisions?|rules?|polic(?:y|ies)|preferences?|gotchas?|pitfalls?"
    r"|guidelines?|warnings?)\b|\bon record\b|\bper (?:the|your|our)\b|\baccording to\b|\bearlier (?:session|finding)",
    re.IGNORECASE,
)
#: Words by which it says that what it knew is wrong or was not used.
_AGAINST = re.compile(
    r"outdated|out of date|stale|obsolete|\bwrong\b|incorrect|no longer|not true|contradict|does(?:n't| not)"
    r" (?:exist|apply|match|hold|work)|\bbut\b|however|although|\bignor|unrelated|not relevant|\bdespite\b"
    r"|instead of what|anymore|mislead|misled|not sure|unclear|\bold\b|mistaken",
    re.IGNORECASE,
)


def by_mention(memory: ReadMemory, line: SessionTimeline) -> SeenOutcome | None:
    """Conclude from a last message that gives a memory as its reason, if no check failed in the end."""
    for place in line.sayings:
        said = line.steps[place]
        telling = memory.own - line.asked[place]
        named = memory.memory.id in said.text
        if said.at <= memory.at or not (named or telling & line.terms[place]):
            continue
        sentence = _relying(memory, telling, said.text) or _using(memory, telling, line, place)
        if sentence and line.last_check_passed() is not False and not line.is_disputed(place):
            evidence = f"the agent said: {shortened(sentence, 150)}"
            return SeenOutcome(memory.memory.id, Outcome.WORKED, EvidenceKind.CITED, evidence, said.at)
    return None


def _using(memory: ReadMemory, telling: frozenset[str], line: SessionTimeline, place: int) -> str | None:
    """Return the sentence that names a function or setting which only the memory mentions, after work that passed."""
    first = line.first_after(memory.at)
    edited = [each for each in line.edits if first <= each < place]
    if not edited or line.last_check_passed(edited[-1]) is not True:
        return None
    named = {
        name
        for name in _CODE_NAME.findall(memory.text)
        if telling & content_words(name) and _advises(memory, name)
    }
    return next(
        (
            sentence
            for sentence in sentences_of(line.steps[place].text)
            if not _AGAINST.search(sentence) and named.intersection(_CODE_NAME.findall(sentence))
        ),
        None,
    )


def _advises(memory: ReadMemory, name: str) -> bool:
    """Does a memory say nothing against a thing that it names?"""
    ways = [
        stance(sentence, at, at + 1)
        for sentence in memory.said
        for at, token in enumerate(sentence.tokens)
        if token.startswith(name.lower())
    ]
    return bool(ways) and not {Stance.FORBIDS, Stance.RISKS} & set(ways)


def _relying(memory: ReadMemory, telling: frozenset[str], text: str) -> str | None:
    """Return the sentence that names a memory as its source."""
    told = sentences_of(text)
    for at, sentence in enumerate(told):
        named = _names_id(memory, sentence)
        if not (named or _SOURCE.search(sentence)) or _AGAINST.search(sentence):
            continue
        around = " ".join(told[at : at + 2])
        shared = {each.term for each in places_of(telling, around)}
        many = len(shared) >= ENOUGH or (len(shared) >= FEWEST and len(shared) >= SHARE * len(telling))
        if named or (many and means_one(shared)):
            return sentence
    return None


def _names_id(memory: ReadMemory, sentence: str) -> bool:
    name = re.escape(memory.memory.id)
    lead = "" if len(memory.memory.id) >= 6 else r"\bmemory "
    return re.search(rf"{lead}(?<![\w-]){name}(?![\w-])", sentence) is not None
