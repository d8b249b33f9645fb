"""The shipped messages keep the figures up, and the benchmark counts rightly."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bench.capture import fits, main, read, score
from memory_layer.model.capture import Noticed
from memory_layer.model.vocabulary import Category

FILE = Path(__file__).parents[1] / "capture" / "messages.jsonl"


@pytest.mark.parametrize(
    ("half", "precision", "recall"), [("development", 0.95, 0.9), ("test", 0.85, 0.8), ("fresh", 0.85, 0.8)]
)
def test_capture_tells_what_is_meant_to_last(half, precision, recall):
    sums = score([each for each in read(FILE) if each["half"] == half])
    assert sums.precision >= precision
    assert sums.recall >= recall


def test_half_of_the_messages_hold_nothing_and_none_occurs_twice():
    lines = read(FILE)
    assert len(lines) >= 320
    assert 0.4 <= sum(not each["keep"] for each in lines) / len(lines) <= 0.6
    assert len({each["text"].lower() for each in lines}) == len(lines)


def test_every_label_stands_in_its_message():
    for each in read(FILE):
        for label in each["keep"]:
            assert label["says"] in each["text"]


def test_a_label_is_met_by_category_and_words():
    label = {"category": "preference", "says": "I prefer tabs in Makefiles"}
    assert fits(Noticed("I prefer tabs in Makefiles", Category.PREFERENCE, "preference"), label)
    assert not fits(Noticed("I prefer tabs in Makefiles", Category.FACT, "preference"), label)
    assert not fits(Noticed("I prefer", Category.PREFERENCE, "preference"), label)


def test_the_benchmark_prints_and_writes_its_figures(tmp_path, capsys):
    (tmp_path / "corpus.jsonl").write_text(
        json.dumps({"text": "Ann: I prefer tea."}) + "\n" + json.dumps({"text": "Bo: Hello!"}) + "\n", "utf-8"
    )
    assert main([str(FILE), "--turns", str(tmp_path), "--json", str(tmp_path / "out.json")]) == 0
    assert "1 of 2 turns" in capsys.readouterr().out
    assert json.loads((tmp_path / "out.json").read_text("utf-8"))["turns"]["fired"] == 1
