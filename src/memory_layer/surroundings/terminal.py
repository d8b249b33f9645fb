"""The terminal a command was typed in."""

from __future__ import annotations

import os
import sys

from memory_layer.surroundings import reading

_START_TIME = 19  #: its place in /proc/PID/stat after the command's name


def terminal_session() -> str | None:
    """A name that every command typed in the same terminal shares; None without a terminal."""
    if sys.platform == "win32" or not any(os.isatty(handle) for handle in (0, 1, 2)):
        return None
    leader = os.getsid(0)
    return f"terminal-{leader}-{_started(leader) or _device()}"


def _started(process: int) -> str | None:
    """When the shell began, because process numbers come back after a restart."""
    fields = (reading.text(f"/proc/{process}/stat") or "").rpartition(")")[2].split()
    return fields[_START_TIME] if len(fields) > _START_TIME else None


def _device() -> str:
    for handle in (0, 1, 2):
        if os.isatty(handle):
            return os.path.basename(os.ttyname(handle))
    return "unknown"
