"""The programs that people use, wired by one command: the memory is there without anybody calling it.

Claude Code and Codex run in every test; the others are two gigabytes, which only `make prove` installs.
"""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest

from memory_layer.agents.recipes import RECIPES
from npm.packages import packages
from tests.agents.arrivals import BY_PROVE, IN_EVERY_TEST, NO, NOT_RUN_HERE, REPLAYED, RUN, page_table
from tests.agents.model_server import Say, serve
from tests.agents.observed import FACT, HOW, MATTER, PROMPT, arrivals, captured, hook_failures
from tests.agents.programs import MORE
from tests.agents.real_agent import RealAgent, fresh
from tests.doors.hook_events import AFTER, END, EVENTS, START
from tests.doors.hook_events import PROMPT as PROMPT_EVENT
from tests.proof import FULL

HEAVY = [
    pytest.mark.prove,
    pytest.mark.skipif(not FULL, reason="installs nine programs; MEM_PROVE=1 asks for it"),
]
OFFLINE = re.compile(r"ENOTFOUND|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EAI_AGAIN|ENETUNREACH|ERR_SOCKET_TIMEOUT")
AGENTS = [*IN_EVERY_TEST, *(pytest.param(name, marks=HEAVY) for name in BY_PROVE)]

pytestmark = pytest.mark.model


@pytest.fixture(scope="module")
def more_agents() -> None:
    """The nine programs that `make test` does not install."""
    try:
        packages(MORE).install()
    except SystemExit as failure:
        if OFFLINE.search(str(failure)) and not os.environ.get("CI"):
            pytest.skip(f"npm cannot be reached: {failure}")
        raise


@pytest.fixture(params=AGENTS)
def agent(request, tmp_path, model_folder):
    """An agent, wired by one command, in a project that knows a few things."""
    if request.param in BY_PROVE:
        request.getfixturevalue("more_agents")
    made = fresh(request.param, tmp_path, model_folder)
    for text, *options in (*MATTER, FACT):
        made.mem("add", text, "-c", *options)
    wired = made.mem("install", request.param, "--trust")
    assert wired.code == 0, wired.err
    yield made
    made.end_what_is_left()


def test_a_session_hears_of_the_memory_at_the_events_that_the_table_names(agent: RealAgent):
    warned, failing = (
        agent.shell("make deploy || true"),
        agent.shell("echo E_LOCKED: the state file is locked; exit 3"),
    )
    with serve(warned, failing, *agent.program.recall, Say("all done")) as model:
        ran = agent.run(PROMPT, model)

    assert ran.code == 0, ran.err
    assert arrivals(agent, model) == RUN[agent.name]
    assert hook_failures(agent) == []
    assert captured(agent) is (RUN[agent.name].prompt != NO)


def test_what_a_person_says_is_there_in_the_next_session_where_the_agent_passes_it_on(agent: RealAgent):
    with serve(Say("noted")) as model:
        agent.run("We always use tabs, never spaces.", model)
    with serve(agent.shell("echo go on"), Say("done")) as model:
        agent.run("please go on", model)

    assert model.saw("We always use tabs, never spaces") is (RUN[agent.name].prompt != NO)


def test_a_broken_store_does_not_disturb_the_session(agent: RealAgent):
    (agent.folder / "store" / "memory.db").write_bytes(b"no database" * 1000)
    with serve(agent.shell("echo still-working"), Say("all done")) as model:
        ran = agent.run("please go on", model)

    assert ran.code == 0, ran.err
    assert "all done" in ran.out
    assert model.saw("still-working")
    assert hook_failures(agent) == []


def test_nothing_is_left_of_it_after_its_removal(agent: RealAgent):
    with serve(Say("done")) as model:  # agents rewrite their files when they run
        agent.run("please go on", model)
    ran_before, state = len(agent.hooks()), _state(agent)
    removed = agent.mem("install", agent.name, "--remove")
    with serve(agent.shell("make deploy || true"), Say("done")) as model:
        ran = agent.run("please go on", model)

    assert state == "current"
    assert (removed.code, ran.code) == (0, 0), removed.err + ran.err
    assert model.saw("make deploy")
    assert not model.saw(HOW)
    assert not any("memory_" in name for name in model.tools())
    assert len(agent.hooks()) == ran_before
    assert [
        file for file in agent.wired_files() if agent.mem_program in file.read_text(encoding="utf-8")
    ] == []


def _state(agent: RealAgent) -> str:
    items = json.loads(agent.mem("install", "--json").out)["data"]["items"]
    return next(str(each["state"]) for each in items if each["agent"] == agent.name)


def test_the_table_names_every_agent_and_what_was_replayed_for_those_that_were_not_run():
    for name, row in NOT_RUN_HERE.items():
        wanted = {START: row.start, PROMPT_EVENT: row.prompt, AFTER: row.before, END: row.end}
        replayed = {event for event, cell in wanted.items() if cell == REPLAYED}
        assert replayed == set(EVENTS.get(name, ())), name

    assert {recipe.name: recipe.is_proven for recipe in RECIPES} == {
        **dict.fromkeys(RUN, True),
        **dict.fromkeys(NOT_RUN_HERE, False),
    }


def test_the_page_about_connecting_agents_shows_the_table():
    page = Path(__file__).parents[2] / "docs/how-to/connect-your-agents.md"

    assert page_table() in page.read_text(encoding="utf-8"), page_table()
