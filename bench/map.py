"""Count the true neighbours that stay neighbours on the map, beside principal components, and measure its cost.

Each set is a folder of questions as for `retrieval`; of it only the texts are used. `--sizes` measures time and memory,
each in a process of its own, on the vectors of the sets, repeated with noise.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from bench import question_sets, report, vector_cache
from memory_layer.ports.map import VectorRows
from memory_layer.usecases.upkeep import lay_out

if TYPE_CHECKING:
    from memory_layer.ports import PassageVectors

NEAREST = 10
NEW_SHARE = 10  #: every so-manieth memory is placed later
NOISE = 0.03  #: of a repeated vector, for each number
HEADINGS = {
    "set": "texts",
    "memories": "memories",
    "kept": f"kept of {NEAREST}",
    "kept_by_pca": "by 2 principal components",
    "kept_new": "of those placed later",
    "seconds": "seconds",
}
COSTS = {"memories": "memories", "seconds": "seconds", "place_ms": "place 10 more, ms", "peak_mb": "peak MB"}


def main(arguments: Sequence[str]) -> int:
    parser = report.parser("map", __doc__)
    parser.add_argument("folders", type=Path, metavar="DIR", nargs="*", help="sets of questions")
    parser.add_argument("--characters", type=int, default=400, help="of each text that are embedded")
    parser.add_argument("--cache", type=Path, metavar="DIR", help="where vectors are kept")
    parser.add_argument(
        "--sizes", default="", help="memories, with commas between, to measure time and memory"
    )
    parser.add_argument(
        "--one-size", type=int, help="measure one size in this process, on vectors from stdin"
    )
    options = parser.parse_args(arguments)
    if options.one_size:
        print(json.dumps(cost(options.one_size, np.load(sys.stdin.buffer))))
        return 0
    with tempfile.TemporaryDirectory() as scratch:
        model = vector_cache.installed(Path(scratch), options.cache) if options.folders else None
        if options.folders and model is None:
            print("the embedding model is not installed, so there is nothing to measure")
            return 0
        sets = {
            folder.name: np.stack(
                [each[0] for each in model.embed_memories(texts_of(folder, options.characters))]
            )
            for given in options.folders
            for folder in question_sets.sets_in(given)
            if model is not None
        }
    rows = [quality(name, vectors) for name, vectors in sets.items()]
    costs = [measured(int(size), list(sets.values())) for size in filter(None, options.sizes.split(","))]
    for found, headings in ((rows, HEADINGS), (costs, COSTS)):
        if found:
            print(report.table(found, headings), end="\n\n")
    report.keep(options.json, "map", {"machine": report.surroundings(), "map": rows, "costs": costs})
    return 0


def texts_of(folder: Path, characters: int) -> list[str]:
    found = {
        memory.text[:characters]: None for each in question_sets.haystacks(folder) for memory in each.memories
    }
    return list(found)


def seen(vectors: PassageVectors) -> VectorRows:
    """Vectors as a store gives them."""
    return VectorRows(np.arange(1, len(vectors) + 1, dtype=np.int64), lambda places: vectors[places], 0)


def quality(name: str, vectors: PassageVectors) -> report.Row:
    """The share of the nearest by meaning that are among the nearest on the map."""
    begun = time.perf_counter()
    positions, _ = lay_out.anew(seen(vectors))
    seconds = time.perf_counter() - begun
    old = np.arange(len(vectors)) % NEW_SHARE > 0
    before, _ = lay_out.anew(seen(vectors[old]))
    every = seen(vectors)
    grown, _ = lay_out.with_new(before._replace(rows=every.rows[old]), every)
    apart = vectors - vectors.mean(axis=0)
    components = np.linalg.svd(apart, full_matrices=False)[2][:2]
    return {
        "set": name,
        "memories": len(vectors),
        "kept": kept(vectors, positions.places),
        "kept_by_pca": kept(vectors, apart @ components.T),
        "kept_new": kept(vectors, grown.places, ~old),
        "seconds": seconds,
    }


def kept(vectors: PassageVectors, places: PassageVectors, whose: np.ndarray | None = None) -> float:
    shares = []
    for at in range(len(vectors)) if whose is None else np.flatnonzero(whose):
        likeness, apart = vectors @ vectors[at], ((places - places[at]) ** 2).sum(axis=1)
        likeness[at], apart[at] = -np.inf, np.inf
        true = np.argpartition(-likeness, NEAREST)[:NEAREST]
        shares.append(len(np.intersect1d(true, np.argpartition(apart, NEAREST)[:NEAREST])) / NEAREST)
    return float(np.mean(shares))


def measured(size: int, vectors: Sequence[PassageVectors]) -> report.Row:
    """Time and memory in a new process."""
    with tempfile.NamedTemporaryFile() as file:
        np.save(file, np.concatenate(vectors))
        file.seek(0)
        command = [sys.executable, "-m", "bench", "map", "--one-size", str(size)]
        found: report.Row = json.loads(
            subprocess.run(command, stdin=file, capture_output=True, check=True).stdout
        )
    return found


def cost(size: int, vectors: PassageVectors) -> report.Row:
    chance = np.random.default_rng(0)
    many = np.empty((size, vectors.shape[1]), np.float16)
    for start in range(0, size, len(vectors)):
        some = vectors[: size - start] + NOISE * (start > 0) * chance.normal(
            size=vectors[: size - start].shape
        )
        many[start : start + len(some)] = some / np.linalg.norm(some, axis=1, keepdims=True)
    rows = np.arange(1, size + 1, dtype=np.int64)
    begun = time.perf_counter()
    known, _ = lay_out.anew(VectorRows(rows[:-10], lambda places: many[places].astype(np.float32), 0))
    seconds = time.perf_counter() - begun
    begun = time.perf_counter()
    lay_out.with_new(known, VectorRows(rows, lambda places: many[places].astype(np.float32), 0))
    return {
        "memories": size,
        "seconds": seconds,
        "place_ms": 1000 * (time.perf_counter() - begun),
        "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }
