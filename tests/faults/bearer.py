"""A process that imports or exports a file: it says `ready`, does it, says `done`, and waits to be killed."""

from __future__ import annotations

import sys
from pathlib import Path

from memory_layer.model.memory import Writer
from memory_layer.model.vocabulary import WriterKind
from memory_layer.settings import load
from memory_layer.usecases.transfer.export import export_to_file
from memory_layer.usecases.transfer.import_export import import_export
from memory_layer.wiring import open_engine

verb, file = sys.argv[1], Path(sys.argv[2])
with open_engine(load(), "python") as engine:
    print("ready", flush=True)
    if verb == "import":
        import_export(engine, file, Writer("keeper", WriterKind.PERSON, "cli", "carrying", confirmed=True))
    else:
        export_to_file(engine, file, vectors=True)
    print("done", flush=True)
    sys.stdin.readline()
