"""Remember how each memory stood at the last sync, and tell from it which revision comes next."""

from __future__ import annotations

import json
from collections.abc import Mapping

from memory_layer.model.sync import Revision, SyncNote
from memory_layer.rules.transfer.revision_file import text_digest


def known_revision(state: Revision, note: SyncNote) -> Revision:
    """Return the revision that a note is about, if the state here is exactly its state."""
    before = tuple(name for name in note.seen if name != note.revision)
    is_own_text = state.memory is None or note.text == note.revision
    return state._replace(replaces=before, text_of=None if is_own_text else note.text)


def next_revision(state: Revision, note: SyncNote | None) -> Revision:
    """Return this store's own revision, which follows those it has seen."""
    if note is None:
        return state
    is_old_text = state.memory is not None and text_digest(state) == note.body
    return state._replace(replaces=note.seen, text_of=note.text if is_old_text else None)


def read(text: str | None) -> dict[str, SyncNote]:
    """Read the notes of a project by memory."""
    stored = json.loads(text or "{}")
    return {name: SyncNote._make([*fields[:-1], tuple(fields[-1])]) for name, fields in stored.items()}


def written(notes: Mapping[str, SyncNote]) -> str:
    """Write the notes of a project."""
    return json.dumps(notes, sort_keys=True, separators=(",", ":"))
