"""Map what mem0 remembered, from its history file or from a saved `get_all`, to memories."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from memory_layer.model.imports import ForeignMemory, Origin, Skipped
from memory_layer.model.memory import Draft
from memory_layer.model.vocabulary import Category
from memory_layer.surroundings.imports.fields import (
    category,
    content,
    json_object,
    listed,
    metadata,
    moment,
    name,
    place,
)

Entry = Mapping[str, Any]
_SEEN = ("memory", "metadata", "categories", "created_at", "score")
MOST_TAGS = 10


def from_history(rows: Iterable[Entry], path: Path, skipped: list[Skipped]) -> Iterator[ForeignMemory]:
    """Yield the last text of each memory; skip those deleted there."""
    last: dict[str, Entry] = {}
    first_at: dict[str, Any] = {}
    for row in rows:
        key = str(row.get("memory_id"))
        last[key] = row
        first_at.setdefault(key, row.get("created_at"))
    for key, row in last.items():
        if row.get("is_deleted") or row.get("event") == "DELETE":
            skipped.append(Skipped(place(path, key), "it was deleted there"))
            continue
        # An update keeps the time of the first entry in `created_at`, an older version writes its own.
        entry = {"id": key, "memory": row.get("new_memory"), "created_at": first_at[key]}
        more = {field: row.get(field) for field in ("actor_id", "role", "updated_at")}
        yield from_entry(entry | {field: value for field, value in more.items() if value}, path, key)


def from_entry(entry: Entry, path: Path, key: object) -> ForeignMemory:
    """Return the memory of an entry as mem0's own programs print it."""
    own = json_object(entry.get("metadata")) or {}
    kinds = listed(entry.get("categories"))
    kind = category(own.get("category")) or category(own.get("type"))
    return ForeignMemory(
        where=place(path, key),
        project=name(own.get("project")) or name(entry.get("app_id")),
        draft=Draft(
            content=content(entry.get("memory")),
            category=kind or next(filter(None, map(category, kinds)), Category.GENERAL),
            tags=kinds[:MOST_TAGS],
            created_at=moment(entry.get("created_at")),
            metadata=metadata(
                Origin.MEM0, own, {field: value for field, value in entry.items() if field not in _SEEN}
            ),
            never_expires=True,
        ),
    )


def from_relation(entry: Entry, path: Path, key: object) -> ForeignMemory:
    """Return a relation of mem0's graph as a sentence."""
    parts = (entry.get("source"), entry.get("relationship"), entry.get("target") or entry.get("destination"))
    text = " ".join(content(part).replace("_", " ") for part in parts if part)
    draft = Draft(
        content=text,
        category=Category.RELATIONSHIP,
        metadata=metadata(Origin.MEM0, None, entry),
        never_expires=True,
    )
    return ForeignMemory(where=place(path, key), draft=draft)
