"""Light rows are read by the smallest index that holds all that the filters let through."""

from __future__ import annotations

import pytest

from memory_layer.model.memory import Project
from memory_layer.model.query import Filters, Giving, Reach
from memory_layer.model.vocabulary import Priority, Status, Tier, WriterKind
from tests.conftest import NOON

FACTS = Filters(reach=Reach.PROJECT, project="id-one", tiers=(Tier.SEMANTIC,))
IMPORTANT = (Priority.CRITICAL, Priority.HIGH)


@pytest.fixture
def indexes(store, put, monkeypatch):
    """Return the indexes that are named while light rows are read."""
    with store.writing():
        store.projects.save(Project(id="id-one", key="host/one", name="one"), NOON)
    for project in ("host/one", None):
        put(f"of {project}", project=project, scope=("src/**",), writer_kind=WriterKind.PERSON)

    def named(filters, most, order):
        statements: list[str] = []
        rows = store.connection.rows

        def noting(sql, *values):
            statements.append(sql)
            return rows(sql, *values)

        monkeypatch.setattr(store.connection, "rows", noting)
        store.memories.present(filters, NOON, most, order)
        monkeypatch.undo()
        words = " ".join(statements).split()
        return [
            words[place + 2] for place in range(len(words)) if words[place : place + 2] == ["indexed", "by"]
        ]

    return named


@pytest.mark.parametrize(
    ("filters", "most", "order", "expected"),
    [
        (FACTS, 5, "presence", ["memory_presence"] * 2),
        (FACTS._replace(giving=Giving.ALWAYS), 5, "presence", ["memory_presence", "memory_vouched"]),
        (FACTS._replace(priorities=IMPORTANT), None, "presence", ["memory_baseline"] * 2),
        (FACTS._replace(priorities=IMPORTANT[:1]), None, "presence", ["memory_baseline"] * 2),
        (FACTS._replace(priorities=tuple(Priority)), None, "presence", ["memory_presence"] * 2),
        (FACTS._replace(priorities=IMPORTANT), 5, "presence", ["memory_presence"] * 2),
        (FACTS._replace(statuses=tuple(Status)), 5, "presence", []),
        (FACTS._replace(tiers=()), 5, "presence", []),
        (FACTS._replace(exact_scopes=(("src/**",), ())), 5, "touched", ["memory_scope"] * 2),
        (FACTS._replace(tiers=(Tier.PROCEDURAL,)), 5, "touched", ["memory_procedure"] * 2),
        (FACTS._replace(reach=Reach.GLOBAL), 5, "presence", ["memory_presence"]),
        (FACTS._replace(reach=Reach.ALL), 5, "presence", ["memory_presence"] * 2),
        (FACTS, 5, "trust", []),
    ],
)
def test_an_index_is_named_only_if_it_holds_all_that_passes(indexes, filters, most, order, expected):
    assert indexes(filters, most, order) == expected
