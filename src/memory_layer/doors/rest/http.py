"""Serve the REST interface, perhaps with MCP beside it, on a port of this machine."""

from __future__ import annotations

import http.client
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from memory_layer.doors.http.access import LINK, LOOPBACK, NAMES, Access
from memory_layer.doors.http.logins import Logins
from memory_layer.doors.http.server import (
    DEFAULT_LIMITS,
    HttpServer,
    Listening,
    listening_here,
    listening_on,
    note_on,
    within_files,
)
from memory_layer.doors.page.files import INDEX, built_files
from memory_layer.doors.page.route import PageRoute
from memory_layer.doors.rest.app import HEALTH, rest_api, rest_app
from memory_layer.doors.rest.serving import DOOR
from memory_layer.doors.rest.table import ROUTES
from memory_layer.doors.shared_engine import SharedEngine
from memory_layer.errors import InvalidInput
from memory_layer.model.record import NamedTuple

if TYPE_CHECKING:
    from starlette.applications import Starlette

    from memory_layer.doors.rest.serving import RestServing

ANSWER_SECONDS = 5.0  #: in which a running server says by which name it may be opened
PAGE = ("/",)  #: what begins so, and is no path of programs, is the page: files that everybody may have


class Address(NamedTuple):
    """The address of a server, and how people and programs come in."""

    port: int
    token: str
    token_file: Path
    open_page: Callable[[str], None] | None = None  #: opens an address in a browser
    host: str | None = None  #: another interface than this machine's own


def serve_rest(
    serving: RestServing, at: Address, say: Callable[[str], None], mcp: Starlette | None = None
) -> None:
    """Serve until interrupted; port 0 picks a free one."""
    limits = within_files(DEFAULT_LIMITS)
    access_store = SharedEngine(serving.settings, DOOR, only_read=False, own=())
    try:
        with closing(_listening(at)) as listening:
            logins = Logins(access_store, listening.port)
            names = listening.hosts
            access = (
                _for_tokens(names, logins, say) if at.host else _for_this_machine(at, names, logins, say, mcp)
            )
            serving.logins = logins
            files = built_files()
            if INDEX not in files and at.host is None:
                say("the page is not built yet: run `make page` in the working copy, then start this again")
            app = rest_app(serving, rest_api(ROUTES, mcp, PageRoute(files)), limits.body_bytes)
            ended = serving.store.close, serving.events.close
            HttpServer(app, access, limits, *ended).run(list(listening.sockets))
    finally:
        access_store.close()


def _listening(at: Address) -> Listening:
    if at.host is None:
        return listening_here(at.port)
    host = f"[{at.host}]" if ":" in at.host else at.host
    return Listening((listening_on(at.port, at.host),), (host, *NAMES))


def _for_this_machine(
    at: Address, hosts: tuple[str, ...], logins: Logins, say: Callable[[str], None], mcp: Starlette | None
) -> Access:
    """Admit programs with the token of the file or one of `mem token`, and browsers with a link."""
    address = f"http://{hosts[0]}:{logins.port}"
    also = f" and MCP on {address}/mcp" if mcp is not None else ""
    say(f"serving REST on {address}/api{also}; the token is in {at.token_file}")
    say(f"the reference is at {address}/api/reference")
    if note := note_on(hosts[0], logins.port):
        say(note)
    link = link_to(hosts[0], logins.port, logins.first_link())
    say(f"open {link} in a browser; the link works once, for ten minutes; press Ctrl-C to stop")
    if at.open_page is not None:
        at.open_page(link)
    return Access(at.token, logins.port, [HEALTH], PAGE, logins, hosts=hosts)


def _for_tokens(hosts: tuple[str, ...], logins: Logins, say: Callable[[str], None]) -> Access:
    """Admit only programs with a token of `mem token`, because others can reach this address."""
    if not logins.has_valid_token():
        raise InvalidInput("--host needs a token that is valid; `mem token create NAME` makes one")
    say(f"serving REST on http://{hosts[0]}:{logins.port}/api for programs with a token of `mem token`")
    say("this is plain HTTP: everybody on the way can read tokens and memories; press Ctrl-C to stop")
    return Access(None, logins.port, [HEALTH], logins=logins, hosts=hosts, browsers=False)


def link_to(host: str, port: int, secret: str) -> str:
    """Return an address that logs one browser in."""
    return f"http://{host}:{port}/?{LINK}={secret}"


def host_of(port: int) -> str | None:
    """Return the name for people of the server on a port: not `localhost` if it refuses that; None if none runs."""
    connection = http.client.HTTPConnection(LOOPBACK, port, timeout=ANSWER_SECONDS)
    try:
        connection.request("GET", HEALTH, headers={"Host": f"{NAMES[0]}:{port}"})
        return NAMES[0] if connection.getresponse().status == 200 else LOOPBACK
    except ConnectionRefusedError:
        return None
    except (OSError, http.client.HTTPException):
        return LOOPBACK
    finally:
        connection.close()
