"""Six sessions are given the same bad memory and say so: what the next one is given."""

from __future__ import annotations

from typing import Any

from tests.doors.agents import Agent, agent, talk

QUESTION = "how do we deploy to production"
BAD = "To deploy to production run `make deploy` with the cache cleared first"
GOOD = "Deploys to production happen by pushing a release tag"


async def given_unasked(it: Agent) -> dict[str, Any]:
    """What each tool that nobody has to ask gives."""
    return {
        "context": (await it.call("memory_context", task=QUESTION))["text"],
        "start": (await it.call("memory_context", start=True))["text"],
        "compose": (await it.call("memory_compose", task=QUESTION))["text"],
        "run": (await it.call("memory_run", action="start", task=QUESTION))["text"],
        "warn": str(await it.call("memory_warn", command="make deploy")),
    }


def test_six_sessions_report_that_a_memory_failed(machine):
    async def steps(it: Agent) -> None:
        bad = (await it.call("memory_learn", content=BAD, category="gotcha"))["id"]
        good = (await it.call("memory_learn", content=GOOD, category="workflow"))["id"]
        for session in range(6):
            found = await it.call("memory_recall", query=QUESTION, session=f"s{session}")
            order = [hit["id"] for hit in found["hits"]]
            judged = await it.call(
                "memory_outcome", ids=[bad], result="failed", recall=found["recall"], session=f"s{session}"
            )
            assert judged["outcomes"][0]["status"] == "active"
            if session >= 2:
                assert order == [good, bad]
                assert found["hits"][1]["failing"] is True
            if session >= 1:
                texts = await given_unasked(it)
                assert [name for name, text in texts.items() if BAD in text] == []

        opened = await it.call("memory_get", id=bad)
        assert opened["failing"] is True
        assert (opened["memory"]["outcome_score"], opened["memory"]["status"]) == (-1.0, "active")
        listed = await it.call("memory_recent")
        assert {each["id"]: each.get("failing") for each in listed["items"]} == {good: None, bad: True}

        found = await it.call("memory_recall", query=QUESTION, session="s6")
        await it.call("memory_outcome", ids=[bad], result="worked", recall=found["recall"], session="s6")
        assert BAD in (await it.call("memory_context", task=QUESTION))["text"]

    talk(agent("--tools", "full"), steps)
