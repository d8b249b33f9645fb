"""Log unexpected failures for later."""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from memory_layer.errors import ModelUnavailable, StoreUnavailable
from memory_layer.model.upkeep import Mishaps
from memory_layer.text.secrets.redact import redact

LARGEST_LOG = 1024 * 1024  #: bytes; then the log starts over and the last one stays beside it
FILE, OLD_FILE = "mem.log", "mem.log.1"
HOOK = "hook"  #: how the entries of hooks begin, behind their time
LONGEST_SENTENCE = 200  #: characters
MOST_FRAMES = 12


def keep_mishap(folder: Path, failure: BaseException, at: datetime, what: str) -> Path | None:
    """Append the redacted details of a failure to the log; None where no log can be written."""
    import traceback  # takes a while to load, and a hook logs without it

    return _append(folder, at, what, redact("".join(traceback.format_exception(failure))).text)


def keep_hook_failure(folder: Path, failure: BaseException, at: datetime, what: str) -> Path | None:
    """Append a failure of a hook to the log, without a word of the event: prompts and sessions stay out of it."""
    places = "\n".join(f"  {place}" for place in _places(failure))
    return _append(folder, at, f"{HOOK} {what}", f"{_sentence(failure)}\n{places}")


def hook_failures(folder: Path, since: datetime) -> Mishaps:
    """Count the failures of hooks in the log since a time, and return the last one in a sentence."""
    count, last = 0, ""
    for name in (OLD_FILE, FILE):
        for at, what, sentence in _entries(folder / name):
            if at >= since:
                count, last = count + 1, f"{what}: {sentence}"
    return Mishaps(str(folder / FILE), count, last)


def _append(folder: Path, at: datetime, what: str, details: str) -> Path | None:
    log = folder / FILE
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if log.exists() and log.stat().st_size > LARGEST_LOG:
            os.replace(log, folder / OLD_FILE)
        handle = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        with open(handle, "a", encoding="utf-8", errors="backslashreplace") as out:
            out.write(f"{at.isoformat()} {what}\n{details}\n")
    except OSError:
        return None
    return log


def _sentence(failure: BaseException) -> str:
    """Say what failed; only messages that quote no input are told."""
    name = type(failure).__name__
    if isinstance(failure, StoreUnavailable | ModelUnavailable):
        said = redact(" ".join(str(failure).split())).text
    else:
        said = failure.strerror if isinstance(failure, OSError) and failure.strerror else ""
    return f"{name}: {said}"[:LONGEST_SENTENCE] if said else name


def _places(failure: BaseException) -> Iterator[str]:
    """Yield the lines of the program through which a failure came, the innermost last."""
    found, trace = list[str](), failure.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        found.append(f"{os.path.basename(code.co_filename)}:{trace.tb_lineno} {code.co_name}")
        trace = trace.tb_next
    yield from found[-MOST_FRAMES:]


def _entries(log: Path) -> Iterator[tuple[datetime, str, str]]:
    """Yield the time, the hook and the sentence of each of its entries; what is no entry is passed over."""
    try:
        lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return
    for line, following in zip(lines, [*lines, ""][1:], strict=True):
        time, _, what = line.partition(f" {HOOK} ")
        try:
            at = datetime.fromisoformat(time) if what else None
        except ValueError:
            continue
        if at is not None and at.tzinfo is not None:
            yield at, what, following
