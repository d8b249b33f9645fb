"""An agent without a shell is told of tools it has, and of commands only as something to pass on."""

from __future__ import annotations

import pytest

from memory_layer.doors.mcp.more_tools import FULL
from memory_layer.doors.mcp.tool_answers import TOOLS_FOR_COMMANDS, for_an_agent
from memory_layer.doors.mcp.tools import CORE
from tests.doors.agents import Agent, agent, talk

EVERY = {tool.name for tool in FULL}


def test_a_context_names_the_tool_that_finds_more_and_is_made_again_letter_by_letter(mem):
    mem("add", "The harbour opens at six. " * 60, "-c", "architecture", "--priority", "high")

    async def steps(it: Agent) -> None:
        given = await it.call("memory_context", task="harbour")

        assert "memory_recall finds more." in given["text"]
        assert "(memory_recall has the rest)" in given["text"]
        assert "`mem " not in given["text"]
        again = mem("recalls", given["recall"], "--text")
        assert again.code == 0
        assert again.out.rstrip("\n") == given["text"]

    talk(agent(), steps)
    assert "`mem search" in mem("context", "--task", "harbour").out


def test_what_only_a_person_can_run_is_said_to_be_for_a_person(mem):
    async def steps(it: Agent) -> None:
        await it.call("memory_learn", content="The harbour opens at six")
        notice = (await it.call("memory_recall", query="harbour"))["notice"]
        assert "`mem model install` (for the person you work for to run) adds" in notice
        missing = await it.refused("memory_procedure", action="get", name="release")
        assert "; memory_procedure with the action list lists them" in missing
        assert "`mem projects` (for the person" in await it.refused(
            "memory_recall", query="x", project="no/such"
        )

    talk(agent(), steps)


@pytest.mark.parametrize(
    ("said", "heard"),
    [
        ("`mem projects` lists them", "memory_projects lists them"),
        ("`mem history mem_x` shows it", "memory_history shows it"),
        ("`mem doctor --fix`", "`mem doctor --fix` (for the person you work for to run)"),
        ("`memory` and mem", "`memory` and mem"),
        (
            "`mem embed` (for the person you work for to run) helps",
            "`mem embed` (for the person you work for to run) helps",
        ),
    ],
)
def test_commands_become_tools_where_there_is_one(said, heard):
    assert for_an_agent(said, EVERY) == heard


def test_every_twin_is_a_tool():
    assert {twin.partition(" ")[0] for twin in TOOLS_FOR_COMMANDS.values()} <= EVERY
    assert "memory_projects" not in {tool.name for tool in CORE}
