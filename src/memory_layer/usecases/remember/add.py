"""Add a memory: redact, stage durably, compare, then show or ask."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from memory_layer.errors import StoreUnavailable
from memory_layer.model.memory import Added, Draft, Link, Memory, Project, Writer
from memory_layer.model.record import NamedTuple
from memory_layer.model.vocabulary import LinkKind, OnDuplicate, Reason, Source, Status
from memory_layer.ports import Edit, Engine
from memory_layer.ports.search import Made
from memory_layer.ports.store import New
from memory_layer.rules import drafts, identity, limits, review
from memory_layer.rules.lifecycle import lease_bounds
from memory_layer.rules.permissions import Action, check, may
from memory_layer.rules.review_queue import check_may_archive
from memory_layer.text import scopes, tokens
from memory_layer.text.compare.close import question
from memory_layer.usecases.govern import ledger, visibility
from memory_layer.usecases.recall.vectors import embedded
from memory_layer.usecases.remember.close import (
    CloseMemory,
    close_by_meaning,
    close_by_words,
    still_close,
    surroundings_of,
)
from memory_layer.usecases.remember.links import settle_likenesses, stand_alone
from memory_layer.usecases.remember.new_memory import (
    LEAST_COSINE,
    Likeness,
    confirmed,
    differences_from,
    known_text,
    likeness,
    merge_into,
    neighbourhood,
    new_memory,
    save_indexed,
    settled,
    terms_of,
    ties,
)
from memory_layer.usecases.who.expiry import lengthened, restored, said_again
from memory_layer.usecases.who.lookup import read_memory
from memory_layer.usecases.who.origin import touched
from memory_layer.usecases.who.projects import know_project

if TYPE_CHECKING:
    from collections.abc import Callable

    from memory_layer.ports import PassageVectors


class Settling(NamedTuple):
    """A known memory that the caller decides about, and the check of that decision for the new text."""

    id: str
    check: Callable[[Memory], None]


def add(
    engine: Engine,
    draft: Draft,
    writer: Writer,
    project: Project | None = None,
    operation: str | None = None,
    *,
    settles: Settling | None = None,
) -> Added:
    """Store one memory, perhaps as part of an operation; every answer but `similar` is durable and counted.

    With `settles`, the caller decides about a memory itself: the two are not compared, and a known text is only named,
    which is no confirmation.
    """
    limits.check_fact(draft)
    limits.check_draft(draft)
    limits.check_expiry(draft.expires_at, engine.now())
    draft = draft._replace(scope=scopes.validated(draft.scope))
    if draft.allow_secret:
        check(writer, Action.STORE_SECRET)
    if draft.on_duplicate is OnDuplicate.MERGE:  # a person vouches for what they merge
        check(writer, Action.MERGE)
    clean, redacted = (draft, ()) if draft.allow_secret else drafts.redacted_draft(draft)
    memory = new_memory(engine, clean, writer, project)
    identity.vet(writer, lambda: None, memory)  # before it is staged, which cannot be taken back
    if settles:  # also before it is staged: a refusal stores nothing
        settles.check(known_text(engine.store, memory.content_hash) or memory)
    edit = Edit(writer, operation or engine.new_id("op"), "add", engine.now())
    work = _Work(engine, clean, edit, settles and settles.id)
    answer = _stage(work, memory, project)
    if isinstance(answer, Memory):
        answer = _finished(work, answer, project)
    elif answer.status == "created":
        answer = _compared_by_words(work, memory, project, answer)
    hint = answer.hint or limits.hint(clean.content)
    if answer.id == memory.id:  # and not a known one that says the same
        hint = "; ".join(filter(None, (hint, differences_from(engine, clean, memory)))) or None
    reason = visibility.shown(engine, answer.reason)
    return answer._replace(redacted=redacted, hint=hint, reason=reason)


class _Work(NamedTuple):
    engine: Engine
    draft: Draft
    edit: Edit
    settles: str | None = None


def _finished(work: _Work, memory: Memory, project: Project | None) -> Added:
    """Compare and show; if the store fails now, the memory is durable and the next command finishes it."""
    try:
        vectors = embedded(work.engine, memory.content)
        answer = compare_and_show(work, memory, vectors)
    except StoreUnavailable:
        return Added(id=memory.id, status="staged", reason="stored; the next command will finish it")
    if answer.status == "created" and not _has_one_vector(vectors):
        return _compared_by_words(work, memory, project, answer)
    return answer


def _compared_by_words(work: _Work, memory: Memory, project: Project | None, answer: Added) -> Added:
    """Add the memories that share many words, where no vectors tell what is close."""
    close = tuple((each.memory, each.similarity) for each in close_by_words(work.engine, memory, project))
    return answer_for(memory._replace(status=Status.ACTIVE), Likeness(close=close)) if close else answer


def _has_one_vector(vectors: tuple[str, PassageVectors] | None) -> bool:
    return vectors is not None and len(vectors[1]) == 1


def _stage(work: _Work, memory: Memory, project: Project | None) -> Memory | Added:
    """Make the text durable in one short transaction, or answer from what is known already."""
    engine = work.engine
    terms, weight = terms_of(memory), tokens.estimate(memory.content)
    compared = engine.fingerprint() is not None
    with engine.store.writing():
        know_project(engine.store, project, memory.updated_at)
        known = known_text(engine.store, memory.content_hash)
        if known is None and not compared:
            new = New(settled(memory), terms, weight)  # without a model there is nothing to wait for
            ledger.create(engine.store, [new], work.edit)
            return answer_for(new.memory, Likeness())
        if known is None:
            lease = memory.updated_at + timedelta(seconds=engine.settings.lease_seconds)
            ledger.stage(engine.store, New(memory, terms, weight), lease)
            return memory
        if known.status is Status.ARCHIVED:
            return _revived(work, known, memory)
        if known.reason is Reason.QUESTION or (
            known.reason is Reason.WRITING and known.id in abandoned(engine)
        ):
            return known  # decided now, or asked again with what is close today
        if work.settles:
            return _known(known)
        lasts = may(work.edit.writer, Action.OUTLAST_PROJECT_FILE)
        longer = said_again(engine, known, work.edit.at) if lasts else known
        if longer != known:
            save_indexed(engine.store, known, longer, work.edit._replace(action="renew"))
        counted = confirmed(engine, longer, work.edit).notice
        hints = (_left_alone(known, memory), lengthened(known, longer), counted)
        return _known(known)._replace(hint="; ".join(filter(None, hints)) or None)


def _known(known: Memory) -> Added:
    """Return the answer for a text that is live already."""
    if known.reason is Reason.REVIEW:
        return Added(id=known.id, status="staged", reason=known.reason_detail)
    return Added(id=known.id, status="exists")


def _left_alone(known: Memory, memory: Memory) -> str | None:
    """Return the hint for a known text that came with other labels, which are not taken over."""
    labels = ("category", "tags", "metadata", "scope", "citations")
    differing = [
        name
        for name in labels
        if getattr(memory, name) not in (getattr(known, name), Memory._field_defaults[name])
    ]
    return f"already stored; not taken over: {', '.join(differing)}" if differing else None


def _revived(work: _Work, known: Memory, memory: Memory) -> Memory | Added:
    """Restore an archived text that was added again; decide anew about one that was merged or skipped."""
    engine, edit = work.engine, work.edit
    known = touched(engine, known, edit.writer)
    if known.reason in (Reason.MERGED, Reason.SKIPPED) and not review.is_suggestion(known):
        reopened = known._replace(status=Status.STAGED, reason=Reason.WRITING, reason_detail=None)
        lease = edit.at + timedelta(seconds=engine.settings.lease_seconds)
        reopened = ledger.save(engine.store, reopened, edit._replace(action="reopen"), lease_until=lease)
        stand_alone(engine, known.id, edit)
        return reopened
    if reasons := review.reasons_to_return(known, edit.writer) or review.reasons(memory):
        held = review.held(known, reasons)
        ledger.save(engine.store, held, edit._replace(action="restore"))
        return Added(id=known.id, status="staged", reason=held.reason_detail)
    active = restored(engine, known, edit)
    save_indexed(engine.store, known, active, edit._replace(action="restore"))
    confirmed(engine, active, edit)
    return Added(id=known.id, status="exists", hint="it was archived and is active again")


def compare_and_show(work: _Work, memory: Memory, vectors: tuple[str, PassageVectors] | None) -> Added:
    """Compare outside the lock, then decide inside it, looking again only at what changed meanwhile."""
    store = work.engine.store
    seen = store.sequence()
    near = _neighbours(work, memory, vectors)
    close = close_by_meaning(memory, near[: surroundings_of(memory).limit])
    with store.writing():
        current = read_memory(store, memory.id)
        if current.reason not in (Reason.WRITING, Reason.QUESTION):
            return _known(current)  # recovery was faster
        near += _neighbours(work, memory, vectors, since=seen)
        if vectors is not None:
            store.vectors.put(vectors[0], [Made(memory.id, vectors[1])])
        known = _as_they_are(work.engine, [pair for pair in near if pair[1] > LEAST_COSINE])
        found = likeness(memory, known, work.engine.settings.duplicate_threshold)
        return _decided(work, current, found, close)


def _neighbours(
    work: _Work, memory: Memory, vectors: tuple[str, PassageVectors] | None, since: int | None = None
) -> list[tuple[Memory, float]]:
    """Return live memories close enough to compare; a text of several passages has none."""
    store = work.engine.store
    if vectors is None or not _has_one_vector(vectors) or since == store.sequence():
        return []
    fingerprint, passages = vectors
    wide = surroundings_of(memory)
    (near,) = store.search.neighbours(passages, fingerprint, [wide], since or 0)
    if len(near) == wide.limit and near[-1][1] > LEAST_COSINE:  # others of its category may lie behind these
        near += store.search.neighbours(passages, fingerprint, [neighbourhood(memory)], since or 0)[0]
    return [pair for pair in near if pair[0].id != work.settles]


def _as_they_are(engine: Engine, near: list[tuple[Memory, float]]) -> list[tuple[Memory, float]]:
    """Read the neighbours again under the lock, without those archived or reworded meanwhile."""
    fresh = {memory.id: memory for memory in engine.store.memories.get([known.id for known, _ in near])}
    return [
        (now, cosine)
        for known, cosine in near
        if (now := fresh[known.id]).status is Status.ACTIVE and now.content == known.content
    ]


def _decided(work: _Work, memory: Memory, found: Likeness, close: list[CloseMemory]) -> Added:
    """Show the memory, hold it back with a reason, or merge it into the one it repeats."""
    shown = settled(memory)
    if shown.status is Status.ACTIVE and found.similar and work.draft.on_duplicate is not OnDuplicate.KEEP:
        return _repeated(work, memory, found)
    ledger.save(work.engine.store, shown, work.edit)
    if memory.reason is Reason.QUESTION and shown.status is Status.ACTIVE and not _unattended(work):
        settle_likenesses(work.engine, memory.id, work.edit)
    for tie in ties(shown, found, work.edit.at, unattended=_unattended(work)):
        ledger.link(work.engine.store, tie.link, work.edit, tie.review)
    return answer_for(shown, found._replace(close=_asked_about(work, shown, found, close)))


def _asked_about(
    work: _Work, memory: Memory, found: Likeness, close: list[CloseMemory]
) -> tuple[tuple[Memory, float], ...]:
    """Return the close memories to ask about; where nobody hears the question, a person is asked if they are strong."""
    if memory.status is not Status.ACTIVE:
        return ()
    decided = {known.id for known, _ in (*found.similar, *found.conflicting)}
    asked = still_close(work.engine, [each for each in close if each.memory.id not in decided])
    for each in asked:
        if each.strong and _unattended(work) and memory.source is not Source.IMPORT:
            link = Link(memory.id, each.memory.id, LinkKind.RELATES_TO, work.edit.at)
            ledger.link(work.engine.store, link, work.edit, review=True)
    return tuple((each.memory, each.similarity) for each in asked)


def answer_for(memory: Memory, found: Likeness) -> Added:
    """Return the answer for a new memory that is settled."""
    candidates = found.candidates()
    if memory.status is Status.STAGED:
        return Added(memory.id, "staged", candidates, reason=memory.reason_detail)
    asked = any(each.relation == "close" for each in candidates)
    return Added(memory.id, "created", candidates, question=question(memory.content) if asked else None)


def _unattended(work: _Work) -> bool:
    """Was nobody asked, so that a person should look at the pair later?"""
    return work.edit.writer.door == "hook" or work.draft.source in (Source.IMPORT, Source.CAPTURE)


def _repeated(work: _Work, memory: Memory, found: Likeness) -> Added:
    known = found.similar[0][0]
    if work.draft.on_duplicate is OnDuplicate.ASK:
        if memory.reason is not Reason.QUESTION:
            _saved(work, memory, Status.STAGED, Reason.QUESTION, f"close to {known.id}")
        for other, _ in found.similar:
            link = Link(source=memory.id, target=other.id, kind=LinkKind.RELATES_TO, created_at=work.edit.at)
            ledger.link(work.engine.store, link, work.edit, review=True)
        return Added(id=memory.id, status="similar", candidates=found.candidates())
    if memory.reason is Reason.QUESTION:
        check_may_archive(memory, work.edit.writer)  # somebody else may have asked it
    if work.draft.on_duplicate is OnDuplicate.SKIP:
        _saved(work, memory, Status.ARCHIVED, Reason.SKIPPED, known.id)
        dropped = f"the new text was dropped; it is archived as {memory.id}"
        return Added(id=known.id, status="exists", candidates=found.candidates(), hint=dropped)
    _saved(work, memory, Status.ARCHIVED, Reason.MERGED, known.id)
    edit = work.edit._replace(action="merge")
    result = merge_into(work.engine, known, memory, work.draft.merge_text, edit)
    return Added(id=known.id, status="merged", candidates=found.candidates(), hint=lengthened(known, result))


def _saved(
    work: _Work, memory: Memory, status: Status, reason: Reason | None = None, detail: str | None = None
) -> None:
    ledger.save(
        work.engine.store, memory._replace(status=status, reason=reason, reason_detail=detail), work.edit
    )


def abandoned(engine: Engine) -> dict[str, Memory]:
    """Return the memories that dead writers left staged, by their ids."""
    return {each.id: each for each in engine.store.memories.unfinished(*lease_bounds(engine.now()))}


def finish_leftovers(engine: Engine, writer: Writer) -> int:
    """Finish memories that dead writers left staged; keep them beside similar ones, for review."""
    finished = 0
    for memory in abandoned(engine).values():
        draft = Draft(content=memory.content, on_duplicate=OnDuplicate.KEEP, source=Source.IMPORT)
        work = _Work(engine, draft, Edit(writer, engine.new_id("op"), "recover", engine.now()))
        compare_and_show(work, memory, embedded(engine, memory.content))
        finished += 1
    return finished
