"""Conclude from the agent's own words that it relied on a memory."""

from __future__ import annotations

import re

from memory_layer.model.steps import EvidenceKind, SeenOutcome
from memory_layer.model.vocabulary import Outcome
from memory_layer.rules.sessions.advice import ReadMemory
from memory_layer.rules.sessions.evidence import shortened
from memory_layer.rules.sessions.timeline import Timeline
from memory_layer.rules.sessions.words import means_one, places_of, sentences_of

FEWEST, ENOUGH = 2, 3  #: words of the memory that nothing else in the session explains
SHARE = 0.3  #: of such words, if there are only the fewest
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
    r"outdated|out of date|stale|obsolete|\bwrong\b|incorrect|no longer|not true|contradict|does(?:n't| not) (?:exist|apply"
    r"|match|hold|work)|\bbut\b|however|although|\bignor|unrelated|not relevant|\bdespite\b|instead of what|anymore"
    r"|mislead|misled|not sure|unclear|\bold\b|mistaken",
    re.IGNORECASE,
)


def by_mention(memory: ReadMemory, line: Timeline) -> SeenOutcome | None:
    """Conclude from a last message that gives a memory as its reason, if no check failed in the end."""
    for place in line.sayings:
        said = line.steps[place]
        telling = memory.own - line.asked[place]
        named = memory.memory.id in said.text
        if said.at <= memory.at or not (named or len(telling & line.terms[place]) >= FEWEST):
            continue
        sentence = _relying(memory, telling, said.text)
        if sentence and line.last_check_passed() is not False and not line.is_disputed(place):
            evidence = f"the agent said: {shortened(sentence, 150)}"
            return SeenOutcome(memory.memory.id, Outcome.WORKED, EvidenceKind.CITED, evidence, said.at)
    return None


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
