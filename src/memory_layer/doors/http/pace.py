"""Limit how fast each caller sends requests, and how fast wrong tokens and links are tried."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable

FAILED = "failed"  #: the key of all requests that nobody could be recognised by
LINKS = "links"  #: of all requests with a one-time link: anybody can send a wrong one
MOST_KEYS = 10_000
PER_SECOND, AT_ONCE = 600.0, 3_000  #: for one token or browser: twice what 64 programs with one token send
FAILED_PER_SECOND, FAILED_AT_ONCE = 20.0, 1_000


class Pace:
    """A bucket of requests for each caller, filled at a steady rate."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._left: dict[str, tuple[float, float]] = {}  #: requests left, and when that was computed

    def wait(self, key: str) -> int:
        """Take one request of a caller; return the seconds to wait if there is none left, else 0."""
        rate, most = (FAILED_PER_SECOND, FAILED_AT_ONCE) if key in (FAILED, LINKS) else (PER_SECOND, AT_ONCE)
        with self._lock:
            now = self._clock()
            left, at = self._left.get(key, (float(most), now))
            left = min(float(most), left + (now - at) * rate)
            self._left[key] = max(left - 1, 0.0) if left >= 1 else left, now
            self._drop_full(now)
        return 0 if left >= 1 else math.ceil((1 - left) / rate)

    def _drop_full(self, now: float) -> None:
        """Forget callers that have been quiet for long, if there are very many."""
        if len(self._left) > MOST_KEYS:
            recent = {key: each for key, each in self._left.items() if now - each[1] < AT_ONCE / PER_SECOND}
            self._left = recent
