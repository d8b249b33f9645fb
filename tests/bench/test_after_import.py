"""Time the first search after an import, and say who built the index."""

from __future__ import annotations

import json

import pytest

from bench import after_import
from bench.after_import import built_by

ONE, OTHER = {"segment": (100, 1)}, {"segment": (120, 2)}


@pytest.mark.parametrize(
    ("imported", "searched", "who"),
    [
        ({}, {}, "nobody"),
        ({}, ONE, "the search"),
        (ONE, ONE, "the import"),
        (ONE, OTHER, "both"),
    ],
)
def test_the_index_was_built_by_whoever_changed_its_files(imported, searched, who):
    assert built_by(imported, searched) == who


def test_the_first_and_the_second_search_are_hybrid_and_timed(tmp_path, capsys):
    kept = tmp_path / "kept.json"

    after_import.main(["--memories", "1100", "--json", str(kept)])

    (row,) = json.loads(kept.read_text())["rows"]
    assert row["mode"] == "hybrid"
    assert row["hits"] > 0
    assert row["index_mb"] > 0.3  # which it has only with the vectors
    assert all(row[name] > 0 for name in ("import_seconds", "first_ms", "second_ms"))
    assert "index built by" in capsys.readouterr().out


def test_a_checkout_without_an_environment_is_named(tmp_path, capsys):
    with pytest.raises(SystemExit):
        after_import.main([str(tmp_path)])

    assert "there is no environment in" in capsys.readouterr().err
