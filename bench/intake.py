"""Measure an import of many rules: its time, what becomes of them, and that a second run adds nothing.

DIR holds rules files, or `memories.jsonl[.gz]` with one rule a line ({"text", "meta": {"file", "heading"}}), from
which the files are written anew into a throw-away folder.
"""

from __future__ import annotations

import gzip
import json
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from bench import report, stores
from memory_layer.model.imports import ImportReport
from memory_layer.ports import Engine
from memory_layer.usecases.transfer.import_ import ImportTarget, import_from
from memory_layer.wiring import open_engine

HEADINGS = {
    "run": "run",
    "seconds": "seconds",
    "per_second": "memories/s",
    "read": "read",
    "added": "added",
    "exists": "known",
    "similar": "similar",
    "conflicts": "conflicts",
    "staged": "staged",
    "skipped": "skipped",
}
LISTS = ("memories.jsonl", "memories.jsonl.gz")


def main(arguments: Sequence[str]) -> int:
    parser = report.parser("intake", __doc__)
    parser.add_argument("folder", type=Path, metavar="DIR")
    parser.add_argument("--no-model", action="store_true", help="measure without embedding")
    options = parser.parse_args(arguments)
    before = report.surroundings()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        model = folder / "no-model" if options.no_model else stores.installed_model()
        rules = written(options.folder, folder / "rules")
        environ = stores.environment(folder, model)
        with open_engine(stores.settings_of(environ, folder), "python") as engine:
            if not options.no_model:
                engine.embedder()
            rows = [run(engine, rules, name) for name in ("dry run", "first", "second")]
    print(report.table(rows, HEADINGS))
    report.show_surroundings(before)
    report.keep(options.json, "intake", {"machine": before, "runs": rows})
    return 0


def run(engine: Engine, rules: Path, name: str) -> dict[str, object]:
    """Import the folder once through the shipped use case."""
    begun = time.perf_counter()
    done = import_from(
        engine, [rules], stores.WRITER, ImportTarget(None, None, chosen=True), dry_run=name == "dry run"
    )
    seconds = time.perf_counter() - begun
    return {"run": name, "seconds": round(seconds, 2), **figures(done, seconds)}


def figures(done: ImportReport, seconds: float) -> dict[str, object]:
    stored = done.added + done.exists
    return {
        "per_second": round(stored / seconds),
        "read": done.read,
        "added": done.added,
        "exists": done.exists,
        "similar": done.similar,
        "conflicts": done.conflicts,
        "staged": done.staged,
        "skipped": len(done.skipped),
    }


def written(folder: Path, target: Path) -> Path:
    """The folder itself, or the files that its list of rules was made from, with headings and bullets."""
    for name in LISTS:
        if (folder / name).exists():
            for line in lines(folder / name):
                _append(line, target)
            return target
    return folder


def lines(file: Path) -> Iterator[dict[str, Any]]:
    content = file.read_bytes()
    plain = gzip.decompress(content) if file.suffix == ".gz" else content
    yield from map(json.loads, plain.decode("utf-8").splitlines())


def _append(line: dict[str, Any], target: Path) -> None:
    file = target / line["meta"]["file"]
    file.parent.mkdir(parents=True, exist_ok=True)
    heading = f"\n## {line['meta']['heading']}\n\n" if line["meta"].get("heading") else "\n---\n\n"
    known = file.read_text(encoding="utf-8") if file.exists() else ""
    same = known.rpartition("\n## ")[2].partition("\n")[0] == line["meta"].get("heading")
    with file.open("a", encoding="utf-8") as out:
        out.write(f"{'' if known and same else heading}- {line['text']}\n")
