"""`mem` and its peers on the same texts, vectors and questions, in turn so that noise falls on all alike."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any, NamedTuple

import bench
from bench import filled, given, prose, searches, stores
from bench import memori as command_line
from bench.fresh import Prepared
from bench.peers import chroma, memori, runtime_memory
from bench.processes import Case
from bench.searches import Row
from bench.stopwatch import Lap, figures, timed
from memory_layer.model.query import Mode, Query
from memory_layer.ports import Engine

PRODUCT = "Memory Layer"
RECORDED = "hybrid, recall recorded"
#: Which module drives each product.
PEERS = {"py-memori": memori, "runtime-memory": runtime_memory, "chromadb": chroma}
#: How we do what each mode of a peer does.
OURS = {
    "hybrid": Query("", peek=True),
    RECORDED: Query(""),
    "keyword": Query("", mode=Mode.KEYWORD, peek=True),
    "semantic": Query("", mode=Mode.SEMANTIC, peek=True),
}
FILLED = "filled.json"  #: beside a peer's store that is complete
PROBED = 2  #: blocks after which it is known how long filling will take


class Answer(NamedTuple):
    """The time of one question, and the memories that came."""

    lap: Lap
    found: frozenset[int]


class PeerFailed(Exception):
    """A peer's driver is gone; its last words are the message."""


class Driven:
    """A peer's store in the hands of its driver."""

    def __init__(self, name: str, python: Path, folder: Path, inputs: Path) -> None:
        self.name = name
        self.folder = folder
        self.facts: Row = {}
        folder.mkdir(parents=True, exist_ok=True)
        root = str(Path(bench.__file__).parents[1])
        self._said = (inputs / f"{name}.log").open("w+", encoding="utf-8")
        self._process = subprocess.Popen(
            [str(python), "-m", PEERS[name].__name__, str(folder), str(inputs / "memories.f32"), str(inputs)],
            env=stores.inherited() | {"HOME": str(folder), "PYTHONPATH": root},
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._said,
            text=True,
        )

    def tell(self, do: str, **told: object) -> dict[str, Any]:
        assert self._process.stdin
        assert self._process.stdout
        with suppress(BrokenPipeError):
            self._process.stdin.write(json.dumps({"do": do, **told}) + "\n")
            self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            self._said.seek(0)
            said = self._said.read().strip().splitlines() or ["nothing said"]
            raise PeerFailed(f"{self.name} ended with {self._process.wait()} when told to {do}: {said[-1]}")
        answered: dict[str, Any] = json.loads(line)
        return answered

    def search(self, mode: str, number: int) -> Answer:
        told = self.tell("search", mode=mode, number=number)
        return Answer(Lap(told["wall_ms"], told["cpu_ms"]), frozenset(told["found"]))

    def close(self) -> None:
        self._process.communicate()
        self._said.close()


class Contest:
    """The peers that could be installed, and how they are measured."""

    def __init__(
        self,
        names: Sequence[str],
        folder: Path,
        scratch: Path,
        keep: Path | None,
        most_seconds: float,
        remarks: list[str],
    ) -> None:
        self._scratch = scratch
        self._keep = keep
        self._most_seconds = most_seconds
        self._remarks = remarks
        self._pythons: dict[str, Path] = {}
        self._command_line = command_line.installed(folder / "memori") if "py-memori" in names else None
        for name in names:
            module = PEERS[name]
            python = installed(folder / module.__name__.rpartition(".")[2], module.PACKAGE)
            if python:
                self._pythons[name] = python
            else:
                remarks.append(f"{module.PACKAGE} could not be installed and was left out")

    def rows(
        self,
        engine: Engine,
        prepared: Prepared,
        cloud: given.Cloud,
        size: int,
        exact: Sequence[set[int]],
        seconds: float,
    ) -> list[Row]:
        """Fill every peer's store and ask all of them the same."""
        inputs = self._scratch / f"inputs-{size}"
        write_inputs(inputs, prepared, cloud, size)
        with ExitStack() as stack:
            stack.callback(shutil.rmtree, inputs)
            driven = [
                peer for name in self._pythons if (peer := self._filled(name, cloud, size, inputs, stack))
            ]
            answers = self._asked(engine, driven, prepared, seconds)
            for peer in driven:
                peer.facts |= peer.tell("memory")
        for peer in driven:
            peer.facts["bytes"] = filled.bytes_in(peer.folder) // size
        return self._compared(answers, {peer.name: peer.facts for peer in driven}, exact)

    def commands(self, cloud: given.Cloud, size: int, asked: Sequence[Sequence[str]]) -> list[Case]:
        """py-memori's own command on its filled store; with its model if that could be had."""
        peer, store = self._command_line, self._store_of("py-memori", cloud, size)
        if peer is None or not (store / FILLED).exists():
            return []
        command = [peer.command[0], "--db", str(store / memori.FILE), "search"]
        ways = {"memori search --text-only": ["--text-only", "--text"]}
        if peer.has_model:
            ways["memori search"] = ["--text"]
        return [
            Case(name, "py-memori", [*command, *way], asked, peer.environ, peer.folder)
            for name, way in ways.items()
        ]

    def _store_of(self, name: str, cloud: given.Cloud, size: int) -> Path:
        return (self._keep or self._scratch).absolute() / f"{name}-{cloud.name}-{size}"

    def _filled(
        self, name: str, cloud: given.Cloud, size: int, inputs: Path, stack: ExitStack
    ) -> Driven | None:
        """A driver on a store of that size; None if filling it fails or would take too long."""
        folder = self._store_of(name, cloud, size)
        note = folder / FILLED
        if not note.exists():
            shutil.rmtree(folder, ignore_errors=True)
        peer = Driven(name, self._pythons[name], folder, inputs)
        stack.callback(peer.close)
        if not note.exists():
            _note(f"filling the store of {name} …")
            try:
                rate = self._fill(peer, size)
            except PeerFailed as error:
                self._remarks.append(f"{name} was left out at {size:,} memories: {error}")
                return None
            if rate is None:
                return None
            note.write_text(json.dumps({"per_second": round(rate)}), encoding="utf-8")
        peer.facts["fill_per_second"] = json.loads(note.read_text(encoding="utf-8"))["per_second"]
        return peer

    def _fill(self, peer: Driven, size: int) -> float | None:
        """Memories a second; None, and a remark, as soon as it is clear that all would take too long."""
        taken, stored = 0.0, 0
        while stored < size:
            count = min(prose.BLOCK, size - stored)
            taken += peer.tell("fill", first=stored, count=count)["seconds"]
            stored += count
            if PROBED * prose.BLOCK <= stored < size and taken / stored * size > self._most_seconds:
                self._remarks.append(
                    f"{peer.name} was left out at {size:,} memories: it had stored {stored:,} at"
                    f" {stored / taken:,.0f} a second, and all would take more than {self._most_seconds:,.0f} s"
                )
                return None
        return size / taken

    def _asked(
        self, engine: Engine, driven: Sequence[Driven], prepared: Prepared, seconds: float
    ) -> dict[tuple[str, str], list[Answer]]:
        """Every question to everybody in turn; whoever has used up the time of a row is not asked again."""
        ways = [(peer, mode) for peer in driven for mode in peer.tell("modes")["modes"]]
        answers: dict[tuple[str, str], list[Answer]] = {
            **{(PRODUCT, mode): [] for mode in OURS},
            **{(peer.name, mode): [] for peer, mode in ways},
        }
        for number, question in enumerate(prepared.questions):
            for mode, like in OURS.items():
                if _has_time(answers[PRODUCT, mode], seconds):
                    found, lap = timed(lambda: searches.answer(engine, question, like))  # noqa: B023
                    answers[PRODUCT, mode].append(Answer(lap, frozenset(searches.numbers(found))))
            for peer, mode in ways:
                if _has_time(answers[peer.name, mode], seconds):
                    answers[peer.name, mode].append(peer.search(mode, number))
        return {way: taken[1:] for way, taken in answers.items()}  # the first one warms up

    def _compared(
        self,
        answers: Mapping[tuple[str, str], Sequence[Answer]],
        facts: Mapping[str, Row],
        exact: Sequence[set[int]],
    ) -> list[Row]:
        rows: list[Row] = []
        for (product, mode), taken in answers.items():
            row: Row = {"product": product, "search": mode, **figures([each.lap for each in taken])}
            row["hits"] = round(sum(len(each.found) for each in taken) / len(taken), 1)
            ours = figures([each.lap for each in answers[PRODUCT, mode if mode != RECORDED else "hybrid"]])
            if row["hits"]:  # finding nothing is fast
                row["slower"] = round(float(row["p50_ms"]) / max(1e-3, ours["p50_ms"]), 2)
                row["slower_cpu"] = round(float(row["cpu_p50_ms"]) / max(1e-3, ours["cpu_p50_ms"]), 2)
            if mode == "semantic":
                row["recall"] = _recall(taken, exact[1:])
            rows.append({**row, **facts.get(product, {})})
        return rows


def _recall(taken: Sequence[Answer], exact: Sequence[set[int]]) -> float:
    shares = [len(each.found & wanted) / len(wanted) for each, wanted in zip(taken, exact, strict=False)]
    return round(sum(shares) / len(shares), 4)


def _has_time(taken: Sequence[Answer], seconds: float) -> bool:
    return len(taken) < searches.LEAST + 1 or sum(each.lap.wall_ms for each in taken) < seconds * 1000


def write_inputs(folder: Path, prepared: Prepared, cloud: given.Cloud, size: int) -> None:
    """Write what a driver reads: vectors as plain float32, and the questions; it makes the texts itself."""
    folder.mkdir()
    with (folder / "memories.f32").open("wb") as file:
        for vectors in given.blocks(cloud, size):
            file.write(vectors.astype("<f4").tobytes())
    (folder / "questions.f32").write_bytes(prepared.vectors.astype("<f4").tobytes())
    texts = [question.text for question in prepared.questions]
    (folder / "questions.json").write_text(json.dumps(texts), encoding="utf-8")


def installed(folder: Path, package: str, *more: str) -> Path | None:
    """The Python of an environment that holds the package, made now if it is not there; None if it cannot be had."""
    python = folder / "environment" / "bin" / "python"
    name, _, version = package.partition("==")
    asked = [str(python), "-c", f"import importlib.metadata as m; assert m.version({name!r}) == {version!r}"]
    if python.exists() and subprocess.run(asked, check=False, capture_output=True).returncode == 0:
        return python
    _note(f"installing {package} …")
    subprocess.run([sys.executable, "-m", "venv", str(folder / "environment")], check=True)
    pip = [str(python), "-m", "pip", "--disable-pip-version-check", "--quiet", "install", package, *more]
    done = subprocess.run(pip, check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return python if done.returncode == 0 else None


def _note(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
