"""Transcripts that agents keep of their sessions, and what is read in them."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from memory_layer.model.capture import Noticed
from memory_layer.model.record import NamedTuple
from memory_layer.model.steps import Step


class TranscriptAgent(StrEnum):
    """An agent whose transcripts can be read."""

    CLAUDE_CODE = "claude-code"
    CODEX = "codex"
    GEMINI = "gemini"


class TranscriptFile(NamedTuple):
    """The transcript of one session."""

    agent: TranscriptAgent
    path: str
    size: int  #: bytes
    changed_at: datetime


class TranscriptLine(NamedTuple):
    """A step that a line of a transcript tells, or a line that cannot be read."""

    number: int  #: from 1; 0 if the file has no lines of its own
    step: Step | None  #: None if the line is damaged or too long


class SessionPlace(NamedTuple):
    """The name of a session and the folder it took place in, as far as its transcript tells."""

    session: str = ""
    folder: str = ""


class Remark(NamedTuple):
    """Something worth keeping that a person typed in a session."""

    noticed: Noticed
    line: int
    at: datetime


class PastSession(NamedTuple):
    """A session as its transcript tells it, redacted."""

    file: TranscriptFile
    session: str
    folder: str
    steps: tuple[Step, ...]
    lines: tuple[int, ...]  #: the line of each step
    remarks: tuple[Remark, ...] = ()
    damaged: int = 0  #: lines that could not be read
    left_out: int = 0  #: steps beyond the most that are kept

    def line_at(self, at: datetime) -> int:
        """Return the line of the step at a time."""
        return next((line for step, line in zip(self.steps, self.lines, strict=True) if step.at == at), 0)
