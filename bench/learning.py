"""What reports of success and failure do to later answers: an agent asks, uses, reports, and asks again.

FILE holds questions, memories and what happened (its form: `outcome_sets`). Every question, report and day goes
through the shipped search and the shipped outcomes, on throw-away stores whose clock and chance are given.
Each figure is compared with the shipped ranker before any report, on the same store.
"""

from __future__ import annotations

import math
import tempfile
import time
from argparse import ArgumentParser
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from bench import plot, report, stores
from bench.measures import Figures
from bench.outcome_sets import Case, cases_in
from bench.trials import PARTS, Seen, trials, tried
from bench.vector_cache import CachedEmbedder
from memory_layer.wiring import open_engine

HEADINGS = {
    "part": "part",
    "what": "reports",
    "rule": "rule",
    "measured": "measured on",
    "passes": "passes",
    "stores": "stores",
    "questions": "questions",
}
CERTAIN = 1.96  #: standard errors to either side for 95 %


def main(arguments: Sequence[str]) -> int:
    options = _parser().parse_args(arguments)
    before = report.surroundings()
    parts = _parts(options.parts)
    wall, cpu = time.perf_counter(), time.process_time()
    seen: list[Seen] = []
    jobs = [
        (case, seed, parts, options.cache)
        for case in cases_in(options.file)[:: options.every]
        for seed in range(1, options.seeds + 1)
    ]
    if options.processes > 1:
        with ProcessPoolExecutor(options.processes) as pool:
            for found in pool.map(_job, jobs):
                seen += found
    else:
        for job in jobs:
            seen += _job(job)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    rows = summed(seen)
    _show(rows)
    print(f"{len(jobs)} stores, {wall:.0f} s ({cpu:.0f} s CPU in this process)")
    report.show_surroundings(before)
    report.keep(options.json, "learning", {"machine": before, "rows": rows, "stores": len(jobs)})
    if options.plot:
        options.plot.write_text(_drawn(rows), encoding="utf-8")
    return 0


def _parser() -> ArgumentParser:
    parser = report.parser("learning", __doc__)
    parser.add_argument("file", type=Path, metavar="FILE")
    parser.add_argument("--parts", default=",".join(PARTS), help="some of them, separated by commas")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only every so many-th store")
    parser.add_argument("--seeds", type=int, default=1, metavar="N", help="so many streams of each store")
    parser.add_argument("--processes", type=int, default=1, metavar="N", help="so many stores at a time")
    parser.add_argument("--cache", type=Path, metavar="DIR", help="where worked-out vectors are kept")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="draw the share of good answers as SVG")
    return parser


def _parts(named: str) -> list[str]:
    chosen = [name.strip() for name in named.split(",")]
    if unknown := [name for name in chosen if name not in PARTS]:
        raise SystemExit(f"there is no part {unknown[0]!r}; known are: {', '.join(PARTS)}")
    return chosen


def _job(job: tuple[Case, int, list[str], Path | None]) -> list[Seen]:
    case, seed, parts, cache = job
    with tempfile.TemporaryDirectory() as scratch:
        return tried(case, seed, trials(parts), _embedder(Path(scratch), cache), Path(scratch))


def _embedder(folder: Path, cache: Path | None) -> CachedEmbedder | None:
    """The installed model behind the cache; None without a model, and then words decide alone."""
    model = stores.installed_model()
    environ = stores.environment(folder / "model", model)
    with open_engine(stores.settings_of(environ, folder), "python") as engine:
        found = engine.embedder()
    return None if found is None else CachedEmbedder(found, cache or model.parent / "bench-vectors")


def summed(seen: Sequence[Seen]) -> list[dict[str, object]]:
    """One row for each trial and what was measured in it: means over questions, and how sure the gain is."""
    groups: dict[tuple[str, str, str, str, int], list[Seen]] = defaultdict(list)
    for one in seen:
        groups[one.part, one.what, one.rule, one.measured, one.passes].append(one)
    rows: list[dict[str, object]] = []
    for (part, what, rule, measured, passes), of in groups.items():
        row: dict[str, object] = {"part": part, "what": what, "rule": rule, "measured": measured}
        row |= {"passes": passes, "stores": len(of), "questions": sum(one.questions for one in of)}
        before, after = _mean(of, "before"), _mean(of, "after")
        for name, value in after.items():
            row[name] = value
            if name in before:
                row[f"{name} before"] = before[name]
                row[f"{name} gain"] = value - before[name]
                row[f"{name} +-"] = _certainty([one.after[name] - one.before[name] for one in of])
        rows.append(row)
    return rows


def _mean(of: Sequence[Seen], side: str) -> Figures:
    """Each question counts alike."""
    questions = sum(one.questions for one in of)
    figures: list[tuple[int, Figures]] = [(one.questions, getattr(one, side)) for one in of]
    return {
        name: math.fsum(count * each[name] for count, each in figures) / questions for name in figures[0][1]
    }


def _certainty(gains: Sequence[float]) -> float:
    """Half the 95 % interval of the mean over stores; not a number for a single one."""
    if len(gains) < 2:
        return math.nan
    middle = math.fsum(gains) / len(gains)
    variance = math.fsum((gain - middle) ** 2 for gain in gains) / (len(gains) - 1)
    return CERTAIN * math.sqrt(variance / len(gains))


def _show(rows: Sequence[Mapping[str, object]]) -> None:
    """A table for each kind of figures."""
    kinds: dict[tuple[str, ...], list[dict[str, object]]] = defaultdict(list)
    for row in rows:
        names = tuple(name for name in row if name not in HEADINGS and " " not in name)
        kinds[names].append(dict(_cells(row)))
    for names, shown in kinds.items():
        headings = dict(HEADINGS)
        for name in names:
            headings |= {f"{name} before": "before", name: name, f"{name} gain": "gain", f"{name} +-": "+-"}
        print(report.table(shown, headings), end="\n\n")


def _cells(row: Mapping[str, object]) -> Iterator[tuple[str, object]]:
    for name, value in row.items():
        signed = name.endswith(" gain")
        yield name, value if not isinstance(value, float) else f"{value:+.3f}" if signed else f"{value:.3f}"


def _drawn(rows: Sequence[Mapping[str, object]]) -> str:
    """The share of good memories among the five shown, pass after pass."""
    chosen = [row for row in rows if row["part"] == "learning" and row["measured"] == "in use"]
    passes = sorted({int(str(row["passes"])) for row in chosen})
    series: dict[str, list[float]] = {}
    for row in chosen:
        line = series.setdefault(f"{row['rule']}, {row['what']}", [])
        line.append(float(str(row["p@1"])))
    if chosen:
        series = {"no feedback": [float(str(chosen[0]["p@1 before"]))] * len(passes)} | series
    title = "How often the first answer is a good one, day after day"
    return plot.lines(title, passes, series, across_name="days on which the same questions were asked")
