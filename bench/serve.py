"""Measure `mem serve` under load: many clients that read and write at once, and a command line that writes too.

The clients are in this process and ask one request at a time each; the server is a process of its own. Everything is
on one machine, so the clients take processor time from the server.
"""

from __future__ import annotations

import http.client
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from statistics import median
from typing import NamedTuple
from urllib.parse import quote_plus

from bench import http_clients, report, sentences, stores
from bench.http_clients import Answered, Asked
from bench.processes import measured
from bench.stopwatch import percentile
from memory_layer.wiring import open_engine

HEADINGS = {
    "kind": "request",
    "requests": "number",
    "per_second": "a second",
    "p50_ms": "p50 ms",
    "p99_ms": "p99 ms",
    "most_ms": "most ms",
    "errors": "errors",
}
STARTS = {"starts": "starts", "first_ms": "to the first answer ms", "megabytes": "MB"}
#: How often each kind of request is made, out of all.
SHARES = {
    "search": 40,
    "list": 15,
    "show": 15,
    "context": 5,
    "stats": 5,
    "add": 12,
    "outcome": 5,
    "episode": 3,
}
WRITES = ("add", "outcome", "episode")
#: Answers that are no error: a text that is nearly known asks for a decision.
FINE = (200, 201, 409)
PAUSE_SECONDS = 0.25  #: between two commands beside the load


class Served(NamedTuple):
    """A server process, ready to answer."""

    process: subprocess.Popen[bytes]
    port: int
    token: str
    first_ms: float  #: from the command to the first answer

    @property
    def megabytes(self) -> float:
        """The memory that the process has in use now."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        kilobytes = next(line.split()[1] for line in status.splitlines() if line.startswith("VmRSS"))
        return round(int(kilobytes) / 1000, 1)


def main(arguments: Sequence[str]) -> int:
    parser = report.parser("serve", __doc__)
    parser.add_argument("--clients", type=int, default=64)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--memories", type=int, default=1000, help="memories in the store at the beginning")
    parser.add_argument("--starts", type=int, default=5, help="measured starts")
    parser.add_argument("--commands", type=int, default=10, help="commands before the load, to compare with")
    options = parser.parse_args(arguments)
    before = report.surroundings()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        environ, ids = prepared(folder, options.memories)
        starts = start_row(environ, folder, options.starts)
        alone = [command_ms(environ, folder, number) for number in range(options.commands)]
        with serving(environ, folder) as server:
            ask(server, partial(one_of, ids), 1, min(2.0, options.seconds))
            megabytes = [server.megabytes]
            answers, beside = under_load(server, environ, folder, ids, options.clients, options.seconds)
            megabytes.append(server.megabytes)
    rows = rows_of(answers, options.seconds)
    commands = {"alone": figures(alone), "beside": figures(beside)}
    print(report.table([starts], STARTS), end="\n\n")
    print(
        f"{options.clients} clients for {options.seconds:g} s, {options.memories:,} memories at the beginning\n"
    )
    print(report.table(rows, HEADINGS), end="\n\n")
    print(f"the server's memory: {megabytes[0]:,.0f} MB before, {megabytes[1]:,.0f} MB after")
    for name, each in commands.items():
        print(
            f"`mem add` {name}: {each['runs']} runs, median {each['p50_ms']:,} ms, most {each['most_ms']:,} ms"
        )
    report.show_surroundings(before)
    kept = {
        "surroundings": before,
        "starts": starts,
        "rows": rows,
        "megabytes": megabytes,
        "commands": commands,
    }
    report.keep(options.json, "serve", kept)
    return 0


def prepared(folder: Path, memories: int) -> tuple[dict[str, str], list[str]]:
    """The environment of a server whose store holds so many memories, and their ids."""
    environ = stores.environment(folder, stores.installed_model())
    with open_engine(stores.settings_of(environ, folder), "python") as engine:
        added = stores.fill_in_batches(engine, sentences.memories(memories))
    return environ, [each.id for each in added]


@contextmanager
def serving(environ: Mapping[str, str], folder: Path, first: str = "/api/stats") -> Iterator[Served]:
    """A server that has answered once, at the path `first`."""
    begun = time.perf_counter()
    command = [sys.executable, "-m", "memory_layer", "serve", "--rest", "--port", "0"]
    process = subprocess.Popen(command, env=environ, cwd=folder, stderr=subprocess.PIPE)
    try:
        assert process.stderr is not None
        line = process.stderr.readline().decode()
        port = int(line.partition("/api")[0].rpartition(":")[2])
        token = (folder / "home" / "token").read_text().strip()
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        connection.request("GET", first, headers={"Authorization": f"Bearer {token}"})
        assert connection.getresponse().status == 200
        first_ms = (time.perf_counter() - begun) * 1000
        connection.close()
        threading.Thread(target=process.stderr.read, daemon=True).start()
        yield Served(process, port, token, first_ms)
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(30)


def start_row(environ: Mapping[str, str], folder: Path, starts: int) -> dict[str, object]:
    """The median of several starts, and the memory that a server has in use after its first answer."""
    first, megabytes = [], []
    for _ in range(starts):
        with serving(environ, folder) as server:
            first.append(server.first_ms)
            megabytes.append(server.megabytes)
    return {"starts": starts, "first_ms": round(median(first), 1), "megabytes": median(megabytes)}


def one_of(ids: Sequence[str], chance: random.Random) -> Asked:
    """A request, as often of each kind as it is its share."""
    (kind,) = chance.choices(list(SHARES), list(SHARES.values()))
    known = chance.choice(ids)
    question = quote_plus(next(sentences.questions(1, chance.randrange(1_000_000))))
    text = sentences.memories(1, chance.randrange(1, 1_000_000_000))[0]
    made = {
        "search": Asked(kind, "GET", f"/api/search?q={question}"),
        "list": Asked(kind, "GET", "/api/memories?limit=20"),
        "show": Asked(kind, "GET", f"/api/memories/{known}"),
        "context": Asked(kind, "GET", f"/api/context?task={question}"),
        "stats": Asked(kind, "GET", "/api/stats"),
        "add": Asked(kind, "POST", "/api/memories", {"content": text}),
        "outcome": Asked(kind, "POST", "/api/outcomes", {"memory_ids": [known], "result": "worked"}),
        "episode": Asked(kind, "POST", "/api/episodes", {"text": text}),
    }
    return made[kind]


def under_load(
    server: Served,
    environ: Mapping[str, str],
    folder: Path,
    ids: Sequence[str],
    clients: int,
    seconds: float,
) -> tuple[list[Answered], list[float]]:
    """The answers to all clients, and what commands beside them took; at least one."""
    ended = threading.Event()

    def beside() -> list[float]:
        commands: list[float] = []
        while not commands or not ended.wait(PAUSE_SECONDS):
            commands.append(command_ms(environ, folder, 1_000 + len(commands)))
        return commands

    with ThreadPoolExecutor(1) as writer:
        commands = writer.submit(beside)
        try:
            answers = ask(server, partial(one_of, ids), clients, seconds)
        finally:
            ended.set()
        return answers, commands.result()


def ask(server: Served, requests: partial[Asked], clients: int, seconds: float) -> list[Answered]:
    return http_clients.asked(server.port, server.token, clients, seconds, requests)


def command_ms(environ: Mapping[str, str], folder: Path, number: int) -> float:
    """Time one `mem add`; one that fails ends the benchmark."""
    text = f"Command number {number} of {os.getpid()} writes beside the server"
    return measured([*stores.mem(), "add", text], environ, folder).wall_ms


def rows_of(answers: Sequence[Answered], seconds: float) -> list[dict[str, object]]:
    """Figures of each kind of request, and of all."""
    kinds = [*(each for each in SHARES if any(answer.kind == each for answer in answers)), "all"]
    return [row(kind, [each for each in answers if kind in ("all", each.kind)], seconds) for kind in kinds]


def row(kind: str, answers: Sequence[Answered], seconds: float) -> dict[str, object]:
    wrong = Counter(each.status for each in answers if each.status not in FINE)
    return {
        "kind": f"{kind} (writes)" if kind in WRITES else kind,
        "requests": len(answers),
        "per_second": round(len(answers) / seconds, 1),
        "p99_ms": round(percentile([each.milliseconds for each in answers], 0.99), 1),
        "p50_ms": round(percentile([each.milliseconds for each in answers], 0.5), 1),
        "most_ms": round(max(each.milliseconds for each in answers), 1),
        "errors": sum(wrong.values()),
        "statuses": dict(wrong),
    }


def figures(milliseconds: Sequence[float]) -> dict[str, float | int]:
    return {
        "runs": len(milliseconds),
        "p50_ms": round(median(milliseconds), 1),
        "most_ms": round(max(milliseconds), 1),
    }
