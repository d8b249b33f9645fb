"""Keep the index in step with the store: each search catches it up to its own transaction.

Changes since the index was last written are read from the store and held in this process; once there are enough, the
process that gets the lock writes them as a new segment. Nobody waits: a search that cannot have the index at its own
moment is told so and searches the store itself.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

from memory_layer.store.index.check import difference
from memory_layer.store.index.columns_file import UNUSABLE, Damaged
from memory_layer.store.index.files import (
    REST_SECONDS,
    Writing,
    as_it_was,
    caught_up,
    from_nothing,
    is_far_behind,
    newer,
)
from memory_layer.store.index.segment import segments
from memory_layer.store.index.view import stacked

if TYPE_CHECKING:
    from memory_layer.store.index.files import IndexSource, Moment
    from memory_layer.store.index.view import View

SAVED_FROM = 64  #: fewer changed memories than this stay in the process
MOST_HELD = 20_000  #: more than this are written to files at once


class Beside(Writing):
    """The index of one store, shared by the threads of a process."""

    def __init__(self, path: Path | None, *, frozen: bool = False) -> None:
        super().__init__(path, frozen=frozen)
        self._doubted_until = 0.0

    def view(self, source: IndexSource) -> View | None:
        """Return the index as of the caller's transaction; None if it is unavailable."""
        moment = source.moment()
        held = self._of(moment)
        if held is not None and not held.is_whole:
            self.doubt(source, Damaged("a file was truncated"))
            return None
        if held is not None and held.sequence == moment.sequence:
            return held
        if time.monotonic() < self._doubted_until:
            return None
        try:
            with self._guard:
                return self._caught_up(source, moment)
        except (Damaged, *UNUSABLE) as error:
            self.doubt(source, error)
            return None

    def doubt(self, source: IndexSource, error: Exception) -> None:
        """Handle a failed search: remove the index files if they are damaged.

        If they are sound, the bug is in this program: stop using the index for a while and leave a note for the doctor.
        """
        self._last = None
        try:
            self._read(source, source.moment(), deep=True)
            self._doubted_until = time.monotonic() + REST_SECONDS
            if self.folder is not None:
                self.folder.note(error)
        except Damaged:
            if self.folder is not None:
                with self._guard, self.folder.locked() as mine:
                    if mine:
                        self.folder.empty()

    def _caught_up(self, source: IndexSource, moment: Moment) -> View | None:
        base = self._of(moment)
        if base is None or base.floor > moment.sequence:
            base = self._loaded(source, moment)
        elif moment.sequence - base.sequence > MOST_HELD:  # another process may have saved it
            base = self._loaded(source, moment) or base
        if base is None:
            return self._made(source, moment)
        if base.sequence > moment.sequence:
            return as_it_was(base, source, moment)
        written = self._made if self.folder is None else self._written
        if is_far_behind(base, moment):
            return written(source, moment)
        changed = source.changed(base.sequence)
        if len(changed) > MOST_HELD:
            return written(source, moment)
        view = self._keep(newer(base, source.documents(changed), moment.sequence), moment)
        return self._saved(view, source, moment) if view.unsaved >= SAVED_FROM else view

    def _made(self, source: IndexSource, moment: Moment) -> View | None:
        """Build the index from scratch: a small one in this process, a large one directly in files."""
        if self.folder is not None and source.count() > MOST_HELD:
            return self._written(source, moment)
        floor, docs = from_nothing(source, moment)
        view = self._keep(stacked(list(segments(docs)), moment.sequence, floor), moment)
        return self._saved(view, source, moment) if view.unsaved >= SAVED_FROM else view

    def flaw(self, source: IndexSource) -> str | None:
        """Return how the files differ from the store; what the next search rebuilds anyway does not count."""
        moment = source.moment()
        try:
            base = self._read(source, moment, deep=True)
        except Damaged as error:
            return str(error)
        if base is None or is_far_behind(base, moment):
            return self._noted()
        try:
            ahead = base.sequence > moment.sequence
            view = as_it_was(base, source, moment) if ahead else caught_up(base, source, moment)
            found = difference(view, source.every_document({})) if view else None
        except (Damaged, *UNUSABLE) as error:
            return f"its columns contradict each other: {error}"
        return found or self._noted()

    def _noted(self) -> str | None:
        return self.folder.noted() if self.folder is not None else None

    def drop(self) -> bool:
        """Remove the files; the next search rebuilds them."""
        self._last = None
        if self.folder is None or not self.folder.path.exists():
            return True
        with self._guard, self.folder.locked(wait=True) as mine:
            return mine and self.folder.empty()
