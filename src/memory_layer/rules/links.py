"""Keep links free of cycles, and tell which of them wait for a person."""

from __future__ import annotations

from collections.abc import Iterable
from graphlib import CycleError, TopologicalSorter

from memory_layer.model.memory import Link
from memory_layer.model.vocabulary import Attention, LinkKind

Pair = tuple[str, str]  #: the memory that supersedes, and the one that is superseded


def closing(kept: set[Pair], new: set[Pair]) -> set[Pair]:
    """Return the new links to drop so that no cycle remains; neither set contains a cycle by itself.

    Every cycle enters a chain of kept links through a new one, so dropping the new links that lead into such a chain
    is enough.
    """
    pairs = kept | new
    after = _without_order(pairs)
    if not after:
        return set()
    between = after & _without_order((target, source) for source, target in pairs)
    begins = {source for source, _ in kept} & between
    return {(source, target) for source, target in new - kept if source in between and target in begins}


def _without_order(pairs: Iterable[Pair]) -> set[str]:
    """Return the memories on a cycle or behind one."""
    sorter = TopologicalSorter[str]()
    left = set[str]()
    for source, target in pairs:
        sorter.add(target, source)
        left |= {source, target}
    try:
        sorter.prepare()
    except CycleError:
        while ready := sorter.get_ready():
            left.difference_update(ready)
            sorter.done(*ready)
        return left
    return set()


def awaited(kind: LinkKind) -> tuple[Attention, ...]:
    """Return the attention values that make a link of this kind wait; a contradiction waits even if unasked."""
    if kind is LinkKind.CONFLICTS_WITH:
        return Attention.WANTED, Attention.UNASKED
    return (Attention.WANTED,)


def waits(link: Link) -> bool:
    """Does a link wait for a person?"""
    return link.attention in awaited(link.kind)
