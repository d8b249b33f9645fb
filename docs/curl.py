"""A server for the examples of a page, and the calls of curl to it: as much of curl as the examples use."""

from __future__ import annotations

import http.client
import re
import signal
import subprocess
import sys
from collections.abc import Sequence
from urllib.parse import urlsplit

SHOWN_PORT = 8080  #: on the page; the server takes a free one
_ADDRESS = re.compile(r"http://localhost:(\d+)/")
_READY = "press Ctrl-C to stop"
_LINK = re.compile(r"(\?t=)[\w-]+")
_TAKING = ("-H", "-X", "-d")  #: options with a value


class ShownServer:
    """`mem serve` in a process of its own, as a page shows it."""

    def __init__(self, options: Sequence[str]) -> None:
        command = [sys.executable, "-m", "memory_layer", "serve", *_on_a_free_port(options)]
        self._process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        self.said = self._until_ready()
        found = _ADDRESS.search(self.said)
        assert found, self.said
        self.port = int(found[1])

    def _until_ready(self) -> str:
        assert self._process.stderr is not None
        said = ""
        while _READY not in said:
            line = self._process.stderr.readline()
            assert line, said
            said += line
        return said

    @property
    def log(self) -> str:
        """Return what the server said when it started, as on the page."""
        return _LINK.sub(r"\1…", self.said.replace(f":{self.port}", f":{SHOWN_PORT}"))

    def stop(self) -> None:
        self._process.send_signal(signal.SIGTERM)
        self._process.communicate(timeout=30)

    def curl(self, words: Sequence[str]) -> str:
        """Return the body of an answer to a call that is written as a command line."""
        headers, method, body, address = _read(words)
        parts = urlsplit(address)
        assert parts.port == SHOWN_PORT, address
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        target = parts.path + (f"?{parts.query}" if parts.query else "")
        connection.request(method, target, body, headers)
        answer = connection.getresponse().read().decode()
        connection.close()
        return answer


def _on_a_free_port(options: Sequence[str]) -> list[str]:
    wanted = list(options)
    if "--port" in wanted:
        wanted[wanted.index("--port") + 1] = "0"
        return wanted
    return [*wanted, "--port", "0"]


def _read(words: Sequence[str]) -> tuple[dict[str, str], str, bytes | None, str]:
    """Return headers, method, body and address of a command line, of which the program's name is left out."""
    given = iter(words)
    headers: dict[str, str] = {}
    values: dict[str, str] = {}
    for word in given:
        if word not in _TAKING:
            values["address"] = word
        elif word == "-H":
            name, _, value = next(given).partition(": ")
            headers[name] = value
        else:
            values[word] = next(given)
    body = values.get("-d")
    method = values.get("-X", "GET" if body is None else "POST")
    return headers, method, None if body is None else body.encode(), values["address"]
