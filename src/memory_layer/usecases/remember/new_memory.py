"""Build new memories and compare them with known ones: the decisions that every write path shares."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime
from functools import lru_cache

from memory_layer.model.changes import Curated
from memory_layer.model.memory import SHORTENED, WRITTEN_FROM, Candidate, Draft, Link, Memory, Project, Writer
from memory_layer.model.record import NamedTuple
from memory_layer.model.vocabulary import (
    CATEGORIES,
    Category,
    LinkKind,
    MergeText,
    Priority,
    Reason,
    Source,
    Status,
    Tier,
    WriterKind,
)
from memory_layer.ports import Edit, Engine, Store
from memory_layer.ports.search import Neighbourhood
from memory_layer.ports.store import IndexedTerms, New
from memory_layer.rules import drafts, lifecycle, limits, review
from memory_layer.rules.edits import vouched
from memory_layer.rules.merge import check_mergeable, labelled, merged, with_origin
from memory_layer.rules.permissions import Action, guarded_by_a_person, is_learned_in, may
from memory_layer.text import scopes, tokens
from memory_layer.text.compare import duplicates
from memory_layer.text.compare.close import MOST
from memory_layer.text.compare.duplicates import DuplicateVerdict
from memory_layer.text.words import date_words, line, unnumbered
from memory_layer.usecases.govern import ledger
from memory_layer.usecases.recall.vectors import copy_vectors, embedded
from memory_layer.usecases.who.expiry import days_for_new, lasting, noted, shortened
from memory_layer.usecases.who.origin import placed

#: Below this a known memory neither repeats nor denies a new one.
LEAST_COSINE = min(duplicates.CONTAINED_ABOVE, duplicates.CONFLICT_ABOVE)
Near = tuple[Memory, float]
#: The fields that full text sees.
SEEN = ("content", "category", "tags", "scope", "metadata", "created_at")
_LONGEST = 200  #: characters of labels that are remembered
_remembered = lru_cache(maxsize=256)(line)  # memories of one day are labelled alike


def new_memory(
    engine: Engine, draft: Draft, writer: Writer, project: Project | None, *, source: Source | None = None
) -> Memory:
    """Build a memory, still being written, from a checked and redacted draft; `source` overrides the draft's."""
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
        content_hash=drafts.place_of(memory_id, draft.tier, draft.content, draft.metadata, project_id),
        created_at=created_at,
        updated_at=now,
    )
    return placed(engine, _ending(engine, memory, draft, project), writer, project)


def _ending(engine: Engine, memory: Memory, draft: Draft, project: Project | None) -> Memory:
    if draft.never_expires or draft.expires_at is not None:
        return lifecycle.ending(memory, draft.expires_at)
    by_person = memory.writer_kind is WriterKind.PERSON
    if by_person and memory.priority.rank >= Priority.HIGH.rank:
        return memory  # whoever calls a warning important does not want it to vanish after three months
    days = days_for_new(engine, memory.category, memory.priority, project, by_person=by_person)
    expires_at = lifecycle.default_expiry(memory.category, memory.created_at, days)
    if expires_at is None:
        return memory
    return noted(engine, memory, memory._replace(expires_at=expires_at), days)


def differences_from(engine: Engine, draft: Draft, memory: Memory) -> str | None:
    """Describe what is stored differently from what was requested or expected."""
    hints = []
    if draft.source is Source.HUMAN and memory.source is not Source.HUMAN:
        hints.append(f"its source is {memory.source}: only what a person types at a terminal is human")
    if draft.confidence is not None and draft.confidence > memory.confidence:
        most = f"{memory.confidence:g}"
        hints.append(f"its confidence is {most}: the source {memory.source} starts no higher")
    hints += filter(None, [shortened(engine, memory)])
    return "; ".join(hints) or None


def _source(requested: Source | None, writer: Writer) -> Source:
    """Return the writer's own source, or the one requested; an agent cannot pass for a person."""
    own = Source.HUMAN if writer.is_person else Source.AGENT
    return own if requested in (None, Source.HUMAN) else requested


def neighbourhood(memory: Memory, *, only_older: bool = False) -> Neighbourhood:
    """Return what a memory is compared with; `general` with every category."""
    category = None if memory.category is Category.GENERAL else memory.category
    return Neighbourhood(memory.project, category, LEAST_COSINE, memory.id, only_older=only_older)


class Likeness(NamedTuple):
    """The known memories that a new one repeats, contradicts or is close to, with their cosines."""

    similar: tuple[Near, ...] = ()
    conflicting: tuple[Near, ...] = ()
    close: tuple[Near, ...] = ()  #: which of the two, if any, the caller has to decide

    def candidates(self) -> tuple[Candidate, ...]:
        if not any(self):
            return ()
        certain = [(pair, "similar") for pair in self.similar]
        certain += [(pair, "conflicts") for pair in self.conflicting]
        pairs = certain + [(pair, "close") for pair in self.close[: max(0, MOST - len(certain))]]
        return tuple(
            Candidate(id=memory.id, content=memory.content, similarity=round(cosine, 4), relation=relation)
            for (memory, cosine), relation in pairs
        )


def likeness(memory: Memory, near: Iterable[Near], threshold: float) -> Likeness:
    """Sort the memories close to a new one into similar and conflicting ones."""
    similar: dict[str, Near] = {}
    conflicting: dict[str, Near] = {}
    for known, cosine in near:
        if not _is_comparable(memory.category, known.category):
            continue
        verdict = duplicates.verdict(memory.content, known.content, cosine, threshold)
        if verdict in (DuplicateVerdict.SIMILAR, DuplicateVerdict.SAME):
            similar[known.id] = known, cosine
        elif verdict is DuplicateVerdict.CONFLICT:
            conflicting[known.id] = known, cosine
    return Likeness(tuple(similar.values()), tuple(conflicting.values()))


def _is_comparable(one: Category, other: Category) -> bool:
    return one is other or Category.GENERAL in (one, other)


def settled(memory: Memory) -> Memory:
    """Return the memory as active, or as held back for a person."""
    if reasons := review.reasons(memory):
        return review.held(memory, reasons)
    return memory._replace(status=Status.ACTIVE, reason=None, reason_detail=None)


class Tie(NamedTuple):
    """A link to be made, and whether a person should look at the pair."""

    link: Link
    review: bool = False


def ties(memory: Memory, found: Likeness, at: datetime, *, unattended: bool) -> list[Tie]:
    """Return the links of a settled memory to similar ones; one that waits is linked only to conflicting ones."""
    made = [_denial(memory, other, at) for other, _ in found.conflicting]
    if memory.status is not Status.ACTIVE:
        return made
    return [
        *(Tie(Link(memory.id, other.id, LinkKind.RELATES_TO, at), unattended) for other, _ in found.similar),
        *made,
    ]


def _denial(memory: Memory, other: Memory, at: datetime) -> Tie:
    """Return the link to a conflicting memory; what was learned in a project is not disputed from another one."""
    if WRITTEN_FROM in memory.metadata and is_learned_in(other, other.project):
        return Tie(Link(memory.id, other.id, LinkKind.RELATES_TO, at), review=True)
    return Tie(Link(memory.id, other.id, LinkKind.CONFLICTS_WITH, at))


def terms_of(memory: Memory, *, as_before: bool = False) -> IndexedTerms:
    """Return the indexed terms of the content, and of the labels: tags, category, scope, metadata, date.

    `as_before` is how earlier versions stored them: without the keys of metadata, with the numbers of steps.
    """
    if not (memory.tags or memory.scope or memory.metadata):
        return IndexedTerms(
            body=line(memory.content), labels=_kind_and_day(memory.category, memory.created_at.date())
        )
    labels = [
        memory.category.value,
        *memory.tags,
        *memory.scope,
        *(() if as_before else _keys(memory)),
        *_values(memory.metadata.values()),
        date_words(memory.created_at),
    ]
    text = "\n".join(labels)
    read = _remembered if len(text) <= _LONGEST else line
    return IndexedTerms(body=line(memory.content if as_before else _said(memory)), labels=read(text))


def _said(memory: Memory) -> str:
    """Return the content, of a procedure without the numbers of its steps: nobody asks for "3"."""
    return unnumbered(memory.content) if memory.tier is Tier.PROCEDURAL else memory.content


@lru_cache(maxsize=256)
def _kind_and_day(category: Category, day: date) -> str:
    """Return the label terms of a memory without labels of its own."""
    return line(f"{category.value}\n{date_words(day)}")


def _keys(memory: Memory) -> list[str]:
    """Return the keys of metadata that a caller gave; those of episodes and procedures are this program's."""
    if memory.tier is not Tier.SEMANTIC:
        return []
    return [key for key in memory.metadata if key not in (WRITTEN_FROM, SHORTENED)]


def _values(values: Iterable[object]) -> Iterator[str]:
    """Yield every plain value of a JSON structure as text."""
    for value in values:
        if isinstance(value, dict):
            yield from _values(value.values())
        elif isinstance(value, list | tuple):
            yield from _values(value)
        elif value is not None:
            yield str(value)


def save_indexed(store: Store, before: Memory | None, after: Memory, edit: Edit) -> Memory:
    """Save a memory, and its search terms unless the fields they come from are those of `before`."""
    if before is not None and all(getattr(before, name) == getattr(after, name) for name in SEEN):
        return ledger.save(store, after, edit)
    return ledger.save(store, after, edit, terms_of(after), tokens.estimate(after.content))


def confirmed(engine: Engine, known: Memory, edit: Edit) -> Curated:
    """Count a confirmation inside the caller's transaction, or say why it does not count."""
    after = lifecycle.reinforced(known, edit.writer, edit.at)
    if after != known:
        ledger.count(engine.store, after, edit)
    counted = after.reinforcement_count > known.reinforcement_count
    return Curated(after, (), counted, None if counted else lifecycle.NOT_COUNTED)


def hashed(engine: Engine, memory: Memory) -> Memory:
    """Return the memory with its current content hash."""
    project = engine.store.projects.get(memory.project) if memory.project else None
    return memory._replace(content_hash=drafts.address(memory, project.id if project else None))


def live_twin(store: Store, memory: Memory) -> Memory | None:
    """Return another live memory with the same text; only live texts must differ."""
    known = known_text(store, memory.content_hash)
    return known if known and known.id != memory.id and known.status is not Status.ARCHIVED else None


def known_text(store: Store, content_hash: str) -> Memory | None:
    """Return the memory with this content hash."""
    return known_texts(store, [content_hash]).get(content_hash)


def known_texts(store: Store, hashes: Sequence[str]) -> dict[str, Memory]:
    """Map content hashes to live memories, or else to the newest archived one that was not undone."""
    known: dict[str, Memory] = {}
    for memory in store.memories.by_hash(hashes):
        text, archived = memory.content_hash, memory.status is Status.ARCHIVED
        if archived and memory.reason is Reason.UNDONE:
            continue
        if text not in known or known[text].status is Status.ARCHIVED:
            known[text] = memory
    return known


class Ready(NamedTuple):
    """A memory ready to be written, with its vectors, and the kinds of secrets redacted."""

    new: New
    redacted: tuple[str, ...]

    def at(self, position: int) -> New:
        """Return the memory at this position of its session."""
        return self.new._replace(memory=self.new.memory._replace(position=position))


def ready(engine: Engine, draft: Draft, writer: Writer, project: Project | None) -> Ready:
    """Do everything that needs no lock; nothing is compared with existing memories."""
    limits.check_draft(draft)
    draft = draft._replace(scope=scopes.validated(draft.scope))
    clean, redacted = drafts.redacted_draft(draft)
    memory = settled(new_memory(engine, clean, writer, project))
    return Ready(new_from(engine, memory), redacted)


def new_from(engine: Engine, memory: Memory) -> New:
    return New(memory, terms_of(memory), tokens.estimate(memory.content), embedded(engine, memory.content))


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
