"""Bringing what a process holds of the index into files.

Whoever finds the lock free writes, and joins small and worn segments with ones of like size. Nobody waits for it, and
where it cannot write it rests a while.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from memory_layer.model.vocabulary import Reason
from memory_layer.store.index.columns_file import UNUSABLE, Damaged
from memory_layer.store.index.folder import Listed
from memory_layer.store.index.moments import as_it_was, caught_up, from_nothing, is_far_behind
from memory_layer.store.index.reading import Reading
from memory_layer.store.index.segment import Segment, fits, joined, outdated, segments, where
from memory_layer.store.index.view import stacked

if TYPE_CHECKING:
    from memory_layer.store.index.moments import Moment, Source
    from memory_layer.store.index.segment import Mask
    from memory_layer.store.index.view import Rows, View

    Group = list[tuple[Segment, Mask]]  #: segments that become one, oldest first, each with what stands of it

MOSTLY_DEAD = 0.6  #: a segment of which less than this stands is written anew
REST_SECONDS = 60  #: how long nobody tries again to write where writing failed


class Writing(Reading):
    def __init__(self, path: Path | None, *, frozen: bool = False) -> None:
        super().__init__(path, frozen=frozen)
        self._rests_until = 0.0

    def _written(self, source: Source, moment: Moment) -> View | None:
        """What is not in files yet goes there at once, a stretch at a time; None if that cannot be."""
        assert self.folder is not None
        if self._rests():
            return None
        with self.folder.locked() as mine:
            if not mine or source.forgot_since(moment.sequence):
                return None
            return self._rewritten(source, moment)

    def _rewritten(self, source: Source, moment: Moment) -> View | None:
        """The same for who has the lock."""
        assert self.folder is not None
        base = self._loaded(source, moment)  # somebody may have made it a moment ago
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

    def _saved(self, view: View, source: Source, moment: Moment) -> View:
        """The same view with everything in files, if they can be written now."""
        if self.folder is None or self._rests():
            return view
        with self.folder.locked() as mine:
            if not mine or source.forgot_since(moment.sequence):
                return view
            base = self._loaded(source, moment)
            if base is None and _names(view):
                return self._rewritten(source, moment) or view
            if base is not None and base.sequence > moment.sequence:
                return view  # somebody is further than this transaction can see
            if base is not None and _names(base) != _names(view):
                view = caught_up(base, source, moment)
            try:
                return self._published(view, source, moment)
            except (OSError, Damaged) as error:
                self._rest(error)
                return view

    def _published(self, view: View, source: Source, moment: Moment) -> View:
        """Let the files say what a view of this moment says."""
        assert self.folder is not None
        files = self._settled(view)
        named = tuple((each.name, self.folder.stamp(each.name)) for each in files if each.name is not None)
        self.folder.publish(Listed(source.identity(), moment.sequence, view.floor, named))
        return self._keep(stacked(files, moment.sequence, view.floor), moment)

    def _settled(self, view: View) -> list[Segment]:
        """The segments of a view, all in files: those without one, and worn ones, joined with ones of like size."""
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
        """Where there is no room or no right to write, that will last; a folder that somebody removed is made anew."""
        if isinstance(error, OSError) and not isinstance(error, FileNotFoundError):
            self._rests_until = time.monotonic() + REST_SECONDS

    def purge(self, source: Source, reading: Callable[[], AbstractContextManager[None]]) -> bool:
        """Take every trace of what is forgotten out of the files; False if they cannot be written.

        Who began to write before the forgetting is waited for, and who begins later is told by `forgot_since`.
        """
        self._kept = None
        if self.folder is None or not self.folder.path.exists():
            return True
        with self._guard, self.folder.locked(wait=True) as mine:
            if not mine:
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
            self._kept = None
            return self.folder.empty()


def _purged(base: View, source: Source, moment: Moment) -> View:
    """The index of now without what forgotten memories once said; each has an empty place."""
    rows = np.array(source.forgotten(), np.int64)
    left = []
    for segment in base.segments:
        keep = ~outdated(segment, rows)
        left.append(segment if keep.all() else joined([(segment, keep)]))
    return caught_up(stacked(left, base.sequence, base.floor), source, moment)


def _names(view: View) -> list[str]:
    return [segment.name for segment in view.segments if segment.name is not None]


_NO_ROWS: Rows = np.empty(0, np.int64)


def _forgotten(segment: Segment) -> Rows:
    return segment.rows[where(segment, "reason", lambda reason: reason == Reason.FORGOTTEN)]


def _is_settled(group: Group, forgotten: Rows) -> bool:
    """Whether it is one segment that has a file, most of which still counts and nothing of which is forgotten."""
    (segment, standing), *rest = group
    if rest or segment.name is None or standing.sum() < MOSTLY_DEAD * len(standing):
        return False
    return not outdated(segment, forgotten).any()


def _like(older: Group, newer: Group) -> bool:
    """Whether two groups are of like size, or both without a file, and go into one segment."""
    before, after = (sum(len(segment) for segment, _ in group) for group in (older, newer))
    unsaved = all(segment.name is None for segment, _ in (*older, *newer))
    return (unsaved or before <= 2 * after) and fits([segment.size() for segment, _ in (*older, *newer)])
