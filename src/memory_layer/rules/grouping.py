"""What memories are gathered by when a search shows one line for each group."""

from __future__ import annotations

import json

from memory_layer.model.memory import Memory
from memory_layer.rules import limits

#: What every memory says about itself; any other key is looked up in its metadata.
FIELDS = ("project", "category", "tier", "writer")


def check_key(key: str) -> None:
    """Refuse a key that no memory can have."""
    limits.check_text(key, "the key to group by", limits.NAME_CHARACTERS)


def group_of(memory: Memory, key: str) -> str | None:
    """The group a memory belongs to; None if it lacks the key, and then it stands for itself."""
    value = getattr(memory, key) if key in FIELDS else memory.metadata.get(key)
    if value is None and key == "session":
        value = memory.session
    if value is None or value == "":
        return None
    if isinstance(value, str):
        return str(value)
    return json.dumps(value, ensure_ascii=False, sort_keys=True, default=str)
