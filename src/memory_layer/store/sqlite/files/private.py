"""Create files that hold a whole store: private, named once, and never overwritten."""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from memory_layer.errors import InvalidInput, StoreUnavailable

#: Suffixes of SQLite's side files.
BESIDE = ("-wal", "-shm", "-journal")
#: Store files that SQLite also has open in this process: closing them would drop SQLite's locks.
_HELD: list[BinaryIO] = []
PART = ".part"  #: suffix of unfinished files


def index_of(database: Path) -> Path:
    """Return the index folder of a store; symbolic links to the same file share it."""
    return Path(f"{os.path.realpath(database)}-index")


def check_free(target: Path) -> None:
    """Refuse a path that is taken or cannot hold a file."""
    # os.path, because a name that is too long gets a clear error when it is written to.
    if os.path.islink(target):
        raise InvalidInput(f"{target} is a symbolic link; choose a file name that does not exist yet")
    if os.path.isdir(target):
        raise InvalidInput(f"{target} is a folder; choose the name of a new file in it")
    if os.path.exists(target):
        raise InvalidInput(f"{target} already exists and is never overwritten; choose another file name")
    if not os.path.isdir(target.parent):
        raise InvalidInput(f"the folder {target.parent} does not exist")


def check_readable(file: Path) -> None:
    """Refuse anything but a regular file."""
    if file.is_dir():
        raise InvalidInput(f"{file} is a folder, not a backup")
    if not file.exists():
        raise InvalidInput(f"the file {file} does not exist")
    if not file.is_file():
        raise InvalidInput(f"{file} is not a regular file")


@contextmanager
def unfinished(target: Path) -> Iterator[Path]:
    """Yield a private temporary file beside `target`, removed in any case."""
    part = target.with_name(f".{target.name}.{os.urandom(4).hex()}{PART}")
    with spoken(target):
        os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    try:
        yield part
    finally:
        for suffix in ("", *BESIDE):
            with contextlib.suppress(OSError):
                os.unlink(f"{part}{suffix}")


def publish(part: Path, target: Path) -> None:
    """Give a finished file its name, durably; the name must be free."""
    with spoken(target):
        sync(part)
        _link(part, target)
        sync(target.parent)


def _link(part: Path, target: Path) -> None:
    try:
        os.link(part, target)
    except FileExistsError:
        raise InvalidInput(
            f"{target} already exists and is never overwritten; choose another file name"
        ) from None
    except OSError as error:
        if error.errno not in (errno.EPERM, errno.ENOTSUP, errno.EMLINK, errno.ENOSYS):
            raise
        check_free(target)  # no hard links here: check right before renaming
        os.rename(part, target)


def set_aside(database: Path, target: Path) -> list[Path]:
    """Give a store's files additional names; the old names stay."""
    from shutil import copy2  # imports every archive format

    new_files = []
    with spoken(target):
        for suffix in ("", *BESIDE):
            old, new = f"{database}{suffix}", Path(f"{target}{suffix}")
            if not os.path.lexists(old):
                continue
            try:
                os.link(old, new)
            except OSError:
                copy2(old, new)
                sync(new)
            new_files.append(new)
        sync(target.parent)
    return new_files


def copied_aside(database: Path, target: Path) -> list[Path]:
    """Copy a store's files, byte for byte, under new names."""
    from shutil import copyfileobj  # imports every archive format

    new_files = []
    with spoken(target):
        for suffix in ("", *BESIDE):
            if os.path.exists(f"{database}{suffix}"):
                new = Path(f"{target}{suffix}")
                _HELD.append(open(f"{database}{suffix}", "rb"))  # noqa: SIM115
                with open(os.open(new, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as out:
                    copyfileobj(_HELD[-1], out)
                sync(new)
                new_files.append(new)
        sync(target.parent)
    return new_files


def sync(path: Path) -> None:
    """Flush a file or folder to disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@contextmanager
def spoken(target: Path) -> Iterator[None]:
    """Translate system errors into our own."""
    try:
        yield
    except OSError as error:
        raise StoreUnavailable(f"{target} could not be written: {error.strerror or error}") from error
