"""Store what was noticed in a chat, or confirm what is known already."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime

from memory_layer.model.capture import CapturedStatement, Noticed
from memory_layer.model.memory import Draft, Memory, Project
from memory_layer.model.record import NamedTuple
from memory_layer.model.vocabulary import OnDuplicate, Source, Status
from memory_layer.ports import Edit, Engine
from memory_layer.rules import drafts, lifecycle, review
from memory_layer.usecases.govern.visibility import shown
from memory_layer.usecases.recall.vectors import embedded
from memory_layer.usecases.remember.add import add
from memory_layer.usecases.remember.new_memory import (
    confirmed,
    known_text,
    likeness,
    neighbourhood,
    new_memory,
)
from memory_layer.usecases.who.lookup import read_memory

SKIPPED = "skipped"
_REDACTED = re.compile(r"\[REDACTED:([\w-]+)\]")


class Keeping(NamedTuple):
    """The edit that statements are stored by, and the project they belong to."""

    engine: Engine
    edit: Edit
    project: Project | None
    dry_run: bool


def keep(
    work: Keeping, found: Sequence[tuple[Noticed, datetime | None]], most: int
) -> tuple[list[CapturedStatement], int]:
    """Store statements with the times they were said, up to the limit; also return how many were left."""
    results, changed = list[CapturedStatement](), 0
    for each, at in found:
        if changed == most:
            break
        results.append(_kept(work, each, at))
        changed += results[-1].status != SKIPPED
    return results, len(found) - len(results)


def _kept(work: Keeping, found: Noticed, said_at: datetime | None) -> CapturedStatement:
    """Store one statement, or confirm the memory that says it already."""
    draft, _ = drafts.redacted_draft(_draft(found, work.edit.writer.session))
    redacted = tuple(dict.fromkeys(_REDACTED.findall(draft.content)))
    memory = new_memory(work.engine, draft, work.edit.writer, work.project)
    answer = _result(found, memory, None, SKIPPED, redacted)
    known = _known(work, memory)
    if known is not None and said_at is not None and said_at <= _touched(known):
        return answer._replace(id=known.id)
    if known is not None and known.status is not Status.ARCHIVED:
        return _confirmed(work, known, answer)
    if work.dry_run:
        why = "; ".join(review.reasons(memory))
        return answer._replace(status="would stage" if why else "would keep", reason=why or None)
    added = add(work.engine, draft, work.edit.writer, work.project, work.edit.operation)
    return answer._replace(id=added.id, status=added.status, reason=added.reason)


def _draft(found: Noticed, session: str) -> Draft:
    return Draft(
        content=found.content,
        category=found.category,
        priority=found.priority,
        source=Source.CAPTURE,
        session=session,
        on_duplicate=OnDuplicate.KEEP,
    )


def _result(
    found: Noticed, memory: Memory, memory_id: str | None, status: str, redacted: tuple[str, ...]
) -> CapturedStatement:
    return CapturedStatement(
        id=memory_id,
        status=status,
        category=memory.category,
        priority=memory.priority,
        content=memory.content,
        cue=found.cue,
        why=found.why,
        redacted=redacted,
    )


def _known(work: Keeping, memory: Memory) -> Memory | None:
    """Return the memory that says the same, verbatim or nearly."""
    store = work.engine.store
    if (same := known_text(store, memory.content_hash)) is not None:
        return same
    vectors = embedded(work.engine, memory.content)
    if vectors is None or len(vectors[1]) != 1:
        return None
    (near,) = store.search.neighbours(vectors[1], vectors[0], [neighbourhood(memory)])
    similar = likeness(memory, near, work.engine.settings.duplicate_threshold).similar
    return similar[0][0] if similar else None


def _touched(known: Memory) -> datetime:
    """Return when a memory was last written, confirmed or archived."""
    return max(known.created_at, known.updated_at, known.reinforced_at or known.created_at)


def _confirmed(work: Keeping, known: Memory, answer: CapturedStatement) -> CapturedStatement:
    """Confirm a memory, which restarts its decay, unless only an agent says so of a global one."""
    content = shown(work.engine, known).content
    result = answer._replace(id=known.id, content=content, category=known.category, priority=known.priority)
    if lifecycle.reinforced(known, work.edit.writer, work.edit.at) == known:
        return result._replace(status=SKIPPED, reason=lifecycle.NOT_COUNTED)
    if work.dry_run:
        return result._replace(status="would reinforce")
    with work.engine.store.writing():
        current = read_memory(work.engine.store, known.id)
        counted = confirmed(work.engine, current, work.edit._replace(action="reinforce"))
    return result._replace(status="reinforced", reason=counted.notice)
