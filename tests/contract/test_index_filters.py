"""Filters mean the same on the columns of the index, in the conditions of SQL, and where they are explained."""

from __future__ import annotations

import tempfile
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given
from hypothesis import settings as effort
from hypothesis import strategies as st

from memory_layer.model.memory import Project
from memory_layer.model.query import Filters, Reach
from memory_layer.model.vocabulary import Category, Reason, Source, Status, Tier
from memory_layer.policy.wishes import WISHES, unmet
from memory_layer.store.sqlite.filters import where
from tests.conftest import NOON
from tests.indexes import World, check, small

a_moment = st.integers(-3, 3).map(lambda days: NOON + timedelta(days=days))
FIELDS: dict[str, Any] = {
    "reach": st.sampled_from(Reach),
    "project": st.sampled_from([None, "prj_one", "prj_two", "prj_none"]),
    "categories": st.lists(st.sampled_from(list(Category)[:3]), max_size=2).map(tuple),
    "tiers": st.lists(st.sampled_from(Tier), max_size=1).map(tuple),
    "tags": st.lists(st.sampled_from(["red", "Blue", "ä", "Ä", "I", "İ"]), max_size=2).map(tuple),
    "scopes": st.lists(st.sampled_from(["src/**", "*.md"]), max_size=1).map(tuple),
    "paths": st.sampled_from([(), ("src/a.py",), ("README.md",), ("docs/x.md", "src/a.py")]),
    "sources": st.lists(st.sampled_from(list(Source)[:2]), max_size=1).map(tuple),
    "statuses": st.lists(st.sampled_from(Status), max_size=3, unique=True).map(tuple),
    "reasons": st.lists(st.sampled_from([Reason.ASKED, Reason.FORGOTTEN, Reason.WRITING]), max_size=1).map(
        tuple
    ),
    "writers": st.lists(st.sampled_from(["", "ada", "bot"]), max_size=1).map(tuple),
    "min_confidence": st.sampled_from([0.0, 0.3, 0.5]),
    "below_confidence": st.sampled_from([None, 0.5, 0.9]),
    "before": st.none() | a_moment,
    "after": st.none() | a_moment,
    "has_outcome": st.sampled_from([None, True, False]),
    "expired": st.booleans(),
    "expired_since": st.none() | a_moment,
    "superseded": st.booleans(),
}
#: A few restrictions at a time, so that some memories are left.
some_filters = st.lists(st.sampled_from(sorted(FIELDS)), max_size=3, unique=True).flatmap(
    lambda names: st.fixed_dictionaries({name: FIELDS[name] for name in names}).map(
        lambda chosen: Filters(**chosen)
    )
)
some_fields = st.fixed_dictionaries(
    {
        "project": st.sampled_from([None, "one", "two"]),
        "category": st.sampled_from(list(Category)[:4]),
        "tier": st.sampled_from(Tier),
        "tags": st.lists(
            st.sampled_from(["red", "Red", "blue", "ä", "Ä", "i", "İ"]), max_size=3, unique=True
        ).map(tuple),
        "scope": st.lists(st.sampled_from(["src/**", "*.md", "!src/a.py"]), max_size=2, unique=True).map(
            tuple
        ),
        "source": st.sampled_from(list(Source)[:3]),
        "writer": st.sampled_from(["ada", "bot", "cid"]),
        "confidence": st.sampled_from([0.1, 0.3, 0.5, 0.9]),
        "created_at": a_moment,
        "expires_at": st.none() | a_moment,
        "worked": st.integers(0, 1),
    }
)


def allowed_rows(store, filters, now):
    """The rows that the index lets through."""
    with store.reading():
        view = store.search.view()
        allowed = view.allowed(store.search._wanted(filters, now))
    return sorted(
        row
        for each in allowed
        for row in each.segment.rows[slice(None) if each.mask is None else each.mask].tolist()
    )


@effort(deadline=None, max_examples=30, suppress_health_check=list(HealthCheck))
@given(
    st.lists(some_fields, min_size=1, max_size=25),
    st.lists(some_filters, min_size=10, max_size=25),
    st.data(),
)
def test_filters_mean_the_same_on_columns_as_in_sql(agent, memories, asked, data):
    with tempfile.TemporaryDirectory() as home, small():
        world = World(Path(home) / "memory.db", agent)
        with closing(world.store):
            with world.store.writing():
                for name in ("one", "two"):
                    world.store.projects.save_project(Project(f"prj_{name}", name, name), NOON)
            kept = [world.put(**fields) for fields in memories]
            check(world.store)
            for number in data.draw(st.lists(st.integers(0, len(kept) - 1), max_size=10)):
                memory = kept[number]
                match data.draw(st.integers(0, 4)):
                    case 0:
                        world.archive(memory)
                    case 1:
                        world.forget(memory)
                    case 2:
                        world.change(memory, status=Status.STAGED, reason=Reason.WRITING)
                    case _ if memory is not kept[0]:
                        world.supersede(kept[0], memory)
            ids = tuple(memory.id for memory in kept[:3])
            for filters in [
                *asked,
                asked[0]._replace(ids=ids),
                Filters(),
                Filters(statuses=(), expired=True),
            ]:
                for now in (NOON, NOON + timedelta(days=2)):
                    condition, parameters = where(filters, now)
                    told = world.store.connection.rows(
                        f"select m.row from memory m where {condition} order by m.row", parameters
                    )
                    assert allowed_rows(world.store, filters, now) == [row["row"] for row in told]
                # What `mem why` says of a filter is a third reading of it.
                wished = {name: getattr(filters, name) for name in WISHES}
                every = Filters(statuses=(), expired=True, superseded=True)
                passing = world.store.memories.page(every._replace(**wished), NOON, "created", 99, None).items
                known = world.store.memories.page(every, NOON, "created", 99, None).items
                assert [each.id for each in passing] == [
                    each.id for each in known if unmet(filters, each) is None
                ]
