"""Who asks about a few memories waits for those, however many their project has."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import contextmanager
from typing import Any

import pytest

from memory_layer.model.memory import Project
from memory_layer.model.query import Filters, Reach
from memory_layer.ports.search import Neighbourhood
from memory_layer.store.sqlite.memories import ids_by_row
from memory_layer.store.sqlite.neighbours import nearest_to_each
from tests.conftest import NOON
from tests.indexes import Dice, World

FEW, MANY = [1, 2, 3], 150
STEPS = 10  #: instructions of SQLite's machine that count as one


@pytest.fixture
def world(tmp_path, agent):
    world = World(tmp_path / "memory.db", agent)
    with world.store.writing():
        world.store.projects.save(Project("prj_one", "one", "one"), NOON)
    world.put(project="one")
    yield world
    world.store.close()


@contextmanager
def counting(store: Any):
    """How many steps SQLite takes."""
    taken = [0]

    def step() -> None:
        taken[0] += 1

    with store.connection.using() as db:
        db.set_progress_handler(step, STEPS)
        yield taken
        db.set_progress_handler(None, 0)


def passing(store: Any) -> Any:
    ids = ids_by_row(store.connection, FEW)
    return store.search.passing(list(ids.values()), Filters(reach=Reach.PROJECT, project="prj_one"), NOON)


def nearest(**few: Any) -> Callable[[Any], Any]:
    among = Neighbourhood(project="one", category=None, above=-1.0, limit=3, excluding="")

    def ask(store: Any) -> Any:
        asked = {name: told(store) if callable(told) else told for name, told in few.items()}
        vectors = Dice().embed_query("x")[None, :]
        return nearest_to_each(store.connection, vectors, Dice.fingerprint, [among], **asked)

    return ask


@pytest.mark.parametrize(
    "ask",
    [passing, nearest(rows=FEW), nearest(since=lambda store: store.sequence() - 3)],
    ids=["passing", "nearest of some rows", "nearest of what changed"],
)
def test_a_large_project_takes_no_more_steps_than_a_small_one(world, ask):
    steps = []
    for count in (10, MANY):
        for _ in range(count):
            world.put(project="one")
        with counting(world.store) as taken:
            ask(world.store)
        steps.append(taken[0])

    assert steps[1] <= 1.5 * steps[0]
