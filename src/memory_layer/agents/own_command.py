"""Find the command that agents are told to call, and say if they may not find it."""

from __future__ import annotations

import os
import re
import shutil
import sys
import tempfile
from pathlib import Path

#: Folders that uvx and `pipx run` make and remove as they like.
_PASSING = re.compile(
    r"[/\\\\](?:(?:archive|builds|environments)-v\d+|\.cache[/\\\\]pipx|pipx[/\\\\]\.cache)[/\\\\]"
)


def own_command() -> str:
    """Return the absolute path of `mem`: agents are not started by the user's shell."""
    beside = Path(sys.executable).parent / ("mem.exe" if sys.platform == "win32" else "mem")
    called = Path(sys.argv[0])
    for path in (called, beside):
        if path.name in ("mem", "mem.exe") and path.is_file():
            return os.path.abspath(path)
    return shutil.which("mem") or str(beside)


def doubt_about(mem: str, *, in_project: bool) -> str | None:
    """Return why agents may not find the command that is written for them; None if they will."""
    if in_project:
        found = shutil.which("mem")
        return None if found else "these files call `mem`, which is not on your PATH"
    if not os.path.isabs(mem) or not os.path.isfile(mem):
        return f"{mem} is not the absolute path of a program: agents will not find it"
    temporary = Path(os.path.realpath(tempfile.gettempdir()))
    if _PASSING.search(mem) or temporary in Path(os.path.realpath(mem)).parents:
        return f"{mem} is in a temporary environment: install the program for good, and repeat this"
    return None
