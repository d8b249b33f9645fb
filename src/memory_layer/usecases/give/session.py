"""Look up what a session was given."""

from __future__ import annotations

from memory_layer.model.memory import Writer
from memory_layer.ports import Engine
from memory_layer.ports.log import RecallFilter

RECALLS_OF_A_SESSION = 200  #: that are looked through


def given_in_session(engine: Engine, writer: Writer) -> set[str]:
    """Return the ids of the memories a session was given since its last context, which a compaction renews."""
    told: set[str] = set()
    wanted = RecallFilter(session=writer.session, hits=True)
    for recall in engine.store.log.recalls(wanted, RECALLS_OF_A_SESSION):
        told |= {hit.memory.id for hit in recall.hits}
        if recall.kind == "context":
            break
    return told


def has_context(engine: Engine, writer: Writer) -> bool:
    """Was this session given a context?"""
    recalls = engine.store.log.recalls(RecallFilter(session=writer.session), RECALLS_OF_A_SESSION)
    return any(recall.kind == "context" for recall in recalls)
