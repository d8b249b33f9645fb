"""The index as its files have it, and the view of it that a process keeps."""

from __future__ import annotations

import threading
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from memory_layer.store.index.columns_file import Damaged
from memory_layer.store.index.folder import Folder
from memory_layer.store.index.moments import is_of
from memory_layer.store.index.view import stacked

if TYPE_CHECKING:
    from memory_layer.store.index.folder import Listed
    from memory_layer.store.index.moments import Moment, Source
    from memory_layer.store.index.view import View


class Reading:
    def __init__(self, path: Path | None, *, frozen: bool = False) -> None:
        self.folder = Folder(path, frozen=frozen) if path is not None else None
        self._guard = threading.Lock()
        self._kept: tuple[str, View] | None = None  #: the last view, and the lineage of its store

    def _of(self, moment: Moment) -> View | None:
        """The view that this process has of the store in this life."""
        kept = self._kept
        return kept[1] if kept is not None and kept[0] == moment.lineage else None

    def _keep(self, view: View, moment: Moment) -> View:
        self._kept = moment.lineage, view
        return view

    def _loaded(self, source: Source, moment: Moment) -> View | None:
        """The index as its files have it; None if they cannot be used."""
        try:
            return self._read(source, moment)
        except Damaged:
            return None

    def _read(self, source: Source, moment: Moment, *, deep: bool = False) -> View | None:
        """The same; None if there are no files of this store, and Damaged if there are but not as written."""
        if self.folder is None:
            return None
        kept = self._of(moment)
        known = {segment.name: segment for segment in kept.segments} if kept and not deep else {}
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

    def _vouch(self, listed: Listed, stamps: tuple[tuple[str, int], ...]) -> None:
        """Let files that were copied or touched count as written, now that they were read to their end, so that
        the next process need not do it again."""
        assert self.folder is not None
        with self.folder.locked() as mine, suppress(OSError):
            if mine and self.folder.listed() == listed:
                self.folder.publish(listed._replace(files=stamps))
