"""Apply changes to a memory, and refuse those that an agent may not make."""

from __future__ import annotations

import math
from collections.abc import Iterable
from datetime import datetime

from memory_layer.errors import ChangedMeanwhile, InvalidInput
from memory_layer.model.changes import Changes
from memory_layer.model.memory import SHORTENED, WRITTEN_FROM, Draft, Memory, Writer
from memory_layer.model.vocabulary import (
    CATEGORIES,
    PROPOSED_TAG,
    STARTING_CONFIDENCE,
    Priority,
    Reason,
    Status,
    WriterKind,
)
from memory_layer.rules import limits, review
from memory_layer.rules.episodes import check_append_only
from memory_layer.rules.lifecycle import ending, unproposed
from memory_layer.rules.permissions import (
    Action,
    check_allowed,
    guard,
    guarded_by_a_person,
    is_vouched,
    may,
    sentence,
)
from memory_layer.text.injection.detect import suspicions

#: The fields on which the choice of a text, category or priority is based.
_SAID = ("content", "category", "priority", "status", "reason", "approved_by")
#: The fields that a change of one field depends on, besides tags and metadata.
_RESTS_ON = {
    "content": _SAID,
    "category": _SAID,
    "priority": _SAID,
    "confidence": ("confidence",),
    "relevance": ("relevance",),
    "expires_at": ("expires_at",),
    "never_expires": ("expires_at",),
    "scope": ("scope",),
    "citations": ("citations",),
}


def check_not_forgotten(memory: Memory) -> None:
    """Refuse a memory that a person has erased."""
    if memory.reason is Reason.FORGOTTEN:
        raise InvalidInput(f"{memory.id} was forgotten; nothing of it is left")


def check_version(memories: Iterable[Memory], version: int | None) -> None:
    """Refuse memories that are at another version than the caller has seen."""
    for memory in memories:
        if version not in (None, memory.version):
            raise ChangedMeanwhile(
                f"{memory.id} is at version {memory.version}, not {version}; look at it again"
            )


def check_changeable(memory: Memory) -> None:
    """Refuse a memory that is still being written, waits for a decision, or was forgotten."""
    check_not_forgotten(memory)
    if memory.reason is Reason.WRITING:
        raise InvalidInput(f"{memory.id} is still being written")
    if memory.reason is Reason.QUESTION:
        raise InvalidInput(f"{memory.id} is waiting for a decision; see `mem review`")


def check_rights(memory: Memory, changes: Changes, writer: Writer) -> None:
    """Refuse changes reserved to people: an agent may only add labels to a memory that a person guards."""
    for key in (WRITTEN_FROM, SHORTENED):
        if key in changes.metadata or key in changes.unset_metadata:
            check_allowed(writer, Action.CHANGE_ORIGIN, key=key, id=memory.id)
    if PROPOSED_TAG in changes.add_tags and is_vouched(memory):
        check_allowed(writer, Action.PROPOSE_VOUCHED, id=memory.id)
    labels = Changes(add_tags=changes.add_tags, metadata=changes.metadata)
    if guarded_by_a_person(memory) and changes != labels:
        check_allowed(writer, Action.CHANGE_GUARDED, id=memory.id, guard=guard(memory))
    most = STARTING_CONFIDENCE[memory.source]
    if changes.confidence is not None and changes.confidence > most:
        check_allowed(writer, Action.RAISE_CONFIDENCE, most=most, source=memory.source)


def edited(memory: Memory, changes: Changes, at: datetime) -> Memory:
    """Apply the changes; `updated_at` moves only if something changed."""
    check_append_only(memory)
    for name in ("confidence", "relevance"):
        value = getattr(changes, name)
        if value is not None and (math.isnan(value) or not 0.0 <= value <= 1.0):
            raise InvalidInput(f"{name} must be between 0 and 1, not {value}")
    after = memory._replace(
        content=memory.content if changes.content is None else changes.content,
        category=changes.category or memory.category,
        priority=_priority(memory, changes),
        confidence=memory.confidence if changes.confidence is None else changes.confidence,
        relevance=memory.relevance if changes.relevance is None else changes.relevance,
        expires_at=None if changes.never_expires else changes.expires_at or memory.expires_at,
        scope=memory.scope if changes.scope is None else changes.scope,
        tags=_tags(memory.tags, changes),
        metadata={
            key: value
            for key, value in {**memory.metadata, **changes.metadata}.items()
            if key not in changes.unset_metadata
        },
        citations=memory.citations if changes.citations is None else changes.citations,
    )
    if changes.expires_at or changes.never_expires:
        after = ending(after, after.expires_at)
    check_limits(after)
    return after if after == memory else after._replace(updated_at=at)


def collide(changes: Changes, read: Memory, now: Memory, after: Memory) -> bool:
    """Would these changes overwrite, or depend on, something others changed since the memory was read?"""
    changed = [name for name in _RESTS_ON if getattr(changes, name) != Changes._field_defaults[name]]
    for field in {field for name in changed for field in _RESTS_ON[name]}:
        if getattr(now, field) not in (getattr(read, field), getattr(after, field)):
            return True
    tags = {*changes.add_tags, *changes.remove_tags}
    if any((tag in now.tags) not in (tag in read.tags, tag in after.tags) for tag in tags):
        return True
    absent = object()
    return any(
        now.metadata.get(key, absent) not in (read.metadata.get(key, absent), after.metadata.get(key, absent))
        for key in (*changes.metadata, *changes.unset_metadata)
    )


def check_limits(memory: Memory) -> None:
    """Refuse a memory that has grown over a limit."""
    limits.check_draft(
        Draft(
            content=memory.content,
            tags=memory.tags,
            scope=memory.scope,
            metadata=memory.metadata,
            citations=memory.citations,
            relevance=memory.relevance,
        )
    )


def weighed(before: Memory, after: Memory, writer: Writer) -> Memory:
    """Review a change of text, category or priority again.

    A person vouches for what they change themselves, so that no agent rewords it afterwards; a text that reads like
    an instruction is held back even then, as it is when a person adds it.
    """
    reworded = after.content != before.content
    if not reworded and (before.category, before.priority) == (after.category, after.priority):
        return _relabelled(before, after, writer)
    if reworded and suspicions(after.content):
        after = after._replace(approved_by=None, approved_at=None)
    elif may(writer, Action.APPROVE) and after.reason is not Reason.REVIEW:
        after = vouched(before, after, writer)
        if after.status is Status.ACTIVE:  # what spoke against it spoke against other words
            after = after._replace(reason=None, reason_detail=None)
    why = review.reasons(after)
    if reworded and review.is_suggestion(before) and not may(writer, Action.REWORD_SUGGESTION):
        why = (sentence(Action.REWORD_SUGGESTION), *why)
    return review.held(after, why) if why and after.status is not Status.ARCHIVED else after


def _relabelled(before: Memory, after: Memory, writer: Writer) -> Memory:
    """Hold back an agent's labels that read like an instruction; refuse them on a memory a person guards."""
    if may(writer, Action.LABEL_GUARDED) or not (doubts := review.label_doubts(before, after)):
        return after
    if guarded_by_a_person(before):
        check_allowed(writer, Action.LABEL_GUARDED, id=before.id, guard=guard(before), doubt=doubts[0])
    return review.held(after, doubts) if after.status is not Status.ARCHIVED else after


def vouched(before: Memory, after: Memory, writer: Writer) -> Memory:
    """Mark a memory as approved by the person who changed it; what a person wrote needs no approval."""
    if after.writer_kind is WriterKind.PERSON:
        return after
    confidence = 1.0 if after.confidence == before.confidence else after.confidence
    return unproposed(after)._replace(
        approved_by=writer.name, approved_at=after.updated_at, confidence=confidence
    )


def _priority(memory: Memory, changes: Changes) -> Priority:
    """Return the requested priority; a new category brings its own unless the old one was chosen explicitly."""
    if changes.priority is not None or changes.category is None:
        return changes.priority or memory.priority
    usual = memory.priority is CATEGORIES[memory.category].priority
    return CATEGORIES[changes.category].priority if usual else memory.priority


def _tags(known: tuple[str, ...], changes: Changes) -> tuple[str, ...]:
    tags = [tag for tag in (*known, *changes.add_tags) if tag not in changes.remove_tags]
    return tuple(dict.fromkeys(tags))
