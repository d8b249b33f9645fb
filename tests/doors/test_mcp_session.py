"""An agent works with the memory through a server process of its own, in both eras of the protocol."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from typing import Any

import mcp_types as types
import pytest
from mcp.shared.exceptions import MCPError

from memory_layer.text.tokens import estimate
from tests.doors.agents import ERAS, HELLO, Agent, agent, read_by_models, talk
from tests.doors.test_mcp_lines import call, wire

CORE = (
    "memory_recall memory_learn memory_outcome memory_context memory_episode memory_procedure"
    " memory_stats memory_consolidate"
).split()
MOST_TOKENS = 2_600
MEMORIES = (
    "Payments are retried three times before they fail",
    "Payments are sent in batches every ten minutes",
)


@pytest.mark.parametrize("era", ERAS)
def test_the_core_set_is_eight_tools_in_the_same_order_for_every_client(era):
    async def steps(it: Agent) -> None:
        listed = await it.client.list_tools()

        assert [tool.name for tool in listed.tools] == CORE
        assert all(tool.output_schema and tool.annotations and tool.description for tool in listed.tools)
        assert all(tool.input_schema["additionalProperties"] is False for tool in listed.tools)

    talk(agent(era=era), steps)


def test_what_an_agent_reads_of_the_core_set_costs_at_most_2600_tokens():
    async def steps(it: Agent) -> None:
        listed = await it.client.list_tools()
        tools = [read_by_models(tool) for tool in listed.tools]
        read = json.dumps({"tools": tools}, separators=(",", ":"), ensure_ascii=False)

        assert estimate(read) <= MOST_TOKENS
        assert estimate(it.client.instructions or "") <= 400

    talk(agent(), steps)


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize("tools", ["core", "full"])
def test_clients_that_hide_tools_load_the_two_that_an_agent_needs_first(era, tools):
    async def steps(it: Agent) -> None:
        marked = {tool.name: tool.meta for tool in (await it.client.list_tools()).tools if tool.meta}

        assert marked == {
            name: {"anthropic/alwaysLoad": True} for name in ("memory_recall", "memory_context")
        }

    talk(agent("--tools", tools, era=era), steps)


@pytest.mark.parametrize("era", ERAS)
def test_a_session_from_its_context_to_a_better_order(era, with_model, mem):
    async def steps(it: Agent) -> None:
        begun = await it.call("memory_context", task="change how payments are retried", start=True)
        assert begun["ids"] == []

        first, second = [(await it.call("memory_learn", content=text))["id"] for text in MEMORIES]
        known = await it.call("memory_learn", content="The deploy script must run with Python 3.12")
        close = {"content": "The deploy script has to run with Python 3.12", "category": "environment"}
        assert (await it.call("memory_learn", **close))["status"] == "similar"
        merged = await it.call("memory_learn", **close, on_duplicate="merge")
        assert (merged["status"], merged["id"]) == ("merged", known["id"])

        found = await it.call("memory_recall", query="how are payments sent and retried", session="s1")
        before = [hit["id"] for hit in found["hits"]]
        assert set(before[:2]) == {first, second}

        event = await it.call(
            "memory_episode", text="Chose exponential backoff", kind="decision", session="s1"
        )
        assert event["number"] == 1
        saved = await it.call(
            "memory_procedure", action="save", name="replay", steps=["stop the worker", "replay the queue"]
        )
        assert saved["items"][0]["name"] == "replay"

        loser = before[0]
        for event_id in ("e1", "e2", "e2"):
            judged = await it.call(
                "memory_outcome", ids=[loser], result="failed", recall=found["recall"], event_id=event_id
            )
            assert judged["outcomes"][0]["outcome_score"] < 0
        again = await it.call("memory_recall", query="how are payments sent and retried", session="s1")
        assert next(hit["id"] for hit in again["hits"]) != loser

        counted = await it.call("memory_stats")
        assert counted["active"] == mem("stats", "--json").data["active"]

    talk(agent(era=era), steps)


@pytest.mark.parametrize("era", ERAS)
def test_the_writer_is_the_client_and_the_door_is_told(era, mem):
    async def steps(it: Agent) -> None:
        kept = await it.call("memory_learn", content="The build needs Java 21")
        shown = mem("show", kept["id"], "--json").data

        assert shown["memory"]["writer"] == "some-editor"
        assert shown["memory"]["writer_kind"] == "agent"
        assert {line["door"] for line in mem("audit", "list", "--json").data["items"]} == {"mcp"}

    talk(agent(era=era, name="some-editor"), steps)


def test_a_client_with_an_impossible_name_still_works(mem):
    async def steps(it: Agent) -> None:
        kept = await it.call("memory_learn", content="The build needs Java 21")

        assert mem("show", kept["id"], "--json").data["memory"]["writer"] == "x" * 64

    talk(agent(name="\n" + "x" * 500), steps)


def test_ids_and_order_are_those_of_the_command_line(with_model, mem):
    for text in (*MEMORIES, "The office has a green door"):
        mem("add", text, "--json")

    async def steps(it: Agent) -> None:
        through_mcp = await it.call("memory_recall", query="payments", limit=5)
        through_cli = mem("search", "payments", "--limit", "5", "--json").data

        assert [hit["id"] for hit in through_mcp["hits"]] == [hit["id"] for hit in through_cli["hits"]]
        assert [hit["score"] for hit in through_mcp["hits"]] == [
            round(hit["score"], 3) for hit in through_cli["hits"]
        ]

    talk(agent(), steps)


MISTAKES: list[tuple[str, dict[str, Any], str]] = [
    ("memory_recall", {}, "invalid_input: query is missing"),
    (
        "memory_recall",
        {"query": "x", "colour": "red"},
        "there is no argument 'colour'; the arguments are query",
    ),
    ("memory_recall", {"query": "x", "limit": 51}, "limit must be a whole number from 1 to 50, not 51"),
    ("memory_recall", {"query": "  "}, "the query is empty"),
    ("memory_learn", {"content": "x", "category": "colour"}, "colour"),
    ("memory_outcome", {"ids": ["mem_nothing"], "result": "worked"}, "not_found: "),
    ("memory_procedure", {"action": "save"}, "the action save needs the argument name"),
    ("memory_learn", {"content": "x", "project": "nowhere/known"}, "not_found: "),
    ("memory_learn", {"content": "x", "global": True, "project": "."}, "use either project or global"),
]


def test_a_mistake_is_one_sentence_that_says_what_is_safe(mem):
    async def steps(it: Agent) -> None:
        for tool, arguments, told in MISTAKES:
            refusal = await it.refused(tool, **arguments)

            assert told in refusal
            assert "Nothing was changed." in refusal
            assert "Traceback" not in refusal
            assert "\n" not in refusal

    talk(agent(), steps)
    assert mem("stats", "--json").data["total"] == 0


@pytest.mark.parametrize("era", ERAS)
def test_a_tool_that_nobody_has_is_an_error_of_the_protocol(era):
    async def steps(it: Agent) -> None:
        with pytest.raises(
            MCPError, match="there is no tool 'memory_forget'; the tools are memory_re"
        ) as refused:
            await it.client.call_tool("memory_forget", {"ids": ["x"]})

        assert refused.value.code == types.INVALID_PARAMS
        assert (await it.call("memory_stats"))["total"] == 0

    talk(agent(era=era), steps)


@pytest.mark.parametrize("words", ["mcp", "serve --mcp"])
def test_the_server_ends_with_its_client_and_at_once_when_interrupted(words):
    for ending in (None, signal.SIGINT, signal.SIGTERM):
        server = subprocess.Popen(
            [sys.executable, "-m", "memory_layer", *words.split()],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        with server:
            assert server.stdin is not None
            assert server.stdout is not None
            server.stdin.write(json.dumps(HELLO).encode() + b"\n")
            server.stdin.flush()
            assert json.loads(server.stdout.readline())["result"]["serverInfo"]["name"] == "memory-layer"
            if ending is None:
                server.stdin.close()
                assert server.wait(30) == 0
            else:
                server.send_signal(ending)
                assert server.wait(30) == -ending


def test_a_server_that_ends_leaves_the_whole_store_in_one_file(machine):
    for _ in range(3):  # threads end while the process does, and one of them may be the last
        with wire() as it:
            it.send(call(1, b'{"content": "Payments are retried three times"}'))
            it.until(1)
            it.send(*(call(number, b'{"query": "payments"}', b"memory_recall") for number in range(2, 10)))
            it.until(9)
        assert [each.name for each in (machine / "home").glob("memory.db*")] == ["memory.db"]


def test_lists_that_a_client_wrapped_into_a_text_are_understood():
    async def steps(it: Agent) -> None:
        kept = await it.call("memory_learn", content="Use tabs", tags='["style", "editor"]')
        await it.call("memory_outcome", ids=kept["id"], result="worked")
        found = await it.call("memory_recall", query="tabs")

        assert found["hits"][0]["tags"] == ["style", "editor"]
        assert found["hits"][0]["worked"] == 1

    talk(agent(), steps)


def test_the_answer_is_data_and_the_same_as_text():
    async def steps(it: Agent) -> None:
        answer = await it.client.call_tool("memory_learn", {"content": "Use tabs"})
        part = answer.content[0]

        assert isinstance(part, types.TextContent)
        assert json.loads(part.text) == answer.structured_content

    talk(agent(), steps)
