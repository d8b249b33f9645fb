"""Draw a replay as an SVG: sums over the sessions, in their order."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from memory_layer.model.replay import Replay

WIDTH, HEIGHT = 720, 360
LEFT, RIGHT, TOP, BOTTOM = 60, 190, 40, 40
MOST_POINTS = 500  #: of a line; more cannot be seen
#: Each line: its name, its colour, and the counts that it sums up.
_LINES = (
    ("errors that came back", "#555555", ("repeats",)),
    ("fix known", "#1f77b4", ("fix_known",)),
    ("warned or told", "#2ca02c", ("warned", "told")),
    ("false alarms", "#d62728", ("false_alarms",)),
)


def drawn(found: Replay) -> str:
    """Return the drawing as text."""
    sums = [
        list(
            accumulate(
                (sum(getattr(each.counts, name) for name in names) for each in found.sessions), initial=0
            )
        )
        for _, _, names in _LINES
    ]
    most = max((line[-1] for line in sums), default=0) or 1
    days = (
        f"{found.sessions[0].begun:%Y-%m-%d} to {found.sessions[-1].begun:%Y-%m-%d}" if found.sessions else ""
    )
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif"'
        ' font-size="12">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
        _text(LEFT, TOP - 16, f"{len(found.sessions):,} sessions, {days}", 14),
        f'<path d="M{LEFT} {TOP}V{HEIGHT - BOTTOM}H{WIDTH - RIGHT}" fill="none" stroke="black"/>',
        _text(LEFT - 8, TOP + 4, f"{most:,}", anchor="end"),
        _text(LEFT - 8, HEIGHT - BOTTOM + 4, "0", anchor="end"),
        _text(WIDTH - RIGHT, HEIGHT - BOTTOM + 18, "sessions, oldest first", anchor="end"),
    ]
    for number, ((name, colour, _), line) in enumerate(zip(_LINES, sums, strict=True)):
        parts.append(
            f'<polyline points="{_points(line, most)}" fill="none" stroke="{colour}" stroke-width="2"/>'
        )
        parts.append(_text(WIDTH - RIGHT + 10, TOP + 12 + 20 * number, f"{name}: {line[-1]:,}", fill=colour))
    return "\n".join([*parts, "</svg>"]) + "\n"


def _points(line: Sequence[int], most: int) -> str:
    width, height = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM
    last = len(line) - 1
    shown = sorted({round(at * last / MOST_POINTS) for at in range(MOST_POINTS + 1)})
    return " ".join(
        f"{LEFT + width * at / max(last, 1):.1f},{HEIGHT - BOTTOM - height * line[at] / most:.1f}"
        for at in shown
    )


def _text(x: int, y: int, words: str, size: int = 12, *, anchor: str = "start", fill: str = "black") -> str:
    return f'<text x="{x}" y="{y}" font-size="{size}" text-anchor="{anchor}" fill="{fill}">{words}</text>'
