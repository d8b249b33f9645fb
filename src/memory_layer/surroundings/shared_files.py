"""Which files of a work tree git would hand on to others: those it tracks, and those it does not ignore."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from memory_layer.surroundings import careful_read, git_index, git_settings
from memory_layer.surroundings.git import git_dir_of

if TYPE_CHECKING:
    from memory_layer.ports import Place

LARGEST = 256 * 1024  #: bytes of a file of patterns
NAME = ".gitignore"
Lines = tuple[str, ...]
#: Whether patterns leave a path out: the path, what gives a folder's lines, and the lines for the whole repository.
Ignoring = Callable[[str, Callable[[str], Lines], Sequence[Lines]], bool]


class SharedFiles:
    """The rule for one machine; `settings` is where git keeps a user's own, beside the file in the home directory."""

    def __init__(
        self, is_ignored: Ignoring, settings: Path, unreadable: Lines, environ: Mapping[str, str]
    ) -> None:
        self._is_ignored = is_ignored
        self._settings = settings
        self._environ = environ
        self._unreadable = unreadable  #: the patterns that stand for those of a file that cannot be read

    def holds(self, place: Place, path: str) -> bool:
        """Whether a path below a root, that of a folder with a slash at its end, is handed on. Never raises."""
        root, git_dir = str(place.root), git_dir_of(str(place.root))
        if git_dir is None or place.common_dir is None:
            return False
        parts = path.rstrip("/").split("/")
        if any(part in ("", ".", "..") or part.lower() == ".git" for part in parts) or "\0" in path:
            return False
        inner = parts if path.endswith("/") else parts[:-1]
        if any(
            os.path.lexists(os.path.join(root, *inner[:depth], ".git")) for depth in range(1, len(inner) + 1)
        ):
            return False  # it belongs to another repository
        if path in git_index.entries(os.path.join(git_dir, "index")):
            return True
        return not self._is_ignored(
            path, lambda folder: self._lines_in(root, folder), self._general(place, git_dir)
        )

    def _general(self, place: Place, git_dir: str) -> list[Lines]:
        """The repository's own patterns for all its files, and then all that a user's settings could mean."""
        assert place.common_dir is not None
        bases = (os.path.expanduser("~"), str(place.root))
        configs = git_settings.users_files(self._environ, str(self._settings))
        configs += [os.path.join(place.common_dir, "config"), os.path.join(git_dir, "config.worktree")]
        named = git_settings.pattern_files(configs, bases)
        first = (os.path.join(place.common_dir, "info", "exclude"), os.path.join(self._settings, "ignore"))
        return [self._unreadable if file is None else self._lines(file) for file in (*first, *named)]

    def _lines_in(self, root: str, folder: str) -> Lines:
        """The patterns that lie in a folder; like git, without following a link, which may lead anywhere."""
        way = os.path.join(root, folder)
        if careful_read.real(way) != os.path.normpath(way):
            return ()  # where the link leads is asked for by its own name
        file = os.path.join(way, NAME)
        return self._unreadable if os.path.islink(file) else self._lines(file)

    def _lines(self, file: str) -> Lines:
        try:
            status = os.stat(file)
        except FileNotFoundError:
            return ()
        except (OSError, ValueError):
            return self._unreadable
        lines = _read(file, status.st_mtime_ns, status.st_size)
        return self._unreadable if lines is None else lines


@lru_cache(maxsize=256)
def _read(file: str, mtime_ns: int, size: int) -> Lines | None:
    text = careful_read.text(file, LARGEST)
    return None if text is None else tuple(text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n"))
