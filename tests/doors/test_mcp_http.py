"""The server over HTTP: for who has the token and sits at this machine, in both eras."""

from __future__ import annotations

import http.client
import json
import os
import stat
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import httpx2
import mcp_types as types
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from starlette.applications import Starlette
from starlette.routing import Mount

from memory_layer.doors.http.access import Access
from memory_layer.doors.http.guard import Guard
from memory_layer.doors.mcp.sdk import http as mcp_http
from memory_layer.doors.mcp.serving import Offer, Serving
from memory_layer.doors.mcp.tools import CORE
from memory_layer.settings import load
from tests.doors.agents import ERAS, HELLO, Agent, talk
from tests.doors.served import served

PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}


def token(machine: Path) -> str:
    return (machine / "home" / "token").read_text().strip()


@asynccontextmanager
async def client(port: int, secret: str, era: str = "auto", **more: Any) -> AsyncIterator[Client]:
    """A client that shows a token."""
    info = types.Implementation(name="over-http", version="1")
    async with httpx2.AsyncClient(headers={"Authorization": f"Bearer {secret}"}, timeout=60) as shown:
        transport = streamable_http_client(f"http://127.0.0.1:{port}/mcp", http_client=shown)
        async with Client(transport, mode=era, client_info=info, **more) as connected:
            yield connected


def status(port: int, path: str = "/mcp", **headers: str) -> int:
    """What a bare request is answered with."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    common = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    connection.request("POST", path, json.dumps(PING), common | headers)
    try:
        return connection.getresponse().status
    finally:
        connection.close()


@pytest.mark.parametrize("era", ERAS)
def test_an_agent_works_over_http_as_over_standard_input(era, machine, mem):
    async def steps(it: Agent) -> None:
        kept = await it.call("memory_learn", content="The build needs Java 21")
        found = await it.call("memory_recall", query="java")

        assert [hit["id"] for hit in found["hits"]] == [kept["id"]]
        assert mem("show", kept["id"], "--json").data["memory"]["writer"] == "over-http"

    with served() as port:
        talk(client(port, token(machine), era), steps)


def test_a_server_that_is_ended_by_a_signal_closes_its_store(machine):
    async def steps(it: Agent) -> None:
        await it.call("memory_learn", content="The build needs Java 21")

    with served() as port:
        talk(client(port, token(machine)), steps)
    assert [each.name for each in (machine / "home").glob("memory.db*")] == ["memory.db"]


@pytest.mark.parametrize("era", ERAS)
def test_a_person_is_asked_over_http_too(era, machine, with_model):
    async def answer(context: Any, params: types.ElicitRequestParams) -> types.ElicitResult:
        return types.ElicitResult(action="accept", content={"decision": "keep"})

    async def steps(it: Agent) -> None:
        await it.call("memory_learn", content="The deploy script must run with Python 3.12")
        kept = await it.call("memory_learn", content="The deploy script has to run with Python 3.12")

        assert kept["status"] == "created"

    with served() as port:
        talk(client(port, token(machine), era, elicitation_callback=answer), steps)


def test_only_who_has_the_token_and_means_this_machine_is_answered(machine):
    with served() as port:
        secret = {"Authorization": f"Bearer {token(machine)}"}

        assert status(port) == 401
        assert status(port, Authorization="Bearer wrong") == 401
        assert status(port, Authorization=f"Basic {token(machine)}") == 401
        assert status(port, "/elsewhere") == 401
        assert status(port, "/elsewhere", **secret) == 404
        assert status(port, Host="evil.example", **secret) == 421
        assert status(port, Host=f"evil.example:{port}", **secret) == 421
        assert status(port, Origin="http://evil.example", **secret) == 403
        assert status(port, Origin=f"http://127.0.0.1:{port + 1}", **secret) == 403
        assert status(port, Origin=f"http://localhost:{port}", **secret) < 401


def test_it_can_be_mounted_in_another_application_behind_the_same_guard(machine):
    serving = Serving(load(), Offer(CORE, here=machine / "work"))
    inner = mcp_http.app(serving)
    whole = Starlette(routes=[Mount("/", app=inner)], lifespan=inner.router.lifespan_context)
    transport = httpx2.ASGITransport(app=Guard(whole, Access("tok_of_the_test", 80)))

    async def run() -> list[int]:
        asking = httpx2.AsyncClient(transport=transport, base_url="http://localhost:80")
        headers = {"Accept": "application/json, text/event-stream", "Host": "localhost:80"}
        shown = {"Authorization": "Bearer tok_of_the_test"}
        async with inner.router.lifespan_context(whole), asking:
            refused = await asking.post("/mcp", json=HELLO, headers=headers)
            answered = await asking.post("/mcp", json=HELLO, headers=headers | shown)
            return [refused.status_code, answered.status_code]

    assert anyio.run(run) == [401, 200]
    serving.close()


def test_the_token_is_made_for_its_owner_alone_and_kept(machine, process):
    with served():
        first = token(machine)
    with served():
        assert token(machine) == first
    file = machine / "home" / "token"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert len(first) >= 30

    os.chmod(file, 0o644)
    refused = process("mcp", "--http", "--port", "0")
    assert refused.code == 5
    assert "other users can read" in refused.err


def test_a_port_that_is_taken_is_said_in_a_sentence(process):
    with served() as port:
        refused = process("mcp", "--http", "--port", str(port))

    assert refused.code == 2
    assert f"port {port} cannot be used" in refused.err
    assert process("mcp", "--port", "1").code == 2
