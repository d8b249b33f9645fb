"""Add many memories at once, with the same result as adding them one by one, but faster.

Each batch is one transaction, so a killed import leaves whole batches and the next run continues after them. Known
memories stay exactly as they are: importing the same again confirms nothing and restores nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from itertools import islice
from typing import TYPE_CHECKING

from memory_layer.errors import InvalidInput
from memory_layer.model.imports import ForeignMemory, ImportReport, Planned, Skipped
from memory_layer.model.memory import Memory, Project, Writer
from memory_layer.model.record import NamedTuple
from memory_layer.model.vocabulary import Reason, Source, Status, WriterKind
from memory_layer.ports import Edit, Engine, Store
from memory_layer.ports.store import New
from memory_layer.rules import drafts, limits, review
from memory_layer.rules.transfer.evidence import evidence_in_words
from memory_layer.text import scopes, tokens
from memory_layer.usecases.govern import ledger
from memory_layer.usecases.remember.new_memory import (
    Likeness,
    Near,
    known_texts,
    likeness,
    neighbourhood,
    new_memory,
    settled,
    terms_of,
    ties,
)
from memory_layer.usecases.transfer.foreign_history import Relations, events, lived
from memory_layer.usecases.upkeep.embed import ready_to_search
from memory_layer.usecases.who.projects import know_project

if TYPE_CHECKING:
    from memory_layer.ports import PassageVectors
    from memory_layer.ports.store import IndexedTerms

#: Memories per transaction, fewer if they are embedded: the most an interrupted run loses.
BATCH, EMBEDDED_BATCH = 2000, 256

Destination = Callable[[ForeignMemory], Project | None]
Progress = Callable[[int], None]


_UNLIKE = Likeness()


class Manner(NamedTuple):
    """Settings of a bulk add: its name in the history, and the source of its memories."""

    action: str = "import"
    source: Source | None = Source.IMPORT  #: None keeps each memory's own source
    unattended: bool = True  #: nobody sees the similar memories now, so the pairs await review


class BulkItem(NamedTuple):
    """An item being imported."""

    item: ForeignMemory
    memory: Memory  #: as it will be stored
    project: Project | None
    terms: IndexedTerms
    tokens: int
    redacted: tuple[str, ...] = ()
    vectors: tuple[str, PassageVectors] | None = None


def take_in(
    engine: Engine,
    items: Iterable[ForeignMemory],
    writer: Writer,
    destination: Destination,
    *,
    source: str,
    skipped: Sequence[Skipped] = (),
    notes: Sequence[Skipped] = (),
    dry_run: bool = False,
    progress: Progress | None = None,
) -> ImportReport:
    """Store the new items; report those that cannot be stored and continue with the others."""
    with ExitStack() as stack:
        scratch = stack.enter_context(engine.scratch()) if dry_run else None
        intake = Intake(engine, writer, destination, scratch)
        intake.skipped += skipped
        waiting = iter(items)
        while batch := list(islice(waiting, batch_size(engine))):
            intake.take(batch)
            if progress:
                progress(len(batch))
        if not dry_run:
            ready_to_search(engine, intake.added)
        return intake.report(source)._replace(notes=tuple(notes))


def batch_size(engine: Engine) -> int:
    """Return the number of memories written in one transaction."""
    return BATCH if engine.fingerprint() is None else min(BATCH, EMBEDDED_BATCH)


IMPORTED = Manner()


class Intake:
    """One import: its known texts, its target, and its counts so far."""

    def __init__(
        self,
        engine: Engine,
        writer: Writer,
        destination: Destination,
        scratch: Store | None = None,
        *,
        manner: Manner = IMPORTED,
        told: Callable[[BulkItem, Likeness], None] | None = None,
    ) -> None:
        """Start an import; `told` is called with each memory that was written and its neighbours."""
        self.engine = engine
        self.writer = writer
        self.destination = destination
        #: A dry run writes into the scratch store and still reads the real one.
        self.store = scratch or engine.store
        self.shelves = (engine.store, scratch) if scratch else (engine.store,)
        self.dry_run = scratch is not None
        self.manner = manner
        self.told = told
        self.edit = Edit(writer, engine.new_id("op"), manner.action, engine.now())
        self.relations = Relations()
        self.skipped: list[Skipped] = []
        self.planned: list[Planned] = []
        self.redacted: dict[str, None] = {}
        self.added = self.exists = self.similar = self.conflicts = self.staged = 0

    def take(self, batch: Sequence[ForeignMemory]) -> None:
        """Import one batch; record items that cannot be stored."""
        self.keep(list(self._prepared(batch)))

    def keep(self, batch: list[BulkItem]) -> None:
        """Write the new items of a batch in one transaction; prepare and compare them before taking the lock."""
        seen = [shelf.sequence() for shelf in self.shelves]
        fresh = self._embedded(self._unknown(batch))
        near = self._near(fresh, [0] * len(self.shelves))
        new = [_new(candidate) for candidate in fresh]
        with self.store.writing():
            if [shelf.sequence() for shelf in self.shelves] != seen:
                fresh = self._unknown(fresh)
                still = {candidate.memory.id for candidate in fresh}
                new = [each for each in new if each.memory.id in still]
                near = {key: self._as_they_are(found) for key, found in near.items()}
            self._write(fresh, new, near, seen)

    def report(self, source: str) -> ImportReport:
        return ImportReport(
            source=source,
            read=self.added + self.exists + len(self.skipped),
            added=self.added,
            exists=self.exists,
            similar=self.similar,
            conflicts=self.conflicts,
            staged=self.staged,
            skipped=tuple(self.skipped),
            planned=tuple(self.planned),
            redacted=tuple(self.redacted),
            operation=self.edit.operation if self.added and not self.dry_run else None,
            dry_run=self.dry_run,
        )

    def _prepared(self, batch: Sequence[ForeignMemory]) -> Iterator[BulkItem]:
        for item in batch:
            try:
                yield self.candidate(item)
            except InvalidInput as error:
                self.skipped.append(Skipped(item.where, str(error)))

    def candidate(self, item: ForeignMemory) -> BulkItem:
        """Check an item and redact its secrets; raise an error if it cannot be stored."""
        limits.check_fact(item.draft)
        limits.check_draft(item.draft)
        draft = item.draft
        if draft.scope:
            draft = draft._replace(scope=scopes.validated(draft.scope))
        clean, kinds = drafts.redacted_draft(draft)
        self.redacted |= dict.fromkeys(kinds)
        project = self.destination(item)
        is_lesson = clean.source is Source.LEARNING  # which trusts less than any other source
        source = Source.LEARNING if is_lesson else self.manner.source
        memory = new_memory(self.engine, clean, self.writer, project, source=source)
        if item.author and memory.writer_kind is WriterKind.PERSON:
            # Importing another program's words does not mean vouching for them.
            memory = memory._replace(writer=item.author, writer_kind=WriterKind.AGENT)
        # One question to a text after the other, because its words are looked up once for all of them; whether it
        # reads as an order comes last, because that is asked of another form of it where not all is ASCII.
        terms, weight = terms_of(memory), tokens.estimate(memory.content)
        return BulkItem(item, _settled(memory, item), project, terms, weight, kinds)

    def _unknown(self, candidates: list[BulkItem]) -> list[BulkItem]:
        """Return the items with a new text, each text once; count the others as existing."""
        hashes = [candidate.memory.content_hash for candidate in candidates]
        known = {
            content_hash: memory.id
            for shelf in self.shelves
            for content_hash, memory in known_texts(shelf, hashes).items()
        }
        fresh = []
        for candidate in candidates:
            memory = candidate.memory
            if memory.content_hash in known:
                self.exists += 1
            else:
                fresh.append(candidate)
            self.relations.met(candidate.item, known.setdefault(memory.content_hash, memory.id))
        return fresh

    def _embedded(self, candidates: list[BulkItem]) -> list[BulkItem]:
        embedder = self.engine.embedder() if candidates else None
        if embedder is None:
            return candidates
        every = embedder.embed_memories([candidate.memory.content for candidate in candidates])
        return [
            candidate._replace(vectors=(embedder.fingerprint, vectors))
            for candidate, vectors in zip(candidates, every, strict=True)
        ]

    def _near(
        self, candidates: Sequence[BulkItem], since: Sequence[int], *, only_older: bool = False
    ) -> dict[str, list[Near]]:
        """Return the known memories to compare with each, by id; none for a text of several passages."""
        single = [
            (candidate.memory, candidate.vectors)
            for candidate in candidates
            if candidate.vectors is not None and len(candidate.vectors[1]) == 1
        ]
        if not single:
            return {}
        import numpy as np

        vectors = np.concatenate([vectors for _, (_, vectors) in single])
        fingerprint = single[0][1][0]
        among = [neighbourhood(memory, only_older=only_older) for memory, _ in single]
        found: dict[str, list[Near]] = {memory.id: [] for memory, _ in single}
        for shelf, start in zip(self.shelves, since, strict=True):
            for each, near in zip(
                among, shelf.search.neighbours(vectors, fingerprint, among, start), strict=True
            ):
                found[each.excluding] = _nearest(found[each.excluding] + near, each.limit)
        return found

    def _as_they_are(self, near: list[Near]) -> list[Near]:
        """Read the neighbours again under the lock, without those archived or reworded since."""
        ids = [known.id for known, _ in near]
        fresh = {memory.id: memory for shelf in self.shelves for memory in shelf.memories.get(ids)}
        return [
            (now, cosine)
            for known, cosine in near
            if (now := fresh[known.id]).status is Status.ACTIVE and now.content == known.content
        ]

    def _write(
        self,
        candidates: Sequence[BulkItem],
        new: Sequence[New],
        near: dict[str, list[Near]],
        seen: Sequence[int],
    ) -> None:
        for project in {candidate.project for candidate in candidates if candidate.project}:
            # The scratch store of a dry run does not have the neighbours yet.
            known = project._replace(is_stored=project.is_stored and not self.dry_run)
            know_project(self.store, known, self.edit.at)
        ledger.create(self.store, new, self.edit, vetted=self.dry_run)
        # Also compare with what others and this batch have stored since.
        late = self._near(candidates, seen, only_older=True)
        for candidate in candidates:
            memory = candidate.memory
            both = near.get(memory.id, []) + late.get(memory.id, []) if near or late else []
            self._admit(candidate, _nearest(both, 10) if memory.status is not Status.ARCHIVED else [])
        engine = self.engine._replace(store=self.store)
        for link in self.relations.made({each.memory.id for each in candidates}, engine, self.writer):
            ledger.link(self.store, link, self.edit)

    def _admit(self, candidate: BulkItem, near: list[Near]) -> None:
        """Link a stored memory with similar ones, import its outcomes, and count it."""
        memory = candidate.memory
        found = likeness(memory, near, self.engine.settings.duplicate_threshold) if near else _UNLIKE
        if near:
            for tie in ties(memory, found, self.edit.at, unattended=self.manner.unattended):
                ledger.link(self.store, tie.link, self.edit, tie.review)
        # The memory was created with their counts, so undoing it covers them; they get no note of their own.
        if candidate.item.past is not None:
            from memory_layer.model.export import LineKind  # few sources have outcomes

            self.store.transfer.write(LineKind.OUTCOME, list(events(memory, candidate.item.past, self.edit)))
        self.added += 1
        if self.dry_run:
            project = candidate.project.key if candidate.project else None
            where = candidate.item.where
            self.planned.append(Planned(where, memory.category, memory.content, project, memory.status))
        self.similar += bool(found.similar) and memory.status is Status.ACTIVE
        self.conflicts += bool(found.conflicting)
        self.staged += memory.status is Status.STAGED
        if self.told:
            self.told(candidate, found)


def _settled(memory: Memory, item: ForeignMemory) -> Memory:
    """Return the memory as it will be stored: active, held for review, or archived as before."""
    memory = settled(lived(memory, item.past))
    if item.author and memory.source is Source.LEARNING:
        why = (*review.reasons_for_a_person(memory), evidence_in_words(memory.metadata))
        memory = review.held(memory, why)
    if item.archived is not None:
        memory = memory._replace(status=Status.ARCHIVED, reason=Reason.ASKED, reason_detail=item.archived)
    return memory


def _new(candidate: BulkItem) -> New:
    return New(candidate.memory, candidate.terms, candidate.tokens, candidate.vectors)


def _nearest(near: list[Near], limit: int) -> list[Near]:
    """Return the nearest neighbours, each once; ties go to the older one."""
    if not near:
        return near
    once: dict[str, Near] = {}
    for known, cosine in near:
        once.setdefault(known.id, (known, cosine))
    return sorted(once.values(), key=lambda each: -each[1])[:limit]
