"""The map: where memories lie in two dimensions, so that memories alike in meaning lie near each other."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from memory_layer.model.record import NamedTuple

if TYPE_CHECKING:
    from memory_layer.model.memory import Memory

MOST_MEMORIES = 200  #: read by their rows at once
WIDTH = 65_535  #: the largest coordinate


class MapState(StrEnum):
    """The state of the map's positions."""

    READY = "ready"
    COMPUTING = "computing"  #: being computed in the background; ask again
    OUTDATED = "outdated"  #: this server cannot compute them
    NO_MODEL = "no_model"


SENTENCES = {
    MapState.READY: None,
    MapState.COMPUTING: "The positions are being computed in the background.",
    MapState.OUTDATED: "This server is read-only. Run `mem map` to bring the positions up to date.",
    MapState.NO_MODEL: "The map needs the embedding model. Run `mem model install`, then `mem embed`.",
}


class MapAnswer(NamedTuple):
    """The memories of a map in a compact binary form, and a number that changes with it."""

    content: bytes
    version: int


class MapLabel(NamedTuple):
    """A group of memories that lie close together, and the words that set it apart."""

    x: int  #: 0 to 65,535
    y: int
    memories: int
    words: tuple[str, ...]


class MapLabels(NamedTuple):
    """The groups on a map, largest first, and its state."""

    state: MapState
    sentence: str | None  #: what the state means and what to do; None if it is ready
    generation: str | None  #: the fingerprint of the vectors behind the positions
    memories: int  #: with a position
    unplaced: int  #: without one
    labels: tuple[MapLabel, ...]


class MapMemories(NamedTuple):
    """The memories at some rows of a map, in the order of the rows; those that are gone are left out."""

    items: tuple[tuple[int, Memory], ...]


class LaidOut(NamedTuple):
    """The result of computing the positions."""

    state: MapState
    memories: int  #: with a position
    placed: int  #: that got a new one
    anew: bool  #: all positions were computed again
    unembedded: int  #: without a vector
