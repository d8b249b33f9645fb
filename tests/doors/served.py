"""A server process that answers over HTTP on a free port, for as long as a test needs it."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

PRODUCT = ("-m", "memory_layer", "mcp", "--http", "--port", "0")


@contextmanager
def served(*options: str, program: Sequence[str] = PRODUCT) -> Iterator[int]:
    """A server process; its port."""
    process = subprocess.Popen([sys.executable, *program, *options], stderr=subprocess.PIPE, text=True)
    try:
        assert process.stderr is not None
        told = process.stderr.readline()
        found = re.search(r"http://127\.0\.0\.1:(\d+)/mcp", told)
        assert found, told + process.stderr.read()
        yield int(found[1])
    finally:
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=30)
