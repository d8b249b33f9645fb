"""Look up the exit code of a command where an agent's event lacks it but its record of the session has it."""

from __future__ import annotations

import json
import os
from typing import Any

TAIL_BYTES = 256 * 1024  #: the command has just ended, so its entry is among the last


def recorded_exit_code(record: str, call: str) -> int | None:
    """Return the exit code of a call out of Codex's record of its session; None if it is not there."""
    mark = json.dumps(call).encode()
    for line in reversed(_last_lines(record)):
        if mark in line and b'"exit_code"' in line:
            item = _item(line)
            code = item.get("exit_code")
            if item.get("id") == call and isinstance(code, int):
                return code
    return None


def _last_lines(record: str) -> list[bytes]:
    if not os.path.isfile(record):
        return []
    try:
        with open(record, "rb") as file:
            file.seek(max(os.path.getsize(record) - TAIL_BYTES, 0))
            return file.read(TAIL_BYTES).splitlines()
    except OSError:
        return []


def _item(line: bytes) -> dict[str, Any]:
    try:
        entry = json.loads(line)
    except ValueError:  # the first line of the tail may be cut
        return {}
    payload = entry.get("payload") if isinstance(entry, dict) else None
    item = payload.get("item") if isinstance(payload, dict) else None
    return item if isinstance(item, dict) else {}
