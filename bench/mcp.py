"""How long an agent waits for `mem mcp`: from the start of the process to the list of tools and to the first answer.

Both at the reader's end of the pipe; the processor's time is the server's own up to the same moment.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from bench import report, sentences, stores
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
HELLO = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "bench", "version": "1"},
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


class Server:
    """A server process at the other end of two pipes."""

    def __init__(self, options: Sequence[str], environ: dict[str, str]) -> None:
        command = [sys.executable, "-m", "memory_layer", "mcp", *options]
        self.process = subprocess.Popen(command, env=environ, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._number = 0

    def ask(self, method: str, **params: object) -> Any:
        """One request, and its result."""
        self._number += 1
        self.tell(method, id=self._number, params=params)
        assert self.process.stdout is not None
        for line in self.process.stdout:
            answer = json.loads(line)
            if answer.get("id") == self._number:
                return answer["result"]
        raise SystemExit("the server ended without an answer")

    def tell(self, method: str, **more: object) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", "method": method, **more}).encode() + b"\n")
        self.process.stdin.flush()

    def recall(self, question: str) -> Any:
        return self.ask("tools/call", name="memory_recall", arguments={"query": question})

    @property
    def cpu_ms(self) -> float:
        """Processor time so far, from the system's table of processes."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) * 1000 / os.sysconf("SC_CLK_TCK")

    @property
    def megabytes(self) -> float:
        lines = Path(f"/proc/{self.process.pid}/status").read_text().splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) / 1024

    def end(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait()


def main(arguments: Sequence[str]) -> int:
    parser = report.parser("mcp", __doc__)
    parser.add_argument("--runs", type=int, default=7, help="measured starts of each set")
    parser.add_argument("--memories", type=int, default=1000, help="memories in the store")
    options = parser.parse_args(arguments)
    before = report.surroundings()
    with tempfile.TemporaryDirectory() as scratch:
        environ = prepared(Path(scratch), options.memories)
        rows = [row(name, environ, options.runs) for name in ("core", "full")]
    print(f"medians of {options.runs} starts each; {options.memories:,} memories, with the model\n")
    print(report.table(rows, HEADINGS))
    report.show_surroundings(before)
    report.keep(options.json, "mcp", {"surroundings": before, "rows": rows})
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
    tools = json.dumps({"tools": starts[0].tools}, separators=(",", ":"), ensure_ascii=False)
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
    server = Server(options, environ)
    server.ask("initialize", **HELLO)
    server.tell("notifications/initialized")
    tools = server.ask("tools/list")["tools"]
    listed, listed_cpu = _since(begun), server.cpu_ms
    first, *others = sentences.questions(LATER + 1)
    server.recall(first)
    answered, answered_cpu = _since(begun), server.cpu_ms
    then = time.perf_counter()
    for question in others:
        server.recall(question)
    later, megabytes = _since(then) / LATER, server.megabytes
    server.end()
    return Start(listed, listed_cpu, answered, answered_cpu, later, megabytes, tools)


def _since(moment: float) -> float:
    return (time.perf_counter() - moment) * 1000
