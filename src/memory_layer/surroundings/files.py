"""Create citations: lines of a file in the project, or an address, as they are at this moment."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable, Sequence
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from memory_layer.errors import InvalidInput
from memory_layer.model.memory import Citation
from memory_layer.model.record import NamedTuple
from memory_layer.model.sources import lines_hash, lines_of
from memory_layer.surroundings import careful_read
from memory_layer.surroundings.git import head_commit
from memory_layer.surroundings.git_objects import content_at
from memory_layer.surroundings.tree import ProjectTree

if TYPE_CHECKING:
    from memory_layer.ports import Workspace

LARGEST_FILE = 5 * 1024 * 1024  #: bytes
#: Characters. More than is kept: a secret cut off in the middle could no longer be recognised and redacted.
LONGEST_EXCERPT = 1000
LONGEST_REFERENCE = 2000  #: characters
LONGEST_SHOWN = 80  #: characters of a refused path in its error
_PEEK = 8000  #: bytes in which a NUL makes a file binary, as in git

_REFERENCE = re.compile(r"(.+?)(?::([0-9]{1,9})(?:-([0-9]{1,9}))?)?")
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+)://")
_ADDRESS = re.compile(r"https?://([^\s/?#]+)([/?#]\S*)?", re.IGNORECASE)


def cite(
    reference: str, place: Workspace, cwd: Path | None = None, may_read: Callable[[str], bool] | None = None
) -> Citation:
    """Resolve `path[:line[-line]]` or an http(s) address; a path is tried in `cwd`, then the root.

    For a file that `may_read` does not allow, path and lines are kept as they were written, without looking at its
    content or at whether it exists.
    """
    reference = reference.strip()
    if not reference or len(reference) > LONGEST_REFERENCE or not reference.isprintable():
        raise InvalidInput(
            f"a citation must be a path or address of 1 to {LONGEST_REFERENCE} printable characters"
        )
    if scheme := _SCHEME.match(reference):
        return Citation(url=_address(reference, scheme[1]))
    parsed = _REFERENCE.fullmatch(reference)
    assert parsed is not None  # any text fits
    path, first, last = parsed.groups()
    file = _read(path, place, [base for base in (cwd, place.root) if base is not None], may_read)
    if isinstance(file, str):
        return _path_only(file, first, last)
    if b"\0" not in file.content[:_PEEK]:
        text = _Text(file)
        return text.citation(_span(first, last, len(text.lines), file.shown))
    if first:
        raise InvalidInput(f"{file.shown} is not a text file, so it can only be cited as a whole")
    held = file.commit if file.committed == file.content else None
    return Citation(path=file.shown, commit=held, lines_hash=sha256(file.content).hexdigest())


def cite_lines(
    path: str,
    spans: Sequence[tuple[int, int]],
    place: Workspace,
    may_read: Callable[[str], bool] | None = None,
) -> list[Citation]:
    """Cite several line ranges of one text file, which is read once; all of them must exist."""
    file = _read(path, place, [place.root], may_read)
    if isinstance(file, str):
        return [_path_only(file, str(first), str(last)) for first, last in spans]
    if b"\0" in file.content[:_PEEK]:
        raise InvalidInput(f"{file.shown} is not a text file, so it can only be cited as a whole")
    text = _Text(file)
    return [text.citation(_span(str(first), str(last), len(text.lines), file.shown)) for first, last in spans]


class _File(NamedTuple):
    """A file of the project, and its content in the commit that is checked out."""

    shown: str
    content: bytes
    commit: str | None
    committed: bytes | None


class _Text:
    """A file split into lines, once for all citations of it."""

    def __init__(self, file: _File) -> None:
        self._file = file
        self.lines = lines_of(file.content)
        self._committed = None if file.committed is None else lines_of(file.committed)

    def citation(self, span: tuple[int, int] | None) -> Citation:
        cited = self.lines[span[0] - 1 : span[1]] if span else self.lines
        return Citation(
            path=self._file.shown,
            first_line=span[0] if span else None,
            last_line=span[1] if span else None,
            commit=self._file.commit if self._holds(cited, span) else None,
            lines_hash=lines_hash(cited),
            excerpt=_excerpt(cited),
        )

    def _holds(self, cited: Sequence[bytes], span: tuple[int, int] | None) -> bool:
        """Return whether the commit holds the cited lines in the same place."""
        lines = self._committed
        return lines is not None and (lines[span[0] - 1 : span[1]] if span else lines) == cited


def _read(
    path: str, place: Workspace, bases: Sequence[Path], may_read: Callable[[str], bool] | None
) -> _File | str:
    """Read a file of the project; return only its path, as it was written, if it may not be read."""
    written = _as_written(path, place, bases) if may_read is not None else []
    if may_read is not None and written:
        bases = [base for base, shown in written if may_read(shown)]
    if not bases:
        return written[-1][1]
    file = _inside(path, place, bases)
    shown = file.relative_to(place.root).as_posix()
    if may_read is not None and not may_read(shown):  # a link leads there
        if not written:
            raise _outside(path, place)
        return written[-1][1]
    content = _content(file, shown, place)
    commit = head_commit(place)
    committed = content_at(place.common_dir, commit, shown) if commit and place.common_dir else None
    return _File(shown, content, commit, committed)


def _address(reference: str, scheme: str) -> str:
    if scheme.lower() not in ("http", "https"):
        raise InvalidInput(f"only http and https addresses can be cited, not {scheme.lower()}")
    parsed = _ADDRESS.fullmatch(reference)
    if parsed is None:
        raise InvalidInput(f"{reference[:80]!r} is not a complete address")
    if "@" in parsed[1]:
        raise InvalidInput("an address must not contain a user name or password; leave out the part before @")
    return reference


def _as_written(path: str, place: Workspace, bases: Sequence[Path]) -> list[tuple[Path, str]]:
    """Return the base folders from which the path stays below the root, without touching any file."""
    root = os.path.realpath(place.root)
    tries = [(base, os.path.normpath(os.path.join(os.path.realpath(base), path))) for base in bases]
    within = [(base, os.path.relpath(file, root)) for base, file in tries if _is_below(file, root)]
    return [(base, inside.replace(os.sep, "/")) for base, inside in within]


def _path_only(shown: str, first: str | None, last: str | None) -> Citation:
    """Return a citation of which only the location is known."""
    if _is_of_git(shown):
        raise InvalidInput(f"{_short(shown)} is part of git's own data and cannot be cited")
    span = _span(first, last, None, shown)
    return Citation(path=shown, first_line=span[0] if span else None, last_line=span[1] if span else None)


def _inside(path: str, place: Workspace, bases: Sequence[Path]) -> Path:
    """Resolve a path, links included, to a file in the project."""
    root = os.path.realpath(place.root)
    tries = [careful_read.real(os.path.join(base, path)) for base in bases]
    within = [file for file in tries if file and _is_below(file, root)]
    if not within:
        raise _outside(path, place)
    file = next((file for file in within if os.path.lexists(file)), within[-1])
    below = Path(file).relative_to(root)
    if _is_of_git(str(below)):
        raise InvalidInput(f"{_short(path)} is part of git's own data and cannot be cited")
    if not str(below).isprintable():
        raise InvalidInput(f"{_short(path)} leads to a file whose name is not printable")
    return place.root / below


def _outside(path: str, place: Workspace) -> InvalidInput:
    return InvalidInput(
        f"{_short(path)} is outside the project {place.name}; only files of the project can be cited"
    )


def _short(path: str) -> str:
    return path if len(path) <= LONGEST_SHOWN else f"{path[:LONGEST_SHOWN]}…"


def _is_of_git(path: str) -> bool:
    """Return whether a path leads into git's own folder, also on a case-insensitive disk."""
    return ".git" in path.lower().split(os.sep)


def _is_below(file: str, root: str) -> bool:
    return file.startswith(root.rstrip(os.sep) + os.sep)


def _content(file: Path, shown: str, place: Workspace) -> bytes:
    try:
        status = os.stat(file)
    except FileNotFoundError:
        raise InvalidInput(f"there is no file {shown} in the project") from None
    except OSError as error:
        raise InvalidInput(f"{shown} cannot be read: {error.strerror}") from error
    if not stat.S_ISREG(status.st_mode):
        kind = "a directory" if stat.S_ISDIR(status.st_mode) else "not a regular file"
        raise InvalidInput(f"{shown} is {kind}; only files can be cited")
    if status.st_size > LARGEST_FILE:
        raise InvalidInput(f"{shown} is larger than {LARGEST_FILE // 1024 // 1024} MB, too large to cite")
    content = ProjectTree(place).read(shown).content
    if content is None:
        raise InvalidInput(f"{shown} cannot be read")
    return content


def _span(first: str | None, last: str | None, count: int | None, shown: str) -> tuple[int, int] | None:
    if first is None:
        return None
    low, high = int(first), int(last or first)
    if not 1 <= low <= high:
        raise InvalidInput(f"{shown} has no lines {low} to {high}; lines are numbered from 1")
    if count is not None and high > count:
        raise InvalidInput(f"{shown} has {count} lines, so line {high} cannot be cited")
    return low, high


def _excerpt(lines: Sequence[bytes]) -> str | None:
    """Return the beginning of the lines without control characters."""
    start = b"\n".join(lines[:LONGEST_EXCERPT])[: LONGEST_EXCERPT * 8].decode("utf-8", "replace")
    shown = "".join(char for char in start.removeprefix("\ufeff") if char.isprintable() or char in "\n\t")
    return shown.strip("\n")[:LONGEST_EXCERPT] or None
