"""Server processes that answer over HTTP on free ports, for as long as a test needs them, and requests to them."""

from __future__ import annotations

import http.client
import json
import re
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

PRODUCT = ("-m", "memory_layer", "mcp", "--http", "--port", "0")
ADDRESS = re.compile(r"http://\S+:(\d+)/")


@contextmanager
def served(*options: str, program: Sequence[str] = PRODUCT, said: list[str] | None = None) -> Iterator[int]:
    """A server process; its port. What it says later is added to `said` when it has ended."""
    process = subprocess.Popen([sys.executable, *program, *options], stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    try:
        told = process.stderr.readline()
        found = ADDRESS.search(told)
        assert found, told + process.stderr.read()
        yield int(found[1])
    finally:
        process.send_signal(signal.SIGTERM)
        with process:
            later = process.stderr.read()  # and what was read ahead
        if said is not None:
            said.append(later)


@contextmanager
def serve(*options: str, said: list[str] | None = None) -> Iterator[int]:
    """`mem serve` as a process; its port."""
    with served(*options, program=("-m", "memory_layer", "serve"), said=said) as port:
        yield port


def ask(
    port: int, method: str, path: str, machine: Path | None = None, body: object = None, **headers: str
) -> Any:
    """The status and JSON of an answer; with the token if the machine is named."""
    if machine is not None:
        headers["Authorization"] = f"Bearer {(machine / 'home' / 'token').read_text().strip()}"
    common = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=60)) as connection:
        connection.request(method, path, None if body is None else json.dumps(body), common | headers)
        answer = connection.getresponse()
        text = answer.read().decode()
        return answer.status, json.loads(text) if text.startswith("{") else text
