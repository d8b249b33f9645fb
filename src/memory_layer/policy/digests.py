"""The digest of a text, without OpenSSL where the interpreter has the function itself: loading that takes long."""

from __future__ import annotations

try:
    from _sha2 import sha256  # type: ignore[import-not-found]  # Python 3.12 and later
except ImportError:
    try:
        from _sha256 import sha256  # type: ignore[import-not-found]
    except ImportError:
        from hashlib import sha256


def digest_of(text: str) -> str:
    """SHA-256, in hex."""
    return str(sha256(text.encode()).hexdigest())
