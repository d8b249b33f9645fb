"""A project's own days of expiry, from its `.memory-layer.toml` to the memories of every command."""

from __future__ import annotations

import sqlite3
from datetime import UTC, datetime, timedelta

import pytest

from memory_layer.model.vocabulary import Category
from tests.doors.terminals import typed


@pytest.fixture
def harbour(machine, monkeypatch):
    """A project folder whose warnings last 7 days and whose learnings last for ever."""
    folder = machine / "work" / "harbour"
    (folder / ".git" / "objects").mkdir(parents=True)
    (folder / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    (folder / ".memory-layer.toml").write_text('[memory.defaultExpiry]\nwarning = 7\nlearning = "never"\n')
    (folder / "src").mkdir()
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def lasts(mem):
    """In how many days a memory expires; None means never."""

    def lasts_(memory_id):
        at = mem("show", memory_id, "--peek", "--json").data["memory"]["expires_at"]
        if at is None:
            return None
        return round((datetime.fromisoformat(at) - datetime.now(UTC)) / timedelta(days=1), 2)

    return lasts_


def added(mem, *arguments):
    return mem("add", *arguments, "--json").data["id"]


def test_what_is_added_in_a_project_lasts_as_long_as_the_project_says(mem, harbour, lasts, monkeypatch):
    assert lasts(added(mem, "The crane is loud", "-c", "warning")) == 7
    assert lasts(added(mem, "Empty the cache first", "-c", "learning")) is None
    assert lasts(added(mem, "The move is under way", "-c", "context")) == 30

    monkeypatch.chdir(harbour / "src")
    assert lasts(added(mem, "The lift is slow", "-c", "warning")) == 7


def test_what_a_caller_says_wins_over_the_project(mem, harbour, lasts):
    assert lasts(added(mem, "The crane is loud", "-c", "warning", "--expires", "3d")) == 3


def test_a_project_decides_only_about_its_own_memories(mem, machine, harbour, lasts, monkeypatch):
    assert lasts(added(mem, "Cranes are loud", "-c", "warning", "--global")) == 90

    other = machine / "work" / "other"
    other.mkdir()
    monkeypatch.chdir(other)
    assert lasts(added(mem, "The boat leaks", "-c", "warning")) == 90


def test_a_memory_stored_from_elsewhere_lasts_as_long_as_its_project_says(
    mem, machine, harbour, lasts, monkeypatch
):
    added(mem, "The crane is loud", "-c", "warning")
    monkeypatch.chdir(machine / "work")

    assert lasts(added(mem, "The lift is slow", "-c", "warning", "--project", str(harbour))) == 7
    assert lasts(added(mem, "The gate is shut", "-c", "warning", "--project", "harbour")) == 7


@pytest.mark.parametrize(("its_file", "days"), [(None, 90), ("[memory.default_expiry]\nwarning = 14\n", 14)])
def test_the_file_of_where_one_stands_says_nothing_about_another_project(
    mem, machine, harbour, lasts, its_file, days
):
    other = machine / "work" / "other"
    other.mkdir()
    if its_file:
        (other / ".memory-layer.toml").write_text(its_file)

    assert lasts(added(mem, "The boat leaks", "-c", "warning", "--project", str(other))) == days


def test_a_change_of_the_file_holds_for_what_is_stored_from_then_on(mem, harbour, lasts):
    old = added(mem, "The crane is loud", "-c", "warning")
    (harbour / ".memory-layer.toml").write_text("[memory.default_expiry]\nwarning = 14\n")

    assert lasts(added(mem, "The lift is slow", "-c", "warning")) == 14
    assert lasts(old) == 7


def test_the_users_file_holds_where_the_project_says_nothing(mem, harbour, lasts):
    typed("config", "set", "memory.default_expiry.warning", "60")
    typed("config", "set", "memory.default_expiry.context", "10")

    assert lasts(added(mem, "The crane is loud", "-c", "warning")) == 7
    assert lasts(added(mem, "The move is under way", "-c", "context")) == 10
    assert lasts(added(mem, "Cranes are loud", "-c", "warning", "--global")) == 60


def test_what_is_imported_into_a_project_lasts_as_long_as_the_project_says(mem, harbour, lasts):
    days = "".join(f"{category} = 11\n" for category in Category)
    (harbour / ".memory-layer.toml").write_text(f"[memory.defaultExpiry]\n{days}")
    (harbour / "AGENTS.md").write_text("# Style\n\n- Name branches after the ship\n- Write tests first\n")
    mem("import", "AGENTS.md")

    listed = mem("list", "--json").data["items"]
    assert [lasts(each["id"]) for each in listed] == [11, 11]


def test_the_notes_of_a_run_last_as_long_as_the_project_says(mem, harbour, lasts):
    run = mem("run", "start", "lift the boat", "--json").data["id"]
    done = mem("run", "finish", run, "--worked", "--note", "Empty the cache first", "--json").data

    assert lasts(done["learned"][0]["id"]) is None


@pytest.mark.parametrize("way", ["restore", "add"])
def test_what_comes_back_after_its_time_gets_another_term_of_the_project(mem, machine, harbour, lasts, way):
    memory = added(mem, "The crane is loud", "-c", "warning")
    mem("archive", memory)
    with sqlite3.connect(machine / "home" / "memory.db") as db:
        db.execute("update memory set expires_at = 1")
    mem(*(["restore", memory] if way == "restore" else ["add", "The crane is loud", "-c", "warning"]))

    assert lasts(memory) == 7


def test_a_file_that_is_wrong_is_noted_and_changes_nothing(mem, harbour, lasts):
    (harbour / ".memory-layer.toml").write_text("[memory.defaultExpiry]\nwarning = 0\n")
    done = mem("add", "The crane is loud", "-c", "warning")

    assert "ignored a setting" in done.err
    assert "from 1 to 36500" in done.err
    assert lasts(done.out.split()[0]) == 90
