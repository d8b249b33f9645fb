"""How many memories a second can be stored: one by one, each durable before the next, in batches, and by import.

Nothing is embedded, so that the figures are the store's and not the model's.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from bench import prose, report, sentences, stores
from bench.stopwatch import timed
from memory_layer.model.imports import ForeignMemory
from memory_layer.model.memory import Draft
from memory_layer.ports import Engine
from memory_layer.usecases.transfer.bulk_add import BATCH, take_in
from memory_layer.wiring import open_engine

PARTS = {
    "singles": "single writes",
    "batch": "in batches",
    "import": "by import",
    "short": "in batches, of twenty words",
}
#: Of each part the memories a second on the clock, and what one of them takes of the processor.
FIGURES = {f"{part}_per_second": f"{says}/s" for part, says in PARTS.items()} | {
    f"{part}_cpu_us": f"CPU µs, {says}" for part, says in PARTS.items()
}
HEADINGS = {"size": "memories before", **FIGURES}
Row = dict[str, float | int]


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


def measured(folder: Path, sizes: Sequence[int], singles: int, batches: int) -> list[Row]:
    """Fill one store to each size in turn and measure there."""
    environ = stores.environment(folder, folder / "no-model")
    rows: list[Row] = []
    stored = 0
    with open_engine(stores.settings_of(environ, folder), "python") as engine:
        for size in sizes:
            stored += len(stores.fill_in_batches(engine, prose.memories(stored, max(0, size - stored))))
            here = Texts.of(stored, singles, batches)
            rows.append({"size": stored, **paces(engine, here)})
            stored += sum(map(len, here))
    return rows


class Texts(NamedTuple):
    """What is stored to measure with; none is alike to another, or to what was there before."""

    singles: list[str]
    batched: list[str]
    imported: list[str]
    short: list[str]

    @classmethod
    def of(cls, first: int, singles: int, batches: int) -> Texts:
        """Memories of about sixty words from that number on, so many batches of each kind, and short ones."""
        long = prose.memories(first, singles + 2 * BATCH * batches)
        short = sentences.memories(BATCH * batches, seed=first)
        return cls(long[:singles], long[singles::2], long[singles + 1 :: 2], short)


def paces(engine: Engine, texts: Texts) -> Row:
    """How fast they are stored: one by one, in batches, by import, and short ones in batches."""
    return {
        **pace("singles", texts.singles, lambda these: stores.fill(engine, these)),
        **pace("batch", texts.batched, lambda these: stores.fill_in_batches(engine, these)),
        **pace("import", texts.imported, lambda these: import_all(engine, these)),
        **pace("short", texts.short, lambda these: stores.fill_in_batches(engine, these)),
    }


def pace(part: str, texts: Sequence[str], store: Callable[[Sequence[str]], object]) -> Row:
    _, lap = timed(lambda: store(texts))
    return {
        f"{part}_per_second": round(len(texts) / lap.wall_ms * 1e3),
        f"{part}_cpu_us": round(lap.cpu_ms / len(texts) * 1e3),
    }


def import_all(engine: Engine, texts: Sequence[str]) -> None:
    """Through the use case that takes in what other programs kept."""
    items = [ForeignMemory(where=str(number), draft=Draft(content=text)) for number, text in enumerate(texts)]
    take_in(engine, items, stores.WRITER, lambda item: None, source="bench")
