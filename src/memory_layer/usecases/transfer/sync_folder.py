"""Read and write the revision files of a shared folder."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from memory_layer.errors import InvalidInput
from memory_layer.model.imports import Skipped
from memory_layer.model.record import NamedTuple
from memory_layer.model.sync import Revision
from memory_layer.rules.transfer import revision_file

_FLAGS = (
    os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
)
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)


class FolderContents(NamedTuple):
    """The readable revisions of a folder by memory and digest, and the files that cannot be used."""

    revisions: dict[str, dict[str, Revision]]
    skipped: tuple[Skipped, ...] = ()


def read_folder(folder: Path) -> FolderContents:
    """Read every revision file; other files are not looked at. A folder that is missing is empty."""
    try:
        names = sorted(name for name in os.listdir(folder) if name.startswith("mem_"))
    except FileNotFoundError:
        return FolderContents({})
    except NotADirectoryError:
        raise InvalidInput(f"{folder} is not a folder; nothing was changed") from None
    except OSError as error:
        raise InvalidInput(f"{folder} cannot be read: {error.strerror}; nothing was changed") from None
    contents, skipped = FolderContents({}), []
    for name in names:
        try:
            revision = revision_file.read(name, _bytes(folder / name))
        except InvalidInput as error:
            skipped.append(Skipped(_shown(name), str(error)))
            continue
        contents.revisions.setdefault(revision.id, {})[revision_file.digest(revision)] = revision
    return contents._replace(skipped=tuple(skipped))


def write_files(folder: Path, revisions: Iterable[Revision]) -> None:
    """Write revisions, each complete or not at all."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for revision in revisions:
            _write(folder, revision_file.file_name(revision), revision_file.written(revision))
    except OSError as error:
        raise InvalidInput(
            f"{folder} cannot be written: {error.strerror}; the next sync writes what is missing"
        ) from error


def remove_files(folder: Path, revisions: Iterable[Revision]) -> None:
    """Delete the files of superseded revisions; one that is gone already is fine."""
    for revision in revisions:
        with suppress(FileNotFoundError):
            os.unlink(folder / revision_file.file_name(revision))


def _write(folder: Path, name: str, raw: bytes) -> None:
    part = folder / f".{name}.part"
    with suppress(FileNotFoundError):  # left by a process that was killed
        os.unlink(part)
    with open(os.open(part, _NEW, 0o644), "wb") as out:
        out.write(raw)
    os.replace(part, folder / name)


def _bytes(path: Path) -> bytes:
    try:
        with open(os.open(path, _FLAGS), "rb") as file:
            about = os.fstat(file.fileno())
            if not stat.S_ISREG(about.st_mode):
                raise InvalidInput("it is not a regular file")
            if about.st_size > revision_file.LARGEST_FILE:
                raise InvalidInput(f"it is larger than {revision_file.LARGEST_FILE:,} bytes")
            return file.read(revision_file.LARGEST_FILE + 1)
    except OSError as error:
        raise InvalidInput("it is not a regular file") from error


def _shown(name: str) -> str:
    """Return a file name that is safe to print."""
    return "".join(each if each.isprintable() else "?" for each in name)[:120]
