"""Record what an agent was given."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from types import MappingProxyType
from typing import TYPE_CHECKING

from memory_layer.errors import StoreUnavailable
from memory_layer.model.memory import Writer
from memory_layer.model.query import Given, Mode, Recall
from memory_layer.model.record import NamedTuple
from memory_layer.ports import Embedder, Engine

if TYPE_CHECKING:
    from memory_layer.model.context import SavedContext
    from memory_layer.model.sources import Standing
    from memory_layer.model.tasks import TaskLink
    from memory_layer.ports import Store, Vector


class Answer(NamedTuple):
    """The memories an agent was given, and the query they answer."""

    kind: str  #: search, context, compose, warning or run
    query: str
    ranker: str  #: or the rule by which its memories were chosen
    hits: tuple[Given, ...]
    project: str | None = None  #: the key or id of the one it was asked in
    mode: Mode = Mode.KEYWORD
    embedder: Embedder | None = None  #: which made the vector of the question
    vector: Vector | None = None
    context: SavedContext | None = None  #: of what its text was made
    standings: Mapping[str, Standing] = MappingProxyType({})  #: of the sources of its memories
    task_links: tuple[TaskLink, ...] = ()  #: to the task it was given for


def keep_recall(engine: Engine, answer: Answer, writer: Writer, recall_id: str | None = None) -> str | None:
    """Record an answer in one step and return its id; None if the store cannot be written."""
    try:
        with engine.store.writing():
            recall_id = recall_id or engine.new_id("rec")
            record_recall(engine.store, answer, writer, recall_id, engine.now())
    except StoreUnavailable:
        return None
    return recall_id


def record_recall(store: Store, answer: Answer, writer: Writer, recall_id: str, at: datetime) -> None:
    """Record an answer inside the caller's transaction."""
    recall = Recall(
        id=recall_id,
        at=at,
        query=answer.query,
        kind=answer.kind,
        mode=answer.mode,
        ranker=answer.ranker,
        writer=writer.name,
        session=writer.session,
        project=answer.project,
        memories=len(answer.hits),
        hits=answer.hits,
    )
    fingerprint = answer.embedder.fingerprint if answer.embedder else None
    store.vectors.put_question(answer.query, at, fingerprint, answer.vector)
    store.log.add_recall(recall)
    store.memories.count_recalled([hit.memory.id for hit in answer.hits], at)
    if answer.context is not None:
        store.log.put_context(recall_id, answer.context)
    if answer.standings:
        store.log.put_checks(answer.standings, at)
    if answer.task_links:
        store.task_links.put(answer.task_links)
