"""Which new links would let a memory supersede itself, found in one pass over all of them."""

from __future__ import annotations

from collections.abc import Iterable
from graphlib import CycleError, TopologicalSorter

from memory_layer.model.memory import Link
from memory_layer.model.vocabulary import Attention, LinkKind

Pair = tuple[str, str]  #: the memory that supersedes, and the one that is superseded


def closing(kept: set[Pair], new: set[Pair]) -> set[Pair]:
    """Return the new links to leave out so that no circle is left; neither the kept nor the new hold one alone.

    A circle enters its kept links by a new one, so it is enough to leave out those that lead to where a kept begins.
    """
    pairs = kept | new
    after = _without_order(pairs)
    if not after:
        return set()
    between = after & _without_order((target, source) for source, target in pairs)
    begins = {source for source, _ in kept} & between
    return {(source, target) for source, target in new - kept if source in between and target in begins}


def _without_order(pairs: Iterable[Pair]) -> set[str]:
    """Return the memories that lie on a circle or behind one."""
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
    """Return with which attention a link of this kind waits; a contradiction does so even if nobody asked for it."""
    if kind is LinkKind.CONFLICTS_WITH:
        return Attention.WANTED, Attention.UNASKED
    return (Attention.WANTED,)


def waits(link: Link) -> bool:
    """Return whether a person should look at the two memories of a link."""
    return link.attention in awaited(link.kind)
