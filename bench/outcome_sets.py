"""Files of questions, the memories that were used for them, and what happened.

A line is `{"query_id", "query", "memory_id", "memory", "label", "grade", "meta"}`. With `meta.orgq` a file holds forum
threads: one store for each original question, its comments judged for that question ("org") and for their own thread's
("rel"). Without, a file holds the runs of an agent, any number of them: `query_id` is `run:task`, or the task alone if
there is one run, and a line is one use of a memory. Reports of one run are measured on the questions of all others.
"""

from __future__ import annotations

import gzip
import json
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from memory_layer.model.vocabulary import Outcome

GRADES = {2: Outcome.WORKED, 1: Outcome.PARTIAL, 0: Outcome.FAILED}
PLAN = re.compile(r"[^.]*\bplan was to\b[^.]*\.")
FIRST_CHARACTERS = 160

Line = Mapping[str, Any]


class Asked(NamedTuple):
    """A question, and what each memory is worth to it."""

    id: str
    text: str
    verdicts: Mapping[str, tuple[Outcome, ...]]  #: of one memory, all that was ever reported
    relevant: frozenset[str]


class Case(NamedTuple):
    """One store, the questions that are asked and judged, and related ones that are only asked at the end."""

    name: str
    texts: Mapping[str, str]
    asked: tuple[Asked, ...]
    fresh: tuple[Asked, ...]

    def reversed(self) -> Case:
        """Judged is what was fresh, and the other way round."""
        return self._replace(asked=self.fresh, fresh=self.asked)


def cases_in(file: Path) -> list[Case]:
    """The stores of a file, gzipped or not."""
    if not file.is_file():
        raise SystemExit(f"there is no file {file}")
    raw = file.read_bytes()
    text = (gzip.decompress(raw) if file.suffix == ".gz" else raw).decode("utf-8")
    found = [json.loads(line) for line in text.split("\n") if line.strip()]
    if not found:
        raise SystemExit(f"{file} holds no outcomes")
    return list(_threads(found)) if "orgq" in found[0].get("meta", {}) else _runs(found)


def _threads(lines: Iterable[Line]) -> Iterable[Case]:
    stores = defaultdict(list)
    for line in lines:
        stores[line["meta"]["orgq"]].append(line)
    for name, own in stores.items():
        texts = {line["memory_id"]: line["memory"] for line in own}
        questions = [_judged(of, key) for key, of in _grouped(own, "query_id").items()]
        yield Case(
            name,
            texts,
            asked=tuple(each for each in questions if each.id != name),
            fresh=tuple(each for each in questions if each.id == name),
        )


def _judged(lines: list[Line], key: str) -> Asked:
    verdicts = {line["memory_id"]: (GRADES[line["grade"]],) for line in lines}
    good = frozenset(name for name, (verdict,) in verdicts.items() if verdict is Outcome.WORKED)
    return Asked(key, lines[0]["query"], verdicts, good)


def _runs(lines: list[Line]) -> list[Case]:
    """Return a case for each run: its reports are measured in the others, if there are any."""
    texts = {line["memory_id"]: line["memory"] for line in lines}
    by_task: dict[str, list[Line]] = defaultdict(list)
    for line in lines:
        by_task[_run_and_task(line["query_id"])[1]].append(line)
    by_run: dict[str, list[Asked]] = defaultdict(list)
    for key, own in _grouped(lines, "query_id").items():
        run, task = _run_and_task(key)
        by_run[run].append(_tried(key, task, own, by_task[task]))
    return [
        Case(
            _name(run, [other for other in by_run if other != run]),
            texts,
            asked=tuple(asked),
            fresh=tuple(each for other, theirs in by_run.items() if other != run for each in theirs),
        )
        for run, asked in by_run.items()
    ]


def _run_and_task(query_id: str) -> tuple[str, str]:
    run, colon, task = query_id.partition(":")
    return (run, task) if colon else ("", query_id)


def _name(run: str, others: list[str]) -> str:
    target = others[0] if len(others) == 1 else f"{len(others)} others"
    return f"{run} to {target}" if others else run or "all"


def _tried(key: str, task: str, own: list[Line], same_task: list[Line]) -> Asked:
    """The verdicts are those on every memory of the task, whichever run wrote it."""
    verdicts: dict[str, tuple[Outcome, ...]] = defaultdict(tuple)
    for line in same_task:
        verdicts[line["memory_id"]] += (Outcome.WORKED if line["label"] else Outcome.FAILED,)
    good = frozenset(name for name, results in verdicts.items() if Outcome.WORKED in results)
    named = own[0]["query"] != task  # some files have no question, only the task's name again
    text = own[0]["query"] if named else _plan(list(dict.fromkeys(line["memory"] for line in own)))
    return Asked(key, text, verdicts, good)


def _plan(reflections: list[str]) -> str:
    """Return the agent's plan in its own words; the data do not hold the task."""
    found = next(filter(None, map(PLAN.search, reflections)), None)
    return found.group().strip() if found else reflections[0][:FIRST_CHARACTERS]


def _grouped(lines: Iterable[Line], field: str) -> dict[str, list[Line]]:
    groups: dict[str, list[Line]] = defaultdict(list)
    for line in lines:
        groups[line[field]].append(line)
    return groups
