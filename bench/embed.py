"""Measure the embedding of a question and of many texts: as shipped, and with other ways to run the model.

Every way runs in its own process with the same number of threads; they take turns, and the least of all rounds counts.
"""

from __future__ import annotations

import random
import tempfile
from collections.abc import Sequence
from pathlib import Path

from bench import embedders, report, sentences, stores
from bench.embedders import Running, Way

#: Fifteen tokens with its two marks.
QUESTION = "how often does the {} retry requests when the network is slow"
WORDS = ("worker", "export", "import", "search", "billing", "session", "audit", "order", "gate", "queue")
HEADINGS = {
    "way": "way to run the model",
    "start_cpu_ms": "start CPU ms",
    "query_cpu_ms": "question CPU ms",
    "query_wall_ms": "wall ms",
    "bulk_per_cpu_second": "texts per CPU s",
    "bulk_per_second": "texts/s",
    "peak_mb": "peak MB",
    "least_cosine": "least cosine to ours",
}

Row = dict[str, float | str]


def main(arguments: Sequence[str]) -> int:
    parser = report.parser("embed", __doc__)
    parser.add_argument("--texts", type=int, default=100, help="texts embedded together")
    parser.add_argument("--rounds", type=int, default=5, help="how often each way has its turn")
    parser.add_argument("--threads", type=int, default=1, help="threads of each way")
    parser.add_argument(
        "--peers", action="store_true", help="measure onnxruntime too, in its own environment"
    )
    parser.add_argument("--peer-folder", type=Path, help="keep that environment there for the next time")
    parser.add_argument(
        "--torch", type=Path, metavar="PYTHON", help="a Python with sentence-transformers, to measure it too"
    )
    options = parser.parse_args(arguments)
    before = report.surroundings()
    model = stores.installed_model()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        if not stores.has_model(folder, model):
            print("the embedding model is not installed, so there is nothing to measure")
            report.keep(options.json, "embed", {"machine": before, "embed": []})
            return 0
        ways = [embedders.shipped(model)]
        if options.peers or options.peer_folder:
            kept = options.peer_folder or folder / "peers"
            ways += embedders.with_onnxruntime(kept.absolute())
        if options.torch:
            ways.append(embedders.with_torch(options.torch.absolute(), model, folder / "torch"))
        rows = measured(ways, folder, texts_of(options.texts), options.rounds, options.threads)
    show(rows, options.threads, before, options.json)
    return 0


def texts_of(count: int) -> list[str]:
    """One, two or three sentences each, about sixty tokens on average."""
    chance = random.Random(0)
    made = iter(sentences.memories(3 * count))
    return [". ".join(next(made) for _ in range(chance.choice((1, 1, 2, 3)))) for _ in range(count)]


def measured(ways: Sequence[Way], folder: Path, texts: list[str], rounds: int, threads: int) -> list[Row]:
    """Start all of them, then let them take turns."""
    running = {way.name: way.start(folder, threads) for way in ways}
    figures: dict[str, list[dict[str, float]]] = {name: [] for name in running}
    for _ in range(rounds):
        for name, embedder in running.items():
            figures[name].append(_turn(embedder, texts))
    sample = {
        name: embedder.told(do="vectors", texts=texts[:20])["vectors"] for name, embedder in running.items()
    }
    starts = _starts(ways, folder, running, rounds, threads)
    ours = sample[ways[0].name]
    return [
        {
            "way": name,
            "start_cpu_ms": starts[name],
            **_least(figures[name], len(texts)),
            "least_cosine": f"{min(map(_cosine, ours, sample[name])):.7f}",
        }
        for name in running
    ]


def _turn(embedder: Running, texts: list[str]) -> dict[str, float]:
    asked = [QUESTION.format(word) for word in WORDS]
    question = embedder.told(do="query", given=asked)
    bulk = embedder.told(do="bulk", given=[texts])
    return {
        "query_cpu_ms": question["cpu_ms"],
        "query_wall_ms": question["wall_ms"],
        "bulk_cpu_ms": bulk["cpu_ms"],
        "bulk_wall_ms": bulk["wall_ms"],
        "peak_mb": bulk["peak_mb"],
    }


def _starts(
    ways: Sequence[Way], folder: Path, running: dict[str, Running], rounds: int, threads: int
) -> dict[str, float]:
    """The least processor time from nothing to the first answer, over as many new processes as there are rounds."""
    least = {}
    for embedder in running.values():
        embedder.end()
    for _ in range(rounds - 1):
        for way in ways:
            again = way.start(folder, threads)
            running[way.name].start_cpu_ms = min(running[way.name].start_cpu_ms, again.start_cpu_ms)
            again.end()
    for name, embedder in running.items():
        least[name] = round(embedder.start_cpu_ms, 1)
    return least


def _least(turns: Sequence[dict[str, float]], texts: int) -> Row:
    least = {name: min(turn[name] for turn in turns) for name in turns[0]}
    return {
        "query_cpu_ms": round(least["query_cpu_ms"], 1),
        "query_wall_ms": round(least["query_wall_ms"], 1),
        "bulk_per_cpu_second": round(1000 * texts / least["bulk_cpu_ms"], 1),
        "bulk_per_second": round(1000 * texts / least["bulk_wall_ms"], 1),
        "peak_mb": round(max(turn["peak_mb"] for turn in turns), 1),
    }


def _cosine(one: Sequence[float], other: Sequence[float]) -> float:
    lengths = (sum(x * x for x in one) * sum(y * y for y in other)) ** 0.5
    return float(sum(x * y for x, y in zip(one, other, strict=True)) / lengths)


def show(rows: Sequence[Row], threads: int, before: dict[str, object], file: Path | None) -> None:
    print(f"the least of all rounds, in turn, {threads} {'thread' if threads == 1 else 'threads'} each\n")
    print(report.table(rows, HEADINGS))
    report.show_surroundings(before)
    report.keep(file, "embed", {"machine": before, "threads": threads, "embed": list(rows)})
