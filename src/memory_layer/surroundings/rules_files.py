"""Find and read the files in which people write rules for coding agents."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from memory_layer.errors import InvalidInput, NotFound
from memory_layer.model.imports import ImportSource, Origin, RulesFile, Skipped
from memory_layer.surroundings import careful_read

LARGEST_FILE = 1024 * 1024  #: bytes
MOST_FILES = 5_000
MOST_FOLDERS = 100_000
OTHERS_SHOWN = 5  #: names of Markdown files that are no rules files

NAMES = frozenset(
    "CLAUDE.md CLAUDE.local.md AGENTS.md AGENTS.override.md GEMINI.md .cursorrules .windsurfrules .clinerules .rules"
    " copilot-instructions.md".split()
)
#: Endings that only rules files have.
ENDINGS = (".mdc", ".instructions.md")
#: Folders whose Markdown files are rules.
RULES_FOLDERS = (".cursor/rules", ".windsurf/rules", ".clinerules", ".claude/rules", ".roo/rules")
#: Folders of dependencies and build output.
FOREIGN_FOLDERS = frozenset(
    ".git .hg .svn node_modules __pycache__ vendor dist build target .venv venv site-packages .tox".split()
)


def read(path: Path) -> ImportSource:
    """Read the rules files that a path names or contains; report what could not be read."""
    if not os.path.lexists(path):
        raise NotFound(f"there is no file or folder {careful_read.printable(str(path))!r}")
    files: list[RulesFile] = []
    skipped: list[Skipped] = []
    seen: dict[str, str] = {}
    others: list[str] = []
    for file, shown in _rules_files(path, skipped, others) if path.is_dir() else [(str(path), _shown(path))]:
        if len(files) >= MOST_FILES:
            raise InvalidInput(f"more than {MOST_FILES:,} rules files found; name a smaller folder")
        reason = _elsewhere(file, path) if path.is_dir() else None
        real = careful_read.real(file) or file
        if reason is None and real in seen:
            reason = f"the same file as {seen[real]}"
        text = None
        if reason is None:
            seen[real] = shown
            text, reason = text_of(file)
        if text is None:
            skipped.append(Skipped(shown, reason or "it cannot be read"))
        else:
            files.append(RulesFile(file, shown, text))
    return ImportSource(
        Origin.RULES, files=tuple(files), skipped=tuple(skipped), notes=tuple(_note_on(others))
    )


def _shown(path: Path) -> str:
    """Return the shortest form of a path from here, for a report."""
    return careful_read.printable(min(str(path), os.path.relpath(path), key=len))


def _note_on(others: list[str]) -> Iterator[Skipped]:
    """Yield a note about Markdown files that are not named like rules files."""
    if others:
        shown = ", ".join(others[:OTHERS_SHOWN]) + (", …" if len(others) > OTHERS_SHOWN else "")
        files = "1 Markdown file is" if len(others) == 1 else f"{len(others):,} Markdown files are"
        yield Skipped("folder", f"{files} not named like a rules file; import by path if wanted ({shown})")


def _rules_files(folder: Path, skipped: list[Skipped], others: list[str]) -> Iterator[tuple[str, str]]:
    """Yield every rules file below a folder in a fixed order, without following links to other folders.

    Other files in a rules folder are added to `skipped`, other Markdown files to `others`.
    """
    top = careful_read.printable(careful_read.real(folder) or str(folder))
    for folders, (where, below, names) in enumerate(os.walk(folder)):
        if folders >= MOST_FOLDERS:
            raise InvalidInput(f"{folder} has more than {MOST_FOLDERS:,} folders; name a smaller one")
        below[:] = sorted(
            name for name in below if name not in FOREIGN_FOLDERS and not _is_environment(where, name)
        )
        inside = careful_read.printable(os.path.relpath(where, folder))
        # Compared as an absolute path, so that it does not matter how the folder is named.
        holds_rules = any(f"/{rules}/" in f"{top}/{inside}/" for rules in RULES_FOLDERS)
        for name in sorted(names):
            shown = (
                careful_read.printable(name) if inside == "." else f"{inside}/{careful_read.printable(name)}"
            )
            if name in NAMES or name.endswith(ENDINGS) or (holds_rules and name.endswith(".md")):
                yield os.path.join(where, name), shown
            elif holds_rules:
                skipped.append(Skipped(shown, "not a Markdown file"))
            elif name.endswith(".md"):
                others.append(shown)


def _is_environment(where: str, name: str) -> bool:
    return os.path.exists(os.path.join(where, name, "pyvenv.cfg"))


def _elsewhere(file: str, folder: Path) -> str | None:
    """Explain why a file of a folder is skipped: it leads out of it. None if it does not."""
    real, root = careful_read.real(file), careful_read.real(folder)
    if real is None or root is None:
        return "a broken link"
    return None if real.startswith(root.rstrip(os.sep) + os.sep) else "a link out of the folder"


def text_of(file: str) -> tuple[str | None, str | None]:
    """Return the text of a file, or the reason it has none."""
    content = careful_read.regular(file, LARGEST_FILE)
    if content is None:
        return None, _unreadable(file)
    if b"\0" in content:
        return None, "it is not a text file"
    try:
        return content.decode("utf-8"), None
    except UnicodeDecodeError as error:
        return None, f"it is not valid UTF-8 (byte {error.start + 1:,})"


def _unreadable(file: str) -> str:
    try:
        size = os.stat(file).st_size
    except OSError as error:
        return f"it cannot be read: {error.strerror}"
    if size > LARGEST_FILE:
        return f"it is larger than {LARGEST_FILE // 1024 // 1024} MB"
    return "it is not a readable regular file"
