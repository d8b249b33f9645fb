"""The tour runs unattended, with and without the model, and leaves nothing behind."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest

from memory_layer.doors.cli.commands.demo import FAKE_TOKEN, MEMORIES


@pytest.fixture(autouse=True)
def scratch(machine, monkeypatch):
    """Where the tour makes its throw-away store."""
    folder = machine / "scratch"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def test_the_tour_works_by_keyword_and_says_so(mem, machine, scratch):
    answer = mem("demo")

    assert answer.code == 0
    assert "The memory that worked now ranks first." in answer.out
    assert "mem model install" in answer.out
    assert "$ mem serve" in answer.out
    assert "[REDACTED:" in answer.out
    assert list(scratch.iterdir()) == []
    assert not (machine / "home" / "memory.db").exists()


@pytest.mark.model
def test_with_the_model_the_tour_shows_everything(mem, with_model):
    data = mem("demo", "--json").data

    assert data["mode"] == "hybrid"
    assert data["stored"] == len(MEMORIES)
    assert data["after"][:2] == data["before"][1::-1]
    assert data["repeated"]["status"] == "merged"
    assert data["secret"]["redacted"]
    assert [each["relation"] for each in data["correction"]["candidates"]] == ["conflicts"]


def test_no_file_of_the_project_holds_the_fake_key():
    package = Path(__file__).resolve().parents[2] / "src"

    assert not [path for path in package.rglob("*.py") if FAKE_TOKEN in path.read_text(encoding="utf-8")]
