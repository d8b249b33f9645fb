"""The clock around an object: it changes nothing, and counts every call under its name."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from bench.stopwatch import Lap, Stopwatch, figures, percentile


class Ticking:
    """A clock that moves only when told to."""

    def __init__(self) -> None:
        self.now = 0

    def pass_ms(self, milliseconds: int) -> None:
        self.now += milliseconds * 1_000_000

    def look(self) -> int:
        return self.now


class Shop:
    shelf = "full"

    def __init__(self, clock: Ticking) -> None:
        self._clock = clock

    def sell(self, what: str, *, count: int = 1) -> str:
        self._clock.pass_ms(5)
        return f"{count} {what}"

    def refuse(self) -> None:
        raise LookupError("sold out")

    @contextmanager
    def opened(self) -> Iterator[str]:
        self._clock.pass_ms(2)
        yield "welcome"
        self._clock.pass_ms(3)


@pytest.fixture
def clock(monkeypatch) -> Ticking:
    ticking = Ticking()
    monkeypatch.setattr(time, "perf_counter_ns", ticking.look)
    monkeypatch.setattr(time, "process_time_ns", lambda: ticking.now // 2)
    return ticking


def test_calls_go_through_and_are_added_up_by_name(clock):
    watch = Stopwatch()
    shop = watch.over(Shop(clock))

    assert shop.sell("pears", count=3) == "3 pears"
    assert shop.sell("figs") == "1 figs"
    assert shop.shelf == "full"
    assert watch.read() == {"sell": Lap(10.0, 5.0)}


def test_a_reading_starts_anew(clock):
    watch = Stopwatch()
    watch.over(Shop(clock)).sell("figs")
    watch.read()

    assert watch.read() == {}


def test_of_a_block_only_its_beginning_and_its_end_count(clock):
    watch = Stopwatch()
    shop = watch.over(Shop(clock))

    with shop.opened() as said:
        clock.pass_ms(100)
        shop.sell("figs")

    assert said == "welcome"
    assert watch.read() == {"opened": Lap(5.0, 2.5), "sell": Lap(5.0, 2.5)}


def test_what_goes_wrong_goes_wrong_as_before(clock):
    shop = Stopwatch().over(Shop(clock))

    with pytest.raises(LookupError, match="sold out"):
        shop.refuse()
    with pytest.raises(AttributeError):
        shop.lend()
    with pytest.raises(ZeroDivisionError), shop.opened():
        raise ZeroDivisionError


def test_percentiles_are_values_that_were_measured():
    values = [float(value) for value in range(100, 0, -1)]

    assert percentile(values, 0.5) == 51.0
    assert percentile(values, 0.95) == 96.0
    assert percentile([7.0], 0.95) == 7.0


def test_figures_tell_how_many_runs_they_come_from():
    assert figures([Lap(1.0, 0.5), Lap(3.0, 1.5), Lap(2.0, 1.0)]) == {
        "runs": 3,
        "p50_ms": 2.0,
        "p95_ms": 3.0,
        "cpu_p50_ms": 1.0,
        "cpu_p95_ms": 1.5,
    }
