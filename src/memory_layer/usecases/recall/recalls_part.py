"""Look back at what agents were given; looking never counts as use."""

from __future__ import annotations

from memory_layer.errors import InvalidInput
from memory_layer.model.recalls import Recall
from memory_layer.ports import Engine
from memory_layer.ports.log import Recalls
from memory_layer.rules import limits
from memory_layer.usecases.govern.withhold import shown
from memory_layer.usecases.learn import log
from memory_layer.usecases.recall.browse import LIST_MOST
from memory_layer.usecases.who.ids import whole_id


def recalls(engine: Engine, session: str | None = None, limit: int = 20) -> list[Recall]:
    """The last answers, newest first, without what they held."""
    if not 1 <= limit <= LIST_MOST:
        raise InvalidInput(f"the limit must lie between 1 and {LIST_MOST}, not {limit}")
    if session is not None:
        limits.check_text(session, "the session", limits.NAME_CHARACTERS)
    with engine.store.reading():
        return shown(engine, engine.store.log.recalls(Recalls(session=session), limit))


def recall(engine: Engine, prefix: str) -> Recall:
    """One answer with the exact list it gave, each with its score and signals then."""
    with engine.store.reading():
        return shown(engine, log.recall_of(engine.store, whole_id(engine.store, prefix, "recall")))
