"""Changes of a store, for programs that show it live."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from memory_layer.model.record import NamedTuple

MOST_NAMED = 100  #: memories of one answer or event


class Position(NamedTuple):
    """The newest row of each log that a change leaves a row in."""

    audit: int = 0
    change: int = 0
    recall: int = 0
    outcome: int = 0


class Changed(NamedTuple):
    """The rows between two positions, summed up."""

    memories: tuple[str, ...]  #: ids, newest first
    actions: Mapping[str, int]


class ChangesSince(NamedTuple):
    """Everything that changed since a position."""

    position: str  #: from which to ask for what changes next
    memories: tuple[str, ...] = ()  #: ids
    actions: Mapping[str, int] = MappingProxyType({})  #: how often each action was taken
    more: bool = False  #: more memories changed than are named
    reload: bool = False  #: too much changed, or it is another store: read everything anew
