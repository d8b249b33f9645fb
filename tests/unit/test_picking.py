"""From a ranked list to the lines that are shown."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memory_layer.ranking.order import RankedLine, picked

GROUPS = st.lists(st.sampled_from(["a", "b", "c", None]), max_size=12)


def nothing_repeats(place, shown):
    return None


def test_the_best_of_each_group_stands_for_it_and_the_others_are_counted():
    found = picked(["a", "b", "a", "b", "a"], 5, nothing_repeats)

    assert found.lines == (RankedLine(0, "a", more=2), RankedLine(1, "b", more=1))
    assert found.grouped == {2: 0, 3: 1, 4: 0}


def test_what_has_no_group_stands_for_itself():
    found = picked([None, "a", None, "a"], 5, nothing_repeats)

    assert found.lines == (RankedLine(0, None), RankedLine(1, "a", more=1), RankedLine(2, None))


def test_the_limit_counts_groups_and_the_rest_still_counts_in_them():
    found = picked(["a", "a", "a", "b", "c", "b", "a"], 2, nothing_repeats)

    assert found.lines == (RankedLine(0, "a", more=3), RankedLine(3, "b", more=1))


def test_a_repetition_gives_way_to_the_next_of_its_group():
    found = picked(["a", "b", "b"], 5, lambda place, shown: 0 if place == 1 else None)

    assert found.lines == (RankedLine(0, "a"), RankedLine(2, "b"))
    assert found.repeated == {1: 0}


def test_a_repetition_of_something_left_out_is_compared_with_what_is_shown():
    compared = []

    def repeats(place, shown):
        compared.append((place, tuple(shown)))
        return shown[0] if place == 1 else None

    picked([None] * 3, 5, repeats)
    assert compared == [(0, ()), (1, (0,)), (2, (0,))]


def test_nothing_is_compared_once_the_limit_is_reached():
    compared = []
    picked([None] * 9, 2, lambda place, shown: compared.append(place))

    assert compared == [0, 1]


@given(groups=GROUPS, limit=st.integers(1, 6), dull=st.sets(st.integers(0, 11)))
def test_every_place_is_shown_stood_for_or_past_the_limit(groups, limit, dull):
    found = picked(groups, limit, lambda place, shown: shown[0] if shown and place in dull else None)
    shown = [line.place for line in found.lines]
    named = [line.group for line in found.lines if line.group is not None]

    assert shown == sorted(shown)
    assert len(shown) <= limit
    assert len(named) == len(set(named))
    assert sum(line.more for line in found.lines) == len(found.grouped)
    assert not set(shown) & {*found.repeated, *found.grouped}
    assert {*found.repeated.values(), *found.grouped.values()} <= set(shown)
    if len(shown) < limit:
        assert {*shown, *found.repeated, *found.grouped} == set(range(len(groups)))
