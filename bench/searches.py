"""Measure the shipped search in a warm process: its time, the parts of it, and the accuracy of its vectors."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from importlib import import_module
from unittest import mock

from bench import prose, stores
from bench.filled import PROJECT_STEP, SHARES, TAG_STEP, passing, project_filter, tag_filter
from bench.prose import Question
from bench.stopwatch import NOTHING, Lap, Stopwatch, figures, percentile, timed
from memory_layer.model.query import Filters, Found, Mode, Query
from memory_layer.ports import Engine
from memory_layer.usecases.recall.search import search

Row = dict[str, float | int | str]

WARM_UP = 5  #: questions asked before the clock runs
LEAST = 5  #: questions asked however long they take
TOP = 10
#: What the verbs of a store do for a search; one that is not listed is shown by its name.
PARTS = {
    "reading": "one moment",
    "candidates": "index, the rest",
    "prepared": "words",
    "best": "words",
    "nearest": "vectors",
    "held": "features",
    "tokens_of": "features",
    "hits": "features",
    "outcomes": "features",
    "question_vectors": "features",
    "passing": "fetch",
    "similarities": "fetch",
    "count_lacking": "fetch",
    "get": "fetch",
    "of": "fetch",
    "writing": "recall",
    "put_question": "recall",
    "add_recall": "recall",
    "count_recalled": "recall",
}
REST = "ranking and the rest"
#: What happens inside the verb `candidates`, by the module of the index and the function it calls.
OUTER = "candidates"
INSIDE = {
    "bm25": ("prepared", "best", "held"),
    "scan": ("nearest",),
    "": ("tokens_of", "hits"),
}


def answer(engine: Engine, question: Question, like: Query) -> Found:
    """One search through the use case, as an agent's; a peek leaves nothing behind."""
    # Made-up vectors are near to nothing, and a search without hits would read nothing.
    return search(engine, like._replace(text=question.text, nearest=True), stores.WRITER)


def laps(
    engine: Engine, questions: Sequence[Question], like: Query, seconds: float
) -> list[tuple[Question, Lap]]:
    """Time each question, as many as there is time for."""
    _warm_up(engine, questions, like, seconds)
    until = time.perf_counter() + seconds
    taken: list[tuple[Question, Lap]] = []
    for question in questions:
        if len(taken) >= LEAST and time.perf_counter() > until:
            break
        taken.append((question, timed(lambda asked=question: answer(engine, asked, like))[1]))  # type: ignore[misc]
    return taken


def _warm_up(engine: Engine, questions: Sequence[Question], like: Query, seconds: float) -> None:
    until = time.perf_counter() + seconds / 4
    for question in questions[:WARM_UP]:
        answer(engine, question, like)
        if time.perf_counter() > until:
            return


def warm(engine: Engine, questions: Sequence[Question], seconds: float) -> list[Row]:
    """Each way of searching, over all questions and by the kind of their words."""
    ways = {
        "hybrid": Query("", peek=True),
        "hybrid, recall recorded": Query(""),
        "keyword": Query("", mode=Mode.KEYWORD, peek=True),
        "semantic": Query("", mode=Mode.SEMANTIC, peek=True),
    }
    rows: list[Row] = []
    for name, like in ways.items():
        taken = laps(engine, questions, like, seconds)
        rows.append({"search": name, "words": "all", **figures([lap for _, lap in taken])})
        if like.mode is not Mode.SEMANTIC:
            for kind in prose.KINDS:
                some = [lap for question, lap in taken if question.kind == kind]
                rows.append({"search": name, "words": kind, **figures(some)})
    return rows


def filtered(engine: Engine, size: int, questions: Sequence[Question], seconds: float) -> list[Row]:
    """Hybrid search among a share of the memories, chosen by project and by tag, and among all."""
    asked: list[tuple[str, str, int, Filters]] = [("none", "100 %", size, Filters())]
    for by, step, chosen in (("project", PROJECT_STEP, project_filter), ("tag", TAG_STEP, tag_filter)):
        counts = passing(size, step)
        asked += [(by, name, counts[name], chosen(name)) for name in SHARES]
    rows: list[Row] = []
    for by, name, count, filters in asked:
        taken = laps(engine, questions, Query("", filters=filters, peek=True), seconds)
        rows.append({"filter": by, "share": name, "passing": count, **figures([lap for _, lap in taken])})
    return rows


def parts(engine: Engine, questions: Sequence[Question], seconds: float, *, peek: bool) -> list[Row]:
    """Split the time of a hybrid search; what the store's verbs leave is ranking and the rest."""
    stopwatch = Stopwatch()
    watched = engine._replace(store=stopwatch.over(engine.store))
    like = Query("", peek=peek)
    _warm_up(watched, questions, like, seconds)
    spent: dict[str, list[Lap]] = defaultdict(list)
    until = time.perf_counter() + seconds
    with _watching_inside(stopwatch):
        for asked, question in enumerate(questions):
            if asked >= LEAST and time.perf_counter() > until:
                break
            stopwatch.read()
            _, whole = timed(lambda each=question: answer(watched, each, like))  # type: ignore[misc]
            for name, lap in _by_part(stopwatch, whole).items():
                spent[name] += [NOTHING] * (asked - len(spent[name])) + [lap]
    most = max(map(len, spent.values()), default=0)
    rows = {name: taken + [NOTHING] * (most - len(taken)) for name, taken in spent.items()}
    return [
        _part_row(name, taken) for name, taken in rows.items()
    ]  # a part may be missing in the last searches


@contextmanager
def _watching_inside(stopwatch: Stopwatch) -> Iterator[None]:
    """A clock around the functions that the index calls, for as long as it is looked at."""
    finding = import_module("memory_layer.store.index.search")
    with ExitStack() as patched:
        for module, names in INSIDE.items():
            of = getattr(finding, module) if module else finding
            for name in names:
                patched.enter_context(mock.patch.object(of, name, getattr(stopwatch.over(of), name)))
        yield


def _by_part(stopwatch: Stopwatch, whole: Lap) -> dict[str, Lap]:
    found: dict[str, Lap] = {}
    spent = dict(stopwatch.read())
    inside = {name for names in INSIDE.values() for name in names}
    for verb in inside & spent.keys():
        spent[OUTER] = spent.get(OUTER, NOTHING).minus(spent[verb])
    for verb, lap in spent.items():
        name = PARTS.get(verb, verb)
        found[name] = found.get(name, NOTHING).plus(lap)
        whole_rest = found.get(REST, whole)
        found[REST] = whole_rest.minus(lap)
    return {**found, "whole": whole}


def _part_row(name: str, taken: Sequence[Lap]) -> Row:
    wall, cpu = [lap.wall_ms for lap in taken], [lap.cpu_ms for lap in taken]
    return {
        "part": name,
        "runs": len(taken),
        "mean_ms": round(sum(wall) / len(wall), 3),
        "p50_ms": round(percentile(wall, 0.5), 3),
        "cpu_mean_ms": round(sum(cpu) / len(cpu), 3),
    }


def numbers(found: Found) -> set[int]:
    """Return the numbers of the memories in an answer."""
    return {prose.number_of(hit.memory.content) for hit in found.hits}


def recall(engine: Engine, questions: Sequence[Question], exact: Sequence[set[int]], seconds: float) -> Row:
    """Measure how many of the ten nearest by exact search are among the ten of the search by meaning."""
    # This ranker goes by the cosine alone here; the default one would leave out what is too far.
    like = Query("", mode=Mode.SEMANTIC, ranker="weighted", peek=True, limit=TOP)
    until = time.perf_counter() + seconds
    shares: list[float] = []
    for question, wanted in zip(questions, exact, strict=True):
        if len(shares) >= LEAST and time.perf_counter() > until:
            break
        shares.append(len(numbers(answer(engine, question, like)) & wanted) / max(1, len(wanted)))
    return {
        "questions": len(shares),
        "recall": round(sum(shares) / len(shares), 4),
        "worst": round(min(shares), 2),
    }
