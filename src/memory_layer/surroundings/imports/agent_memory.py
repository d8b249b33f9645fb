"""Read the folders in which Claude Code and Codex keep their own memory."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from memory_layer.errors import InvalidInput, NotFound
from memory_layer.model.imports import ImportSource, Origin, RulesFile, Skipped
from memory_layer.surroundings import careful_read
from memory_layer.surroundings.imports.fields import name
from memory_layer.surroundings.rules_files import text_of

HANDBOOK = "MEMORY.md"
MOST_FILES = 5_000
MOST_LOOKED_AT = 20_000  #: folders on the way to a project's own
_SESSION_BYTES = 256 * 1024  #: of a transcript that is asked for its folder
_SESSIONS = 5  #: transcripts asked, the newest first

#: Why parts of Codex's folder are not read: the handbook holds what is worth keeping of them.
_CODEX_OTHERS = {
    "memory_summary.md": "an index of the handbook",
    "raw_memories.md": "raw material of the handbook",
    "phase2_workspace_diff.md": "raw material of the handbook",
    "rollout_summaries": "the summary of a session, from which the handbook was made",
    "skills": "a skill; Codex and other agents read it from where it is",
    "extensions": "raw material of the handbook",
}
_NOTES = ("extensions", "ad_hoc", "notes")


def kind_of(path: Path) -> Origin | None:
    """Recognise a memory folder, a folder of such folders, or the handbook in one, by its place."""
    parts = Path(careful_read.real(path) or path).parts
    if parts and parts[-1] == HANDBOOK:
        parts = parts[:-1]
    if parts[-1:] == ("memories",) and _is_codex(Path(*parts)):
        return Origin.CODEX
    if parts[-1:] == ("memory",) and parts[-3:-2] == ("projects",):
        return Origin.CLAUDE_CODE
    return Origin.CLAUDE_CODE if parts[-1:] == ("projects",) and any(_project_folders(path)) else None


def _is_codex(folder: Path) -> bool:
    known = (folder / each for each in (HANDBOOK, "memory_summary.md"))
    return folder.parent.name == ".codex" or all(each.is_file() for each in known)


def read(path: Path, origin: Origin) -> ImportSource:
    """Read the Markdown files of a memory folder; report those that hold no memories."""
    if not os.path.lexists(path):
        raise NotFound(f"there is no file or folder {careful_read.printable(str(path))!r}")
    skipped: list[Skipped] = []
    files: list[RulesFile] = []
    for folder, file in _files(path, origin):
        if len(files) >= MOST_FILES:
            raise InvalidInput(f"more than {MOST_FILES:,} files found; name a smaller folder")
        shown = careful_read.printable(os.path.relpath(file, path if path.is_dir() else path.parent))
        reason = _left_out(file.relative_to(folder), origin)
        text, why = (None, reason) if reason else text_of(str(file))
        if text is None:
            skipped.append(Skipped(shown, why or "it cannot be read"))
        else:
            project = project_of(folder.parent) if folder.parent.parent.name == "projects" else None
            files.append(RulesFile(str(file), shown, text, _modified(file), project))
    return ImportSource(origin, files=tuple(files), skipped=tuple(skipped))


def _files(path: Path, origin: Origin) -> Iterator[tuple[Path, Path]]:
    """Yield every file below the folders, each with its memory folder; links are not followed."""
    if not path.is_dir():
        yield path.parent, path
        return
    several = origin is Origin.CLAUDE_CODE and path.name == "projects"
    for folder in _project_folders(path) if several else [path]:
        for where, below, names in os.walk(folder):
            below[:] = sorted(each for each in below if each != ".git")
            for file in (Path(where, each) for each in sorted(names)):
                if not file.is_symlink():
                    yield folder, file


def _project_folders(path: Path) -> Iterator[Path]:
    with suppress(OSError):
        for each in sorted(os.listdir(path)):
            folder = path / each / "memory"
            if folder.is_dir() and not folder.is_symlink():
                yield folder


def _left_out(inside: Path, origin: Origin) -> str | None:
    """Say why a file is not read; None if it is."""
    if inside.suffix.lower() != ".md":
        return "not a Markdown file"
    if origin is Origin.CODEX and inside.parts[:3] != _NOTES:
        return _CODEX_OTHERS.get(inside.parts[0])
    return None


def _modified(file: Path) -> datetime | None:
    try:
        return datetime.fromtimestamp(file.stat().st_mtime, UTC)
    except (OSError, OverflowError, ValueError):
        return None


def project_of(folder: Path) -> str | None:
    """Return the code base of one of Claude Code's project folders, or, if that is gone, a name for it."""
    return _from_sessions(folder) or _from_disk(folder.name) or name(folder.name.strip("-"))


def slug(path: str) -> str:
    """Return the name that Claude Code gives the folder of a project."""
    return re.sub(r"[^A-Za-z0-9]", "-", path)


def _from_sessions(folder: Path) -> str | None:
    """Ask the newest transcripts for the folder that they ran in; it must fit the name of the project's folder."""
    try:
        sessions = sorted(folder.glob("*.jsonl"), key=lambda each: -each.stat().st_mtime)[:_SESSIONS]
    except OSError:
        return None
    for session in sessions:
        for line in _beginning(session).split(b"\n")[:50]:
            with suppress(ValueError, RecursionError, AttributeError):
                cwd = json.loads(line).get("cwd")
                if isinstance(cwd, str) and slug(cwd) == folder.name and os.path.isdir(cwd):
                    return cwd
    return None


def _beginning(file: Path) -> bytes:
    try:
        with open(file, "rb", opener=careful_read.without_waiting) as opened:
            return opened.read(_SESSION_BYTES) or b""
    except (OSError, ValueError):
        return b""


def _from_disk(spelling: str) -> str | None:
    """Find the only folder on this machine with that name in Claude Code's spelling."""
    left = [MOST_LOOKED_AT]
    found = list(_matching(os.path.abspath(os.sep), spelling.removeprefix("-"), left))
    return found[0] if len(found) == 1 and left[0] > 0 else None


def _matching(folder: str, rest: str, left: list[int]) -> Iterator[str]:
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            left[0] -= 1
            if left[0] <= 0:
                return
            own = slug(entry.name)
            if not (rest == own or rest.startswith(f"{own}-")) or not entry.is_dir(follow_symlinks=False):
                continue
            if rest == own:
                yield entry.path
            else:
                yield from _matching(entry.path, rest[len(own) + 1 :], left)
