"""Merge two memories that say the same, and protect those a person guards."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from memory_layer.errors import InvalidInput
from memory_layer.model.memory import SHORTENED, WRITTEN_FROM, Memory, Writer
from memory_layer.model.vocabulary import PROPOSED_TAG, Category, MergeText, Reason, Status, Tier
from memory_layer.rules import limits
from memory_layer.rules.episodes import check_append_only
from memory_layer.rules.lifecycle import LEAST_CONFIDENCE, reinforced
from memory_layer.rules.permissions import guarded_by_a_person, is_vouched
from memory_layer.text.words import content_words


def merged(known: Memory, new: Memory, text: MergeText, writer: Writer, at: datetime) -> Memory:
    """Merge into the older memory: the chosen text, and the labels of both as far as the limits allow.

    A memory that applied everywhere still does.
    """
    content = chosen_text(known.content, new.content, text)
    category = new.category if known.category is Category.GENERAL else known.category
    return reinforced(known, writer, at)._replace(
        content=content,
        category=category,
        priority=max(known.priority, new.priority, key=lambda priority: priority.rank),
        tags=tuple(dict.fromkeys(known.tags + new.tags))[: limits.TAGS],
        scope=tuple(dict.fromkeys(known.scope + new.scope))[: limits.SCOPES] if known.scope else (),
        metadata=_labels(known, {**known.metadata, **new.metadata}),
        citations=tuple(dict.fromkeys(known.citations + new.citations))[: limits.CITATIONS],
        updated_at=at,
    )


def check_mergeable(*memories: Memory) -> None:
    """Refuse to merge events and procedures."""
    check_append_only(*memories)
    for memory in memories:
        if memory.tier is Tier.PROCEDURAL:
            raise InvalidInput(f"{memory.id} is a procedure; procedures cannot be merged")


def labelled(known: Memory, result: Memory) -> Memory:
    """Keep a guarded memory as it is, apart from added labels."""
    tags = (tag for tag in result.tags if tag != PROPOSED_TAG or tag in known.tags)
    return result._replace(
        content=known.content,
        tags=tuple(tags) if is_vouched(known) else result.tags,
        category=known.category,
        priority=known.priority,
        scope=known.scope,
        metadata=_labels(known, {**result.metadata, **known.metadata}),
    )


def with_origin(result: Memory, known: Memory, new: Memory) -> Memory:
    """Record where the text was written, regardless of the size limit.

    The known memory's own note stays; the other's comes with its text.
    """
    other = new.metadata.get(WRITTEN_FROM) if result.content != known.content else None
    origin = other or known.metadata.get(WRITTEN_FROM)
    if origin is None:
        return result
    return result._replace(metadata={**result.metadata, WRITTEN_FROM: origin})


def _labels(known: Memory, both: Mapping[str, object]) -> dict[str, object]:
    """Return the merged metadata, or the known memory's if it is too large.

    The origin is handled separately, and the other memory's expiry is not taken over.
    """
    fitting = both if limits.metadata_fits(both) else known.metadata
    dropped = {WRITTEN_FROM} if SHORTENED in known.metadata else {WRITTEN_FROM, SHORTENED}
    return {name: value for name, value in fitting.items() if name not in dropped}


def kept_in_sight(before: Memory, after: Memory) -> Memory:
    """Keep a guarded memory active after bad reports or runs, and mark it for review.

    It is neither archived nor trusted so little that it would no longer be given.
    """
    if before.status is not Status.ACTIVE or not guarded_by_a_person(before):
        return after
    least = min(before.confidence, LEAST_CONFIDENCE)
    reason = after.reason if after.status is Status.ARCHIVED else before.reason
    if after.confidence < least:
        reason = Reason.CONFIDENCE
    return after._replace(status=Status.ACTIVE, reason=reason, confidence=max(after.confidence, least))


def chosen_text(known: str, new: str, text: MergeText) -> str:
    """Return the requested text; by default the one that says more, the new one on a tie."""
    if text is MergeText.KNOWN:
        return known
    if text is MergeText.NEW:
        return new
    return known if len(content_words(known)) > len(content_words(new)) else new
