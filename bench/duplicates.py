"""Measure how often texts that are taken for the same really are, on pairs that people have judged.

A file has one pair a line: {"a": …, "b": …, "label": 1 if both say the same, else 0}. Each pair is stored in a project
of its own, so that only its two texts meet. Counted is what `mem add` asks about, and what `mem consolidate` merges.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from bench import report, stores
from memory_layer.model.memory import Draft, Project
from memory_layer.model.upkeep import Deed
from memory_layer.model.vocabulary import OnDuplicate
from memory_layer.ports import Engine
from memory_layer.usecases.remember.add_many import add_many
from memory_layer.usecases.upkeep.consolidate import consolidate
from memory_layer.wiring import open_engine

#: Whose texts wait for a decision; what somebody chose to keep is never merged.
UNASKED = stores.WRITER._replace(door="hook")

HEADINGS = {
    "file": "pairs",
    "pairs": "of them",
    "same": "say the same",
    "rule": "rule",
    "taken": "taken for the same",
    "right": "rightly",
    "precision": "precision",
    "recall": "recall",
}


class Pair(NamedTuple):
    """Two texts, and what people say of them."""

    one: str
    other: str
    same: bool


class Taken(NamedTuple):
    """The pairs that were taken for the same, by their place in the file."""

    asked: set[int]
    merged: set[int]


def main(arguments: Sequence[str]) -> int:
    parser = report.parser("duplicates", __doc__)
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
    parser.add_argument("--model", type=Path, help="where the embedding model lies")
    options = parser.parse_args(arguments)
    model = options.model or stores.installed_model()
    rows = [row for file in options.files for row in _measured(file, model)]
    print(report.table(rows, HEADINGS))
    report.keep(options.json, "duplicates", {"machine": report.surroundings(), "pairs": rows})
    return 0


def _measured(file: Path, model: Path) -> list[Mapping[str, object]]:
    lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]
    pairs = [Pair(each["a"], each["b"], bool(each["label"])) for each in lines]
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        settings = stores.settings_of(stores.environment(folder, model), folder)
        with open_engine(settings, "python") as engine:
            taken = _taken(engine, pairs)
    return [
        _row(file.stem, pairs, "asked about", taken.asked),
        _row(file.stem, pairs, "merged unasked", taken.merged),
    ]


def _taken(engine: Engine, pairs: Sequence[Pair]) -> Taken:
    """Store every pair beside each other, then tidy the store."""
    asked, place = set[int](), dict[str, int]()
    for number, pair in enumerate(pairs):
        project = Project(f"p{number}", f"bench/{number}", str(number), aliases=(f"bench/{number}",))
        drafts = [Draft(content=text, on_duplicate=OnDuplicate.KEEP) for text in (pair.one, pair.other)]
        first, second = add_many(engine, drafts, UNASKED, project)
        place |= {first.id: number, second.id: number}
        if first.id == second.id or any(each.relation == "similar" for each in second.candidates):
            asked.add(number)
    done = consolidate(engine, UNASKED)
    assert done is not None
    merged = {place[each.memory] for each in done.steps if each.deed is Deed.MERGE and each.memory in place}
    return Taken(asked, merged)


def _row(name: str, pairs: Sequence[Pair], rule: str, taken: set[int]) -> Mapping[str, object]:
    same = sum(pair.same for pair in pairs)
    right = sum(pairs[number].same for number in taken)
    return {
        "file": name,
        "pairs": len(pairs),
        "same": same,
        "rule": rule,
        "taken": len(taken),
        "right": right,
        "precision": round(right / len(taken), 3) if taken else "",
        "recall": round(right / same, 3) if same else "",
    }
