"""Write an export file atomically, and read one line by line."""

from __future__ import annotations

import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from typing import BinaryIO

from memory_layer.errors import InvalidInput
from memory_layer.rules.transfer.line_codec import LONGEST_LINE

BUFFER = 1024 * 1024  #: bytes


@contextmanager
def new_file(path: Path, *, force: bool) -> Iterator[BinaryIO]:
    """Yield a private file that takes its name only when everything is on disk."""
    _check_target(path, force=force)
    part = path.with_name(f".{path.name[:100]}.{secrets.token_hex(4)}.part")
    try:
        with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb", BUFFER) as out:
            yield out
            out.flush()
            os.fsync(out.fileno())
        _publish(part, path, force=force)
        _sync_folder(path.parent)
    except OSError as error:
        raise InvalidInput(f"{path} cannot be written: {error.strerror or error}") from error
    finally:
        with suppress(OSError):
            os.unlink(part)


def _check_target(path: Path, *, force: bool) -> None:
    if os.path.isdir(path):  # also False for a name that is too long
        raise InvalidInput(f"{path} is a folder; name a file")
    if not os.path.lexists(path):
        return
    if path.exists() and not path.is_file():
        raise InvalidInput(f"{path} is not a regular file; omit the name to write to standard output")
    if not force:
        raise InvalidInput(f"{path} already exists; choose another file name, or use --force to replace it")


def _publish(part: Path, path: Path, *, force: bool) -> None:
    """Give the finished file its name; without force, never replace a file, not even a brand-new one."""
    if force:
        os.replace(part, path)
        return
    try:
        os.link(part, path)
    except FileExistsError:
        raise InvalidInput(
            f"{path} was created by another process in the meantime; it was left alone"
        ) from None
    except OSError:  # a file system without hard links
        _check_target(path, force=False)
        os.replace(part, path)


def _sync_folder(folder: Path) -> None:
    """Sync the folder, so that the new name survives a power cut; skipped if the system cannot."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


class NumberedLines:
    """A file as numbered lines, with the hash of everything before the current line."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._sha256, self._last = sha256(), b""
        self.number = 0

    def __iter__(self) -> Iterator[bytes]:
        self._file.seek(0)
        self._sha256, self._last, self.number = sha256(), b"", 0
        while line := self._file.readline(LONGEST_LINE + 1):
            self._sha256.update(self._last)
            self._last = line
            self.number += 1
            if len(line) > LONGEST_LINE:
                raise InvalidInput(f"it is longer than {LONGEST_LINE:,} bytes")
            if not line.endswith(b"\n"):
                raise InvalidInput("it is truncated")
            yield line

    def hash_before(self) -> str:
        """Return the SHA-256 of all lines before the current one."""
        return self._sha256.hexdigest()


@contextmanager
def opened(path: Path) -> Iterator[NumberedLines]:
    """Open a regular file for reading, possibly twice."""
    try:
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "invalid file name"
        raise InvalidInput(f"{path} cannot be read: {reason}") from error
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise InvalidInput(f"{path} is not a regular file")
    with open(handle, "rb", BUFFER) as file:
        yield NumberedLines(file)
