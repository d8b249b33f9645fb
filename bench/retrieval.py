"""Measure how well the right memories are found: every question of a set by the shipped search, by several methods.

DIR is a set of questions with known answers, or a folder of such sets (their form: `question_sets`). Each haystack is
imported into a throw-away store; a list of candidates is a haystack of its own, so that the words' statistics are
those of what is searched. Equal texts are one memory. Dates become created_at. Nothing waits for review.
"""

from __future__ import annotations

import tempfile
import time
from argparse import ArgumentParser
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from bench import plot, report, stores
from bench.measures import MRR_DEPTH, Figures, means, measures
from bench.question_sets import Haystack, Question, count, haystacks, sets_in
from bench.vector_cache import CachedEmbedder, installed
from memory_layer.model.imports import ForeignMemory
from memory_layer.model.memory import Draft
from memory_layer.model.query import Filters, Hit, Mode, Query, Strength
from memory_layer.model.vocabulary import OnDuplicate, Status
from memory_layer.ports import Engine
from memory_layer.usecases.look_up.browse import list_memories
from memory_layer.usecases.recall.search import search
from memory_layer.usecases.remember.add import add
from memory_layer.usecases.transfer.bulk_add import take_in
from memory_layer.wiring import open_engine

#: What is measured: the two ways of searching, and each ranker over both together.
METHODS = {
    "keyword": Query("", mode=Mode.KEYWORD),
    "semantic": Query("", mode=Mode.SEMANTIC),
    "rrf": Query("", ranker="rrf"),
    "weighted": Query("", ranker="weighted"),
    "five-signal": Query("", ranker="five-signal"),
    "balanced": Query("", ranker="balanced", nearest=True),
}
FIRST = 10  #: hits among which an answer counts as found
#: Import leaves what looks suspicious for a person to see; here everything counts.
EVERYTHING = Filters(statuses=(Status.ACTIVE, Status.STAGED), expired=True, superseded=True)
PAGE = 1000
HEADINGS = {
    "set": "set",
    "questions": "questions",
    "method": "method",
    "any@1": "any@1",
    "any@5": "any@5",
    "all@5": "all@5",
    "rec@10": "rec@10",
    "ndcg@10": "nDCG@10",
    "mrr": "MRR",
    "lost": "lost by the cut",
    "strict": "all@5 of answerable",
}


class Result(NamedTuple):
    """The measures of one question by each method."""

    question: Question
    by_method: Mapping[str, Figures]


def main(arguments: Sequence[str]) -> int:
    options = _parser().parse_args(arguments)
    before = report.surroundings()
    methods = _methods(options.methods)
    folders = [each for given in options.folders for each in sets_in(given)]
    rows: list[dict[str, object]] = []
    with tempfile.TemporaryDirectory() as scratch:
        embedder = installed(Path(scratch), options.cache)
        if embedder is None:
            print("there is no embedding model, so only words are compared: `mem model install` gets it")
            methods = ["keyword"]
        for folder in folders:
            given = haystacks(folder, options.half, options.sample)
            rows += measured_set(folder.name, given, methods, embedder, Path(scratch))
    if embedder is not None and embedder.computed:
        print(f"{embedder.computed} texts were not in the cache and have been embedded")
    rows += _over_sets(rows, methods)
    _show(rows)
    report.show_surroundings(before)
    report.keep(options.json, "retrieval", {"machine": before, "half": options.half, "rows": rows})
    if options.plot:
        _draw(rows, methods, options.plot)
    return 0


def _parser() -> ArgumentParser:
    parser = report.parser("retrieval", __doc__)
    parser.add_argument("folders", type=Path, nargs="+", metavar="DIR")
    parser.add_argument("--methods", default=",".join(METHODS), help="some of them, separated by commas")
    parser.add_argument("--sample", type=int, metavar="N", help="at most so many questions of each set")
    parser.add_argument(
        "--half", choices=("first", "second"), help="choose on one half, confirm on the other"
    )
    parser.add_argument("--cache", type=Path, metavar="DIR", help="where worked-out vectors are kept")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="draw nDCG@10 as SVG")
    return parser


def _methods(named: str) -> list[str]:
    chosen = [name.strip() for name in named.split(",")]
    if unknown := [name for name in chosen if name not in METHODS]:
        raise SystemExit(f"there is no method {unknown[0]!r}; known are: {', '.join(METHODS)}")
    return chosen


def measured_set(
    name: str,
    given: Sequence[Haystack],
    methods: Sequence[str],
    embedder: CachedEmbedder | None,
    scratch: Path,
) -> list[dict[str, object]]:
    """One row per method, and what the set took."""
    wall, cpu = time.perf_counter(), time.process_time()
    results: list[Result] = []
    for haystack in given:
        with tempfile.TemporaryDirectory(dir=scratch) as folder:
            environ = stores.environment(Path(folder), Path(folder, "no-model"))
            with open_engine(stores.settings_of(environ, Path(folder)), "python") as bare:
                engine = bare._replace(embedder=lambda: embedder)
                results += asked(engine, haystack, methods)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    memories = len({memory.id for haystack in given for memory in haystack.memories})
    print(
        f"{name}: {memories:,} memories in {len(given)} haystacks, {count(given)} questions,"
        f" {wall:.0f} s ({cpu:.0f} s CPU)",
        flush=True,
    )
    return [_row(name, method, results) for method in methods] if results else []


def asked(engine: Engine, haystack: Haystack, methods: Sequence[str]) -> list[Result]:
    """Import a haystack and put every question to it."""
    stored = imported(engine, haystack)
    results = []
    for question in haystack.questions:
        # what could not be stored cannot be found, and still counts as missed
        relevant = {stored.get(name, name) for name in question.relevant}
        excluded = {stored[name] for name in question.excluded if name in stored} - relevant
        by_method = {
            name: _worth(ranking(engine, METHODS[name], question.text, excluded), relevant)
            for name in methods
        }
        results.append(Result(question, by_method))
    return results


def _worth(hits: Sequence[Hit], relevant: set[str]) -> Figures:
    """The measures of one ranking, and whether a search that gives only answers would lose all that is right."""
    right = [hit for hit in hits[:FIRST] if hit.memory.id in relevant]
    lost = bool(right) and all(hit.strength is Strength.NONE for hit in right)
    return measures([hit.memory.id for hit in hits], relevant) | {"lost": float(lost)}


def ranking(engine: Engine, method: Query, text: str, excluded: set[str]) -> list[Hit]:
    """The hits that the shipped search gives, best first."""
    query = method._replace(text=text, filters=EVERYTHING, limit=MRR_DEPTH + len(excluded), peek=True)
    found = search(engine, query, stores.WRITER)
    return [hit for hit in found.hits if hit.memory.id not in excluded]


def imported(engine: Engine, haystack: Haystack) -> dict[str, str]:
    """Store a haystack by import; under which id each of its memories is found."""
    items = [
        ForeignMemory(
            where=memory.id,
            draft=Draft(
                content=memory.text,
                created_at=memory.created_at,
                source_run_id=str(place),  # not searched; tells afterwards which memory is which
                on_duplicate=OnDuplicate.KEEP,
                never_expires=True,
            ),
        )
        for place, memory in enumerate(haystack.memories)
    ]
    done = take_in(engine, items, stores.WRITER, lambda item: None, source="bench")
    for left in done.skipped:
        print(f"not stored: {left.where}: {left.why}")
    stored = {haystack.memories[place].id: memory_id for place, memory_id in _places(engine)}
    refused = {left.where for left in done.skipped}
    for item in items:
        if item.where not in stored and item.where not in refused:  # the same text as another one
            stored[item.where] = add(engine, item.draft, stores.WRITER).id
    return stored


def _places(engine: Engine) -> list[tuple[int, str]]:
    found: list[tuple[int, str]] = []
    after = None
    while True:
        page = list_memories(engine, EVERYTHING, limit=PAGE, after=after)
        found += [(int(memory.source_run_id or 0), memory.id) for memory in page.items]
        if page.next is None:
            return found
        after = page.next


def _row(name: str, method: str, results: Sequence[Result]) -> dict[str, object]:
    row: dict[str, object] = {"set": name, "questions": len(results), "method": method}
    row |= means([result.by_method[method] for result in results])
    answerable = [result for result in results if result.question.abstention is False]
    if answerable:
        row["strict"] = means([result.by_method[method] for result in answerable])["all@5"]
    return row


def _over_sets(rows: Sequence[Mapping[str, object]], methods: Sequence[str]) -> list[dict[str, object]]:
    """The mean over sets, each counting alike however many questions it has."""
    by_method: dict[str, list[Figures]] = defaultdict(list)
    for row in rows:
        by_method[str(row["method"])].append(
            {name: value for name, value in row.items() if isinstance(value, float) and name != "strict"}
        )
    if not rows or len(rows) == len(methods):
        return []
    sets = {row["set"] for row in rows}
    return [
        {"set": f"mean of {len(sets)} sets", "questions": "", "method": method, **means(figures)}
        for method, figures in by_method.items()
    ]


def _show(rows: Sequence[Mapping[str, object]]) -> None:
    headings = dict(HEADINGS)
    if not any("strict" in row for row in rows):
        del headings["strict"]
    shown, last = [], None
    for row in rows:
        cells = {name: f"{value:.3f}" if isinstance(value, float) else value for name, value in row.items()}
        if row["set"] == last:
            cells |= {"set": "", "questions": ""}
        last = row["set"]
        shown.append(cells)
    print(report.table(shown, headings))


def _draw(rows: Sequence[Mapping[str, object]], methods: Sequence[str], file: Path) -> None:
    sets = list(dict.fromkeys(str(row["set"]) for row in rows))
    values = {(str(row["set"]), str(row["method"])): row["ndcg@10"] for row in rows}
    series = {method: [float(str(values[name, method])) for name in sets] for method in methods}
    title = "nDCG@10 by set and method"
    file.write_text(plot.bars(title, sets, series, ends_at=1.0), encoding="utf-8")
