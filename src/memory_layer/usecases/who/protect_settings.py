"""Keep agents from changing the settings that a person relies on."""

from __future__ import annotations

from collections.abc import Callable

from memory_layer.model.memory import Writer
from memory_layer.rules.permissions import Action, check
from memory_layer.settings import FOR_AGENTS, agent_may_set


def check_may_configure(key: str, writer: Callable[[], Writer]) -> None:
    """Refuse a setting that moves the store, names the writer or decides what is kept, unless a person changes it."""
    if not agent_may_set(key):
        check(writer(), Action.CONFIGURE, key=key, others=" and ".join(FOR_AGENTS))
