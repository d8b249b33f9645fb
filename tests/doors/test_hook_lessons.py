"""An error that a session overcame waits as a suggestion for a person."""

from __future__ import annotations

import json
import os

import pytest

from memory_layer.doors.hook import main
from memory_layer.doors.hook.main import answer_to
from memory_layer.settings import load
from memory_layer.usecases.who.lookup import read_memory
from memory_layer.wiring import open_engine
from tests.doors.hook_events import AFTER, ARGUMENTS, END, EVENTS, FAILED, PROMPT
from tests.planted import PLANTED

GITHUB_TOKEN = PLANTED["github-token"][1]
LEARNED = "`npm test` fails with “Cannot find module 'dist/index.js'” until `npm run build` was run."


@pytest.fixture
def store(machine, mem):
    mem("add", "Deploy the site with make site-up", "-c", "command")
    return load().database_path


def hook(name: str, session: str, **changes: object) -> None:
    payload = {**EVENTS["claude-code"][name], "cwd": os.getcwd(), "session_id": session, **changes}
    answer_to("claude-code", ARGUMENTS[name], json.dumps(payload).encode())


def command(session: str, text: str, **result: object) -> None:
    hook(
        FAILED if "error" in result else AFTER,
        session,
        tool_name="Bash",
        tool_input={"command": text},
        **result,
    )


def overcome(session: str, more: str = "") -> None:
    """Have a session overcome an error, end, and be learned from."""
    hook(PROMPT, session, prompt="run the tests")
    command(session, "npm test", error=f"Exit code 1\n{more}Error: Cannot find module 'dist/index.js'")
    command(session, "npm run build", tool_response={"stdout": "built"})
    command(session, "npm test", tool_response={"stdout": "4 passed"})
    hook(END, session)
    main._learn()


def waiting(mem):
    return mem("review", "--list", "--json").data["items"]


def stored(memory: str):
    with open_engine(load(), "python") as engine:
        return read_memory(engine.store, memory)


def test_a_lesson_waits_for_a_person_with_its_evidence(store, mem):
    overcome("s-1")

    (item,) = waiting(mem)
    assert (item["kind"], item["memory"]["status"]) == ("held", "staged")
    assert (item["memory"]["category"], item["memory"]["source"]) == ("learning", "learning")
    kept = stored(item["memory"]["id"])
    assert kept.content == LEARNED
    assert kept.metadata == {"evidence": "npm test: Cannot find module 'dist/index.js'", "session": "s-1"}


def test_no_agent_is_given_a_lesson_that_nobody_approved(store, mem):
    overcome("s-1")

    assert LEARNED not in mem("context", "fix npm test").out
    assert LEARNED not in mem("search", "npm test fails").out


def test_overcoming_the_same_error_again_suggests_nothing_new(store, mem):
    for session in ("s-1", "s-1", "s-2"):
        overcome(session)

    assert len(waiting(mem)) == 1


def test_a_lesson_that_was_archived_is_not_suggested_again(store, mem):
    overcome("s-1")
    mem("review", waiting(mem)[0]["memory"]["id"], "--decide", "archive")
    overcome("s-2")

    assert waiting(mem) == []


def test_a_secret_in_the_output_is_nowhere_on_disk(store, mem):
    overcome("s-1", more=f"token {GITHUB_TOKEN}\n")
    command("s-2", "make up", error=f"Error: Unauthorized: bad credentials {GITHUB_TOKEN}")
    command("s-2", f"export REGISTRY_TOKEN={GITHUB_TOKEN}", tool_response={"stdout": ""})
    command("s-2", "make up", tool_response={"stdout": "started"})
    hook(END, "s-2")
    main._learn()

    assert len(waiting(mem)) == 2
    home = load().database_path.parent
    for path in home.rglob("*"):
        assert not path.is_file() or GITHUB_TOKEN.encode() not in path.read_bytes(), path


def test_ordinary_work_suggests_nothing(store, mem):
    command("s-1", "pytest", error="Exit code 1\nE  AssertionError: assert 3 == 4\n1 failed")
    hook(AFTER, "s-1", tool_name="Edit", tool_input={"file_path": "src/tree.py"}, tool_response={})
    command("s-1", "pytest", tool_response={"stdout": "1 passed"})
    hook(END, "s-1")
    main._learn()

    assert waiting(mem) == []
