"""Which files of a work tree git would hand on to others: those it tracks, and those it does not ignore."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from memory_layer.surroundings import git_index, reading, remotes
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

    def __init__(self, is_ignored: Ignoring, settings: Path, unreadable: Lines) -> None:
        self._is_ignored = is_ignored
        self._settings = settings
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
            path, lambda folder: self._lines(os.path.join(root, folder, NAME)), self._general(place)
        )

    def _general(self, place: Place) -> list[Lines]:
        """The patterns for the whole repository and for all of a user's: where several could be meant, all of them."""
        assert place.common_dir is not None
        home = os.path.expanduser("~")
        files = [os.path.join(place.common_dir, "info", "exclude"), os.path.join(self._settings, "ignore")]
        files += [*_named(os.path.join(home, ".gitconfig"), home), *_named(f"{self._settings}/config", home)]
        files += _named(os.path.join(place.common_dir, "config"), str(place.root))
        return [self._lines(file) for file in files]

    def _lines(self, file: str) -> Lines:
        try:
            status = os.stat(file)
        except FileNotFoundError:
            return ()
        except (OSError, ValueError):
            return self._unreadable
        lines = _read(file, status.st_mtime_ns, status.st_size)
        return self._unreadable if lines is None else lines


def _named(config: str, base: str) -> Iterator[str]:
    """The files of patterns that a git configuration names."""
    try:
        status = os.stat(config)
    except OSError:
        return
    for value in _excludes(config, status.st_mtime_ns, status.st_size):
        yield os.path.join(base, os.path.expanduser(value))


@lru_cache(maxsize=16)
def _excludes(config: str, mtime_ns: int, size: int) -> Lines:
    return tuple(value for name, value in remotes.entries(config) if name == "core.excludesfile" and value)


@lru_cache(maxsize=256)
def _read(file: str, mtime_ns: int, size: int) -> Lines | None:
    text = reading.text(file, LARGEST)
    return None if text is None else tuple(text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n"))
