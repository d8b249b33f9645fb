"""`mem import history` and `mem replay` at the command line and in Python."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from xml.etree import ElementTree

import pytest

import memory_layer
from tests.transcript_files import MONDAY, claude_code, codex

ERROR = "Error: Cannot connect to the Docker daemon at unix:///var/run/docker.sock."
STEPS = [
    ("prompt", "From now on, never round the tide heights in tests."),
    ("run", "make integration", ERROR, 2),
    ("run", "colima start", "done", 0),
    ("run", "make integration", "31 passed", 0),
    ("edit", "src/tides.py"),
]


@pytest.fixture
def home(machine, tmp_path, monkeypatch):
    """A home directory with two sessions in one project, a day apart."""
    monkeypatch.setenv("HOME", str(tmp_path))
    folder = tmp_path / "tides"
    (folder / ".git").mkdir(parents=True)
    claude_code(tmp_path, "first", folder, STEPS)
    codex(tmp_path, "second", folder, STEPS, MONDAY + timedelta(days=1))
    return tmp_path


def test_an_import_of_the_history_says_what_it_suggests_and_what_to_do_next(mem, home):
    would = mem("import", "history", "--dry-run")
    assert would.out.startswith("history: found 2 transcripts, read 2, would suggest 4, 2 already known\n")
    assert "[preference] Never round the tide heights in tests (would wait for your approval)" in would.out
    assert "Dry run: nothing changed." in would.err
    done = mem("import", "history")
    assert "  2 sessions told by what was asked and how it ended" in done.out
    assert "  1 lesson from errors that were overcome" in done.out
    assert "decide with `mem review`" in done.err
    assert mem("review", "--all", "--json").data["total"] == 4
    assert mem("import", "history").out == (
        "history: found 2 transcripts, read 0, suggested 0, 0 already known\n  2 transcripts read before\n"
    )


def test_the_options_choose_sessions(mem, home):
    found = mem("import", "history", "--agent", "codex", "--dry-run", "--json").data
    assert (found["files"], found["episodes"]) == (1, 1)
    assert mem("import", "history", "--since", "2026-02-05", "--dry-run", "--json").data["files"] == 0
    elsewhere = mem("import", "history", "--project", ".", "--dry-run", "--json").data
    assert (elsewhere["elsewhere"], elsewhere["planned"]) == (2, [])


def test_a_file_called_history_is_imported_when_its_path_says_so(mem, home):
    Path("history").write_text("# Rules\n\n- Mock the payment provider in every test\n")
    assert mem("import", "./history", "--from", "rules", "--json").data["source"] == "rules"


def test_what_was_suggested_can_be_exported_and_verified(mem, home, tmp_path):
    mem("import", "history")
    assert mem("export", str(tmp_path / "all.jsonl")).code == 0
    assert mem("verify", "--all").code == 0
    assert mem("doctor").code == 0


def test_a_replay_shows_a_table_and_draws_it(mem, home, tmp_path):
    shown = mem("replay", "--plot", str(tmp_path / "replay.svg"))
    assert "1 error came back in a later session; for 1 the fix was known." in shown.out
    assert "You typed 1 rule again" in shown.out
    assert ElementTree.parse(tmp_path / "replay.svg").getroot().tag.endswith("svg")
    found = mem("replay", "--json").data
    assert [session["counts"]["repeats"] for session in found["sessions"]] == [0, 1]
    assert mem("list", "--all", "--json").data["total"] == 0


def test_a_path_that_is_not_there_is_said(mem, home):
    for words in (("import", "history"), ("replay",)):
        answer = mem(*words, "missing", "--json")
        assert answer.error["code"] == "not_found"


def test_python_does_the_same(mem, home):
    with memory_layer.open() as memory:
        seen = []
        report = memory.import_history(
            agents=["claude-code"], progress=lambda done, total: seen.append(done == total)
        )
        assert (report.added, seen) == (3, [True])
        assert memory.replay(since="2026-02-01").total.repeats == 1
