"""The REST interface in this process, as a program with or without the token calls it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient
from starlette.types import ASGIApp

from memory_layer.doors.http.access import Access, Guard
from memory_layer.doors.rest.app import HEALTH, rest_app
from memory_layer.doors.rest.serving import RestServing
from memory_layer.doors.rest.table import ROUTES
from memory_layer.doors.shared_engine import SharedEngine
from memory_layer.settings import load

TOKEN = "tok_of_the_test_with_enough_letters"
AUTHORIZED = {"Authorization": f"Bearer {TOKEN}"}
PORT = 8080
MOST_BYTES = 100_000


def guarded_app(here: Path, *, only_read: bool = False, project: str | None = None) -> ASGIApp:
    """The application behind its guard, on the store of the test's machine."""
    settings = load()
    store = SharedEngine(settings, "rest", only_read=only_read, own=(here,))
    app = rest_app(RestServing(settings, store, here, project), ROUTES, MOST_BYTES)
    return Guard(app, Access(TOKEN, PORT, [HEALTH]))


@contextmanager
def rest_client(here: Path, **options: Any) -> Iterator[TestClient]:
    """A program that has the token."""
    app = guarded_app(here, **options)
    with TestClient(
        app, f"http://localhost:{PORT}", raise_server_exceptions=False, headers=AUTHORIZED
    ) as made:
        yield made
