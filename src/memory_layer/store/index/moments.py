"""The index and the moments of a store: what a transaction sees, and how an older or newer index is brought there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Protocol

from memory_layer.model.record import NamedTuple
from memory_layer.store.index.segment import segments
from memory_layer.store.index.view import View

if TYPE_CHECKING:
    from memory_layer.store.index.folder import Identity, Listed
    from memory_layer.store.index.segment import Doc
    from memory_layer.store.index.view import Rows

RECENT = 10_000  #: changes that an index made from nothing remembers one by one
FAR_BEHIND = 200_000  #: after so many changes nobody asks which memories they were


class Moment(NamedTuple):
    """Where a transaction stands."""

    sequence: int
    lineage: str


class Source(Protocol):
    """What the index asks of the store, all inside one transaction."""

    def moment(self) -> Moment: ...

    def identity(self) -> Identity: ...

    def mark(self, entry: int, sequence: int) -> str | None: ...

    def latest_mark(self, entry: int, sequence: int) -> str | None: ...

    def forgot_since(self, sequence: int) -> bool: ...

    def forgotten(self) -> list[int]: ...

    def changed(self, after: int) -> dict[int, int]: ...

    def count(self) -> int: ...

    def documents(self, sequences: dict[int, int]) -> Iterator[Doc]: ...

    def every_document(self, sequences: dict[int, int]) -> Iterator[Doc]: ...


def is_far_behind(view: View, moment: Moment) -> bool:
    """Whether so much changed since that making it anew is less work."""
    return moment.sequence - view.sequence > FAR_BEHIND


def from_nothing(source: Source, moment: Moment) -> tuple[int, Iterator[Doc]]:
    """Every memory, and from which change on each carries the number of its last one."""
    floor = max(0, moment.sequence - RECENT)
    return floor, source.every_document(source.changed(floor))


def caught_up(base: View, source: Source, moment: Moment) -> View:
    """The same with what changed since."""
    return newer(base, source.documents(source.changed(base.sequence)), moment.sequence)


def newer(base: View, docs: Iterator[Doc], sequence: int) -> View:
    view = View(sequence, base.floor, base.layers)
    for segment in segments(docs):
        view = view.with_newer(segment, sequence)
    return view


def as_it_was(base: View, source: Source, moment: Moment) -> View | None:
    """The index of an earlier moment than its files: what changed since is read as the transaction sees it."""
    if moment.sequence < base.floor:
        return None
    rows: Rows = base.changed_after(moment.sequence)
    docs = source.documents(dict.fromkeys(rows.tolist(), 0))
    return newer(base, docs, moment.sequence)


def is_of(listed: Listed, source: Source, moment: Moment) -> bool:
    """Whether files were made from this very store, and not from one that lay here before."""
    identity = listed.identity
    if identity.lineage != moment.lineage:
        return False
    mark = source.mark if listed.sequence <= moment.sequence else source.latest_mark
    return mark(identity.entry, listed.sequence) == identity.mark
