"""The stored vectors of a memory, as tests look at them."""

from __future__ import annotations

from typing import Any

from memory_layer.usecases.recall import vectors


def passages_of(store: Any, memory_id: str, fingerprint: str) -> Any:
    return vectors.passages_of(store, memory_id, fingerprint)
