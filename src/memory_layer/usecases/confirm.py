"""Let a person confirm what an agent must not do, and remember it for a quarter of an hour, as sudo does."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from memory_layer.policy import confirmation

RANDOM_BYTES = confirmation.RANDOM_BYTES
LARGEST = 100  #: bytes of what is kept


def code_from(chance: bytes) -> str:
    """What the person has to type."""
    return confirmation.code_from(chance)


def is_code(typed: str, code: str) -> bool:
    """Whether that was typed."""
    return confirmation.is_code(typed, code)


def is_confirmed(folder: Path, terminal: str, now: datetime) -> bool:
    """Whether a person has confirmed at this terminal a short while ago."""
    at = _kept(folder / terminal)
    return at is not None and confirmation.holds(at, now)


def keep_confirmation(folder: Path, terminal: str, now: datetime) -> None:
    """Remember it for this terminal, and forget what holds no more; where nothing can be written it holds only now."""
    with suppress(OSError):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        for known in folder.iterdir():
            if (at := _kept(known)) is None or not confirmation.holds(at, now):
                known.unlink()
        part = folder / f"{terminal}.part"
        with open(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "w", encoding="ascii") as file:
            file.write(f"{now.astimezone(UTC).isoformat()}\n")
        part.replace(folder / terminal)


def _kept(file: Path) -> datetime | None:
    """When it was confirmed; None for anything but a file of this user that nobody else may read or write."""
    try:
        handle = os.open(file, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    except OSError:
        return None
    try:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode) or status.st_uid != os.getuid() or status.st_mode & 0o077:
            return None
        at = datetime.fromisoformat(os.read(handle, LARGEST).decode("ascii").strip())
        return at if at.tzinfo else None
    except (OSError, ValueError):
        return None
    finally:
        os.close(handle)
