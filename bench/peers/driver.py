"""The program around a peer: it fills, searches and tells what that took, a line of JSON for each it is given."""

from __future__ import annotations

import json
import os
import sys
import time
from array import array
from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol

from bench import prose
from bench.stopwatch import timed

WIDTH = 384
LIMIT = 10


class Peer(Protocol):
    """The calls that a product answers; the modes are those of `mem search` that it has."""

    @property
    def modes(self) -> Sequence[str]: ...

    def add(self, texts: Sequence[str], vectors: Sequence[list[float]]) -> None:
        """Store texts with their vectors, several at once where it can."""
        ...

    def search(self, mode: str, text: str, vector: list[float]) -> list[str]:
        """The texts that it finds, best first."""
        ...


class Writer(Peer, Protocol):
    """A product whose writing can be measured in a store of any size."""

    def load(self, texts: Sequence[str]) -> None:
        """Store texts without vectors by the fastest way there is; this is not measured."""
        ...

    def write(self, texts: Sequence[str]) -> None:
        """Store texts without vectors through the public interface."""
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
        "load": driver.load,
        "write": driver.write,
        "search": driver.search,
        "memory": driver.memory,
    }
    for line in sys.stdin:
        told = json.loads(line)
        print(json.dumps(doings[told.pop("do")](**told)), file=answers, flush=True)


class _Driver:
    def __init__(self, peer: Any, stored: Path, inputs: Path) -> None:
        self._peer = peer
        self._stored = stored
        self._inputs = inputs

    @cached_property
    def _questions(self) -> list[tuple[str, list[float]]]:
        texts: list[str] = json.loads((self._inputs / "questions.json").read_text(encoding="utf-8"))
        return list(zip(texts, _vectors(self._inputs / "questions.f32", 0, len(texts)), strict=True))

    def modes(self) -> dict[str, Any]:
        return {"modes": list(self._peer.modes)}

    def fill(self, first: int, count: int) -> dict[str, float]:
        texts, vectors = prose.memories(first, count), _vectors(self._stored, first, count)
        begun = time.perf_counter()
        self._peer.add(texts, vectors)
        return {"seconds": time.perf_counter() - begun}

    def load(self, first: int, count: int) -> dict[str, float]:
        texts = prose.memories(first, count)
        begun = time.perf_counter()
        self._peer.load(texts)
        return {"seconds": time.perf_counter() - begun}

    def write(self, texts: Sequence[str]) -> dict[str, float]:
        _, lap = timed(lambda: self._peer.write(texts))
        return lap._asdict()

    def search(self, mode: str, number: int) -> dict[str, Any]:
        text, vector = self._questions[number]
        found, lap = timed(lambda: self._peer.search(mode, text, vector))
        return {**lap._asdict(), "found": [prose.number_of(each) for each in found]}

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
