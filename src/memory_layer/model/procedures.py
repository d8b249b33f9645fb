"""Named steps that work, and how often they did."""

from __future__ import annotations

from memory_layer.model.record import NamedTuple


class Recipe(NamedTuple):
    """What a caller asks to be kept under a name."""

    name: str
    steps: tuple[str, ...]
    when: str | None = None  #: when to use it; None leaves what is known
    scope: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()


class Procedure(NamedTuple):
    """Named steps as they are kept."""

    id: str
    name: str
    when: str
    steps: tuple[str, ...]
    scope: tuple[str, ...]
    tags: tuple[str, ...]
    worked: int
    failed: int
    partial: int
    project: str | None  #: the project's key; None means it applies everywhere
    status: str
    version: int

    @property
    def proven(self) -> bool:
        """Whether it ever worked."""
        return self.worked > 0


class Procedures(NamedTuple):
    """A stretch of all procedures, proven ones first, then by name."""

    items: tuple[Procedure, ...]
    next: str | None = None  #: the place to go on from; None at the end


class Saved(NamedTuple):
    """What became of named steps."""

    procedure: Procedure
    status: str  #: created, changed, unchanged, or staged until a person has looked
    redacted: tuple[str, ...] = ()
    reason: str | None = None  #: when staged
