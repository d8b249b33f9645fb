"""The steps of an agent are kept in a journal until its session has ended, and learned from afterwards."""

from __future__ import annotations

import json
import os
import time
from datetime import UTC, datetime, timedelta

import pytest

from memory_layer.doors.hook import main
from memory_layer.doors.hook.main import answer_to
from memory_layer.model.steps import StepKind
from memory_layer.settings import load
from memory_layer.usecases.learn import journal
from tests.doors.hook_events import AFTER, ARGUMENTS, END, EVENTS, FAILED, PROMPT, START, STOP
from tests.planted import PLANTED

LOCKED = "E_LOCKED"
GITHUB_TOKEN = PLANTED["github-token"][1]


@pytest.fixture
def state(machine, mem):
    mem("add", "Deploy the site with make site-up", "-c", "command")
    return load().state_folder


def hook(agent: str, name: str, **changes: object) -> str:
    payload = {**EVENTS[agent][name], "cwd": os.getcwd(), **changes}
    return answer_to(agent, ARGUMENTS[name], json.dumps(payload).encode())


def command(text: str, **result: object) -> None:
    name = FAILED if "error" in result else AFTER
    hook("claude-code", name, tool_name="Bash", tool_input={"command": text}, **result)


def edit(file: str) -> None:
    hook("claude-code", AFTER, tool_name="Edit", tool_input={"file_path": file}, tool_response={})


def ended(state):
    return list(journal.taken(state, datetime.now(UTC) + timedelta(hours=1)))


def learn() -> None:
    main._learn()


def files_of(state):
    folder = state / journal.FOLDER
    return sorted(folder.iterdir()) if folder.exists() else []


def test_a_journal_holds_what_was_asked_run_changed_and_said(state):
    hook("claude-code", PROMPT, prompt="please make the tests pass")
    command("make test", error="Exit code 2\nE_LOCKED")
    edit("src/app.py")
    command("make test", tool_response={"stdout": "3 passed", "stderr": ""})
    hook("claude-code", STOP, last_assistant_message="They pass now.")

    (found,) = ended(state)
    steps = [(step.kind, step.command or step.text or step.files[0], step.passed) for step in found.steps]
    assert steps == [
        (StepKind.PROMPT, "please make the tests pass", None),
        (StepKind.COMMAND, "make test", False),
        (StepKind.EDIT, "src/app.py", True),
        (StepKind.COMMAND, "make test", True),
        (StepKind.SAID, "They pass now.", None),
    ]
    assert (found.session, found.agent, found.folder) == ("s-1", "claude-code", os.getcwd())


@pytest.mark.parametrize(
    "agent", [agent for agent, events in EVENTS.items() if LOCKED in str(events.get(AFTER))]
)
def test_the_failing_command_of_every_agent_is_in_its_journal(state, agent):
    hook(agent, AFTER)

    (found,) = ended(state)
    (step,) = found.steps
    assert "make deploy" in step.command
    assert LOCKED in step.text
    assert step.passed is False


def test_secrets_are_redacted_before_a_step_is_kept(state):
    hook("claude-code", PROMPT, prompt=f"use the token {GITHUB_TOKEN} for the upload")
    command(
        f"curl -H 'Authorization: Bearer {GITHUB_TOKEN}' example.org", tool_response={"stdout": GITHUB_TOKEN}
    )

    assert len(files_of(state)) == 1
    for path in files_of(state):
        assert GITHUB_TOKEN not in path.read_text()
        assert path.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("how", ["off", "paused", "ignored", "not learning"])
def test_nothing_is_kept_where_nobody_may_look(state, mem, monkeypatch, how):
    if how == "paused":
        mem("pause")
    variable = {
        "off": ("MEM_OFF", "1"),
        "ignored": ("MEM_IGNORE", "/**"),
        "not learning": ("MEM_LEARN", "off"),
    }
    if how in variable:
        monkeypatch.setenv(*variable[how])
    for name in EVENTS["claude-code"]:
        hook("claude-code", name)

    assert files_of(state) == []


def test_the_private_part_of_a_prompt_is_not_kept(state):
    hook("claude-code", PROMPT, prompt="<private>xylophone</private> please go on")

    assert all("xylophone" not in path.read_text() for path in files_of(state))


def test_the_end_of_a_session_and_the_next_start_hand_over_to_another_process(state, monkeypatch):
    monkeypatch.setattr(main, "_AFTERWARDS", afterwards := list[object]())
    hook("claude-code", PROMPT, prompt="please go on")
    assert afterwards == []

    hook("claude-code", END)
    assert len(afterwards) == 1
    hook("claude-code", START, session_id="s-2")
    assert len(afterwards) == 2


def test_a_session_under_way_is_not_learned_from_until_it_was_quiet_for_half_an_hour(state):
    hook("claude-code", PROMPT, prompt="please go on")

    assert not journal.is_any_ended(state, datetime.now(UTC) + timedelta(minutes=29))
    assert journal.is_any_ended(state, datetime.now(UTC) + timedelta(minutes=31))


def test_a_journal_is_taken_once_and_again_if_its_process_died(state):
    hook("claude-code", PROMPT, prompt="please go on")
    hook("claude-code", END)

    assert len(list(journal.taken(state, datetime.now(UTC)))) == 1
    assert list(journal.taken(state, datetime.now(UTC))) == []
    (path,) = files_of(state)
    died = time.time() - 3600
    os.utime(path, (died, died))
    assert len(list(journal.taken(state, datetime.now(UTC)))) == 1


def test_half_a_line_of_a_killed_hook_costs_only_that_line(state):
    hook("claude-code", PROMPT, prompt="please go on")
    (path,) = files_of(state)
    with path.open("ab") as file:
        file.write(b'{"kind":"command","at":"20\n')
    command("make test", tool_response={"stdout": "ok"})

    (found,) = ended(state)
    assert [step.kind for step in found.steps] == [StepKind.PROMPT, StepKind.COMMAND]


def test_a_journal_stays_small_however_long_a_session_is(state, monkeypatch):
    monkeypatch.setattr(journal, "LARGEST", 20_000)
    for number in range(30):
        command(f"make test-{number}", tool_response={"stdout": "x" * 100_000})

    (path,) = files_of(state)
    assert path.stat().st_size <= 20_000


def test_a_file_that_is_no_journal_is_passed_over(state):
    folder = state / journal.FOLDER
    folder.mkdir(parents=True)
    (folder / "aa.ended").write_bytes(b"\xff\xfe nothing")
    (folder / "bb.ended").symlink_to("/etc/hostname")

    assert ended(state) == []


def test_a_session_that_left_no_handoff_gets_one_from_what_happened(state, mem):
    hook("claude-code", START)
    hook("claude-code", PROMPT, prompt="make the login page faster")
    edit("src/login.py")
    command("make test", error="Exit code 2\nE_LOCKED")
    hook("claude-code", END)
    learn()

    left = mem("handoff", "--json").data
    assert left["files"] == ["src/login.py"]
    assert left["text"] == "Last request: make the login page faster"
    assert left["next"] == ["`make test` still fails"]
    assert files_of(state) == []


def test_a_handoff_of_the_agent_is_not_followed_by_one_of_the_program(state, mem):
    hook("claude-code", START)
    edit("src/login.py")
    mem("handoff", "--next", "measure the login page", "--session", "s-1")
    hook("claude-code", END)
    learn()

    assert mem("handoff", "--json").data["next"] == ["measure the login page"]


def test_a_session_is_kept_as_a_run_with_its_context_and_its_end(state, mem):
    hook("claude-code", START)
    hook("claude-code", PROMPT, prompt="make the login page faster")
    command("pytest -q", tool_response={"stdout": "3 passed"})
    hook("claude-code", END)
    learn()

    (run,) = mem("run", "list", "--json").data["items"]
    assert run["task"] == "make the login page faster"
    assert run["result"] == "worked"
    assert run["memories"] == 1
    assert [each["kind"] for each in mem("recalls", "--json").data["items"]] == ["context"]


def test_learning_twice_from_a_session_adds_nothing(state, mem):
    for _ in range(2):
        hook("claude-code", START)
        hook("claude-code", PROMPT, prompt="make the login page faster")
        edit("src/login.py")
        command("pytest -q", tool_response={"stdout": "3 passed"})
        hook("claude-code", END)
        learn()

    assert len(mem("run", "list", "--json").data["items"]) == 1
    assert len(mem("timeline", "--json").data["items"]) == 1


def test_a_folder_that_is_gone_is_not_learned_from(state, tmp_path):
    gone = tmp_path / "gone"
    gone.mkdir()
    hook("claude-code", PROMPT, prompt="please go on", cwd=str(gone))
    hook("claude-code", END, cwd=str(gone))
    gone.rmdir()
    learn()

    assert files_of(state) == []


def test_what_a_session_shows_about_a_memory_is_an_outcome_that_can_be_read_and_undone(state, mem):
    hook("claude-code", START)
    hook("claude-code", PROMPT, prompt="put the new page online")
    command("make site-up", tool_response={"stdout": "deployed"})
    hook("claude-code", END)
    learn()

    (known,) = mem("list", "--json").data["items"]
    shown = mem("show", known["id"], "--json").data
    (outcome,) = shown["outcomes"]
    assert (outcome["result"], outcome["evidence"]) == ("worked", "`make site-up` passed after it was given")
    assert outcome["id"].startswith("seen_")
    assert 0 < known["outcome_score"] < 0.2
    (line,) = [each for each in mem("last", "--json").data["lines"] if each["part"] == "seen"]
    assert line["result"] == "worked"

    undone = mem("undo", outcome_operation(mem), "--as", "claude-code", "--session", "s-1")
    assert undone.code == 0, undone.err
    assert mem("list", "--json").data["items"][0]["outcome_score"] == 0
    assert all(each["part"] != "seen" for each in mem("last", "--json").data["lines"])


def outcome_operation(mem):
    operations = mem("undo", "--list", "--json").data["items"]
    return next(each["id"] for each in operations if each["actions"] == {"outcome": 2})


def test_a_report_of_the_session_comes_before_what_was_seen(state, mem):
    hook("claude-code", START)
    hook("claude-code", PROMPT, prompt="put the new page online")
    command("make site-up", tool_response={"stdout": "deployed"})
    (known,) = mem("list", "--json").data["items"]
    mem("outcome", known["id"], "failed", "--session", "s-1")
    hook("claude-code", END)
    learn()

    assert [each["result"] for each in mem("show", known["id"], "--json").data["outcomes"]] == ["failed"]
