"""Measure what is concluded, unreported, about the memories that a session was given, on labelled sessions.

A file has one session a line: {"id", "agent", "kind", "memories": [{"id", "category", "content"}], "steps": [{"give":
{"how", "memories": [ids]}} or {"event", "payload"}], "labels": [{"memory", "result", "evidence", "attributable",
"why"}]}. The events are read as the hook reads them. A conclusion is right if its label has the same result; only
labels that can be attributed count as something to find.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

from bench import report
from memory_layer.doors.hook.event import read_event, step_of
from memory_layer.model.memory import Memory
from memory_layer.model.steps import SeenOutcome, ShownMemory, Step
from memory_layer.model.vocabulary import Category
from memory_layer.usecases.learn.session import conclude

_START = datetime(2026, 1, 1, tzinfo=UTC)
_LONGEST = 4_000  #: characters kept of an output
_HEADINGS = {
    "group": "",
    "found": "found",
    "right": "right",
    "to_find": "to find",
    "precision": "precision",
    "recall": "recall",
}
#: Names of agents in files of sessions that the hook calls differently.
_AGENTS = {"claude": "claude-code"}


class Judged(NamedTuple):
    """A memory of a session with its label and what was concluded about it."""

    session: Mapping[str, Any]
    label: Mapping[str, Any]
    found: SeenOutcome | None

    @property
    def to_find(self) -> bool:
        return bool(self.label["attributable"]) and self.label["result"] != "none"

    @property
    def right(self) -> bool:
        return self.found is not None and self.found.result.value == self.label["result"]


def main(arguments: Sequence[str]) -> int:
    parser = report.parser("seen", __doc__)
    parser.add_argument("files", type=Path, metavar="FILE", nargs="+")
    parser.add_argument("--verbose", action="store_true", help="show what was concluded wrongly or missed")
    options = parser.parse_args(arguments)
    lines = [line for file in options.files for line in file.read_text("utf-8").splitlines() if line.strip()]
    judged = [each for line in lines for each in judge(json.loads(line))]
    rows = list(measure(judged))
    print(report.table(rows, _HEADINGS))
    if options.verbose:
        _show_wrong(judged)
    report.keep(options.json, "seen", {"machine": report.surroundings(), "rows": rows})
    return 0


def judge(session: Mapping[str, Any]) -> list[Judged]:
    """Conclude from the steps of a session, and put each label beside what was concluded."""
    steps, shown = read_session(session)
    found = {each.memory: each for each in conclude(steps, shown=shown).outcomes}
    labels = {label["memory"]: label for label in session["labels"]}
    unlabelled = {"result": "none", "evidence": "none", "attributable": False, "why": "no label"}
    return [
        Judged(session, labels.get(each["id"], {"memory": each["id"], **unlabelled}), found.get(each["id"]))
        for each in session["memories"]
    ]


def read_session(session: Mapping[str, Any]) -> tuple[list[Step], list[ShownMemory]]:
    """Read the events of a session, a second apart, as steps and as memories that it was given."""
    known = {each["id"]: _memory(each) for each in session["memories"]}
    steps, shown = list[Step](), list[ShownMemory]()
    for number, entry in enumerate(session["steps"]):
        at = _START + timedelta(seconds=number)
        if give := entry.get("give"):
            shown += [ShownMemory(known[each], at) for each in give["memories"]]
            continue
        agent = _AGENTS.get(session["agent"], session["agent"])
        event = read_event(agent, entry["event"], json.dumps(entry["payload"]).encode(), {})
        if event and (step := step_of(event, at)):
            steps.append(step._replace(text=step.text[-_LONGEST:]))
    return steps, shown


def _memory(entry: Mapping[str, Any]) -> Memory:
    category = entry["category"]
    known = Category(category) if category in set(Category) else Category.GENERAL
    return Memory(entry["id"], entry["content"], "", _START, _START, category=known)


def measure(judged: Sequence[Judged]) -> Iterator[dict[str, object]]:
    """Yield the figures of all memories, then by evidence, by result and by agent."""
    yield _row("all", judged)
    for name in ("evidence", "result"):
        for value in sorted({each.label[name] for each in judged if each.to_find}):
            yield _row(
                f"{name} {value}", [each for each in judged if each.label[name] == value], precise=False
            )
    for kind in sorted({each.found.kind for each in judged if each.found}):
        yield _row(
            f"concluded by {kind}",
            [each for each in judged if each.found and each.found.kind is kind],
            recalls=False,
        )
    for agent in sorted({each.session["agent"] for each in judged}):
        yield _row(f"agent {agent}", [each for each in judged if each.session["agent"] == agent])


def _row(
    group: str, judged: Sequence[Judged], *, precise: bool = True, recalls: bool = True
) -> dict[str, object]:
    found = sum(each.found is not None for each in judged)
    right = sum(each.right for each in judged)
    to_find = sum(each.to_find for each in judged)
    hits = sum(each.right and each.to_find for each in judged)
    shares = {"precision": right / found if found else 0.0} if precise else {}
    shares |= {"recall": hits / to_find if to_find else 0.0} if recalls else {}
    return {"group": group, "found": found, "right": right, "to_find": to_find, **shares}


def _show_wrong(judged: Sequence[Judged]) -> None:
    for each in judged:
        where = f"{each.session['id']} {each.session['agent']} {each.label['memory']}"
        label = f"{each.label['result']} ({each.label['evidence']}): {each.label['why']}"
        if each.found and not each.right:
            concluded = f"{each.found.result.value} by {each.found.kind}: {each.found.evidence}"
            print(f"wrong   {where}: {concluded}\n        label {label}")
        elif each.to_find and not each.found:
            print(f"missed  {where}: {label}")
