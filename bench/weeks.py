"""Measure what an agent is given over twelve simulated weeks of one project, with and without its reports.

Each week facts of an invented project are noted, some change (with a link to what they replace, or without), questions
and tasks come in other words than the notes, and the agent reports what worked, partly worked or failed; some of its
reports are false. Everything goes through the shipped verbs, with a clock that is set.
"""

from __future__ import annotations

import tempfile
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bench import plot, report
from bench.project_store import open_desk
from bench.vector_cache import installed
from bench.weeks_run import WEEKS, Simulation, plan
from memory_layer.ports import Embedder

START = datetime(2026, 1, 5, 9, tzinfo=UTC)
ARMS = {"reports": True, "no reports": False}
#: What another project's author reports of a memory that learns from outcomes; how he measured it is not said.
CLAIM = "claimed elsewhere: precision from about 70 % to about 90 %, and half the tokens at session start"
Row = dict[str, Any]
HEADINGS = {
    "week": "week",
    "arm": "arm",
    "memories": "memories",
    "search_valid": "search: valid",
    "search_first": "first right",
    "search_precision": "precision",
    "search_wrong": "wrong",
    "search_repeated": "repeated",
    "search_tokens": "tokens",
    "context_valid": "context: valid",
    "context_precision": "precision",
    "context_wrong": "wrong",
    "context_repeated": "repeated",
    "context_tokens": "tokens",
    "start_tokens": "start tokens",
    "notes_tokens": "all notes",
}


def main(arguments: Sequence[str]) -> int:
    options = _parser().parse_args(arguments)
    before = report.surroundings()
    with tempfile.TemporaryDirectory() as scratch:
        embedder = installed(Path(scratch), options.cache)
        if embedder is None:
            print("there is no embedding model, so only words are compared: `mem model install` gets it")
        rows = measured(options, embedder, Path(scratch))
    print(report.table([_cells(row) for row in rows], HEADINGS))
    print(CLAIM)
    report.show_surroundings(before)
    report.keep(options.json, "weeks", {"machine": before, "claim": CLAIM, "weeks": rows})
    if options.plot:
        options.plot.write_text(_curve(rows), encoding="utf-8")
    return 0


def _parser() -> ArgumentParser:
    parser = report.parser("weeks", __doc__)
    parser.add_argument("--seed", type=int, default=1, help="of the first run; default: 1")
    parser.add_argument("--runs", type=int, default=3, help="projects that are drawn; default: 3")
    parser.add_argument("--weeks", type=int, default=WEEKS, help=f"default: {WEEKS}")
    parser.add_argument("--false", type=float, default=0.1, help="share of false reports; default: 0.1")
    parser.add_argument("--cache", type=Path, metavar="DIR", help="folder for computed vectors")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="draw the weeks as SVG")
    return parser


def measured(options: Any, embedder: Embedder | None, scratch: Path) -> list[Row]:
    """Run every arm on the same plans; return a row for each week and arm."""
    totals = {(week, arm): Counter[str]() for week in range(options.weeks) for arm in ARMS}
    for seed in range(options.seed, options.seed + options.runs):
        for arm, reports in ARMS.items():
            folder = scratch / f"{seed} {arm}"
            with open_desk(folder, START, embedder, str(seed)) as desk:
                run = Simulation(desk, START, reports=reports, false_share=options.false, seed=seed)
                for week, counts in enumerate(run.run(plan(seed, options.weeks))):
                    totals[week, arm] += counts
    return [_row(week, arm, counts, options.runs) for (week, arm), counts in totals.items()]


def _row(week: int, arm: str, counts: Mapping[str, int], runs: int) -> Row:
    row: Row = {"week": week + 1, "arm": arm, "memories": counts["memories"] / runs}
    for kind in ("search", "context"):
        lines, asked = max(1, counts[f"{kind}_lines"]), max(1, counts[f"{kind}_asked"])
        row |= {
            f"{kind}_valid": counts[f"{kind}_right"] / max(1, counts[f"{kind}_subject"]),
            f"{kind}_precision": counts[f"{kind}_right"] / lines,
            f"{kind}_wrong": counts[f"{kind}_wrong"] / lines,
            f"{kind}_repeated": counts[f"{kind}_repeated"] / asked,
            f"{kind}_tried_again": counts[f"{kind}_tried_again"] / asked,
            f"{kind}_tokens": counts[f"{kind}_tokens"] / asked,
        }
    row["search_first"] = counts["search_first"] / max(1, counts["search_asked"])
    return row | {name: counts[name] / runs for name in ("start_tokens", "notes_tokens")}


def _cells(row: Row) -> Row:
    whole = ("memories", "search_tokens", "context_tokens", "start_tokens", "notes_tokens")
    cells = {name: f"{value:.2f}" if isinstance(value, float) else value for name, value in row.items()}
    return cells | {name: round(row[name]) for name in whole}


def _curve(rows: Sequence[Row]) -> str:
    weeks = sorted({row["week"] for row in rows})
    drawn = {
        "search_first": "first hit right",
        "search_valid": "valid of the subject",
        "context_valid": "in contexts",
    }
    series = {
        f"{words}, {arm}": [row[name] for row in rows if row["arm"] == arm]
        for name, words in drawn.items()
        for arm in ARMS
    }
    return plot.lines("what is given, week by week", weeks, series, across_name="week")
