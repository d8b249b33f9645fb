"""Benchmarks measure what is shipped: they go through the verbs or use cases and own no copy of anything."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from bench.__main__ import BENCHMARKS
from tests.architecture.source import ROOT, imports_in, modules_under

#: The parts of memory_layer a benchmark may know: the verbs, and what is needed to call them.
MAY_KNOW = {"doors", "errors", "model", "ports", "settings", "usecases", "verbs", "wiring"}
DRIVERS = {"sqlite3", "psycopg", "apsw"}
#: Keeps vectors in a file of its own, or fills the tables of another product: no store of ours.
OWN_FILES = ("vector_cache.py", "peers/memori.py")
MODULES = modules_under(ROOT / "bench")


def shortcuts(code: str, allowed: str = "") -> list[str]:
    """Imports that go round the use cases."""
    found = imports_in(ast.parse(code))
    inside = [each.module for each in found if each.top == "memory_layer" and not _is_open(each.module)]
    return inside + [each.module for each in found if each.top in DRIVERS - {allowed}]


def _is_open(module: str) -> bool:
    part = module.split(".")[1] if "." in module else "__init__"
    return part in MAY_KNOW or module.startswith("memory_layer.text.tokens") or part.startswith("__")


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.name)
def test_a_benchmark_goes_through_the_shipped_use_cases(path):
    allowed = "sqlite3" if path.relative_to(ROOT / "bench").as_posix() in OWN_FILES else ""

    assert shortcuts(path.read_text(encoding="utf-8"), allowed) == []


@pytest.mark.parametrize(
    "line",
    [
        "import sqlite3",
        "from memory_layer.store.sqlite import SqliteStore",
        "from memory_layer import store",
        "def later():\n    from memory_layer.ranking.rankers import balanced",
    ],
)
def test_the_rule_finds_a_shortcut(line):
    assert shortcuts(line)


@pytest.mark.parametrize("name", BENCHMARKS)
def test_every_listed_benchmark_can_be_started(name, capsys):
    with pytest.raises(SystemExit) as end:
        import_module(f"bench.{name.replace('-', '_')}").main(["--help"])

    assert end.value.code == 0
    assert "--json" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("name", "arguments", "figures"),
    [
        ("rates", ["--sizes", "20", "--singles", "5", "--batches", "1"], "rates"),
        ("after-import", ["--memories", "20"], "rows"),
        ("carry", ["--sizes", "20"], "carry"),
        ("intake", [str(ROOT), "--no-model"], "runs"),
        ("cold", ["--memories", "5", "--runs", "1", "--no-peers"], "commands"),
        ("hook", ["--memories", "5", "--runs", "1", "--sessions", "1"], "hooks"),
        ("versions", [str(ROOT), "--memories", "5", "--pairs", "1", "--batch", "30"], "work"),
    ],
)
def test_a_benchmark_prints_a_table_and_keeps_its_figures(tmp_path, name, arguments, figures):
    kept = tmp_path / "figures.json"
    bare = {"MEM_MODEL": str(tmp_path / "no-model"), "HOME": str(tmp_path)}
    done = run_bench(name, *arguments, "--json", str(kept), environ=bare)

    assert done.returncode == 0, done.stderr
    assert "load average" in done.stdout
    assert json.loads(kept.read_text())[figures]


def test_the_structure_of_a_checkout_is_counted_from_its_source_and_from_running_calls(tmp_path):
    kept = tmp_path / "figures.json"
    done = run_bench("structure", "--json", str(kept), environ={"HOME": str(tmp_path)})

    assert done.returncode == 0, done.stderr
    figures = json.loads(kept.read_text())["figures"]
    assert figures["files of src"] > 100
    assert figures["files passed by MCP recall"] > figures["files passed by outcome"] > 5
    assert figures["own modules loaded by mem search"] > 20


@pytest.mark.model
def test_the_embedder_is_measured_with_the_model_that_is_installed(tmp_path, model_folder):
    kept = tmp_path / "figures.json"
    told = {"MEM_MODEL": str(model_folder), "HOME": str(tmp_path)}
    done = run_bench("embed", "--texts", "2", "--rounds", "1", "--json", str(kept), environ=told)

    assert done.returncode == 0, done.stderr
    assert "load average" in done.stdout
    (ours,) = json.loads(kept.read_text())["embed"]
    assert ours["least_cosine"] == "1.0000000"
    assert ours["bulk_per_cpu_second"] > 0


def run_bench(*arguments: str, environ: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "bench", *arguments],
        env={**os.environ, **environ},
        cwd=Path(ROOT),
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
