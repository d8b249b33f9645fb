"""The orders that are available by name, with the arithmetic of their designs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import datetime

from memory_layer.model.memory import Memory
from memory_layer.model.vocabulary import CATEGORIES
from memory_layer.rules.context import PRESENT_FROM, covering
from memory_layer.rules.lifecycle import last_touched

HALF_LIFE_DAYS = 90


def linear_activation(memory: Memory, now: datetime) -> float:
    """Return category weight x 0.5 ^ (whole days since last access / 90) x (1 + number of recalls)."""
    days = max((now.date() - last_touched(memory).date()).days, 0)
    weight = CATEGORIES[memory.category].activation
    return weight * math.pow(0.5, days / HALF_LIFE_DAYS) * (1 + memory.recall_count)


def by_priority(memories: Sequence[Memory], now: datetime) -> list[Memory]:
    """Sort by priority, then activation, then id."""
    return sorted(memories, key=lambda each: (-each.priority.rank, -linear_activation(each, now), each.id))


def by_activation(memories: Sequence[Memory], now: datetime, paths: Sequence[str] = ()) -> list[Memory]:
    """Select memories with enough activation: those that apply to the paths first, then by activation, then by id."""
    fits = covering(paths)
    found = [each for each in memories if linear_activation(each, now) >= PRESENT_FROM]
    return sorted(found, key=lambda each: (not fits(each.scope), -linear_activation(each, now), each.id))
