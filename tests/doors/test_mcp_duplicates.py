"""A near duplicate is a question: put to the person where the client can, else answered by a second call."""

from __future__ import annotations

from typing import Any

import mcp_types as types
import pytest

from memory_layer.doors.mcp.sdk.server import question
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
        assert CLOSE in questions[0]

    talk(agent(era=era, elicitation_callback=answer), steps)


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize("action", ["decline", "cancel"])
def test_a_person_who_does_not_answer_leaves_the_question_open(era, action, mem):
    async def answer(context: Any, params: types.ElicitRequestParams) -> types.ElicitResult:
        return types.ElicitResult(action=action)

    async def steps(it: Agent) -> None:
        await it.call("memory_learn", content=KNOWN)
        asked = await it.call("memory_learn", content=CLOSE)

        assert asked["status"] == "similar"
        assert "waits for them in the review queue. Leave the decision to them" in asked["next"]
        waits = mem("review", "--list", "--json").data["items"]
        assert [(each["kind"], each["memory"]["id"]) for each in waits] == [("question", asked["id"])]
        assert len((await it.call("memory_recall", query="python for the deploy script"))["hits"]) == 1

    talk(agent(era=era, elicitation_callback=answer), steps)


def test_a_secret_is_not_shown_to_whoever_is_asked():
    answer = {"candidates": [{"content": KNOWN}], "redacted": ["password"]}

    assert "hunter2" not in question(answer, "The password is hunter2")
    assert KNOWN in question(answer, "The password is hunter2")


def test_a_client_that_fails_to_ask_leaves_the_answer_to_the_agent():
    async def answer(context: Any, params: types.ElicitRequestParams) -> types.ErrorData:
        return types.ErrorData(code=types.INTERNAL_ERROR, message="no window to ask in")

    async def steps(it: Agent) -> None:
        await it.call("memory_learn", content=KNOWN)

        assert (
            "on_duplicate set to merge, keep or skip"
            in (await it.call("memory_learn", content=CLOSE))["next"]
        )

    talk(agent(era="legacy", elicitation_callback=answer), steps)


def test_a_merge_says_what_the_memory_says_now():
    fuller = f"{CLOSE}, and with the newest pip"

    async def steps(it: Agent) -> None:
        known = await it.call("memory_learn", content=KNOWN)
        merged = await it.call("memory_learn", content=fuller, on_duplicate="merge")

        assert (merged["status"], merged["id"]) == ("merged", known["id"])
        assert merged["content"] == fuller
        assert KNOWN not in str(merged)

    talk(agent(), steps)


@pytest.mark.parametrize(("offered", "told"), [("full", "memory_archive"), ("core", "memory_outcome")])
def test_a_contradiction_is_kept_and_says_what_can_be_done_about_it(offered, told):
    async def steps(it: Agent) -> None:
        await it.call("memory_learn", content="The API server listens on port 8080")
        kept = await it.call("memory_learn", content="The API server listens on port 9090")

        assert (kept["status"], kept["candidates"][0]["relation"]) == ("created", "conflicts")
        assert "both are kept and linked" in kept["next"]
        assert told in kept["next"]

    talk(agent("--tools", offered), steps)


def test_an_agent_that_decides_at_once_is_not_asked():
    async def answer(context: Any, params: types.ElicitRequestParams) -> types.ElicitResult:
        raise AssertionError("nobody should be asked")

    async def steps(it: Agent) -> None:
        await it.call("memory_learn", content=KNOWN)

        assert (await it.call("memory_learn", content=CLOSE, on_duplicate="keep"))["status"] == "created"

    talk(agent(elicitation_callback=answer), steps)
