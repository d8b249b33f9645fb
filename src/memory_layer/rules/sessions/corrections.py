"""Conclude from the words of a person who corrects what a memory says."""

from __future__ import annotations

import re
from collections.abc import Sequence

from memory_layer.model.steps import EvidenceKind, SeenOutcome
from memory_layer.model.vocabulary import Outcome
from memory_layer.rules.sessions.advice import ReadMemory, command_size
from memory_layer.rules.sessions.commands import FollowedAdvice
from memory_layer.rules.sessions.evidence import shortened
from memory_layer.rules.sessions.timeline import SessionTimeline
from memory_layer.rules.sessions.words import Place, means_one, places_of, sentences_of
from memory_layer.text.advice import Stance, stance
from memory_layer.text.correction_phrases import (
    affirms,
    asks,
    calls_outdated,
    names_rule,
    rejects,
    rejects_before,
)
from memory_layer.text.words import content_words

WORDS_OF_OTHERS = 3  #: in quotes
_QUOTATION = re.compile(r"\"[^\"\n]+\"|“[^”\n]+”|«[^»\n]+»|„[^“”\n]+[“”]|^[ \t]*>[^\n]*", re.MULTILINE)
LONGEST_CORRECTION = 400  #: characters of a prompt in which a person corrects something


def by_correction(
    memory: ReadMemory, others: Sequence[ReadMemory], line: SessionTimeline, done: FollowedAdvice
) -> SeenOutcome | None:
    """Conclude from a prompt that rejects what the memory says, after the memory was given and some work was done."""
    first = line.first_after(memory.at)
    worked = next(
        (place for place in range(first, len(line.steps)) if place not in line.prompts), len(line.steps)
    )
    for place in (each for each in line.prompts if each > worked):
        prompt = line.steps[place]
        if _rejects(memory, line, place) or _rejects_last(others, line, place, done):
            evidence = f"a person said: {shortened(prompt.text, 150)}"
            return SeenOutcome(memory.memory.id, Outcome.FAILED, EvidenceKind.CORRECTED, evidence, prompt.at)
    return None


def _rejects(memory: ReadMemory, line: SessionTimeline, place: int) -> bool:
    """Does a prompt reject something that only this memory mentions and that the agent just did or said?"""
    telling = (memory.own & line.terms[place]) - line.asked[place]
    if not telling:
        return False
    done = frozenset[str]().union(*line.terms[line.begin_of_turn(place) + 1 : place])
    told = sentences_of(_own_words(line.steps[place].text)[:LONGEST_CORRECTION])
    rejected = {
        each.term
        for at, sentence in enumerate(told)
        if not asks(sentence)
        for each in places_of(telling, sentence)
        if (each.term in done or names_rule(sentence[each.last : each.last + 40]))
        and _is_rejected(sentence, " ".join(told[at + 1 : at + 3]), each)
        and not _forbids(memory, each.term)
    }
    return means_one(rejected)


def _own_words(text: str) -> str:
    """Return a prompt without what somebody else said in it; a word or two in quotes are still the person's."""
    return _QUOTATION.sub(lambda found: "…" if len(found[0].split()) >= WORDS_OF_OTHERS else found[0], text)


def _is_rejected(sentence: str, following: str, named: Place) -> bool:
    if affirms(sentence, named.first):
        return False
    return rejects(sentence, named.first, named.last) or rejects_before(following)


def _forbids(memory: ReadMemory, term: str) -> bool:
    """Does the memory itself speak against a thing, so that a person who rejects it agrees?"""
    ways = [
        stance(sentence, at, at + 1)
        for sentence in memory.said
        for at, token in enumerate(sentence.tokens)
        if term in content_words(token)
    ]
    return Stance.FORBIDS in ways


def _rejects_last(
    others: Sequence[ReadMemory], line: SessionTimeline, place: int, done: FollowedAdvice
) -> bool:
    """Does a prompt say "outdated" right after the agent did only what the memory says?"""
    if not done.runs or not calls_outdated(_own_words(line.steps[place].text)):
        return False
    begun = line.begin_of_turn(place)
    ran = [run for run in line.runs if begun < run.place < place]
    if any(begun < each < place for each in line.edits) or any(run not in done.runs for run in ran):
        return False
    return bool(ran) and not any(command_size(other, run) for other in others for run in ran)
