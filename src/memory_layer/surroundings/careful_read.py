"""Reading files that may have been put there by strangers."""

from __future__ import annotations

import os
import stat


def regular(path: str | os.PathLike[str], largest: int) -> bytes | None:
    """The content of a regular file of at most that many bytes, else None; never waits for a pipe."""
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    try:
        handle = os.open(path, flags)
    except (OSError, ValueError):
        return None
    try:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode) or status.st_size > largest:
            return None
        with open(handle, "rb", closefd=False) as file:
            return file.read(largest)
    except OSError:
        return None
    finally:
        os.close(handle)


def real(path: str | os.PathLike[str]) -> str | None:
    """A path with all links followed; None for one that no file can have."""
    try:
        return os.path.realpath(path)
    except (OSError, ValueError, RecursionError):
        return None


def printable(path: str) -> str:
    """A path as text that can be stored: forward slashes, and bytes that are not UTF-8 written out."""
    try:
        content = os.fsencode(path)
    except UnicodeEncodeError:  # half a character, which no file system gives out
        content = path.encode("utf-8", "backslashreplace")
    return content.decode("utf-8", "backslashreplace").replace(os.sep, "/")


def text(path: str | os.PathLike[str], largest: int = 64 * 1024) -> str | None:
    """The same as text; bytes that are not UTF-8 are kept as they are."""
    content = regular(path, largest)
    return None if content is None else os.fsdecode(content)


def without_waiting(path: str, flags: int) -> int:
    """An opener that a pipe with nobody at its other end cannot hold up."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))
