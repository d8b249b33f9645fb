"""Put a memory up for a person's approval."""

from __future__ import annotations

from memory_layer.errors import InvalidInput
from memory_layer.model.changes import Edited
from memory_layer.model.memory import Memory, Writer
from memory_layer.model.vocabulary import PROPOSED_TAG, Status, WriterKind
from memory_layer.ports import Edit, Engine
from memory_layer.text import tokens
from memory_layer.usecases.govern import ledger
from memory_layer.usecases.remember.tag import tag
from memory_layer.usecases.remember.terms import SEEN, terms_of
from memory_layer.usecases.who.ids import read_memory, whole_id


def propose(engine: Engine, prefix: str, writer: Writer) -> Edited:
    """Let a memory that counts already wait for a person to vouch for it; it goes on counting meanwhile."""
    memory = read_memory(engine.store, whole_id(engine.store, prefix))
    if memory.approved_by is not None or memory.writer_kind is WriterKind.PERSON:
        raise InvalidInput(f"a person vouches for {memory.id} already")
    if memory.status is not Status.ACTIVE:
        state = "waits for a person already" if memory.status is Status.STAGED else "is archived"
        raise InvalidInput(f"{memory.id} {state}; only what is active can be proposed")
    return tag(engine, memory.id, [PROPOSED_TAG], writer)


def saved(engine: Engine, before: Memory, after: Memory, edit: Edit) -> Memory:
    """Write a memory that may have lost a label, and is found by it no more."""
    if all(getattr(before, name) == getattr(after, name) for name in SEEN):
        return ledger.save(engine.store, after, edit)
    return ledger.save(engine.store, after, edit, terms_of(after), tokens.estimate(after.content))
