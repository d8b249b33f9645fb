"""The SQLite store: one file, and the verbs over it by family."""

from __future__ import annotations

from memory_layer.store.sqlite.candidates import Candidates
from memory_layer.store.sqlite.carry_in import CarryIn
from memory_layer.store.sqlite.carry_out import CarryOut
from memory_layer.store.sqlite.forgetting import Forgetting
from memory_layer.store.sqlite.links import Links
from memory_layer.store.sqlite.projects import Projects


class SqliteStore(Candidates, CarryIn, CarryOut, Forgetting, Links, Projects):
    """Memory at rest in one SQLite file."""
