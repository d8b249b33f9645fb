"""Put on record that somebody has looked at how memories relate."""

from __future__ import annotations

from collections.abc import Iterable

from memory_layer.model.memory import Link
from memory_layer.model.vocabulary import Attention, LinkKind
from memory_layer.ports import Edit, Engine
from memory_layer.rules.attention import waits
from memory_layer.usecases.govern import ledger


def settle_links(engine: Engine, links: Iterable[Link], edit: Edit) -> None:
    """Let these links wait no more."""
    for link in links:
        if waits(link):
            ledger.settle(engine.store, link, Attention.GIVEN, edit._replace(action="settle"))


def settle_likenesses(engine: Engine, memory_id: str, edit: Edit) -> None:
    """Let a memory wait no more because of those it is like."""
    found = engine.store.links.of([memory_id])
    settle_links(engine, [link for link in found if link.kind is LinkKind.RELATES_TO], edit)


def settle_pair(engine: Engine, one: str, two: str, edit: Edit) -> None:
    """Let two memories wait no more because of each other."""
    found = engine.store.links.of([one])
    settle_links(engine, [link for link in found if two in (link.source, link.target)], edit)
