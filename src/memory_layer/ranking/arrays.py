"""The numpy half of ranking: whole columns at once. Only the vector path imports this module."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING

import numpy as np

from memory_layer.ranking.arithmetic import Maths

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]
    Vectors = NDArray[np.float32]


class _Numpy:
    def exp(self, x: Array) -> Array:
        return np.exp(x)

    def log(self, x: Array) -> Array:
        return np.log(x)

    def at_least(self, x: Array, bound: float) -> Array:
        return np.maximum(x, bound)

    def at_most(self, x: Array, bound: float) -> Array:
        return np.minimum(x, bound)

    def unless_negative(self, mark: Array, value: Array, instead: float) -> Array:
        return np.where(mark >= 0.0, value, instead)

    def highest(self, x: Array) -> float:
        return float(x.max(initial=0.0)) if np.ndim(x) else max(float(x), 0.0)

    def lowest(self, x: Array) -> float:
        return float(x.min(initial=inf)) if np.ndim(x) else float(x)


NUMPY: Maths[Array] = _Numpy()


def each(column: Array, count: int) -> Array:
    """A column of so many numbers, also from the one number that all have in common."""
    return column if np.ndim(column) else np.full(count, column)


def listed(columns: list[Array], count: int, places: list[int]) -> list[list[float]]:
    """The numbers of all columns at each of these of so many places, also of one that has one number for all."""
    table = np.empty((len(columns), count))
    for at, column in enumerate(columns):
        table[at] = column
    numbers: list[list[float]] = table[:, places].T.tolist()
    return numbers


def highest(scores: Array, limit: int) -> list[int]:
    """The places of the highest `limit`, of equals the first."""
    places: list[int] = (-scores).argsort(kind="stable")[: max(limit, 0)].tolist()
    return places


def cosines(vectors: Vectors, vector: Vectors) -> Vectors:
    """Return the cosines of unit vectors with one; NaN for numbers that make no cosine."""
    with np.errstate(all="ignore"):
        product: Vectors = vectors @ vector
        product[~(np.abs(product) < 1.5)] = np.nan
    return product
