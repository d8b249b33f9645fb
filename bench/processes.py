"""One command as a new process, with the time it took on the clock and on the processor."""

from __future__ import annotations

import os
import statistics
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Cost:
    """The time of one run, in milliseconds."""

    wall_ms: float
    cpu_ms: float


@dataclass(slots=True)
class Case:
    """A command that is measured; `arguments` differ from run to run."""

    name: str
    product: str
    command: Sequence[str]
    arguments: Sequence[Sequence[str]]
    environ: Mapping[str, str]
    folder: Path
    costs: list[Cost] = field(default_factory=list)

    def run(self, number: int) -> Cost:
        return measured([*self.command, *self.arguments[number]], self.environ, self.folder)

    @property
    def figures(self) -> dict[str, float | int | str]:
        """Median and least of all runs so far."""
        wall, cpu = [cost.wall_ms for cost in self.costs], [cost.cpu_ms for cost in self.costs]
        return {
            "command": self.name,
            "product": self.product,
            "runs": len(self.costs),
            "wall_median_ms": round(statistics.median(wall), 1),
            "wall_min_ms": round(min(wall), 1),
            "cpu_median_ms": round(statistics.median(cpu), 1),
            "cpu_min_ms": round(min(cpu), 1),
        }


def measured(command: Sequence[str], environ: Mapping[str, str], folder: Path, given: bytes = b"") -> Cost:
    """Run a command to its end, with a text to read; one that fails ends the benchmark, with what it wrote."""
    with tempfile.TemporaryFile() as written, tempfile.TemporaryFile() as read:
        read.write(given)
        read.seek(0)
        begun = time.perf_counter()
        process = subprocess.Popen(
            command, env=environ, cwd=folder, stdin=read, stdout=written, stderr=written
        )
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - begun
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            written.seek(0)
            said = written.read().decode(errors="replace")[-2000:]
            raise SystemExit(f"{' '.join(command)} ended with {process.returncode}:\n{said}")
    return Cost(wall * 1000, (usage.ru_utime + usage.ru_stime) * 1000)


def measure_alternately(cases: Sequence[Case], runs: int) -> None:
    """Run all cases in turn, forwards and backwards, so that whatever else the machine does falls on each alike."""
    for case in cases:
        case.run(0)  # unmeasured: files come into the cache
    for number in range(1, runs + 1):
        for case in cases if number % 2 else reversed(cases):
            case.costs.append(case.run(number))


def output_of(command: Sequence[str], environ: Mapping[str, str], folder: Path, given: str = "") -> str:
    """Return the output of a command that prepares a measurement."""
    done = subprocess.run(
        command, env=environ, cwd=folder, input=given, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise SystemExit(f"{' '.join(command)} ended with {done.returncode}:\n{done.stderr[-2000:]}")
    return done.stdout
