"""The program around a peer: it fills, searches and tells what that took, a line of JSON for each it is given."""

from __future__ import annotations

import json
import os
import sys
import time
from array import array
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Protocol

from bench import prose

WIDTH = 384
LIMIT = 10


class Peer(Protocol):
    """What a product has to do; the modes are those of `mem search` that it has."""

    @property
    def modes(self) -> Sequence[str]: ...

    def add(self, texts: Sequence[str], vectors: Sequence[list[float]]) -> None:
        """Store texts with their vectors, several at once where it can."""
        ...

    def search(self, mode: str, text: str, vector: list[float]) -> list[str]:
        """The texts that it finds, best first."""
        ...


def serve(make: Callable[[Path], Peer]) -> None:
    """Read commands until the end of the input."""
    folder, stored, asked = (Path(argument) for argument in sys.argv[1:4])
    # A product's own words must not stand between the answers.
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    driver = _Driver(make(folder), stored, asked)
    doings: dict[str, Callable[..., dict[str, Any]]] = {
        "modes": driver.modes,
        "fill": driver.fill,
        "search": driver.search,
        "memory": driver.memory,
    }
    for line in sys.stdin:
        told = json.loads(line)
        print(json.dumps(doings[told.pop("do")](**told)), file=answers, flush=True)


class _Driver:
    def __init__(self, peer: Peer, stored: Path, asked: Path) -> None:
        self._peer = peer
        self._stored = stored
        self._questions: list[str] = json.loads((asked / "questions.json").read_text(encoding="utf-8"))
        self._asked = _vectors(asked / "questions.f32", 0, len(self._questions))

    def modes(self) -> dict[str, Any]:
        return {"modes": list(self._peer.modes)}

    def fill(self, first: int, count: int) -> dict[str, float]:
        texts, vectors = prose.memories(first, count), _vectors(self._stored, first, count)
        begun = time.perf_counter()
        self._peer.add(texts, vectors)
        return {"seconds": time.perf_counter() - begun}

    def search(self, mode: str, number: int) -> dict[str, Any]:
        text, vector = self._questions[number], self._asked[number]
        wall, cpu = time.perf_counter_ns(), time.process_time_ns()
        found = self._peer.search(mode, text, vector)
        wall, cpu = time.perf_counter_ns() - wall, time.process_time_ns() - cpu
        return {
            "wall_ms": wall / 1e6,
            "cpu_ms": cpu / 1e6,
            "found": [prose.number_of(each) for each in found],
        }

    def memory(self) -> dict[str, float]:
        lines = Path("/proc/self/status").read_text(encoding="utf-8").splitlines()
        fields = dict(line.split(":", 1) for line in lines)
        return {"rss_mb": round(int(fields["VmRSS"].split()[0]) / 1e3, 1)}


def _vectors(file: Path, first: int, count: int) -> list[list[float]]:
    numbers = array("f")
    with file.open("rb") as opened:
        opened.seek(first * WIDTH * numbers.itemsize)
        numbers.fromfile(opened, count * WIDTH)
    return [numbers[at : at + WIDTH].tolist() for at in range(0, len(numbers), WIDTH)]
