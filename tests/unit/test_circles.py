"""Links that would let a memory supersede itself."""

from __future__ import annotations

import random
from graphlib import CycleError, TopologicalSorter
from unittest import mock

import pytest

from memory_layer.rules.links import closing


def has_circle(pairs) -> bool:
    sorter = TopologicalSorter[str]()
    for source, target in pairs:
        sorter.add(target, source)
    try:
        sorter.prepare()
    except CycleError:
        return True
    return False


def ordered_pairs(chance, names):
    """Some links that all lead the same way along the names."""
    places = [sorted(chance.sample(range(len(names)), 2)) for _ in range(chance.randrange(8))]
    return {(names[first], names[last]) for first, last in places}


@pytest.mark.parametrize("seed", range(200))
def test_no_circle_is_left_and_none_broken_that_was_not_there(seed):
    chance = random.Random(seed)
    kept, new = (ordered_pairs(chance, chance.sample("abcdefg", 7)) for _ in range(2))

    left_out = closing(kept, new)

    assert left_out <= new - kept
    assert not has_circle(kept | (new - left_out))
    assert bool(left_out) == has_circle(kept | new)


def test_a_link_behind_or_before_a_circle_stays():
    new = {("b", "a"), ("x", "a"), ("b", "y")}

    assert closing({("a", "b")}, new) == {("b", "a")}


@pytest.mark.parametrize("length", [500, 2000])
def test_each_link_is_looked_at_once_however_long_the_chain(monkeypatch, length):
    looked = mock.create_autospec(TopologicalSorter.add, side_effect=TopologicalSorter.add)
    monkeypatch.setattr(TopologicalSorter, "add", looked)
    new = {(f"m{number}", f"m{number + 1}") for number in range(length)}

    assert closing({(f"m{length}", "m0")}, new) == {(f"m{length - 1}", f"m{length}")}
    assert looked.call_count == 2 * (length + 1)  # from either end
