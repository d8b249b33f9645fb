"""Time the first and the second search after an import, in a new process, and say who built the index.

An export of made-up memories is imported through the Python door of each checkout, with its own environment. Vectors
are looked up instead of computed, for the memories and for the questions.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from bench import given, report, sentences, stores
from bench.processes import output_of
from bench.versions import Version
from memory_layer.usecases.transfer.export import export_to_file
from memory_layer.wiring import open_engine

HEADINGS = {
    "version": "version",
    "memories": "memories",
    "import_seconds": "import, s",
    "import_cpu_seconds": "CPU s",
    "first_ms": "first search, ms",
    "first_cpu_ms": "CPU ms",
    "second_ms": "second, ms",
    "second_cpu_ms": "CPU ms",
    "index_built_by": "index built by",
    "index_mb": "index, MB",
}
#: Both scripts begin with it: the model looks up memories by their number and questions by their text.
PREPARED = """
import json, pathlib, re, sys, time
import numpy
import memory_layer
from memory_layer.embed import model
folder = pathlib.Path(sys.argv[1])
stored = numpy.load(folder / "stored.npy", mmap_mode="r")
questions = json.loads((folder / "questions.json").read_text())
asked = dict(zip(questions, numpy.load(folder / "asked.npy")))
class Prepared:
    fingerprint = model.FINGERPRINT
    def knows(self, word):
        return True
    def embed_query(self, text):
        return asked[text]
    def embed_memories(self, texts, progress=None):
        numbers = [int(re.search(r"_0_(\\d+)", text)[1]) for text in texts]
        return [numpy.array(stored[number : number + 1]) for number in numbers]
model.load = lambda folder: Prepared()
model.is_installed = lambda folder: True
def timed(work):
    wall, cpu = time.perf_counter(), time.process_time()
    result = work()
    return result, (time.perf_counter() - wall) * 1000, (time.process_time() - cpu) * 1000
"""
IMPORT = f"""{PREPARED}
with memory_layer.open() as memory:
    _, wall, cpu = timed(lambda: memory.import_(folder / "export.jsonl"))
print(json.dumps(dict(import_seconds=wall / 1000, import_cpu_seconds=cpu / 1000)))
"""
#: A search in a store of three loads what is loaded late.
SEARCH = f"""{PREPARED}
with memory_layer.open(sys.argv[2]) as small:
    small.add_many(json.loads((folder / "small.json").read_text()))
    small.search(questions[0], peek=True)
memory = memory_layer.open()
found, first, first_cpu = timed(lambda: memory.search(questions[1], peek=True))
_, second, second_cpu = timed(lambda: memory.search(questions[2], peek=True))
memory.close()
print(json.dumps(dict(
    mode=found.mode, hits=len(found.hits),
    first_ms=first, first_cpu_ms=first_cpu, second_ms=second, second_cpu_ms=second_cpu,
)))
"""


def main(arguments: Sequence[str]) -> int:
    parser = report.parser("after-import", __doc__)
    parser.add_argument("checkouts", type=Path, nargs="*", metavar="CHECKOUT", help="default: this one")
    parser.add_argument("--memories", type=int, default=100_000, help="memories that are imported")
    options = parser.parse_args(arguments)
    roots = [each.absolute() for each in options.checkouts] or [Path(__file__).parents[1]]
    versions = [Version(root.name, root) for root in roots]
    for version in versions:
        if not Path(version.python).exists():
            parser.error(f"there is no environment in {version.root}; `make model` there sets it up")
    before = report.surroundings()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        prepare(folder, options.memories)
        rows = [
            {"version": version.name, "memories": options.memories, **measured(version, folder, number)}
            for number, version in enumerate(versions)
        ]
    print(report.table(rows, HEADINGS))
    report.show_surroundings(before)
    report.keep(options.json, "after-import", {"machine": before, "rows": rows})
    return 0


def prepare(folder: Path, memories: int) -> None:
    """Write the export without vectors, and the vectors beside it."""
    texts = sentences.memories(memories)
    settings = stores.settings_of(stores.environment(folder, folder / "no-model"), folder)
    with open_engine(settings, "python") as engine:
        stores.fill_in_batches(engine, texts)
        export_to_file(engine, folder / "export.jsonl")
    cloud = given.cloud(None)
    np.save(folder / "stored.npy", np.concatenate(list(given.blocks(cloud, memories))))
    questions = list(dict.fromkeys(sentences.questions(12)))[:3]
    np.save(folder / "asked.npy", cloud.asked(len(questions)))
    (folder / "questions.json").write_text(json.dumps(questions), encoding="utf-8")
    (folder / "small.json").write_text(json.dumps(texts[:3]), encoding="utf-8")


def measured(version: Version, prepared: Path, number: int) -> dict[str, object]:
    """Import with one version, and search in a new process of it."""
    folder = prepared / str(number)
    folder.mkdir()
    environ = stores.environment(folder, folder / "no-model")
    index = Path(f"{stores.settings_of(environ, folder).database_path}-index")
    importing = json.loads(output_of([version.python, "-c", IMPORT, str(prepared)], environ, folder))
    imported = _files(index)
    said = output_of([version.python, "-c", SEARCH, str(prepared), str(folder / "small.db")], environ, folder)
    searched = _files(index)
    figures = importing | json.loads(said)
    return {
        **{name: round(each, 1) if isinstance(each, float) else each for name, each in figures.items()},
        "index_built_by": built_by(imported, searched),
        "index_mb": round(sum(size for size, _ in searched.values()) / 1e6, 1),
    }


def built_by(imported: dict[str, tuple[int, int]], searched: dict[str, tuple[int, int]]) -> str:
    """Say who made the files of the index, by what was there before the search and after it."""
    if not searched:
        return "nobody"
    if not imported:
        return "the search"
    return "the import" if imported == searched else "both"


def _files(folder: Path) -> dict[str, tuple[int, int]]:
    """Return size and time of change of each file below a folder."""
    files = (each for each in folder.rglob("*") if each.is_file())
    return {str(each.relative_to(folder)): (each.stat().st_size, each.stat().st_mtime_ns) for each in files}
