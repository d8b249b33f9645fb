"""Measure what a write says about the known memories that it repeats, replaces or contradicts.

A store holds a project's memories and the first text of each of its pairs. Each second text is learned by an agent,
judged, and undone before the next one; then the memories of the other projects, which have nothing to do with it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from bench import report
from bench.agent_sets import LABELS, Pair, Project
from bench.project_store import Desk, load, open_desk

if TYPE_CHECKING:
    from datetime import datetime

    from memory_layer.model.memory import Added
    from memory_layer.ports import Embedder

CLOSE = "close"
RELATIONS = ("similar", "conflicts", CLOSE)


class Learned(NamedTuple):
    """A pair, and the answer to learning its second text."""

    pair: Pair
    known: str  #: the id of the first text
    answer: Added

    @property
    def relation(self) -> str:
        """Return how the answer relates the first text to the second; empty if it does not name it."""
        return next((each.relation for each in self.answer.candidates if each.id == self.known), "")


class Measured(NamedTuple):
    """The answers in one project: to its pairs, and to the memories of other projects."""

    project: str
    learned: list[Learned]
    unrelated: list[Added]


def measured(
    project: Project, others: Sequence[Project], embedder: Embedder | None, folder: Path, today: datetime
) -> Measured:
    """Store a project with its pairs and learn what follows."""
    with open_desk(folder, today, embedder) as desk:
        load(desk, project)
        desk.clock.time = today
        memories = desk.memories()
        known = [memories.add(pair.a, on_duplicate="keep").id for pair in project.pairs]
        learned = [
            Learned(pair, one, _learned(desk, pair.b)) for pair, one in zip(project.pairs, known, strict=True)
        ]
        unrelated = [
            _learned(desk, memory.content)
            for other in others
            for memory in other.memories
            if memory.tier == "semantic"
        ]
    return Measured(project.name, learned, unrelated)


def _learned(desk: Desk, text: str) -> Added:
    """Learn one text as an agent would, and take it back."""
    memories = desk.memories()
    answer = memories.add(text)
    if answer.status != "exists":
        memories.undo()
    return answer


def figures(found: Sequence[Measured]) -> dict[str, Any]:
    """Return a row for each project and label, one for its unrelated memories, and every answer."""
    return {
        "pairs": [row for one in found for row in _label_rows(one)],
        "unrelated": [_unrelated_row(one) for one in found if one.unrelated],
        "pair_answers": [_answer_row(one.project, each) for one in found for each in one.learned],
    }


def _label_rows(one: Measured) -> list[dict[str, Any]]:
    rows = []
    for label in LABELS:
        of_label = [each for each in one.learned if each.pair.label == label]
        relations = Counter(each.relation for each in of_label)
        if of_label:
            named = len(of_label) - relations[""]
            rows.append(
                {
                    "set": one.project,
                    "label": label,
                    "pairs": len(of_label),
                    "named": named,
                    "share": named / len(of_label),
                    **{relation: relations[relation] for relation in RELATIONS},
                    "shown": sum(len(each.answer.candidates) for each in of_label) / len(of_label),
                    "blocked": sum(each.answer.status != "created" for each in of_label),
                }
            )
    return rows


def _unrelated_row(one: Measured) -> dict[str, Any]:
    counts = [len(answer.candidates) for answer in one.unrelated]
    relations = Counter(each.relation for answer in one.unrelated for each in answer.candidates)
    return {
        "set": one.project,
        "memories": len(counts),
        "shown": sum(counts) / len(counts),
        "silent": counts.count(0) / len(counts),
        **{relation: relations[relation] for relation in RELATIONS},
    }


def _answer_row(project: str, each: Learned) -> dict[str, Any]:
    place = [candidate.id for candidate in each.answer.candidates]
    return {
        "set": project,
        **each.pair._asdict(),
        "status": each.answer.status,
        "relation": each.relation,
        "place": place.index(each.known) + 1 if each.known in place else 0,
        "shown": len(place),
    }


def show(found: dict[str, Any]) -> None:
    """Print the tables for people."""
    counted = {"similar": "as similar", "conflicts": "as a contradiction", CLOSE: "as close"}
    headings = {
        "set": "set",
        "label": "pairs",
        "pairs": "of them",
        "named": "first text named",
        "share": "share",
    }
    print("\nlearning the second text of a pair: is the first one named?")
    shown = {"shown": "candidates shown", "blocked": "not created"}
    print(report.table(found["pairs"], headings | counted | shown))
    if found["unrelated"]:
        print("\nlearning the memories of another project")
        headings = {
            "set": "set",
            "memories": "memories",
            "shown": "candidates shown",
            "silent": "without any",
        }
        print(report.table(found["unrelated"], headings | counted))
