"""The SQLite store: one file, and the verbs over it by family."""

from __future__ import annotations

from memory_layer.store.sqlite.candidates import Candidates
from memory_layer.store.sqlite.forgetting import Forgetting
from memory_layer.store.sqlite.notes import Notes
from memory_layer.store.sqlite.pairs import LookedAt
from memory_layer.store.sqlite.past import Past
from memory_layer.store.sqlite.projects import Projects


class SqliteStore(Candidates, Forgetting, LookedAt, Notes, Past, Projects):
    """Memory at rest in one SQLite file."""
