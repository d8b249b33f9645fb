"""A line of standard input that cannot be read: its sender is told, and does not wait for an answer in vain."""

from __future__ import annotations

import re
from contextvars import Context
from types import TracebackType
from typing import Any, Protocol

import anyio
import mcp_types as types
from mcp.shared.message import SessionMessage
from pydantic import ValidationError

Item = SessionMessage | Exception
#: A broken emoji, half of a pair, is no JSON for some readers; the id stands before or behind it all the same.
_ID = re.compile(r'"id"\s*:\s*(?:(-?\d{1,18})(?=\s*[,}])|"([^"\\]{1,200})")')
LONGEST_SAID = 200  #: characters of what was wrong


class Incoming(Protocol):
    last_context: Context | None

    async def receive(self) -> Item: ...
    async def aclose(self) -> None: ...


class Outgoing(Protocol):
    async def send(self, item: SessionMessage, /) -> None: ...


class Lines:
    """What comes in; what is no message is answered here and still passed on."""

    def __init__(self, read: Incoming, write: Outgoing) -> None:
        self._read = read
        self._write = write

    @property
    def last_context(self) -> Context | None:
        return self._read.last_context

    async def receive(self) -> Item:
        item = await self._read.receive()
        if isinstance(item, ValidationError) and (told := refusal(item)) is not None:
            await self._write.send(SessionMessage(told))
        return item

    async def aclose(self) -> None:
        await self._read.aclose()

    def __aiter__(self) -> Lines:
        return self

    async def __anext__(self) -> Item:
        try:
            return await self.receive()
        except anyio.EndOfStream:
            raise StopAsyncIteration from None

    async def __aenter__(self) -> Lines:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.aclose()


def refusal(error: ValidationError) -> types.JSONRPCError | None:
    """The answer to what cannot be read; None for what asks for none."""
    first: Any = error.errors(include_url=False, include_context=False)[0]
    named = _named(first["input"]) if isinstance(first["input"], str) else None
    if named is None:
        return None
    said = f"this line cannot be read: {first['msg'][:LONGEST_SAID]}. Nothing was changed."
    return types.JSONRPCError(
        jsonrpc="2.0",
        id=int(named[1]) if named[1] else named[2],
        error=types.ErrorData(code=types.PARSE_ERROR, message=said),
    )


def _named(line: str) -> re.Match[str] | None:
    """The id of a request: before its parameters, which may have an id of their own, or at the end behind them."""
    head, _, rest = line.partition('"params"')
    if '"method"' not in line:
        return None
    return _ID.search(head) or next(reversed([*_ID.finditer(rest)]), None)
