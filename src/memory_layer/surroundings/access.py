"""The token that a program on this machine shows to prove that it may read the user's files."""

from __future__ import annotations

import os
import secrets
import stat
from pathlib import Path

from memory_layer.errors import StoreUnavailable

LEAST_CHARACTERS = 32
MOST_BYTES = 1_000


def token_in(file: Path) -> str:
    """The token in a file that only its owner can read; made where there is none."""
    try:
        try:
            file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            handle = os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
        except FileExistsError:
            return _known(file)
        with open(handle, "w", encoding="ascii") as new:
            new.write(f"{secrets.token_urlsafe(LEAST_CHARACTERS)}\n")
        return _known(file)
    except OSError as error:
        raise StoreUnavailable(f"the token in {file} cannot be used: {error.strerror or error}") from error


def _known(file: Path) -> str:
    """The token of before, unless somebody else could have read or planted it."""
    with open(os.open(file, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0)), "rb") as old:
        status = os.fstat(old.fileno())
        if hasattr(os, "getuid") and (status.st_uid != os.getuid() or stat.S_IMODE(status.st_mode) & 0o077):
            raise StoreUnavailable(f"others than you can read {file}; `chmod 600` on it makes it yours alone")
        token = old.read(MOST_BYTES).decode("ascii", "replace").strip()
    if len(token) < LEAST_CHARACTERS or not token.isprintable():
        raise StoreUnavailable(f"{file} holds no token of at least {LEAST_CHARACTERS} characters")
    return token
