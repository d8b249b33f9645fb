"""The layout of the map keeps neighbours together, and is the same every time."""

from __future__ import annotations

import numpy as np
import pytest

from memory_layer.ranking import layout
from memory_layer.ranking.groups import groups

TOPICS, EACH = 12, 20


def unit(vectors):
    return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)


@pytest.fixture(scope="module")
def points():
    """Vectors around a few topics, in the order of the topics."""
    chance = np.random.default_rng(3)
    topics = chance.normal(size=(TOPICS, 32)).repeat(EACH, axis=0)
    vectors = unit(topics + 0.5 * chance.normal(size=topics.shape))
    return layout.reduction(vectors).of(vectors)


@pytest.fixture(scope="module")
def places(points):
    return layout.lay_out(points, landmarks=120, settling=80)


def nearest_places(places, count):
    apart = ((places[:, None, :] - places[None]) ** 2).sum(axis=2)
    np.fill_diagonal(apart, np.inf)
    return np.argsort(apart, axis=1)[:, :count]


def kept(points, places, count=10):
    """The share of the nearest points that are also nearest on the map."""
    true, _ = layout.nearest(points, points, count, skip_self=True)
    return (
        np.mean([len(set(a) & set(b)) for a, b in zip(true, nearest_places(places, count), strict=True)])
        / count
    )


def test_the_nearest_on_the_map_are_about_the_same_topic(places):
    topic = np.arange(TOPICS * EACH) // EACH

    assert (topic[nearest_places(places, 5)] == topic[:, None]).mean() > 0.95


def test_more_neighbours_are_kept_than_by_principal_components(points, places):
    assert kept(points, places) > 1.25 * kept(points, points[:, :2])


def test_the_layout_is_the_same_every_time(points, places):
    again = layout.lay_out(points, landmarks=120, settling=80)

    assert np.array_equal(places, again)


def test_equal_vectors_lie_together(points):
    twice = np.concatenate([points, points[:5]])
    places = layout.lay_out(twice, landmarks=120, settling=80)
    apart = np.linalg.norm(places[:5] - places[-5:], axis=1)

    assert (apart < 0.03 * np.ptp(places)).all()


def test_a_new_point_lies_among_its_neighbours_and_moves_nobody(points, places):
    before = places.copy()
    found = layout.placed(
        points[::7], np.delete(points, np.s_[::7], axis=0), np.delete(places, np.s_[::7], axis=0)
    )

    assert np.median(np.linalg.norm(found - places[::7], axis=1)) < 0.05 * np.ptp(places)
    assert np.array_equal(places, before)


def test_an_equal_point_is_placed_where_its_equal_lies(points, places):
    found = layout.placed(points[:1], np.repeat(points[:1], 8, axis=0), np.repeat(places[:1], 8, axis=0))

    assert found[0] == pytest.approx(places[0], abs=1e-3)


@pytest.mark.parametrize("count", range(6))
def test_a_few_points_have_finite_places(points, count):
    assert np.isfinite(layout.lay_out(points[:count])).all()
    assert layout.lay_out(points[:count]).shape == (count, 2)


def test_points_without_a_direction_have_finite_places():
    assert np.isfinite(layout.lay_out(np.zeros((30, 8), np.float32), steps=40)).all()


def test_pushes_read_from_a_grid_are_about_the_exact_ones(monkeypatch):
    monkeypatch.setattr(layout, "GRID_STEP", 0.1)
    places = np.random.default_rng(1).normal(size=(300, 2)) * 12
    exact, grid = layout.exact_pushes(places).forces, layout.grid_pushes(places).forces

    assert np.linalg.norm(exact - grid) < 0.1 * np.linalg.norm(exact)


def test_neighbours_looked_up_in_cells_are_nearly_all_of_them(points, monkeypatch):
    monkeypatch.setattr(layout, "CELL", 20)
    true, _ = layout.nearest(points, points, 10, skip_self=True)
    found, _ = layout.nearest_in_cells(points, 10)

    assert np.mean([len(set(a) & set(b)) for a, b in zip(true, found, strict=True)]) > 9


def test_groups_are_where_points_are_dense_and_share_no_member():
    chance = np.random.default_rng(2)
    centres = [(100, 100), (900, 200), (500, 900)]
    places = np.concatenate([chance.normal(each, 15, (40 - 10 * at, 2)) for at, each in enumerate(centres)])
    found = groups(places, 1000)

    assert [(round(each.x, -2), round(each.y, -2)) for each in found] == centres
    members = np.concatenate([each.members for each in found])
    assert len(members) == len(set(members.tolist()))
    assert groups(places[:2], 1000) == []
