"""Starts up to the list of tools: `mem mcp` in both eras of the protocol, other products' servers, and bare Python."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from statistics import median
from typing import NamedTuple

from bench import stores
from bench.mcp_client import HELLO, Server, server_command
from bench.processes import Cost, measured
from bench.side_by_side import installed

HEADINGS = {
    "start": "start",
    "list_ms": "to the list ms",
    "least_ms": "least",
    "cpu_ms": "CPU ms",
    "least_cpu_ms": "least",
    "times_python": "x Python",
}
PYTHON = "python -c pass"
ENVELOPE = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": HELLO["clientInfo"],
    "io.modelcontextprotocol/clientCapabilities": {},
}


class PeerServer(NamedTuple):
    """Another product's server: what to install, and its command below the environment's programs."""

    package: str
    command: tuple[str, ...]
    needs: tuple[str, ...] = ()


PEERS = {
    "runtime-memory": PeerServer(
        "runtime-memory==4.0.1", ("rmem", "serve", "--mcp"), ("mcp<2", "fastapi", "uvicorn")
    ),
    "mcp-memory-service": PeerServer(
        "mcp-memory-service==12.2.0", ("memory", "server"), ("pysqlite3-binary",)
    ),
}


def handshake(server: Server) -> None:
    server.ask("initialize", **HELLO)
    server.tell("notifications/initialized")
    server.ask("tools/list")


def newer_era(server: Server) -> None:
    server.ask("server/discover", _meta=ENVELOPE)
    server.ask("tools/list", _meta=ENVELOPE)


def rows(environ: dict[str, str], folder: Path, runs: int, peers: Path | None) -> list[dict[str, object]]:
    """Start everything in turn, forwards and backwards; return medians and the least of each."""
    starts: dict[str, Callable[[], Cost]] = {
        PYTHON: partial(measured, [sys.executable, "-c", "pass"], environ, folder),
        "mem mcp, handshake": partial(_start, server_command(), environ, folder, handshake),
        "mem mcp, 2026-07-28": partial(_start, server_command(), environ, folder, newer_era),
    }
    for name, command in (_commands(peers) if peers else {}).items():
        starts[name] = partial(_start, command, stores.inherited() | {"HOME": str(folder)}, folder, handshake)
    costs: dict[str, list[Cost]] = {name: [] for name in starts}
    for number in range(runs + 1):  # the first one is not measured: files come into the cache
        for name in starts if number % 2 else reversed(starts):
            cost = starts[name]()
            costs[name] += [cost] if number else []
    return _figures(costs)


def _commands(folder: Path) -> dict[str, list[str]]:
    """Install the peers below a folder unless they are there; return the commands of those that could be had."""
    commands = {}
    for name, peer in PEERS.items():
        python = installed(folder / f"{name}-server", peer.package, *peer.needs)
        if python is None:
            print(f"{peer.package} could not be installed and was left out")
        else:
            commands[name] = [str(python.with_name(peer.command[0])), *peer.command[1:]]
    return commands


def _start(
    command: Sequence[str], environ: dict[str, str], folder: Path, opening: Callable[[Server], None]
) -> Cost:
    begun = time.perf_counter()
    server = Server(command, environ, folder)
    try:
        opening(server)
        return Cost((time.perf_counter() - begun) * 1000, server.cpu_ms)
    finally:
        server.kill()


def _figures(costs: Mapping[str, Sequence[Cost]]) -> list[dict[str, object]]:
    python = median(each.wall_ms for each in costs[PYTHON])
    found: list[dict[str, object]] = []
    for name, each in costs.items():
        wall, cpu = [cost.wall_ms for cost in each], [cost.cpu_ms for cost in each]
        figures = (median(wall), min(wall), median(cpu), min(cpu), median(wall) / python)
        found.append({"start": name} | dict(zip([*HEADINGS][1:], map(_rounded, figures), strict=True)))
    return found


def _rounded(value: float) -> float:
    return round(value, 1)
