"""Standard input and output: every request gets an answer, even an unreadable one or one before the input closes.

An unreadable line is answered with an error, and closing the input waits for the answers that are still due.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from contextvars import Context
from types import TracebackType
from typing import Any, Protocol, Self

import anyio
import mcp_types as types
from mcp.shared.message import SessionMessage
from pydantic import ValidationError

from memory_layer.doors.mcp.opening import REPEATED
from memory_layer.doors.mcp.stdio import CUT, LONGEST_LINE

Item = SessionMessage | Exception
#: Half of a surrogate pair is invalid JSON for some parsers; the id can still be read around it.
_ID = re.compile(r'"id"\s*:\s*(?:(-?\d{1,18})(?=\s*[,}])|"([^"\\]{1,200})")')
LONGEST_REASON = 200  #: characters of the parser's message
NO_REQUEST = "this is not a valid request: send one object per line, with the parameters in an object"


class Incoming(Protocol):
    last_context: Context | None

    async def receive(self) -> Item: ...
    async def aclose(self) -> None: ...


class Outgoing(Protocol):
    async def send(self, item: SessionMessage, /) -> None: ...
    async def aclose(self) -> None: ...


class Due:
    """The requests we still have to answer, and the questions to the client that are still open."""

    def __init__(self) -> None:
        self._requests: set[types.RequestId] = set()
        self._questions: set[types.RequestId] = set()
        self._fewer = anyio.Event()

    def came(self, message: types.JSONRPCMessage) -> None:
        if isinstance(message, types.JSONRPCRequest):
            self._requests.add(message.id)
        elif isinstance(message, types.JSONRPCNotification):
            if message.method == "notifications/cancelled":
                self._settle((message.params or {}).get("requestId"))
        elif message.id is not None:
            self._questions.discard(message.id)

    def went(self, message: types.JSONRPCMessage) -> None:
        if isinstance(message, types.JSONRPCRequest):
            self._questions.add(message.id)
        elif not isinstance(message, types.JSONRPCNotification):
            self._settle(message.id)

    def _settle(self, request: types.RequestId | None) -> None:
        if request is not None:
            self._requests.discard(request)
        self._fewer.set()

    async def over(self) -> None:
        """Wait for the answers that can still be given: nobody is left to answer our questions."""
        while len(self._requests) > len(self._questions):
            self._fewer = anyio.Event()
            await self._fewer.wait()


class Stream(ABC):
    """A stream that is closed at the end of a block."""

    @abstractmethod
    async def aclose(self) -> None: ...

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.aclose()


class Answers(Stream):
    """The outgoing messages, without the answer that the client already has."""

    def __init__(self, write: Outgoing, due: Due) -> None:
        self._write = write
        self._due = due

    async def send(self, item: SessionMessage, /) -> None:
        if getattr(item.message, "id", None) != REPEATED:
            await self._write.send(item)
        self._due.went(item.message)

    async def aclose(self) -> None:
        await self._write.aclose()


class RequestStream(Stream):
    """The incoming messages; an invalid one is answered here and still passed on."""

    def __init__(self, read: Incoming, write: Outgoing, due: Due) -> None:
        self._read = read
        self._write = write
        self._due = due

    @property
    def last_context(self) -> Context | None:
        return self._read.last_context

    async def receive(self) -> Item:
        try:
            item = await self._read.receive()
        except anyio.EndOfStream:
            await self._due.over()
            raise
        if isinstance(item, SessionMessage):
            self._due.came(item.message)
        for refusal in refusals(item) if isinstance(item, ValidationError) else ():
            await self._write.send(SessionMessage(refusal))
        return item

    async def aclose(self) -> None:
        await self._read.aclose()

    def __aiter__(self) -> RequestStream:
        return self

    async def __anext__(self) -> Item:
        try:
            return await self.receive()
        except anyio.EndOfStream:
            raise StopAsyncIteration from None


def refusals(error: ValidationError) -> list[types.JSONRPCError]:
    """Return the errors for an unreadable line, one per request in it; none for a notification.

    A line that is no JSON is answered without an id if none can be found in it.
    """
    first: Any = error.errors(include_url=False, include_context=False)[0]
    if first["type"] != "json_invalid":
        return [_error(waiting, types.INVALID_REQUEST, NO_REQUEST) for waiting in _waiting(error)]
    line = first["input"]
    if not line.strip():
        return []  # an empty line between messages does no harm
    too_long = f"this line is longer than {LONGEST_LINE:,} characters"
    reason = f"this line cannot be parsed: {first['msg'][:LONGEST_REASON]}"
    return [_error(_id_in(line), types.PARSE_ERROR, too_long if line.endswith(CUT) else reason)]


def _error(request: int | str | None, code: int, reason: str) -> types.JSONRPCError:
    data = types.ErrorData(code=code, message=f"{reason}. Nothing was changed.")
    return types.JSONRPCError(jsonrpc="2.0", id=request, error=data)


def _waiting(error: ValidationError) -> list[int | str]:
    """Return the ids of the requests in a line of JSON that is no message: a batch, or one of another form."""
    every = error.errors(include_url=False, include_context=False)
    # Pydantic tried each form of a message: an input that is no object or lacks a field is the whole line.
    whole: Any = next((each["input"] for each in every if each["type"] in ("model_type", "missing")), None)
    sent = whole if isinstance(whole, list) else [whole]
    requests = [each for each in sent if isinstance(each, dict) and "method" in each]
    return [each["id"] for each in requests if type(each.get("id")) in (int, str)]


def _id_in(line: str) -> int | str | None:
    """Find the id of a request: before its parameters, which may have an id of their own, or behind them."""
    head, _, rest = line.partition('"params"')
    if '"method"' not in line:
        return None
    found = _ID.search(head) or next(reversed([*_ID.finditer(rest)]), None)
    return None if found is None else int(found[1]) if found[1] else found[2]
