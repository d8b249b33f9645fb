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

from memory_layer.model.filters import RULES, WISHES, unmet
from memory_layer.model.memory import Citation, Project
from memory_layer.model.query import Filters, Giving, Reach
from memory_layer.model.vocabulary import Category, Priority, Reason, Source, Status, Tier
from memory_layer.rules.permissions import may_be_given, scope_counts
from memory_layer.store.sqlite.filters import where
from memory_layer.text import scopes
from tests.conftest import NOON
from tests.indexes import World, check, small

a_moment = st.integers(-3, 3).map(lambda days: NOON + timedelta(days=days))
#: Texts that mean something in a field; every other field gets its values from its type.
TEXTS: dict[str, Any] = {
    "project": [None, "prj_one", "prj_two", "prj_none"],
    "tags": ["red", "Blue", "ä", "Ä", "I", "İ", "proposed"],
    "scopes": ["src/**", "*.md"],
    "paths": ["src/a.py", "README.md", "docs/x.md"],
    "writers": ["", "ada", "bot"],
    "ids": ["first", "second", "nobody"],
    "sessions": ["monday", "nowhere"],
    "owner": [None, "ada"],
}
TYPES: dict[str, Any] = {
    "bool": st.booleans(),
    "bool | None": st.sampled_from([None, True, False]),
    "float": st.sampled_from([0.0, 0.3, 0.5]),
    "float | None": st.sampled_from([None, 0.5, 0.9]),
    "datetime | None": st.none() | a_moment,
    "int": st.integers(0, 3),
    "Reach": st.sampled_from(Reach),
    "Giving | None": st.none() | st.sampled_from(Giving),
    "tuple[tuple[str, ...], ...]": st.lists(
        st.sampled_from([(), ("src/**",), ("*.md", "!src/a.py")]), max_size=2, unique=True
    ).map(tuple),
}
WORDS: dict[str, Any] = {
    "Category": list(Category)[:3],
    "Tier": list(Tier),
    "Priority": list(Priority),
    "Source": list(Source)[:2],
    "Status": list(Status),
    "Reason": [Reason.ASKED, Reason.FORGOTTEN, Reason.WRITING],
}


def values_of(field):
    """Values for a field of the record, by its type."""
    annotation = Filters.__annotations__[field]
    if annotation in TYPES:
        return TYPES[annotation]
    word = annotation.removeprefix("tuple[").removesuffix(", ...]")
    if word == annotation:
        return st.sampled_from(TEXTS[field])
    return st.lists(st.sampled_from(WORDS.get(word) or TEXTS[field]), max_size=2, unique=True).map(tuple)


FIELDS = {field: values_of(field) for field in Filters._fields}
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
            st.sampled_from(["red", "Red", "blue", "ä", "Ä", "i", "İ", "proposed"]), max_size=3, unique=True
        ).map(tuple),
        "scope": st.lists(st.sampled_from(["src/**", "*.md", "!src/a.py"]), max_size=2, unique=True).map(
            tuple
        ),
        "source": st.sampled_from(list(Source)[:3]),
        "writer": st.sampled_from(["ada", "bot", "cid"]),
        "session": st.sampled_from([None, "monday"]),
        "priority": st.sampled_from(Priority),
        "reinforcement_count": st.integers(1, 3),
        "confidence": st.sampled_from([0.1, 0.3, 0.5, 0.9]),
        "created_at": a_moment,
        "expires_at": st.none() | a_moment,
        "worked": st.integers(0, 1),
        "approved_at": st.none() | a_moment,
        "approved_by": st.none() | st.just("ada"),
        "metadata": st.sampled_from([{}, {"written_from": "two"}]),
        "failed": st.integers(0, 1),
        "citations": st.sampled_from([(), (Citation(path="src/a.py"),)]),
    }
)


def test_every_filter_has_a_rule():
    assert {rule.field for rule in RULES} | {"project"} == set(Filters._fields)


def allowed_rows(store, filters, now):
    """The rows that the index lets through."""
    with store.reading():
        view = store.search.view()
        allowed = view.allowed(store.search.wanted(filters, now))
    return sorted(
        row
        for each in allowed
        for row in each.segment.rows[slice(None) if each.mask is None else each.mask].tolist()
    )


def check_giving(store):
    """SQL and the rules agree on what may be given automatically."""
    every = Filters(statuses=(), expired=True, superseded=True, project="prj_one")
    known = store.memories.page(every, NOON, "stored", 99, None).items
    by_scope = store.memories.page(every._replace(giving=Giving.BY_SCOPE), NOON, "stored", 99, None).items
    assert by_scope == tuple(each for each in known if scope_counts(each, "one"))
    rows = store.memories.present(every, NOON, None, "trust")
    always = store.memories.present(every._replace(giving=Giving.ALWAYS), NOON, None, "trust")
    assert always == [each for each in rows if may_be_given(each.warrant)]


@effort(max_examples=30, suppress_health_check=list(HealthCheck))
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
                    world.store.projects.save(Project(f"prj_{name}", name, name), NOON)
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
            for memory in kept:
                if memory.citations and data.draw(st.booleans()):
                    world.drift(memory)
            names = {"first": kept[0].id, "second": kept[-1].id}
            asked = [each._replace(ids=tuple(names.get(name, name) for name in each.ids)) for each in asked]
            check_giving(world.store)
            for filters in [
                *asked,
                Filters(),
                Filters(proposed=True),
                Filters(drifted=True, superseded=True),
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
                    each.id for each in known if unmet(filters, each, scopes.matches) is None
                ]
