"""The event stream of `mem serve`: it tells what any process changed, and continues where a client stopped."""

from __future__ import annotations

import http.client
import json
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest

from memory_layer.doors.rest.events import joined
from memory_layer.model.feed import ChangesSince
from tests.doors.served import ask, serve


class Page:
    """A client that reads an event stream."""

    def __init__(self, response: http.client.HTTPResponse) -> None:
        self._response = response

    def event(self) -> dict[str, Any]:
        """Return the next event; an empty one if the stream has ended."""
        found: dict[str, Any] = {}
        while line := self._response.readline().decode():
            name, _, value = line.rstrip("\n").partition(": ")
            if name in ("event", "id", "data"):
                found[name] = json.loads(value) if name == "data" else value
            elif "event" in found:
                return found
        return {}

    def until(self, action: str) -> dict[str, Any]:
        """Return the first event with an action."""
        while action not in (event := self.event())["data"].get("actions", {}):
            pass
        return event


@contextmanager
def page(
    port: int, machine: Path, known: str | None = None, right: dict[str, str] | None = None
) -> Iterator[Page]:
    connection = http.client.HTTPConnection("localhost", port, timeout=30)
    token = (machine / "home" / "token").read_text().strip()
    more = {"Last-Event-ID": known} if known else {}
    connection.request("GET", "/api/events", headers=(right or {"Authorization": f"Bearer {token}"}) | more)
    try:
        response = connection.getresponse()
        assert response.status == 200, response.read()
        yield Page(response)
    finally:
        connection.close()


def test_pages_hear_of_writes_and_recalls_of_other_processes(machine, process):
    with serve("--port", "0") as port, page(port, machine) as one, page(port, machine) as other:
        assert [each.event()["event"] for each in (one, other)] == ["hello", "hello"]
        kept = process("add", "The till needs Java 21", "--json").data["id"]
        for each in (one, other):
            assert kept in each.until("add")["data"]["memories"]

        process("search", "which Java does the till need")
        given = one.until("recall")["data"]
        assert (given["memories"], given["more"]) == ([kept], False)

        process("outcome", kept, "worked")
        assert one.until("outcome")["data"]["memories"] == [kept]


def test_a_page_continues_where_it_stopped_though_the_server_was_killed(machine, process):
    with serve("--port", "0") as port, page(port, machine) as first:
        known = first.event()["id"]
    missed = process("add", "The quay closes at nine", "--json").data["id"]
    with serve("--port", "0") as port, page(port, machine, known) as again:
        assert again.event()["event"] == "hello"
        told = again.event()

        assert (told["event"], told["data"]["memories"]) == ("change", [missed])
        with page(port, machine, told["id"]) as third:
            assert third.event()["event"] == "hello"
            process("add", "The crane is inspected in May")
            assert third.event()["data"]["actions"] == {"add": 1}


@pytest.mark.parametrize(
    "known", ["nonsense", "0.99999.0.0-", "999.9.9.9-abcdefabcdef", "1.1.0.0-abcdefabcdef"]
)
def test_a_position_of_another_store_or_too_far_back_means_reload(machine, process, known):
    process("add", "The till needs Java 21")
    with serve("--port", "0") as port, page(port, machine, known) as told:
        assert [told.event()["event"], told.event()["event"]] == ["hello", "reload"]


def test_streams_end_when_the_server_stops_and_others_go_on_when_one_leaves(machine, process):
    with ExitStack() as stack:
        with serve("--port", "0") as port:
            with page(port, machine) as leaving:
                leaving.event()
            staying = stack.enter_context(page(port, machine))
            staying.event()
            process("add", "The till needs Java 21")
            assert staying.until("add")
        assert staying.event() == {}


def test_the_stream_needs_the_token(machine):
    with serve("--port", "0") as port:
        assert ask(port, "GET", "/api/events")[0] == 401
        assert ask(port, "GET", "/api/events", machine, Host="evil.example")[0] == 421


def test_a_stream_tells_nothing_more_once_its_token_is_revoked(machine, process):
    secret = process("token", "create", "ci", "--role", "reader", "--json").data["secret"]
    with (
        serve("--port", "0") as port,
        page(port, machine, right={"Authorization": f"Bearer {secret}"}) as revoked,
        page(port, machine) as other,
    ):
        assert revoked.event()["event"] == "hello"
        process("token", "revoke", "ci")

        assert other.until("revoke token")
        assert revoked.event() == {}


def test_a_stream_tells_nothing_more_once_its_browser_has_logged_out(machine, process):
    with serve("--port", "0") as port:
        link = process("serve", "--link", "--port", str(port)).out.strip()
        browser = http.client.HTTPConnection("localhost", port, timeout=30)
        browser.request("GET", link.removeprefix(f"http://localhost:{port}"))
        with browser.getresponse() as logged_in:
            cookie = {"Cookie": logged_in.headers["Set-Cookie"].partition(";")[0]}
        with page(port, machine, right=cookie) as ended, page(port, machine) as other:
            assert ended.event()["event"] == "hello"
            own = {"Origin": f"http://localhost:{port}", "Host": f"localhost:{port}"}
            assert ask(port, "DELETE", "/api/session", None, None, **cookie, **own)[0] == 204
            process("add", "The till needs Java 21")

            assert other.until("add")
            assert ended.event() == {}
        browser.close()


def test_joined_changes_name_each_memory_once_and_stay_small():
    many = tuple(f"mem_{number}" for number in range(80))
    one = ChangesSince("1", many, {"add": 80})
    two = ChangesSince("2", (*many[:1], *(f"mem_b{number}" for number in range(60))), {"add": 60, "edit": 1})

    found = joined(one, two)

    assert (found.position, len(found.memories), found.more) == ("2", 100, True)
    assert found.actions == {"add": 140, "edit": 1}
    assert found.memories[:2] == ("mem_0", "mem_b0")
