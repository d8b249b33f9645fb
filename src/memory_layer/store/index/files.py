"""Load the index from its files, catch it up with the store, and write it back.

The process that gets the lock writes, and merges small or mostly outdated segments with others of similar size.
Nobody waits for the lock; after a failed write a process pauses before it tries again.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import numpy as np

from memory_layer.model.record import NamedTuple
from memory_layer.model.vocabulary import Reason
from memory_layer.store.index.columns_file import UNUSABLE, Damaged
from memory_layer.store.index.folder import IndexFolder, IndexList
from memory_layer.store.index.segment import Segment, fits, joined, outdated, segments, where
from memory_layer.store.index.view import View, stacked

if TYPE_CHECKING:
    from memory_layer.store.index.folder import Identity
    from memory_layer.store.index.segment import Doc, Mask
    from memory_layer.store.index.view import Rows

    Group = list[
        tuple[Segment, Mask]
    ]  #: segments to merge, oldest first, each with the mask of its current rows


RECENT = 10_000  #: changes that a new index tracks individually
FAR_BEHIND = 200_000  #: after so many changes the index is rebuilt


MOSTLY_DEAD = 0.6  #: a segment with a smaller share of current rows is rewritten
REST_SECONDS = 60  #: pause after a failed write
_NO_ROWS: Rows = np.empty(0, np.int64)


class Moment(NamedTuple):
    """The position of a transaction in the store's history."""

    sequence: int
    lineage: str


class IndexSource(Protocol):
    """The store as the index reads it, inside one transaction."""

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
    """Check whether so much has changed that a rebuild is cheaper."""
    return moment.sequence - view.sequence > FAR_BEHIND


def from_nothing(source: IndexSource, moment: Moment) -> tuple[int, Iterator[Doc]]:
    """Return every memory, and the sequence from which on last changes are known."""
    floor = max(0, moment.sequence - RECENT)
    return floor, source.every_document(source.changed(floor))


def caught_up(base: View, source: IndexSource, moment: Moment) -> View:
    """Return the view, caught up to `moment`."""
    return newer(base, source.documents(source.changed(base.sequence)), moment.sequence)


def newer(base: View, docs: Iterator[Doc], sequence: int) -> View:
    view = View(sequence, base.floor, base.layers)
    for segment in segments(docs):
        view = view.with_newer(segment, sequence)
    return view


def as_it_was(base: View, source: IndexSource, moment: Moment) -> View | None:
    """Roll the index back to a transaction older than its files, by rereading what has changed since."""
    if moment.sequence < base.floor:
        return None
    rows: Rows = base.changed_after(moment.sequence)
    docs = source.documents(dict.fromkeys(rows.tolist(), 0))
    return newer(base, docs, moment.sequence)


def is_of(listed: IndexList, source: IndexSource, moment: Moment) -> bool:
    """Check that the files were built from this store and not from an earlier one at the same path."""
    identity = listed.identity
    if identity.lineage != moment.lineage:
        return False
    mark = source.mark if listed.sequence <= moment.sequence else source.latest_mark
    return mark(identity.entry, listed.sequence) == identity.mark


class IndexReader:
    def __init__(self, path: Path | None, *, frozen: bool = False) -> None:
        self.folder = IndexFolder(path, frozen=frozen) if path is not None else None
        self._guard = threading.Lock()
        self._last: tuple[str, View] | None = None  #: the last view, and the lineage of its store

    def _of(self, moment: Moment) -> View | None:
        """Return this process's view of the store, if it is of the same lineage."""
        held = self._last
        return held[1] if held is not None and held[0] == moment.lineage else None

    def _keep(self, view: View, moment: Moment) -> View:
        self._last = moment.lineage, view
        return view

    def _loaded(self, source: IndexSource, moment: Moment) -> View | None:
        """Load the index from its files; None if they are unusable."""
        try:
            return self._read(source, moment)
        except Damaged:
            return None

    def _read(self, source: IndexSource, moment: Moment, *, deep: bool = False) -> View | None:
        """Load the index; None if this store has no files, Damaged if they are not as written."""
        if self.folder is None:
            return None
        held = self._of(moment)
        known = {segment.name: segment for segment in held.segments} if held and not deep else {}
        listed = self.folder.listed()
        while listed is not None and is_of(listed, source, moment):
            try:
                stamps = tuple((name, self.folder.stamp(name)) for name, _ in listed.files)
                opened = [
                    self.folder.opened(*file, known=known.get(file[0]), deep=deep) for file in listed.files
                ]
                if stamps != listed.files and not deep:
                    self._vouch(listed, stamps)
                return stacked(opened, listed.sequence, listed.floor)
            except Damaged:
                before, listed = listed, self.folder.listed()
                if listed == before:
                    raise
        return None

    def _vouch(self, listed: IndexList, stamps: tuple[tuple[str, int], ...]) -> None:
        """Refresh the timestamps of files that were copied or touched, so that others need not verify them again."""
        assert self.folder is not None
        with self.folder.locked() as mine, suppress(OSError):
            if mine and self.folder.listed() == listed:
                self.folder.publish(listed._replace(files=stamps))


class Writing(IndexReader):
    def __init__(self, path: Path | None, *, frozen: bool = False) -> None:
        super().__init__(path, frozen=frozen)
        self._rests_until = 0.0

    def _written(self, source: IndexSource, moment: Moment) -> View | None:
        """Flush unsaved segments to disk; None if not writable."""
        assert self.folder is not None
        if self._rests():
            return None
        with self.folder.locked() as mine:
            if not mine or source.forgot_since(moment.sequence):
                return None
            return self._rewritten(source, moment)

    def _rewritten(self, source: IndexSource, moment: Moment) -> View | None:
        """Like `_written`; the caller holds the lock."""
        assert self.folder is not None
        base = self._loaded(source, moment)  # another process may have just written it
        if base is not None and base.sequence > moment.sequence:
            return as_it_was(base, source, moment)
        if base is None or is_far_behind(base, moment):
            floor, docs = from_nothing(source, moment)
            base = stacked([], 0, floor)
        else:
            docs = source.documents(source.changed(base.sequence))
        try:
            every = [*base.segments, *(self.folder.saved(segment) for segment in segments(docs))]
            return self._published(stacked(every, moment.sequence, base.floor), source, moment)
        except (OSError, Damaged) as error:
            self._rest(error)
            return None

    def _saved(self, view: View, source: IndexSource, moment: Moment) -> View:
        """Return the view with everything in files, if they are writable now."""
        if self.folder is None or self._rests():
            return view
        with self.folder.locked() as mine:
            if not mine or source.forgot_since(moment.sequence):
                return view
            base = self._loaded(source, moment)
            if base is None and _names(view):
                return self._rewritten(source, moment) or view
            if base is not None and base.sequence > moment.sequence:
                return view  # another process is ahead of this transaction
            if base is not None and _names(base) != _names(view):
                view = caught_up(base, source, moment)
            try:
                return self._published(view, source, moment)
            except (OSError, Damaged) as error:
                self._rest(error)
                return view

    def _published(self, view: View, source: IndexSource, moment: Moment) -> View:
        """Publish a view of this moment as the current files."""
        assert self.folder is not None
        files = self._settled(view)
        named = tuple((each.name, self.folder.stamp(each.name)) for each in files if each.name is not None)
        self.folder.publish(IndexList(source.identity(), moment.sequence, view.floor, named))
        return self._keep(stacked(files, moment.sequence, view.floor), moment)

    def _settled(self, view: View) -> list[Segment]:
        """Save unsaved segments and merge worn ones with others of similar size; return all segments."""
        assert self.folder is not None
        forgotten = np.concatenate([_NO_ROWS, *(_forgotten(each) for each in view.segments if not each.name)])
        groups: list[Group] = []
        for layer in view.layers:
            if not layer.standing.any():
                continue
            groups.append([(layer.segment, layer.standing)])
            while len(groups) > 1 and _like(groups[-2], groups[-1]):
                groups[-2:] = [[*groups[-2], *groups[-1]]]
        return [
            group[0][0] if _is_settled(group, forgotten) else self.folder.saved(joined(group))
            for group in groups
        ]

    def _rests(self) -> bool:
        return time.monotonic() < self._rests_until

    def _rest(self, error: OSError | Damaged) -> None:
        """Pause writing after a lack of space or permission; a folder that was removed is simply recreated."""
        if isinstance(error, OSError) and not isinstance(error, FileNotFoundError):
            self._rests_until = time.monotonic() + REST_SECONDS

    def purge(self, source: IndexSource, reading: Callable[[], AbstractContextManager[None]]) -> bool:
        """Erase every trace of forgotten memories from the files; False if they are not writable.

        Waits for writers that began before the memory was forgotten; later writers learn of it from `forgot_since`.
        """
        self._last = None
        if self.folder is None or not self.folder.path.exists():
            return True
        with self._guard, self.folder.locked(wait=True) as mine:
            if not mine:
                return False
            try:
                self.folder.drop_map()
            except OSError:
                return False
            with reading():
                moment = source.moment()
                base = self._loaded(source, moment)
                try:
                    if base is not None and not is_far_behind(base, moment):
                        self._published(_purged(base, source, moment), source, moment)
                        return True
                except (OSError, Damaged, *UNUSABLE):
                    pass
            self._last = None
            return self.folder.empty()


def _purged(base: View, source: IndexSource, moment: Moment) -> View:
    """Return the current index with forgotten memories replaced by empty entries."""
    rows = np.array(source.forgotten(), np.int64)
    left = []
    for segment in base.segments:
        keep = ~outdated(segment, rows)
        left.append(segment if keep.all() else joined([(segment, keep)]))
    return caught_up(stacked(left, base.sequence, base.floor), source, moment)


def _names(view: View) -> list[str]:
    return [segment.name for segment in view.segments if segment.name is not None]


def _forgotten(segment: Segment) -> Rows:
    return segment.rows[where(segment, "reason", lambda reason: reason == Reason.FORGOTTEN)]


def _is_settled(group: Group, forgotten: Rows) -> bool:
    """Check for a single saved segment that is mostly live and holds nothing forgotten."""
    (segment, standing), *rest = group
    if rest or segment.name is None or standing.sum() < MOSTLY_DEAD * len(standing):
        return False
    return not outdated(segment, forgotten).any()


def _like(older: Group, newer: Group) -> bool:
    """Check whether two groups are of similar size or both unsaved, and so belong in one segment."""
    before, after = (sum(len(segment) for segment, _ in group) for group in (older, newer))
    unsaved = all(segment.name is None for segment, _ in (*older, *newer))
    return (unsaved or before <= 2 * after) and fits([segment.size() for segment, _ in (*older, *newer)])
