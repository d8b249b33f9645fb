"""Leave the store ready to be searched after writing much."""

from __future__ import annotations

from contextlib import suppress

from memory_layer.errors import StoreUnavailable
from memory_layer.ports import Engine

MUCH = 3000  #: memories; for fewer the next search does what there is to do in passing


def ready_to_search(engine: Engine, written: int) -> None:
    """Let the store do now what the next search would wait for; what cannot be done now is left to that search."""
    if written >= MUCH:
        with suppress(StoreUnavailable):
            engine.store.search.prepare()
