"""A `mem serve` process that a browser talks to: started, killed and started again on the same port."""

from __future__ import annotations

import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import chdir, closing, contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

from click.testing import CliRunner, Result

from memory_layer.doors.cli.main import mem as command_line

PRODUCT = (sys.executable, "-m", "memory_layer")
LISTENING_SECONDS = 30
LINK = re.compile(r"http://localhost:\d+/\?t=\S+")
#: Variables of whoever runs the tests that would change what the program says or stores.
KEPT = ("PATH", "LANG", "LC_ALL", "TMPDIR", "MEM_TEST_MODEL", "COVERAGE_PROCESS_START", "SYSTEMROOT")


class ServedPage:
    """The server on a store of its own, as a process."""

    def __init__(
        self, home: Path, here: Path, model: Path, *options: str, person: Path | None = None
    ) -> None:
        self.home, self.here, self.port = home, here, _free_port()
        self.options = options
        self.environment = {name: os.environ[name] for name in KEPT if name in os.environ} | {
            "HOME": str(person or home),
            "MEM_HOME": str(home),
            "MEM_MODEL": str(model),
            "MEM_UPKEEP_AUTO": "off",
            "BROWSER": "true",  # nothing is opened on the screen of whoever runs the tests
        }
        self.said = home / "serve.log"
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def address(self) -> str:
        return f"http://localhost:{self.port}"

    @property
    def token(self) -> str:
        return (self.home / "token").read_text(encoding="utf-8").strip()

    def start(self) -> None:
        """Start the process and wait until it answers."""
        self.home.mkdir(parents=True, exist_ok=True)
        command = [*PRODUCT, "serve", "--port", str(self.port), *self.options]
        with self.said.open("wb") as said:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=said,
                stderr=said,
                cwd=self.here,
                env=self.environment,
            )
        limit = time.monotonic() + LISTENING_SECONDS
        while not self._answers():
            assert self._process.poll() is None, self.said.read_text(encoding="utf-8")
            assert time.monotonic() < limit, "the server does not answer"
            time.sleep(0.05)

    def stop(self, how: signal.Signals = signal.SIGTERM) -> None:
        """Stop the process, by SIGKILL as a machine that loses power would."""
        if self._process is not None:
            self._process.send_signal(how)
            self._process.wait(timeout=30)
            self._process = None

    @property
    def link(self) -> str:
        """The one-time link for a browser that the server printed."""
        found = LINK.findall(self.said.read_text(encoding="utf-8"))
        assert found, self.said.read_text(encoding="utf-8")
        return str(found[-1])

    def mem(self, *arguments: str, check: bool = True) -> Any:
        """Run a command line beside the server, as an agent, and return its data; None if it is refused."""
        done = self._ran(*arguments, "--json")
        if not check and done.exit_code not in (0, 4):
            return None
        assert done.exit_code in (0, 4), done.stderr
        return json.loads(done.stdout)["data"]

    def ask(self, method: str, path: str, body: object = None) -> Any:
        """Return the answer to a program that has the token, refused or not."""
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        connection = http.client.HTTPConnection("localhost", self.port, timeout=60)
        with closing(connection):
            connection.request(method, path, None if body is None else json.dumps(body), headers)
            return json.loads(connection.getresponse().read())

    def mem_text(self, *arguments: str) -> str:
        """Run a command line beside the server and return what it prints."""
        done = self._ran(*arguments)
        assert done.exit_code == 0, done.stderr
        return done.stdout

    def _ran(self, *arguments: str) -> Result:
        """Run it in this process, which saves the start of another one: most tests ask the store many times."""
        with patch.dict(os.environ, self.environment, clear=True), chdir(self.here):
            return CliRunner().invoke(command_line, arguments, prog_name="mem")

    def _answers(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self.address}/health", timeout=5) as answer:
                return bool(answer.status == 200)
        except OSError:
            return False


@contextmanager
def served_page(
    home: Path, here: Path, model: Path, *options: str, person: Path | None = None
) -> Iterator[ServedPage]:
    """A running server."""
    server = ServedPage(home, here, model, *options, person=person)
    server.start()
    try:
        yield server
    finally:
        server.stop()


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])
