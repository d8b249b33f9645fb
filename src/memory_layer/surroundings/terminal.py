"""The terminal a command was typed in."""

from __future__ import annotations

import os
import sys

from memory_layer.surroundings import careful_read

_TERMINAL, _START_TIME = 4, 19  #: their places in /proc/PID/stat after the command's name


def terminal_session() -> str | None:
    """A name that every command typed in the same terminal shares; None without a terminal."""
    if sys.platform == "win32" or not any(os.isatty(handle) for handle in (0, 1, 2)):
        return None
    leader = os.getsid(0)
    return f"terminal-{leader}-{_started(leader) or _device()}"


def is_own_terminal() -> bool:
    """Whether standard input is the terminal that controls this process, and what is typed there reaches it now.

    Another terminal, such as one that a program has just made, does not, nor does one while it works for others.
    """
    if not os.isatty(0):
        return False
    if sys.platform == "win32":
        return True
    try:
        in_front = os.tcgetpgrp(0) == os.getpgrp()
        controls = _controlling() in (None, os.fstat(0).st_rdev)
        return in_front and controls and os.stat(os.ttyname(0)).st_rdev == os.fstat(0).st_rdev
    except OSError:
        return False


def terminal_key() -> str | None:
    """A name for this user's login at this terminal, which no other terminal and no later login has.

    None where the system does not tell when the login began.
    """
    if sys.platform == "win32" or not is_own_terminal():
        return None
    leader = os.getsid(0)
    started = _started(leader) or _started_by_ps(leader)
    return f"{os.getuid()}-{os.fstat(0).st_rdev}-{leader}-{started}" if started else None


def _controlling() -> int | None:
    """The device of the terminal that controls this process; None where /proc does not tell."""
    fields = _fields("self")
    if len(fields) <= _TERMINAL:
        return None
    told = int(fields[_TERMINAL])
    return os.makedev((told >> 8) & 0xFFF, (told & 0xFF) | ((told >> 12) & 0xFFF00))


def _started(process: int) -> str | None:
    """When the shell began, because process numbers come back after a restart."""
    fields = _fields(process)
    return fields[_START_TIME] if len(fields) > _START_TIME else None


def _started_by_ps(process: int) -> str | None:
    """The same where there is no /proc."""
    from memory_layer.surroundings.ancestors import ps

    told = "".join(ps("-p", str(process), "-o", "lstart="))
    return "".join(char for char in told if char.isalnum()) or None


def _fields(process: int | str) -> list[str]:
    return (careful_read.text(f"/proc/{process}/stat") or "").rpartition(")")[2].split()


def _device() -> str:
    for handle in (0, 1, 2):
        if os.isatty(handle):
            return os.path.basename(os.ttyname(handle))
    return "unknown"
