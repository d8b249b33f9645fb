"""Identify the terminal of a command, and the processes above it."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from itertools import islice

from memory_layer.model.agents import TERMINAL_PREFIX, agent_running, is_interpreter
from memory_layer.model.record import NamedTuple
from memory_layer.surroundings import careful_read

_PARENT, _TERMINAL, _START_TIME = 1, 4, 19  #: positions in /proc/PID/stat after the command's name
MOST = 64  #: processes to look at; below more of them, the caller never counts as a person
_PS = "/bin/ps"


def terminal_session() -> str | None:
    """Return a name shared by every command typed in this terminal; None without a terminal."""
    if sys.platform == "win32" or not any(os.isatty(handle) for handle in (0, 1, 2)):
        return None
    leader = os.getsid(0)
    return f"{TERMINAL_PREFIX}{leader}-{_started(leader) or _device()}"


def is_own_terminal() -> bool:
    """Return whether standard input is the controlling terminal, and this process is in its foreground.

    False for another terminal, such as one that a program has just opened, and while another process is in front.
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
    """Return a name for this login at this terminal, shared by no other terminal and no later login.

    None if the system does not tell when the login began.
    """
    if sys.platform == "win32" or not is_own_terminal():
        return None
    leader = os.getsid(0)
    started = _started(leader) or _started_by_ps(leader)
    return f"{os.getuid()}-{os.fstat(0).st_rdev}-{leader}-{started}" if started else None


def _controlling() -> int | None:
    """Return the device of the controlling terminal; None where /proc does not tell."""
    fields = _fields("self")
    if len(fields) <= _TERMINAL:
        return None
    number = int(fields[_TERMINAL])
    return os.makedev((number >> 8) & 0xFFF, (number & 0xFF) | ((number >> 12) & 0xFFF00))


def _started(process: int) -> str | None:
    """Return when a process began, because process numbers are reused after a restart."""
    fields = _fields(process)
    return fields[_START_TIME] if len(fields) > _START_TIME else None


def _started_by_ps(process: int) -> str | None:
    """Return when a process began, where there is no /proc."""

    time = "".join(ps("-p", str(process), "-o", "lstart="))
    return "".join(char for char in time if char.isalnum()) or None


def _fields(process: int | str) -> list[str]:
    return (careful_read.text(f"/proc/{process}/stat") or "").rpartition(")")[2].split()


def _device() -> str:
    for handle in (0, 1, 2):
        if os.isatty(handle):
            return os.path.basename(os.ttyname(handle))
    return "unknown"


class Process(NamedTuple):
    """The name and executable of a process."""

    parent: int
    name: str
    executable: str
    arguments: tuple[str, ...] = ()  #: only where a script tells what it is


class Descent(NamedTuple):
    """The evidence of the parent processes about who started this one."""

    agent: str | None = None  #: the known agent among them
    is_traced: bool = False  #: whether they include the leaders of this process's group and session


def descent(top: int = 0) -> Descent:
    """Walk the parent processes up to `top`; Windows does not tell, and counts as traced.

    A process whose parent has ended is adopted by another one, so that whoever started it is not among them. Then the
    leader of its session is not either.
    """
    if sys.platform == "win32":
        return Descent(is_traced=True)
    above = _in_proc(top) if sys.platform == "linux" else _listed_by_ps(top)
    met = {os.getpid()}
    agent = None
    for pid, each in islice(above, MOST):
        met.add(pid)
        agent = agent or agent_running(each.name, each.executable, each.arguments)
    is_whole = len(met) <= MOST and os.getsid(0) in met
    return Descent(agent, is_whole and (os.getpgrp() in met or not _is_running(os.getpgrp())))


def _is_running(pid: int) -> bool:
    """Return whether a process exists; the first of a pipeline, which leads its group, may have ended."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:  # another user's
        pass
    return True


def _in_proc(top: int) -> Iterator[tuple[int, Process]]:
    """Yield the parent processes upwards, from /proc."""
    pid = os.getppid()
    while pid > 0 and pid != top and (process := _read(pid)):
        yield pid, process
        pid = process.parent


def _read(pid: int) -> Process | None:
    stat = careful_read.text(f"/proc/{pid}/stat")
    if stat is None:
        return None
    head, _, rest = stat.rpartition(")")
    try:
        executable = os.readlink(f"/proc/{pid}/exe").removesuffix(" (deleted)")
    except OSError:  # another user's
        executable = ""
    arguments: tuple[str, ...] = ()
    if not executable or is_interpreter(executable):
        arguments = tuple((careful_read.text(f"/proc/{pid}/cmdline") or "").split("\0"))
    return Process(int(rest.split()[_PARENT]), head.partition("(")[2], executable, arguments)


def _listed_by_ps(top: int) -> Iterator[tuple[int, Process]]:
    """Yield the parent processes upwards, from `ps`, where there is no /proc."""
    every: dict[int, tuple[int, str]] = {}
    for line in ps("-A", "-ww", "-o", "pid=,ppid=,comm="):
        number, above, *rest = line.split(None, 2)
        every[int(number)] = int(above), "".join(rest).strip()
    pid = os.getppid()
    while pid > 0 and pid != top and pid in every:
        parent, program = every[pid]
        arguments: tuple[str, ...] = ()
        if is_interpreter(program):
            arguments = tuple(" ".join(ps("-ww", "-p", str(pid), "-o", "args=")).split())
        yield pid, Process(parent, program.rpartition("/")[2], program, arguments)
        pid = parent


def ps(*arguments: str) -> list[str]:
    """Return the output lines of the system's own `ps`; empty if it fails."""
    from memory_layer import programs  # only where there is no /proc

    try:
        return programs.run(
            [_PS, *arguments], {"LC_ALL": "C", "PATH": "/usr/bin:/bin"}, 5
        ).output.splitlines()
    except OSError:  # not there, or too slow
        return []
