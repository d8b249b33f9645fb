"""Decide which files of a work tree git shares: those it tracks, and those it does not ignore."""

from __future__ import annotations

import os
import struct
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from memory_layer.surroundings import careful_read, remotes
from memory_layer.surroundings.git import git_dir_of

if TYPE_CHECKING:
    from memory_layer.ports import Workspace


LARGEST_INDEX = 64 * 1024 * 1024  #: bytes
MOST = 200_000  #: files
_HEAD = struct.Struct(">4sII")
_FIXED = 40  #: bytes of an entry before the name of its content
_MODE = struct.Struct(">I")
_FLAGS = struct.Struct(">H")
_EXTENDED = 0x4000
_STAGE = 0x3000
_REGULAR = (0o100644, 0o100755, 0o100664)
_TABLE_WIDTHS = (20, 32)

MOST_CONFIGS = 64  #: configuration files, with their includes
#: The system-wide configuration files of git's builds.
SYSTEM = ("/etc/gitconfig", "/usr/local/etc/gitconfig", "/opt/homebrew/etc/gitconfig")
EXCLUDES = "core.excludesfile"
Entries = tuple[tuple[str, str], ...]
LARGEST = 256 * 1024  #: bytes of a file of patterns
NAME = ".gitignore"
Lines = tuple[str, ...]
#: Decides whether a path is ignored: the path, a function for a folder's lines, and the lines of the whole repository.
Ignoring = Callable[[str, Callable[[str], Lines], Sequence[Lines]], bool]


def entries(path: str) -> dict[str, str]:
    """Return each tracked file with its blob name; empty if the index is unreadable. Never raises."""
    try:
        status = os.stat(path)
    except OSError:
        return {}
    return _index_entries(path, status.st_size, status.st_mtime_ns)


@lru_cache(maxsize=4)
def _index_entries(path: str, size: int, mtime_ns: int) -> dict[str, str]:
    content = careful_read.regular(path, LARGEST_INDEX) or b""
    for width in _TABLE_WIDTHS:  # of a content's name; nothing in the file says which
        try:
            return _parsed(content, width)
        except (ValueError, IndexError, struct.error):
            continue
    return {}


def _parsed(content: bytes, width: int) -> dict[str, str]:
    mark, version, count = _HEAD.unpack_from(content)
    if mark != b"DIRC" or version not in (2, 3, 4) or count > MOST:
        raise ValueError("not an index")
    found: dict[str, str] = {}
    at, name = _HEAD.size, b""
    for _ in range(count):
        start = at
        (mode,) = _MODE.unpack_from(content, at + 24)
        blob = content[at + _FIXED : at + _FIXED + width]
        at += _FIXED + width
        (flags,) = _FLAGS.unpack_from(content, at)
        at += 4 if flags & _EXTENDED and version > 2 else 2
        if version == 4:
            dropped, at = _number(content, at)
            if dropped > len(name):
                raise ValueError("a name without its beginning")
            end = content.index(b"\0", at)
            name, at = name[: len(name) - dropped] + content[at:end], end + 1
        else:
            end = content.index(b"\0", at)
            name, at = content[at:end], start + ((end - start) // 8 + 1) * 8
        if not name or name.startswith(b"/"):
            raise ValueError("no name")
        if mode in _REGULAR and not flags & _STAGE:
            found[os.fsdecode(name)] = blob.hex()
        elif mode & 0o170000 not in (0o100000, 0o120000, 0o160000, 0o040000):
            raise ValueError("no mode that git knows")
    return found


def _number(content: bytes, at: int) -> tuple[int, int]:
    """Read how much of the previous name to drop, encoded like a pack's offset."""
    byte = content[at]
    number = byte & 0x7F
    while byte & 0x80:
        at += 1
        byte = content[at]
        number = (number + 1) << 7 | byte & 0x7F
    return number, at + 1


def users_files(environ: Mapping[str, str], folder: str) -> list[str]:
    """Return the configuration files that apply to all repositories; `folder` is git's folder of the user."""
    variables = [environ.get(name, "") for name in ("GIT_CONFIG_SYSTEM", "GIT_CONFIG_GLOBAL")]
    own = [os.path.join(os.path.expanduser("~"), ".gitconfig"), os.path.join(folder, "config")]
    return [*filter(None, variables), *SYSTEM, *own]


def pattern_files(configs: Iterable[str], bases: Sequence[str]) -> Iterator[str | None]:
    """Yield the ignore files that configuration files and their includes name; None for an unknown one.

    A conditional include counts as if its condition held. `bases` are the folders a relative path may start from.
    """
    waiting = list(dict.fromkeys(configs))
    for config in waiting:  # it grows by what is included
        entries = _settings_entries(config) if len(waiting) <= MOST_CONFIGS else None
        if entries is None:
            yield None
        for name, value in entries or ():
            path = os.path.expanduser(value)
            if value.startswith("%(prefix)"):  # the folder that git was installed in, which only git knows
                yield None
            elif name == EXCLUDES:
                yield from (os.path.join(base, path) for base in bases if value)
            elif (included := os.path.join(os.path.dirname(config), path)) not in waiting:
                waiting.append(included)


def _names_include(name: str) -> bool:
    return name == "include.path" or (name.startswith("includeif.") and name.endswith(".path"))


def _settings_entries(config: str) -> Entries | None:
    """Return the relevant entries of a configuration file, empty if it is missing; None if unreadable."""
    try:
        status = os.stat(config)
    except (FileNotFoundError, NotADirectoryError):
        return ()
    except (OSError, ValueError):
        return None
    return _settings_in(config, status.st_mtime_ns, status.st_size)


@lru_cache(maxsize=32)
def _settings_in(config: str, mtime_ns: int, size: int) -> Entries | None:
    if careful_read.text(config, remotes.LARGEST_CONFIG) is None:
        return None
    found = remotes.entries(config)
    return tuple((name, value) for name, value in found if name == EXCLUDES or _names_include(name))


class SharedFiles:
    """The rule for one machine; `settings` is git's folder of the user, beside the file in the home directory."""

    def __init__(
        self, is_ignored: Ignoring, settings: Path, unreadable: Lines, environ: Mapping[str, str]
    ) -> None:
        self._is_ignored = is_ignored
        self._settings = settings
        self._environ = environ
        self._unreadable = unreadable  #: the patterns to assume for a file that cannot be read

    def holds(self, place: Workspace, path: str) -> bool:
        """Return whether git shares a path below a root; a folder's ends with a slash. Never raises."""
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
        if path in entries(os.path.join(git_dir, "index")):
            return True
        return not self._is_ignored(
            path, lambda folder: self._lines_in(root, folder), self._general(place, git_dir)
        )

    def _general(self, place: Workspace, git_dir: str) -> list[Lines]:
        """Return the repository's own patterns for all files, then all that the user's settings could mean."""
        assert place.common_dir is not None
        bases = (os.path.expanduser("~"), str(place.root))
        configs = users_files(self._environ, str(self._settings))
        configs += [os.path.join(place.common_dir, "config"), os.path.join(git_dir, "config.worktree")]
        named = pattern_files(configs, bases)
        first = (os.path.join(place.common_dir, "info", "exclude"), os.path.join(self._settings, "ignore"))
        return [self._unreadable if file is None else self._lines(file) for file in (*first, *named)]

    def _lines_in(self, root: str, folder: str) -> Lines:
        """Return the patterns in a folder; like git, without following a link, which may lead anywhere."""
        way = os.path.join(root, folder)
        if careful_read.real(way) != os.path.normpath(way):
            return ()  # the link's target is checked under its own name
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
