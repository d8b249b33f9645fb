"""The comparison with real tokenizers, without them."""

from __future__ import annotations

import gzip
import json

import pytest

from bench import tokenizers, tokens


@pytest.fixture
def texts(tmp_path):
    """A set, a gzipped one and a plain file."""
    for name in ("chat", "packed"):
        (tmp_path / name).mkdir()
    line = json.dumps({"id": "1", "text": "the lighthouse keeper counts boats " * 20}) + "\n"
    (tmp_path / "chat" / "corpus.jsonl").write_text(line, "utf-8")
    (tmp_path / "packed" / "corpus.jsonl.gz").write_bytes(gzip.compress(line.encode()))
    (tmp_path / "code.py").write_text("def boats():\n    return 3\n" * 20, "utf-8")
    (tmp_path / "picture.png").write_bytes(b"\x89PNG\xff")
    return tmp_path


def test_every_text_of_a_folder_has_a_class(texts):
    assert {name: len(found) for name, found in tokens._classes([texts], 10).items()} == {
        "chat": 1,
        "packed": 1,
        "py": 1,
    }


def test_a_text_far_under_the_truth_is_counted(texts):
    classes = tokens._classes([texts], 10)

    def dear(these):
        return [dict.fromkeys(tokenizers.NAMES, 10_000) for _ in these]

    rows, figures = tokens._measured(classes, dear)
    assert figures["under"] == figures["texts"] == len(rows) == 3


def test_a_short_text_is_not_judged(texts):
    rows, figures = tokens._measured(
        tokens._classes([texts], 10), lambda these: [dict.fromkeys(tokenizers.NAMES, 3) for _ in these]
    )
    assert (rows, figures["texts"]) == ([], 0)
