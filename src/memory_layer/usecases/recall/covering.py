"""Find what applies to some files."""

from __future__ import annotations

from collections.abc import Sequence

from memory_layer.model.context import Present
from memory_layer.model.query import Filters, Giving
from memory_layer.model.vocabulary import Tier
from memory_layer.ports import Engine
from memory_layer.rules import context


def present_for_paths(engine: Engine, filters: Filters, paths: Sequence[str], most: int) -> list[Present]:
    """Return facts whose patterns cover one of the paths, of each set of patterns `most` that were touched last.

    An agent's patterns count in the project they were written in, and nowhere else.
    """
    memories, covers = engine.store.memories, context.covering(paths)
    fitting = tuple(each for each in memories.scopes(filters) if covers(each))
    if not fitting:
        return []
    wanted = filters._replace(tiers=(Tier.SEMANTIC,), giving=Giving.BY_SCOPE, exact_scopes=fitting)
    return memories.present(wanted, engine.now(), most, "touched")
