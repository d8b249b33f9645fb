"""Conclude which of the memories that a session was given helped or misled, from its steps alone.

Nothing is concluded unless one memory clearly is the cause. A person's word counts most, then what was taken back,
then a call that cannot work; success counts last.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from memory_layer.model.memory import Memory
from memory_layer.model.record import NamedTuple
from memory_layer.model.steps import EvidenceKind, SeenOutcome, ShownMemory
from memory_layer.model.vocabulary import Outcome
from memory_layer.rules.sessions.advice import ReadMemory, read_memory
from memory_layer.rules.sessions.commands import by_command, followed
from memory_layer.rules.sessions.corrections import by_correction
from memory_layer.rules.sessions.evidence import shortened
from memory_layer.rules.sessions.fixes import Retry, by_file, by_fix, retries
from memory_layer.rules.sessions.mentions import by_mention
from memory_layer.rules.sessions.reverts import TakenBack, by_revert, taken_back
from memory_layer.rules.sessions.timeline import SessionTimeline
from memory_layer.rules.sessions.words import own_terms

MOST_MEMORIES = 200


class Session(NamedTuple):
    """The steps of a session and all that its memories are judged by, read once."""

    line: SessionTimeline
    memories: tuple[ReadMemory, ...]
    retried: tuple[Retry, ...]
    undone: tuple[TakenBack, ...]


def seen_outcomes(line: SessionTimeline, shown: Sequence[ShownMemory]) -> list[SeenOutcome]:
    """Return at most one outcome for each memory, in the order in which they were given."""
    programs = line.programs
    memories = [read_memory(memory, at, programs) for memory, at in _first_shown(shown)]
    own = own_terms([memory.terms for memory in memories])
    memories = [memory._replace(own=terms) for memory, terms in zip(memories, own, strict=True)]
    session = Session(line, tuple(memories), tuple(retries(line)), tuple(taken_back(line)))
    found = [each for memory in memories if (each := _outcome(memory, session))]
    return [each._replace(evidence=shortened(each.evidence)) for each in found if not _is_shared(each, found)]


def _is_shared(outcome: SeenOutcome, found: Sequence[SeenOutcome]) -> bool:
    """Was the same failure cured while the advice of another memory was followed as well?"""
    same = [each for each in found if (each.kind, each.at) == (EvidenceKind.FIXED, outcome.at)]
    return outcome.kind is EvidenceKind.FIXED and len(same) > 1


def _first_shown(shown: Sequence[ShownMemory]) -> list[tuple[Memory, datetime]]:
    first: dict[str, tuple[Memory, datetime]] = {}
    for each in sorted(shown, key=lambda each: each.at):
        first.setdefault(each.memory.id, (each.memory, each.at))
    return list(first.values())[:MOST_MEMORIES]


def _outcome(memory: ReadMemory, session: Session) -> SeenOutcome | None:
    """Return the strongest conclusion about one memory."""
    line = session.line
    done = followed(memory, line)
    others = [other for other in session.memories if other is not memory]
    against = by_correction(memory, others, line, done) or by_revert(
        memory, others, line, done, session.undone
    )
    if against:
        return against
    command = by_command(memory, line, done)
    if command and command.result is Outcome.FAILED:
        return command
    fixed = by_fix(memory, line, done, session.retried)
    return fixed or command or by_file(memory, line) or by_mention(memory, line)
