"""The processes above this one: whether they lead to the shell of this terminal, and whether one is an agent's."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from itertools import islice

from memory_layer.model.agents import agent_running, is_interpreter
from memory_layer.model.record import NamedTuple
from memory_layer.surroundings import careful_read

MOST = 64  #: processes that are looked at; below more, nobody is taken for a person
_PS = "/bin/ps"
_PARENT = 1  #: its place in /proc/PID/stat after the command's name


class Process(NamedTuple):
    """What a process is called and executes."""

    parent: int
    name: str
    executable: str
    arguments: tuple[str, ...] = ()  #: only where a script tells what it is


class Descent(NamedTuple):
    """What the processes above this one tell about who started it."""

    agent: str | None = None  #: the known agent among them
    is_traced: bool = (
        False  #: whether they were followed through the leaders of this process's group and session
    )


def descent(top: int = 0) -> Descent:
    """Follow the processes above this one up to `top`; Windows does not tell, and counts as traced.

    A process whose parent has ended hangs below another one, so that whoever started it is not among them. Then the
    leader of its session is not, either.
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
    """Whether a process is there; the first of a pipeline, which leads its group, may have ended."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:  # another user's
        pass
    return True


def _in_proc(top: int) -> Iterator[tuple[int, Process]]:
    """From the parent upwards, as the kernel tells."""
    pid = os.getppid()
    while pid > 0 and pid != top and (process := _read(pid)):
        yield pid, process
        pid = process.parent


def _read(pid: int) -> Process | None:
    told = careful_read.text(f"/proc/{pid}/stat")
    if told is None:
        return None
    head, _, rest = told.rpartition(")")
    try:
        executable = os.readlink(f"/proc/{pid}/exe").removesuffix(" (deleted)")
    except OSError:  # another user's
        executable = ""
    arguments: tuple[str, ...] = ()
    if not executable or is_interpreter(executable):
        arguments = tuple((careful_read.text(f"/proc/{pid}/cmdline") or "").split("\0"))
    return Process(int(rest.split()[_PARENT]), head.partition("(")[2], executable, arguments)


def _listed_by_ps(top: int) -> Iterator[tuple[int, Process]]:
    """The same where there is no /proc: one list of all processes, and the arguments of the interpreters among them."""
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
    """Return the lines that the system's own `ps` lists; none if it cannot."""
    from memory_layer import programs  # only where there is no /proc

    try:
        return programs.run(
            [_PS, *arguments], {"LC_ALL": "C", "PATH": "/usr/bin:/bin"}, 5
        ).output.splitlines()
    except OSError:  # not there, or too slow
        return []
