"""A made-up machine: its folders, its environment, and real processes on it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from memory_layer.settings import Settings, load

ROOT = Path(__file__).resolve().parents[2]
#: All that a process inherits from the machine the tests run on.
KEPT = ("PATH", "LANG", "LC_ALL", "SYSTEMROOT", "TMPDIR", "COVERAGE_PROCESS_CONFIG", "COVERAGE_PROCESS_START")
PATIENCE_SECONDS = 600  #: eight processes that embed on one busy core take minutes
#: The scripts that run as processes of their own.
WORKERS = Path(__file__).parent


@dataclass(frozen=True)
class Machine:
    """Where processes run and what they are told; the store lies in `home`."""

    home: Path
    work: Path
    environ: Mapping[str, str]

    def told(self, **variables: str) -> Machine:
        """The same machine with more variables in its environment."""
        return replace(self, environ={**self.environ, **variables})

    @property
    def settings(self) -> Settings:
        return load(self.environ, cwd=self.work)

    @property
    def database(self) -> Path:
        return self.settings.database_path

    def start(self, *command: str | Path, reads: bool = False) -> subprocess.Popen[str]:
        """A process on this machine; one that reads gets a pipe to read from."""
        return subprocess.Popen(
            [str(part) for part in command],
            env=self.environ,
            cwd=self.work,
            stdin=subprocess.PIPE if reads else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def start_worker(self, name: str, *arguments: str) -> subprocess.Popen[str]:
        """One of the worker scripts beside this file."""
        return self.start(sys.executable, WORKERS / f"{name}.py", *arguments, reads=True)

    def start_mem(self, *arguments: str, before: Sequence[str] = ()) -> subprocess.Popen[str]:
        """The command line, behind another command if one is given."""
        return self.start(*before, sys.executable, "-m", "memory_layer", *arguments)

    def mem(self, *arguments: str, before: Sequence[str] = ()) -> Answer:
        """Run the command line to its end."""
        return finished(self.start_mem(*arguments, before=before))


@dataclass(frozen=True)
class Answer:
    """What a process left behind."""

    code: int
    out: str
    err: str

    @property
    def data(self) -> Any:
        """What stands under `data` in a JSON answer."""
        assert self.code == 0, self
        return json.loads(self.out)["data"]


def fresh_machine(folder: Path, model: Path) -> Machine:
    """An empty home, an empty working directory, and the model in that folder or nowhere."""
    home, work = folder / "home", folder / "work"
    home.mkdir()
    work.mkdir()
    kept = {name: value for name, value in os.environ.items() if name in KEPT}
    places = {"HOME": folder, "MEM_HOME": home, "MEM_MODEL": model, "PYTHONPATH": ROOT}
    told = {name: str(place) for name, place in places.items()} | {"PYTHONUTF8": "1", "MEM_WRITER": "robot"}
    told["MEM_UPKEEP_AUTO"] = "off"  # a test that wants it says so
    return Machine(home, work, kept | told)


def finished(process: subprocess.Popen[str], said: str | None = None) -> Answer:
    """Wait for a process and collect what it wrote."""
    try:
        out, err = process.communicate(said, timeout=PATIENCE_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        out, err = process.communicate()
    return Answer(process.returncode, out, err)


def next_line(process: subprocess.Popen[str]) -> str:
    """The next line a process says; not a byte more is taken, so that the rest is there for `finished`."""
    assert process.stdout is not None
    said = bytearray()
    while not said.endswith(b"\n"):
        byte = os.read(process.stdout.fileno(), 1)
        assert byte, finished(process)
        said += byte
    return said.decode().strip()


def tell(process: subprocess.Popen[str], line: str) -> None:
    """Give a process one line to read."""
    assert process.stdin is not None
    process.stdin.write(line + "\n")
    process.stdin.flush()
