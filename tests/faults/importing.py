"""A process that imports a folder: it says `ready`, imports, and says what it added."""

from __future__ import annotations

import sys
from pathlib import Path

from memory_layer.model.memory import Writer
from memory_layer.model.vocabulary import WriterKind
from memory_layer.settings import load
from memory_layer.usecases.transfer import bulk_add
from memory_layer.usecases.transfer.import_ import ImportTarget, import_from
from memory_layer.wiring import open_engine


def main(folder: str) -> None:
    bulk_add.BATCH = 20  # many commits, so that a kill falls between two of them
    writer = Writer(name="robot", kind=WriterKind.AGENT, door="python", session="import")
    with open_engine(load(), "python") as engine:
        print("ready", flush=True)
        report = import_from(engine, [Path(folder)], writer, ImportTarget(None, None, chosen=True))
        print(report.added, report.exists, flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
