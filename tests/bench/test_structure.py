"""Count what the source of a checkout is made of, however its ports and its store are cut."""

from __future__ import annotations

import ast
from pathlib import Path
from textwrap import dedent

import pytest

from bench import structure

SOURCE = {
    "ports/memories.py": """
        from typing import Protocol
        class Memories(Protocol):
            def get(self, ids): ...
            def insert(self, new): ...
        """,
    "ports/search.py": """
        import typing
        class Search(typing.Protocol[Pool]):
            @property
            def fingerprint(self) -> str: ...
            def candidates(self, sought): ...
        class Pool(NamedTuple):
            def best(self): ...
        """,
    "ports/__init__.py": """
        from typing import Protocol
        class Store(Protocol):
            @property
            def memories(self) -> Memories: ...
            @property
            def search(self) -> "Search": ...
            def close(self): ...
        """,
    "store/connections.py": """
        class Connections: ...
        class ReadingConnections(Connections): ...
        """,
    "store/memories.py": """
        from memory_layer.ports.memories import Memories as Port
        class Memories(Port): ...
        """,
    "store/index/memories.py": """
        from memory_layer.store import connections
        from memory_layer.store.memories import Memories as Stored
        class Memories(Stored, connections.ReadingConnections): ...
        """,
    "model/filters.py": """
        class Filters(NamedTuple):
            reach: str
            project: str
            tags: tuple
            status: str
            tier: str
            writer: str
        """,
    "rules/meaning.py": 'MEANS = ("reach", "project", "tags", "status", "tier", "writer")',
    "verbs/given.py": 'CHECKED = ("reach", "project", "tags", "status", "tier", "writer")',
}


@pytest.fixture
def package(tmp_path: Path) -> Path:
    for name, source in SOURCE.items():
        path = tmp_path / structure.PACKAGE / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(dedent(source))
    return tmp_path / structure.PACKAGE


def trees(package: Path) -> dict[Path, ast.Module]:
    return {path: ast.parse(path.read_text()) for path in sorted(package.rglob("*.py"))}


def test_every_method_of_a_port_counts_and_the_way_to_another_port_does_not(package):
    assert structure.port_methods(package, trees(package)) == [
        "Store.close",
        "Memories.get",
        "Memories.insert",
        "Search.fingerprint",
        "Search.candidates",
    ]


def test_classes_of_one_name_are_told_apart_by_their_modules(package):
    assert structure.longest_inheritance(package, trees(package)) == 4


def test_what_a_filter_means_is_not_said_by_who_hands_it_on(package):
    assert structure.filter_meanings(package, trees(package)) == ["memory_layer.rules.meaning"]
