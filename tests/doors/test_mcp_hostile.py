"""Whatever a client sends, the server answers in a sentence, stays up, and keeps what it said it kept."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from typing import Any

import pytest

from tests.doors.agents import HELLO, Agent, agent, said, talk

pytestmark = pytest.mark.prove
FULL = os.environ.get("MEM_PROVE", "") not in ("", "0")
CALLS = 2_000 if FULL else 120
SEED = 20261116
CODES = (
    "invalid_input ambiguous_id not_found not_allowed changed_meanwhile model_unavailable store_unavailable"
    " store_busy"
).split()
ODD: tuple[Any, ...] = (
    *("", " ", "x", "mem_", "mem_" + "a" * 26, "rec_nothing", "../../etc/passwd", "/", "~", "C:\\", "null"),
    *("ж" * 300, "💥\u202e\u0007", "'; drop table memories; --", '{"a": 1}', "[]", '["a", 1]', "[" * 500),
    *("a" * 70_000, "\n\n\n", "%00", "NaN", "2026-02-31", "9999999d", "-1"),
    *(None, True, False, 0, -1, 1, 3, 10**30, 1.5, -0.0, 1e308),
    *([], [""], ["x"], [[]], [None], ["a"] * 200, {}, {"a": {"b": []}}, {"": None}),
)


def arguments(chance: random.Random, schema: dict[str, Any], known: list[str]) -> dict[str, Any]:
    """Arguments that are now and then right."""
    given: dict[str, Any] = {}
    for name, field in schema["properties"].items():
        if name in schema.get("required", ()) or chance.random() < 0.3:
            given[name] = right(chance, field, known) if chance.random() < 0.6 else chance.choice(ODD)
    if chance.random() < 0.1:
        given[str(chance.choice(["", "x", "__class__", "self", "call"]))] = chance.choice(ODD)
    if given.get("project") is not None and chance.random() < 0.9:
        del given["project"]
    return given


def right(chance: random.Random, field: dict[str, Any], known: list[str]) -> Any:
    if "enum" in field:
        return chance.choice(field["enum"])
    kind = field.get("type")
    if kind == "array":
        return [right(chance, field.get("items", {}), known) for _ in range(chance.randrange(3))]
    if kind in ("integer", "number"):
        return chance.randrange(1, 30)
    if kind == "boolean":
        return chance.random() < 0.5
    return chance.choice(known) if known and chance.random() < 0.5 else f"fact {chance.randrange(10_000)}"


def test_odd_arguments_are_refused_in_a_sentence_and_nothing_acknowledged_is_lost(mem):
    chance = random.Random(SEED)
    acknowledged: dict[str, None] = {}
    answered = {"answered": 0, "refused": 0}

    async def steps(it: Agent) -> None:
        tools = (await it.client.list_tools()).tools
        for _ in range(CALLS):
            tool = chance.choice(tools)
            given = arguments(chance, tool.input_schema, list(acknowledged))
            answer = await it.client.call_tool(tool.name, given)
            text = said(answer)
            assert text.count("\n") == 0
            if answer.is_error:
                answered["refused"] += 1
                assert text.partition(":")[0] in CODES, (tool.name, given, text)
                assert len(text) < 2_000
                assert not any(word in text.lower() for word in ("traceback", "mem forget", "delete", " rm "))
            else:
                answered["answered"] += 1
                if tool.name in ("memory_learn", "memory_episode"):
                    assert answer.structured_content is not None
                    acknowledged[answer.structured_content["id"]] = None

        for kept in acknowledged:
            assert (await it.call("memory_get", id=kept))["memory"]["id"] == kept

    talk(agent("--tools", "full"), steps)
    assert mem("audit", "verify").code == 0
    assert min(answered.values()) > CALLS // 10, answered
    print(f"\nMCP: {CALLS} odd calls, {answered}, {len(acknowledged)} acknowledged, 0 lost")


LINES = (
    b"",
    b"\x00\xff\xfe",
    b"{",
    b"[]",
    b"null",
    b'"text"',
    b'{"jsonrpc": "2.0"}',
    b'{"jsonrpc": "2.0", "id": {}, "method": "tools/call"}',
    b'{"jsonrpc": "2.0", "id": 7, "method": "no/such"}',
    b'{"jsonrpc": "2.0", "id": 8, "method": "tools/call", "params": {"name": 5}}',
    b'{"jsonrpc": "2.0", "method": "notifications/nothing"}',
    b"[" * 20_000,
    b'{"jsonrpc": "2.0", "id": 9, "method": "' + b"x" * 100_000 + b'"}',
)


def test_lines_that_are_no_messages_do_not_end_the_server():
    chance = random.Random(SEED)
    junk = [chance.choice(LINES) for _ in range(CALLS // 4)] + list(LINES)
    started = {"jsonrpc": "2.0", "method": "notifications/initialized"}
    asked = {"jsonrpc": "2.0", "id": "last", "method": "tools/list"}
    lines = [json.dumps(HELLO).encode(), json.dumps(started).encode(), *junk, json.dumps(asked).encode()]
    server = subprocess.Popen(
        [sys.executable, "-m", "memory_layer", "mcp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert server.stdin is not None
    assert server.stdout is not None
    with server:
        server.stdin.write(b"\n".join(lines) + b"\n")
        server.stdin.flush()
        for line in server.stdout:
            if json.loads(line).get("id") == "last":
                assert len(json.loads(line)["result"]["tools"]) == 8
                break
        else:
            pytest.fail("the server ended before it answered")
        server.stdin.close()
    assert server.returncode == 0
