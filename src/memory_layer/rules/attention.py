"""Decide which links wait for a person."""

from __future__ import annotations

from memory_layer.model.memory import Link
from memory_layer.model.vocabulary import Attention, LinkKind


def awaited(kind: LinkKind) -> tuple[Attention, ...]:
    """Return with which attention a link of this kind waits; a contradiction does so even if nobody asked for it."""
    if kind is LinkKind.CONFLICTS_WITH:
        return Attention.WANTED, Attention.UNASKED
    return (Attention.WANTED,)


def waits(link: Link) -> bool:
    """Return whether a person should look at the two memories of a link."""
    return link.attention in awaited(link.kind)
