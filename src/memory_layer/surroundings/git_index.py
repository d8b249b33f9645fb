"""Which files git tracks in a work tree, read from its index."""

from __future__ import annotations

import os
import struct
from functools import lru_cache

from memory_layer.surroundings import careful_read

LARGEST = 64 * 1024 * 1024  #: bytes
MOST = 200_000  #: files
_HEAD = struct.Struct(">4sII")
_FIXED = 40  #: bytes of an entry before the name of its content
_MODE = struct.Struct(">I")
_FLAGS = struct.Struct(">H")
_EXTENDED = 0x4000
_STAGE = 0x3000
_REGULAR = (0o100644, 0o100755, 0o100664)
_TABLE_WIDTHS = (20, 32)


def entries(path: str) -> dict[str, str]:
    """Each tracked file with the name of its content; nothing if that cannot be told. Never raises."""
    try:
        status = os.stat(path)
    except OSError:
        return {}
    return _entries(path, status.st_size, status.st_mtime_ns)


@lru_cache(maxsize=4)
def _entries(path: str, size: int, mtime_ns: int) -> dict[str, str]:
    content = careful_read.regular(path, LARGEST) or b""
    for width in _TABLE_WIDTHS:  # of a content's name; nothing in the file says which
        try:
            return _parsed(content, width)
        except (ValueError, IndexError, struct.error):
            continue
    return {}


def _parsed(content: bytes, width: int) -> dict[str, str]:
    mark, version, count = _HEAD.unpack_from(content)
    if mark != b"DIRC" or version not in (2, 3, 4) or count > MOST:
        raise ValueError("not an index")
    found: dict[str, str] = {}
    at, name = _HEAD.size, b""
    for _ in range(count):
        begun = at
        (mode,) = _MODE.unpack_from(content, at + 24)
        blob = content[at + _FIXED : at + _FIXED + width]
        at += _FIXED + width
        (flags,) = _FLAGS.unpack_from(content, at)
        at += 4 if flags & _EXTENDED and version > 2 else 2
        if version == 4:
            dropped, at = _number(content, at)
            if dropped > len(name):
                raise ValueError("a name without its beginning")
            end = content.index(b"\0", at)
            name, at = name[: len(name) - dropped] + content[at:end], end + 1
        else:
            end = content.index(b"\0", at)
            name, at = content[at:end], begun + ((end - begun) // 8 + 1) * 8
        if not name or name.startswith(b"/"):
            raise ValueError("no name")
        if mode in _REGULAR and not flags & _STAGE:
            found[os.fsdecode(name)] = blob.hex()
        elif mode & 0o170000 not in (0o100000, 0o120000, 0o160000, 0o040000):
            raise ValueError("no mode that git knows")
    return found


def _number(content: bytes, at: int) -> tuple[int, int]:
    """How much of the name before is dropped, as packs write a distance."""
    byte = content[at]
    number = byte & 0x7F
    while byte & 0x80:
        at += 1
        byte = content[at]
        number = (number + 1) << 7 | byte & 0x7F
    return number, at + 1
