"""A replay of past sessions: what the memory would have known and said in each of them."""

from __future__ import annotations

from datetime import datetime

from memory_layer.model.record import NamedTuple


class ReplayCounts(NamedTuple):
    """Counts of one session, or of several together."""

    commands: int = 0
    failures: int = 0  #: commands that failed
    repeats: int = (
        0  #: of them: errors that an earlier session had with the same program, each once in a session
    )
    fix_known: int = 0  #: of the repeats: an earlier session had found what helps
    warned: int = 0  #: of those: the agent would have been told before it ran the command
    told: int = 0  #: of those: the agent would have been told right after the error
    alarms: int = 0  #: commands with a warning
    false_alarms: int = 0  #: of them: those that passed
    retyped: int = 0  #: rules, preferences and decisions that a person typed in an earlier session, too
    held: int = 0  #: of the known fixes and retyped rules: the session had been given it before it was needed
    tokens: int = 0  #: given to the agent
    learned: int = 0  #: memories that the session left

    def plus(self, other: ReplayCounts) -> ReplayCounts:
        """Return the sums of two counts."""
        return ReplayCounts(*map(sum, zip(self, other, strict=True)))


class ReplayedSession(NamedTuple):
    """A session with what the memory would have done in it."""

    agent: str
    session: str
    project: str  #: its key
    begun: datetime
    ended: datetime
    counts: ReplayCounts


class Replay(NamedTuple):
    """All sessions in the order of their beginnings, and their sum."""

    files: int  #: transcripts that were found
    damaged: int  #: lines that cannot be read
    ignored: int  #: sessions where hooks are told not to look
    total: ReplayCounts
    sessions: tuple[ReplayedSession, ...] = ()
