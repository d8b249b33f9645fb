"""Every write that adds to the audit chain, each inside the caller's transaction."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from memory_layer.errors import NotFound
from memory_layer.model.memory import COUNTED, Link, Memory
from memory_layer.model.passkeys import Means
from memory_layer.model.vocabulary import Attention, LinkKind
from memory_layer.ports.log import OutcomeFilter, RunFilter
from memory_layer.ports.store import IndexedTerms, New
from memory_layer.rules.identity import strengthens, vet
from memory_layer.store import chain, rows
from memory_layer.store.chain import Body

if TYPE_CHECKING:
    from memory_layer.model.history import Note
    from memory_layer.model.outcome import OutcomeEvent
    from memory_layer.model.runs import Ending
    from memory_layer.model.tasks import TaskLink
    from memory_layer.ports import Edit, Store
    from memory_layer.ports.store import Head


def create(store: Store, new: Sequence[New], edit: Edit, *, vetted: bool = False) -> None:
    """Store new memories as they are; `vetted` skips the permission check."""
    if not new:
        return
    if not vetted:
        for each in new:
            vet(edit.writer, lambda: None, each.memory)
    columns = [rows.columns(each.memory) for each in new]
    store.memories.insert(new, columns)
    _say_means(store, edit, lambda: any(strengthens(None, each.memory) for each in new))
    _append(store, edit, [Body(each["id"], rows.digest(each)) for each in columns])


def stage(store: Store, new: New, lease_until: datetime) -> None:
    """Make a new memory durable without showing it; its history begins with `save`."""
    store.memories.insert([new], [rows.columns(new.memory) | {"version": 0}], lease_until)


def save(
    store: Store,
    memory: Memory,
    edit: Edit,
    terms: IndexedTerms | None = None,
    tokens: int | None = None,
    lease_until: datetime | None = None,
) -> Memory:
    """Write a memory's new state and return it as stored.

    The counters are left to `count`: whoever changes a record may have read it a moment ago.
    """
    current = _columns(store, memory.id)
    vet(edit.writer, lambda: store.memories.get([memory.id])[0], memory)
    _say_means(store, edit, lambda: bool(strengthens(store.memories.get([memory.id])[0], memory)))
    values = rows.columns(memory)
    written = {name: values[name] for name in (*rows.VERSIONED, "updated_at")}
    written |= {"version": current["version"] + 1, "lease_until": rows.to_micros(lease_until)}
    if tokens is not None:
        written["tokens"] = tokens
    store.memories.update(memory.id, written, terms)
    is_new = current["version"] == 0
    before = None if is_new else rows.digest(current)
    payload = None if is_new else rows.to_json(rows.replaced(current, values))
    _append(store, edit, [Body(memory.id, rows.digest(values), before, payload)])
    return store.memories.get([memory.id])[0]


def count(store: Store, memory: Memory, edit: Edit | None = None) -> None:
    """Write the counters of a memory without a new version; with an edit this can be undone."""
    values = rows.columns(memory)
    recount(store, memory.id, {name: values[name] for name in COUNTED}, edit)


def recount(store: Store, memory_id: str, after: Mapping[str, Any], edit: Edit | None) -> None:
    """Write counters given as columns."""
    if edit is not None:
        current = _columns(store, memory_id)
        before = {name: current[name] for name in after if current[name] != after[name]}
        moved = {name: after[name] for name in before}
        _note(store, edit, {"memory": memory_id, "before": before, "after": moved})
    store.memories.update(memory_id, after, quiet=edit is None)


def forget(store: Store, memory: Memory, edit: Edit) -> Memory:
    """Replace a memory by its tombstone; the chain keeps only its digests."""
    store.memories.erase(memory.id)
    saved = save(store, memory, edit, IndexedTerms(body="", labels=""), tokens=0)
    store.chain.drop_payloads(memory.id)
    return saved


def note_created(store: Store, memories: Sequence[Memory], digests: Iterable[str], edit: Edit) -> None:
    """Add the entries of memories that an import has written."""
    for each in memories:
        vet(edit.writer, lambda: None, each)
    _say_means(store, edit, lambda: any(strengthens(None, each) for each in memories))
    bodies = [
        Body(memory.id, bytes.fromhex(digest)) for memory, digest in zip(memories, digests, strict=True)
    ]
    _append(store, edit, bodies)


def link(store: Store, wanted: Link, edit: Edit, review: bool = False) -> bool:
    """Link two memories; False if they are linked already."""
    if _known(store, wanted) is not None:
        return False
    made = wanted._replace(attention=Attention(int(review)))
    store.links.put(made)
    _append(store, edit, [_link_body(made, None, made, edit)])
    return True


def unlink(store: Store, wanted: Link, edit: Edit) -> bool:
    """Remove a link; False if there is none."""
    known = _known(store, wanted)
    if known is None:
        return False
    store.links.drop(known)
    _append(store, edit, [_link_body(known, known, None, edit)])
    return True


def settle(store: Store, wanted: Link, attention: Attention, edit: Edit) -> bool:
    """Set whether a person should look at a link; False if nothing changes."""
    known = _known(store, wanted)
    if known is None:
        raise NotFound(f"there is no link {wanted.source} {wanted.kind} {wanted.target}")
    if known.attention is attention:
        return False
    settled = wanted._replace(attention=attention)
    store.links.put(settled)
    _append(store, edit, [_link_body(known, known, settled, edit)])
    return True


def note_links(store: Store, links: Iterable[Link], edit: Edit) -> None:
    """Add the entries of links that an import has written."""
    _append(store, edit, [_link_body(made, None, made) for made in links])


def link_task(store: Store, wanted: TaskLink, edit: Edit) -> bool:
    """Link a memory to a task; False if it is linked already."""
    if _known_task_link(store, wanted) is not None:
        return False
    store.task_links.put([wanted])
    _append(store, edit, [_task_link_body(wanted, None, wanted, edit)])
    return True


def unlink_task(store: Store, wanted: TaskLink, edit: Edit) -> bool:
    """Remove the link of a memory to a task; False if there is none."""
    known = _known_task_link(store, wanted)
    if known is None:
        return False
    store.task_links.drop(known)
    _append(store, edit, [_task_link_body(known, known, None, edit)])
    return True


def note_task_links(store: Store, links: Iterable[TaskLink], edit: Edit) -> None:
    """Add the entries of links to tasks that an import has written."""
    _append(store, edit, [_task_link_body(made, None, made) for made in links])


def record_outcome(store: Store, event: OutcomeEvent, edit: Edit) -> bool:
    """Store one report; False if this event is known already."""
    if store.log.outcomes(OutcomeFilter(ids=(event.id,))):
        return False
    store.log.put_outcome(event)
    if event.counted:
        _note(store, edit, {"outcome": event.id, "before": 0, "after": 1})
    return True


def weigh(store: Store, event_id: str, counted: int, edit: Edit) -> None:
    """Let a report count or not; a report taken back stays in the log and moves nothing."""
    for event in store.log.outcomes(OutcomeFilter(ids=(event_id,))):
        store.log.put_outcome(event._replace(counted=bool(counted)))
    _note(store, edit, {"outcome": event_id, "before": 1 - counted, "after": counted})


def end_run(store: Store, run_id: str, ending: Ending | None, edit: Edit) -> None:
    """Store how a run ended; None reopens it."""
    run = store.log.runs(RunFilter(ids=(run_id,)), 1)[0]
    store.log.put_run(run._replace(ending=ending))
    _note(store, edit, {"run": run_id, "before": _end(run.ending), "after": _end(ending)})


def confirm(store: Store, edit: Edit, told: Mapping[str, object]) -> None:
    """Add the entry that says by which means a person confirmed the other entries of an operation."""
    _note(store, edit._replace(action=chain.CONFIRM), {"confirmed": told})


def note_passkey(store: Store, edit: Edit, told: Mapping[str, object]) -> None:
    """Add the entry of a passkey that is registered or removed, and by which means the person confirmed that."""
    _say_means(store, edit, lambda: True)
    _note(store, edit, {"passkey": told})


def note_access(store: Store, edit: Edit, kind: str, told: Mapping[str, object]) -> None:
    """Add the entry of a token that is made or revoked, or of the passphrase that is set."""
    _say_means(store, edit, lambda: True)
    _note(store, edit, {kind: told})


def take_back(store: Store, note: Note, edit: Edit) -> None:
    """Undo a note, unless others have changed its subject since."""
    fields = note.told
    if "kind" in fields:
        _relink(store, fields, edit)
    elif "task" in fields:
        _relink_task(store, fields, edit)
    elif "outcome" in fields:
        weigh(store, fields["outcome"], fields["before"], edit)
    elif "run" in fields:
        run = store.log.runs(RunFilter(ids=(fields["run"],)), 1)[0]
        if _end(run.ending) == fields["after"]:
            end_run(store, fields["run"], _ending(fields["before"]), edit)
    else:
        current = _columns(store, fields["memory"])
        counters = rows.counted_back(current, fields["before"], fields["after"])
        recount(store, fields["memory"], counters, edit)


def chain_episodes(store: Store, memories: Sequence[Memory]) -> None:
    """Append stored events to their sessions; the caller has numbered them."""
    if not memories:
        return
    sessions = list(dict.fromkeys(memory.session or "" for memory in memories))
    heads: dict[str, Head] = dict(store.chain.session_heads(sessions))
    made = []
    for memory in memories:
        head = heads.get(memory.session or "", (0, chain.START))
        entry = chain.linked_event(head, memory, _columns(store, memory.id))
        heads[entry.session] = entry.number, entry.hash
        made.append(entry)
    store.chain.append_episodes(made)


def next_episode(store: Store, session: str) -> int:
    """Return the number of the next event of a session."""
    count, _ = store.chain.session_heads([session]).get(session, (0, b""))
    return count + 1


def _columns(store: Store, memory_id: str) -> Mapping[str, Any]:
    current = next(store.memories.columns([memory_id]), None)
    if current is None:
        raise NotFound(f"there is no memory {memory_id!r}")
    return current


def _append(store: Store, edit: Edit, bodies: Sequence[Body]) -> None:
    if bodies:
        store.chain.append(chain.linked(store.chain.head(), edit, bodies))


def _say_means(store: Store, edit: Edit, matters: Callable[[], bool]) -> None:
    """Say once in an operation by which means the person confirmed it; a signature is added when all is written."""
    means = edit.writer.means
    if means is None or means is Means.PASSKEY or not edit.writer.confirmed or not matters():
        return
    if not any(each.action == chain.CONFIRM for each in store.chain.proofs([edit.operation])):
        confirm(store, edit, {"by": means.value})


def _note(store: Store, edit: Edit, fields: Mapping[str, object]) -> None:
    """Add an entry for a change that makes no version."""
    _append(store, edit, [chain.note_body(fields, edit.writer)])


def _known(store: Store, wanted: Link) -> Link | None:
    """Return how a link stands; None if there is none."""
    return next((each for each in store.links.of([wanted.source]) if each[:3] == wanted[:3]), None)


def _link_body(about: Link, before: Link | None, after: Link | None, edit: Edit | None = None) -> Body:
    """Return the entry for a changed link, which is a version of neither memory."""
    place = {"source": about.source, "target": about.target, "kind": about.kind.value}
    fields = {**place, "before": _standing(before), "after": _standing(after)}
    return chain.note_body(fields, edit.writer if edit else None)


def _standing(link: Link | None) -> dict[str, object] | None:
    if link is None:
        return None
    return {"review": link.attention.value, "created_at": rows.to_micros(link.created_at)}


def _relink(store: Store, fields: Mapping[str, Any], edit: Edit) -> None:
    """Undo the change of a link, if it is still as the note left it."""
    kind, before = LinkKind(fields["kind"]), fields["before"]
    known = _known(store, Link(fields["source"], fields["target"], kind, edit.at))
    if _standing(known) != fields["after"]:
        return
    old = None
    if before is not None:
        created_at = rows.moment(before["created_at"])
        old = Link(fields["source"], fields["target"], kind, created_at, Attention(before["review"]))
        store.links.put(old)
    elif known is not None:
        store.links.drop(known)
    if about := known or old:
        _append(store, edit, [_link_body(about, known, old, edit)])


def _known_task_link(store: Store, wanted: TaskLink) -> TaskLink | None:
    """Return how a link to a task stands; None if there is none."""
    found = store.task_links.find(wanted.project, [wanted.task], [wanted.memory])
    return next((each for each in found if each.project == wanted.project), None)


def _task_link_body(
    about: TaskLink, before: TaskLink | None, after: TaskLink | None, edit: Edit | None = None
) -> Body:
    """Return the entry for a changed link to a task, which is no version of the memory."""
    place = {"task": about.task, "project": about.project, "memory": about.memory}
    fields = {**place, "before": _task_standing(before), "after": _task_standing(after)}
    return chain.note_body(fields, edit.writer if edit else None)


def _task_standing(link: TaskLink | None) -> dict[str, object] | None:
    if link is None:
        return None
    return {"automatic": link.automatic, "created_at": rows.to_micros(link.created_at)}


def _relink_task(store: Store, fields: Mapping[str, Any], edit: Edit) -> None:
    """Undo the change of a link to a task, if it is still as the note left it."""
    from memory_layer.model.tasks import TaskLink  # few changes are about tasks

    before = fields["before"]
    at = rows.moment(before["created_at"]) if before else edit.at
    automatic = bool(before and before["automatic"])
    old = TaskLink(fields["task"], fields["memory"], at, fields["project"], automatic)
    if _task_standing(_known_task_link(store, old)) == fields["after"]:
        (link_task if before else unlink_task)(store, old, edit)


def _end(ending: Ending | None) -> dict[str, object] | None:
    if ending is None:
        return None
    return {
        "result": ending.result.stored.value,
        "at": rows.to_micros(ending.at),
        "by": ending.by,
        "used": sorted(ending.used),
    }


def _ending(fields: Mapping[str, Any] | None) -> Ending | None:
    from memory_layer.model.runs import Ending, RunResult  # few changes are about runs

    if fields is None:
        return None
    return Ending(RunResult(fields["result"]), rows.moment(fields["at"]), fields["by"], tuple(fields["used"]))
