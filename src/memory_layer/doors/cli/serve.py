"""`mem mcp` and `mem serve`."""

from __future__ import annotations

import click

from memory_layer.doors.cli.call import Call
from memory_layer.doors.cli.command import command


@command(
    "mcp",
    "mem mcp",
    "mem mcp --tools full --project ~/work/shop --read-only",
)
@click.option("--tools", type=click.Choice(["core", "full"]), default="core", help="Eight tools, or all.")
@click.option(
    "--project", metavar="PATH|NAME", help="For calls that name none; else the working directory's."
)
@click.option("--read-only", is_flag=True, help="Change nothing, not even what was recalled.")
@click.pass_obj
def mcp(call: Call, tools: str, project: str | None, read_only: bool) -> None:
    """Serve the memory to an agent by the Model Context Protocol.

    The agent starts this command itself and talks to it on standard input and output.
    """
    _serve(call, tools, project, read_only)


def _serve(call: Call, tools: str, project: str | None, read_only: bool) -> None:
    from memory_layer.doors.mcp.more_tools import FULL
    from memory_layer.doors.mcp.server import serve_stdio
    from memory_layer.doors.mcp.serving import Offer, Serving
    from memory_layer.doors.mcp.tools import CORE

    offer = Offer(FULL if tools == "full" else CORE, project, read_only, call.here)
    serve_stdio(Serving(call.settings, offer))
