"""A server's own log: one line for many that are alike, so that no client can fill a disk with it."""

from __future__ import annotations

import logging
import sys
import time
from collections.abc import Callable

_LOGGERS = ("uvicorn.error", "asyncio", "mcp")


class Damped(logging.Filter):
    """Lets one record of each place in the code through per interval, with the number it stands for."""

    def __init__(self, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._seconds = seconds
        self._clock = clock
        self._shown: dict[tuple[str, int], float] = {}
        self._left_out: dict[tuple[str, int], int] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        place, now = (record.pathname, record.lineno), self._clock()
        if place in self._shown and now - self._shown[place] < self._seconds:
            self._left_out[place] = self._left_out.get(place, 0) + 1
            return False
        self._shown[place] = now
        if count := self._left_out.pop(place, 0):
            record.msg = f"{record.getMessage()} (and {count:,} more like it since the last one)"
            record.args = ()
        return True


def damp_logs(seconds: float) -> None:
    """Send what the server's libraries log to standard error, one line for many that are alike."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(logging.Formatter("%(levelname)s: %(message)s"))
    handler.addFilter(Damped(seconds))
    for name in _LOGGERS:
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = [handler], False
        logger.setLevel(logging.WARNING)
