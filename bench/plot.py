"""Plain pictures of figures, as SVG text that reads well on a light and on a dark page."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape
from itertools import pairwise
from typing import NamedTuple

Series = Mapping[str, Sequence[float]]

WIDTH = 960
HEIGHT = 420
TOP, RIGHT, BOTTOM, LEFT = 76, 24, 64, 64
#: Told apart also by people who see few colours, and visible on white and on black.
COLOURS = ("#8c959f", "#4c8fd6", "#b58900", "#2aa198", "#b05ec4", "#d9542b", "#5b7f34", "#c2577e")
STYLE = """
    text { font: 12px system-ui, sans-serif; fill: #32383f }
    .title { font-size: 15px; font-weight: 600 }
    .grid { stroke: #8c959f; stroke-opacity: .35 }
    .line { fill: none; stroke-width: 2 }
    @media (prefers-color-scheme: dark) { text { fill: #d0d7de } }
"""


class _Axis(NamedTuple):
    """A scale: the two ends of a picture's side, and values between them."""

    low: float
    high: float
    start: float
    end: float
    logarithmic: bool = False

    def at(self, value: float) -> float:
        low, high, value = (self._scaled(each) for each in (self.low, self.high, value))
        return self.start + (value - low) / ((high - low) or 1.0) * (self.end - self.start)

    def marks(self) -> list[float]:
        """Round values to write beside the axis."""
        if self.logarithmic:
            first, last = math.floor(math.log10(self.low)), math.ceil(math.log10(self.high))
            powers = [10.0**power for power in range(first, last + 1)]
            return [power for power in powers if self.low <= power <= self.high] or [self.low, self.high]
        step = _round_step((self.high - self.low) / 5 or 1.0)
        first = math.ceil(self.low / step)
        return [number * step for number in range(first, math.floor(self.high / step + 1e-9) + 1)]

    def _scaled(self, value: float) -> float:
        return math.log10(max(value, 1e-12)) if self.logarithmic else value


def bars(
    title: str,
    groups: Sequence[str],
    series: Series,
    *,
    unit: str = "",
    logarithmic: bool = False,
    ends_at: float | None = None,
) -> str:
    """One bar per series in every group, from zero; a value that is not a number is left out."""
    y = _vertical(series, logarithmic, ends_at, from_zero=True)
    room = (WIDTH - LEFT - RIGHT) / max(1, len(groups))
    thick = room * 0.8 / max(1, len(series))
    drawn = _frame(title, list(series), y, unit)
    for place, group in enumerate(groups):
        start = LEFT + place * room + room * 0.1
        for number, (name, values) in enumerate(series.items()):
            if math.isfinite(values[place]):
                top = y.at(values[place])
                drawn.append(
                    f'<rect x="{start + number * thick:.1f}" y="{top:.1f}" width="{thick * 0.9:.1f}"'
                    f' height="{max(0.0, y.start - top):.1f}" fill="{_colour(number)}">'
                    f"<title>{escape(f'{group}, {name}: {_number(values[place])} {unit}'.strip())}</title></rect>"
                )
        drawn += _group_name(group, start + room * 0.4)
    return _page(drawn)


def lines(
    title: str,
    across: Sequence[float],
    series: Series,
    *,
    unit: str = "",
    across_name: str = "",
    logarithmic: bool = False,
    logarithmic_across: bool = False,
) -> str:
    """One line per series over the same places; a value that is not a number interrupts it."""
    y = _vertical(series, logarithmic, None, from_zero=not logarithmic)
    x = _Axis(min(across), max(across), LEFT + 20, WIDTH - RIGHT - 20, logarithmic_across)
    drawn = _frame(title, list(series), y, unit)
    for number, (name, values) in enumerate(series.items()):
        points = [(x.at(at), y.at(value), value) for at, value in zip(across, values, strict=True)]
        for before, after in pairwise(points):
            if math.isfinite(before[2]) and math.isfinite(after[2]):
                drawn.append(
                    f'<path class="line" stroke="{_colour(number)}"'
                    f' d="M{before[0]:.1f} {before[1]:.1f}L{after[0]:.1f} {after[1]:.1f}"/>'
                )
        drawn += [
            f'<circle cx="{left:.1f}" cy="{top:.1f}" r="4" fill="{_colour(number)}">'
            f"<title>{escape(f'{name}: {_number(value)} {unit}'.strip())}</title></circle>"
            for left, top, value in points
            if math.isfinite(value)
        ]
    drawn += [_text(_number(at), x.at(at), HEIGHT - BOTTOM + 18, "middle") for at in across]
    drawn.append(_text(across_name, WIDTH / 2, HEIGHT - BOTTOM + 38, "middle"))
    return _page(drawn)


def _vertical(series: Series, logarithmic: bool, ends_at: float | None, *, from_zero: bool) -> _Axis:
    values = [value for each in series.values() for value in each if math.isfinite(value)] or [1.0]
    positive = [value for value in values if value > 0] or [1.0]
    high = ends_at if ends_at is not None else max(positive) * 1.05
    low = 10.0 ** math.floor(math.log10(min(positive))) if logarithmic else min(values)
    if from_zero and not logarithmic:
        low = min(0.0, low)
    return _Axis(low, high, HEIGHT - BOTTOM, TOP, logarithmic)


def _frame(title: str, names: Sequence[str], y: _Axis, unit: str) -> list[str]:
    """Title, legend and the horizontal lines with their values."""
    drawn = [f'<text class="title" x="{LEFT}" y="26">{escape(title)}</text>']
    left = float(LEFT)
    for number, name in enumerate(names):
        drawn.append(f'<rect x="{left:.1f}" y="42" width="11" height="11" fill="{_colour(number)}"/>')
        drawn.append(_text(name, left + 16, 52, "start"))
        left += 34 + 7 * len(name)
    for mark in y.marks():
        top = y.at(mark)
        drawn.append(f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{top:.1f}" y2="{top:.1f}"/>')
        drawn.append(_text(_number(mark), LEFT - 8, top + 4, "end"))
    return [*drawn, _text(unit, LEFT - 8, TOP - 10, "end")]


def _group_name(name: str, middle: float) -> list[str]:
    """A long name in two lines, so that neighbours do not touch."""
    words = name.replace("_", " ").split()
    half = (len(words) + 1) // 2
    rows = [" ".join(words[:half]), " ".join(words[half:])] if len(name) > 10 else [" ".join(words)]
    return [
        _text(row, middle, HEIGHT - BOTTOM + 18 + 15 * at, "middle") for at, row in enumerate(rows) if row
    ]


def _text(words: str, x: float, y: float, anchor: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(words)}</text>' if words else ""


def _colour(number: int) -> str:
    return COLOURS[number % len(COLOURS)]


def _number(value: float) -> str:
    if abs(value) >= 1000:
        return f"{value:,.0f}"
    return f"{value:.3g}"


def _round_step(rough: float) -> float:
    power = 10.0 ** math.floor(math.log10(rough))
    return power * min((factor for factor in (1, 2, 5, 10) if factor * power >= rough), default=10)


def _page(drawn: Sequence[str]) -> str:
    body = "\n".join(part for part in drawn if part)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img">\n'
        f"<style>{STYLE}</style>\n{body}\n</svg>\n"
    )
