"""Many clients of one HTTP server in one process, as bare as they get: a connection each, one request at a time."""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections.abc import Callable
from typing import NamedTuple

READ_SECONDS = 60.0  #: after which a client gives up, which counts as an error


class Asked(NamedTuple):
    """A request of a kind."""

    kind: str
    method: str
    target: str
    body: dict[str, object] | None = None


class Answered(NamedTuple):
    """A request with what it took; the status is 0 if there was no answer."""

    kind: str
    status: int
    milliseconds: float


def asked(
    port: int, token: str, clients: int, seconds: float, next_request: Callable[[random.Random], Asked]
) -> list[Answered]:
    """Let so many clients ask for so long, and return all answers."""
    return asyncio.run(_all(port, token, clients, seconds, next_request))


async def _all(
    port: int, token: str, clients: int, seconds: float, next_request: Callable[[random.Random], Asked]
) -> list[Answered]:
    end = time.perf_counter() + seconds
    found: list[Answered] = []
    async with asyncio.TaskGroup() as group:
        for number in range(clients):
            group.create_task(_client(port, token, end, random.Random(number), next_request, found))
    return found


async def _client(
    port: int,
    token: str,
    end: float,
    chance: random.Random,
    next_request: Callable[[random.Random], Asked],
    found: list[Answered],
) -> None:
    connection: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None
    while (begun := time.perf_counter()) < end:
        request = next_request(chance)
        try:
            connection = connection or await asyncio.open_connection("127.0.0.1", port)
            status = await asyncio.wait_for(_exchange(*connection, port, token, request), READ_SECONDS)
        except (OSError, asyncio.IncompleteReadError, TimeoutError):
            connection, status = None, 0
        found.append(Answered(request.kind, status, (time.perf_counter() - begun) * 1000))
    if connection is not None:
        connection[1].close()


async def _exchange(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, port: int, token: str, request: Asked
) -> int:
    body = b"" if request.body is None else json.dumps(request.body).encode()
    head = (
        f"{request.method} {request.target} HTTP/1.1\r\nHost: localhost:{port}\r\n"
        f"Authorization: Bearer {token}\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    writer.write(head.encode() + body)
    answer = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    status = int(answer.split(" ", 2)[1])
    lengths = [
        line.split(":")[1] for line in answer.lower().split("\r\n") if line.startswith("content-length:")
    ]
    await reader.readexactly(int(lengths[0]))
    return status
