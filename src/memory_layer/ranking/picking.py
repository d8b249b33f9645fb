"""From everything that was ranked to the few lines that are shown: one for each group, none said twice."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from memory_layer.model.record import NamedTuple


class Line(NamedTuple):
    """A place in the ranked list that is shown."""

    place: int
    group: str | None  #: None stands for itself
    more: int = 0  #: how many others of its group were ranked below it


class Picked(NamedTuple):
    """What is shown, and for what else that was ranked it stands."""

    lines: tuple[Line, ...]
    repeated: dict[int, int]  #: a place left out, and the shown one that says the same
    grouped: dict[int, int]  #: a place below, and the shown one of its group


def picked(
    groups: Sequence[str | None], limit: int, repeated: Callable[[int, Sequence[int]], int | None]
) -> Picked:
    """Go down the ranked list, best first, until `limit` lines are filled; the rest only counts in its groups.

    `repeated` names the one of the shown places that says the same as this one, if any does.
    """
    shown: list[int] = []
    first: dict[str, int] = {}
    result = Picked((), {}, {})
    for place, group in enumerate(groups):
        if group is not None and group in first:
            result.grouped[place] = first[group]
        elif len(shown) < limit:
            better = repeated(place, shown)
            if better is not None:
                result.repeated[place] = better
                continue
            shown.append(place)
            if group is not None:
                first[group] = place
    below = list(result.grouped.values())
    return result._replace(lines=tuple(Line(at, groups[at], below.count(at)) for at in shown))
