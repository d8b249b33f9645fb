"""The programs that people use, wired by one command: the memory is there without anybody calling it."""

from __future__ import annotations

import json

import pytest

from tests.agents.model_server import Call, Say, serve
from tests.agents.real_agent import RealAgent, fresh

AGENTS = ["claude-code", "codex"]
SHELL = {"claude-code": ("Bash", "command"), "codex": ("exec_command", "cmd")}
HOW = "Deploy the site with make site-up, never with make deploy"
TESTS = "Run the unit tests with make unit-fast"

pytestmark = pytest.mark.model


@pytest.fixture(params=AGENTS)
def agent(request, tmp_path, model_folder) -> RealAgent:
    """An agent, wired by one command, in a project that knows two things."""
    made = fresh(request.param, tmp_path, model_folder)
    made.mem("add", HOW, "-c", "pitfall")
    made.mem("add", TESTS, "-c", "command")
    wired = made.mem("install", request.param, "--trust")
    assert wired.code == 0, wired.err
    return made


def shell(agent: RealAgent, command: str) -> Call:
    tool, argument = SHELL[agent.name]
    return Call(tool, {argument: command})


def recalls(agent: RealAgent) -> list[str]:
    answered = agent.mem("recalls", "--json")
    found = json.loads(answered.out)["data"]
    return [each["kind"] for each in (found["items"] if isinstance(found, dict) else found)]


def test_a_session_starts_with_context_warns_before_the_command_and_offers_the_tools(agent):
    recall = Call("memory_recall", {"query": "how do I run the unit tests"})
    with serve(shell(agent, "make deploy || true"), recall, Say("done")) as model:
        ran = agent.run("please put the new page online", model)

    assert ran.code == 0, ran.err
    assert model.saw(f"[pitfall] {HOW}")  # at the start
    assert model.saw(f"Note from memory [pitfall]: {HOW}")  # before the command
    assert any(name.endswith("memory_recall") for name in model.tools())
    assert sorted(recalls(agent)) == ["context", "search", "warning"]


def test_what_a_person_says_is_there_in_the_next_session(agent):
    with serve(Say("noted")) as model:
        agent.run("We always use tabs, never spaces.", model)
    with serve(Say("done")) as model:
        agent.run("please go on", model)

    assert model.saw("We always use tabs, never spaces")


def test_a_broken_store_does_not_disturb_the_session(agent, tmp_path):
    (tmp_path / "store" / "memory.db").write_bytes(b"no database" * 1000)
    with serve(shell(agent, "echo still-working"), Say("all done")) as model:
        ran = agent.run("please go on", model)

    assert ran.code == 0, ran.err
    assert "all done" in ran.out
    assert model.saw("still-working")


def test_nothing_is_left_of_it_after_its_removal(agent):
    before = agent.mem("install", "--json")
    removed = agent.mem("install", agent.name, "--remove")
    with serve(Say("done")) as model:
        agent.run("please go on", model)

    states = {each["agent"]: each["state"] for each in json.loads(before.out)["data"]["items"]}
    assert states[agent.name] == "current"
    assert removed.code == 0, removed.err
    assert not model.saw(HOW)
    assert not any("memory_" in name for name in model.tools())
