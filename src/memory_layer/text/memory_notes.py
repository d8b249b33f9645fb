"""Split the files in which Claude Code and Codex keep their own memory into single notes."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection

from memory_layer.model.record import NamedTuple
from memory_layer.text.markdown import BlockKind, parse_page
from memory_layer.text.rules_file import rules_in

LONGEST_NOTE = 2_000  #: characters; a longer file is split like a rules file
#: The kinds of a note that Claude Code writes; the file of one holds one note.
KINDS = ("user", "feedback", "project", "reference")

_INDEX_ENTRY = re.compile(r"\s{0,8}[-*]\s{1,4}\[[^\]\n]{1,300}\]\((?:\./)?([^)\s]{1,200}\.md)\)")
_GROUP = re.compile(r"#\s+Task Group:")
_TASK = re.compile(r"##\s+Task \d+\b")
_HEADING = re.compile(r"#{1,6}\s")
_ROUTING = re.compile(r"###\s+(?:rollout_summary_files|extension_resource_files|keywords)\s*$")
_LABEL = re.compile(r"(?:scope|applies_to):")
_FOLDER = re.compile(r"\bcwd\s?=\s?([^;\n]{1,1000})")
_TRACE = re.compile(r"\[(?:Task \d{1,4}|ad-hoc note)\]\Z")


class MemoryNote(NamedTuple):
    """A note with its lines, the headings above it, and its project if the file names one."""

    text: str
    first: int
    headings: tuple[str, ...] = ()
    kind: str | None = None  #: as the file names it
    folder: str | None = None


class Notes(NamedTuple):
    """The notes of a file, the skipped lines with reasons, and its title."""

    notes: tuple[MemoryNote, ...]
    skipped: tuple[tuple[int, str], ...] = ()
    title: str | None = None
    description: str | None = None


def claude_notes(text: str, beside: Collection[str] = ()) -> Notes:
    """Find the notes of a file of Claude Code's memory; entries that only point to files `beside` it are skipped."""
    page = parse_page(text)
    title, description = (", ".join(page.front.get(key, ())) or None for key in ("name", "description"))
    kind = next((each for each in page.front.get("type", ()) if each in KINDS), None)
    first = next((block.first for block in page.blocks if block.kind is not BlockKind.BREAK), None)
    if (kind or (title and description)) and first:
        body = "\n".join(_lines(text)[first - 1 :]).strip()
        if len(body) <= LONGEST_NOTE:
            return Notes((MemoryNote(body, first, kind=kind),), (), title, description)

    def reason(line: str) -> str | None:
        entry = _INDEX_ENTRY.match(line)
        return "an entry of the index" if entry and entry[1] in beside else None

    found = _without(text, reason)
    notes = tuple(note._replace(kind=kind) for note in found.notes)
    return found._replace(notes=notes, title=title, description=description)


def codex_notes(text: str) -> Notes:
    """Find the notes of Codex's handbook, each with the folder that its group of tasks is about."""
    folders = _folders(text)
    in_routing = False

    def reason(line: str) -> str | None:
        nonlocal in_routing
        if _HEADING.match(line):
            in_routing = _ROUTING.match(line) is not None
            return "a task heading" if _TASK.match(line) else "a pointer to sessions" if in_routing else None
        if _LABEL.match(line):
            return "a label of the group"
        return "a pointer to sessions" if in_routing else None

    found = _without(text, reason)
    notes = [
        note._replace(text=_without_traces(note.text), folder=_folder_at(folders, note.first))
        for note in found.notes
    ]
    return found._replace(notes=tuple(notes))


def _without_traces(text: str) -> str:
    """Drop the references to tasks at the end of a note."""
    while trace := _TRACE.search(text, max(0, len(text) - 20)):
        text = text[: trace.start()].rstrip()
    return text


def _without(text: str, reason: Callable[[str], str | None]) -> Notes:
    """Split a text like a rules file, without the lines for which there is a reason to skip them."""
    kept: list[str] = []
    skipped: list[tuple[int, str]] = []
    for number, line in enumerate(_lines(text), 1):
        why = reason(line) if line.strip() else None
        kept.append("" if why else line)
        if why:
            skipped.append((number, why))
    found = rules_in("\n".join(kept))
    notes = tuple(MemoryNote(rule.text, rule.first, rule.headings) for rule in found.rules)
    return Notes(notes, tuple(sorted([*skipped, *found.skipped])))


def _folders(text: str) -> list[tuple[int, str | None]]:
    """Return the first line of each group of tasks with the folder that it applies to."""
    found: list[tuple[int, str | None]] = []
    for number, line in enumerate(_lines(text), 1):
        if _GROUP.match(line):
            found.append((number, None))
        elif found and line.startswith("applies_to:") and (folder := _FOLDER.search(line)):
            found[-1] = (found[-1][0], folder[1].strip())
    return found


def _folder_at(folders: list[tuple[int, str | None]], line: int) -> str | None:
    return next((folder for first, folder in reversed(folders) if first <= line), None)


def _lines(text: str) -> list[str]:
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
