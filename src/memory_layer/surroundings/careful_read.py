"""Read files that may come from untrusted sources."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable


def regular(path: str | os.PathLike[str], largest: int) -> bytes | None:
    """Read a regular file of at most `largest` bytes; None for anything else. Never blocks on a pipe."""
    return _read(path, lambda size: None if size > largest else 0, largest)


def beginning(path: str | os.PathLike[str], most: int) -> bytes | None:
    """Read the first `most` bytes of a regular file; None for anything else."""
    return _read(path, lambda size: 0, most)


def end(path: str | os.PathLike[str], most: int) -> bytes | None:
    """Read the last `most` bytes of a regular file; None for anything else."""
    return _read(path, lambda size: max(0, size - most), most)


def _read(path: str | os.PathLike[str], start: Callable[[int], int | None], most: int) -> bytes | None:
    """Read part of a regular file from where `start` says for its size; None if it says None."""
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    try:
        handle = os.open(path, flags)
    except (OSError, ValueError):
        return None
    try:
        status = os.fstat(handle)
        begin = start(status.st_size) if stat.S_ISREG(status.st_mode) else None
        if begin is None:
            return None
        with open(handle, "rb", closefd=False) as file:
            file.seek(begin)
            return file.read(most)
    except OSError:
        return None
    finally:
        os.close(handle)


def real(path: str | os.PathLike[str]) -> str | None:
    """Resolve all links of a path; None if no file can have it."""
    try:
        return os.path.realpath(path)
    except (OSError, ValueError, RecursionError):
        return None


def printable(path: str) -> str:
    """Return a path as storable text: forward slashes, and invalid UTF-8 escaped."""
    try:
        content = os.fsencode(path)
    except UnicodeEncodeError:  # half a character, which no file system gives out
        content = path.encode("utf-8", "backslashreplace")
    return content.decode("utf-8", "backslashreplace").replace(os.sep, "/")


def text(path: str | os.PathLike[str], largest: int = 64 * 1024) -> str | None:
    """Read a regular file as text, preserving invalid UTF-8; None if `regular` refuses it."""
    content = regular(path, largest)
    return None if content is None else os.fsdecode(content)


def without_waiting(path: str, flags: int) -> int:
    """Open a file without blocking on a pipe that nobody writes to."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))
