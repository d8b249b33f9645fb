"""Read objects from git's files without running git, which may fetch or obey untrusted settings."""

from __future__ import annotations

import os
import struct
import zlib
from bisect import bisect_left
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import BinaryIO

from memory_layer.surroundings import careful_read

LARGEST_OBJECT = 16 * 1024 * 1024  #: bytes
DEEPEST_DELTA = 256  #: git itself makes chains of 50
#: Bytes unpacked for one answer: a hostile pack may hold deltas that would take minutes.
MOST_UNPACKED = 2 * LARGEST_OBJECT
LARGEST_NUMBER = 63  #: bits
MOST_ALTERNATES = 8
_INDEX_HEAD = b"\xfftOc\x00\x00\x00\x02"
_FAN = 256
_OFFSET_DELTA, _NAMED_DELTA = 6, 7
_TREE_MODE, _FILE_MODES = b"40000", (b"100644", b"100755", b"100664")
_BROKEN = (OSError, ValueError, IndexError, OverflowError, MemoryError, zlib.error, struct.error)


@lru_cache(maxsize=4)  # a commit never changes, and the rules of one file are cited one after another
def content_at(common_dir: Path, commit: str, path: str) -> bytes | None:
    """Return a file as of a commit; None if it is missing there or unreadable. Never raises."""
    try:
        objects = _Objects(str(common_dir), len(commit) // 2)
        return objects.content(objects.blob(commit, path))
    except _BROKEN:
        return None


@lru_cache(maxsize=64)
def blob_at(common_dir: Path, commit: str, path: str) -> str | None:
    """Return the blob name of a path in a commit; None if it is unknown. Never raises."""
    try:
        return _Objects(str(common_dir), len(commit) // 2).blob(commit, path)
    except _BROKEN:
        return None


def committed_at(common_dir: Path, commit: str) -> datetime | None:
    """Return the time of a commit by its committer's clock; None if it is unknown. Never raises."""
    try:
        head = _Objects(str(common_dir), len(commit) // 2).content(commit).partition(b"\n\n")[0]
        line = next(line for line in head.split(b"\n") if line.startswith(b"committer "))
        return datetime.fromtimestamp(int(line.rsplit(b" ", 2)[1]), UTC)
    except (*_BROKEN, StopIteration):
        return None


class _Objects:
    """The objects of one repository: loose, packed and borrowed ones."""

    def __init__(self, common_dir: str, width: int) -> None:
        self.width = width  #: bytes of a name
        self.left = MOST_UNPACKED
        self.folders = [os.path.join(common_dir, "objects")]
        for folder in self.folders:  # grows while it is walked
            alternates = careful_read.text(os.path.join(folder, "info", "alternates")) or ""
            more = [os.path.join(folder, line) for line in alternates.splitlines() if line and line[0] != "#"]
            self.folders += more[: MOST_ALTERNATES - len(self.folders)]

    def blob(self, commit: str, path: str) -> str:
        """Return the name of the blob under a path of a commit."""
        head = self.content(commit).partition(b"\n")[0]
        name = head.removeprefix(b"tree ").decode("ascii")
        *folders, file = os.fsencode(path).split(b"/")
        for folder in folders:
            name = self.entry(name, folder, (_TREE_MODE,))
        return self.entry(name, file, _FILE_MODES)

    def entry(self, tree: str, wanted: bytes, modes: tuple[bytes, ...]) -> str:
        """Return the object name of a tree's entry."""
        content, at = self.content(tree), 0
        while at < len(content):
            end = content.index(b"\0", at)
            mode, _, name = content[at:end].partition(b" ")
            at = end + 1 + self.width
            if name == wanted:
                if mode not in modes:
                    break
                return content[end + 1 : at].hex()
        raise ValueError("no such entry")

    def content(self, name: str, depth: int = 0) -> bytes:
        """Return the content of an object without its header."""
        for folder in self.folders:
            loose = careful_read.regular(os.path.join(folder, name[:2], name[2:]), LARGEST_OBJECT)
            if loose is not None:
                whole = zlib.decompressobj().decompress(loose, LARGEST_OBJECT)
                head, _, content = whole.partition(b"\0")
                if int(head.split(b" ")[1]) != len(content):
                    raise ValueError("cut off or too large")
                return content
        for index in self._indexes():
            with open(index, "rb", opener=careful_read.without_waiting) as file:
                offset = self._offset(file, bytes.fromhex(name))
            if offset is not None:
                with open(f"{index[:-4]}.pack", "rb", opener=careful_read.without_waiting) as pack:
                    return self._packed(pack, offset, depth)
        raise ValueError("no such object")

    def _indexes(self) -> Iterator[str]:
        for folder in self.folders:
            packs = os.path.join(folder, "pack")
            names = sorted(os.listdir(packs)) if os.path.isdir(packs) else []
            yield from (os.path.join(packs, name) for name in names if name.endswith(".idx"))

    def _offset(self, index: BinaryIO, name: bytes) -> int | None:
        """Return an object's offset in the pack of an index; None if it is not in it."""
        if index.read(8) != _INDEX_HEAD:
            return None
        fan = struct.unpack(f">{_FAN}I", index.read(4 * _FAN))
        first, last, total = fan[name[0] - 1] if name[0] else 0, fan[name[0]], fan[-1]
        names = 8 + 4 * _FAN

        def name_at(place: int) -> bytes:
            index.seek(names + place * self.width)
            return index.read(self.width)

        place = bisect_left(range(last), name, lo=first, key=name_at)
        if place >= last or name_at(place) != name:
            return None
        offsets = names + total * (self.width + 4)  # behind the names and their checksums
        (offset,) = _numbers(index, offsets + 4 * place, ">I")
        if offset & 0x80000000:
            (offset,) = _numbers(index, offsets + 4 * total + 8 * (offset & 0x7FFFFFFF), ">Q")
        return offset

    def _packed(self, pack: BinaryIO, offset: int, depth: int) -> bytes:
        if depth > DEEPEST_DELTA:
            raise ValueError("too many steps")
        pack.seek(offset)
        byte = pack.read(1)[0]
        kind, size, shift = byte >> 4 & 7, byte & 15, 4
        while byte & 0x80 and shift < LARGEST_NUMBER:
            byte = pack.read(1)[0]
            size |= (byte & 0x7F) << shift
            shift += 7
        self.left -= size
        if self.left < 0:
            raise ValueError("too much to unpack")
        if kind == _OFFSET_DELTA:
            back = _distance(pack)
            if not 0 < back <= offset:
                raise ValueError("a delta against nothing before it")
            change = _inflated(pack, size)
            return _applied(change, self._packed(pack, offset - back, depth + 1))
        if kind == _NAMED_DELTA:
            base = pack.read(self.width).hex()
            change = _inflated(pack, size)
            return _applied(change, self.content(base, depth + 1))
        return _inflated(pack, size)


def _numbers(file: BinaryIO, place: int, form: str) -> tuple[int, ...]:
    file.seek(place)
    return struct.unpack(form, file.read(struct.calcsize(form)))


def _distance(pack: BinaryIO) -> int:
    """Read the distance from a delta back to its base."""
    byte = pack.read(1)[0]
    back = byte & 0x7F
    while byte & 0x80 and not back >> LARGEST_NUMBER:
        byte = pack.read(1)[0]
        back = (back + 1) << 7 | byte & 0x7F
    return back


def _inflated(pack: BinaryIO, size: int) -> bytes:
    if size > LARGEST_OBJECT:
        raise ValueError("too large")
    unpacking, content = zlib.decompressobj(), b""
    while len(content) < size and (chunk := pack.read(64 * 1024)):
        content += unpacking.decompress(chunk, size - len(content) + 1)
    if len(content) != size:
        raise ValueError("not of the size it says")
    return content


def _applied(change: bytes, base: bytes) -> bytes:
    """Apply a delta to its base: copied spans, and new ones."""
    _, at = _size(change, 0)
    size, at = _size(change, at)
    if size > LARGEST_OBJECT:
        raise ValueError("too large")
    pieces: list[bytes] = []
    length_so_far = 0
    while at < len(change) and length_so_far <= size:
        order = change[at]
        at += 1
        if order & 0x80:
            start, at = _packed_number(change, at, order & 15, 4)
            length, at = _packed_number(change, at, order >> 4 & 7, 3)
            pieces.append(base[start : start + (length or 0x10000)])
        else:
            pieces.append(change[at : at + order])
            at += order
        if not pieces[-1]:
            raise ValueError("an order for nothing")
        length_so_far += len(pieces[-1])
    if length_so_far != size:
        raise ValueError("not of the size it says")
    return b"".join(pieces)


def _size(change: bytes, at: int) -> tuple[int, int]:
    size = shift = 0
    while True:
        byte = change[at]
        at += 1
        size |= (byte & 0x7F) << shift
        shift += 7
        if not byte & 0x80 or shift > LARGEST_NUMBER:
            return size, at


def _packed_number(change: bytes, at: int, present: int, most: int) -> tuple[int, int]:
    """Read a number of which only the bytes flagged in `present` are stored."""
    number = 0
    for place in range(most):
        if present >> place & 1:
            number |= change[at] << 8 * place
            at += 1
    return number, at
