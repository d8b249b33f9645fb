"""How long one command takes as a new process: `mem` beside py-memori, on the same texts, in turn.

The processor's time is the fairer figure on a busy machine; the time on the clock is what a user waits.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench import memori, report, sentences, stores
from bench.memori import Memori
from bench.processes import Case, measure_alternately
from memory_layer.ports import Engine
from memory_layer.wiring import open_engine

HEADINGS = {
    "command": "command",
    "wall_median_ms": "wall median ms",
    "wall_min_ms": "min",
    "cpu_median_ms": "CPU median ms",
    "cpu_min_ms": "min",
    "beside": "beside the peer's",
    "wall_ratio": "wall x",
    "cpu_ratio": "CPU x",
}
#: Which of the peer's commands does the same as ours.
COUNTERPARTS = {
    "mem search --mode keyword": "memori search --text-only",
    "mem search, no model": "memori search --text-only",
    "mem search": "memori search",
    "mem add": "memori store",
    "mem add, no model": "memori store --no-embed",
    "mem --help": "memori --help",
}


@dataclass(frozen=True, slots=True)
class Inputs:
    """The same words for both products, one item a run."""

    stored: list[str]
    new: list[list[str]]
    questions: list[list[str]]


def main(arguments: Sequence[str]) -> int:
    parser = report.parser("cold", __doc__)
    parser.add_argument("--runs", type=int, default=15, help="measured runs of each command")
    parser.add_argument("--memories", type=int, default=1000, help="memories in each store")
    parser.add_argument("--no-peers", action="store_true", help="measure `mem` alone")
    parser.add_argument(
        "--peer-folder", type=Path, help="keep the peer's installation there for the next time"
    )
    options = parser.parse_args(arguments)
    before = report.surroundings()
    inputs = inputs_for(options.memories, options.runs)
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        remarks, cases = prepared(folder, inputs)
        if not options.no_peers:
            peer_folder = options.peer_folder or folder / "peer"
            cases += beside(memori.installed(peer_folder.absolute()), folder, inputs, remarks)
        measure_alternately(cases, options.runs)
    show([case.figures for case in cases], remarks, before, options.json)
    return 0


def inputs_for(memories: int, runs: int) -> Inputs:
    """One spare item more than there are runs, for the unmeasured first one."""
    return Inputs(
        stored=sentences.memories(max(memories, runs + 1)),
        new=[[text] for text in sentences.memories(runs + 1, seed=1)],
        questions=[[text] for text in sentences.questions(runs + 1)],
    )


def prepared(folder: Path, inputs: Inputs) -> tuple[list[str], list[Case]]:
    """Fill our stores and name our commands; what has to be said about it comes first."""
    remarks: list[str] = []
    return remarks, [_bare_python(folder, inputs), *_ours(folder, inputs, remarks)]


def beside(peer: Memori | None, folder: Path, inputs: Inputs, remarks: list[str]) -> list[Case]:
    """Fill the peer's store with the same and name its commands."""
    if peer is None:
        remarks.append(f"{memori.PACKAGE} could not be installed, so `mem` was measured alone")
        return []
    _note("filling the peer's store …")
    peer.fill(inputs.stored)
    remarks += _agreement(folder, peer, inputs.stored[0])
    return list(_theirs(peer, inputs))


def _bare_python(folder: Path, inputs: Inputs) -> Case:
    nothing: list[list[str]] = [[] for _ in inputs.new]
    return Case(
        "python -c pass", "Python", [sys.executable, "-c", "pass"], nothing, stores.inherited(), folder
    )


def _ours(folder: Path, inputs: Inputs, remarks: list[str]) -> Iterator[Case]:
    """Our commands on a store without the model, and on one with it if it is installed."""
    plain, _ = _filled(folder / "without", folder / "no-model", inputs)
    yield plain("mem --help", ["--help"], [[] for _ in inputs.new])
    yield plain("mem add, no model", ["add"], inputs.new)
    yield plain("mem search, no model", ["search"], inputs.questions)
    model = stores.installed_model()
    if not stores.has_model(folder, model):
        remarks.append("the embedding model is not installed, so nothing was measured with it")
        return
    full, ids = _filled(folder / "with", model, inputs)
    yield full("mem search --mode keyword", ["search", "--mode", "keyword"], inputs.questions)
    yield full("mem search", ["search"], inputs.questions)
    yield full("mem add", ["add"], inputs.new)
    yield full("mem outcome", ["outcome"], [[memory_id, "worked"] for memory_id in ids[: len(inputs.new)]])


MakeCase = Callable[[str, list[str], list[list[str]]], Case]


def _filled(place: Path, model: Path, inputs: Inputs) -> tuple[MakeCase, list[str]]:
    """Fill a store in a place of its own; what makes commands on it, and the ids in it."""
    place.mkdir()
    environ = stores.environment(place, model)
    _note(f"filling a store {place.name} the model …")
    with open_engine(stores.settings_of(environ, place), "python") as engine:
        ids = [added.id for added in stores.fill(engine, inputs.stored)]

    def case(name: str, command: list[str], arguments: list[list[str]]) -> Case:
        return Case(name, "Memory Layer", [*stores.mem(), *command], arguments, environ, place)

    return case, ids


def _theirs(peer: Memori, inputs: Inputs) -> Iterator[Case]:
    def case(name: str, command: list[str], arguments: list[list[str]]) -> Case:
        return Case(name, "py-memori", [*peer.command, *command], arguments, peer.environ, peer.folder)

    unembedded = [[f"{text} (again)"] for (text,) in inputs.new]
    yield case("memori --help", ["--help"], [[] for _ in inputs.new])
    yield case("memori search --text-only", ["search", "--text-only", "--text"], inputs.questions)
    yield case("memori store --no-embed", ["store", "--no-embed"], unembedded)
    if peer.has_model:
        yield case("memori search", ["search", "--text"], inputs.questions)
        yield case("memori store", ["store"], inputs.new)


def _agreement(folder: Path, peer: Memori, text: str) -> list[str]:
    """Whether both products really run the same model."""
    if not peer.has_model:
        return ["the peer's model could not be had, so it was measured by keyword and without embedding only"]
    environ = stores.environment(folder / "with", stores.installed_model())
    with open_engine(stores.settings_of(environ, folder), "python") as engine:
        cosine = _cosine(engine, text, peer.vector_of(text))
    return [] if cosine is None else [f"both run the same model: the cosine of their vectors is {cosine:.5f}"]


def _cosine(engine: Engine, text: str, theirs: list[float]) -> float | None:
    embedder = engine.embedder()
    if embedder is None:
        return None
    ours = embedder.embed_memories([text])[0][0].tolist()
    length = sum(value * value for value in theirs) ** 0.5
    return float(sum(a * b for a, b in zip(ours, theirs, strict=True)) / length)


def show(
    rows: Sequence[dict[str, float | int | str]],
    remarks: list[str],
    before: dict[str, object],
    file: Path | None,
) -> None:
    """Print the table with each of our commands beside the peer's, and keep it."""
    by_name = {str(row["command"]): row for row in rows}
    for row in rows:
        other = by_name.get(COUNTERPARTS.get(str(row["command"]), ""))
        row["beside"] = other["command"] if other else ""
        row["wall_ratio"] = _ratio(row, other, "wall_median_ms")
        row["cpu_ratio"] = _ratio(row, other, "cpu_median_ms")
    print(
        f"median and least of {rows[0]['runs']} runs each, in turn; x = ours / the peer's, below 1 is faster\n"
    )
    print(report.table(rows, HEADINGS))
    print()
    for remark in remarks:
        print(remark)
    report.show_surroundings(before)
    report.keep(file, "cold", {"machine": before, "remarks": remarks, "commands": list(rows)})


def _ratio(row: dict[str, float | int | str], other: dict[str, float | int | str] | None, figure: str) -> str:
    return f"{float(row[figure]) / float(other[figure]):.2f}" if other else ""


def _note(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
