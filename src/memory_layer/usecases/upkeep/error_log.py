"""Log unexpected failures for later."""

from __future__ import annotations

import os
import traceback
from datetime import datetime
from pathlib import Path

from memory_layer.text.secrets.redact import redact

LARGEST_LOG = 1024 * 1024  #: bytes; then the log starts over and the last one stays beside it


def keep_mishap(folder: Path, failure: BaseException, at: datetime, what: str) -> Path | None:
    """Append the redacted details of a failure to the log; None where no log can be written."""
    details = redact("".join(traceback.format_exception(failure))).text
    log = folder / "mem.log"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if log.exists() and log.stat().st_size > LARGEST_LOG:
            os.replace(log, folder / "mem.log.1")
        handle = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        with open(handle, "a", encoding="utf-8", errors="backslashreplace") as out:
            out.write(f"{at.isoformat()} {what}\n{details}\n")
    except OSError:
        return None
    return log
