"""Serve the REST interface, perhaps with MCP beside it, on a port of this machine."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from memory_layer.doors.http.access import LINK, LOOPBACK, Access
from memory_layer.doors.http.logins import Logins
from memory_layer.doors.http.server import DEFAULT_LIMITS, HttpServer, listening_on, within_files
from memory_layer.doors.page.route import PageRoute
from memory_layer.doors.rest.app import HEALTH, rest_app
from memory_layer.doors.rest.serving import DOOR
from memory_layer.doors.rest.table import ROUTES
from memory_layer.doors.shared_engine import SharedEngine
from memory_layer.model.record import NamedTuple

if TYPE_CHECKING:
    from starlette.applications import Starlette

    from memory_layer.doors.rest.serving import RestServing

PAGE = ("/",)  #: what begins so, and is no path of programs, is the page: files that everybody may have


class Address(NamedTuple):
    """The address of a server, and how people and programs come in."""

    port: int
    token: str
    token_file: Path
    open_page: Callable[[str], None] | None = None  #: opens an address in a browser


def serve_rest(
    serving: RestServing, at: Address, say: Callable[[str], None], beside: Starlette | None = None
) -> None:
    """Serve until interrupted; port 0 picks a free one."""
    with listening_on(at.port) as listening:
        port = listening.getsockname()[1]
        also = f" and MCP on http://{LOOPBACK}:{port}/mcp" if beside is not None else ""
        say(f"serving REST on http://{LOOPBACK}:{port}/api{also}; the token is in {at.token_file}")
        say(f"the reference is at http://{LOOPBACK}:{port}/api/openapi.json; press Ctrl-C to stop")
        limits = within_files(DEFAULT_LIMITS)
        book = SharedEngine(serving.settings, DOOR, only_read=False, own=())
        logins = Logins(book, port)
        address = link_to(port, logins.first_link())
        say(f"open {address} in a browser; the link works once, for ten minutes")
        serving.logins = logins
        app = rest_app(serving, ROUTES, limits.body_bytes, beside, PageRoute())
        access = Access(at.token, port, [HEALTH], PAGE, logins=logins)

        def close() -> None:
            book.close()
            serving.store.close()

        if at.open_page is not None:
            at.open_page(address)
        HttpServer(app, access, limits, close, serving.close).run(sockets=[listening])


def link_to(port: int, secret: str) -> str:
    """Return an address that logs one browser in."""
    return f"http://{LOOPBACK}:{port}/?{LINK}={secret}"
