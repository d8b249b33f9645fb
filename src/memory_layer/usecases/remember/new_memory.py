"""What a new memory becomes beside the known ones: the decisions that every write path shares."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from memory_layer.model.memory import WRITTEN_FROM, Candidate, Draft, Link, Memory, Project, Writer
from memory_layer.model.record import NamedTuple
from memory_layer.model.vocabulary import CATEGORIES, Category, LinkKind, Reason, Source, Status, WriterKind
from memory_layer.ports import Engine
from memory_layer.ports.search import Neighbourhood
from memory_layer.rules import filing, lifecycle, review
from memory_layer.rules.unasked import is_learned_in
from memory_layer.text.compare import duplicates
from memory_layer.text.compare.duplicates import Verdict
from memory_layer.usecases.remember.elsewhere import placed
from memory_layer.usecases.who.expiry import days_for_new, noted, shortened

#: Below this a known memory neither repeats nor denies a new one.
LEAST_COSINE = min(duplicates.CONTAINED_ABOVE, duplicates.CONFLICT_ABOVE)

Near = tuple[Memory, float]


def new_memory(
    engine: Engine, draft: Draft, writer: Writer, project: Project | None, *, source: Source | None = None
) -> Memory:
    """What a checked and redacted draft asks for, still in its writer's hands; `source` overrules the draft's."""
    now = engine.now()
    created_at = draft.created_at or now
    source = _source(source or draft.source, writer)
    priority = draft.priority or CATEGORIES[draft.category].priority
    memory_id, project_id = engine.new_id("mem"), project.id if project else None
    memory = Memory(
        id=memory_id,
        content=draft.content,
        category=draft.category,
        tier=draft.tier,
        project=project.key if project else None,
        scope=draft.scope,
        tags=tuple(dict.fromkeys(draft.tags)),
        metadata=draft.metadata,
        priority=priority,
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
        citations=draft.citations,
        content_hash=filing.place_of(memory_id, draft.tier, draft.content, draft.metadata, project_id),
        created_at=created_at,
        updated_at=now,
    )
    return placed(engine, _ending(engine, memory, draft, project), writer, project)


def _ending(engine: Engine, memory: Memory, draft: Draft, project: Project | None) -> Memory:
    if draft.never_expires or draft.expires_at is not None:
        return lifecycle.ending(memory, draft.expires_at)
    by_person = memory.writer_kind is WriterKind.PERSON
    days = days_for_new(engine, memory.category, memory.priority, project, by_person=by_person)
    expires_at = lifecycle.default_expiry(memory.category, memory.created_at, days)
    if expires_at is None:
        return memory
    return noted(engine, memory, memory._replace(expires_at=expires_at), days)


def differences_from(engine: Engine, draft: Draft, memory: Memory) -> str | None:
    """What of a draft is stored otherwise than somebody asked for or expects, in words."""
    told = []
    if draft.source is Source.HUMAN and memory.source is not Source.HUMAN:
        told.append(f"its source is {memory.source}: only what a person types at a terminal is human")
    if draft.confidence is not None and draft.confidence > memory.confidence:
        most = f"{memory.confidence:g}"
        told.append(f"its confidence is {most}: what comes from the source {memory.source} begins no higher")
    told += filter(None, [shortened(engine, memory)])
    return "; ".join(told) or None


def _source(asked: Source | None, writer: Writer) -> Source:
    """The writer's own source, or the one asked for; an agent cannot pass for a person."""
    own = Source.HUMAN if writer.is_person else Source.AGENT
    return own if asked in (None, Source.HUMAN) else asked


def neighbourhood(memory: Memory, *, only_older: bool = False) -> Neighbourhood:
    """What a memory is compared with; `general` with every category."""
    category = None if memory.category is Category.GENERAL else memory.category
    return Neighbourhood(memory.project, category, LEAST_COSINE, memory.id, only_older=only_older)


class Likeness(NamedTuple):
    """The known memories that a new one repeats or denies, with their cosine."""

    similar: tuple[Near, ...] = ()
    conflicting: tuple[Near, ...] = ()

    def candidates(self) -> tuple[Candidate, ...]:
        if not (self.similar or self.conflicting):
            return ()
        pairs = [(pair, "similar") for pair in self.similar] + [
            (pair, "conflicts") for pair in self.conflicting
        ]
        return tuple(
            Candidate(id=memory.id, content=memory.content, similarity=round(cosine, 4), relation=relation)
            for (memory, cosine), relation in pairs
        )


def likeness(memory: Memory, near: Iterable[Near], threshold: float) -> Likeness:
    """Which of the memories close to a new one say nearly the same, and which it denies."""
    similar: dict[str, Near] = {}
    conflicting: dict[str, Near] = {}
    for known, cosine in near:
        verdict = duplicates.verdict(memory.content, known.content, cosine, threshold)
        if verdict in (Verdict.SIMILAR, Verdict.SAME):
            similar[known.id] = known, cosine
        elif verdict is Verdict.CONFLICT:
            conflicting[known.id] = known, cosine
    return Likeness(tuple(similar.values()), tuple(conflicting.values()))


def settled(memory: Memory) -> Memory:
    """The memory as it is shown, or as it waits for a person."""
    if reasons := review.reasons(memory):
        return review.held(memory, reasons)
    return memory._replace(status=Status.ACTIVE, reason=None, reason_detail=None)


class Tie(NamedTuple):
    """A link to be made, and whether a person should look at the pair."""

    link: Link
    review: bool = False


def ties(memory: Memory, found: Likeness, at: datetime, *, unattended: bool) -> list[Tie]:
    """How a settled memory is linked with what it resembles; one that waits only with what it denies."""
    made = [_denial(memory, other, at) for other, _ in found.conflicting]
    if memory.status is not Status.ACTIVE:
        return made
    return [
        *(Tie(Link(memory.id, other.id, LinkKind.RELATES_TO, at), unattended) for other, _ in found.similar),
        *made,
    ]


def _denial(memory: Memory, other: Memory, at: datetime) -> Tie:
    """The link to a memory that is denied; what was learned in a project is not disputed from another one."""
    if WRITTEN_FROM in memory.metadata and is_learned_in(other, other.project):
        return Tie(Link(memory.id, other.id, LinkKind.RELATES_TO, at), review=True)
    return Tie(Link(memory.id, other.id, LinkKind.CONFLICTS_WITH, at))
