"""Decide which revisions of a memory are the newest, and join those that were made at the same time.

Joining depends on nothing but the revisions, so every store joins the same ones to the same bytes.
"""

from __future__ import annotations

import base64
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256

from memory_layer.model.memory import Memory
from memory_layer.model.record import NamedTuple
from memory_layer.model.sync import Revision, SharedStatus
from memory_layer.model.vocabulary import LinkKind, Tier
from memory_layer.rules import limits
from memory_layer.rules.procedures import renamed
from memory_layer.rules.transfer.revision_file import digest

Named = tuple[str, Revision]  #: a revision with its digest


class Joined(NamedTuple):
    """The revision that follows from those made at the same time."""

    revision: Revision
    copies: tuple[Revision, ...] = ()  #: the other texts, as memories of their own


def heads(known: Mapping[str, Revision]) -> list[Named]:
    """Return the revisions that no other one replaces, in the order of their digests.

    Once a memory was forgotten, nothing else counts: it travels no more, even if somebody has restored it.
    """
    forgotten = {name: each for name, each in known.items() if each.status is SharedStatus.FORGOTTEN}
    counted = forgotten or known
    replaced = {name for each in counted.values() for name in each.replaces}
    return sorted(pair for pair in counted.items() if pair[0] not in replaced)


def joined(found: Sequence[Named]) -> Joined:
    """Join revisions made at the same time.

    Whatever was forgotten stays forgotten. An archived memory comes back only if somebody gave it a text that was
    unknown when it was archived. Labels are united; of different texts one wins and the others become copies.
    """
    first = found[0][1]
    replaces = {name for pair in found for name in (pair[0], *pair[1].replaces)}
    tombstones = [pair for pair in found if pair[1].memory is None]
    if any(each.status is SharedStatus.FORGOTTEN for _, each in tombstones):
        return Joined(Revision(first.id, SharedStatus.FORGOTTEN, replaces=tuple(sorted(replaces))))
    put_away = {name for _, each in tombstones for name in each.replaces}
    active = [pair for pair in found if pair[1].memory is not None]
    fresh = [pair for pair in active if origin(pair) not in put_away]
    if not fresh:
        return Joined(Revision(first.id, SharedStatus.ARCHIVED, replaces=tuple(sorted(replaces))))
    return _with_newest_text(active, fresh, tuple(sorted(replaces)))


def _with_newest_text(active: Sequence[Named], fresh: Sequence[Named], replaces: tuple[str, ...]) -> Joined:
    outdated = {name for _, each in active for name in each.replaces}
    newest = [pair for pair in fresh if origin(pair) not in outdated] or list(fresh)
    winner = newest[0]
    made = winner[1]._replace(
        memory=_labelled(_memory(winner), [_memory(pair) for pair in active if pair is not winner]),
        links=tuple(sorted({link for _, each in active for link in each.links})),
        replaces=replaces,
        text_of=origin(winner),
    )
    others = {_memory(pair).content: pair for pair in reversed(newest)}
    others.pop(_memory(winner).content)
    return Joined(made, tuple(copy_of(pair) for pair in others.values()))


def origin(pair: Named) -> str:
    """Return the digest of the revision that brought a revision's text."""
    return pair[1].text_of or pair[0]


def copy_of(pair: Named) -> Revision:
    """Return a text as a memory of its own that contradicts the one it was meant for; its id follows from both."""
    revision, memory = pair[1], _memory(pair)
    name = sha256(f"{revision.id}\0{memory.content}".encode()).digest()[:16]
    copy_id = "mem_" + base64.b32encode(name).decode().lower().rstrip("=")
    copy = memory._replace(id=copy_id)
    return Revision(
        id=copy_id,
        status=SharedStatus.ACTIVE,
        memory=renamed(copy) if copy.tier is Tier.PROCEDURAL else copy,
        links=((LinkKind.CONFLICTS_WITH, revision.id),),
    )


def add(known: dict[str, Revision], revision: Revision) -> str:
    """Add a revision to the known ones; return its digest."""
    name = digest(revision)
    known[name] = revision
    return name


def _memory(pair: Named) -> Memory:
    assert pair[1].memory is not None, "a tombstone has no memory"
    return pair[1].memory


def _labelled(memory: Memory, others: Iterable[Memory]) -> Memory:
    """Return a memory with the labels of the others as well, as far as they fit."""
    tags, scope, cited = list(memory.tags), list(memory.scope), list(memory.citations)
    metadata = dict(memory.metadata)
    for other in others:
        tags += [tag for tag in other.tags if tag not in tags]
        scope += [pattern for pattern in other.scope if pattern not in scope]
        cited += [citation for citation in other.citations if citation not in cited]
        metadata = dict(other.metadata) | metadata
    return memory._replace(
        tags=tuple(tags[: limits.TAGS]),
        scope=tuple(scope[: limits.SCOPES]),
        citations=tuple(cited[: limits.CITATIONS]),
        metadata=metadata if limits.metadata_fits(metadata) else memory.metadata,
    )
