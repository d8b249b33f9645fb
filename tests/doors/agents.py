"""An agent that talks to a real server process by the SDK's own client, told in plain synchronous steps."""

from __future__ import annotations

import os
import sys
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from typing import Any

import anyio
import mcp_types as types
from mcp import Client, StdioServerParameters

ERAS = ("auto", "legacy")  #: the newest revision, and the handshake of before
#: The first message of the old era, for who writes the lines by hand.
HELLO: dict[str, Any] = {
    "jsonrpc": "2.0",
    "id": "hello",
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "raw", "version": "1"},
    },
}
Steps = Callable[["Agent"], Awaitable[None]]


class Agent:
    """One connection."""

    def __init__(self, client: Client) -> None:
        self.client = client

    async def call(self, tool: str, **arguments: Any) -> Any:
        """What a tool answers; that it could is part of the question."""
        answer = await self.client.call_tool(tool, arguments)
        assert not answer.is_error, said(answer)
        assert answer.structured_content is not None
        return answer.structured_content

    async def refused(self, tool: str, **arguments: Any) -> str:
        """What a tool says when it cannot."""
        answer = await self.client.call_tool(tool, arguments)
        assert answer.is_error, said(answer)
        return said(answer)


def said(answer: types.CallToolResult) -> str:
    return "\n".join(part.text for part in answer.content if isinstance(part, types.TextContent))


def read_by_models(tool: types.Tool) -> dict[str, Any]:
    """What a client passes on of a tool; metadata is for the client itself."""
    return tool.model_dump(by_alias=True, exclude_none=True, mode="json", exclude={"meta"})


def command(*options: str) -> StdioServerParameters:
    """How an agent starts the server, with the environment of the test."""
    return StdioServerParameters(
        command=sys.executable,
        args=["-m", "memory_layer", "mcp", *options],
        env=dict(os.environ),
        cwd=os.getcwd(),
    )


def agent(*options: str, era: str = "auto", name: str = "test-agent", **more: Any) -> Client:
    """A client of a server of its own."""
    info = types.Implementation(name=name, version="1")
    return Client(command(*options), mode=era, client_info=info, read_timeout_seconds=60, **more)


def talk(client: AbstractAsyncContextManager[Client], steps: Steps, seconds: float = 120) -> None:
    """Connect, take the steps, leave; what a step finds wrong is told as it is, not as a group of groups."""
    wrong: list[Exception] = []

    async def run() -> None:
        with anyio.fail_after(seconds):
            async with client as connected:
                try:
                    await steps(Agent(connected))
                except Exception as error:  # noqa: BLE001  raised again outside the client's task groups
                    wrong.append(error)

    anyio.run(run)
    if wrong:
        raise wrong[0]
