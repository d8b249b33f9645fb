"""A near duplicate is a question: put to the person where the client can, else answered by a second call."""

from __future__ import annotations

from typing import Any

import mcp_types as types
import pytest

from tests.doors.agents import ERAS, Agent, agent, talk

KNOWN = "The deploy script must run with Python 3.12"
CLOSE = "The deploy script has to run with Python 3.12"

pytestmark = pytest.mark.usefixtures("with_model")


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize(
    ("decision", "status"), [("merge", "merged"), ("keep", "created"), ("skip", "exists")]
)
def test_a_second_call_answers_the_question(era, decision, status, mem):
    async def steps(it: Agent) -> None:
        known = await it.call("memory_learn", content=KNOWN)
        asked = await it.call("memory_learn", content=CLOSE)

        assert asked["status"] == "similar"
        assert asked["candidates"][0]["id"] == known["id"]
        assert "on_duplicate" in asked["next"]
        assert mem("show", asked["id"], "--json").data["memory"]["reason"] == "question"

        done = await it.call("memory_learn", content=CLOSE, on_duplicate=decision)

        assert done["status"] == status
        assert done["id"] == (asked["id"] if decision == "keep" else known["id"])
        assert mem("review", "--list", "--json").data["by_kind"].get("question", 0) == 0

    talk(agent(era=era), steps)


@pytest.mark.parametrize("era", ERAS)
def test_a_person_is_asked_where_the_client_can(era):
    questions: list[str] = []

    async def answer(context: Any, params: types.ElicitRequestParams) -> types.ElicitResult:
        questions.append(params.message)
        return types.ElicitResult(action="accept", content={"decision": "merge"})

    async def steps(it: Agent) -> None:
        known = await it.call("memory_learn", content=KNOWN)
        merged = await it.call("memory_learn", content=CLOSE)

        assert merged["status"] == "merged"
        assert merged["id"] == known["id"]
        assert len(questions) == 1
        assert KNOWN in questions[0]

    talk(agent(era=era, elicitation_callback=answer), steps)


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize("action", ["decline", "cancel"])
def test_a_person_who_does_not_answer_leaves_the_question_open(era, action):
    async def answer(context: Any, params: types.ElicitRequestParams) -> types.ElicitResult:
        return types.ElicitResult(action=action)

    async def steps(it: Agent) -> None:
        await it.call("memory_learn", content=KNOWN)
        asked = await it.call("memory_learn", content=CLOSE)

        assert asked["status"] == "similar"
        assert len((await it.call("memory_recall", query="python for the deploy script"))["hits"]) == 1

    talk(agent(era=era, elicitation_callback=answer), steps)


def test_an_agent_that_decides_at_once_is_not_asked():
    async def answer(context: Any, params: types.ElicitRequestParams) -> types.ElicitResult:
        raise AssertionError("nobody should be asked")

    async def steps(it: Agent) -> None:
        await it.call("memory_learn", content=KNOWN)

        assert (await it.call("memory_learn", content=CLOSE, on_duplicate="keep"))["status"] == "created"

    talk(agent(elicitation_callback=answer), steps)
