"""Figures as a table for people and as JSON for programs."""

from __future__ import annotations

import json
import os
import platform
from argparse import ArgumentParser
from collections.abc import Mapping, Sequence
from pathlib import Path

from memory_layer import __version__

Row = Mapping[str, object]


def parser(name: str, says: str | None) -> ArgumentParser:
    """A parser with what every benchmark takes."""
    made = ArgumentParser(prog=f"python -m bench {name}", description=says)
    made.add_argument("--json", type=Path, metavar="FILE", help="write the figures there as well")
    return made


def surroundings() -> dict[str, object]:
    """Describe the machine, as far as it explains the figures."""
    return {
        "memory_layer": __version__,
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "processors": os.cpu_count(),
        "load_average": [round(load, 2) for load in os.getloadavg()],
    }


def table(rows: Sequence[Row], headings: Mapping[str, str]) -> str:
    """Rows as aligned columns; the headings choose and name the fields."""
    cells = [[_cell(row.get(field, "")) for field in headings] for row in rows]
    lines = [list(headings.values()), *cells]
    widths = [max(len(line[column]) for line in lines) for column in range(len(headings))]
    numeric = [all(isinstance(row.get(field, 0), int | float) for row in rows) for field in headings]
    return "\n".join(_line(line, widths, numeric) for line in lines)


def markdown(rows: Sequence[Row], headings: Mapping[str, str]) -> str:
    """Write rows as a table in Markdown."""
    lines = [list(headings.values()), ["---"] * len(headings)]
    lines += [[_cell(row.get(field, "")) for field in headings] for row in rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def _cell(value: object) -> str:
    if isinstance(value, int):
        return f"{value:,}"
    if not isinstance(value, float):
        return str(value)
    return f"{value:,.1f}" if abs(value) >= 100 else f"{value:.3g}"


def _line(cells: Sequence[str], widths: Sequence[int], numeric: Sequence[bool]) -> str:
    padded = (
        cell.rjust(width) if right else cell.ljust(width)
        for cell, width, right in zip(cells, widths, numeric, strict=True)
    )
    return "  ".join(padded).rstrip()


def keep(file: Path | None, name: str, figures: Mapping[str, object]) -> None:
    """Write the figures where programs can read them."""
    if file is not None:
        file.write_text(json.dumps({"benchmark": name, **figures}, indent=1) + "\n", encoding="utf-8")


def show_surroundings(before: Mapping[str, object]) -> None:
    """One line on the machine, with the load before and after."""
    loads = f"load average {before['load_average']} before, {surroundings()['load_average']} after"
    print(
        f"Memory Layer {before['memory_layer']}, Python {before['python']}, {before['system']},"
        f" {before['processors']} processors, {loads}"
    )
