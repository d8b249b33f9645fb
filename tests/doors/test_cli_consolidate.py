"""`mem consolidate`, and the same from Python: what people and programs are told."""

from __future__ import annotations

import json
import os
import threading
from datetime import UTC, datetime, timedelta
from io import BytesIO, TextIOWrapper
from types import SimpleNamespace

import pytest

import memory_layer as ml
from memory_layer import wiring
from memory_layer.doors.hook import main as hook
from memory_layer.errors import InvalidInput, NotFound
from memory_layer.settings import load
from tests.doors.hook_events import ARGUMENTS, EVENTS, PROMPT
from tests.doors.in_process import tools


@pytest.fixture
def untidy(mem, machine):
    """A text that stands in a project and globally, so that the one in the project has to go."""
    (machine / "work" / "ferry" / ".git").mkdir(parents=True)
    os.chdir(machine / "work" / "ferry")
    local = mem("add", "Squash commits before merging", "--json").data["id"]
    everywhere = mem("add", "Squash commits before merging", "--global", "--json").data["id"]
    return local, everywhere


def test_a_dry_run_says_what_would_be_done_and_does_not(mem, untidy):
    answer = mem("consolidate", "--dry-run")
    assert "Would merge 1 memory" in answer.out
    assert "undo" not in answer.out
    assert "mem model install" in answer.err
    assert mem("list", "--json").data["total"] == 2


def test_a_dry_run_where_there_is_no_store_makes_none(mem, machine):
    assert mem("consolidate", "--dry-run").out == "nothing to clean up\n"
    assert not (machine / "home" / "memory.db").exists()


def test_every_action_is_told_in_a_line_and_can_be_undone(mem, untidy):
    local, everywhere = untidy
    answer = mem("consolidate")
    first, sums, undo = answer.out.splitlines()
    assert first.split()[:2] == [local[:12], "merge"]
    assert everywhere[:12] in first
    assert sums == "merged 1 memory into duplicates"
    assert mem(*undo.split("`")[1].split()[1:]).code == 0
    assert mem("list", "--json").data["total"] == 2


def test_a_pair_is_counted_as_a_pair(mem, untidy):
    mem("consolidate")
    mem("undo")
    assert mem("consolidate", "--dry-run").out.splitlines()[-2] == "Would put 1 pair up for review"
    assert mem("consolidate").out.splitlines()[1] == "put 1 pair up for review"


def test_programs_get_counts_and_every_action(mem, untidy):
    local, everywhere = untidy
    told = mem("consolidate", "--dry-run", "--json").data
    done = mem("consolidate", "--json").data
    assert told["steps"] == done["steps"]
    assert (told["operation"], told["dry_run"]) == (None, True)
    assert done["operation"].startswith("op_")
    others = ("finish", "archive", "review", "follow", "drift", "promote", "suggest")
    assert done["counts"] == {"merge": 1} | dict.fromkeys(others, 0)
    assert done["steps"] == [
        {
            "deed": "merge",
            "memory": local,
            "reason": f"says the same as {everywhere}",
            "content": "Squash commits before merging",
            "other": everywhere,
        }
    ]
    assert mem("consolidate", "--json").data["steps"] == []


def test_when_it_is_not_due_nothing_is_said(mem, untidy):
    assert "merged" in mem("consolidate", "--if-due").out
    for more in ((), ("--json",)):
        answer = mem("consolidate", "--if-due", *more)
        assert (answer.code, answer.out, answer.err) == (0, "", "")


def test_a_named_project_must_be_known_and_is_not_asked_whether_it_is_due(mem, untidy):
    assert "merge 1" in mem("consolidate", "--project", "ferry", "--dry-run").out
    assert mem("consolidate", "--project", "nowhere").code == 3
    assert mem("consolidate", "--project", "ferry", "--if-due").code == 2


def test_text_that_could_steer_a_terminal_is_shown_harmlessly(mem, machine):
    (machine / "work" / "ferry" / ".git").mkdir(parents=True)
    os.chdir(machine / "work" / "ferry")
    for where in ((), ("--global",)):
        mem("add", "\x1b[31mred\x1b[0m words are loud", *where)
    for more in ((), ("--json",)):
        assert "\x1b" not in mem("consolidate", "--dry-run", *more).out


def test_a_program_can_do_the_same(untidy):
    with ml.open() as memory:
        told = memory.consolidate(dry_run=True)
        done = memory.consolidate()
        assert told is not None
        assert done is not None
        assert told.steps == done.steps
        assert memory.consolidate(if_due=True) is None
        memory.undo(done.operation)
        assert memory.stats().active == 2
        with pytest.raises(NotFound):
            memory.consolidate(project="nowhere")
        with pytest.raises(InvalidInput):
            memory.consolidate(dry_run="yes")  # type: ignore[arg-type]


@pytest.fixture
def due(monkeypatch):
    """A store that is due for tidying, and a list of what was started."""
    monkeypatch.setenv("MEM_UPKEEP_AUTO", "on")
    started = []
    monkeypatch.setattr("memory_layer.programs.start", lambda command, variables: started.append(command))
    then = datetime.now(UTC) - timedelta(days=8)
    with ml.open(now=lambda: then) as memory:
        memory.add("The harbour opens at six")
    return started


def test_a_command_that_writes_starts_it_when_due(mem, due):
    assert mem("list").code == 0
    assert due == []
    assert mem("add", "The ferry is late").out.endswith("created\n")
    mem("add", "The crane is green")

    ((_, _, _, program, *arguments),) = due
    assert (program, arguments) == ("memory_layer", ["consolidate", "--if-due"])


def test_a_dry_run_and_a_refused_command_start_nothing(mem, due, machine):
    (machine / "work" / "CLAUDE.md").write_text("- Mock the network in every test\n")
    mem("import", "CLAUDE.md", "--dry-run")
    mem("consolidate", "--dry-run")
    mem("add", "")

    assert due == []


def test_a_server_starts_it_when_due(due, machine):
    with tools(machine / "work") as call:
        for text in ("The ferry is late", "The crane is green"):
            call("memory_learn", content=text)
    for thread in threading.enumerate():
        if thread.daemon and thread is not threading.current_thread():
            thread.join(10)

    assert len(due) == 1


def test_a_hook_that_writes_starts_it_behind_its_answer(due, monkeypatch):
    said = {**EVENTS["claude-code"][PROMPT], "cwd": os.getcwd(), "prompt": "I prefer tabs over spaces here."}
    monkeypatch.setattr("sys.stdin", TextIOWrapper(BytesIO(json.dumps(said).encode())))
    order: list[object] = []
    monkeypatch.setattr(
        "sys.stdout", SimpleNamespace(write=order.append, flush=lambda: order.append(len(due)))
    )
    monkeypatch.setattr(os, "_exit", order.append)
    hook.run("claude-code", ARGUMENTS[PROMPT])

    assert order[1:] == [0, 0]  # nothing was started when the answer was out; then the exit code
    assert len(due) == 1


def test_a_server_that_only_reads_starts_nothing(due, machine):
    with tools(machine / "work", only_read=True) as call:
        call("memory_recall", query="harbour")

    assert due == []


def test_the_process_is_told_where_the_store_is_but_nothing_of_the_callers_work(machine, monkeypatch):
    for name in ("MEM_PROJECT", "MEM_SESSION", "CLAUDECODE", "PYTHONPATH"):
        monkeypatch.setenv(name, "1")
    monkeypatch.setenv("MEM_HOME", "../home")
    monkeypatch.setenv("MEM_DUPLICATE_THRESHOLD", "0.95")
    told = wiring.upkeep_variables(load())

    assert (told["MEM_HOME"], told["MEM_DB"]) == (str(machine / "home"), str(machine / "home" / "memory.db"))
    assert (told["MEM_DUPLICATE_THRESHOLD"], told["MEM_UPKEEP_AUTO"]) == ("0.95", "off")
    assert not {"MEM_PROJECT", "MEM_SESSION", "CLAUDECODE", "PYTHONPATH"} & told.keys()


def test_stats_say_when_it_was_done_and_when_it_is_due(mem, machine):
    mem("add", "The beta runs", "--expires", "12h")
    assert "Cleaned up: never yet; due on 20" in mem("stats").out
    with ml.open(now=lambda: datetime.now(UTC) + timedelta(days=2)) as memory:
        memory.consolidate()
    upkeep = mem("stats", "--json").data["upkeep"]

    assert (upkeep["counts"], upkeep["runs"], upkeep["automatic"]) == ({"archive": 1}, 1, False)
    assert "(archive 1); due on 20" in mem("stats").out
    assert "by `mem consolidate`: upkeep.auto is off" in mem("stats").out
