"""Authenticate local programs by a token: who can read its file may read the store as well."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path

from memory_layer.errors import StoreUnavailable

LEAST_CHARACTERS = 30
MOST_BYTES = 1_000


def token_in(file: Path, fresh: str) -> str:
    """Return the token in a private file; create the file with `fresh` if there is none."""
    try:
        if not file.exists():
            _written(file, fresh)
        return _known(file)
    except OSError as error:
        raise StoreUnavailable(f"the token in {file} cannot be used: {error.strerror or error}") from error


def _written(file: Path, fresh: str) -> None:
    """Create the token file atomically; a concurrent second writer keeps the first one's."""
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    part = file.with_name(f"{file.name}.{fresh[-8:]}.part")
    with open(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "w", encoding="ascii") as new:
        new.write(f"{fresh}\n")
    try:
        with suppress(FileExistsError):
            os.link(part, file)
    finally:
        part.unlink()


def _known(file: Path) -> str:
    """Read the token, unless somebody else could have read or planted it."""
    with open(os.open(file, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0)), "rb") as old:
        status = os.fstat(old.fileno())
        if hasattr(os, "getuid") and (status.st_uid != os.getuid() or stat.S_IMODE(status.st_mode) & 0o077):
            raise StoreUnavailable(f"other users can read {file}; run `chmod 600` on it")
        token = old.read(MOST_BYTES).decode("ascii", "replace").strip()
    if len(token) < LEAST_CHARACTERS or not token.isprintable():
        raise StoreUnavailable(f"{file} has no token of at least {LEAST_CHARACTERS} characters")
    return token
