"""A file of named arrays and string lists that is written once and then only memory-mapped."""

from __future__ import annotations

import json
import mmap
import os
import struct
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np

from memory_layer.model.record import NamedTuple

if TYPE_CHECKING:
    from numpy.typing import NDArray


if TYPE_CHECKING:
    Arrays = Mapping[str, NDArray[Any]]

MAGIC = b"MEMINDEX"
_HEAD = struct.Struct("<8sII")  #: magic, length of the header, its checksum
_ALIGNED = 64
_NUMBERS = "biuf"  #: allowed dtypes; objects would be read as memory addresses


class Damaged(Exception):
    """Raised when a file is not as it was written."""


#: Errors raised when the numbers of a file are inconsistent.
UNUSABLE = (ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError, MemoryError)


class Content(NamedTuple):
    """Small facts for the header, arrays, and string lists that few readers need."""

    facts: Mapping[str, int]
    arrays: Arrays
    lists: Mapping[str, Sequence[str]]
    mapped: mmap.mmap | None = None  #: the file they are in, if any

    @property
    def is_whole(self) -> bool:
        """Check that the file was not truncated: reading past its end would kill the process."""
        return self.mapped is None or self.mapped.size() == len(self.mapped)


class _Lists(Mapping[str, Sequence[str]]):
    """String lists, each decoded on first access."""

    def __init__(self, buffer: memoryview, places: Mapping[str, Sequence[int]]) -> None:
        self._buffer = buffer
        self._places = places
        self._read: dict[str, list[str]] = {}

    def __getitem__(self, name: str) -> list[str]:
        if name not in self._read:
            try:
                start, length, _ = self._places[name]
                strings = json.loads(bytes(self._buffer[start : start + length]))
                if not isinstance(strings, list) or not all(isinstance(each, str) for each in strings):
                    raise ValueError("it is not a list of strings")
                self._read[name] = strings
            except UNUSABLE as error:
                raise Damaged(f"the list {name} cannot be read") from error
        return self._read[name]

    def __iter__(self) -> Any:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)


def write(path: Path, content: Content) -> int:
    """Write a new private file durably; return its size."""
    pieces: list[tuple[str, str, Any, memoryview | bytes]] = []
    for name, array in content.arrays.items():
        whole = np.ascontiguousarray(array)
        about = [whole.dtype.str, list(whole.shape)]
        pieces.append(("arrays", name, about, whole.data.cast("B") if whole.size else b""))
    for name, strings in content.lists.items():
        packed = json.dumps(list(strings), ensure_ascii=True).encode()
        pieces.append(("lists", name, [], packed))
    header, places = _laid_out(content.facts, pieces)
    with open(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as file:
        file.write(_HEAD.pack(MAGIC, len(header), zlib.crc32(header)))
        file.write(header)
        for place, (_, _, _, data) in zip(places, pieces, strict=True):
            file.write(b"\0" * (place - file.tell()))
            file.write(data)
        file.flush()
        os.fsync(file.fileno())
        return file.tell()


def _laid_out(
    facts: Mapping[str, int], pieces: Sequence[tuple[str, str, Any, memoryview | bytes]]
) -> tuple[bytes, list[int]]:
    """Return the header and the start of each piece, counted from the end of the header block."""
    offset, offsets = 0, []
    table: dict[str, dict[str, Any]] = {"arrays": {}, "lists": {}}
    for kind, name, about, data in pieces:
        offset += -offset % _ALIGNED
        offsets.append(offset)
        table[kind][name] = [*about, offset, len(data), zlib.crc32(data)]
        offset += len(data)
    header = json.dumps({"facts": dict(facts), "size": offset, **table}).encode()
    begin = _begin(len(header))
    return header, [begin + each for each in offsets]


def _begin(header: int) -> int:
    used = _HEAD.size + header
    return used + -used % _ALIGNED


def opened_file(path: Path) -> BinaryIO:
    """Open a regular file; reading a pipe could block for ever."""
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    return open(os.open(path, flags), "rb")


def read(path: Path, *, deep: bool = False) -> Content:
    """Map a file; raise Damaged if it is incomplete. `deep` also verifies the checksum."""
    try:
        with opened_file(path) as file:
            mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except (OSError, ValueError) as error:
        raise Damaged(f"{path.name} cannot be read: {error}") from error
    try:
        return _understood(memoryview(mapped), deep)._replace(mapped=mapped)
    except (struct.error, *UNUSABLE) as error:
        raise Damaged(f"{path.name} is damaged: {error}") from error


def _understood(buffer: memoryview, deep: bool) -> Content:
    magic, length, checksum = _HEAD.unpack_from(buffer)
    header = bytes(buffer[_HEAD.size : _HEAD.size + length])
    if magic != MAGIC or zlib.crc32(header) != checksum:
        raise ValueError("its header is incomplete")
    table = json.loads(header)
    body = buffer[_begin(length) :]
    if len(body) < table["size"]:
        raise ValueError("it is truncated")
    if deep:
        for *_, start, size, checksum in (*table["arrays"].values(), *table["lists"].values()):
            if zlib.crc32(body[start : start + size]) != checksum:
                raise ValueError("its checksum does not match")
    arrays = {
        name: np.ndarray(shape, _number(kind), body[start : start + size])
        for name, (kind, shape, start, size, _) in table["arrays"].items()
    }
    return Content(table["facts"], arrays, _Lists(body, table["lists"]))


def _number(kind: str) -> np.dtype[Any]:
    dtype = np.dtype(kind)
    if dtype.kind not in _NUMBERS:
        raise ValueError(f"it has a column of type {kind}")
    return dtype
