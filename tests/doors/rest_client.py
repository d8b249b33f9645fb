"""The REST interface in this process, as a program with or without the token calls it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from memory_layer.doors.http.access import Access
from memory_layer.doors.http.guard import Guard
from memory_layer.doors.http.logins import Logins
from memory_layer.doors.http.pace import Pace
from memory_layer.doors.rest.app import HEALTH, rest_api, rest_app
from memory_layer.doors.rest.serving import RestServing
from memory_layer.doors.rest.table import ROUTES
from memory_layer.doors.shared_engine import SharedEngine
from memory_layer.settings import load

TOKEN = "tok_of_the_test_with_enough_letters"
AUTHORIZED = {"Authorization": f"Bearer {TOKEN}"}
PORT = 8080
ADDRESS = f"http://localhost:{PORT}"
MOST_BYTES = 100_000


#: The application without a server, which takes longer to build than most tests.
api = cache(lambda: rest_api(ROUTES))


def guarded_app(
    here: Path,
    *,
    only_read: bool = False,
    project: str | None = None,
    port: int = PORT,
    pace: Pace | None = None,
) -> ASGIApp:
    """The application behind its guard, on the store of the test's machine."""
    settings = load()
    store = SharedEngine(settings, "rest", only_read=only_read, own=(here,))
    logins = Logins(SharedEngine(settings, "rest", only_read=False, own=()), port)
    app = rest_app(RestServing(settings, store, here, project, logins), api(), MOST_BYTES)
    return Guard(app, Access(TOKEN, port, [HEALTH], logins=logins, pace=pace))


@contextmanager
def rest_client(here: Path, **options: Any) -> Iterator[TestClient]:
    """A program that has the token."""
    app = guarded_app(here, **options)
    with TestClient(
        app, f"http://localhost:{PORT}", raise_server_exceptions=False, headers=AUTHORIZED
    ) as made:
        yield made


def before_the_body(app: ASGIApp, happen: Callable[[], object]) -> ASGIApp:
    """An application to which something happens between the head of each request and its body."""

    async def slow(scope: Scope, receive: Receive, send: Send) -> None:
        async def late() -> Message:
            if scope["type"] == "http":
                happen()
            return await receive()

        await app(scope, late, send)

    return slow


@contextmanager
def browser_of(app: ASGIApp) -> Iterator[TestClient]:
    """A browser at the server's address, which is not logged in yet."""
    headers = {"Origin": ADDRESS, "Sec-Fetch-Site": "same-origin"}
    with TestClient(app, ADDRESS, raise_server_exceptions=False, headers=headers) as made:
        yield made


def link_in(here: Path) -> str:
    """A path with a one-time link to the server of the tests."""
    store = SharedEngine(load(), "rest", only_read=False, own=(here,))
    try:
        return f"/?t={Logins(store, PORT).new_link()}"
    finally:
        store.close()
