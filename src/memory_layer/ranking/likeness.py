"""How alike two stored vectors are; without numpy, which a short list should not wait for."""

from __future__ import annotations

import math
import struct


def cosine(one: bytes, two: bytes) -> float | None:
    """Return the cosine of two rows of half-precision numbers; None for rows that cannot be compared."""
    if len(one) != len(two) or len(one) % 2:
        return None
    left, right = (struct.unpack(f"<{len(each) // 2}e", each) for each in (one, two))
    lengths = math.sqrt(sum(x * x for x in left) * sum(y * y for y in right))
    product = sum(x * y for x, y in zip(left, right, strict=True))
    return max(-1.0, min(1.0, product / lengths)) if lengths else 0.0
