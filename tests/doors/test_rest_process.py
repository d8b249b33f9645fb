"""`mem serve` as a process of its own, called as other programs call it."""

from __future__ import annotations

import pytest

from tests.doors.agents import HELLO
from tests.doors.served import ask, serve


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
