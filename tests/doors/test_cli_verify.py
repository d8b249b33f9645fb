"""`mem verify`, and what a changed source looks like everywhere else."""

from __future__ import annotations

from pathlib import Path

import pytest

import memory_layer
from memory_layer.errors import InvalidInput
from tests.cited import REFUNDS, TIDES
from tests.doors.terminals import typed


@pytest.fixture
def harbour(machine):
    """A folder with two sources, in which the commands are typed."""
    Path("src").mkdir()
    Path("src/refunds.py").write_text(REFUNDS)
    Path("src/tides.py").write_text(TIDES)
    return Path.cwd()


def add(mem, text, reference):
    return mem("add", text, "--cite", reference, "--json").data["id"]


@pytest.fixture
def drifted(mem, harbour):
    ids = [
        add(mem, "A refund is never more than was paid", "src/refunds.py:2-3"),
        add(mem, "Tides come from a table", "src/tides.py:2"),
    ]
    Path("src/refunds.py").write_text("import decimal\n" + REFUNDS)
    Path("src/tides.py").write_text(TIDES.replace("read_table", "measure_table"))
    return ids


def test_the_command_tells_what_moved_what_changed_and_the_sums(mem, drifted):
    done = mem("verify")

    assert "moved    src/refunds.py:2-3 to src/refunds.py:3-4" in done.out
    assert "changed  src/tides.py:2" in done.out
    assert "2 citations of 2 memories: 1 moved, 1 changed" in done.out
    assert "mem undo op_" in done.out


def test_the_history_tells_where_a_source_went(mem, drifted):
    mem("verify")

    assert "citations: src/refunds.py:2-3 → src/refunds.py:3-4" in mem("history", drifted[0]).out


def test_a_memory_is_corrected_with_what_it_cites_now(mem, drifted):
    tides = drifted[1]
    edited = mem("edit", tides, "--content", "Tides are measured", "--cite", "src/tides.py:2")

    assert "citations: src/tides.py:2, updated" in edited.err
    assert "2 citations of 2 memories: 1 fresh, 1 moved" in mem("verify").out

    assert mem("edit", tides, "--cite", "src/tides.py", "--no-cite").code == 2
    mem("edit", tides, "--no-cite")
    assert "cites:" not in mem("show", tides, "--peek").out


def test_programs_get_counts_and_every_finding(mem, drifted):
    data = mem("verify", "--json").data

    assert list(data) == ["operation", "dry_run", "memories", "counts", "findings"]
    assert data["counts"] == {"fresh": 0, "moved": 1, "changed": 1, "missing": 0, "unverifiable": 0}
    assert data["findings"][0] == {
        "memory": drifted[0],
        "content": "A refund is never more than was paid",
        "path": "src/refunds.py",
        "first_line": 2,
        "last_line": 3,
        "state": "moved",
        "now": {"path": "src/refunds.py", "first_line": 3, "last_line": 4},
    }


def test_a_dry_run_changes_nothing(mem, drifted):
    before = mem("show", drifted[0], "--peek", "--json").data["memory"]
    assert mem("verify", "--dry-run", "--json").data["operation"] is None

    after = mem("show", drifted[0], "--peek", "--json").data["memory"]
    assert after["version"] == before["version"]
    assert mem("review", "--json").data["by_kind"]["drifted"] == 0


def test_a_hit_with_a_changed_source_is_marked(mem, drifted):
    shown = mem("search", "tides table")
    hit = mem("search", "tides table", "--json").data["hits"][0]

    assert "source changed: src/tides.py:2" in shown.out
    assert hit["citation"] == "changed"
    assert hit["citations"] == [{"path": "src/tides.py", "first_line": 2, "last_line": 2, "state": "changed"}]
    assert mem("search", "tides table", "--full", "--json").data["hits"][0]["citations"][0]["lines_hash"]


def test_a_hit_without_citations_says_so(mem, harbour):
    mem("add", "Ferries leave at noon")

    assert mem("search", "ferries noon", "--json").data["hits"][0]["citation"] is None


def test_a_memory_is_shown_with_the_states_of_its_sources(mem, drifted):
    shown = mem("show", drifted[0], "--peek").out
    data = mem("show", drifted[0], "--peek", "--json").data

    assert "src/refunds.py:2-3 (moved to src/refunds.py:3-4)" in shown
    assert data["memory"]["citations"][0]["state"] == "moved"
    assert "standing" not in data


def test_why_tells_the_factor(mem, drifted):
    assert "a cited source changed" in mem("why", "tides table").out


def test_a_person_accepts_a_changed_source(mem, drifted):
    mem("verify")
    code, seen = typed("review", drifted[1], "--decide", "accept")

    assert code == 0, seen
    assert mem("verify", "--json").data["counts"]["fresh"] == 2


def test_only_some_are_checked_when_they_are_named(mem, drifted):
    assert mem("verify", drifted[1][:10], "--json").data["memories"] == 1
    assert mem("verify", "--all", "--json").data["memories"] == 2
    assert mem("verify", "--project", ".", "--json").data["memories"] == 2


@pytest.mark.parametrize(
    ("given", "code"),
    [
        (("mem_aaaaaaaa",), 3),
        (("--all", "--project", "."), 2),
        (("mem_aaaaaaaa", "--all"), 2),
        (("--project", "no such"), 3),
    ],
)
def test_what_cannot_be_checked_is_said_in_one_sentence(mem, drifted, given, code):
    failed = mem("verify", *given)

    assert (failed.code, failed.out) == (code, "")
    assert failed.err


def test_where_nothing_was_stored_the_way_on_is_named(mem, harbour):
    failed = mem("verify")

    assert failed.code == 3
    assert "check all of them" in failed.err


def test_without_any_citation_there_is_nothing_to_tell(mem, harbour):
    mem("add", "Ferries leave at noon")

    assert mem("verify").out.strip() == "no memory cites a source"


def test_the_python_door_verifies(mem, drifted):
    with memory_layer.open() as memory:
        done = memory.verify(dry_run=True)
        named = memory.verify(drifted[1:])
        with pytest.raises(InvalidInput):
            memory.verify(drifted, everything=True)

    assert {state.value: number for state, number in done.counts.items() if number} == {
        "moved": 1,
        "changed": 1,
    }
    assert [each.check.state.value for each in named.findings] == ["changed"]
