"""How well what people say in passing is told from what they do not mean to last, on messages that were labelled.

A file has one message a line: {"text": …, "half": "development" or "test", "keep": [{"category": …, "says": …}]}.
Something noticed is right if a label of the message has its category, seven tenths of the label's words are in it, and
they are half of its own or more. `--turns` counts on how many turns of ordinary chat anything is noticed at all.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from bench import report
from memory_layer.model.capture import Noticed
from memory_layer.usecases.remember.capture import noticed

HALVES = ("development", "test", "fresh")
MOST_OF_THE_LABEL, HALF_OF_ITS_OWN = 0.7, 0.5
HEADINGS = {
    "half": "half",
    "kind": "kind",
    "messages": "messages",
    "labelled": "labelled",
    "noticed": "noticed",
    "right": "right",
    "precision": "precision",
    "recall": "recall",
    "firing": "firing rate",
}
_WORD = re.compile(r"[\w']+")
Row = dict[str, object]


class Score(NamedTuple):
    """By category: how many were labelled, noticed, and noticed rightly."""

    messages: int
    fired: int
    labelled: Counter[str]
    noticed: Counter[str]
    right: Counter[str]

    @property
    def precision(self) -> float:
        return self.right.total() / self.noticed.total() if self.noticed else 1.0

    @property
    def recall(self) -> float:
        return self.right.total() / self.labelled.total() if self.labelled else 1.0


def main(arguments: Sequence[str]) -> int:
    parser = report.parser("capture", __doc__)
    parser.add_argument("file", type=Path, metavar="FILE")
    parser.add_argument("--turns", type=Path, metavar="FOLDER", help="a set of chat turns (corpus.jsonl)")
    parser.add_argument("--wrong", action="store_true", help="show what the development half gets wrong")
    options = parser.parse_args(arguments)
    lines = read(options.file)
    rows = [
        row for half in HALVES for row in _rows(half, score([each for each in lines if each["half"] == half]))
    ]
    print(report.table(rows, HEADINGS))
    if options.wrong:
        _show_wrong([each for each in lines if each["half"] == HALVES[0]])
    figures: dict[str, object] = {"machine": report.surroundings(), "halves": rows}
    if options.turns:
        figures["turns"] = turns = _turns(options.turns)
        print(f"{turns['fired']:,} of {turns['turns']:,} turns: {turns['share']:.2%}, {turns['kinds']}")
    report.keep(options.json, "capture", figures)
    return 0


def read(file: Path) -> list[Mapping[str, Any]]:
    """The labelled messages of a file."""
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]


def score(lines: Sequence[Mapping[str, Any]]) -> Score:
    """What is noticed in each message, beside its labels."""
    sums = Score(len(lines), 0, Counter(), Counter(), Counter())
    fired = 0
    for line in lines:
        found, open_labels = noticed(line["text"]), list(line["keep"])
        fired += bool(found)
        sums.labelled.update(label["category"] for label in open_labels)
        for each in found:
            sums.noticed[each.category.value] += 1
            label = next((label for label in open_labels if fits(each, label)), None)
            if label is not None:
                open_labels.remove(label)
                sums.right[each.category.value] += 1
    return sums._replace(fired=fired)


def fits(found: Noticed, label: Mapping[str, str]) -> bool:
    """Whether something noticed is what a label asks for."""
    own, asked = set(_WORD.findall(found.content.lower())), set(_WORD.findall(label["says"].lower()))
    common = len(own & asked)
    near = common >= MOST_OF_THE_LABEL * len(asked) and common >= HALF_OF_ITS_OWN * len(own)
    return near and found.category.value == label["category"]


def _rows(half: str, sums: Score) -> list[Row]:
    kinds = sorted(sums.labelled | sums.noticed)
    rows = [_row(half, kind, sums.labelled[kind], sums.noticed[kind], sums.right[kind]) for kind in kinds]
    whole = _row(half, "all", sums.labelled.total(), sums.noticed.total(), sums.right.total())
    firing = round(sums.fired / sums.messages, 3) if sums.messages else 0.0
    return [*rows, whole | {"messages": sums.messages, "firing": firing}]


def _row(half: str, kind: str, labelled: int, found: int, right: int) -> Row:
    return {
        "half": half,
        "kind": kind,
        "labelled": labelled,
        "noticed": found,
        "right": right,
        "precision": round(right / found, 3) if found else "",
        "recall": round(right / labelled, 3) if labelled else "",
    }


def _show_wrong(lines: Sequence[Mapping[str, Any]]) -> None:
    for line in lines:
        found = noticed(line["text"])
        strange = [each for each in found if not any(fits(each, label) for label in line["keep"])]
        missed = [label for label in line["keep"] if not any(fits(each, label) for each in found)]
        for each in strange:
            print(f"not asked for: [{each.category.value}] {each.content!r} in {line['text'][:100]!r}")
        for label in missed:
            print(f"missed: [{label['category']}] {label['says']!r} in {line['text'][:100]!r}")


def _turns(folder: Path) -> dict[str, Any]:
    """On how many turns anything is noticed; a turn begins with its speaker's name."""
    texts = [json.loads(line)["text"] for line in (folder / "corpus.jsonl").read_text("utf-8").splitlines()]
    found = [noticed(text.partition(": ")[2]) for text in texts]
    fired = sum(map(bool, found))
    kinds = Counter(each.cue for turn in found for each in turn)
    return {
        "turns": len(texts),
        "fired": fired,
        "share": fired / len(texts),
        "kinds": dict(kinds.most_common()),
    }
