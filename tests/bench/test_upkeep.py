"""The benchmarks of tidying run on small stores and tell what was done."""

from __future__ import annotations

import json

import pytest

from bench import duplicates, upkeep

PAIRS = [
    ("Always run the linter before you push", "Run always the linter before you push", 1),
    ("The API listens on port 8080", "The API listens on port 8081", 0),
    ("Sailing boats need wind", "The kettle is in the kitchen", 0),
]


@pytest.mark.model
def test_pairs_are_counted_as_people_judged_them(tmp_path, model_folder, capsys):
    lines = [json.dumps({"a": one, "b": other, "label": same}) for one, other, same in PAIRS]
    (tmp_path / "pairs.jsonl").write_text("\n".join(lines))
    kept = tmp_path / "figures.json"
    arguments = [str(tmp_path / "pairs.jsonl"), "--model", str(model_folder), "--json", str(kept)]

    assert duplicates.main(arguments) == 0
    asked, merged = json.loads(kept.read_text())["pairs"]
    assert (asked["pairs"], asked["same"], asked["taken"], asked["right"]) == (3, 1, 1, 1)
    assert (merged["taken"], merged["right"], merged["precision"]) == (1, 1, 1.0)
    assert "merged unasked" in capsys.readouterr().out


@pytest.mark.model
def test_a_small_store_is_filled_searched_tidied_and_taken_back(tmp_path, model_folder):
    kept = tmp_path / "figures.json"
    arguments = ["--size", "300", "--events", "200", "--queries", "20", "--model", str(model_folder)]

    assert upkeep.main([*arguments, "--json", str(kept)]) == 0
    figures = json.loads(kept.read_text())
    assert [row["store"] for row in figures["searches"]] == ["without reports", "with reports"]
    first, again, back = figures["commands"]
    assert "archive 30, merge 6" in first["done"]
    assert again["done"] == "nothing"
    assert "merge away 6" in back["done"]
