"""The digest of a text, without OpenSSL where the interpreter has the function itself: loading that takes long."""

from __future__ import annotations

from contextlib import suppress
from functools import cache
from importlib import import_module
from typing import Any


def digest_of(text: str) -> str:
    """SHA-256, in hex."""
    return str(_sha256()(text.encode()).hexdigest())


@cache
def _sha256() -> Any:
    """The function, of the interpreter since 3.12, of the one before, or of OpenSSL."""
    for name in ("_sha2", "_sha256"):
        with suppress(ImportError):
            return import_module(name).sha256
    return import_module("hashlib").sha256
