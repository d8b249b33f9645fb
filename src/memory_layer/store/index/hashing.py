"""The hash functions of the index, without OpenSSL where the interpreter has them itself.

To load OpenSSL takes some milliseconds of every command that searches.
"""

from __future__ import annotations

try:
    from _blake2 import blake2b
    from _sha3 import shake_256  # type: ignore[import-not-found]
except ImportError:
    from hashlib import blake2b, shake_256

__all__ = ["blake2b", "shake_256"]
