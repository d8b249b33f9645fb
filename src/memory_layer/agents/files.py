"""Read and replace the configuration files of other programs: whole or not at all, with a copy of the old one."""

from __future__ import annotations

import os
import stat
import tempfile
from pathlib import Path

from memory_layer.errors import InvalidInput

LARGEST = 8 * 1024 * 1024  #: bytes; a larger file is no configuration


def read_text(path: Path) -> str | None:
    """Read a file of UTF-8 text; None if it does not exist."""
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):
            raise InvalidInput("it is not a regular file")
        if os.path.getsize(path) > LARGEST:
            raise InvalidInput(f"it is larger than {LARGEST // 2**20} MiB")
        return path.read_bytes().decode("utf-8")
    except FileNotFoundError:
        return None
    except UnicodeDecodeError:
        raise InvalidInput("it is not UTF-8 text") from None
    except OSError as error:
        raise InvalidInput(f"it cannot be read: {error.strerror}") from None


def replace(path: Path, text: str, is_executable: bool = False) -> None:
    """Write a file in one step; a link stays a link, and the mode stays as it was."""
    target = Path(os.path.realpath(path))
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        mode = stat.S_IMODE(os.stat(target).st_mode) if target.exists() else 0o600
        if target.exists() and not os.access(target, os.W_OK):
            raise InvalidInput("it is read-only")
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
