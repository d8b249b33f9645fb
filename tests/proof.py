"""Heavy checks have a small form for every run and full counts for `make prove`."""

from __future__ import annotations

import os

FULL = os.environ.get("MEM_PROVE", "") not in ("", "0")


def counted(small: int, full: int) -> int:
    """Choose between the small form of a check and its full count."""
    return full if FULL else small
