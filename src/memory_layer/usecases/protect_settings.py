"""Keep agents from changing the settings that a person relies on."""

from __future__ import annotations

from collections.abc import Callable

from memory_layer.errors import NotAllowed
from memory_layer.model.memory import Writer
from memory_layer.settings import FOR_AGENTS, agent_may_set


def check_may_configure(key: str, writer: Callable[[], Writer]) -> None:
    """Refuse a setting that moves the store, names the writer or decides what is kept, unless a person changes it."""
    if agent_may_set(key) or writer().is_person:
        return
    raise NotAllowed(
        f"only a person at a terminal may change the setting {key}; an agent may change {' and '.join(FOR_AGENTS)}"
    )
