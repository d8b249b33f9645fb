"""Read and verify the audit log."""

from __future__ import annotations

from itertools import chain as joined
from itertools import islice

from memory_layer.model.history import Logged, Note, Verdict
from memory_layer.model.memory import Change
from memory_layer.ports import Engine
from memory_layer.rules import history as policy
from memory_layer.rules import limits
from memory_layer.rules.access import describe_access
from memory_layer.usecases.govern import chain
from memory_layer.usecases.govern.access_flaws import access_flaws
from memory_layer.usecases.govern.signatures import Signatures
from memory_layer.usecases.govern.visibility import shown

#: A store that is broken in more places is not described better by a longer list.
MOST_FLAWS = 20


def verify(engine: Engine) -> Verdict:
    """Verify the whole chain and those of the sessions, and compare every memory and old value with them."""
    with engine.store.reading():
        signatures = Signatures(engine)
        found = joined(chain.chain_flaws(engine.store), signatures.flaws(), access_flaws(engine.store))
        flaws = tuple(islice(found, MOST_FLAWS))
        try:
            entries, head = engine.store.chain.head()
        except ValueError:
            entries, head = 0, b""
        sessions = len(engine.store.chain.session_heads())
        return shown(engine, Verdict(not flaws, entries, head.hex(), flaws, sessions, signatures.count))


def entries(engine: Engine, limit: int = 20) -> list[Logged]:
    """Return the last entries of the audit log, newest first, each with the memories it is about."""
    limits.check_limit(limit)
    with engine.store.reading():
        changes = list(islice(chain.latest_entries(engine.store), limit))
        proofs = chain.proofs_of(engine.store, list({each.operation for each in changes}))
        notes = {
            note.number: note for note in chain.notes_at(engine.store, [each.number for each in changes])
        }
        access = chain.access_at(engine.store, [each.number for each in changes])
        about = {each.number: _about(each, notes.get(each.number)) for each in changes}
        wanted = dict.fromkeys(memory_id for ids in about.values() for memory_id in ids)
        memories = {memory.id: memory for memory in engine.store.memories.get(list(wanted))}
    said = {number: policy.describe_proof(told) for number, (_, told) in proofs.items()}
    said |= {number: describe_access(told) for number, told in access.items()}
    means = {
        operation: str(told["confirmed"]["by"])
        for operation, told in proofs.values()
        if isinstance(told.get("confirmed"), dict) and "by" in told["confirmed"]
    }
    logged = [
        Logged(
            each,
            tuple(memories[memory_id] for memory_id in about[each.number] if memory_id in memories),
            policy.said(notes[each.number]) if each.number in notes else said.get(each.number),
            means.get(each.operation),
        )
        for each in changes
    ]
    return shown(engine, logged)


def _about(change: Change, note: Note | None) -> tuple[str, ...]:
    if change.memory is not None:
        return (change.memory,)
    return note.memories if note else ()
