"""Turn the memory that an agent keeps in files into memories of the projects it is about."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from memory_layer.model.imports import ForeignMemory, ImportSource, Origin, RulesFile, Skipped
from memory_layer.model.memory import Draft, Project
from memory_layer.model.vocabulary import Priority
from memory_layer.ports import Engine, Workspace
from memory_layer.rules.transfer.rule_kinds import kind_of_note
from memory_layer.text.memory_notes import MemoryNote, Notes, claude_notes, codex_notes
from memory_layer.usecases.who.projects import named_project, project_of

KEY = "imported"  #: the metadata key of what has no place here


def memories(
    engine: Engine, reading: ImportSource, skipped: list[Skipped]
) -> Iterator[tuple[ForeignMemory, Project | None]]:
    """Yield the notes of every file with their projects; None is a note about no code base."""
    beside = {os.path.basename(file.path) for file in reading.files}
    known: dict[str | None, Project | None] = {None: None}
    for file in reading.files:
        is_codex = reading.origin is Origin.CODEX
        found = codex_notes(file.text) if is_codex else claude_notes(file.text, beside)
        skipped += [Skipped(f"{file.name}:{line}", why) for line, why in found.skipped]
        if not (found.notes or found.skipped):
            skipped.append(Skipped(file.name, "an empty file"))
        for note in found.notes:
            about = file.project or note.folder
            if about not in known:
                known[about] = _project(engine, str(about), reading.origin)
            yield _item(reading.origin, file, found, note), known[about]


def _item(origin: Origin, file: RulesFile, found: Notes, note: MemoryNote) -> ForeignMemory:
    told = {
        "store": origin.value,
        "file": file.name,
        "title": found.title,
        "description": found.description,
        "heading": " > ".join(note.headings),
    }
    draft = Draft(
        content=note.text,
        category=kind_of_note(note.text, note.kind, note.headings),
        priority=Priority.NORMAL,  # a guessed category must not put a note into every context
        tags=(note.kind,) if note.kind else (),
        metadata={KEY: {name: value for name, value in told.items() if value}},
        created_at=file.modified_at,
        never_expires=True,
    )
    return ForeignMemory(where=f"{file.name}:{note.first}", draft=draft)


def _project(engine: Engine, about: str, origin: Origin) -> Project | None:
    """Return the project of a folder; of one that is gone the known one, or one that is only a name."""
    if os.path.isabs(about) and os.path.isdir(about):
        return project_of(engine, engine.surroundings.locate(Path(about)))
    name = os.path.basename(about.rstrip("/\\")) if os.path.isabs(about) else about
    if origin is Origin.CODEX and not os.path.isabs(about):
        return None  # a way of working, not a folder
    if known := named_project(engine, about):
        return known
    return project_of(engine, Workspace(Path(), f"{origin}:{name}", (), name, None))._replace(
        root=None, is_stored=False
    )
