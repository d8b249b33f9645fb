"""Measure an action on the clock and on the processor, and its parts."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from types import TracebackType
from typing import Any, NamedTuple, TypeVar

Result = TypeVar("Result")


class Lap(NamedTuple):
    """The time of one run, in milliseconds."""

    wall_ms: float
    cpu_ms: float

    def plus(self, other: Lap) -> Lap:
        return Lap(self.wall_ms + other.wall_ms, self.cpu_ms + other.cpu_ms)

    def minus(self, other: Lap) -> Lap:
        return Lap(self.wall_ms - other.wall_ms, self.cpu_ms - other.cpu_ms)


NOTHING = Lap(0.0, 0.0)


def timed(work: Callable[[], Result]) -> tuple[Result, Lap]:
    """The result of an action and what it took."""
    wall, cpu = time.perf_counter_ns(), time.process_time_ns()
    result = work()
    return result, Lap((time.perf_counter_ns() - wall) / 1e6, (time.process_time_ns() - cpu) / 1e6)


def percentile(values: Sequence[float], share: float) -> float:
    """The value that so large a share does not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def figures(laps: Sequence[Lap]) -> dict[str, float | int]:
    """Count laps, and return p50 and p95 of both times."""
    wall, cpu = [lap.wall_ms for lap in laps], [lap.cpu_ms for lap in laps]
    return {
        "runs": len(laps),
        "p50_ms": round(percentile(wall, 0.5), 3),
        "p95_ms": round(percentile(wall, 0.95), 3),
        "cpu_p50_ms": round(percentile(cpu, 0.5), 3),
        "cpu_p95_ms": round(percentile(cpu, 0.95), 3),
    }


class Stopwatch:
    """Adds up what the calls to an object take, by the name of what is called."""

    def __init__(self) -> None:
        self._spent: dict[str, Lap] = defaultdict(lambda: NOTHING)

    def over(self, watched: object) -> Any:
        """The object as it is, with a clock before every call from outside."""
        return _Watched(watched, self)

    def read(self) -> Mapping[str, Lap]:
        """Return the time spent since the last reading."""
        spent, self._spent = self._spent, defaultdict(lambda: NOTHING)
        return dict(spent)

    def call(self, name: str, work: Callable[[], Result]) -> Result:
        result, lap = timed(work)
        self._spent[name] = self._spent[name].plus(lap)
        return result


#: What a store is composed of; their verbs are timed as its own are.
PARTS = ("projects", "memories", "links", "vectors", "search", "log", "chain", "transfer")


class _Watched:
    """Passes everything on; of a `with` block only its beginning and its end are counted."""

    def __init__(self, watched: object, stopwatch: Stopwatch) -> None:
        self._watched = watched
        self._stopwatch = stopwatch

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._watched, name)
        if not callable(found):
            return _Watched(found, self._stopwatch) if name in PARTS else found

        def call(*arguments: Any, **named: Any) -> Any:
            result = self._stopwatch.call(name, lambda: found(*arguments, **named))
            return _Block(result, name, self._stopwatch) if hasattr(result, "__enter__") else result

        return call


class _Block:
    """A context manager whose beginning and end are timed."""

    def __init__(self, block: AbstractContextManager[Any], name: str, stopwatch: Stopwatch) -> None:
        self._block = block
        self._name = name
        self._stopwatch = stopwatch

    def __enter__(self) -> Any:
        return self._stopwatch.call(self._name, self._block.__enter__)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool | None:
        return self._stopwatch.call(self._name, lambda: self._block.__exit__(kind, error, trace))
