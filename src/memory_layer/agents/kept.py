"""Notes of what `mem install` changed, so that a file nobody has touched since can be given back byte for byte.

A note holds the pieces that were replaced, never a copy of the file: the files of other programs may hold secrets.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import TypeAlias

from memory_layer.agents import files
from memory_layer.errors import InvalidInput
from memory_layer.model.record import NamedTuple

FOLDER = "installed"  #: in the state folder
Edit: TypeAlias = tuple[int, int, str]  #: a place in a text, how many characters go, and what comes there


class FileNote(NamedTuple):
    """The way back from what was written to a file."""

    digest: str  #: of the text that we wrote
    undo: tuple[Edit, ...]  #: in this order
    is_new: bool  #: whether there was no file
    folders: tuple[str, ...]  #: that were made for it, the deepest first

    def fits(self, text: str) -> bool:
        """Is this the very text that we wrote?"""
        return self.digest == digest(text)


def edits(texts: Sequence[str]) -> tuple[Edit, ...]:
    """Return what leads from each text to the next."""
    return tuple(_edit(old, new) for old, new in pairwise(texts) if old != new)


def edited(text: str, changes: Sequence[Edit]) -> str:
    """Return a text after these changes."""
    for start, length, new in changes:
        text = text[:start] + new + text[start + length :]
    return text


def read(path: Path, state: Path) -> FileNote | None:
    """Return the note about a file; None if there is none that can be read."""
    try:
        found = json.loads(files.read_text(_place(path, state)) or "null")
        undo = tuple((int(start), int(length), str(new)) for start, length, new in found["undo"])
        return FileNote(str(found["digest"]), undo, bool(found["is_new"]), tuple(map(str, found["folders"])))
    except (InvalidInput, ValueError, TypeError, KeyError):
        return None


def has_notes(state: Path) -> bool:
    """Has `mem install` connected an agent that is still connected?"""
    return any((state / FOLDER).glob("*.json"))


def write(path: Path, state: Path, note: FileNote) -> None:
    """Keep a note, for the eyes of its owner alone."""
    place = _place(path, state)
    with contextlib.suppress(OSError):  # the next line says what is wrong
        place.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    files.replace(place, json.dumps({"file": str(path), **note._asdict()}))


def follow(path: Path, state: Path, before: str, after: str) -> None:
    """Take what an agent itself has just changed for us into the note, so that it goes with our entries."""
    note = read(path, state)
    if note is not None and note.fits(before) and before != after:
        write(path, state, note._replace(digest=digest(after), undo=(*edits([after, before]), *note.undo)))


def forget(path: Path, state: Path) -> None:
    _place(path, state).unlink(missing_ok=True)


def digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _place(path: Path, state: Path) -> Path:
    return state / FOLDER / f"{digest(str(path))[:16]}.json"


def _edit(old: str, new: str) -> Edit:
    start = _same(old, new)
    end = _same(old[start:][::-1], new[start:][::-1])
    return start, len(old) - start - end, new[start : len(new) - end]


def _same(one: str, other: str) -> int:
    """Count the characters with which both begin, by halves: the texts may be long."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if one[low:middle] == other[low:middle] else (low, middle - 1)
    return low
