"""Record what happened, and look back along the line of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from memory_layer.model.episodes import (
    EpisodeKind,
    Event,
    Handoff,
    HandoffParts,
    Recorded,
    Timeline,
    text_of,
    texts_of,
)
from memory_layer.model.memory import NOTHING, Project, Writer
from memory_layer.model.vocabulary import Status
from memory_layer.ports import Edit, Engine
from memory_layer.ports.log import EventFilter
from memory_layer.rules import episodes as policy
from memory_layer.rules import limits
from memory_layer.text.secrets.redact import redact_value
from memory_layer.usecases.govern import ledger
from memory_layer.usecases.govern.visibility import shown
from memory_layer.usecases.learn.session_ends import last_end
from memory_layer.usecases.remember.new_memory import Ready, ready
from memory_layer.usecases.who.lookup import read_memory
from memory_layer.usecases.who.projects import know_project


def record(
    engine: Engine,
    event: Event,
    writer: Writer,
    project: Project | None = None,
    more: Mapping[str, object] = NOTHING,
) -> Recorded:
    """Append an event to the writer's session, durably and in one step; `more` goes into its metadata.

    The same text twice is two events, and neither is compared with existing memories.
    """
    draft = policy.draft_of(event, writer.session, engine.now())
    draft = draft._replace(metadata={**draft.metadata, **more})
    made = ready(engine, draft, writer, project)
    edit = Edit(writer, engine.new_id("op"), "episode", engine.now())
    number = _appended(engine, made, project, edit)
    memory = made.new.memory
    return Recorded(
        id=memory.id,
        status="staged" if memory.status is Status.STAGED else "created",
        session=memory.session or "",
        number=number,
        kind=event.kind,
        outcome=event.outcome,
        at=memory.created_at,
        redacted=made.redacted,
        reason=memory.reason_detail if memory.status is Status.STAGED else None,
    )


def _appended(engine: Engine, made: Ready, project: Project | None, edit: Edit) -> int:
    """Number the event under the lock, so that a session has no gaps and no duplicates."""
    session = made.new.memory.session or ""
    with engine.store.writing():
        know_project(engine.store, project, made.new.memory.updated_at)
        number = ledger.next_episode(engine.store, session)
        new = made.at(number)
        ledger.create(engine.store, [new], edit)
        ledger.chain_episodes(engine.store, [new.memory])
    return number


def timeline(engine: Engine, span: EventFilter, limit: int = 20, after: str | None = None) -> Timeline:
    """Return the last events of a span, newest last, including archived and forgotten ones."""
    limits.check_limit(limit)
    with engine.store.reading():
        return shown(engine, engine.store.log.timeline(span, limit, after))


def hand_off(
    engine: Engine,
    parts: HandoffParts,
    writer: Writer,
    project: Project | None = None,
    more: Mapping[str, object] = NOTHING,
) -> tuple[Recorded, Handoff]:
    """Record the end of the writer's session, with what is done, next, open and touched."""
    policy.check_parts(parts)
    clean, kinds = _without_secrets(parts)
    clean = policy.on_lines(clean)
    event = Event(policy.handed_over(clean), EpisodeKind.SESSION_END)
    recorded = record(engine, event, writer, project, {**policy.as_metadata(clean), **more})
    handoff = policy.handoff_of(read_memory(engine.store, recorded.id))
    return recorded._replace(redacted=tuple(dict.fromkeys([*kinds, *recorded.redacted]))), handoff


def last_handoff(engine: Engine, project: Project | None) -> Handoff | None:
    """Return what the last session of a project left, as parts or as plain text."""
    with engine.store.reading():
        memory = last_end(engine.store, project)
    return shown(engine, policy.handoff_of(memory)) if memory else None


def _without_secrets(parts: HandoffParts) -> tuple[HandoffParts, tuple[str, ...]]:
    """Redact each part, because the text is made of the parts."""
    clean, kinds = redact_value(policy.as_metadata(parts))
    metadata = cast("dict[str, object]", clean)
    listed = (texts_of(metadata, name) for name in HandoffParts._fields[1:])
    return HandoffParts(text_of(metadata, "text") or "", *listed), kinds
