"""The dependency rule, read from the imports of every module.

    doors, agents ──► verbs ──► usecases ──► rules ──► text ──► errors
          │                        ├───────► ranking ─► model
          │                        └───────► ports ───► model, ranking.columns, settings
          └► wiring ──► store, embed, surroundings ──► ports, ranking.columns, model, errors

A layer may import what its arrows reach; the two tables below say it line by line. Wiring, which puts
everything together, also hands policies to adapters and lets a use case finish what a dead writer left.
A door calls verbs; beside them only what works without an open store, or is no act of a user.
"""

from __future__ import annotations

import ast
import re
import sys
from pathlib import Path

import pytest

from tests.architecture.source import PACKAGE, ROOT, Import, dotted_name, imports_in, modules_under, parsed

NOUNS = {"model", "errors"}
CORE = NOUNS | {"ports", "settings"}
ADAPTERS = {"store", "embed", "surroundings", "signatures"}
#: Use cases that are no verbs: they work beside or without an open store, or only help a door to speak.
FOR_DOORS = {"who.access", "who.browser", "who.confirm", "who.identify", "who.privacy", "who.projects"}
FOR_DOORS |= {"learn.journal", "upkeep.backup", "upkeep.doctor", "upkeep.error_log"}
#: Pure functions over values that every backend and the use cases share: columns, digests and hashes of records.
SHARED = {"store.chain", "store.flaws", "store.rows"}

#: Which parts of memory_layer a part may import, beside itself. `a.b` allows that one module of `a`.
MAY_IMPORT: dict[str, set[str]] = {
    "blas": set(),
    "errors": set(),
    "model": {"errors"},
    "programs": NOUNS,
    "folders": NOUNS,
    "options": NOUNS,
    "config_file": NOUNS | {"options"},
    "settings": NOUNS | {"config_file", "folders", "options"},
    "text": {"errors", "model.record"},
    "rules": NOUNS | {"text"},
    "ranking": NOUNS,
    "ports": NOUNS | {"settings", "ranking.columns"},
    "store": NOUNS | {"blas", "ports", "ranking.columns"},
    "embed": NOUNS | {"blas", "ports", "programs", "ranking.columns"},
    "surroundings": NOUNS | {"ports", "programs", "ranking.columns"},
    "signatures": NOUNS,
    "wiring": CORE | ADAPTERS | {"programs", "rules", "text", "usecases"},
    "usecases": CORE | {"ranking", "rules", "text"} | SHARED,
    "verbs": NOUNS | {"ports", "usecases"},
    "agents": CORE | {"programs"},
    "doors": NOUNS
    | {"settings", "options", "verbs", "wiring", "agents"}
    | {"ranking.explain", "text.tokens"}  # a score in words, and what a text costs its reader
    | {f"usecases.{name}" for name in FOR_DOORS},
    "__main__": {"errors", "doors", "agents"},
    "": CORE | {"doors"},
}

#: What a part may name for the type checker only: the records that come back to it.
MAY_NAME: dict[str, set[str]] = {"doors": {"ports", "usecases"}}

#: Which libraries a part may import, beside the standard library.
MAY_USE: dict[str, set[str]] = {
    "folders": {"platformdirs"},
    "config_file": {"tomlkit"},
    "ports": {"numpy"},
    "ranking": {"numpy"},
    "store": {"numpy", "psycopg", "psycopg_pool"},
    "embed": {"numpy"},
    "usecases": {"numpy"},
    "signatures": {"webauthn"},
    "doors": {"click", "fastapi", "pydantic", "rich", "starlette", "tomlkit"}
    | {"h11", "uvicorn"}  # the server, and what it reads requests with
    | {"anyio", "mcp", "mcp_types"},  # the protocol's SDK is these three
}

PURE = ("model", "ranking", "rules", "text")
#: Standard modules that bring in time, chance or the machine.
IMPURE = {"asyncio", "io", "logging", "os", "pathlib", "random", "secrets", "shutil", "socket", "sqlite3"}
IMPURE |= {"subprocess", "tempfile", "threading", "time", "urllib", "uuid"}
CLOCKS = {"now", "utcnow", "today"}
ENVIRONMENT = {"environ", "environb", "getenv", "getenvb", "putenv", "unsetenv"}
EMPTY_NAMES = {"base", "common", "helper", "helpers", "impl", "manager", "misc", "util", "utils"}

MODULES = modules_under(PACKAGE)
FOLDERS = (PACKAGE, ROOT / "tests", ROOT / "bench", ROOT / "npm")
EVERYWHERE = [path for folder in FOLDERS for path in modules_under(folder)]


def part_of(module: str) -> str:
    """The layer a module belongs to: the first name below memory_layer."""
    return module.split(".")[1] if "." in module else ""


def may_import(part: str, target: str) -> bool:
    """Whether `part` may import the module `target` of memory_layer."""
    names = target.split(".")[1:]
    if not names or (len(names) == 1 and names[0] not in MAY_IMPORT and names[0].startswith("__")):
        return True  # the bare package and its `__version__` load nothing
    return names[0] == part or bool({".".join(names[:depth]) for depth in (1, 2, 3)} & MAY_IMPORT[part])


def may_name(part: str, found: Import) -> bool:
    return found.for_types and part_of(found.module) in MAY_NAME.get(part, set())


def broken_arrows(part: str, imports: list[Import]) -> list[str]:
    own = [found for found in imports if found.top == "memory_layer" and not may_name(part, found)]
    return [f"line {found.line}: {found.module}" for found in own if not may_import(part, found.module)]


def foreign_libraries(part: str, imports: list[Import]) -> list[str]:
    allowed = MAY_USE.get(part, set()) | sys.stdlib_module_names | {"memory_layer"}
    return [f"line {found.line}: {found.module}" for found in imports if found.top not in allowed]


def environment_reads(tree: ast.Module) -> list[int]:
    """Lines that touch the environment, as `os.environ`, `getenv` or imported from `os`."""
    lines = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr in ENVIRONMENT:
            lines.append(node.lineno)
        elif isinstance(node, ast.ImportFrom) and node.module in ("os", "posix"):
            lines += [node.lineno for alias in node.names if alias.name in ENVIRONMENT]
    return lines


def clock_readings(tree: ast.Module) -> list[int]:
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    return [
        call.lineno for call in calls if isinstance(call.func, ast.Attribute) and call.func.attr in CLOCKS
    ]


def by_module(paths: list[Path]) -> list[object]:
    return [pytest.param(path, id=str(path.relative_to(ROOT))) for path in paths]


@pytest.mark.parametrize("path", by_module(MODULES))
def test_a_module_imports_only_what_its_layer_may_know(path):
    part = part_of(dotted_name(path))

    assert part in MAY_IMPORT, f"{part} is not a layer; docs/architecture.md names them"
    assert broken_arrows(part, imports_in(parsed(path))) == []


@pytest.mark.parametrize("path", by_module(MODULES))
def test_a_module_uses_only_the_libraries_of_its_layer(path):
    part = part_of(dotted_name(path))

    assert foreign_libraries(part, imports_in(parsed(path))) == []


@pytest.mark.parametrize("path", by_module(MODULES))
def test_records_are_declared_in_the_way_that_costs_a_start_little(path):
    """See `model/record.py`; only that module names the standard library's."""
    named = {
        alias.name
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.ImportFrom) and node.module == "typing"
        for alias in node.names
    }

    assert "NamedTuple" not in named or path.name == "record.py"


def test_the_package_has_its_rooms_and_no_others():
    parts = {part_of(dotted_name(path)) for path in MODULES}

    assert parts <= set(MAY_IMPORT)
    assert {"model", "ranking", "rules", "text", "usecases", "verbs", "store", "embed"} <= parts


def test_only_wiring_knows_the_adapters():
    knowing = {
        part_of(dotted_name(path))
        for path in MODULES
        for found in imports_in(parsed(path))
        if found.top == "memory_layer"
        and part_of(found.module) in ADAPTERS
        and not may_import("usecases", found.module)
    }

    assert knowing - ADAPTERS <= {"wiring"}


def test_only_settings_reads_the_environment_and_the_command_sets_one_for_numpy():
    readers = {dotted_name(path) for path in MODULES if environment_reads(parsed(path))}

    assert readers <= {"memory_layer.settings", "memory_layer.__main__"}


def test_databases_are_opened_only_at_the_edge():
    openers = {
        part_of(dotted_name(path))
        for path in MODULES
        for found in imports_in(parsed(path))
        if found.top in ("sqlite3", "psycopg")
    }

    assert openers <= {"store", "surroundings"}


def test_what_every_store_promises_is_tested_without_naming_one():
    promises = sorted((ROOT / "tests" / "contract").glob("test_*.py"))
    naming = [path.name for path in promises if "sqlite" in path.read_text(encoding="utf-8").lower()]

    assert promises
    assert naming == []


def test_use_cases_and_ports_load_numpy_only_when_it_is_needed():
    loading = [
        f"{dotted_name(path)}:{found.line}"
        for path in MODULES
        if part_of(dotted_name(path)) in ("usecases", "ports")
        for found in imports_in(parsed(path))
        if found.top == "numpy" and found.at_load
    ]

    assert loading == []


def test_ports_name_ranking_for_the_type_checker_only():
    paths = [path for path in MODULES if part_of(dotted_name(path)) == "ports"]
    named = [
        found for path in paths for found in imports_in(parsed(path)) if part_of(found.module) == "ranking"
    ]

    assert all(found.for_types for found in named)


def test_rules_and_numbers_are_pure():
    touching = [
        f"{dotted_name(path)}:{found.line} {found.module}"
        for path in MODULES
        if part_of(dotted_name(path)) in PURE
        for found in imports_in(parsed(path))
        if found.top in IMPURE
    ]
    telling_time = [
        f"{dotted_name(path)}:{line}"
        for path in MODULES
        if part_of(dotted_name(path)) in PURE
        for line in clock_readings(parsed(path))
    ]

    assert touching == []
    assert telling_time == []


def test_every_import_is_absolute():
    relative = [
        f"{path.relative_to(ROOT)}:{found.line}"
        for path in EVERYWHERE
        for found in imports_in(parsed(path))
        if found.relative
    ]

    assert relative == []


def test_names_say_what_a_file_is_for():
    folders = {parent for path in EVERYWHERE for parent in path.relative_to(ROOT).parents}
    names = {path.stem for path in EVERYWHERE} | {folder.name for folder in folders}
    words = {word for name in names for word in name.removeprefix("test_").split("_")}

    assert names & EMPTY_NAMES == set()
    assert {word for word in words if re.fullmatch(r"v\d+", word)} == set()


def test_the_reader_sees_lazy_relative_and_type_only_imports():
    tree = ast.parse(
        "import os\n"
        "from typing import TYPE_CHECKING\n"
        "if TYPE_CHECKING:\n    from memory_layer.ranking import columns\n"
        "from . import sibling\n"
        "def later():\n    import numpy\n"
        "try:\n    import tomllib\nexcept ImportError:\n    pass\n"
    )
    found = {each.module: each for each in imports_in(tree)}

    assert found["os"].at_load
    assert found["tomllib"].at_load
    assert found["memory_layer.ranking.columns"].for_types
    assert not found["memory_layer.ranking.columns"].at_load
    assert found["sibling"].relative
    assert not found["numpy"].at_load


@pytest.mark.parametrize(
    ("part", "line"),
    [
        ("rules", "from memory_layer.ports import Store"),
        ("rules", "from memory_layer import ports"),
        ("rules", "import memory_layer.usecases.remember.add"),
        ("text", "from memory_layer.model.memory import Memory"),
        ("ranking", "from memory_layer.rules.lifecycle import judged"),
        ("usecases", "from memory_layer.store.sqlite import SqliteStore"),
        ("usecases", "from memory_layer.wiring import open_engine"),
        ("doors", "def f():\n    from memory_layer.store import sqlite"),
        ("doors", "from memory_layer.text.secrets.redact import redacted"),
        ("doors", "from memory_layer.usecases.recall.search import search"),
        ("doors", "def f():\n    from memory_layer.usecases.remember import add"),
        ("doors", "from memory_layer.ports import Engine"),
        ("usecases", "from memory_layer.verbs.recall import SEARCH"),
        ("verbs", "from memory_layer.text.secrets.redact import redact"),
        ("verbs", "from memory_layer.wiring import open_engine"),
        ("store", "from memory_layer.settings import Settings"),
        ("ports", "from memory_layer.ranking.rankers import balanced"),
        ("usecases", "from memory_layer import open"),
    ],
)
def test_the_rule_finds_a_broken_arrow(part, line):
    assert broken_arrows(part, imports_in(ast.parse(line)))


@pytest.mark.parametrize(
    ("part", "line"),
    [
        ("model", "import numpy"),
        ("usecases", "def f():\n    import click"),
        ("usecases", "from fastapi import FastAPI"),
        ("embed", "import torch"),
    ],
)
def test_the_rule_finds_a_foreign_library(part, line):
    assert foreign_libraries(part, imports_in(ast.parse(line)))


@pytest.mark.parametrize(
    "line",
    [
        "import os\nos.environ['X']",
        "import os\nos.getenv('X')",
        "from os import environ",
        "from os import getenv as g",
    ],
)
def test_the_rule_finds_a_look_at_the_environment(line):
    assert environment_reads(ast.parse(line))
