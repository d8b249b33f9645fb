"""Groups of points that lie close together on the map, found as peaks of their density; pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from memory_layer.model.record import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    Points = NDArray[np.float64]
    Cells = NDArray[np.float64]

SIDES = (4, 48)  #: fewest and most cells of the grid along one side
APART = 16  #: peaks are at least this part of the side apart
MOST_GROUPS = 40
FEWEST = 3  #: points of a group
AT_ONCE = 20_000  #: points compared with the centres


class Group(NamedTuple):
    """A group: its centre, and the places of its points."""

    x: float
    y: float
    members: NDArray[np.intp]


def groups(points: Points, width: float) -> list[Group]:
    """Return the densest groups of points between 0 and `width`, largest first."""
    if len(points) < FEWEST:
        return []
    side = int(np.clip(1.5 * len(points) ** 0.5, *SIDES))
    apart = -(-side // APART)
    cells = np.clip((points * (side / width)).astype(np.intp), 0, side - 1)
    density = np.bincount(cells[:, 0] * side + cells[:, 1], minlength=side * side).reshape(side, side)
    peaks = np.array(list(_peaks(_smooth(_smooth(density.astype(np.float64))), apart)))
    centres = (peaks + 0.5) * (width / side)
    home = _nearest(points, centres)
    reach = (apart * width / side) ** 2
    near = ((points - centres[home]) ** 2).sum(axis=1) <= reach
    found = []
    for number in range(len(centres)):
        members = np.flatnonzero(near & (home == number))
        if len(members) >= FEWEST:
            x, y = np.median(points[members], axis=0)
            found.append(Group(float(x), float(y), members))
    return sorted(found, key=lambda each: (-len(each.members), each.x, each.y))


def _peaks(density: Cells, apart: int) -> Iterator[tuple[int, int]]:
    """Yield the densest cells, each at some distance from those before."""
    left = density.copy()
    for _ in range(MOST_GROUPS):
        x, y = divmod(int(left.argmax()), len(left))
        if left[x, y] <= 0:
            return
        yield x, y
        left[max(0, x - apart) : x + apart + 1, max(0, y - apart) : y + apart + 1] = 0


def _smooth(density: Cells) -> Cells:
    """Return the mean of each cell and its eight neighbours."""
    side, wide = len(density), np.pad(density, 1)
    around = [wide[x : x + side, y : y + side] for x in range(3) for y in range(3)]
    mean: Cells = np.mean(around, axis=0)
    return mean


def _nearest(points: Points, centres: Points) -> NDArray[np.intp]:
    """Return the nearest centre of each point, a block at a time."""
    blocks = np.array_split(points, len(points) // AT_ONCE + 1)
    return np.concatenate(
        [((each[:, None, :] - centres[None]) ** 2).sum(axis=2).argmin(axis=1) for each in blocks]
    )
