"""Measure one command as a new process: `mem` beside another checkout and py-memori, on the same texts, in turn.

The processor's time is the fairer figure on a busy machine; the time on the clock is what a user waits. The other
checkout is any version of Memory Layer with an environment of its own in `.venv`.
"""

from __future__ import annotations

import json
import statistics
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench import memori, report, sentences, stores
from bench.memori import Memori
from bench.processes import Case, measure_alternately, output_of
from bench.versions import FILL, Version
from memory_layer.ports import Engine
from memory_layer.wiring import open_engine

Row = dict[str, float | int | str]

HEADINGS = {
    "command": "command",
    "product": "of",
    "wall_median_ms": "wall median ms",
    "wall_min_ms": "min",
    "cpu_median_ms": "CPU median ms",
    "cpu_min_ms": "min",
    "wall_beside_other": "wall x other",
    "cpu_beside_other": "CPU x other",
    "wall_beside_peer": "wall x peer",
    "cpu_beside_peer": "CPU x peer",
}
#: The peer's command that does the same as ours.
COUNTERPARTS = {
    "mem search --mode keyword": "memori search --text-only",
    "mem search, no model": "memori search --text-only",
    "mem search": "memori search",
    "mem add": "memori store",
    "mem add, no model": "memori store --no-embed",
    "mem context": "memori context",
    "mem --help": "memori --help",
}
THIS, OTHER, PEER = "this", "other", "py-memori"


@dataclass(frozen=True, slots=True)
class Inputs:
    """The words that every product is given, one item a run."""

    stored: list[str]
    new: list[list[str]]
    questions: list[list[str]]


def main(arguments: Sequence[str]) -> int:
    parser = report.parser("cold", __doc__)
    parser.add_argument("--runs", type=int, default=15, help="measured runs of each command")
    parser.add_argument("--memories", type=int, default=1000, help="memories in each store")
    parser.add_argument("--other", type=Path, metavar="CHECKOUT", help="another version, set up there")
    parser.add_argument("--no-peers", action="store_true", help="measure `mem` alone")
    parser.add_argument(
        "--peer-folder", type=Path, help="keep the peer's installation there for the next time"
    )
    options = parser.parse_args(arguments)
    versions = [Version(THIS, Path(__file__).parents[1])]
    if options.other:
        versions.append(Version(OTHER, options.other.absolute()))
        if not Path(versions[-1].mem).exists():
            parser.error(f"there is no environment in {options.other}; `make model` there sets it up")
    before = report.surroundings()
    inputs = inputs_for(options.memories, options.runs)
    remarks: list[str] = []
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        cases = [_bare_python(folder, inputs)]
        for version in versions:
            cases += _ours(version, folder / version.name, inputs, remarks)
        if not options.no_peers:
            peer_folder = options.peer_folder or folder / "peer"
            cases += beside(memori.installed(peer_folder.absolute()), folder / THIS, inputs, remarks)
        cases = in_turn(cases)
        measure_alternately(cases, options.runs)
    show(cases, remarks, before, options.json)
    return 0


def inputs_for(memories: int, runs: int) -> Inputs:
    """Make one spare item more than there are runs, for the unmeasured first one."""
    return Inputs(
        stored=sentences.memories(max(memories, runs + 1)),
        new=[[text] for text in sentences.memories(runs + 1, seed=1)],
        questions=[[text] for text in sentences.questions(runs + 1)],
    )


def in_turn(cases: Sequence[Case]) -> list[Case]:
    """Put the commands that are compared next to each other."""
    names = list(dict.fromkeys(case.name for case in cases))
    places = {COUNTERPARTS.get(name, name): names.index(name) for name in reversed(names)}
    return sorted(cases, key=lambda case: places.get(case.name, names.index(case.name)))


def beside(peer: Memori | None, place: Path, inputs: Inputs, remarks: list[str]) -> list[Case]:
    """Fill the peer's store with the same texts and name its commands."""
    if peer is None:
        remarks.append(f"{memori.PACKAGE} could not be installed, so `mem` was measured without it")
        return []
    _note("filling the peer's store …")
    peer.fill(inputs.stored)
    remarks += _agreement(place, peer, inputs.stored[0])
    return list(_theirs(peer, inputs))


def _bare_python(folder: Path, inputs: Inputs) -> Case:
    nothing: list[list[str]] = [[] for _ in inputs.new]
    return Case(
        "python -c pass", "Python", [sys.executable, "-c", "pass"], nothing, stores.inherited(), folder
    )


def _ours(version: Version, place: Path, inputs: Inputs, remarks: list[str]) -> Iterator[Case]:
    """Name the commands of a version on a store without the model, and on one with it if it is installed."""
    plain, _ = _filled(version, place / "without", place / "no-model", inputs)
    yield plain("mem --help", ["--help"], [[] for _ in inputs.new])
    yield plain("mem search, no model", ["search"], inputs.questions)
    yield plain("mem add, no model", ["add"], inputs.new)
    yield plain("mem context, no model", ["context", "--task"], inputs.questions)
    model = stores.installed_model()
    if not stores.has_model(place, model):
        remarks.append("the embedding model is not installed, so nothing was measured with it")
        return
    full, ids = _filled(version, place / "with", model, inputs)
    yield full("mem search --mode keyword", ["search", "--mode", "keyword"], inputs.questions)
    yield full("mem search", ["search"], inputs.questions)
    yield full("mem add", ["add"], inputs.new)
    yield full("mem context", ["context", "--task"], inputs.questions)
    yield full("mem outcome", ["outcome"], [[memory_id, "worked"] for memory_id in ids[: len(inputs.new)]])


MakeCase = Callable[[str, list[str], list[list[str]]], Case]


def _filled(version: Version, place: Path, model: Path, inputs: Inputs) -> tuple[MakeCase, list[str]]:
    """Fill a store in a place of its own; return what makes commands on it, and the ids in it."""
    place.mkdir(parents=True)
    environ = stores.environment(place, model)
    _note(f"filling a store of {version.name} {place.name} the model …")
    texts = place / "texts.json"
    texts.write_text(json.dumps(inputs.stored), encoding="utf-8")
    ids = json.loads(output_of([version.python, "-c", FILL, str(texts)], environ, place))

    def case(name: str, command: list[str], arguments: list[list[str]]) -> Case:
        return Case(name, version.name, [version.mem, *command], arguments, environ, place)

    return case, ids


def _theirs(peer: Memori, inputs: Inputs) -> Iterator[Case]:
    def case(name: str, command: list[str], arguments: list[list[str]]) -> Case:
        return Case(name, PEER, [*peer.command, *command], arguments, peer.environ, peer.folder)

    unembedded = [[f"{text} (again)"] for (text,) in inputs.new]
    yield case("memori --help", ["--help"], [[] for _ in inputs.new])
    yield case("memori search --text-only", ["search", "--text-only", "--text"], inputs.questions)
    yield case("memori store --no-embed", ["store", "--no-embed"], unembedded)
    if peer.has_model:
        yield case("memori context", ["context"], inputs.questions)
        yield case("memori search", ["search", "--text"], inputs.questions)
        yield case("memori store", ["store"], inputs.new)


def _agreement(place: Path, peer: Memori, text: str) -> list[str]:
    """Say whether both products really run the same model."""
    if not peer.has_model:
        return ["the peer's model could not be had, so it was measured by keyword and without embedding only"]
    environ = stores.environment(place / "with", stores.installed_model())
    with open_engine(stores.settings_of(environ, place), "python") as engine:
        cosine = _cosine(engine, text, peer.vector_of(text))
    return [] if cosine is None else [f"both run the same model: the cosine of their vectors is {cosine:.5f}"]


def _cosine(engine: Engine, text: str, theirs: list[float]) -> float | None:
    embedder = engine.embedder()
    if embedder is None:
        return None
    ours = embedder.embed_memories([text])[0][0].tolist()
    length = sum(value * value for value in theirs) ** 0.5
    return float(sum(a * b for a, b in zip(ours, theirs, strict=True)) / length)


def show(cases: Sequence[Case], remarks: list[str], before: dict[str, object], file: Path | None) -> None:
    """Print the table with each of our commands beside the other version's and the peer's, and keep it."""
    rows = [case.figures | beside_others(case, cases) for case in cases]
    print(
        f"median and least of {rows[0]['runs']} runs each, in turn; x = ours / theirs, the median over the runs,"
        " below 1 is faster\n"
    )
    print(report.table(rows, HEADINGS))
    print()
    for remark in remarks:
        print(remark)
    report.show_surroundings(before)
    report.keep(file, "cold", {"machine": before, "remarks": remarks, "commands": rows})


def beside_others(case: Case, cases: Sequence[Case]) -> Row:
    """Return how much slower a command of ours is than what does the same elsewhere, run by run."""
    by_name = {(each.name, each.product): each for each in cases}
    others = {
        "other": by_name.get((case.name, OTHER)),
        "peer": by_name.get((COUNTERPARTS.get(case.name, ""), PEER)),
    }
    ratios: Row = {}
    for name, other in others.items():
        if other is not None and case.product == THIS:
            pairs = list(zip(case.costs, other.costs, strict=True))
            wall = statistics.median(ours.wall_ms / theirs.wall_ms for ours, theirs in pairs)
            cpu = statistics.median(ours.cpu_ms / theirs.cpu_ms for ours, theirs in pairs)
            ratios |= {f"wall_beside_{name}": f"{wall:.2f}", f"cpu_beside_{name}": f"{cpu:.2f}"}
    return ratios


def _note(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
