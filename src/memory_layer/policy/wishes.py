"""What somebody asks a memory to be, beside what it says: of a category, with a tag, from that week."""

from __future__ import annotations

from memory_layer.model.memory import Memory
from memory_layer.model.query import Filters, spelled_alike
from memory_layer.policy import scopes

#: The filters that are wishes; the others guard what is given at all.
WISHES = tuple("categories tiers tags scopes paths sources writers before after has_outcome".split())


def without_wishes(filters: Filters) -> Filters:
    """The same guards, whatever was wished for."""
    return filters._replace(**{name: Filters._field_defaults[name] for name in WISHES})


def unmet(filters: Filters, memory: Memory) -> str | None:
    """The first wish that a memory does not meet, in words about the memory; None if it is what was asked for."""
    if filters.categories and memory.category not in filters.categories:
        return f"its category is {memory.category}"
    if filters.tiers and memory.tier not in filters.tiers:
        return f"its tier is {memory.tier}"
    carried = spelled_alike(memory.tags)
    for tag in filters.tags:
        if not spelled_alike([tag]) <= carried:
            return f"it has no tag {tag}"
    for pattern in filters.scopes:
        if pattern not in memory.scope:
            return f"its scope does not name {pattern}"
    if (
        filters.paths
        and memory.scope
        and not any(scopes.matches(memory.scope, path) for path in filters.paths)
    ):
        return f"it applies to {', '.join(memory.scope)}"
    if filters.sources and memory.source not in filters.sources:
        return f"its source is {memory.source}"
    if filters.writers and memory.writer not in filters.writers:
        return f"{memory.writer} wrote it"
    early = filters.after is not None and memory.created_at < filters.after
    if early or (filters.before is not None and memory.created_at >= filters.before):
        return f"it was stored on {memory.created_at:%Y-%m-%d}"
    reported = memory.worked + memory.failed + memory.partial > 0
    if filters.has_outcome is not None and reported is not filters.has_outcome:
        return "somebody reported on it" if reported else "nobody reported on it"
    return None
