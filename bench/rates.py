"""Measure how many memories a second are stored: one by one, each durable before the next, in batches, by import.

Nothing is embedded, so that the figures are the store's and not the model's. A peer stores the texts of our batches in
a store of the same size, right after us, one by one if it has no call for many.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

from bench import prose, report, sentences, side_by_side, stores
from bench.side_by_side import PRODUCT, Driven
from bench.stopwatch import Lap, timed
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
HEADINGS = {"size": "memories before", "product": "product", **FIGURES}
WRITERS = ("py-memori",)  #: the peers whose drivers can write without vectors
LOADED = 5 * prose.BLOCK  #: texts that a peer gets at once
Row = dict[str, float | int | str]


def main(arguments: Sequence[str]) -> int:
    parser = report.parser("rates", __doc__)
    parser.add_argument("--sizes", default="1000,10000", help="stores to measure at, smallest first")
    parser.add_argument("--singles", type=int, default=500, help="writes measured one by one")
    parser.add_argument("--batches", type=int, default=6, help=f"batches of {BATCH} measured")
    parser.add_argument("--peers", choices=WRITERS, nargs="+", default=(), help="measure these as well")
    parser.add_argument("--peers-folder", type=Path, metavar="FOLDER", help="keep their installations there")
    parser.add_argument(
        "--peer-seconds", type=float, default=1200, help="the most that filling a peer's store may take"
    )
    options = parser.parse_args(arguments)
    before = report.surroundings()
    sizes = sorted(int(size) for size in options.sizes.split(","))
    with tempfile.TemporaryDirectory() as scratch, ExitStack() as stack:
        folder = Path(scratch)
        peers = [
            stack.enter_context(GrowingPeer.installed(name, options.peers_folder or folder, folder))
            for name in options.peers
        ]
        rows = measured(folder, sizes, options.singles, options.batches, peers, options.peer_seconds)
    print(report.table(rows, HEADINGS))
    report.show_surroundings(before)
    report.keep(options.json, "rates", {"machine": before, "batch": BATCH, "rates": rows})
    return 0


class GrowingPeer:
    """A peer's store that is filled to one size after another."""

    def __init__(self, driven: Driven) -> None:
        self._driven = driven
        self._stored = 0
        self._seconds = 0.0

    @classmethod
    def installed(cls, name: str, installations: Path, scratch: Path) -> GrowingPeer:
        module = side_by_side.PEERS[name]
        place = installations.absolute() / module.__name__.rpartition(".")[2]
        python = side_by_side.installed(place, module.PACKAGE)
        if python is None:
            raise SystemExit(f"{module.PACKAGE} could not be installed")
        return cls(Driven(name, python, scratch / name, scratch))

    def __enter__(self) -> GrowingPeer:
        return self

    def __exit__(self, *error: object) -> None:
        self._driven.close()

    def row(self, size: int, texts: Sequence[str], most_seconds: float) -> Row:
        """Measure the texts at that size, or at the one that was reached when the time for filling was over."""
        while self._stored < size and self._seconds < most_seconds:
            count = min(LOADED, size - self._stored)
            self._seconds += self._driven.tell("load", first=self._stored, count=count)["seconds"]
            self._stored += count
        before = self._stored
        lap = Lap(**self._driven.tell("write", texts=texts))
        self._stored += len(texts)
        return {"size": before, "product": self._driven.name, **figures("batch", texts, lap)}


def measured(
    folder: Path,
    sizes: Sequence[int],
    singles: int,
    batches: int,
    peers: Sequence[GrowingPeer] = (),
    peer_seconds: float = 0.0,
) -> list[Row]:
    """Fill one store to each size in turn and measure there, the peers right after."""
    environ = stores.environment(folder, folder / "no-model")
    rows: list[Row] = []
    stored = 0
    with open_engine(stores.settings_of(environ, folder), "python") as engine:
        for size in sizes:
            _note(f"filling to {size:,} memories …")
            stored += len(stores.fill_in_batches(engine, prose.memories(stored, max(0, size - stored))))
            here = Texts.of(stored, singles, batches)
            rows.append({"size": stored, "product": PRODUCT, **paces(engine, here)})
            for peer in peers:
                rows.append(peer.row(stored, here.batched, peer_seconds))
            for row in rows[-1 - len(peers) :]:
                _note(str(row))
            stored += sum(map(len, here))
    return rows


class Texts(NamedTuple):
    """The texts to store, each unlike the others and unlike what was stored before."""

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
    """Measure the storing of texts: one by one, in batches, by import, and short ones in batches."""
    return {
        **pace("singles", texts.singles, lambda these: stores.fill(engine, these)),
        **pace("batch", texts.batched, lambda these: stores.fill_in_batches(engine, these)),
        **pace("import", texts.imported, lambda these: import_all(engine, these)),
        **pace("short", texts.short, lambda these: stores.fill_in_batches(engine, these)),
    }


def pace(part: str, texts: Sequence[str], store: Callable[[Sequence[str]], object]) -> Row:
    _, lap = timed(lambda: store(texts))
    return figures(part, texts, lap)


def figures(part: str, texts: Sequence[str], lap: Lap) -> Row:
    return {
        f"{part}_per_second": round(len(texts) / lap.wall_ms * 1e3),
        f"{part}_cpu_us": round(lap.cpu_ms / len(texts) * 1e3),
    }


def import_all(engine: Engine, texts: Sequence[str]) -> None:
    """Through the use case that takes in what other programs kept."""
    items = [ForeignMemory(where=str(number), draft=Draft(content=text)) for number, text in enumerate(texts)]
    take_in(engine, items, stores.WRITER, lambda item: None, source="bench")


def _note(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
