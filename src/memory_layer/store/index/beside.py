"""Keeping up with the store: whoever searches brings the index to the moment of its own transaction.

What changed since the index was last written is read from the store and held in this process; when enough has come
together it is written as a new segment by whoever finds the lock free. Nobody waits for anybody: who cannot have the
index at its moment is told so, and searches the store itself.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, Protocol

import numpy as np

from memory_layer.store.index.columns_file import Damaged
from memory_layer.store.index.folder import Folder, Identity, Listed
from memory_layer.store.index.segment import Doc, Mask, Segment, fits, joined, segments
from memory_layer.store.index.view import Rows, View, stacked

SAVED_FROM = 64  #: fewer changed memories than this are only held in the process
MOST_HELD = 20_000  #: more than this are written to files at once, whatever it takes
RECENT = 10_000  #: changes that an index made from nothing remembers one by one
MOSTLY_DEAD = 0.6  #: a segment of which less than this stands is written anew


Group = list[tuple[Segment, Mask]]  #: segments that become one, oldest first, each with what stands of it


class Moment(NamedTuple):
    """Where a transaction stands."""

    sequence: int
    lineage: str


class Source(Protocol):
    """What the index asks of the store, all inside one transaction."""

    def moment(self) -> Moment: ...

    def identity(self) -> Identity: ...

    def mark(self, entry: int) -> str | None: ...

    def latest(self) -> int: ...

    def changed(self, after: int) -> dict[int, int]: ...

    def count(self) -> int: ...

    def documents(self, sequences: dict[int, int]) -> Iterator[Doc]: ...

    def every_document(self, sequences: dict[int, int]) -> Iterator[Doc]: ...


class Beside:
    """The index of one store, shared by the threads of a process."""

    def __init__(self, path: Path | None) -> None:
        self.folder = Folder(path) if path is not None else None
        self._guard = threading.Lock()
        self._process = os.getpid()
        self._lineage = ""
        self._view: View | None = None

    def view(self, source: Source) -> View | None:
        """The index as of the caller's transaction; None if it must do without."""
        if self._process != os.getpid():
            self._guard, self._process, self._view = threading.Lock(), os.getpid(), None
        moment = source.moment()
        kept = self._view
        if kept is not None and self._lineage == moment.lineage and kept.sequence == moment.sequence:
            return kept
        with self._guard:
            return self._caught_up(source, moment)

    def _caught_up(self, source: Source, moment: Moment) -> View | None:
        if self._lineage != moment.lineage:
            self._lineage, self._view = moment.lineage, None
        base = self._view
        if base is None or base.sequence > moment.sequence:
            base = self._loaded(source, moment)
        elif moment.sequence - base.sequence > MOST_HELD:  # somebody else may have written it down
            base = self._loaded(source, moment) or base
        if base is None:
            return self._made(source, moment)
        if base.sequence > moment.sequence:
            return _as_it_was(base, source, moment)
        changed = source.changed(base.sequence)
        if len(changed) > MOST_HELD:
            return self._written_at_once(base, source, moment, changed)
        view = _newer(base, source.documents(changed), moment.sequence)
        self._view = view
        if view.unsaved >= SAVED_FROM:
            self._view = view = self._saved(view, source, moment)
        return view

    def _loaded(self, source: Source, moment: Moment) -> View | None:
        """The index as its files have it; None if they cannot be used."""
        if self.folder is None:
            return None
        known = {segment.name: segment for segment in self._view.segments} if self._view else {}
        listed = self.folder.listed()
        while listed is not None and _is_of(listed, source, moment):
            try:
                files = [known.get(name) or self.folder.opened(name) for name in listed.names]
                return stacked(files, listed.sequence, listed.floor)
            except Damaged:
                before, listed = listed, self.folder.listed()
                if listed == before:
                    return None
        return None

    def _made(self, source: Source, moment: Moment) -> View | None:
        """The index made from nothing."""
        floor = max(0, moment.sequence - RECENT)
        if self.folder is None or source.count() <= MOST_HELD:
            docs = source.every_document(source.changed(floor))
            self._view = view = stacked(list(segments(docs)), moment.sequence, floor)
            if view.unsaved >= SAVED_FROM:
                self._view = view = self._saved(view, source, moment)
            return view
        with self.folder.locked() as mine:
            if not mine:
                return None
            base = self._loaded(source, moment)  # somebody may have made it a moment ago
            if base is not None:
                return self._on_top(base, source, moment)
            docs = source.every_document(source.changed(floor))
            return self._published([], docs, source, moment, floor)

    def _on_top(self, base: View, source: Source, moment: Moment) -> View | None:
        if base.sequence > moment.sequence:
            return _as_it_was(base, source, moment)
        docs = source.documents(source.changed(base.sequence))
        return self._published(base.segments, docs, source, moment, base.floor)

    def _written_at_once(
        self, base: View, source: Source, moment: Moment, changed: dict[int, int]
    ) -> View | None:
        """Many changes go straight to files, a stretch at a time."""
        if self.folder is None:
            return _newer(base, source.documents(changed), moment.sequence)
        with self.folder.locked() as mine:
            if not mine:
                return None
            return self._on_top(self._loaded(source, moment) or stacked([], 0, 0), source, moment)

    def _published(
        self, older: Sequence[Segment], docs: Iterator[Doc], source: Source, moment: Moment, floor: int
    ) -> View | None:
        assert self.folder is not None
        try:
            every = [*older, *(self.folder.saved(segment) for segment in segments(docs))]
            self._publish(every, source, moment, floor)
        except OSError:
            return None  # no room, or no right to write
        self._view = stacked(every, moment.sequence, floor)
        return self._view

    def _saved(self, view: View, source: Source, moment: Moment) -> View:
        """The same view with everything in files, if they can be written now."""
        if self.folder is None:
            return view
        with self.folder.locked() as mine:
            if not mine:
                return view
            base = self._loaded(source, moment)
            if base is not None:
                if base.sequence > moment.sequence:
                    return view  # somebody is further than this transaction can see
                if _names(base) != _names(view):
                    view = _newer(base, source.documents(source.changed(base.sequence)), moment.sequence)
            try:
                settled = self._settled(view)
                self._publish(settled, source, moment, view.floor)
            except (OSError, Damaged):
                return view
            return stacked(settled, moment.sequence, view.floor)

    def _settled(self, view: View) -> list[Segment]:
        """The segments of a view, all in files: the unsaved joined with older ones of like size."""
        assert self.folder is not None
        groups: list[Group] = []
        for pair in zip(view.segments, view.standing, strict=True):
            groups.append([pair])
            if _is_settled(groups[-1]):
                continue
            while len(groups) > 1 and _like(groups[-2], groups[-1]):
                groups[-2:] = [[*groups[-2], *groups[-1]]]
        return [group[0][0] if _is_settled(group) else self.folder.saved(joined(group)) for group in groups]

    def _publish(self, files: Sequence[Segment], source: Source, moment: Moment, floor: int) -> None:
        assert self.folder is not None
        names = tuple(segment.name for segment in files if segment.name is not None)
        self.folder.publish(Listed(source.identity(), moment.sequence, floor, names))

    def purge(self, rows: Sequence[int]) -> None:
        """Take every trace of these memories out of the files."""
        if self.folder is None or not self.folder.path.exists():
            return
        with self._guard, self.folder.locked(wait=True):
            self._view = None
            listed = self.folder.listed()
            try:
                files = [self.folder.opened(name) for name in listed.names] if listed else []
                purged = [self._purged(segment, np.array(rows, np.int64)) for segment in files]
            except (Damaged, OSError):
                listed, purged = None, []
            if listed is None:
                self.folder.empty()
            else:
                self.folder.publish(listed._replace(names=tuple(str(each.name) for each in purged)))

    def _purged(self, segment: Segment, rows: Rows) -> Segment:
        """A segment without what these memories said; an empty place may stay."""
        assert self.folder is not None
        _, places = segment.places(rows)
        said = places[segment.postings.lengths[places] > 0]
        if not len(said):
            return segment
        keep = np.ones(len(segment), np.bool_)
        keep[said] = False
        return self.folder.saved(joined([(segment, keep)]))


def _newer(base: View, docs: Iterator[Doc], sequence: int) -> View:
    view = View(sequence, base.floor, base.segments, base.standing)
    for segment in segments(docs):
        view = view.with_newer(segment, sequence)
    return view


def _as_it_was(base: View, source: Source, moment: Moment) -> View | None:
    """The index of an earlier moment than its files: what changed since is read as the transaction sees it."""
    if moment.sequence < base.floor:
        return None
    rows: Rows = base.changed_after(moment.sequence)
    docs = source.documents(dict.fromkeys(rows.tolist(), 0))
    return _newer(base, docs, moment.sequence)


def _is_of(listed: Listed, source: Source, moment: Moment) -> bool:
    """Whether files were made from this very store, and not from one that lay here before."""
    if listed.identity.lineage != moment.lineage:
        return False
    if listed.sequence > moment.sequence:
        return source.latest() >= listed.sequence
    return not listed.identity.entry or source.mark(listed.identity.entry) == listed.identity.mark


def _names(view: View) -> list[str]:
    return [segment.name for segment in view.segments if segment.name is not None]


def _is_settled(group: Group) -> bool:
    """Whether it is one segment that has a file, most of which still counts."""
    (segment, standing), *rest = group
    return not rest and segment.name is not None and standing.sum() >= MOSTLY_DEAD * len(standing)


def _like(older: Group, newer: Group) -> bool:
    """Whether two groups are of like size, or both without a file, and go into one segment."""
    before, after = (sum(len(segment) for segment, _ in group) for group in (older, newer))
    unsaved = all(segment.name is None for segment, _ in (*older, *newer))
    return (unsaved or before <= 2 * after) and fits([segment.size() for segment, _ in (*older, *newer)])
