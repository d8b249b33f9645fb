"""Write the results of many stores as rows, and as tables for people."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from bench import plot
from bench.learner import BALANCED
from bench.measures import Figures
from bench.trials import Seen

CERTAIN = 1.96  #: standard errors to either side for 95 %
TRIAL = {"what": "reports", "rule": "rule"}

Row = Mapping[str, object]


class Table(NamedTuple):
    title: str
    headings: Mapping[str, str]
    rows: list[dict[str, object]]


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
                row[f"{name} +-"] = certainty([one.after[name] - one.before[name] for one in of])
        rows.append(row)
    return rows


def _mean(of: Sequence[Seen], side: str) -> Figures:
    """Each question counts alike."""
    questions = sum(one.questions for one in of)
    figures: list[tuple[int, Figures]] = [(one.questions, getattr(one, side)) for one in of]
    names = figures[0][1]
    return {name: math.fsum(count * each[name] for count, each in figures) / questions for name in names}


def certainty(gains: Sequence[float]) -> float | None:
    """Half the 95 % interval of the mean over stores; None for a single one."""
    if len(gains) < 2:
        return None
    middle = math.fsum(gains) / len(gains)
    variance = math.fsum((gain - middle) ** 2 for gain in gains) / (len(gains) - 1)
    return CERTAIN * math.sqrt(variance / len(gains))


def tables(rows: Sequence[Row]) -> list[Table]:
    """The rankings of each part, then what was shown day by day, archived, given to newcomers, and read."""
    parts = list(dict.fromkeys(str(row["part"]) for row in rows))
    found = [_rankings(part, [row for row in rows if row["part"] == part]) for part in parts]
    found.append(_by_day([row for row in rows if row["measured"] == "in use" and row["part"] == "learning"]))
    found.append(
        _plain(
            "Archived by outcome, memories a store",
            {"part": "part", **TRIAL, "memories": "archived", "good": "of them good for a question asked"},
            [row for row in rows if row["measured"] == "archived" and row["memories"]],
        )
    )
    found.append(
        _plain(
            "Share of the places shown that goes to new memories",
            {**TRIAL, "slots before": "without reports", "slots": "with", "kept": "kept"},
            [{**row, "kept": _kept(row)} for row in rows if row["measured"] == "exposure"],
        )
    )
    found.append(
        _plain(
            "How unevenly the places shown are spread: Gini coefficient, and share of the ten shown most",
            {
                **TRIAL,
                "gini before": "without reports",
                "gini": "with",
                "ten before": "ten, without",
                "ten": "ten, with",
            },
            [row for row in rows if row["measured"] == "popularity"],
        )
    )
    found.append(
        _plain(
            "Tokens of an answer of five, and of the whole store",
            {**TRIAL, "answer": "answer", "whole": "whole store"},
            [row for row in rows if row["measured"] == "tokens"],
        )
    )
    return [table for table in found if table.rows]


def _rankings(part: str, rows: Sequence[Row]) -> Table:
    headings = {**TRIAL, "measured": "measured on", "passes": "passes", "stores": "stores"}
    headings |= {"map before": "MAP before", "map": "after", "map gain": "gain", "map +-": "±"}
    headings |= {"p@1 before": "P@1 before", "p@1": "after", "p@1 gain": "gain", "p@1 +-": "±"}
    return _plain(part, headings, [row for row in rows if row["measured"] in ("same", "transfer")])


def _by_day(rows: Sequence[Row]) -> Table:
    """Good answers among those really shown, one column a day."""
    days = sorted({int(str(row["passes"])) for row in rows})
    lines: dict[tuple[object, object], dict[str, object]] = {}
    for row in rows:
        line = lines.setdefault((row["what"], row["rule"]), {"what": row["what"], "rule": row["rule"]})
        line["0"] = _pair(row, " before")
        line[str(row["passes"])] = _pair(row, "")
    headings = {**TRIAL, "0": "no reports", **{str(day): f"day {day}" for day in days}}
    return Table("Good answers among those shown: P@1 / P@5", headings, list(lines.values()))


def _pair(row: Row, side: str) -> str:
    return f"{row[f'p@1{side}']:.3f} / {row[f'p@5{side}']:.3f}"


def _kept(row: Row) -> str:
    fair = float(str(row["slots before"]))
    return f"{float(str(row['slots'])) / fair:.0%}" if fair else ""


def _plain(title: str, headings: Mapping[str, str], rows: Sequence[Row]) -> Table:
    return Table(title, headings, [{name: _cell(name, value) for name, value in row.items()} for row in rows])


def _cell(name: str, value: object) -> object:
    if not isinstance(value, float):
        return "" if value is None else value
    if name in ("answer", "whole"):
        return f"{value:,.0f}"
    return f"{value:+.3f}" if name.endswith(" gain") else f"{value:.3f}"


def drawn(rows: Sequence[Row]) -> str:
    """Draw the quality of the first answer and of the first five, day by day, under the shipped rule."""
    chosen = [
        row
        for row in rows
        if (row["part"], row["measured"], row["rule"]) == ("learning", "in use", BALANCED.name)
    ]
    days = sorted({int(str(row["passes"])) for row in chosen})
    series: dict[str, list[float]] = {}
    for measure in ("p@1", "p@5"):
        name = measure.upper()
        series[f"no reports, {name}"] = [float(str(chosen[0][f"{measure} before"]))] * len(days)
        for row in chosen:
            series.setdefault(f"{row['what']}, {name}", []).append(float(str(row[measure])))
    title = "Share of good ones: the first answer (P@1), the first five (P@5)"
    return plot.lines(title, days, series, across_name="day on which the same questions are asked")
