"""A process of its own on a filled store: what its first answer takes, what it holds in memory, and a foreign writer.

`python -m bench.fresh FOLDER ASK`, where the folder holds what was prepared by `Prepared.keep`.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bench import filled, given, prose, stores
from bench.processes import output_of
from bench.prose import Question
from bench.searches import answer
from bench.stopwatch import timed
from memory_layer.model.context import Context, ContextQuery
from memory_layer.model.query import Query, Reach
from memory_layer.ports import Engine
from memory_layer.ports.store import New
from memory_layer.usecases.give.context import context
from memory_layer.usecases.give.scoped import ContextScope

if TYPE_CHECKING:
    from memory_layer.ports import PassageVectors

SEARCHES = 50  #: before a process is asked how much memory it holds


class Prepared(NamedTuple):
    """Questions with their vectors, to be handed to another process."""

    fingerprint: str
    questions: list[Question]
    vectors: PassageVectors

    def keep(self, folder: Path) -> None:
        told = {"fingerprint": self.fingerprint, "questions": self.questions}
        (folder / "asked.json").write_text(json.dumps(told), encoding="utf-8")
        np.save(folder / "asked.npy", self.vectors)

    @classmethod
    def read(cls, folder: Path) -> Prepared:
        told = json.loads((folder / "asked.json").read_text(encoding="utf-8"))
        questions = [Question(*each) for each in told["questions"]]
        return cls(told["fingerprint"], questions, np.load(folder / "asked.npy"))

    def given_to(self, engine: Engine, cloud: given.Cloud | None = None) -> Engine:
        """An engine that embeds nothing."""
        texts = [question.text for question in self.questions]
        embedder = given.Given(self.fingerprint, texts, self.vectors, cloud)
        return engine._replace(embedder=lambda: embedder, fingerprint=lambda: self.fingerprint)


def ask(folder: Path, what: str) -> dict[str, float]:
    """Start the process, and what it says."""
    said = output_of([sys.executable, "-m", "bench.fresh", str(folder), what], _environ(), Path.cwd())
    answered: dict[str, float] = json.loads(said)
    return answered


class ForeignWriter:
    """Another process that stores one memory whenever it is told to."""

    def __init__(self, folder: Path) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "bench.fresh", str(folder), "writer"],
            env=_environ(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def write(self) -> None:
        """Returns after its commit."""
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write("one\n")
        self._process.stdin.flush()
        if not self._process.stdout.readline():
            raise SystemExit("the process that writes beside the search has ended")

    def close(self) -> None:
        self._process.communicate()


def _environ() -> dict[str, str]:
    return stores.inherited() | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}


def main(arguments: Sequence[str]) -> int:
    folder, what = Path(arguments[0]), arguments[1]
    doings = {
        "first": first_answer,
        "context": first_context,
        "task": first_task,
        "memory": held,
        "writer": write,
    }
    doings[what](folder, Prepared.read(folder))
    return 0


def first_answer(folder: Path, prepared: Prepared) -> None:
    """From opening the store to the first answer."""
    _first(folder, prepared, lambda engine, question: answer(engine, question, Query("", peek=True)))


def first_context(folder: Path, prepared: Prepared) -> None:
    """Give a first context without a task."""
    _first(folder, prepared, lambda engine, question: given_to_an_agent(engine, None))


def first_task(folder: Path, prepared: Prepared) -> None:
    """Give a first context for a task."""
    _first(folder, prepared, given_to_an_agent)


def given_to_an_agent(engine: Engine, question: Question | None) -> Context:
    wanted = ContextQuery(task=question.text if question else None, peek=True)
    return context(engine, wanted, stores.WRITER, ContextScope(Reach.ALL))


def _first(folder: Path, prepared: Prepared, doing: Callable[[Engine, Question], object]) -> None:
    """From opening the store to the end; doing it in a store of three has loaded what is loaded late."""
    with tempfile.TemporaryDirectory() as scratch, filled.opened(Path(scratch)) as engine:
        filled.put(engine, [_another(engine, prepared, number) for number in range(3)])
        doing(prepared.given_to(engine), prepared.questions[0])
    with ExitStack() as stack:

        def opening() -> object:
            return doing(prepared.given_to(stack.enter_context(filled.opened(folder))), prepared.questions[1])

        print(json.dumps(timed(opening)[1]._asdict()))


def held(folder: Path, prepared: Prepared) -> None:
    """Measure the memory of the process after some searches."""
    with filled.opened(folder) as opened:
        engine = prepared.given_to(opened)
        for number in range(SEARCHES):
            answer(engine, prepared.questions[number % len(prepared.questions)], Query("", peek=True))
        print(json.dumps(memory_of_this_process()))


def memory_of_this_process() -> dict[str, float]:
    """Megabytes held now, and how many of them are its own; without /proc the most it ever held."""
    status = Path("/proc/self/status")
    if not status.exists():
        return {"rss_mb": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3, 1)}
    fields = dict(line.split(":", 1) for line in status.read_text().splitlines())
    return {
        "rss_mb": round(int(fields["VmRSS"].split()[0]) / 1e3, 1),
        "own_mb": round(int(fields["RssAnon"].split()[0]) / 1e3, 1),
    }


def write(folder: Path, prepared: Prepared) -> None:
    """Store one memory for every line that comes in."""
    with filled.opened(folder) as engine:
        for number, _ in enumerate(sys.stdin):
            filled.put(engine, [_another(engine, prepared, number)])
            print("stored", flush=True)


def _another(engine: Engine, prepared: Prepared, number: int) -> New:
    """A memory that is in no filled store."""
    text = prose.memories(10**9 + os.getpid() * 1000 + number, 1)[0]
    vector = prepared.vectors[number % len(prepared.vectors)][None, :]
    return New(*filled.unembedded(engine, text), (prepared.fingerprint, vector))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
