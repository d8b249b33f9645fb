"""A client of an MCP server process, as bare as it gets: a line for each message, and the server's own figures."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

HELLO = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "bench", "version": "1"},
}


def server_command(*options: str) -> list[str]:
    return [sys.executable, "-m", "memory_layer", "mcp", *options]


class Server:
    """A server process at the other end of two pipes."""

    def __init__(self, command: Sequence[str], environ: dict[str, str], folder: Path | None = None) -> None:
        self.process = subprocess.Popen(
            command,
            env=environ,
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
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

    def kill(self) -> None:
        with self.process:  # closes its pipes
            self.process.kill()
