"""Read the audit log, and see whether it can be trusted."""

from __future__ import annotations

from itertools import islice

from memory_layer.errors import InvalidInput
from memory_layer.model.history import Verdict
from memory_layer.model.memory import Change
from memory_layer.ports import Engine
from memory_layer.usecases.browse import LIST_MOST

#: A store that is broken in more places is not described better by a longer list.
MOST_FLAWS = 20


def verify(engine: Engine) -> Verdict:
    """Follow the whole chain and those of the sessions, and compare every memory and every old value with them."""
    with engine.store.reading():
        flaws = tuple(islice(engine.store.flaws(), MOST_FLAWS))
        try:
            entries, head = engine.store.audit_head()
        except ValueError:
            entries, head = 0, ""
        sessions = engine.store.episode_sessions()
        return Verdict(intact=not flaws, entries=entries, head=head, flaws=flaws, sessions=sessions)


def entries(engine: Engine, limit: int = 20) -> list[Change]:
    """The last entries of the audit log, newest first."""
    if not 1 <= limit <= LIST_MOST:
        raise InvalidInput(f"the limit must lie between 1 and {LIST_MOST}, not {limit}")
    with engine.store.reading():
        return list(islice(engine.store.latest_changes(), limit))
