"""How often texts that the rules take for the same really say the same, on pairs that people have judged.

A file has one pair a line: {"a": …, "b": …, "label": 1 if both say the same, else 0}. Two rules are measured as they
are shipped: what `mem add` asks about and `mem consolidate` puts up for review, and what the latter merges unasked.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from bench import report, stores
from memory_layer.embed import model
from memory_layer.model.memory import Memory
from memory_layer.policy import duplicates, upkeep

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
AT = datetime(2026, 1, 1, tzinfo=UTC)
AT_ONCE = 256


class Judged(NamedTuple):
    """Two texts, how close their vectors lie, and what people say of them."""

    one: Memory
    other: Memory
    cosine: float
    same: bool


def main(arguments: Sequence[str]) -> int:
    parser = report.parser("duplicates", __doc__)
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
    parser.add_argument("--model", type=Path, help="where the embedding model lies")
    options = parser.parse_args(arguments)
    folder = options.model or stores.installed_model()
    rows = [row for file in options.files for row in _measured(file.stem, list(_read(file, folder)))]
    print(report.table(rows, HEADINGS))
    report.keep(options.json, "duplicates", {"machine": report.surroundings(), "pairs": rows})
    return 0


def _read(file: Path, folder: Path) -> Iterator[Judged]:
    """The pairs of a file whose texts are of one passage each; others are never compared by vectors."""
    embedder = model.load(folder)
    lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]
    for start in range(0, len(lines), AT_ONCE):
        some = lines[start : start + AT_ONCE]
        vectors = embedder.embed_memories([each[side] for each in some for side in ("a", "b")])
        for each, a, b in zip(some, vectors[::2], vectors[1::2], strict=True):
            if len(a) == len(b) == 1:
                pair = (_memory(each["a"], 1), _memory(each["b"], 2))
                yield Judged(*pair, float(a[0] @ b[0]), bool(each["label"]))


def _memory(text: str, number: int) -> Memory:
    return Memory(id=f"mem_{number}", content=text, content_hash="", created_at=AT, updated_at=AT)


def _measured(name: str, pairs: Sequence[Judged]) -> list[Mapping[str, object]]:
    same = sum(pair.same for pair in pairs)
    rules = {"asked about, or put up for review": _alike, "merged unasked": _sure}
    rows: list[Mapping[str, object]] = []
    for rule, holds in rules.items():
        taken = [pair for pair in pairs if holds(pair)]
        right = sum(pair.same for pair in taken)
        rows.append(
            {
                "file": name,
                "pairs": len(pairs),
                "same": same,
                "rule": rule,
                "taken": len(taken),
                "right": right,
                "precision": round(right / len(taken), 3) if taken else "",
                "recall": round(right / same, 3) if same else "",
            }
        )
    return rows


def _alike(pair: Judged) -> bool:
    return upkeep.nearly_the_same(pair.one, pair.other, pair.cosine, duplicates.SIMILAR_ABOVE)


def _sure(pair: Judged) -> bool:
    exact = upkeep.says_the_same(pair.one, pair.other)
    return _alike(pair) and (exact or upkeep.surely_the_same(pair.one, pair.other, pair.cosine))
