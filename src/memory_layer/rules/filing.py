"""The address a memory is filed under: two that share one are the same, and only one of them may live."""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Mapping

from memory_layer.model.memory import Memory
from memory_layer.model.vocabulary import Reason, Tier
from memory_layer.text.compare.duplicates import content_hash


def address(memory: Memory, project_id: str | None) -> str:
    """A fact is its text, a procedure its name, and every event its own.

    A hash of a forgotten text would confirm a guess; no text can hold a NUL, so its place is never met again.
    """
    if memory.reason is Reason.FORGOTTEN:
        return content_hash(None, f"\0{memory.id}")
    return place_of(memory.id, memory.tier, memory.content, memory.metadata, project_id)


def place_of(
    memory_id: str, tier: Tier, content: str, metadata: Mapping[str, object], project_id: str | None
) -> str:
    """The same for what becomes a memory."""
    if tier is Tier.EPISODIC:
        return content_hash(project_id, f"{memory_id}\0{content}")
    name = metadata.get("name")
    if tier is Tier.PROCEDURAL and isinstance(name, str):
        return named(name, project_id)
    return content_hash(project_id, content)


def named(name: str, project_id: str | None) -> str:
    """The address of the procedure of that name in a project."""
    material = f"{project_id or ''}\0procedure\0{folded(name)}"
    return hashlib.sha256(material.encode("utf-8", "surrogatepass")).hexdigest()


def folded(name: str) -> str:
    """The form in which equal names are equal: case and the width of white space do not count."""
    decomposed = unicodedata.normalize("NFD", " ".join(name.split())).casefold()
    return unicodedata.normalize("NFC", decomposed)
