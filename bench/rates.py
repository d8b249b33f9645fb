"""How many memories a second can be stored: one by one, each durable before the next, in batches, and by
import.

Nothing is embedded, so that the figures are the store's and not the model's.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from bench import report, sentences, stores
from memory_layer.model.intake import Item
from memory_layer.model.memory import Draft
from memory_layer.ports import Engine
from memory_layer.usecases.intake import take_in
from memory_layer.wiring import open_engine

BATCH = 500
HEADINGS = {
    "size": "memories before",
    "singles_per_second": "single writes/s",
    "batch_per_second": "in batches/s",
    "import_per_second": "by import/s",
}


def main(arguments: Sequence[str]) -> int:
    parser = report.parser("rates", __doc__)
    parser.add_argument("--sizes", default="1000,10000", help="stores to measure at, smallest first")
    parser.add_argument("--singles", type=int, default=500, help="writes measured one by one")
    parser.add_argument("--batches", type=int, default=6, help=f"batches of {BATCH} measured")
    options = parser.parse_args(arguments)
    before = report.surroundings()
    sizes = sorted(int(size) for size in options.sizes.split(","))
    with tempfile.TemporaryDirectory() as scratch:
        rows = measured(Path(scratch), sizes, options.singles, options.batches)
    print(report.table(rows, HEADINGS))
    report.show_surroundings(before)
    report.keep(options.json, "rates", {"machine": before, "batch": BATCH, "rates": rows})
    return 0


def measured(folder: Path, sizes: Sequence[int], singles: int, batches: int) -> list[dict[str, float | int]]:
    """Fill one store to each size in turn and measure there."""
    environ = stores.environment(folder, folder / "no-model")
    texts = iter(sentences.memories(max(sizes) + len(sizes) * (singles + 2 * BATCH * batches)))
    rows: list[dict[str, float | int]] = []
    stored = 0
    with open_engine(stores.settings_of(environ, folder), "python") as engine:
        for size in sizes:
            stored += len(stores.fill(engine, [next(texts) for _ in range(size - stored)], BATCH))
            one_by_one = rate(engine, [next(texts) for _ in range(singles)], 1)
            in_batches = rate(engine, [next(texts) for _ in range(BATCH * batches)], BATCH)
            by_import = import_rate(engine, [next(texts) for _ in range(BATCH * batches)])
            rows.append(
                {
                    "size": stored,
                    "singles_per_second": round(one_by_one),
                    "batch_per_second": round(in_batches),
                    "import_per_second": round(by_import),
                }
            )
            stored += singles + 2 * BATCH * batches
    return rows


def rate(engine: Engine, texts: Sequence[str], per_commit: int) -> float:
    """Memories a second."""
    begun = time.perf_counter()
    stores.fill(engine, texts, per_commit)
    return len(texts) / (time.perf_counter() - begun)


def import_rate(engine: Engine, texts: Sequence[str]) -> float:
    """Memories a second through the use case that takes in many at once."""
    items = [Item(where=str(number), draft=Draft(content=text)) for number, text in enumerate(texts)]
    begun = time.perf_counter()
    take_in(engine, items, stores.WRITER, lambda item: None, source="bench")
    return len(texts) / (time.perf_counter() - begun)
