"""Read and replace the configuration files of other programs: whole or not at all."""

from __future__ import annotations

import contextlib
import os
import stat
import tempfile
from collections.abc import Iterable
from pathlib import Path

from memory_layer.errors import InvalidInput

LARGEST = {".json": 8, ".jsonc": 8}  #: MiB; a larger file is no configuration
LARGEST_OTHER = 1
_ANY_WRITE = stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH


def read_text(path: Path) -> str | None:
    """Read a file of UTF-8 text; None if it does not exist."""
    largest = LARGEST.get(path.suffix, LARGEST_OTHER)
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):
            raise InvalidInput("it is not a regular file")
        if os.path.getsize(path) > largest * 2**20:
            raise InvalidInput(f"it is larger than {largest} MiB")
        return path.read_bytes().decode("utf-8")
    except FileNotFoundError:
        return None
    except UnicodeDecodeError:
        raise InvalidInput("it is not UTF-8 text") from None
    except OSError as error:
        raise InvalidInput(f"it cannot be read: {error.strerror}") from None


def refusal(path: Path) -> str | None:
    """Return why a file cannot be replaced; None if it can."""
    target = Path(os.path.realpath(path))
    if target.exists() and _is_protected(target):
        return "it is read-only"
    above = next(folder for folder in target.parents if folder.exists())
    if not above.is_dir():
        return f"{above} is not a folder"
    return f"its folder {above} is read-only" if _is_protected(above) else None


def missing_folders(path: Path) -> tuple[str, ...]:
    """Return the folders that are missing for a file, the deepest first."""
    target = Path(os.path.realpath(path))
    return tuple(str(folder) for folder in target.parents if not folder.exists())


def replace(path: Path, text: str, is_executable: bool = False) -> None:
    """Write a file in one step; a link stays a link, and the mode stays as it was."""
    target = Path(os.path.realpath(path))
    if problem := refusal(path):
        raise InvalidInput(problem)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        mode = stat.S_IMODE(os.stat(target).st_mode) if target.exists() else 0o600
        handle, part = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
        try:
            with open(handle, "wb") as file:
                file.write(text.encode("utf-8"))
                file.flush()
                os.fsync(file.fileno())
            os.chmod(part, mode | 0o100 if is_executable else mode)
            os.replace(part, target)
        except BaseException:
            os.unlink(part)
            raise
    except OSError as error:
        raise InvalidInput(f"it cannot be written: {error.strerror}") from None


def remove(path: Path, folders: Iterable[str] = ()) -> None:
    """Remove a file, and those of the folders that are empty then."""
    try:
        os.unlink(os.path.realpath(path))
    except FileNotFoundError:
        return
    except OSError as error:
        raise InvalidInput(f"it cannot be removed: {error.strerror}") from None
    with contextlib.suppress(OSError):
        for folder in folders:
            os.rmdir(folder)


def _is_protected(path: Path) -> bool:
    """Is this read-only? Its mode says so even to an administrator, whom the system lets write."""
    return not os.stat(path).st_mode & _ANY_WRITE or not os.access(path, os.W_OK)
