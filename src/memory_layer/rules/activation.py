"""How present a memory still is: its category's weight, fading since the last touch, held up by confirmations."""

from __future__ import annotations

import math
from datetime import datetime, timedelta

from memory_layer.model.memory import Memory
from memory_layer.model.vocabulary import CATEGORIES, Category

#: Below this nobody would miss a memory.
FADED_BELOW = 0.1
_LEAST_WEIGHT = min(traits.activation for traits in CATEGORIES.values())
_SHORTEST_HALF_LIFE = min(traits.half_life_days for traits in CATEGORIES.values() if traits.half_life_days)
#: Nothing that was touched within so many days can have faded, whatever it is.
SAFE_DAYS = _SHORTEST_HALF_LIFE * math.log2(_LEAST_WEIGHT / FADED_BELOW)


def activation(category: Category, confirmations: int, touched: datetime, now: datetime) -> float:
    """The category's weight, halved with every half-life since the last touch, times 1 + ln of the confirmations."""
    traits = CATEGORIES[category]
    days = max((now - touched) / timedelta(days=1), 0.0)
    faded = 1.0 if traits.half_life_days is None else math.pow(0.5, days / traits.half_life_days)
    return traits.activation * faded * (1.0 + math.log(max(confirmations, 1)))


def last_touched(memory: Memory) -> datetime:
    """When it was last used, given out, confirmed, changed or restored, else when it was made."""
    touches = (
        memory.created_at,
        memory.updated_at,
        memory.last_used_at,
        memory.last_recalled_at,
        memory.reinforced_at,
    )
    return max(at for at in touches if at is not None)


def activation_of(memory: Memory, now: datetime) -> float:
    """The activation of a memory as it stands."""
    return activation(memory.category, memory.reinforcement_count, last_touched(memory), now)
