"""Compare the processor time of two versions of Memory Layer: the same work, alternating, in pairs.

Each version is a checkout with its own environment in `.venv`. Single commands run as new processes; warm adds and
searches run inside one process through the Python door. The ratio is the median over all pairs of this / other.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from bench import prose, report, sentences, stores
from bench.processes import measured, output_of

HEADINGS = {
    "work": "work",
    "this_ms": "this, CPU ms",
    "other_ms": "other, CPU ms",
    "ratio": "median ratio",
    "least": "ratio of least",
    "pairs": "pairs",
}
#: Stores the texts of a file through the Python door of any version and prints their ids.
FILL = """
import json, sys
import memory_layer
with memory_layer.open() as memory:
    added = memory.add_many(json.load(open(sys.argv[1], encoding="utf-8")))
print(json.dumps([each.id for each in added]))
"""
WARM = """
import json, sys, time
import memory_layer
work = json.load(open(sys.argv[1], encoding="utf-8"))
spent = {}
def timed(name, call, inputs):
    begun = time.process_time()
    for each in inputs:
        call(each)
    spent[name] = (time.process_time() - begun) * 1000
with memory_layer.open() as memory:
    memory.add_many(work["warm_up"])
    memory.search("warm up")
    timed("add, one by one", lambda text: memory.add(text, on_duplicate="keep"), work["singles"])
    timed("add_many", memory.add_many, [work["batch"]])
    timed("search", memory.search, work["questions"])
print(json.dumps(spent))
"""


class Version(NamedTuple):
    """A checkout whose environment is set up."""

    name: str
    root: Path

    @property
    def python(self) -> str:
        return str(self.root / ".venv" / "bin" / "python")

    @property
    def mem(self) -> str:
        return str(self.root / ".venv" / "bin" / "mem")


def main(arguments: Sequence[str]) -> int:
    parser = report.parser("versions", __doc__)
    parser.add_argument("other", type=Path, help="the checkout to compare with, set up by `make model` there")
    parser.add_argument("--pairs", type=int, default=20, help="how often each of the two runs")
    parser.add_argument("--memories", type=int, default=1000, help="memories in the store before")
    parser.add_argument("--batch", type=int, default=3000, help="texts stored at once in a warm process")
    options = parser.parse_args(arguments)
    versions = (Version("this", Path(__file__).parents[1]), Version("other", options.other.absolute()))
    for version in versions:
        if not Path(version.mem).exists():
            parser.error(f"there is no environment in {version.root}; `make model` there sets it up")
    before = report.surroundings()
    with tempfile.TemporaryDirectory() as scratch:
        rows = compare(versions, Path(scratch), options.memories, options.pairs, options.batch)
    print(report.table(rows, HEADINGS))
    report.show_surroundings(before)
    report.keep(options.json, "versions", {"machine": before, "work": rows})
    return 0


def compare(
    versions: Sequence[Version], scratch: Path, memories: int, pairs: int, batch: int
) -> list[dict[str, object]]:
    """Run every piece of work in pairs; which version begins changes from pair to pair."""
    spent: dict[str, dict[str, list[float]]] = {}
    places = {version.name: _filled(version, scratch / version.name, memories) for version in versions}
    for pair in range(-1, pairs):  # the first pair only warms the caches
        for version in versions if pair % 2 else reversed(versions):
            for work, taken in _one_round(version, places[version.name], pair + 1, batch).items():
                if pair >= 0:
                    spent.setdefault(work, {}).setdefault(version.name, []).append(taken)
        print(".", end="", file=sys.stderr, flush=True)
    return [_row(work, by_version) for work, by_version in spent.items()]


def _row(work: str, spent: Mapping[str, Sequence[float]]) -> dict[str, object]:
    this, other = spent["this"], spent["other"]
    return {
        "work": work,
        "this_ms": round(statistics.median(this), 2),
        "other_ms": round(statistics.median(other), 2),
        "ratio": round(statistics.median(a / b for a, b in zip(this, other, strict=True)), 3),
        "least": round(min(this) / min(other), 3),
        "pairs": len(this),
    }


def _filled(version: Version, place: Path, memories: int) -> dict[str, dict[str, str]]:
    """Fill two stores, one searched by keyword and one with the model; return their environments."""
    environs = {}
    for kind, model in (("keyword", place / "no-model"), ("hybrid", stores.installed_model())):
        folder = place / kind
        folder.mkdir(parents=True)
        environs[kind] = stores.environment(folder, model)
        texts = folder / "texts.json"
        texts.write_text(json.dumps(sentences.memories(memories)), encoding="utf-8")
        output_of([version.python, "-c", FILL, str(texts)], environs[kind], folder)
    return environs


def _one_round(
    version: Version, environs: Mapping[str, Mapping[str, str]], number: int, batch: int
) -> dict[str, float]:
    """Run every piece of work once; return the CPU milliseconds of each."""
    text = sentences.memories(1, seed=number + 2)[0]
    question = next(sentences.questions(1, seed=number + 2))
    commands = {
        "mem --version": ("keyword", ["--version"]),
        "mem search --mode keyword": ("keyword", ["search", "--mode", "keyword", question]),
        "mem add, no model": ("keyword", ["add", text]),
        "mem context, no model": ("keyword", ["context", "--task", question]),
        "mem search": ("hybrid", ["search", question]),
        "mem add": ("hybrid", ["add", text, "--on-duplicate", "keep"]),
    }
    spent = {
        name: measured([version.mem, *command], environs[kind], Path(environs[kind]["HOME"])).cpu_ms
        for name, (kind, command) in commands.items()
    }
    return spent | _warm(version, environs["keyword"], number, batch)


def _warm(version: Version, environ: Mapping[str, str], number: int, batch: int) -> dict[str, float]:
    """Time adds and searches inside one process, in a store of their own."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        first = 100_000 * (number + 1)
        work = {
            "warm_up": prose.memories(first, batch // 10),
            "singles": prose.memories(first + 1_000, batch // 15),
            "batch": prose.memories(first + 2_000, batch),
            "questions": list(sentences.questions(batch // 10, seed=number)),
        }
        file = folder / "work.json"
        file.write_text(json.dumps(work), encoding="utf-8")
        done = subprocess.run(
            [version.python, "-c", WARM, str(file)],
            env={**environ, "HOME": scratch, "MEM_HOME": str(folder / "home")},
            cwd=folder,
            capture_output=True,
            text=True,
            check=True,
        )
    spent: dict[str, float] = json.loads(done.stdout)
    return {f"{name} (warm, no model)": taken for name, taken in spent.items()}
