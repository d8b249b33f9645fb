"""What two memories that say the same become."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from memory_layer.errors import InvalidInput
from memory_layer.model.memory import SHORTENED, WRITTEN_FROM, Memory, Writer
from memory_layer.model.vocabulary import PROPOSED_TAG, Category, MergeText, Priority, Reason, Status, Tier
from memory_layer.rules import limits
from memory_layer.rules.episodes import check_append_only
from memory_layer.rules.lifecycle import LEAST_CONFIDENCE, reinforced
from memory_layer.rules.permissions import is_vouched
from memory_layer.text.words import content_words


def merged(known: Memory, new: Memory, text: MergeText, writer: Writer, at: datetime) -> Memory:
    """The older memory with the chosen text and what either of them carried, as far as the limits leave room.

    One that applied everywhere still does.
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
    """Refuse to make one of what is more than a text: events, and steps that have a name."""
    check_append_only(*memories)
    for memory in memories:
        if memory.tier is Tier.PROCEDURAL:
            raise InvalidInput(f"{memory.id} is a procedure, and procedures are told apart by their names")


def labelled(known: Memory, result: Memory) -> Memory:
    """What an agent may make of a memory that a person guards: the same with more labels, and none changed."""
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
    """The result with the note of where its text was written, whatever room the limits leave.

    The known memory's own note stays; that of the other one comes with its text.
    """
    other = new.metadata.get(WRITTEN_FROM) if result.content != known.content else None
    origin = other or known.metadata.get(WRITTEN_FROM)
    if origin is None:
        return result
    return result._replace(metadata={**result.metadata, WRITTEN_FROM: origin})


def _labels(known: Memory, both: Mapping[str, object]) -> dict[str, object]:
    """Return the metadata of both, or that of the known one if it is too much.

    Where they were written is told apart, and the other one's expiry is not taken over.
    """
    fitting = both if limits.metadata_fits(both) else known.metadata
    dropped = {WRITTEN_FROM} if SHORTENED in known.metadata else {WRITTEN_FROM, SHORTENED}
    return {name: value for name, value in fitting.items() if name not in dropped}


def guarded_by_a_person(memory: Memory) -> bool:
    """Whether an agent may add to a memory but not reword it."""
    strong = memory.category is Category.POLICY or memory.priority is Priority.CRITICAL
    return strong or is_vouched(memory)


def lasts(category: Category, priority: Priority, *, vouched: bool) -> bool:
    """Whether no file of a repository may let a memory end sooner: a rule, a structure, what a person vouches for."""
    strong = category in (Category.POLICY, Category.ARCHITECTURE) or priority is Priority.CRITICAL
    return strong or vouched


def is_lasting(memory: Memory) -> bool:
    """Whether no file of a repository may let this memory end sooner."""
    return lasts(memory.category, memory.priority, vouched=guarded_by_a_person(memory))


def guard(memory: Memory) -> str:
    """Why an agent may not change what is guarded, in words: nobody may have looked at it yet."""
    return (
        "is guarded by a person"
        if is_vouched(memory) or memory.reason is not Reason.REVIEW
        else "waits for a person's approval"
    )


def kept_in_sight_by_a_person(memory: Memory) -> bool:
    """Whether an agent may not put a memory aside; a rule that still waits for its first approval it may withdraw."""
    return is_vouched(memory) or (memory.status is Status.ACTIVE and guarded_by_a_person(memory))


def kept_in_sight(before: Memory, after: Memory) -> Memory:
    """What reports and the ends of runs make of a memory: one that a person guards stays, marked for their review.

    It is neither archived nor trusted so little that it would not be given any more.
    """
    if before.status is not Status.ACTIVE or not guarded_by_a_person(before):
        return after
    least = min(before.confidence, LEAST_CONFIDENCE)
    reason = after.reason if after.status is Status.ARCHIVED else before.reason
    if after.confidence < least:
        reason = Reason.CONFIDENCE
    return after._replace(status=Status.ACTIVE, reason=reason, confidence=max(after.confidence, least))


def chosen_text(known: str, new: str, text: MergeText) -> str:
    """The text the caller asked for; by default the one that says more, the new one if equal."""
    if text is MergeText.KNOWN:
        return known
    if text is MergeText.NEW:
        return new
    return known if len(content_words(known)) > len(content_words(new)) else new
