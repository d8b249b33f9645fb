"""The processes above this one, and whether one of them is an agent's."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator

from memory_layer.model.known_agents import agent_running, is_interpreter
from memory_layer.model.record import NamedTuple
from memory_layer.surroundings import reading

MOST = 64  #: processes that are looked at
_PS = "/bin/ps"
_PARENT = 1  #: its place in /proc/PID/stat after the command's name


class Process(NamedTuple):
    """What a process is called and executes."""

    parent: int
    name: str
    executable: str
    arguments: tuple[str, ...] = ()  #: only where a script tells what it is


def agent_above(top: int = 0) -> str | None:
    """The known agent among the processes above this one, looked for up to `top`.

    None if there is none; Windows does not tell.
    """
    if sys.platform == "win32":
        return None
    above = _in_proc(top) if sys.platform == "linux" else _listed_by_ps(top)
    found = (agent_running(each.name, each.executable, each.arguments) for each in above)
    return next((agent for agent in found if agent), None)


def _in_proc(top: int) -> Iterator[Process]:
    """From the parent upwards, as the kernel tells."""
    pid = os.getppid()
    for _ in range(MOST):
        process = _read(pid) if pid > 0 and pid != top else None
        if process is None:
            return
        yield process
        pid = process.parent


def _read(pid: int) -> Process | None:
    told = reading.text(f"/proc/{pid}/stat")
    if told is None:
        return None
    head, _, rest = told.rpartition(")")
    try:
        executable = os.readlink(f"/proc/{pid}/exe").removesuffix(" (deleted)")
    except OSError:  # another user's
        executable = ""
    arguments: tuple[str, ...] = ()
    if not executable or is_interpreter(executable):
        arguments = tuple((reading.text(f"/proc/{pid}/cmdline") or "").split("\0"))
    return Process(int(rest.split()[_PARENT]), head.partition("(")[2], executable, arguments)


def _listed_by_ps(top: int) -> Iterator[Process]:
    """The same where there is no /proc: one list of all processes, and the arguments of the interpreters among them."""
    every: dict[int, tuple[int, str]] = {}
    for line in ps("-A", "-ww", "-o", "pid=,ppid=,comm="):
        number, above, *rest = line.split(None, 2)
        every[int(number)] = int(above), "".join(rest).strip()
    pid = os.getppid()
    for _ in range(MOST):
        if pid <= 0 or pid == top or pid not in every:
            return
        parent, program = every[pid]
        arguments: tuple[str, ...] = ()
        if is_interpreter(program):
            arguments = tuple(" ".join(ps("-ww", "-p", str(pid), "-o", "args=")).split())
        yield Process(parent, program.rpartition("/")[2], program, arguments)
        pid = parent


def ps(*arguments: str) -> list[str]:
    """Return the lines that the system's own `ps` lists; none if it cannot."""
    from memory_layer import programs  # only where there is no /proc

    try:
        return programs.run(
            [_PS, *arguments], {"LC_ALL": "C", "PATH": "/usr/bin:/bin"}, 5
        ).output.splitlines()
    except OSError:  # not there, or too slow
        return []
