"""Let a person confirm what an agent must not do, and remember it for 15 minutes, like sudo."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path

from memory_layer.errors import InvalidInput
from memory_layer.model.memory import Writer
from memory_layer.rules import identity
from memory_layer.rules.permissions import Action, check
from memory_layer.settings import FOR_AGENTS, agent_may_set, set_value
from memory_layer.text.secrets.redact import redact

RANDOM_BYTES = identity.RANDOM_BYTES
LARGEST = 100  #: bytes of what is kept
#: File names of confirmations: the name of a terminal, with a suffix while being written.
_NAME = re.compile(r"\d+-\d+-\d+-\w+(\.part)?", re.ASCII)


def code_from(chance: bytes) -> str:
    """Return the code the person has to type."""
    return identity.code_from(chance)


def is_code(typed: str, code: str) -> bool:
    """Was the code typed?"""
    return identity.is_code(typed, code)


def is_confirmed(folder: Path, terminal: str, now: datetime) -> bool:
    """Has a person confirmed at this terminal recently?"""
    with suppress(OSError), _opened(folder) as handle:
        at = _kept(handle, terminal)
        return at is not None and identity.holds(at, now)
    return False


def keep_confirmation(folder: Path, terminal: str, now: datetime) -> None:
    """Remember the confirmation for this terminal and remove expired ones; if unwritable, it holds once."""
    with suppress(OSError):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with _opened(folder) as handle:
            _clear(handle, now)
            part, flags = f"{terminal}.part", os.O_CREAT | os.O_EXCL | os.O_WRONLY
            with open(os.open(part, flags, 0o600, dir_fd=handle), "w", encoding="ascii") as file:
                file.write(f"{now.astimezone(UTC).isoformat()}\n")
            os.replace(part, terminal, src_dir_fd=handle, dst_dir_fd=handle)


@contextmanager
def _opened(folder: Path) -> Iterator[int]:
    """Open the folder itself, so that it cannot be swapped; raise OSError if others have access."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        if not _is_private(os.fstat(handle)):
            raise PermissionError(f"{folder} is open to others")
        yield handle
    finally:
        os.close(handle)


def _clear(folder: int, now: datetime) -> None:
    """Remove expired confirmations; leave other files alone."""
    for name in filter(_NAME.fullmatch, os.listdir(folder)):
        if (at := _kept(folder, name)) is None or not identity.holds(at, now):
            os.unlink(name, dir_fd=folder)


def _kept(folder: int, name: str) -> datetime | None:
    """Return when it was confirmed; None unless it is a private file of this user."""
    try:
        handle = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=folder)
    except OSError:
        return None
    try:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode) or not _is_private(status):
            return None
        at = datetime.fromisoformat(os.read(handle, LARGEST).decode("ascii").strip())
        return at if at.tzinfo else None
    except (OSError, ValueError):
        return None
    finally:
        os.close(handle)


def _is_private(status: os.stat_result) -> bool:
    return status.st_uid == os.getuid() and not status.st_mode & 0o077


def check_may_configure(key: str, writer: Callable[[], Writer]) -> None:
    """Refuse a setting that moves the store, names the writer or decides what is kept, unless a person changes it."""
    if not agent_may_set(key):
        check(writer(), Action.CONFIGURE, key=key, others=" and ".join(FOR_AGENTS))


def configure(config_path: Path, key: str, value: str) -> None:
    """Set one key of the user's configuration file; refuse a value with a secret, which would stay there."""
    if kinds := redact(value).kinds:
        raise InvalidInput(
            f"the value of {key[:60]} contains a secret ({', '.join(kinds)}); nothing was changed"
        )
    set_value(config_path, key, value)
