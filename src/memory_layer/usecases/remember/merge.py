"""Merge one memory into another."""

from __future__ import annotations

from memory_layer.model.memory import Link, Memory
from memory_layer.model.vocabulary import LinkKind, MergeText
from memory_layer.ports import Edit, Engine
from memory_layer.rules import review
from memory_layer.rules.edits import vouched
from memory_layer.rules.merge import check_mergeable, labelled, merged, with_origin
from memory_layer.rules.permissions import Action, guarded_by_a_person, may
from memory_layer.usecases.govern import ledger
from memory_layer.usecases.recall.vectors import copy_vectors
from memory_layer.usecases.remember.new_memory import hashed, live_twin, save_indexed
from memory_layer.usecases.who.expiry import lasting


def merge_into(
    engine: Engine, known: Memory, memory: Memory, text: MergeText, edit: Edit, *, compared: bool = False
) -> Memory:
    """Merge the newer, archived memory into the older one; both texts stay in history.

    A person vouches for the text that stays if they brought it, named it, or `compared` both.
    """
    check_mergeable(known, memory)
    store = engine.store
    result = merged(known, memory, text, edit.writer, edit.at)
    if guarded_by_a_person(known) and not may(edit.writer, Action.CHANGE_GUARDED):
        result = labelled(known, result)
    if not may(edit.writer, Action.LABEL_GUARDED) and review.label_doubts(known, result):
        result = result._replace(
            tags=known.tags, scope=known.scope, metadata=known.metadata, citations=known.citations
        )
    result = hashed(engine, result)
    if live_twin(store, result):
        result = result._replace(content=known.content, content_hash=known.content_hash)
    result = with_origin(result, known, memory)
    chosen = compared or text is MergeText.KNOWN or result.content != known.content
    if chosen and may(edit.writer, Action.APPROVE):
        result = vouched(known, result, edit.writer)
    result = lasting(engine, known, result, edit.at)
    saved = save_indexed(store, None, result, edit)
    ledger.count(store, result, edit)
    if result.content != known.content:
        store.vectors.drop([known.id])
    if result.content == memory.content:
        copy_vectors(store, memory.id, known.id)
    link = Link(source=known.id, target=memory.id, kind=LinkKind.SUPERSEDES, created_at=edit.at)
    ledger.link(store, link, edit._replace(action="link"))
    # What was saved was read before it was counted.
    return saved._replace(reinforcement_count=result.reinforcement_count, reinforced_at=result.reinforced_at)
