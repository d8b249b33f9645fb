"""Decide what leaves a store for a shared folder, and what of such a folder is fit to be read."""

from __future__ import annotations

from collections.abc import Iterable

from memory_layer.errors import InvalidInput
from memory_layer.model.export import ExportedMemory, LineKind
from memory_layer.model.memory import Draft, Memory
from memory_layer.model.sync import Revision, SharedLink, SharedStatus
from memory_layer.model.vocabulary import Reason, Status, Tier
from memory_layer.rules import limits, review
from memory_layer.rules.permissions import guarded_by_a_person, is_vouched
from memory_layer.rules.procedures import is_whole
from memory_layer.rules.transfer import trust
from memory_layer.rules.transfer.revision_file import shared_memory
from memory_layer.text import scopes

#: Somebody put the memory away; what faded, failed, expired or was undone here says nothing about other stores.
PUT_AWAY = (Reason.ASKED, Reason.MERGED, Reason.SKIPPED)
#: A write or a question of this store that is not finished.
UNFINISHED = (Reason.WRITING, Reason.QUESTION)


def shared(memory: Memory, links: Iterable[SharedLink] = ()) -> Revision | None:
    """Return the state of a memory that other stores should have; None if it says nothing to them."""
    if memory.tier is Tier.EPISODIC or memory.owner is not None:
        return None
    if memory.reason is Reason.FORGOTTEN:
        return Revision(memory.id, SharedStatus.FORGOTTEN)
    if memory.status is Status.ARCHIVED and memory.reason in PUT_AWAY:
        return Revision(memory.id, SharedStatus.ARCHIVED)
    if memory.status is not Status.ACTIVE:
        return None
    return Revision(memory.id, SharedStatus.ACTIVE, shared_memory(memory), tuple(sorted(links)))


def is_withheld(memory: Memory) -> bool:
    """Must the text of an active memory stay here: a secret, an instruction, or a suggestion nobody approved?"""
    return bool(review.doubts(memory) or review.reasons_for_a_person(memory) or _secrets(memory))


def check_fit(revision: Revision) -> None:
    """Refuse a revision that no store would have written: too large, with a secret, or like an instruction."""
    memory = revision.memory
    if memory is None:
        return
    if memory.tier is Tier.EPISODIC:
        raise InvalidInput("events do not travel")
    if memory.tier is Tier.PROCEDURAL and not is_whole(memory):
        raise InvalidInput("the text of the procedure does not match its steps")
    limits.check_draft(
        Draft(
            content=memory.content,
            tags=memory.tags,
            scope=memory.scope,
            metadata=memory.metadata,
            citations=memory.citations,
            relevance=memory.relevance,
            created_at=memory.created_at,
            expires_at=memory.expires_at,
        )
    )
    if scopes.validated(memory.scope) != memory.scope:
        raise InvalidInput("its field 'scope' has an invalid value")
    if kinds := _secrets(memory):
        raise InvalidInput(f"it contains a secret ({kinds[0]})")
    if doubts := review.doubts(memory):
        raise InvalidInput(f"it reads like an instruction: {doubts[0]}")


def is_guarded(memory: Memory) -> bool:
    """Does a person here stand for a memory, so that others only add labels to it?

    An imported rule that waits for its first approval is nobody's yet.
    """
    return is_vouched(memory) or (memory.status is Status.ACTIVE and guarded_by_a_person(memory))


def _secrets(memory: Memory) -> tuple[str, ...]:
    return trust.cleaned(LineKind.MEMORY, ExportedMemory(memory, None, 0, None)).kinds
