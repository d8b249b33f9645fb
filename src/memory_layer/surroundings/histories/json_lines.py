"""Read a file of JSON lines in bounded memory, whatever is in it."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, BinaryIO

LONGEST_LINE = 8 * 1024 * 1024  #: bytes; a longer one is a picture or a dump


def json_lines(path: str) -> Iterator[tuple[int, dict[str, Any] | None]]:
    """Yield the objects of a file with the numbers of their lines; None for a line that cannot be read."""
    number = 0
    with suppress(OSError), opened(path) as file:
        while line := file.readline(LONGEST_LINE):
            number += 1
            if len(line) == LONGEST_LINE and not line.endswith(b"\n"):
                _skip_line(file)
                yield number, None
            elif line.strip():
                yield number, parsed(line)


def opened(path: str) -> BinaryIO:
    """Open a regular file that is no link; raise OSError for anything else."""
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    handle = os.open(path, flags | getattr(os, "O_BINARY", 0))
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise OSError(f"{path} is not a file")
    return open(handle, "rb")


def parsed(text: bytes | str) -> dict[str, Any] | None:
    """Parse a JSON object; None for anything else."""
    try:
        entry = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return entry if isinstance(entry, dict) else None


def _skip_line(file: BinaryIO) -> None:
    while (rest := file.readline(LONGEST_LINE)) and not rest.endswith(b"\n"):
        pass
