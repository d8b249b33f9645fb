"""The arithmetic a formula may use, so that it is written once for floats and for numpy columns.

A keyword search never loads numpy: its candidates are scored one by one with `PLAIN`.
With vectors the same formulas run on whole columns with `arrays.NUMPY`.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Protocol, TypeVar

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: The number of one candidate, or the column of all candidates.
Number = TypeVar("Number", float, "NDArray[np.float64]")


class Maths(Protocol[Number]):
    """What operators alone cannot say for both kinds of number."""

    def exp(self, x: Number) -> Number: ...

    def log(self, x: Number) -> Number: ...

    def at_least(self, x: Number, bound: float) -> Number: ...

    def at_most(self, x: Number, bound: float) -> Number: ...

    def unless_negative(self, mark: Number, value: Number, instead: float) -> Number:
        """`value` where the mark is zero or more, `instead` elsewhere."""
        ...

    def highest(self, x: Number) -> float:
        """The largest value, never below zero."""
        ...

    def lowest(self, x: Number) -> float:
        """The smallest value."""
        ...


class _Plain:
    def exp(self, x: float) -> float:
        return math.exp(x)

    def log(self, x: float) -> float:
        return math.log(x)

    def at_least(self, x: float, bound: float) -> float:
        return max(x, bound)

    def at_most(self, x: float, bound: float) -> float:
        return min(x, bound)

    def unless_negative(self, mark: float, value: float, instead: float) -> float:
        return value if mark >= 0.0 else instead

    def highest(self, x: float) -> float:
        return max(x, 0.0)

    def lowest(self, x: float) -> float:
        return x


PLAIN: Maths[float] = _Plain()
