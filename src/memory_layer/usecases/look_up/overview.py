"""Sum up what is known in a project, what waits, and how it went lately."""

from __future__ import annotations

from datetime import timedelta

from memory_layer.model.memory import Project
from memory_layer.model.overview import LATELY_DAYS, Overview
from memory_layer.model.query import Filters
from memory_layer.model.vocabulary import Status
from memory_layer.ports import Engine
from memory_layer.rules.episodes import handoff_of, is_substantial
from memory_layer.rules.overview import next_steps
from memory_layer.usecases.govern.review import counts
from memory_layer.usecases.govern.visibility import shown
from memory_layer.usecases.learn.session_ends import open_ends
from memory_layer.usecases.look_up.browse import stats


def overview(engine: Engine, filters: Filters, project: Project | None = None) -> Overview:
    """Return counts, the open handoff of the last session, and the next steps."""
    whole = filters._replace(statuses=tuple(Status), expired=True, superseded=True)
    since = engine.now() - timedelta(days=LATELY_DAYS)
    with engine.store.reading():
        ends = open_ends(engine.store, project, engine.now())[:1]
        found = Overview(
            stats=stats(engine, filters, project),
            recent_outcomes=engine.store.log.outcome_counts(whole, since),
            waiting=counts(engine, filters),
            handoff=next((handoff_of(end) for end in ends if is_substantial(end)), None),
            next=(),
        )
    return shown(engine, found._replace(next=next_steps(found)))
