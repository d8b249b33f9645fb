"""Cited sources, and whether they still match what was cited."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum

from memory_layer.model.memory import Citation
from memory_layer.model.record import NamedTuple

BYTE_ORDER_MARK = b"\xef\xbb\xbf"


def lines_of(content: bytes) -> list[bytes]:
    """Split a file into lines, ignoring a newline at its end and a byte-order mark."""
    lines = content.removeprefix(BYTE_ORDER_MARK).replace(b"\r\n", b"\n").split(b"\n")
    return lines[:-1] if lines[-1] == b"" else lines


def lines_hash(lines: Sequence[bytes]) -> str:
    """Hash cited lines, independent of the file's line endings."""
    from hashlib import sha256  # a search that finds nothing cited should not wait for it

    return sha256(b"\n".join(lines)).hexdigest()


class SourceState(StrEnum):
    """The state of a cited source today."""

    FRESH = "fresh"  #: the cited lines are where they were
    MOVED = "moved"  #: the same lines are found elsewhere
    CHANGED = "changed"  #: the file is there, the lines are not
    MISSING = "missing"  #: file and lines are gone
    UNVERIFIABLE = "unverifiable"  #: nobody can tell: an address, no code base on this machine, not readable

    @property
    def drifted(self) -> bool:
        """Return whether a person should look at it."""
        return self in (SourceState.CHANGED, SourceState.MISSING)


#: Which state speaks for a memory of several citations: the first of these that one of them has.
_FIRST = (
    SourceState.MISSING,
    SourceState.CHANGED,
    SourceState.MOVED,
    SourceState.FRESH,
    SourceState.UNVERIFIABLE,
)


class Checked(NamedTuple):
    """A citation and its state today."""

    citation: Citation  #: as it was recorded
    state: SourceState
    now: Citation | None = None  #: where its lines are today, if they moved
    why: str = ""  #: in words, where the state alone does not say it
    #: What the cited file, and the one it moved to, looked like; None unless other files had to be looked through.
    marks: tuple[str, str] | None = None


class Standing(NamedTuple):
    """All citations of a memory and their states today."""

    checks: tuple[Checked, ...]

    @property
    def state(self) -> SourceState:
        """Return the state that counts for the memory."""
        states = {check.state for check in self.checks}
        return next((state for state in _FIRST if state in states), SourceState.UNVERIFIABLE)

    @property
    def drifted(self) -> bool:
        """Return whether any source changed or is missing."""
        return self.state.drifted

    @property
    def citations(self) -> tuple[Citation, ...]:
        """Return the citations, updated where their lines moved."""
        return tuple(check.now or check.citation for check in self.checks)


class Finding(NamedTuple):
    """A citation that no longer matches, and the memory that has it."""

    memory: str
    content: str  #: the beginning of what the memory says
    check: Checked


class Verified(NamedTuple):
    """The result of checking citations."""

    operation: str | None  #: which `undo` takes back; None if no citation was changed
    dry_run: bool
    memories: int  #: how many have citations
    counts: Mapping[SourceState, int]  #: citations by their state
    findings: tuple[Finding, ...]  #: those that moved, changed or are missing
