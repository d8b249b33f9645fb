"""Lay out vectors in two dimensions so that neighbours stay neighbours; pure and repeatable.

By t-SNE: each point is drawn to its neighbours and pushed away by all others. A few thousand landmarks are laid out
first, from a start by principal components. Every other point then starts among its nearest landmarks, and all of them
settle together, with the pushes read from a grid. Later points are placed among their nearest without moving anything.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from memory_layer.model.record import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Floats = NDArray[np.float32]  #: one row per point
    Places = NDArray[np.intp]
    Positions = NDArray[np.float64]  #: while points move
    Spectrum = NDArray[np.complexfloating]

SEED = 7
DIMENSIONS = 96  #: of the reduced vectors that neighbours are looked up in
LANDMARKS = 2_000
NEIGHBOURS = 15  #: that a point may be drawn to
PERPLEXITY = 10.0  #: that it is drawn to, roughly
STEPS = 300  #: for the landmarks
EARLY = 0.25  #: share of these steps in which neighbours draw stronger, so that groups form
STRONGER = 8.0
SLOWEST = 5.0  #: least rate of movement
SETTLING = 150  #: steps for all points
PLACED_BY = 6  #: neighbours that place a point
CELL = 250  #: points of a cell in which neighbours are looked up
HOMES = 3  #: cells that a point is looked up in
SEARCHES, SHARPEST = 40, 1e6  #: steps of the search for a perplexity, and its bound
BLOCK = 256  #: rows compared at once, to stay in the CPU cache
GRID_STEP = 1.0  #: of the grid that pushes are read from
MOST_CELLS = 1_200  #: of the grid along one side


class Reduction(NamedTuple):
    """The directions in which vectors differ most."""

    centre: Floats
    directions: Floats  #: one column each

    def of(self, vectors: Floats) -> Floats:
        """Return vectors in these directions, scaled to unit length."""
        reduced = (vectors - self.centre) @ self.directions
        lengths = np.linalg.norm(reduced, axis=1, keepdims=True)
        result: Floats = np.divide(reduced, lengths, out=np.zeros_like(reduced), where=lengths > 0)
        return result


def reduction(vectors: Floats, dimensions: int = DIMENSIONS) -> Reduction:
    """Find the main directions of a sample of vectors."""
    centre = vectors.mean(axis=0)
    apart = (vectors - centre).astype(np.float64)
    values, columns = np.linalg.eigh(apart.T @ apart)
    chosen = columns[:, np.argsort(-values, kind="stable")[:dimensions]]
    signs = np.sign(chosen[np.abs(chosen).argmax(axis=0), np.arange(chosen.shape[1])])
    return Reduction(centre.astype(np.float32), (chosen * signs).astype(np.float32))


def sample(count: int, most: int = LANDMARKS) -> Places:
    """Choose the places of the landmarks among so many points, in order."""
    if count <= most:
        return np.arange(count)
    return np.sort(np.random.default_rng(SEED).permutation(count)[:most])


def nearest(points: Floats, among: Floats, count: int, *, skip_self: bool = False) -> tuple[Places, Floats]:
    """Return the places and cosines of the nearest of some points to each point, nearest first."""
    count = min(count, len(among) - skip_self)
    places = np.empty((len(points), count), np.intp)
    cosines = np.empty((len(points), count), np.float32)
    for start in range(0, len(points), BLOCK):
        products = points[start : start + BLOCK] @ among.T
        lines = np.arange(len(products))[:, None]
        if skip_self:
            products[lines[:, 0], start + lines[:, 0]] = -2
        best = (
            np.argpartition(-products, count - 1, axis=1)[:, :count]
            if count < len(among)
            else (np.broadcast_to(np.arange(len(among)), products.shape))
        )
        order = np.argsort(-products[lines, best], axis=1, kind="stable")
        best = best[lines, order]
        places[start : start + BLOCK] = best
        cosines[start : start + BLOCK] = products[lines, best]
    return places, cosines


def affinities(cosines: Floats, perplexity: float) -> Floats:
    """Return how strongly each point is drawn to its neighbours; a row sums to 1 and spreads over `perplexity`."""
    distances = np.maximum(0, 2 - 2 * cosines.astype(np.float64))
    distances -= distances.min(axis=1, keepdims=True)
    aim = np.log(min(perplexity, 0.9 * cosines.shape[1]))
    low, high = np.zeros((len(distances), 1)), np.full((len(distances), 1), np.inf)
    sharpness = np.ones((len(distances), 1))
    for _ in range(SEARCHES):
        weights = np.exp(-distances * sharpness)
        sums = weights.sum(axis=1, keepdims=True)
        entropy = np.log(sums) + sharpness * (weights * distances).sum(axis=1, keepdims=True) / sums
        wide = entropy > aim
        low, high = np.where(wide, sharpness, low), np.where(wide, high, sharpness)
        sharpness = np.minimum(np.where(np.isinf(high), 2 * sharpness, (low + high) / 2), SHARPEST)
    weights = np.exp(-distances * sharpness)
    result: Floats = (weights / weights.sum(axis=1, keepdims=True)).astype(np.float32)
    return result


def lay_out(
    points: Floats, *, landmarks: int = LANDMARKS, steps: int = STEPS, settling: int = SETTLING
) -> Floats:
    """Lay out reduced vectors; rows of the result are positions, about as dense however many there are."""
    if len(points) < 3:
        return _few(len(points))
    chosen = sample(len(points), landmarks)
    start = points[chosen, :2].astype(np.float64)
    start *= 1e-4 / max(1e-9, float(start[:, 0].std()))
    ends, cosines = nearest(points[chosen], points[chosen], _neighbours(len(chosen)), skip_self=True)
    known = _descended(start, ends, cosines, exact_pushes, steps, early=int(EARLY * steps))
    if len(chosen) == len(points):
        return known.astype(np.float32)
    wide = known * (len(points) / len(chosen)) ** 0.5
    places = placed(points, points[chosen], wide.astype(np.float32)).astype(np.float64)
    ends, cosines = nearest_in_cells(points, _neighbours(len(points)))
    return _descended(places, ends, cosines, grid_pushes, settling, early=0).astype(np.float32)


def placed(points: Floats, known: Floats, positions: Floats, count: int = PLACED_BY) -> Floats:
    """Place points among the nearest of those whose positions are known; an equal one gives its own position."""
    ends, cosines = nearest(points, known, count)
    weights = affinities(cosines, PLACED_BY / 2)[:, :, None]
    result: Floats = (positions[ends] * weights).sum(axis=1, dtype=np.float32)
    return result


def nearest_in_cells(points: Floats, count: int) -> tuple[Places, Floats]:
    """Return about the same as `nearest` for many points, compared only with those that share a cell."""
    cells = len(points) // CELL
    if cells < 8:
        return nearest(points, points, count, skip_self=True)
    centres = points[sample(len(points), cells)]
    homes, _ = nearest(points, centres, HOMES)
    order = np.argsort(homes.ravel(), kind="stable")
    bounds = np.searchsorted(homes.ravel()[order], np.arange(cells + 1))
    best = np.full((len(points), HOMES, count), -1, np.int32)
    close = np.full((len(points), HOMES, count), -2, np.float32)
    for cell in range(cells):
        slots = order[bounds[cell] : bounds[cell + 1]]
        members, turns = np.divmod(slots, HOMES)
        found, cosines = nearest(points[members], points[members], count, skip_self=True)
        best[members, turns, : found.shape[1]] = members[found]
        close[members, turns, : found.shape[1]] = cosines
    return _merged(best.reshape(len(points), -1), close.reshape(len(points), -1), count)


def _merged(best: NDArray[np.int32], close: Floats, count: int) -> tuple[Places, Floats]:
    """Keep the nearest of several lists, each once."""
    lines = np.arange(len(best))[:, None]
    by_place = np.argsort(best, axis=1, kind="stable")
    best, close = best[lines, by_place], close[lines, by_place]
    close[:, 1:][best[:, 1:] == best[:, :-1]] = -2
    order = np.argsort(-close, axis=1, kind="stable")[:, :count]
    found, cosines = best[lines, order].astype(np.intp), close[lines, order]
    alone = cosines < -1.5  # fewer neighbours than wanted: the nearest again
    return np.where(alone, found[:, :1], found), np.where(alone, cosines[:, :1], cosines)


def _descended(
    places: Positions,
    ends: Places,
    cosines: Floats,
    pushes: Callable[[Positions], Pushes],
    steps: int,
    early: int,
) -> Positions:
    """Move points down the gradient of t-SNE from a start."""
    count = len(places)
    pulls = _Pulls(ends, affinities(cosines, min(PERPLEXITY, count / 4)))
    speed, gains = np.zeros_like(places), np.ones_like(places)
    rate = max(SLOWEST, count / 12)
    for step in range(steps):
        stronger = STRONGER if step < early else 1.0
        pushed = pushes(places)
        force = stronger * pulls.at(places) + pushed.forces
        if pushed.blur:
            force += pulls.pushes_within(places, pushed)
        gains = np.maximum(0.01, np.where((force > 0) == (speed > 0), gains + 0.2, gains * 0.8))
        speed = (0.5 if step < early else 0.8) * speed + rate * gains * force
        places = places + speed
        places -= places.mean(axis=0)
    return places


class _Pulls:
    """The forces that draw neighbours together, the same in both directions."""

    def __init__(self, ends: Places, strengths: Floats) -> None:
        self._ends = ends
        self._strengths = strengths * np.float32(2 / len(ends))

    def at(self, places: Positions) -> Positions:
        apart, squares = self._apart(places)
        return self._summed(apart, self._strengths / (1 + squares))

    def pushes_within(self, places: Positions, pushed: Pushes) -> Positions:
        """Return the pushes between neighbours that lie closer than a grid can tell."""
        apart, squares = self._apart(places)
        missing: Floats = np.maximum(0, 1 - np.sqrt(squares) / np.float32(pushed.blur))
        forces: Floats = missing / (1 + squares) ** 2
        return self._summed(apart, forces * np.float32(-pushed.scale / 2))

    def _apart(self, places: Positions) -> tuple[list[Floats], Floats]:
        points = places.astype(np.float32)
        apart = [points[:, axis][self._ends] - points[:, axis, None] for axis in (0, 1)]
        return apart, apart[0] * apart[0] + apart[1] * apart[1]

    def _summed(self, apart: list[Floats], forces: Floats) -> Positions:
        sums = []
        for along in apart:
            along *= forces
            back = np.bincount(self._ends.ravel(), along.ravel(), len(self._ends))
            sums.append(along.sum(axis=1) - back)
        return np.stack(sums, axis=1)


class Pushes(NamedTuple):
    """The forces by which all points push each other apart."""

    forces: Positions
    scale: float  #: of the push of one pair
    blur: float  #: distance within which a pair hardly pushes; 0 if the forces are exact


def exact_pushes(places: Positions) -> Pushes:
    """Return the forces by which all points push each other apart."""
    points = places.astype(np.float32)
    squares = np.einsum("ij,ij->i", points, points)
    wide = np.column_stack([points, np.ones(len(points), np.float32)])
    total, forces = 0.0, np.empty_like(points)
    for start in range(0, len(points), BLOCK):
        rows = slice(start, start + BLOCK)
        near = points[rows] @ points.T
        near *= -2
        near += squares
        near += squares[rows, None] + 1
        np.maximum(near, 1, out=near)
        np.reciprocal(near, out=near)
        total += float(near.sum()) - len(near)
        np.multiply(near, near, out=near)
        sums = near @ wide
        forces[rows] = points[rows] * sums[:, 2:] - sums[:, :2]
    scale = 4 / max(total, 1e-12)
    return Pushes(forces.astype(np.float64) * scale, scale, 0.0)


def grid_pushes(places: Positions) -> Pushes:
    """Return about the same as `exact_pushes`: points are spread over a grid, whose cells push each other."""
    low = places.min(axis=0)
    side = float((places.max(axis=0) - low).max())
    size = int(min(MOST_CELLS, max(32, np.ceil(side / GRID_STEP) + 2)))
    step = side / (size - 2) if side > 0 else 1.0
    corners, shares = _corners((places - low) / step, size)
    mass = np.bincount(corners.ravel(), shares.ravel(), size * size).reshape(size, size).astype(np.float32)
    spectrum = np.fft.rfft2(mass, (2 * size, 2 * size))
    one, towards_x, towards_y = (
        np.fft.irfft2(spectrum * kernel, (2 * size, 2 * size))[:size, :size].ravel()
        for kernel in _kernels(size, step)
    )
    total = float((one[corners] * shares).sum()) - len(places)
    forces = np.stack([(field[corners] * shares).sum(axis=1) for field in (towards_x, towards_y)], axis=1)
    scale = 4 / max(total, 1e-12)
    return Pushes(forces * scale, scale, step)


def _corners(places: Positions, size: int) -> tuple[Places, Positions]:
    """Return the four corners of the cell around each point, and its shares of them."""
    whole = np.minimum(places.astype(np.intp), size - 2)
    x, y = (places - whole).T
    first = whole[:, 0] * size + whole[:, 1]
    corners = np.stack([first, first + 1, first + size, first + size + 1], axis=1)
    return corners, np.stack([(1 - x) * (1 - y), (1 - x) * y, x * (1 - y), x * y], axis=1)


def _kernels(size: int, step: float) -> tuple[Spectrum, Spectrum, Spectrum]:
    """Return how close two cells are by their distance, and their pushes along both axes, as spectra."""
    along = (np.fft.fftfreq(2 * size) * 2 * size * step).astype(np.float32)
    near = 1 / (1 + along[:, None] ** 2 + along**2)
    pushes = near * near * along[:, None]
    return np.fft.rfft2(near), np.fft.rfft2(pushes), np.fft.rfft2(pushes.T)


def _neighbours(count: int) -> int:
    return min(count - 1, NEIGHBOURS)


def _few(count: int) -> Floats:
    return np.array([(0, 0), (1, 0)][:count], np.float32).reshape(count, 2)
