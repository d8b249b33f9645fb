"""One engine for all calls of a serving process, reopened when its file was replaced."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

from memory_layer.errors import NotFound
from memory_layer.usecases.who.projects import looks_like_path, path_named
from memory_layer.verbs.call import LONGEST_SHOWN

if TYPE_CHECKING:
    from memory_layer.ports import Engine
    from memory_layer.settings import Settings

LEFTOVER_SECONDS = 30.0  #: between two looks for what killed writers left
LOOK_SECONDS = 600.0  #: between two looks at whether the store is due for tidying


class SharedEngine:
    """An engine that stays open while the file of its store is the same."""

    def __init__(self, settings: Settings, door: str, *, only_read: bool, own: Sequence[Path]) -> None:
        self.settings = settings
        self.only_read = only_read
        self._door = door
        self._own = own
        self._guard = threading.Lock()
        self._opened: Opened | None = None
        self._reader: SharedEngine | None = None
        self._next_leftovers = 0.0  #: when to look again for what killed writers left
        self._next_look = 0.0  #: when to ask again whether the store is due for tidying

    def close(self) -> None:
        """Close the store once the calls under way have finished."""
        with self._guard:
            reader, self._reader = self._reader, None
            self._leave()
        if reader is not None:
            reader.close()

    def for_reading(self) -> SharedEngine:
        """Return an engine on the same store that cannot write, for callers that may only read."""
        if self.only_read:
            return self
        with self._guard:
            if self._reader is None:
                self._reader = SharedEngine(self.settings, self._door, only_read=True, own=self._own)
            return self._reader

    @contextmanager
    def engine(self) -> Iterator[Engine]:
        """Yield the engine for one call, reopened if its file was replaced."""
        with self._guard:
            opened = self._current()
            opened.calls += 1
        try:
            yield opened.engine
        finally:
            with self._guard:
                opened.calls -= 1
                opened.close_if_left()

    def keep_tidy(self, engine: Engine) -> None:
        """Finish what killed writers left, and start tidying behind the answer if it is due; both now and then."""
        if self.only_read:
            return
        now = monotonic()
        if now >= self._next_leftovers:
            from memory_layer.wiring import finish_what_was_left

            self._next_leftovers = now + LEFTOVER_SECONDS
            finish_what_was_left(engine, self._door)
        if now < self._next_look:
            return
        from memory_layer.wiring import claim_upkeep

        self._next_look = now + LOOK_SECONDS
        if claim_upkeep(engine):
            threading.Thread(target=_tidy, args=(self.settings,), daemon=True).start()

    def _current(self) -> Opened:
        """Return the engine of the file that is at the path now, opening it if necessary."""
        from memory_layer.wiring import open_engine

        place = _identity(self.settings.database_path)
        if self._opened is None or self._opened.place != place:
            self._leave()
            closing = ExitStack()
            engine = closing.enter_context(
                open_engine(self.settings, self._door, only_read=self.only_read, own=self._own)
            )
            self._opened = Opened(engine, _identity(self.settings.database_path), closing)
        return self._opened

    def _leave(self) -> None:
        """Retire the engine: the last call under way closes it."""
        if self._opened is not None:
            self._opened.is_left = True
            self._opened.close_if_left()
            self._opened = None


class Opened:
    """An open engine, and the number of calls that use it."""

    def __init__(self, engine: Engine, place: object, closing: ExitStack) -> None:
        self.engine = engine
        self.place = place
        self.calls = 0
        self.is_left = False
        self._closing = closing

    def close_if_left(self) -> None:
        if self.is_left and not self.calls:
            self._closing.close()


def check_folder(project: str, here: Path) -> None:
    """Report a file like a missing folder, so that a client cannot probe for files."""
    if looks_like_path(project) and not os.path.isdir(path_named(project, here)):
        raise NotFound(f"there is no folder {project[:LONGEST_SHOWN]!r}")


def _identity(path: Path) -> object:
    """Return what identifies the file at a path; None if there is none."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _tidy(settings: Settings) -> None:
    """Start tidying and wait for its end, so that no dead process is left."""
    from memory_layer.wiring import start_upkeep

    if wait := start_upkeep(settings):
        wait()
