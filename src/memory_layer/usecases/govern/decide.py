"""Decide about an item of the review queue."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from memory_layer.errors import ChangedMeanwhile, InvalidInput
from memory_layer.model.changes import Changes
from memory_layer.model.memory import Link, Memory, Writer
from memory_layer.model.record import NamedTuple
from memory_layer.model.review import Choice, Decided, Decision, Matter, Waiting
from memory_layer.model.sources import Standing
from memory_layer.model.vocabulary import LinkKind, MergeText, Reason, Status
from memory_layer.ports import Edit, Engine, Workspace
from memory_layer.rules import drafts, edits, lifecycle, limits, review
from memory_layer.rules import review_queue as policy
from memory_layer.rules.permissions import Action, may
from memory_layer.rules.procedures import check_kept_whole
from memory_layer.text.injection.detect import suspicions
from memory_layer.usecases.govern import ledger
from memory_layer.usecases.govern.review import rights, waiting_for
from memory_layer.usecases.govern.visibility import shown
from memory_layer.usecases.learn import outcome
from memory_layer.usecases.recall.vectors import embedded
from memory_layer.usecases.remember.edit import written
from memory_layer.usecases.remember.links import check_superseding, settle_likenesses, settle_pair
from memory_layer.usecases.remember.new_memory import hashed, live_twin, merge_into, save_indexed, settled
from memory_layer.usecases.who.expiry import days_for, noted
from memory_layer.usecases.who.lookup import read_memory, whole_id

if TYPE_CHECKING:
    from memory_layer.ports import PassageVectors
    from memory_layer.usecases.upkeep.verify import Recited


_SEEN_FROM_THE_NEWER = {
    MergeText.FULLER: MergeText.FULLER,
    MergeText.NEW: MergeText.KNOWN,
    MergeText.KNOWN: MergeText.NEW,
}


def decide(engine: Engine, choice: Choice, writer: Writer, place: Workspace | None = None) -> Decided:
    """Apply one decision as one operation, if the item still waits and is what the person saw.

    Sources are cited again where the caller works, in `place`, or where their project was last seen.
    """
    return decide_all(engine, [choice], writer, place)[0]


def decide_all(
    engine: Engine, choices: Sequence[Choice], writer: Writer, place: Workspace | None = None
) -> list[Decided]:
    """Apply the same decision to several items as one operation: to all of them or to none."""
    ready = [_prepared(engine, choice, place) for choice in choices]
    edit = Edit(writer, engine.new_id("op"), choices[0].decision.value, engine.now())
    with engine.store.writing():
        return [_carried_out(engine, each, edit) for each in ready]


class _Ready(NamedTuple):
    """A decision with all that is read and computed before the lock."""

    choice: Choice
    content: str | None
    redacted: tuple[str, ...]
    vectors: tuple[str, PassageVectors] | None
    recited: Recited | None


def _prepared(engine: Engine, choice: Choice, place: Workspace | None) -> _Ready:
    content, redacted = _words(choice)
    other = None if choice.other is None else whole_id(engine.store, choice.other)
    choice = choice._replace(memory=whole_id(engine.store, choice.memory), other=other)
    recited = _recited(engine, choice, place)
    return _Ready(choice, content, redacted, None if content is None else embedded(engine, content), recited)


def _carried_out(engine: Engine, ready: _Ready, edit: Edit) -> Decided:
    choice = ready.choice
    item = _item(engine, choice, edit.writer)
    policy.check_rights(item, choice.decision, edit.writer)
    first, second = _in_order(item, choice)
    work = _Work(engine, choice, edit, item, first, second, ready.content, ready.vectors, ready.recited)
    DOES[choice.decision](work)
    involved = [memory for memory in (item.other, item.memory) if memory]
    now = engine.store.memories.get([memory.id for memory in involved])
    return Decided(
        operation=edit.operation,
        kind=item.kind,
        decision=choice.decision,
        memories=shown(engine, tuple(now)),
        redacted=ready.redacted,
        notice=_notice(choice.decision, first, second),
    )


def _notice(decision: Decision, first: Memory, second: Memory | None) -> str | None:
    if decision is Decision.SUPERSEDE and second:
        return f"{first.id} supersedes {second.id}, which is no longer shown"
    return "both are kept" if decision is Decision.KEEP else None


class _Work(NamedTuple):
    engine: Engine
    choice: Choice
    edit: Edit
    item: Waiting
    first: Memory  #: the one the caller named first
    second: Memory | None
    content: str | None
    vectors: tuple[str, PassageVectors] | None
    recited: Recited | None = None

    def save(self, memory: Memory) -> None:
        store = self.engine.store
        save_indexed(store, read_memory(store, memory.id), memory, self.edit)


def _recited(engine: Engine, choice: Choice, place: Workspace | None) -> Recited | None:
    """Read the sources as they are now, before the lock; None if the decision does not touch them."""
    if choice.decision not in (Decision.ACCEPT, Decision.EDIT):
        return None
    memory = read_memory(engine.store, choice.memory)
    if not outcome.drifted(engine.store, [memory.id]):
        return None
    from memory_layer.usecases.upkeep.verify import recited  # few decisions are about sources

    return recited(engine, memory, place)


def _words(choice: Choice) -> tuple[str | None, tuple[str, ...]]:
    """Return the new text of an edit, redacted."""
    if (choice.decision is Decision.EDIT) != (choice.content is not None):
        raise InvalidInput("an edit needs new content, and no other decision takes any")
    if choice.content is None:
        return None, ()
    limits.check_text(choice.content, "the content", limits.CONTENT_CHARACTERS)
    clean, redacted = drafts.redacted_changes(Changes(content=choice.content))
    return clean.content, redacted


def _item(engine: Engine, choice: Choice, writer: Writer) -> Waiting:
    """Return the item the choice is about, as it waits under the lock."""
    memory_id = choice.memory
    about = [item for item in waiting_for(engine, [memory_id]) if _concerns(item, memory_id, choice.other)]
    if choice.seen is not None:
        about = [item for item in about if item.kind is choice.seen.kind]
    if not about:
        raise _gone(choice, memory_id)
    fitting = [item for item in about if choice.decision in item.offers]
    if not fitting:
        open_to_writer = dict.fromkeys(decision for item in about for decision in rights(item, writer))
        instead = f"choose {' or '.join(open_to_writer)}" if open_to_writer else "a person decides it"
        raise InvalidInput(f"{choice.decision} is not possible for {memory_id}; {instead}")
    partners = {item.other.id for item in fitting if item.kind in policy.PAIRS and item.other}
    if len(partners) > 1 and all(item.kind in policy.PAIRS for item in fitting):
        raise InvalidInput(f"{memory_id} is in several pairs; name the other memory too")
    _check_seen(fitting[0], choice.seen)
    return fitting[0]


def _concerns(item: Waiting, memory_id: str, other_id: str | None) -> bool:
    """Does an item involve this memory, and the other one if it is named?"""
    ids = {memory.id for memory in (item.memory, item.other) if memory}
    if item.kind is Matter.QUESTION and item.memory.id != memory_id:
        return False
    return memory_id in ids and (other_id is None or other_id in ids)


def _gone(choice: Choice, memory_id: str) -> Exception:
    if choice.seen is not None:
        return ChangedMeanwhile(f"somebody else has already decided about {memory_id}")
    return InvalidInput(f"{memory_id} is not waiting for a decision")


def _check_seen(item: Waiting, seen: Waiting | None) -> None:
    """Refuse to decide about anything but what the person looked at."""
    if seen is None:
        return
    for now, then in ((item.memory, seen.memory), (item.other, seen.other)):
        if (now and (now.id, now.version)) != (then and (then.id, then.version)):
            raise ChangedMeanwhile(
                f"{seen.memory.id} was changed by somebody else in the meantime; look at it again"
            )


def _in_order(item: Waiting, choice: Choice) -> tuple[Memory, Memory | None]:
    """Return the two memories in the order in which the caller named them."""
    if item.other is not None and item.other.id == choice.memory:
        return item.other, item.memory
    return item.memory, item.other


def _with_sources(work: _Work, memory: Memory) -> Memory:
    """Return the memory with its sources cited again, if they have not changed since they were looked at."""
    if work.item.kind is not Matter.DRIFTED or work.recited is None:
        return memory
    if work.recited.before != work.first.citations:
        raise ChangedMeanwhile(f"{memory.id} was changed by somebody else in the meantime; look at it again")
    if work.recited.after == work.recited.before:  # the source is as it was again
        work.engine.store.log.put_checks({memory.id: Standing(())}, work.edit.at)  # somebody has looked
    return memory._replace(citations=work.recited.after)


def _accept(work: _Work) -> None:
    """Cite changed sources as they are now, and drop those that are gone."""
    work.save(_with_sources(work, work.first)._replace(updated_at=work.edit.at))


def _approve(work: _Work) -> None:
    overrides = days_for(work.engine, work.first, by_person=True)
    work.save(lifecycle.approved(work.first, work.edit.writer.name, work.edit.at, overrides))


def _edit(work: _Work) -> None:
    """Reword and approve; a text that reads like an instruction keeps waiting, as a new one would."""
    assert work.content is not None
    changes = Changes(content=work.content)
    check_kept_whole(work.first, changes)
    after = _with_sources(work, edits.edited(work.first, changes, work.edit.at))
    if doubts := suspicions(after.content):
        after = review.held(after, tuple(doubts))
    else:
        overrides = days_for(work.engine, work.first, by_person=True)
        after = lifecycle.approved(after, work.edit.writer.name, work.edit.at, overrides)
    written(work.engine, work.first, hashed(work.engine, after), work.edit, work.vectors)


def _archive(work: _Work) -> None:
    work.save(lifecycle.archived(work.first, Reason.ASKED, work.edit.at))


def _renew(work: _Work) -> None:
    """Extend a memory, also one that a consolidation has archived meanwhile."""
    if work.first.status is Status.ARCHIVED and (twin := live_twin(work.engine.store, work.first)):
        raise InvalidInput(f"{work.first.id} cannot be restored: {twin.id} says the same")
    lasts = may(work.edit.writer, Action.OUTLAST_PROJECT_FILE)
    days = days_for(work.engine, work.first, by_person=lasts)
    renewed = noted(work.engine, work.first, lifecycle.renewed(work.first, work.edit.at, days), days)
    work.save(lifecycle.restored(renewed, work.edit.at))


def _keep(work: _Work) -> None:
    """Keep both; a question becomes active."""
    item = work.item
    if item.kind is not Matter.QUESTION:
        assert item.other is not None
        settle_pair(work.engine, item.memory.id, item.other.id, work.edit)
        return
    work.save(settled(item.memory))
    settle_likenesses(work.engine, item.memory.id, work.edit)


def _drop(work: _Work) -> None:
    """Discard a new memory; keep a proposed one as it is."""
    if work.item.kind is Matter.PROPOSED:
        work.save(lifecycle.unproposed(work.first)._replace(updated_at=work.edit.at))
        return
    known = work.item.other
    reason = Reason.SKIPPED if known else Reason.ASKED
    work.save(lifecycle.archived(work.item.memory, reason, work.edit.at, known.id if known else None))


def _merge(work: _Work) -> None:
    """Merge into the older memory with the chosen text and archive the newer one.

    Of a pair the global memory stays, so that it keeps applying everywhere.
    """
    newer, older = work.item.memory, work.item.other
    assert older is not None
    stays, goes, text = older, newer, work.choice.text
    if work.item.kind in policy.PAIRS and newer.project is None and older.project is not None:
        stays, goes, text = newer, older, _SEEN_FROM_THE_NEWER[text]
    work.save(lifecycle.archived(goes, Reason.MERGED, work.edit.at, stays.id))
    merge_into(work.engine, stays, goes, text, work.edit, compared=True)


def _supersede(work: _Work) -> None:
    assert work.second is not None
    check_superseding(work.engine, work.first, work.second, work.edit.writer)
    link = Link(work.first.id, work.second.id, LinkKind.SUPERSEDES, work.edit.at)
    ledger.link(work.engine.store, link, work.edit._replace(action="link"))


#: The function for each decision.
DOES: dict[Decision, Callable[[_Work], None]] = {
    Decision.APPROVE: _approve,
    Decision.EDIT: _edit,
    Decision.KEEP: _keep,
    Decision.MERGE: _merge,
    Decision.SUPERSEDE: _supersede,
    Decision.DROP: _drop,
    Decision.ACCEPT: _accept,
    Decision.RENEW: _renew,
    Decision.ARCHIVE: _archive,
}
