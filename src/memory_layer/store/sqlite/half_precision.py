"""Vectors as they lie in the file: half-precision numbers, little-endian, two bytes each."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memory_layer.ports import Vectors


def as_long(found: Sequence[sqlite3.Row], width: int) -> list[sqlite3.Row]:
    """The rows whose vector has so many numbers; one of another length cannot be compared and counts as none."""
    return [row for row in found if len(row["numbers"]) == 2 * width]


def usual_width(found: Sequence[sqlite3.Row]) -> int:
    """How many numbers most of the vectors have, so that a damaged one does not decide; 0 if there is none."""
    lengths = Counter(len(row["numbers"]) // 2 for row in found)
    del lengths[0]
    return max(lengths, key=lambda width: (lengths[width], width), default=0)


def as_floats(found: Sequence[sqlite3.Row], width: int) -> Vectors:
    """The vectors of rows that are all so long."""
    import numpy as np

    numbers = np.frombuffer(b"".join(row["numbers"] for row in found), dtype="<f2")
    return numbers.reshape(len(found), width).astype(np.float32)


def products(found: Sequence[sqlite3.Row], vectors: Vectors) -> Vectors:
    """The cosines of unit vectors with these; of numbers that make no cosine one that is above nothing."""
    import numpy as np

    with np.errstate(all="ignore"):
        product: Vectors = as_floats(found, len(vectors)) @ vectors
        product[~(np.abs(product) < 1.5)] = np.nan
    return product
