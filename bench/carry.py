"""Measure how many memories a second are exported, restored into an empty store, and added to a filled one.

Nothing is embedded, so that the figures are those of reading, checking and writing.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path

from bench import report, sentences, stores
from memory_layer.model.memory import Draft, Writer
from memory_layer.model.vocabulary import WriterKind
from memory_layer.ports import Engine
from memory_layer.usecases.remember.add import add
from memory_layer.usecases.transfer.export import export_to_file
from memory_layer.usecases.transfer.import_export import import_export
from memory_layer.wiring import open_engine

HEADINGS = {
    "size": "memories",
    "megabytes": "file, MB",
    "export_per_second": "export/s",
    "restore_per_second": "restored by a person/s",
    "agent_per_second": "restored by an agent/s",
    "add_per_second": "added/s",
}
PERSON = Writer(name="bench", kind=WriterKind.PERSON, door="python", session="bench")
AGENT = PERSON._replace(kind=WriterKind.AGENT)


def main(arguments: Sequence[str]) -> int:
    parser = report.parser("carry", __doc__)
    parser.add_argument("--sizes", default="10000,100000", help="stores to carry")
    options = parser.parse_args(arguments)
    before = report.surroundings()
    rows = [measured(int(size)) for size in options.sizes.split(",")]
    print(report.table(rows, HEADINGS))
    report.show_surroundings(before)
    report.keep(options.json, "carry", {"machine": before, "carry": rows})
    return 0


def measured(size: int) -> dict[str, float | int]:
    """Fill a store, write it to a file, and bring that into three others."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        file = folder / "all.jsonl"
        with store_in(folder / "first") as engine:
            stores.fill_in_batches(engine, sentences.memories(size))
            exporting = seconds(lambda: export_to_file(engine, file))
        with store_in(folder / "person") as engine:
            restoring = seconds(lambda: import_export(engine, file, PERSON))
        with store_in(folder / "agent") as engine:
            by_agent = seconds(lambda: import_export(engine, file, AGENT))
        with store_in(folder / "used") as engine:
            add(engine, Draft(content="This store is in use"), AGENT)
            adding = seconds(lambda: import_export(engine, file, AGENT))
        return {
            "size": size,
            "megabytes": round(file.stat().st_size / 1e6, 1),
            "export_per_second": round(size / exporting),
            "restore_per_second": round(size / restoring),
            "agent_per_second": round(size / by_agent),
            "add_per_second": round(size / adding),
        }


def store_in(folder: Path) -> AbstractContextManager[Engine]:
    folder.mkdir()
    return open_engine(stores.settings_of(stores.environment(folder, folder / "no-model"), folder), "python")


def seconds(work: Callable[[], object]) -> float:
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun
