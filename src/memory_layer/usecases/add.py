"""Remember something: redact, stage durably, compare, then show or ask."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple

from memory_layer.errors import NotAllowed, StoreUnavailable
from memory_layer.model.memory import Added, Candidate, Draft, Link, Memory, Project, Writer
from memory_layer.model.vocabulary import (
    CATEGORIES,
    Category,
    LinkKind,
    OnDuplicate,
    Reason,
    Source,
    Status,
)
from memory_layer.policy import duplicates, lifecycle, limits, redaction, review, scopes, tokens
from memory_layer.policy.duplicates import Verdict
from memory_layer.ports import Edit, Engine, Neighbourhood
from memory_layer.usecases.links import stand_alone
from memory_layer.usecases.merge import merge_into
from memory_layer.usecases.settle import settle_likenesses
from memory_layer.usecases.terms import terms_of

if TYPE_CHECKING:
    from memory_layer.ports import Vectors


#: Below this a known memory neither repeats nor denies a new one.
LEAST_COSINE = min(duplicates.CONTAINED_ABOVE, duplicates.CONFLICT_ABOVE)


def add(engine: Engine, draft: Draft, writer: Writer, project: Project | None = None) -> Added:
    """Store one memory. Whatever is answered but `similar` is durable and counted as said."""
    limits.check_draft(draft)
    draft = draft._replace(scope=scopes.validated(draft.scope))
    if draft.allow_secret and not writer.is_person:
        raise NotAllowed("only a person may store a secret as it is")
    clean, redacted = (draft, ()) if draft.allow_secret else redaction.redacted_draft(draft)
    memory = _new_memory(engine, clean, writer, project)
    work = _Work(engine, clean, Edit(writer, engine.new_id("op"), "add", engine.now()))
    answer = _stage(work, memory, project)
    if isinstance(answer, Memory):
        answer = _finished(work, answer)
    return answer._replace(redacted=redacted, hint=answer.hint or limits.hint(clean.content))


class _Work(NamedTuple):
    engine: Engine
    draft: Draft
    edit: Edit


def _finished(work: _Work, memory: Memory) -> Added:
    """Compare and show; if the store fails now, the memory is durable and the next command finishes it."""
    try:
        return settle(work, memory, embedded(work.engine, memory.content))
    except StoreUnavailable:
        return Added(id=memory.id, status="staged", reason="stored; the next command will finish it")


def embedded(engine: Engine, content: str) -> tuple[str, Vectors] | None:
    """The fingerprint and vectors of a text; None without a model."""
    embedder = engine.embedder()
    return (embedder.fingerprint, embedder.embed_memories([content])[0]) if embedder else None


def _new_memory(engine: Engine, draft: Draft, writer: Writer, project: Project | None) -> Memory:
    now = engine.now()
    created_at = draft.created_at or now
    source = _source(draft.source, writer)
    return Memory(
        id=engine.new_id("mem"),
        content=draft.content,
        category=draft.category,
        tier=draft.tier,
        project=project.key if project else None,
        scope=draft.scope,
        tags=tuple(dict.fromkeys(draft.tags)),
        metadata=draft.metadata,
        priority=draft.priority or CATEGORIES[draft.category].priority,
        source=source,
        source_run_id=draft.source_run_id,
        writer=writer.name,
        writer_kind=writer.kind,
        confidence=lifecycle.starting_confidence(source, draft.confidence),
        relevance=draft.relevance,
        session=draft.session,
        position=draft.position,
        status=Status.STAGED,
        reason=Reason.WRITING,
        expires_at=_expiry(engine, draft, created_at),
        citations=draft.citations,
        content_hash=duplicates.content_hash(project.id if project else None, draft.content),
        created_at=created_at,
        updated_at=now,
    )


def _expiry(engine: Engine, draft: Draft, created_at: datetime) -> datetime | None:
    if draft.never_expires or draft.expires_at is not None:
        return draft.expires_at
    return lifecycle.default_expiry(draft.category, created_at, engine.settings.default_expiry)


def _source(asked: Source | None, writer: Writer) -> Source:
    """The writer's own source, or the one asked for; an agent cannot pass for a person."""
    own = Source.HUMAN if writer.is_person else Source.AGENT
    return own if asked is None or (asked is Source.HUMAN and not writer.is_person) else asked


def _stage(work: _Work, memory: Memory, project: Project | None) -> Memory | Added:
    """Make the text durable in one short transaction, or answer from what is known already."""
    engine = work.engine
    terms, weight = terms_of(memory), tokens.estimate(memory.content)
    with engine.store.writing():
        if project is not None and engine.store.project(project.key) != project:
            engine.store.save_project(project, memory.updated_at)
        known = engine.store.same_text(memory.content_hash)
        if known is None:
            lease = memory.updated_at + timedelta(seconds=engine.settings.lease_seconds)
            engine.store.stage(memory, terms, weight, lease)
            return memory
        if known.status is Status.ARCHIVED:
            return _revived(work, known, memory)
        if known.reason is Reason.QUESTION:
            return known  # decided now, or asked again with what is close today
        engine.store.count(lifecycle.reinforced(known, work.edit.at), work.edit)
        return _known(known)._replace(hint=_left_alone(known, memory))


def _known(known: Memory) -> Added:
    """The answer for a text that is live already."""
    if known.reason is Reason.REVIEW:
        return Added(id=known.id, status="staged", reason=known.reason_detail)
    return Added(id=known.id, status="exists")


def _left_alone(known: Memory, memory: Memory) -> str | None:
    """What to say when the same text came with other labels, which are not taken over."""
    labels = ("category", "tags", "metadata", "scope", "citations")
    differing = [
        name
        for name in labels
        if getattr(memory, name) not in (getattr(known, name), Memory._field_defaults[name])
    ]
    return f"known already; not taken over: {', '.join(differing)}" if differing else None


def _revived(work: _Work, known: Memory, memory: Memory) -> Memory | Added:
    """An archived text said again is restored; one that was merged away or skipped is weighed anew."""
    engine, edit = work.engine, work.edit
    if known.reason in (Reason.MERGED, Reason.SKIPPED):
        reopened = known._replace(status=Status.STAGED, reason=Reason.WRITING, reason_detail=None)
        reopened = engine.store.save(reopened, edit._replace(action="reopen"))
        stand_alone(engine, known.id, edit)
        engine.store.hold(known.id, edit.at + timedelta(seconds=engine.settings.lease_seconds))
        return reopened
    if reasons := review.reasons(known) or review.reasons(memory):
        held = review.held(known, reasons)
        engine.store.save(held, edit._replace(action="restore"))
        return Added(id=known.id, status="staged", reason=held.reason_detail)
    restored = lifecycle.reinforced(lifecycle.restored(known, edit.at), edit.at)
    engine.store.save(restored, edit._replace(action="restore"))
    engine.store.count(restored, edit)
    return Added(id=known.id, status="exists", hint="it was in the archive and is active again")


class _Likeness(NamedTuple):
    """The known memories that a new one repeats or denies, with their cosine."""

    similar: tuple[tuple[Memory, float], ...]
    conflicting: tuple[tuple[Memory, float], ...]

    def candidates(self) -> tuple[Candidate, ...]:
        pairs = [(pair, "similar") for pair in self.similar] + [
            (pair, "conflicts") for pair in self.conflicting
        ]
        return tuple(
            Candidate(id=memory.id, content=memory.content, similarity=round(cosine, 4), relation=relation)
            for (memory, cosine), relation in pairs
        )


def settle(work: _Work, memory: Memory, vectors: tuple[str, Vectors] | None) -> Added:
    """Compare outside the lock, then decide inside it, looking again only at what changed meanwhile."""
    store = work.engine.store
    seen = store.sequence()
    near = _neighbours(work.engine, memory, vectors)
    with store.writing():
        current = store.get(memory.id)
        if current.reason not in (Reason.WRITING, Reason.QUESTION):
            return _known(current)  # recovery was faster
        near += _neighbours(work.engine, memory, vectors, since=seen)
        if vectors is not None:
            store.save_vectors(memory.id, *vectors)
        return _decided(work, current, _likeness(work.engine, memory, _as_they_are(work.engine, near)))


def _neighbours(
    engine: Engine, memory: Memory, vectors: tuple[str, Vectors] | None, since: int | None = None
) -> list[tuple[Memory, float]]:
    """Live memories close enough to be compared; a text of several passages has none."""
    if vectors is None or len(vectors[1]) != 1 or since == engine.store.sequence():
        return []
    category = None if memory.category is Category.GENERAL else memory.category
    among = Neighbourhood(memory.project, category, LEAST_COSINE, memory.id)
    return engine.store.nearest(vectors[1][0], vectors[0], among, since or 0)


def _as_they_are(engine: Engine, near: list[tuple[Memory, float]]) -> list[tuple[Memory, float]]:
    """The neighbours read again under the lock, without those archived or reworded meanwhile."""
    fresh = {memory.id: memory for memory in engine.store.get_many([known.id for known, _ in near])}
    return [
        (now, cosine)
        for known, cosine in near
        if (now := fresh[known.id]).status is Status.ACTIVE and now.content == known.content
    ]


def _likeness(engine: Engine, memory: Memory, near: list[tuple[Memory, float]]) -> _Likeness:
    threshold = engine.settings.duplicate_threshold
    similar: dict[str, tuple[Memory, float]] = {}
    conflicting: dict[str, tuple[Memory, float]] = {}
    for known, cosine in near:
        verdict = duplicates.verdict(memory.content, known.content, cosine, threshold)
        if verdict in (Verdict.SIMILAR, Verdict.SAME):
            similar[known.id] = known, cosine
        elif verdict is Verdict.CONFLICT:
            conflicting[known.id] = known, cosine
    return _Likeness(tuple(similar.values()), tuple(conflicting.values()))


def _decided(work: _Work, memory: Memory, likeness: _Likeness) -> Added:
    """Show the memory, or hold it back with the reason, or let it go into the one it repeats."""
    if reasons := review.reasons(memory):
        held = work.engine.store.save(review.held(memory, reasons), work.edit)
        _linked(work, memory, likeness.conflicting, LinkKind.CONFLICTS_WITH)
        candidates = likeness.candidates()
        return Added(id=memory.id, status="staged", candidates=candidates, reason=held.reason_detail)
    if likeness.similar and work.draft.on_duplicate is not OnDuplicate.KEEP:
        return _repeated(work, memory, likeness)
    _saved(work, memory, Status.ACTIVE)
    if memory.reason is Reason.QUESTION and not _unattended(work):
        settle_likenesses(work.engine, memory.id, work.edit)
    _linked(work, memory, likeness.similar, LinkKind.RELATES_TO, review=_unattended(work))
    _linked(work, memory, likeness.conflicting, LinkKind.CONFLICTS_WITH)
    return Added(id=memory.id, status="created", candidates=likeness.candidates())


def _unattended(work: _Work) -> bool:
    """Whether nobody was asked, so that a person should look at the pair later."""
    return work.edit.writer.door == "hook" or work.draft.source in (Source.IMPORT, Source.CAPTURE)


def _repeated(work: _Work, memory: Memory, likeness: _Likeness) -> Added:
    known = likeness.similar[0][0]
    if work.draft.on_duplicate is OnDuplicate.ASK:
        if memory.reason is not Reason.QUESTION:
            _saved(work, memory, Status.STAGED, Reason.QUESTION, f"close to {known.id}")
        _linked(work, memory, likeness.similar, LinkKind.RELATES_TO, review=True)
        return Added(id=memory.id, status="similar", candidates=likeness.candidates())
    if work.draft.on_duplicate is OnDuplicate.SKIP:
        _saved(work, memory, Status.ARCHIVED, Reason.SKIPPED, known.id)
        return Added(id=known.id, status="exists", candidates=likeness.candidates())
    _saved(work, memory, Status.ARCHIVED, Reason.MERGED, known.id)
    merge_into(work.engine, known, memory, work.draft.merge_text, work.edit._replace(action="merge"))
    return Added(id=known.id, status="merged", candidates=likeness.candidates())


def _saved(
    work: _Work, memory: Memory, status: Status, reason: Reason | None = None, detail: str | None = None
) -> None:
    work.engine.store.save(memory._replace(status=status, reason=reason, reason_detail=detail), work.edit)


def _linked(
    work: _Work,
    memory: Memory,
    others: tuple[tuple[Memory, float], ...],
    kind: LinkKind,
    review: bool = False,
) -> None:
    for other, _ in others:
        link = Link(source=memory.id, target=other.id, kind=kind, created_at=work.edit.at)
        work.engine.store.link(link, work.edit, review)


def finish_leftovers(engine: Engine, writer: Writer) -> int:
    """Finish what dead writers left staged: shown, kept beside anything similar, put into review."""
    finished = 0
    for memory in engine.store.leftovers(engine.now()):
        draft = Draft(content=memory.content, on_duplicate=OnDuplicate.KEEP, source=Source.IMPORT)
        work = _Work(engine, draft, Edit(writer, engine.new_id("op"), "recover", engine.now()))
        settle(work, memory, embedded(engine, memory.content))
        finished += 1
    return finished
