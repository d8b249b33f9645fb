"""`mem mcp` and `mem serve`."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from memory_layer.doors.cli.arguments import command
from memory_layer.doors.cli.call import CommandCall

if TYPE_CHECKING:
    from memory_layer.doors.mcp.serving import Serving
    from memory_layer.doors.mcp.tool import Tool

Command = Callable[..., None]
DEFAULT_PORT = 8765  #: of MCP
REST_PORT = 8080
TOKEN = "token"  #: the file next to the store


def _offer_options(function: Command) -> Command:
    """Declare the options of a server."""
    for option in (
        click.option("--read-only", is_flag=True, help="Change nothing, and record no recalls."),
        click.option(
            "--project",
            metavar="PATH|NAME",
            help="The project of calls that name none. Default: the current directory's.",
        ),
        click.option(
            "--tools",
            type=click.Choice(["core", "full"]),
            default="core",
            help="Offer eight tools or all. Default: core.",
        ),
    ):
        function = option(function)
    return function


@command("mcp", "mem mcp", "mem mcp --http --port 8765 --tools full --read-only")
@_offer_options
@click.option(
    "--http", is_flag=True, help="Listen for HTTP on this machine. Default: use standard input and output."
)
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    metavar="N",
    help=f"With --http: the port, or 0 for any free one. Default: {DEFAULT_PORT}.",
)
@click.pass_obj
def mcp(
    call: CommandCall, tools: str, project: str | None, read_only: bool, http: bool, port: int | None
) -> None:
    """Run the MCP server for an agent.

    The agent starts this command itself and uses standard input and output. With --http, the server listens on
    this machine only, and clients need the token in the file `token` next to the store.
    """
    if port is not None and not http:
        raise click.UsageError("--port needs --http")
    serving = _serving(call, tools, project, read_only)
    if not http:
        _talk(call, serving)
        return
    from memory_layer.doors.mcp.sdk.http import serve_http

    serve_http(serving, DEFAULT_PORT if port is None else port, *_token(call), call.say)


@command("serve", "mem serve", "mem serve --rest --port 8080", "mem serve --rest --mcp", "mem serve --link")
@click.option("--rest", is_flag=True, help="Serve the REST interface. Default, unless --mcp is used alone.")
@click.option(
    "--mcp",
    "by_mcp",
    is_flag=True,
    help="Serve the Model Context Protocol: beside REST at /mcp, or alone like `mem mcp`.",
)
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    metavar="N",
    help=f"The port of the REST interface, or 0 for any free one. Default: {REST_PORT}.",
)
@click.option(
    "--host",
    metavar="ADDRESS",
    callback=lambda ctx, param, value: _one_address(value),
    help="Listen on this address, over plain HTTP, for tokens of `mem token`. Default: this machine only.",
)
@click.option("--no-open", is_flag=True, help="Print the link to the page without opening a browser.")
@click.option(
    "--link", is_flag=True, help="Print a new link to the page of the server that runs on this port, and end."
)
@_offer_options
@click.pass_obj
def serve(
    call: CommandCall,
    rest: bool,
    by_mcp: bool,
    port: int | None,
    host: str | None,
    no_open: bool,
    link: bool,
    tools: str,
    project: str | None,
    read_only: bool,
) -> None:
    """Run a server for other programs.

    The REST interface listens on this machine only, and programs need the token in the file `token` next to the store.
    A browser needs the link that is printed, or opened at a terminal; it works once, for ten minutes, and the browser
    stays logged in for 30 days. `mem serve --link` prints a new one while the server runs.

    With --host others on the network can reach the server: it then takes only tokens of `mem token`, no browsers, and
    does not start while there is none. It is plain HTTP, so use a network that you trust, or a tunnel.
    `mem serve --mcp` alone is the same as `mem mcp` on standard input and output.
    """
    opening = None if no_open or not call.at_terminal else _open_page
    if link:
        _print_link(call, REST_PORT if port is None else port, opening)
        return
    if by_mcp and not rest:
        if port is not None:
            raise click.UsageError("--port needs --rest")
        _talk(call, _serving(call, tools, project, read_only))
        return
    serving = _serving(call, tools, project, read_only)
    _serve_rest(call, serving, (REST_PORT if port is None else port, host), by_mcp, opening)


def _one_address(value: str | None) -> str | None:
    """Return an IP address that a server can listen on and be named by; None for this machine's own."""
    from ipaddress import ip_address

    if value is None:
        return None
    try:
        address = ip_address(value)
    except ValueError:
        raise click.BadParameter("name an IP address of this machine, such as 192.168.1.5") from None
    if address.is_unspecified:
        raise click.BadParameter("name one address of this machine, because requests have to name it too")
    return None if value == "127.0.0.1" else value


def _open_page(address: str) -> None:
    from memory_layer.wiring import open_page

    open_page(address)


def _print_link(call: CommandCall, port: int, opening: Callable[[str], None] | None) -> None:
    from memory_layer.doors.http.access import NAMES
    from memory_layer.doors.http.logins import Logins
    from memory_layer.doors.http.server import note_on
    from memory_layer.doors.rest.http import host_of, link_to
    from memory_layer.doors.rest.serving import DOOR
    from memory_layer.doors.shared_engine import SharedEngine

    store = SharedEngine(call.settings, DOOR, only_read=False, own=())
    try:
        running = host_of(port)
        host = running or NAMES[0]
        address = link_to(host, port, Logins(store, port).new_link())
    finally:
        store.close()
    call.reply({"link": address}, address)
    if note := note_on(host, port):
        call.say(note)
    if running is None:
        call.say(
            f"no server answers on port {port} yet; the link waits ten minutes for `mem serve --port {port}`"
        )
    elif opening is not None:
        opening(address)


def _serve_rest(
    call: CommandCall,
    serving: Serving,
    at: tuple[int, str | None],
    with_mcp: bool,
    opening: Callable[[str], None] | None,
) -> None:
    from memory_layer.doors.rest.http import Address, serve_rest
    from memory_layer.doors.rest.serving import RestServing

    mcp = None
    if with_mcp:
        from memory_layer.doors.mcp.sdk.http import app

        mcp = app(serving)
    rest = RestServing(call.settings, serving.store, call.here, serving.offer.project)
    serve_rest(rest, Address(at[0], *_token(call), opening, at[1]), call.say, mcp)


def _token(call: CommandCall) -> tuple[str, Path]:
    """Return the token of the servers of this store, and its file."""
    from memory_layer.usecases.who.access import token_in
    from memory_layer.wiring import new_id

    file = call.settings.database_path.parent / TOKEN
    return token_in(file, new_id("tok")), file


def _talk(call: CommandCall, serving: Serving) -> None:
    from memory_layer.doors.mcp.stdio import serve_stdio

    if call.at_terminal:
        call.say(
            "Waiting for an agent on standard input. Agents start this command themselves; press Ctrl-C to stop."
        )
    serve_stdio(serving)


def _serving(call: CommandCall, tools: str, project: str | None, read_only: bool) -> Serving:
    from memory_layer.doors.mcp.serving import Offer, Serving

    if project is not None and (why := _missing(call, project)):
        call.say(why)
    return Serving(call.settings, Offer(_offered(tools), project, read_only, call.here))


def _missing(call: CommandCall, project: str) -> str | None:
    """Say what is not there yet: a folder, which may be created later, or anything stored for a name."""
    from memory_layer.errors import MemoryLayerError, NotFound
    from memory_layer.usecases.who.projects import looks_like_path, path_named
    from memory_layer.verbs.call import LONGEST_SHOWN, Caller, Dispatcher, Target
    from memory_layer.wiring import open_engine

    refused = "until it exists, calls that name no project are refused"
    if looks_like_path(project):
        there = os.path.exists(path_named(project, call.here))
        return None if there else f"there is no folder {project[:LONGEST_SHOWN]!r}; {refused}"
    if not call.settings.database_path.exists():
        return None
    try:
        with open_engine(call.settings, "mcp", only_read=True) as engine:
            asked = Dispatcher(engine, Caller("mcp", call.here), Target(project)).call()
            return "; ".join(f"note: {each}" for each in asked.remarks) if asked.scope.unknown_name else None
    except NotFound as error:
        return f"{error}; {refused}"
    except MemoryLayerError:  # the first call reports what is wrong with the store
        return None


def _offered(tools: str) -> tuple[Tool, ...]:
    if tools == "full":
        from memory_layer.doors.mcp.more_tools import FULL

        return FULL
    from memory_layer.doors.mcp.tools import CORE

    return CORE
