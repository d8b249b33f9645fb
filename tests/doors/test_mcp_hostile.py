"""Whatever a client sends, the server answers in a sentence, stays up, keeps what it said it kept, and nothing else."""

from __future__ import annotations

import json
import os
import random
from contextlib import AbstractAsyncContextManager
from pathlib import Path

import pytest
from mcp import Client
from mcp.shared.exceptions import MCPError

from tests.doors.agents import Agent, agent, said, talk
from tests.doors.ledger import Ledger
from tests.doors.odd_calls import arguments
from tests.doors.served import served
from tests.doors.test_mcp_http import client, token
from tests.proof import FULL

pytestmark = pytest.mark.prove
CALLS = {"keyword": 1_000, "model": 1_000, "http": 200} if FULL else {"keyword": 80, "model": 60, "http": 30}
SECONDS = 1_800 if FULL else 120
SEED = 20261116
CODES = (
    "invalid_input ambiguous_id not_found not_allowed changed_meanwhile model_unavailable store_unavailable"
    " store_busy"
).split()
NEVER_SAID = ("traceback", "mem forget", "delete", " rm ", "sqlite", "pydantic")


@pytest.fixture
def trapped(machine: Path) -> Path:
    """A project with links that lead out of it, in a circle and to no file."""
    work = machine / "work"
    (work / "src").mkdir()
    (work / "src" / "app.py").write_text("port = 8080\n" * 5)
    (work / "link").symlink_to("/etc")
    (work / "loop").symlink_to("loop")
    os.mkfifo(work / "fifo")
    (work / "unreadable").write_text("x")
    (work / "unreadable").chmod(0)
    return work


def check_calls(connected: AbstractAsyncContextManager[Client], machine: Path, calls: int) -> None:
    """Make odd calls and hold the store against every answer."""
    chance = random.Random(SEED)
    counts = {"answered": 0, "refused": 0}
    total = 0

    async def steps(it: Agent) -> None:
        nonlocal total
        tools = (await it.client.list_tools()).tools
        writers = [tool for tool in tools if tool.annotations and not tool.annotations.read_only_hint]
        await it.call("memory_stats")  # makes the store
        ledger = Ledger(machine / "home" / "memory.db")
        for _ in range(calls):
            tool = chance.choice(writers if chance.random() < 0.5 else tools)
            given = arguments(chance, tool.input_schema, list(ledger.acknowledged))
            try:
                answer = await it.client.call_tool(tool.name, given)
            except MCPError:
                if len(json.dumps(given)) < 4_000_000:  # over HTTP a message has a largest size
                    raise
                counts["refused"] += 1
                ledger.refused(tool.name)
                continue
            text, about = said(answer), (tool.name, given, said(answer)[:300])
            assert text.count("\n") == 0
            if answer.is_error:
                counts["refused"] += 1
                assert text.partition(":")[0] in CODES, about
                assert len(text) < 2_000, about
                assert not any(word in text.lower() for word in NEVER_SAID), about
                ledger.refused(about)
            else:
                counts["answered"] += 1
                assert tool.annotations is not None
                assert isinstance(answer.structured_content, dict)
                assert json.loads(text) == answer.structured_content
                reads = tool.annotations.read_only_hint is True
                ledger.answered(answer.structured_content, about, only_reads=reads)
        assert ledger.everything() == list(ledger.acknowledged)
        for kept in ledger.acknowledged:
            assert (await it.call("memory_get", id=kept))["memory"]["id"] == kept
        total = len(ledger.acknowledged)
        print(
            f"\nMCP: {calls} odd calls, {counts}; {total} memories, {ledger.outcomes} outcomes and"
            f" {len(ledger.links)} links, all acknowledged, none lost"
        )
        ledger.close()

    talk(connected, steps, SECONDS)
    assert min(counts.values()) > calls // 10, counts


def test_odd_calls_are_refused_in_a_sentence_and_only_what_was_acknowledged_is_written(trapped, machine, mem):
    check_calls(agent("--tools", "full"), machine, CALLS["keyword"])
    assert mem("audit", "verify").code == 0


def test_the_same_with_the_model(trapped, machine, with_model, mem):
    check_calls(agent("--tools", "full", era="legacy"), machine, CALLS["model"])
    assert mem("audit", "verify").code == 0


def test_the_same_over_http(trapped, machine, mem):
    with served("--tools", "full") as port:
        check_calls(client(port, token(machine)), machine, CALLS["http"])
    assert mem("audit", "verify").code == 0
