"""Read the files of one project without ever leaving its root."""

from __future__ import annotations

import errno
import os
import stat
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import datetime
from typing import TYPE_CHECKING

from memory_layer.ports.files import Seen
from memory_layer.surroundings import shared_files
from memory_layer.surroundings.git import git_dir_of, head_commit
from memory_layer.surroundings.git_objects import blob_at, content_at

if TYPE_CHECKING:
    from memory_layer.ports import Workspace

LARGEST_FILE = 5 * 1024 * 1024  #: bytes; more cannot be cited either
LONGEST_PATH = 2000
DEEPEST = 40  #: folders
MOST_NOTES = 2000
#: A file written this recently may change again without a visible difference.
UNSETTLED_SECONDS = 2
#: Folders whose files nobody would cite.
SKIPPED = frozenset("node_modules __pycache__ venv target build dist vendor site-packages".split())
_FOLLOWED = os.open in os.supports_dir_fd and hasattr(os, "O_NOFOLLOW")
_FOLDER = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_NOFOLLOW", 0)
_FILE = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)

GONE, OUTSIDE, UNREADABLE, TOO_LARGE = "gone", "outside", "unreadable", "too large"
WITHHELD = "withheld"
#: Errors for a link that must not be followed.
_LINKED = (errno.ELOOP, errno.EMLINK, errno.ENOTDIR)


class ProjectTree:
    """The files of a project on this machine; paths are relative to its root, and no link is followed.

    With `may_read`, only the paths it allows exist; a folder is passed with a slash at the end.
    """

    def __init__(self, place: Workspace, may_read: Callable[[str], bool] | None = None) -> None:
        self._place = place
        self._may_read = may_read
        self._root = str(place.root)
        self._notes: OrderedDict[tuple[str, object], tuple[str, object]] = OrderedDict()

    def look(self, path: str) -> Seen:
        """Inspect a file without reading it."""
        return self._seen(path, read=False)

    def read(self, path: str) -> Seen:
        """Read a regular file."""
        return self._seen(path, read=True)

    def files(self, most: int) -> Iterator[str]:
        """Yield at most `most` files: those tracked by git, then the others."""
        count = 0
        tracked = self._tracked()
        for path in filter(self._allows, tracked):
            if count >= most:
                return
            count += 1
            yield path
        for path in self._walked(most):
            if path not in tracked and count < most and self._allows(path):
                count += 1
                yield path

    def same_files(self, commit: str, path: str) -> list[str]:
        """Return the tracked files with exactly the content that a commit had under a path."""
        common = self._place.common_dir
        name = blob_at(common, commit, path) if common and _is_commit(commit) else None
        same = [] if name is None else [other for other, blob in self._tracked().items() if blob == name]
        return [other for other in same if self._allows(other)]

    def committed(self, commit: str, path: str) -> bytes | None:
        """Return a file as of a commit; None if it may not be read or is unknown."""
        common = self._place.common_dir
        if not common or not _is_commit(commit) or not _parts(path) or not self._allows(path):
            return None
        return content_at(common, commit, path)

    def head(self) -> str | None:
        """Return the commit that is checked out."""
        return head_commit(self._place)

    def noted(self, path: str, key: object) -> object | None:
        """Return what was noted about a file, if it has not changed since."""
        found = self._notes.get((path, key))
        if found is None or not self._allows(path):
            return None
        try:  # enough for a path that was read before: behind a link is another file, with another mark
            status = os.stat(f"{self._root}/{path}", follow_symlinks=False)
        except OSError:
            return None if found[0] else found[1]
        return found[1] if found[0] == _mark(status) else None

    def note(self, path: str, key: object, value: object, mark: str, now: datetime) -> None:
        """Remember something about a file until it changes."""
        if not mark or float(mark.split(":")[1]) / 1e9 < now.timestamp() - UNSETTLED_SECONDS:
            self._notes[path, key] = mark, value
            if len(self._notes) > MOST_NOTES:
                self._notes.popitem(last=False)

    def _allows(self, path: str) -> bool:
        return self._may_read is None or self._may_read(path)

    def _tracked(self) -> dict[str, str]:
        git_dir = git_dir_of(self._root)
        return {} if git_dir is None else shared_files.entries(os.path.join(git_dir, "index"))

    def _seen(self, path: str, *, read: bool) -> Seen:
        parts = _parts(path)
        if parts is None:
            return Seen(flaw=OUTSIDE)
        if not self._allows(path):
            return Seen(flaw=WITHHELD)
        try:
            with self._folder(parts[:-1]) as folder:
                return _file(parts[-1], folder, read=read)
        except (FileNotFoundError, NotADirectoryError):
            return Seen(flaw=GONE)
        except OSError as error:
            # A link in place of a file or folder is not what was cited.
            return Seen(flaw=GONE if error.errno in _LINKED else UNREADABLE)
        except ValueError:
            return Seen(flaw=OUTSIDE)

    @contextmanager
    def _folder(self, parts: list[str]) -> Iterator[int | str]:
        """Open a folder below the root step by step, so that no link leads out of it."""
        if not _FOLLOWED:
            yield _plain_folder(self._root, parts)
            return
        handle = os.open(self._root, _FOLDER & ~getattr(os, "O_NOFOLLOW", 0))
        try:
            for part in parts:
                below = os.open(part, _FOLDER, dir_fd=handle)
                os.close(handle)
                handle = below
            yield handle
        finally:
            os.close(handle)

    def _walked(self, most: int) -> Iterator[str]:
        """Yield every regular file that is not hidden, level by level, ignoring links."""
        waiting: list[list[str]] = [[]]
        seen = 0
        for parts in waiting:  # grows while it is walked
            try:
                with self._folder(parts) as folder, closing(os.scandir(folder)) as entries:
                    names = [(entry.name, entry.is_dir(follow_symlinks=False), entry) for entry in entries]
                    files = [name for name, is_folder, entry in names if not is_folder and _is_file(entry)]
            except OSError:
                continue
            folders = [name for name, is_folder, _ in names if is_folder and _is_worth(name)]
            folders = [name for name in folders if self._allows("/".join([*parts, name, ""]))]
            if len(parts) < DEEPEST:
                waiting += [[*parts, name] for name in sorted(folders)]
            for name in sorted(files):
                yield "/".join([*parts, name])
            seen += len(names)
            if seen > most:
                return


def _parts(path: str) -> list[str] | None:
    """Split a path that stays below the root and out of git's own folder; None for any other."""
    if not path or len(path) > LONGEST_PATH or "\0" in path or path.startswith("/"):
        return None
    parts = path.split("/")
    if any(part in ("", ".", "..") or part.lower() == ".git" for part in parts):
        return None
    strange = any(os.sep in part or (os.altsep and os.altsep in part) or ":" in part for part in parts)
    return None if os.sep != "/" and strange else parts


def _file(name: str, folder: int | str, *, read: bool) -> Seen:
    """Inspect or read a regular file of an open folder."""
    if isinstance(folder, str):
        name, where = os.path.join(folder, name), None
    else:
        where = folder
    if not read:
        status = os.stat(name, dir_fd=where, follow_symlinks=False)
        return Seen(mark=_mark(status)) if not (flaw := _flaw(status)) else Seen(flaw=flaw)
    # Before opening, which can already trigger what is behind a pipe or a device.
    if flaw := _flaw(os.stat(name, dir_fd=where, follow_symlinks=False)):
        return Seen(flaw=flaw)
    handle = os.open(name, _FILE, dir_fd=where)
    with open(handle, "rb") as file:
        status = os.fstat(handle)
        if flaw := _flaw(status):
            return Seen(flaw=flaw)
        return Seen(file.read(LARGEST_FILE), mark=_mark(status))


def _flaw(status: os.stat_result) -> str | None:
    if stat.S_ISLNK(status.st_mode) or stat.S_ISDIR(status.st_mode):
        return GONE
    if not stat.S_ISREG(status.st_mode):
        return UNREADABLE
    return TOO_LARGE if status.st_size > LARGEST_FILE else None


def _mark(status: os.stat_result) -> str:
    return f"{status.st_size}:{status.st_mtime_ns}:{status.st_ino}"


def _plain_folder(root: str, parts: list[str]) -> str:
    """Return a folder that is its own real path, where folders cannot be opened step by step."""
    folder = os.path.join(root, *parts)
    if os.path.realpath(folder) != folder:
        raise NotADirectoryError(folder)
    return folder


def _is_commit(name: str) -> bool:
    return len(name) in (40, 64) and all(char in "0123456789abcdef" for char in name)


def _is_file(entry: os.DirEntry[str]) -> bool:
    return entry.is_file(follow_symlinks=False) and entry.name.isprintable()


def _is_worth(name: str) -> bool:
    return not name.startswith(".") and name not in SKIPPED and name.isprintable()
