"""The line that a person sees below the agent's input: short, silent on any trouble, and never in anybody's way."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from memory_layer.agents.install import AgentMachine, apply, entries_of, plan, plan_removal, state_of
from memory_layer.agents.recipes import BY_NAME
from memory_layer.doors.hook.main import answer_to
from tests.doors.hook_events import ARGUMENTS, BEFORE, EVENTS, PROMPT, START

DEPLOY = "Deploy the site with make site-up, never with make deploy"
CLAUDE = BY_NAME["claude-code"]
OURS = {"type": "command", "command": "/opt/tools/bin/mem hook claude-code status-line"}
THEIRS = {"type": "command", "command": "~/bin/my-line.sh", "padding": 0}


def happens(name: str, session: str = "s-1", **changes: object) -> None:
    payload = {**EVENTS["claude-code"][name], "cwd": os.getcwd(), "session_id": session, **changes}
    answer_to("claude-code", ARGUMENTS[name], json.dumps(payload).encode())


def status(session: str | None = "s-1", **changes: object) -> str:
    payload = {
        "hook_event_name": "Status",
        "session_id": session,
        "transcript_path": "/home/me/.claude/projects/x/s-1.jsonl",
        "cwd": os.getcwd(),
        "model": {"id": "opus", "display_name": "Opus"},
        "workspace": {"current_dir": os.getcwd()},
        **changes,
    }
    return answer_to("claude-code", "status-line", json.dumps(payload).encode())


def test_it_counts_what_the_session_was_given_was_warned_of_and_learned(mem):
    mem("add", DEPLOY, "-c", "pitfall")
    mem("add", "The unit tests need Java 21", "-c", "environment")
    happens(START)
    assert status() == "memory: 2 given"
    happens(BEFORE)
    happens(PROMPT, prompt="We always use tabs, never spaces.")

    assert status() == "memory: 2 given · 1 warned · 1 learned"
    assert status("s-2") == ""


def test_the_same_memory_given_twice_counts_once(mem):
    mem("add", DEPLOY, "-c", "pitfall")
    happens(START)
    happens(START, source="compact")
    happens(PROMPT)

    assert status() == "memory: 1 given"


def test_looking_at_the_line_makes_no_store_and_counts_as_no_use(mem, machine):
    assert status() == ""
    assert not (machine / "home" / "memory.db").exists()

    mem("add", DEPLOY, "-c", "pitfall")
    happens(START)
    before = mem("recalls", "--json").data
    assert status()
    assert mem("recalls", "--json").data == before


@pytest.mark.parametrize("session", [None, "", 5, "s-3"])
def test_a_session_that_is_unknown_has_no_line(mem, machine, session):
    mem("add", DEPLOY, "-c", "pitfall")

    assert status(session) == ""
    assert not (machine / "home" / "logs" / "mem.log").exists()


def test_there_is_no_line_while_the_hooks_are_paused(mem):
    mem("add", DEPLOY, "-c", "pitfall")
    happens(START)
    mem("pause")

    assert status() == ""


@pytest.mark.parametrize("store", [b"", b"no database" * 1000])
@pytest.mark.parametrize("payload", [b"", b"{", b"[]", b'{"session_id": "s-1"}'])
def test_a_line_that_cannot_be_made_is_silent(machine, store, payload):
    (machine / "home").mkdir()
    (machine / "home" / "memory.db").write_bytes(store)
    command = [sys.executable, "-m", "memory_layer", "hook", "claude-code", "status-line"]
    ran = subprocess.run(command, input=payload, capture_output=True, check=False)

    assert (ran.returncode, ran.stdout, ran.stderr) == (0, b"", b"")


@pytest.fixture
def settings(tmp_path: Path) -> tuple[AgentMachine, Path]:
    made = AgentMachine(tmp_path / "p", tmp_path / "project", "/opt/tools/bin/mem", {}, tmp_path / "state")
    path = made.home / ".claude" / "settings.json"
    path.parent.mkdir(parents=True)
    return made, path


def wire(machine: AgentMachine) -> None:
    entries = entries_of(CLAUDE, machine, in_project=False, trusted=False)
    apply(plan(entries, machine), machine)


def unwire(machine: AgentMachine) -> None:
    entries = entries_of(CLAUDE, machine, in_project=False, trusted=True)
    apply(plan_removal(entries, machine), machine)


def line_in(path: Path) -> object:
    return json.loads(path.read_text(encoding="utf-8")).get("statusLine")


def test_it_comes_and_goes_with_the_agents_hooks(settings):
    machine, path = settings
    wire(machine)
    assert line_in(path) == OURS

    path.write_text(path.read_text(encoding="utf-8").replace("{", '{"model": "opus",', 1), encoding="utf-8")
    unwire(machine)
    assert json.loads(path.read_text(encoding="utf-8")) == {"model": "opus"}


def test_a_persons_own_line_stays_and_is_never_removed(settings):
    machine, path = settings
    path.write_text(json.dumps({"statusLine": THEIRS}), encoding="utf-8")
    wire(machine)
    assert line_in(path) == THEIRS
    assert state_of(CLAUDE, machine).state == "current"

    unwire(machine)
    assert json.loads(path.read_text(encoding="utf-8")) == {"statusLine": THEIRS}


def test_a_person_may_replace_it_or_do_without_and_the_agent_is_still_connected(settings):
    machine, path = settings
    wire(machine)
    for line in ({"statusLine": THEIRS}, {}):
        value = json.loads(path.read_text(encoding="utf-8"))
        value.pop("statusLine", None)
        path.write_text(json.dumps(value | line), encoding="utf-8")
        assert state_of(CLAUDE, machine).state == "current"
    unwire(machine)

    assert not path.exists()  # it held nothing but what is ours


def test_an_upgrade_changes_the_command_and_keeps_what_was_added(settings):
    machine, path = settings
    wire(machine)
    value = json.loads(path.read_text(encoding="utf-8"))
    value["statusLine"]["padding"] = 2
    path.write_text(json.dumps(value), encoding="utf-8")
    wire(machine._replace(mem="/opt/newer/bin/mem"))

    assert line_in(path) == {
        "type": "command",
        "command": "/opt/newer/bin/mem hook claude-code status-line",
        "padding": 2,
    }


def test_the_files_of_a_project_bring_no_line_because_it_would_replace_everybodys_own():
    assert [each for each in CLAUDE.project if each.path == ("statusLine",)] == []
