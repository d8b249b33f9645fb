"""Record what happened, and look back along the line of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from memory_layer.errors import InvalidInput
from memory_layer.model.episodes import Event, Recorded, Timeline
from memory_layer.model.memory import NOTHING, Project, Writer
from memory_layer.model.vocabulary import Status
from memory_layer.ports import Edit, Engine
from memory_layer.ports.log import Span
from memory_layer.rules import episodes as policy
from memory_layer.usecases.govern import ledger
from memory_layer.usecases.govern.withhold import shown
from memory_layer.usecases.recall.browse import LIST_MOST
from memory_layer.usecases.remember.ready import ready
from memory_layer.usecases.who.projects import know_project

if TYPE_CHECKING:
    from memory_layer.usecases.who.projects import know_project
from memory_layer.usecases.remember.ready import Ready


def record(
    engine: Engine,
    event: Event,
    writer: Writer,
    project: Project | None = None,
    more: Mapping[str, object] = NOTHING,
) -> Recorded:
    """Put an event at the end of the writer's session, durably and in one step; `more` goes into its metadata.

    The same text twice is two events, and none is compared with what is known.
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
    """Number it under the lock, so that a session has no number twice and none is missing."""
    session = made.new.memory.session or ""
    with engine.store.writing():
        know_project(engine.store, project, made.new.memory.updated_at)
        number = ledger.next_episode(engine.store, session)
        new = made.at(number)
        ledger.create(engine.store, [new], edit)
        ledger.chain_episodes(engine.store, [new.memory])
    return number


def timeline(engine: Engine, span: Span, limit: int = 20, after: str | None = None) -> Timeline:
    """The last events of a span, newest last; archived and forgotten ones have their places in it."""
    if not 1 <= limit <= LIST_MOST:
        raise InvalidInput(f"the limit must lie between 1 and {LIST_MOST}, not {limit}")
    with engine.store.reading():
        return shown(engine, engine.store.log.timeline(span, limit, after))
