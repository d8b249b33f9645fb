"""Measure what reports do to later answers: an agent asks, uses, reports, and asks again.

FILE holds questions, memories and what happened (its form: `outcome_sets`). Every question, report and day goes
through the shipped search and the shipped outcomes, on throw-away stores whose clock and chance are given.
Each figure is compared with the shipped ranker before any report, on the same store.
"""

from __future__ import annotations

import os
import sys
import tempfile
from argparse import ArgumentParser
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from bench import report, stores
from bench.learner import BALANCED
from bench.learning_report import drawn, summed, tables
from bench.outcome_sets import Case, cases_in
from bench.trials import PARTS, Seen, Trial, trials, tried
from bench.vector_cache import installed


def main(arguments: Sequence[str]) -> int:
    options = _parser().parse_args(arguments)
    before = report.surroundings()
    with tempfile.TemporaryDirectory() as folder:
        has_model = stores.has_model(Path(folder), stores.installed_model())
    if not has_model:
        print(
            "there is no embedding model, so questions are compared by words alone: `mem model install` gets it"
        )
    begun = os.times()
    seen: list[Seen] = []
    todo = [
        trial for trial in trials(_parts(options.parts)) if options.only in f"{trial.what}, {trial.rule.name}"
    ]
    if not todo:
        raise SystemExit(f"no trial of these parts is called {options.only!r}")
    if options.plot and not any((each.part, each.rule) == ("learning", BALANCED) for each in todo):
        raise SystemExit("the picture shows `balanced` in the part `learning`, which is not tried")
    jobs = [
        (case, seed, todo, options.cache)
        for case in cases_in(options.file)[options.first - 1 :: options.every]
        for seed in range(1, options.seeds + 1)
    ]
    with ProcessPoolExecutor(options.processes) as pool:
        for number, found in enumerate(pool.map(_job, jobs), start=1):
            seen += found
            print(f"{number} of {len(jobs)} stores", file=sys.stderr, flush=True)
    rows = summed(seen)
    _show(rows, markdown=options.markdown)
    print(f"{len(jobs)} stores, {_took(begun)}")
    report.show_surroundings(before)
    kept = {"machine": before, "rows": rows, "stores": len(jobs), "seen": [one._asdict() for one in seen]}
    report.keep(options.json, "learning", kept)
    if options.plot:
        options.plot.write_text(drawn(rows), encoding="utf-8")
    return 0


def _parser() -> ArgumentParser:
    parser = report.parser("learning", __doc__)
    parser.add_argument("file", type=Path, metavar="FILE")
    parser.add_argument("--parts", default=",".join(PARTS), help="some of them, separated by commas")
    parser.add_argument(
        "--only", default="", metavar="TEXT", help="only trials with this text, such as `fail, balanced`"
    )
    parser.add_argument("--every", type=_positive, default=1, metavar="N", help="only every so many-th store")
    parser.add_argument(
        "--first", type=_positive, default=1, metavar="N", help="begin with this store: `--every 2 --first 2`"
    )
    parser.add_argument(
        "--seeds", type=_positive, default=1, metavar="N", help="so many streams of each store"
    )
    parser.add_argument(
        "--processes", type=_positive, default=1, metavar="N", help="so many stores at a time"
    )
    parser.add_argument("--cache", type=Path, metavar="DIR", help="where worked-out vectors are kept")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="draw the share of good answers as SVG")
    parser.add_argument("--markdown", action="store_true", help="print the tables for a page")
    return parser


def _positive(text: str) -> int:
    if (number := int(text)) < 1:
        raise ValueError
    return number


def _parts(named: str) -> list[str]:
    chosen = [name.strip() for name in named.split(",")]
    if unknown := [name for name in chosen if name not in PARTS]:
        raise SystemExit(f"there is no part {unknown[0]!r}; known are: {', '.join(PARTS)}")
    return chosen


def _job(job: tuple[Case, int, list[Trial], Path | None]) -> list[Seen]:
    case, seed, todo, cache = job
    with tempfile.TemporaryDirectory() as scratch:
        return tried(case, seed, todo, installed(Path(scratch), cache), Path(scratch))


def _show(rows: Sequence[report.Row], *, markdown: bool) -> None:
    write = report.markdown if markdown else report.table
    for table in tables(rows):
        print(f"{'#### ' if markdown else ''}{table.title}\n\n{write(table.rows, table.headings)}\n")


def _took(begun: os.times_result) -> str:
    """Wall time and CPU time, that of the processes started included."""
    wall, *used = (
        after - before for after, before in zip(reversed(os.times()), reversed(begun), strict=True)
    )
    return f"{wall:.0f} s ({sum(used):.0f} s CPU)"
