"""Attacks on every path of a real server: none is answered with a text, and none changes the store."""

from __future__ import annotations

import asyncio
import re
import socket
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import pytest

from memory_layer.doors.http.connections import Limits
from memory_layer.doors.rest.table import ROUTES
from tests.doors.served import ask, serve
from tests.proof import FULL, counted

STREAMS = counted(400, 10_000)
AT_ONCE = 50  #: connections that are opened together; more than fit are closed without a word
MARK = "zanzibar"
REFUSED = {400, 401, 403, 415, 421, 431}
OTHERS = ("GET /api/events", "GET /api/reference", "GET /api/openapi.json")


class Target(NamedTuple):
    """A server with one memory, and what an attacker may know of it."""

    port: int
    machine: Path
    memory: str
    token: str
    said: list[str]  #: what the server has written to standard error, once it has ended

    @property
    def calls(self) -> list[str]:
        """Method and address of every path but `/health`."""
        places = {"memory_id": self.memory, "memoryId": self.memory, "project": "shop"}
        paths = [f"{route.method} {route.plain_path}" for route in ROUTES]
        return [re.sub(r"\{(\w+)\}", lambda gap: places.get(gap[1], "x"), each) for each in (*paths, *OTHERS)]


@pytest.fixture
def target(machine: Path) -> Iterator[Target]:
    said: list[str] = []
    with serve("--port", "0", said=said) as port:
        body = {"content": f"The {MARK} harbour opens at nine"}
        kept = ask(port, "POST", "/api/memories?project=shop", machine, body)[1]
        token = (machine / "home" / "token").read_text().strip()
        yield Target(port, machine, kept["id"], token, said)
    assert not [each for each in (MARK, token) for text in said if each in text], said


def attacks(target: Target) -> dict[str, list[str]]:
    """The headers of each attack; all but the named parts are as they should be."""
    host, bearer = f"Host: localhost:{target.port}", f"Authorization: Bearer {target.token}"
    foreign = "Origin: http://evil.example"
    form = ["Content-Type: application/x-www-form-urlencoded", "Content-Length: 9"]
    return {
        "foreign host": ["Host: evil.example", bearer],
        "host of another port": ["Host: localhost:1", bearer],
        "rebound name": [
            f"Host: evil.example:{target.port}",
            f"Origin: http://evil.example:{target.port}",
            bearer,
        ],
        "two hosts": [host, "Host: evil.example", bearer],
        "no host": [bearer],
        "foreign origin": [host, foreign, bearer],
        "origin of another port": [host, "Origin: http://localhost:1", bearer],
        "opaque origin": [host, "Origin: null", bearer],
        "foreign page": [host, "Sec-Fetch-Site: cross-site", bearer],
        "page of another port": [host, "Sec-Fetch-Site: same-site", bearer],
        "no token": [host],
        "wrong token": [host, "Authorization: Bearer wrong"],
        "token of another kind": [host, f"Authorization: Basic {target.token}"],
        "longer token": [host, f"{bearer}x"],
        "two tokens": [host, bearer, bearer],
        "invented cookie": [host, f"Cookie: memory_layer_{target.port}={target.token}"],
        "cookie of another port": [host, f"Cookie: memory_layer_1={target.token}"],
        "form of another page": [host, foreign, *form],
        "form without origin": [host, *form],
        "line break in a header": [host, bearer, "Memory-Agent: a\rMemory-Session: b"],
        "folded header": [host, bearer, "Memory-Agent: a\r\n b\x00"],
        "NUL in a header": [host, bearer, "Memory-Agent: a\x00b"],
        "space before a colon": [host, bearer, "Memory-Agent : a"],
        "large head": [host, bearer, f"Memory-Agent: {'a' * 20_000}"],
        "head beyond what is read": [host, bearer, f"Memory-Agent: {'a' * 200_000}"],
        "large body without a token": [host, "Content-Length: 5000000"],
        "two lengths": [host, bearer, "Content-Length: 9", "Content-Length: 10"],
        "length and chunks": [host, "Content-Length: 9", "Transfer-Encoding: chunked"],
    }


def sent(target: Target, call: str, headers: list[str]) -> tuple[int, str]:
    """The status and all bytes of the answer to a request written by hand."""
    text = "\r\n".join([f"{call} HTTP/1.1", *headers, "Connection: close", "", "a=b&c=d&e"])
    received = b""
    with (
        socket.create_connection(("127.0.0.1", target.port), timeout=30) as connection,
        suppress(ConnectionError),  # the server may close before it has read everything
    ):
        connection.sendall(text.encode("latin-1"))
        while chunk := connection.recv(65_536):
            received += chunk
    return int(received.split(b" ", 2)[1]), received.decode("latin-1")


def state(target: Target) -> object:
    verdict = ask(target.port, "GET", "/api/audit/verdict", target.machine)[1]
    recalls = ask(target.port, "GET", "/api/recalls", target.machine)[1]["items"]
    return verdict["intact"], verdict["entries"], verdict["head"], len(recalls)


@pytest.mark.prove
def test_no_attack_on_any_path_is_answered_or_changes_anything(target):
    before = state(target)
    calls = target.calls if FULL else target.calls[:: len(target.calls) // 12]
    answered: Counter[int] = Counter()
    for name, headers in attacks(target).items():
        for call in calls:
            status, received = sent(target, call, headers)
            assert status in REFUSED, f"{name}: {call}: {received[:300]}"
            assert MARK not in received, f"{name}: {call}"
            assert target.token not in received, f"{name}: {call}"
            answered[status] += 1
    print(f"{len(attacks(target))} attacks x {len(calls)} paths: {dict(answered)}, none answered")

    assert state(target) == before


def test_what_is_sent_never_becomes_a_header_of_the_answer(target):
    headers = [f"Host: localhost:{target.port}", f"Authorization: Bearer {target.token}"]
    broken = "%0d%0aSet-Cookie:%20a=b"
    for call in (
        f"GET /api/memories/{broken}",
        f"GET /{broken}",
        f"GET /?t={broken}",
        f"GET /api/search?q={broken}",
        f"GET /api/projects/{broken}/memories",
        f"GET /api/procedures/{broken}",
        "GET /?t=%00",
        "GET /?t=a\r\nSet-Cookie: a=b\r\nX:",
        "GET /?t=a\x00b",
        "GET /\x00",
        "GET /api/memories/%00",
        f"GET @evil.example/?t={broken}",
        f"GET http://evil.example/?t={'a' * 10_000}",
    ):
        status, received = sent(target, call, headers)
        head = received.partition("\r\n\r\n")[0].lower()
        assert status != 500, f"{call}: {received[:300]}"
        assert "set-cookie" not in head, call
        assert "location" not in head, call


def test_an_address_with_the_name_of_the_server_is_refused(target):
    headers = [f"Host: localhost:{target.port}", f"Authorization: Bearer {target.token}"]
    address = f"http://localhost:{target.port}"
    for call in (f"GET {address}/api/stats", f"POST {address}/api/warn", f"GET {address}/", "OPTIONS *"):
        status, received = sent(target, call, headers)
        assert (status, "application/problem+json" in received) == (400, True), received
        assert "<!doctype" not in received.lower()


async def streamed(target: Target, held: list[asyncio.StreamWriter]) -> int:
    """The status of one more open stream; an accepted one stays open."""
    reader, writer = await asyncio.open_connection("127.0.0.1", target.port)
    head = f"GET /api/events HTTP/1.1\r\nHost: localhost:{target.port}\r\nAuthorization: Bearer {target.token}\r\n\r\n"
    writer.write(head.encode())
    status = int((await asyncio.wait_for(reader.readuntil(b"\r\n"), 30)).split(b" ", 2)[1])
    if status == 200:
        held.append(writer)
    else:
        await closed(writer)
    return status


async def closed(writer: asyncio.StreamWriter) -> None:
    writer.close()
    with suppress(OSError):
        await writer.wait_closed()


async def many_streams(target: Target) -> tuple[Counter[int], int]:
    """The statuses of all streams, and that of another request while they are open."""
    held: list[asyncio.StreamWriter] = []
    answered: Counter[int] = Counter()
    for first in range(0, STREAMS, AT_ONCE):
        more = min(AT_ONCE, STREAMS - first)
        answered.update(await asyncio.gather(*(streamed(target, held) for _ in range(more))))
    status = await asyncio.to_thread(patient, target)
    for writer in held:
        await closed(writer)
    return answered, status


def patient(target: Target) -> int:
    """The status of another request of the same caller, who waits if it has sent too many."""
    status = 429
    for _ in range(10):
        if status == 429:
            time.sleep(1)
            status = ask(target.port, "POST", "/api/warn", target.machine, {"command": "ls"})[0]
    return status


@pytest.mark.prove
def test_streams_beyond_the_limit_are_refused_and_others_are_answered(target):
    answered, status = asyncio.run(many_streams(target))
    print(f"{STREAMS:,} streams: {answered[200]} open, the others refused: {dict(sorted(answered.items()))}")

    assert {200, 503} <= set(answered) <= {200, 429, 503}  # a quick caller is slowed down as well
    assert answered[200] <= Limits().streams
    assert status == 200
    assert ask(target.port, "GET", "/api/stats", target.machine)[0] == 200


@pytest.mark.prove
def test_slow_and_endless_bodies_end_without_a_change(target):
    before = state(target)
    head = (
        f"POST /api/memories HTTP/1.1\r\nHost: localhost:{target.port}\r\n"
        f"Authorization: Bearer {target.token}\r\nContent-Type: application/json\r\n"
    )
    with socket.create_connection(("127.0.0.1", target.port), timeout=60) as endless:
        endless.sendall(f"{head}Transfer-Encoding: chunked\r\n\r\n".encode())
        status = _until_answered(endless)
    assert status in (413, 0)
    if FULL:
        with socket.create_connection(("127.0.0.1", target.port), timeout=60) as slow:
            slow.sendall(f'{head}Content-Length: 1000\r\n\r\n{{"content": "'.encode())
            assert slow.recv(1) == b"", "it is closed when the time for a body is over"

    assert state(target) == before


def _until_answered(connection: socket.socket) -> int:
    """Send chunks until the server answers or closes; its status, 0 if it only closed."""
    chunk = b"10000\r\n" + b" " * 65_536 + b"\r\n"
    with suppress(OSError):
        for _ in range(1_000):
            connection.sendall(chunk)
        raise AssertionError("the server took 65 MB of a body")
    try:
        received = connection.recv(65_536)
    except OSError:
        return 0
    return int(received.split(b" ", 2)[1]) if received else 0
