"""Two servers and the command line on one store: nothing is lost, nothing is doubled, nobody sees an error."""

from __future__ import annotations

import os

import anyio
import pytest

from tests.doors.agents import Agent, agent, talk

pytestmark = pytest.mark.prove
FULL = os.environ.get("MEM_PROVE", "") not in ("", "0")
WRITES = 1_000 if FULL else 30
AT_ONCE = 4


def test_two_servers_and_the_command_line_write_at_once(process):
    ids: dict[str, str] = {}

    async def learn(it: Agent, numbers: range) -> None:
        for number in numbers:
            text = f"Shelf {number} holds the parts of machine {number}"
            kept = await it.call("memory_learn", content=text)
            assert kept["status"] == "created"
            ids[text] = kept["id"]

    async def both(first: Agent) -> None:
        async with agent(era="legacy") as other, anyio.create_task_group() as together:
            for worker in range(AT_ONCE):
                it = first if worker % 2 else Agent(other)
                together.start_soon(learn, it, range(worker, WRITES, AT_ONCE))
            for number in range(5):
                text = f"The command line wrote line {number}"
                answer = await anyio.to_thread.run_sync(process, "add", text, "--json")
                ids[text] = answer.data["id"]

    talk(agent(), both)

    listed = process("list", "--limit", "1000", "--all", "--json").data
    stored = {item["content"]: item["id"] for item in listed["items"]}
    assert listed["total"] == len(ids) == WRITES + 5
    assert stored.items() <= ids.items()
    assert len(stored) == min(len(ids), 1000)
    assert process("audit", "verify").code == 0
    print(f"\nMCP: 2 servers with 4 conversations and the command line: {len(ids)} written, {len(ids)} there")
