"""Measure how long an agent waits for `mem mcp`: from its start to the list of tools and to the first answer.

Both at the reader's end of the pipe; the processor's time is the server's own up to the same moment. The time to the
list is also measured in turn with that of a bare Python, and with the servers of other products.
"""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from bench import mcp_starts, report, sentences, stores
from bench.mcp_client import HELLO, Server, server_command
from memory_layer.text.tokens import estimate
from memory_layer.wiring import open_engine

HEADINGS = {
    "set": "tools",
    "tools": "number",
    "tokens": "tokens",
    "list_ms": "to the list ms",
    "list_cpu_ms": "CPU ms",
    "answer_ms": "to the first recall ms",
    "answer_cpu_ms": "CPU ms",
    "later_ms": "a later recall ms",
    "megabytes": "most MB",
}
LATER = 20  #: recalls after the first


class Start(NamedTuple):
    """One start, in milliseconds."""

    listed: float
    listed_cpu: float
    answered: float
    answered_cpu: float
    later: float
    megabytes: float
    tools: list[Any]


def main(arguments: Sequence[str]) -> int:
    parser = report.parser("mcp", __doc__)
    parser.add_argument("--runs", type=int, default=7, help="measured starts of each set")
    parser.add_argument("--memories", type=int, default=1000, help="memories in the store")
    parser.add_argument(
        "--peers-folder", type=Path, metavar="DIR", help="measure other products too, installed there"
    )
    options = parser.parse_args(arguments)
    before = report.surroundings()
    with tempfile.TemporaryDirectory() as scratch:
        environ = prepared(Path(scratch), options.memories)
        peers = options.peers_folder.absolute() if options.peers_folder else None
        starts = mcp_starts.rows(environ, Path(scratch), options.runs, peers)
        rows = [row(name, environ, options.runs) for name in ("core", "full")]
    print(f"medians of {options.runs} starts each, in turn\n")
    print(report.table(starts, mcp_starts.HEADINGS), end="\n\n")
    print(f"medians of {options.runs} starts each; {options.memories:,} memories, with the model\n")
    print(report.table(rows, HEADINGS))
    report.show_surroundings(before)
    report.keep(options.json, "mcp", {"surroundings": before, "starts": starts, "rows": rows})
    return 0


def prepared(folder: Path, memories: int) -> dict[str, str]:
    """The environment of a server whose store holds so many memories."""
    environ = stores.environment(folder, stores.installed_model())
    with open_engine(stores.settings_of(environ, folder), "python") as engine:
        stores.fill_in_batches(engine, sentences.memories(memories))
    return environ


def row(name: str, environ: dict[str, str], runs: int) -> dict[str, object]:
    """The medians of several starts; the first one is not measured."""
    starts = [started(("--tools", name), environ) for _ in range(runs + 1)][1:]
    shown = [{name: tool[name] for name in tool if name != "_meta"} for tool in starts[0].tools]
    tools = json.dumps({"tools": shown}, separators=(",", ":"), ensure_ascii=False)
    figures = {
        "list_ms": [each.listed for each in starts],
        "list_cpu_ms": [each.listed_cpu for each in starts],
        "answer_ms": [each.answered for each in starts],
        "answer_cpu_ms": [each.answered_cpu for each in starts],
        "later_ms": [each.later for each in starts],
        "megabytes": [each.megabytes for each in starts],
    }
    measured = {field: round(median(values), 1) for field, values in figures.items()}
    return {"set": name, "tools": len(starts[0].tools), "tokens": estimate(tools)} | measured


def started(options: Sequence[str], environ: dict[str, str]) -> Start:
    """Start a server, ask it for its tools and for memories, and end it."""
    begun = time.perf_counter()
    server = Server(server_command(*options), environ)
    server.ask("initialize", **HELLO)
    server.tell("notifications/initialized")
    tools = server.ask("tools/list")["tools"]
    listed, listed_cpu = _since(begun), server.cpu_ms
    first, *others = sentences.questions(LATER + 1)
    _recall(server, first)
    answered, answered_cpu = _since(begun), server.cpu_ms
    then = time.perf_counter()
    for question in others:
        _recall(server, question)
    later, megabytes = _since(then) / LATER, server.megabytes
    server.end()
    return Start(listed, listed_cpu, answered, answered_cpu, later, megabytes, tools)


def _recall(server: Server, question: str) -> None:
    server.ask("tools/call", name="memory_recall", arguments={"query": question})


def _since(moment: float) -> float:
    return (time.perf_counter() - moment) * 1000
