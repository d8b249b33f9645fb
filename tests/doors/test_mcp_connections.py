"""Connections to the server over HTTP that are slow, silent or far too many, and honest clients beside them."""

from __future__ import annotations

import asyncio
import http.client
import json
import logging
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import h11
import pytest

from memory_layer.doors.http.access import Access
from memory_layer.doors.http.connections import Limits
from memory_layer.doors.http.server import (
    BACKLOG,
    RESERVED_FILES,
    Damped,
    HttpServer,
    listening_here,
    within_files,
)
from memory_layer.doors.mcp.sdk import http as mcp_http
from memory_layer.doors.mcp.serving import Offer, Serving
from memory_layer.doors.mcp.tools import CORE
from memory_layer.settings import load
from tests.doors.agents import HELLO

TOKEN = "tok_of_the_test"
SECONDS = ("head_seconds", "body_seconds", "idle_seconds", "send_seconds", "linger_seconds")
LONG = 60.0  #: seconds, so that a test of one limit never meets another
SMALL = 4_096  #: bytes that the system keeps of what is sent and not read
PATIENCE = 20.0  #: seconds after which a test gives up instead of hanging


@contextmanager
def serving(machine: Path, limits: Limits) -> Iterator[int]:
    """A server in a thread; its port."""
    inner = Serving(load(), Offer(CORE, here=machine / "work"))
    with closing(listening_here(0)) as listening:
        for each in listening.sockets:
            each.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SMALL)
        port = listening.port
        server = HttpServer(mcp_http.app(inner, limits), Access(TOKEN, port), limits, inner.close)
        thread = threading.Thread(target=server.run, kwargs={"sockets": list(listening.sockets)})
        thread.start()
        try:
            yield port
        finally:
            server.should_exit = True
            thread.join(PATIENCE)


@pytest.fixture
def served(machine) -> Iterator[Callable[..., int]]:
    """Starts a server with some limits much shorter than usual."""
    with ExitStack() as stack:

        def start(**limits: Any) -> int:
            usual: dict[str, Any] = dict.fromkeys(SECONDS, LONG)
            return stack.enter_context(serving(machine, Limits(**usual | limits)))

        yield start


@pytest.mark.parametrize("which", [0, -1], ids=["by IPv4", "by IPv6 if there is one"])
def test_small_packets_are_sent_at_once(which):
    async def accepted() -> int:
        told: asyncio.Future[int] = asyncio.get_running_loop().create_future()

        def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            found = writer.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
            told.set_result(found)
            writer.close()

        with closing(listening_here(0)) as listening:
            one = listening.sockets[which]
            async with await asyncio.start_server(accept, sock=one):
                with opened(listening.port, address=one.getsockname()[0]):
                    return await told

    assert asyncio.run(accepted())


def opened(port: int, sent: bytes = b"", address: str = "127.0.0.1") -> socket.socket:
    made = socket.create_connection((address, port), timeout=PATIENCE)
    if sent:
        made.sendall(sent)
    return made


def request(port: int, message: object = HELLO, token: str = TOKEN, **headers: str) -> bytes:
    """A whole request as bytes."""
    body = json.dumps(message).encode()
    common = {
        "Host": f"127.0.0.1:{port}",
        "Authorization": f"Bearer {token}",
        "Content-Type": "application/json",
        "Accept": "application/json, text/event-stream",
        "Content-Length": str(len(body)),
    }
    lines = [f"{name}: {value}\r\n" for name, value in (common | headers).items()]
    return "".join(["POST /mcp HTTP/1.1\r\n", *lines, "\r\n"]).encode() + body


def closed(connection: socket.socket) -> bool:
    """Whether the server closes a connection before patience ends."""
    try:
        while connection.recv(65_536):
            pass
    except TimeoutError:
        return False
    except OSError:
        return True
    return True


def hangs_up(connection: socket.socket) -> bool:
    """Whether the server takes nothing more from a connection that is not read, before patience ends."""
    for _ in range(int(PATIENCE / 0.05)):
        try:
            connection.send(b"x")
        except ConnectionError:
            return True
        except BlockingIOError:
            pass
        time.sleep(0.05)
    return False


def is_open(connection: socket.socket) -> bool:
    """Whether a connection has something to read, or waits for it."""
    connection.settimeout(0.5)
    try:
        return bool(connection.recv(65_536))
    except TimeoutError:
        return True


def answer(connection: socket.socket) -> bytes:
    """The first line of the answer."""
    with connection.makefile("rb") as lines:
        return lines.readline()


def all_of_it(connection: socket.socket) -> bytes:
    """Everything that the server sends until it closes."""
    with connection.makefile("rb") as lines:
        return lines.read()


def whole_answer(connection: socket.socket) -> int:
    """The status of an answer, all of which is read."""
    response = http.client.HTTPResponse(connection)
    response.begin()
    response.read()
    return response.status


def status(port: int, **how: str) -> int:
    with opened(port, request(port, **how)) as connection:
        return int(answer(connection).split()[1])


def session(port: int) -> dict[str, str]:
    """Begin a session; the headers of its further requests."""
    with opened(port, request(port)) as first:
        head = first.recv(65_536).decode().lower()
    known = head.partition("mcp-session-id: ")[2].split("\r\n")[0]
    return {"Mcp-Session-Id": known, "MCP-Protocol-Version": HELLO["params"]["protocolVersion"]}


def listening(port: int, known: dict[str, str]) -> bytes:
    """A request for the stream of events of a session."""
    asked = request(port, None, **known).replace(b"POST", b"GET", 1)
    return asked.replace(b"Content-Length: 4", b"Content-Length: 0")[:-4]


def unread(port: int, sent: bytes) -> socket.socket:
    """A connection on which much is sent and nothing is read."""
    made = socket.socket()
    made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, SMALL)
    made.settimeout(PATIENCE)
    made.connect(("127.0.0.1", port))
    made.setblocking(False)
    with suppress(OSError):
        while sent:
            sent = sent[made.send(sent) :]
    return made


def test_a_connection_that_never_says_anything_is_closed(served):
    with opened(served(head_seconds=0.2)) as silent:
        assert closed(silent)


def test_bytes_one_at_a_time_do_not_prolong_the_wait_for_a_head(served):
    port = served(head_seconds=0.5)
    with opened(port) as slow:
        slow.settimeout(0.05)
        sent = 0
        with suppress(OSError):
            for byte in request(port) * 20:
                slow.sendall(bytes([byte]))
                sent += 1
                with suppress(TimeoutError):
                    if not slow.recv(1):
                        break
        slow.settimeout(PATIENCE)
        assert closed(slow)
    assert sent < len(request(port))


def test_half_a_body_is_not_waited_for(served):
    port = served(body_seconds=0.2)
    with opened(port, request(port)[:-5]) as half:
        assert closed(half)


def test_a_connection_that_rests_after_an_answer_is_closed(served):
    port = served(idle_seconds=0.2)
    with opened(port, request(port)) as resting:
        assert b" 200 " in answer(resting)
        assert closed(resting)


def test_a_second_request_may_follow_on_one_connection_but_not_half_of_it(served):
    port = served(head_seconds=0.5)
    with opened(port) as connection:
        for _ in range(3):
            connection.sendall(request(port))
            assert whole_answer(connection) == 200
        connection.sendall(b"POST")
        assert closed(connection)


def test_a_long_call_and_a_stream_of_events_outlast_every_limit(machine, monkeypatch):
    short: dict[str, Any] = dict.fromkeys(SECONDS, 0.2)
    limits = Limits(**short)
    ran = Serving.run

    def slow(*given: Any, **more: Any) -> Any:
        time.sleep(1)
        return ran(*given, **more)

    monkeypatch.setattr(Serving, "run", slow)
    call = {"jsonrpc": "2.0", "id": 2, "method": "tools/call"}
    call["params"] = {"name": "memory_recall", "arguments": {"query": "anything"}}
    with serving(machine, limits) as port:
        known = session(port)
        with opened(port, listening(port, known)) as stream:
            assert b" 200 " in stream.recv(65_536)
            with opened(port, request(port, call, **known)) as calling, calling.makefile("rb") as lines:
                assert b" 200 " in lines.readline()
                assert any(b'"hits"' in line for line in lines)
            assert is_open(stream)


def test_three_hundred_connections_of_one_byte_keep_nobody_from_being_answered(served):
    port = served(connections=50)
    with ExitStack() as stack:
        for number in range(300):
            stack.enter_context(opened(port, b"P"))
            if number % 30 == 0:
                assert status(port) == 200
        assert status(port) == 200


def test_who_showed_the_token_keeps_its_connection_when_others_crowd_in(served):
    port = served(connections=20)
    with ExitStack() as stack:
        honest = stack.enter_context(opened(port, request(port)))
        assert whole_answer(honest) == 200
        for _ in range(40):
            stack.enter_context(opened(port, b"P"))
        honest.sendall(request(port))
        assert whole_answer(honest) == 200


def test_a_body_that_nobody_wants_does_not_flow_for_ever(served):
    port = served(body_bytes=100_000)
    head = request(port, token="wrong", **{"Content-Length": "100000000"})
    with opened(port, head) as connection:
        assert whole_answer(connection) == 401
        sent = 0
        with suppress(ConnectionError):
            while sent < 100_000_000:
                connection.sendall(b"x" * 50_000)
                sent += 50_000
        assert sent < 100_000_000


def test_clients_without_the_token_that_read_no_answer_keep_nobody_from_being_answered(served):
    port = served(connections=3)
    with ExitStack() as stack:
        for _ in range(3):
            stack.enter_context(unread(port, b"GET /mcp HTTP/1.1\r\nHost: a\r\n\r\n" * 3_000))
        time.sleep(2)  # until no more answers fit between server and client
        assert status(port) == 200


def test_a_refused_connection_is_closed_after_one_answer(served):
    port = served(linger_seconds=0.2)
    with opened(port, request(port, token="wrong") * 3) as connection:
        with connection.makefile("rb") as lines:
            whole = lines.read()
        assert whole.count(b"HTTP/1.1 401 ") == 1
        assert b"connection: close" in whole.lower()
        assert hangs_up(connection)


def test_the_body_of_a_refused_request_is_not_parsed(served, monkeypatch):
    parsed = []
    next_event = h11.Connection.next_event

    def seen(self: h11.Connection) -> Any:
        event = next_event(self)
        parsed.append(type(event))
        return event

    monkeypatch.setattr(h11.Connection, "next_event", seen)
    port = served()
    head = request(port, token="wrong").partition(b"\r\n\r\n")[0]
    head = head.replace(b"Content-Length: ", b"Transfer-Encoding: chunked\r\nX-Length: ")
    with opened(port, head + b"\r\n\r\n" + b"1\r\na\r\n" * 5_000) as connection:
        assert whole_answer(connection) == 401
    assert h11.Request in parsed
    assert h11.Data not in parsed


def test_a_client_that_sends_its_body_late_can_read_why_it_is_refused(served):
    port = served()
    head, _, _ = request(port, token="wrong", **{"Content-Length": "1000000"}).partition(b"\r\n\r\n")
    with opened(port, head + b"\r\n\r\n") as connection:
        assert connection.recv(1, socket.MSG_PEEK)
        for _ in range(10):
            connection.sendall(b"x" * 100_000)
        assert whole_answer(connection) == 401


@pytest.fixture
def long_answers(monkeypatch) -> None:
    """The server answers each request with 4 MB, piece by piece."""

    async def answering(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        for left in reversed(range(64)):
            await send({"type": "http.response.body", "body": b"x" * 65_536, "more_body": left > 0})

    monkeypatch.setattr(mcp_http, "app", lambda *_: answering)


def test_who_takes_nothing_of_an_answer_is_cut_off(served, long_answers):
    port = served(send_seconds=0.3)
    with unread(port, request(port)) as stuck:
        assert hangs_up(stuck)


def test_who_takes_an_answer_slowly_gets_all_of_it(served, long_answers):
    port = served(send_seconds=0.3)
    with unread(port, request(port)) as slow:
        slow.settimeout(PATIENCE)
        taken = 0
        for _ in range(20):
            taken += len(slow.recv(65_536))
            time.sleep(0.1)
        while piece := slow.recv(1_000_000):
            taken += len(piece)
            if taken > 64 * 65_536:
                break
    assert taken > 64 * 65_536


def test_streams_of_events_leave_connections_for_other_requests(served):
    port = served(connections=8)
    with ExitStack() as stack:
        found = []
        for _ in range(8):
            stream = stack.enter_context(opened(port, listening(port, session(port))))
            found.append(answer(stream).split()[1])
        assert found == [b"200"] * 6 + [b"503"] * 2
        assert status(port) == 200


def test_both_addresses_of_localhost_share_one_limit(served, ipv6):
    port = served(connections=8)
    with ExitStack() as stack:
        found = []
        for number in range(8):
            address = ("127.0.0.1", ipv6)[number % 2]
            stream = stack.enter_context(opened(port, listening(port, session(port)), address))
            found.append(answer(stream).split()[1])
        assert found == [b"200"] * 6 + [b"503"] * 2


def test_a_body_over_the_limit_is_refused(served):
    port = served(body_bytes=1_000)
    assert status(port, **{"Content-Length": "100000"}) == 413


def test_no_more_connections_are_taken_than_files_may_be_opened(monkeypatch):
    resource = pytest.importorskip("resource")
    monkeypatch.setattr(resource, "getrlimit", lambda _: (256, 256))
    assert within_files(Limits()).connections == 256 - 2 * BACKLOG - RESERVED_FILES
    monkeypatch.setattr(resource, "getrlimit", lambda _: (resource.RLIM_INFINITY,) * 2)
    assert within_files(Limits()).connections == Limits().connections


def test_what_is_logged_again_and_again_is_one_line_and_a_number():
    now = 0.0
    damped = Damped(60, clock=lambda: now)

    def shown(line: int, text: str = "Invalid HTTP request received.") -> str | None:
        record = logging.LogRecord("uvicorn.error", logging.WARNING, "h11.py", line, text, (), None)
        return record.getMessage() if damped.filter(record) else None

    assert [shown(1) for _ in range(1_000)] == ["Invalid HTTP request received.", *[None] * 999]
    assert shown(2, "something else") == "something else"
    now = 61.0
    assert shown(1) == "Invalid HTTP request received. (999 more like this since the last one)"
    assert shown(1) is None


@pytest.mark.parametrize(
    "sent",
    [
        b"GET / HTTP/1.1\r\nHost: x\r\nContent-Length: abc\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: x\r\nHost : x\r\n\r\n",
        b"\x00\x01 nonsense\r\n\r\n",
    ],
)
def test_what_is_no_http_is_refused_like_everything_else(served, sent):
    with opened(served(), sent) as connection:
        received = all_of_it(connection)
    assert received.startswith(b"HTTP/1.1 400 ")
    assert b"content-type: application/problem+json\r\n" in received
    assert b"x-content-type-options: nosniff\r\n" in received


def test_a_body_that_is_no_http_is_refused_and_closed(served):
    port = served()
    head = request(port).partition(b"\r\n\r\n")[0]
    head = head.replace(b"Content-Length: ", b"Transfer-Encoding: chunked\r\nX-Length: ")
    with opened(port, head + b"\r\n\r\nno length\r\n") as connection:
        received = all_of_it(connection)
    assert received.startswith(b"HTTP/1.1 400 ")
    assert b"content-type: application/problem+json\r\n" in received


@pytest.mark.parametrize("size", [20_000, 200_000])
def test_who_opens_the_page_with_too_many_cookies_reads_what_to_do(served, size):
    port = served()
    cookie = f"Host: localhost:{port}\r\nCookie: " + "a=b; " * (size // 5)
    for path, is_page in {"/memories?q=x": True, "/api/stats": False}.items():
        with opened(port, f"GET {path} HTTP/1.1\r\n{cookie}\r\n\r\n".encode()) as connection:
            received = all_of_it(connection)
        assert received.startswith(b"HTTP/1.1 431 ")
        assert (b"Clear the cookies of localhost" in received) == is_page
        assert (b"application/problem+json" in received) != is_page


def test_requests_that_are_none_leave_one_line_in_the_log(served, capfd):
    port = served()
    for _ in range(50):
        with opened(port, b"\x00\x01 nonsense\r\n\r\n") as odd:
            assert closed(odd)
    assert capfd.readouterr().err.count("Invalid HTTP request") == 1
