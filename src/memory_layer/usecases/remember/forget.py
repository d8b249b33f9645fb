"""Erase memories permanently."""

from __future__ import annotations

from collections.abc import Sequence

from memory_layer.errors import InvalidInput, StoreBusy
from memory_layer.model.changes import Forgotten, Traces
from memory_layer.model.memory import Memory, Writer
from memory_layer.model.vocabulary import Reason
from memory_layer.ports import Edit, Engine
from memory_layer.ports.log import OutcomeFilter, RecallFilter
from memory_layer.rules import drafts, lifecycle
from memory_layer.rules.edits import check_version
from memory_layer.rules.permissions import Action, check, check_allowed
from memory_layer.usecases.govern import ledger
from memory_layer.usecases.who.lookup import named_ids, read_memory


def preview(engine: Engine, prefixes: Sequence[str], writer: Writer) -> list[Traces]:
    """Return what forgetting these memories would erase; nothing is changed."""
    check_allowed(writer, Action.FORGET)
    with engine.store.reading():
        return [_traces(engine, memory_id) for memory_id in named_ids(engine.store, prefixes)]


def check_may_forget(writer: Writer) -> None:
    """Refuse anybody but a person who has confirmed."""
    check(writer, Action.FORGET)


def forget(engine: Engine, prefixes: Sequence[str], writer: Writer, version: int | None = None) -> Forgotten:
    """Erase the content of memories and their archived copies; only ids, counts and digests stay."""
    check_allowed(writer, Action.FORGET)
    edit = Edit(writer, engine.new_id("op"), "forget", engine.now())
    with engine.store.writing():
        named = named_ids(engine.store, prefixes)
        check_version(engine.store.memories.get(named), version)
        copies = [copy for memory_id in named for copy in engine.store.memories.copies_of(memory_id)]
        memories = [_erased(engine, memory_id, edit) for memory_id in dict.fromkeys([*named, *copies])]
    return Forgotten(memories=tuple(memories), swept=_swept(engine))


def _swept(engine: Engine) -> bool:
    """Are the old bytes gone? If the file is in use, the erasure stands and the sweep is left for later."""
    try:
        return engine.store.memories.sweep()
    except StoreBusy:
        return False


def _erased(engine: Engine, memory_id: str, edit: Edit) -> Memory:
    memory = read_memory(engine.store, memory_id)
    if memory.reason is Reason.FORGOTTEN:
        return memory
    if memory.reason is Reason.WRITING:
        raise InvalidInput(f"{memory.id} is still being written")
    place = lifecycle.forgotten(memory, edit.at)
    return ledger.forget(engine.store, place._replace(content_hash=drafts.address(place, None)), edit)


def _traces(engine: Engine, memory_id: str) -> Traces:
    memory = read_memory(engine.store, memory_id)
    copies = engine.store.memories.copies_of(memory_id)
    tellers = [] if memory.reason is Reason.FORGOTTEN else engine.store.memories.tellers_of(memory_id)
    elsewhere = next((each for each in tellers if each not in copies), None)
    return Traces(
        memory=memory,
        links=len(engine.store.links.of([memory_id])),
        outcomes=len(engine.store.log.outcomes(OutcomeFilter(memories=[memory_id]))),
        recalls=len(engine.store.log.recalls(RecallFilter(memory=memory_id))),
        copies=tuple(copies),
        lives_on=memory.reason_detail if memory.reason is Reason.MERGED else elsewhere,
    )
