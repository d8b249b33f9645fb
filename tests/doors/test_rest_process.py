"""`mem serve` as a process of its own, called as other programs call it."""

from __future__ import annotations

import http.client
import signal
import threading
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path

import pytest

from memory_layer.model.access import Role
from memory_layer.settings import load
from memory_layer.usecases.govern.tokens import make_token
from memory_layer.wiring import open_engine
from tests.doors.agents import HELLO
from tests.doors.served import ask, serve
from tests.page.served_page import ServedPage, served_page


@pytest.mark.parametrize("options", [("--rest", "--port", "0"), ("--port", "0")], ids=" ".join)
def test_a_program_stores_and_finds_over_http(machine, mem, options):
    with serve(*options) as port:
        assert ask(port, "GET", "/health") == (200, {"status": "ok"})
        assert ask(port, "GET", "/api/stats")[0] == 401
        status, kept = ask(
            port, "POST", "/api/memories?project=shop", machine, {"content": "The till needs Java 21"}
        )
        found = ask(port, "GET", "/api/search?q=java&project=shop", machine)[1]

        assert status == 201
        assert [hit["id"] for hit in found["hits"]] == [kept["id"]]
        assert ask(port, "POST", f"/api/operations/{kept['operation']}/undo", machine)[0] == 200
        assert ask(port, "GET", "/api/stats", machine, Host="evil.example")[0] == 421
        assert (
            ask(port, "POST", "/api/memories", machine, {"content": "x"}, Origin="http://evil.example")[0]
            == 403
        )
    assert mem("show", kept["id"], "--json").data["memory"]["status"] == "archived"
    assert [each.name for each in (machine / "home").glob("memory.db*")] == ["memory.db"]


def test_mcp_beside_rest_has_the_same_token_and_the_same_store(machine):
    with serve("--rest", "--mcp", "--port", "0") as port:
        assert ask(port, "POST", "/mcp", None, HELLO)[0] == 401
        assert ask(port, "POST", "/mcp", machine, HELLO, Host="evil.example")[0] == 421
        assert ask(port, "POST", "/mcp", machine, HELLO)[0] == 200
        assert ask(port, "GET", "/api/stats", machine)[0] == 200
        assert ask(port, "GET", "/api/nothing", machine)[0] == 404
        assert ask(port, "PUT", "/api/memories", machine)[1]["code"] == "wrong_method"


def test_a_body_over_the_limit_is_refused_by_the_process(machine):
    with serve("--port", "0") as port:
        status, problem = ask(port, "POST", "/api/memories", machine, {"content": "x" * 5_000_000})

        assert (status, problem["code"]) == (413, "too_large")
        assert ask(port, "GET", "/api/stats", machine)[1]["total"] == 0


def test_a_port_that_is_taken_is_said_in_a_sentence(process):
    with serve("--port", "0") as port:
        refused = process("serve", "--rest", "--port", str(port))

    assert (refused.code, f"port {port} cannot be used" in refused.err) == (2, True)


def test_mcp_alone_stays_on_standard_input_and_takes_no_port(process):
    assert process("serve", "--mcp", "--port", "0").code == 2
    assert process("serve", "--mcp").code == 0


@pytest.fixture
def server(machine: Path) -> Iterator[ServedPage]:
    """A server that can be killed."""
    with served_page(machine / "home", machine / "work", machine / "no-model") as running:
        yield running


def test_nothing_that_was_answered_is_lost_when_the_server_is_killed(machine, server):
    kept: list[str] = []
    enough, dead = threading.Event(), threading.Event()

    def write(writer: int) -> None:
        for number in count():
            fact = {"content": f"Pump {writer} has valve {number}", "on_duplicate": "keep"}
            try:
                kept.append(ask(server.port, "POST", "/api/memories", machine, fact)[1]["id"])
            except (OSError, http.client.HTTPException):
                assert dead.is_set()
                return
            if len(kept) >= 30:
                enough.set()

    with ThreadPoolExecutor(4) as writers:
        writing = [writers.submit(write, writer) for writer in range(4)]
        enough.wait()
        dead.set()
        server.stop(signal.SIGKILL)
    for each in writing:
        each.result()
    server.start()

    found = {ask(server.port, "GET", f"/api/memories/{each}", machine)[0] for each in kept}
    assert found == {200}
    assert ask(server.port, "GET", "/api/audit/verdict", machine)[1]["intact"] is True


def test_of_several_decisions_at_the_same_time_one_counts(machine, server, person):
    rule = {"content": "Every release needs two approvals", "category": "policy"}
    held = ask(server.port, "POST", "/api/memories", machine, rule)[1]["id"]
    with open_engine(load(), "cli") as engine:
        secret = make_token(engine, "mine", Role.WRITER, None, True, person).secret
    choices = ["approve", "archive"] * 4
    at_once = threading.Barrier(len(choices))

    def decide(decision: str) -> int:
        at_once.wait()
        body = {"decision": decision, "kind": "held", "versions": {held: 1}}
        path = f"/api/review/{held}/decide"
        return int(ask(server.port, "POST", path, None, body, Authorization=f"Bearer {secret}")[0])

    with ThreadPoolExecutor(len(choices)) as people:
        answers = Counter(people.map(decide, choices))

    assert answers == {200: 1, 409: len(choices) - 1}
    assert ask(server.port, "GET", "/api/audit/verdict", machine)[1]["intact"] is True
