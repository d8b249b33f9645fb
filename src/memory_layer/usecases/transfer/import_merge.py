"""Add the memories of an export that a store does not have yet."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from memory_layer.model.export import ExportedMemory, ExportRecord, LineKind
from memory_layer.model.imports import ImportReport, Skipped
from memory_layer.model.memory import Link, Memory
from memory_layer.model.outcome import OutcomeEvent
from memory_layer.model.tasks import TaskLink
from memory_layer.model.vocabulary import LinkKind, Reason, Status, Tier
from memory_layer.ports import Edit, Engine
from memory_layer.ports.store import IndexedTerms
from memory_layer.rules import drafts, history
from memory_layer.rules.links import Pair, closing
from memory_layer.rules.permissions import Action, guarded_by_a_person, may
from memory_layer.rules.transfer import trust
from memory_layer.store import chain
from memory_layer.text import tokens
from memory_layer.usecases.govern import ledger
from memory_layer.usecases.govern.review import pairs_of
from memory_layer.usecases.remember.new_memory import terms_of
from memory_layer.usecases.who.origin import touched

if TYPE_CHECKING:
    from memory_layer.ports.store import Writable

NO_TERMS = IndexedTerms(body="", labels="")


#: `[one|more]` is singular or plural.
_EITHER = re.compile(r"\[(.*?)\|(.*?)\]")
_NOTES = {
    "history": "{:,} earlier version[ stays|s stay] in the file: the audit chains of two stores cannot be merged",
    "events": "{:,} [event was|events were] appended to [its session|their sessions] here: the chains of two"
    " sessions cannot be merged",
    "approvals": "{:,} [approval was|approvals were] not imported; only a person can import [it|them]",
    "sources": "{:,} [memory counts|memories count] as imported, because an agent cannot speak for a person",
    "vectors": "{:,} [memory gets|memories get] new vectors, because only a person can vouch for those in the file",
    "links": "{:,} [link was|links were] left out, because only a person may let [this memory|these memories] be"
    " superseded",
    "circles": "{:,} [link was|links were] left out, because [a memory|memories] would supersede"
    " [itself through it|themselves through them]",
}


class Merge:
    """Takes the records of an export in order and writes the new ones under one operation."""

    def __init__(self, engine: Engine, edit: Edit, *, dry_run: bool) -> None:
        self._engine, self._store, self._edit = engine, engine.store, edit
        self._transfer = engine.store.transfer
        self._dry_run = dry_run
        self.reworded: set[str] = set()  #: memories whose text was redacted, which invalidates their vectors
        self._projects: dict[str, str] = {}  #: ids in the file to ids here
        self._asked: dict[str, ExportRecord] = {}  #: queries that no new record refers to yet
        self._recalled: set[str] = set()  #: recalls imported now
        self._added: set[str] = set()
        self._returned: set[str] = set()  #: added memories that were here before and undone
        self._texts: set[str] = set()  #: live texts imported now
        self._guarded: set[str] = set()  #: added memories that a person guards
        self._replaced: set[Pair] = set()  #: superseding pairs of imported links
        self._stored: set[Pair] = set()  #: superseding pairs of this store, as far as followed
        self._followed: set[str] = set()  #: the memories followed so far
        self._skipped: list[Skipped] = []
        self._said: list[Skipped] = []
        self._notes: dict[str, int] = {}
        self._numbers: dict[str, int] = {}  #: number of the last imported event by session
        self._read = self._exists = self._staged = 0

    def take(self, kind: LineKind, batch: Sequence[Any]) -> None:
        """Process the next batch of one kind; the chains of another store are skipped."""
        if take := getattr(self, f"_take_{kind}", None):
            take(batch)

    def _insert(self, kind: LineKind, records: Sequence[Writable]) -> None:
        if records and not self._dry_run:
            self._transfer.write(kind, records)

    def report(self, source: str) -> ImportReport:
        """Return the report of the import."""
        counted = (note(where, count) for where, count in self._notes.items())
        return ImportReport(
            source=source,
            read=self._read,
            added=len(self._added),
            exists=self._exists,
            staged=self._staged,
            skipped=tuple(self._skipped),
            notes=(*self._said, *counted),
            operation=self._edit.operation if self._added and not self._dry_run else None,
        )

    def _note(self, where: str, count: int = 1) -> None:
        if count:
            self._notes[where] = self._notes.get(where, 0) + count

    def _take_project(self, batch: Sequence[ExportRecord]) -> None:
        """Match projects by any of their keys, and add the unknown ones."""
        brought: list[ExportRecord] = []
        for project in batch:
            names = (project.id, project.key, *project.aliases)
            known = next((found for name in names if (found := self._store.projects.get(name))), None)
            self._projects[project.id] = known.id if known else project.id
            moved = project._replace(id=self._projects[project.id])
            allowed = trust.admitted_project(moved, self._edit.writer, known=known is not None)
            brought += [allowed] if allowed else []
        self._insert(LineKind.PROJECT, brought)

    def _take_memory(self, batch: Sequence[ExportedMemory]) -> None:
        self._read += len(batch)
        here = {each.id: each for each in self._store.memories.get([each.memory.id for each in batch])}
        moved = [(each, self._moved(each)) for each in batch]
        live = [each.memory.content_hash for _, each in moved if each.memory.status is not Status.ARCHIVED]
        same_text = self._store.memories.by_hash(live)
        texts = {each.content_hash: each.id for each in same_text if each.status is not Status.ARCHIVED}
        undone = {each.id: each for each in here.values() if each.reason is Reason.UNDONE}
        new = [after for before, after in moved if self._is_new(before, after, here, undone, texts)]
        self._staged += sum(each.memory.reason is Reason.REVIEW for each in new)
        self._added.update(each.memory.id for each in new)
        self._guarded.update(each.memory.id for each in new if guarded_by_a_person(each.memory))
        self._returned.update(each.memory.id for each in new if each.memory.id in undone)
        self._note("events", sum(_is_event(each.memory) and each.memory.id not in undone for each in new))
        if not self._dry_run:
            self._write([each for each in new if each.memory.id not in undone])
            self._write_returned([each for each in new if each.memory.id in undone], undone)

    def _write(self, new: Sequence[ExportedMemory]) -> None:
        if new:
            new = [self._numbered(each) if _is_event(each.memory) else each for each in new]
            memories = [each.memory for each in new]
            self._insert(LineKind.MEMORY, with_terms(LineKind.MEMORY, new))
            ledger.note_created(self._store, memories, map(chain.memory_digest, memories), self._edit)
            ledger.chain_episodes(self._store, [memory for memory in memories if _is_event(memory)])

    def _numbered(self, record: ExportedMemory) -> ExportedMemory:
        """Append an event to its session here, or to the session of the import if it has none."""
        session = record.memory.session or self._edit.writer.session
        last = self._numbers.get(session) or ledger.next_episode(self._store, session) - 1
        self._numbers[session] = last + 1
        return record._replace(memory=record.memory._replace(session=session, position=last + 1))

    def _write_returned(self, returned: Sequence[ExportedMemory], known: dict[str, Memory]) -> None:
        """Restore memories whose import was undone, continuing their history."""
        for each in returned:
            memory = each.memory
            memory = _placed(memory, known[memory.id]) if _is_event(memory) else memory
            ledger.save(self._store, memory, self._edit, _terms(each), each.tokens)

    def _moved(self, record: ExportedMemory) -> ExportedMemory:
        """Return a memory as it starts here: with this store's project, this writer's trust, and version 1."""
        project = self._projects.get(record.project) if record.project else None
        before = record.memory
        if before.reason is Reason.FORGOTTEN:
            return record
        memory = trust.admitted(before, self._edit.writer)
        if project and not may(self._edit.writer, Action.LEARN_ELSEWHERE):
            # In a person's file each memory names its own writer.
            memory = touched(self._engine, memory, self._edit.writer, self._store.projects.get(project))
        memory = memory._replace(version=1, content_hash=drafts.address(memory, project))
        return ExportedMemory(memory, project, tokens.estimate(memory.content), None)

    def _is_new(
        self,
        before: ExportedMemory,
        after: ExportedMemory,
        here: dict[str, Memory],
        undone: dict[str, Memory],
        texts: dict[str, str],
    ) -> bool:
        memory = after.memory
        if memory.id in here and not self._may_return(undone.get(memory.id), memory):
            self._meet_again(before.memory, memory, here[memory.id])
            return False
        if memory.reason is Reason.FORGOTTEN:
            self._skipped.append(Skipped(memory.id, "it was forgotten; there is nothing left to import"))
            return False
        if memory.status is not Status.ARCHIVED:
            holder = texts.get(memory.content_hash)
            if holder is not None or memory.content_hash in self._texts:
                self._exists += 1
                says = (
                    f"{holder} has the same text"
                    if holder
                    else "another memory in the file has the same text"
                )
                self._said.append(Skipped(memory.id, says))
                return False
            self._texts.add(memory.content_hash)
        self._note("history", before.memory.version - 1 if before.memory.version > 1 else 0)
        self._note("approvals", int(before.memory.approved_by is not None and memory.approved_by is None))
        self._note("sources", int(before.memory.source is not memory.source))
        return True

    def _may_return(self, known: Memory | None, memory: Memory) -> bool:
        """Check whether a memory whose import was undone may be restored by this writer."""
        if known is None or known.content_hash != memory.content_hash or memory.reason is Reason.UNDONE:
            return False
        return history.refusal(known, memory, self._edit.writer) is None

    def _meet_again(self, before: Memory, after: Memory, known: Memory) -> None:
        if _is_event(after):  # its number was assigned here
            before, after = _placed(before, known), _placed(after, known)
        if chain.memory_digest(known) in map(chain.memory_digest, (before, after)):
            self._exists += 1
        else:
            self._skipped.append(
                Skipped(after.id, "it exists here with different content, which was not changed")
            )

    def _take_link(self, batch: Sequence[Link]) -> None:
        """Link new memories with each other and with known ones."""
        ours = [link for link in batch if self._added & {link.source, link.target}]
        ends = {end for link in ours for end in _pair(link)}
        known = self._store.memories.get(sorted(ends - self._added))
        guarded = {end: end in self._guarded for end in ends & self._added}
        guarded |= {
            each.id: guarded_by_a_person(each) or bool(pairs_of(self._engine, each.id)) for each in known
        }
        allowed = self._without_circles([link for link in ours if self._may_link(link, guarded)])
        if not self._dry_run:
            self._relate([trust.admitted_link(each, self._edit.writer) for each in allowed])

    def _relate(self, links: Sequence[Link]) -> None:
        """Add missing links, each recorded so that it can be undone."""
        ends = sorted({end for link in links for end in _pair(link)})
        known = {link[:3] for link in self._store.links.of(ends)}
        new = [link for link in links if link[:3] not in known]
        self._insert(LineKind.LINK, new)
        ledger.note_links(self._store, new, self._edit)

    def _may_link(self, link: Link, guarded: dict[str, bool]) -> bool:
        """Check whether a link may be imported, given the memories that a person guards."""
        if link.source not in guarded or link.target not in guarded:
            return False
        if link.kind is not LinkKind.SUPERSEDES:
            return True
        if guarded[link.target] and not may(self._edit.writer, Action.SUPERSEDE_GUARDED):
            self._note("links")
            return False
        return True

    def _without_circles(self, links: Sequence[Link]) -> list[Link]:
        """Drop links by which a memory would supersede itself, and remember the others.

        The links of a file contain no cycle, so there is none unless this store has links of its own.
        """
        new = {_pair(link) for link in links if link.kind is LinkKind.SUPERSEDES}
        here = {end for pair in new for end in pair if end not in self._added or end in self._returned}
        if unknown := here - self._followed:
            found = self._superseding(unknown)
            self._stored |= found - self._replaced
            self._followed |= unknown.union(*found)
        left_out = closing(self._stored | self._replaced, new) if self._stored else set()
        self._note("circles", len(left_out))
        self._replaced |= new - left_out
        return [link for link in links if _pair(link) not in left_out or link.kind is not LinkKind.SUPERSEDES]

    def _superseding(self, ids: set[str]) -> set[Pair]:
        """Return the links by which these memories supersede others, transitively."""
        found: set[Pair] = set()
        seen: set[str] = set()
        while ids:
            links = self._store.links.of(sorted(ids))
            pairs = {_pair(each) for each in links if each.kind is LinkKind.SUPERSEDES and each.source in ids}
            found |= pairs
            seen |= ids
            ids = {target for _, target in pairs} - seen
        return found

    def _take_query(self, batch: Sequence[ExportRecord]) -> None:
        self._asked.update((each.text, each) for each in batch)

    def _take_recall(self, batch: Sequence[ExportRecord]) -> None:
        ours = [each for each in batch if any(item["memory"] in self._added for item in each.items)]
        self._add_queries(each.query for each in ours)
        self._recalled.update(each.id for each in ours)
        moved = [each._replace(project=self._projects.get(each.project or "")) for each in ours]
        self._insert(LineKind.RECALL, moved)

    def _take_outcome(self, batch: Sequence[OutcomeEvent]) -> None:
        ours = [event for event in batch if event.memory in self._added]
        self._add_queries(event.query for event in ours if event.query is not None)
        self._insert(LineKind.OUTCOME, ours)

    def _take_run(self, batch: Sequence[ExportRecord]) -> None:
        self._insert(LineKind.RUN, [each for each in batch if each.recall in self._recalled])

    def _take_context(self, batch: Sequence[ExportRecord]) -> None:
        self._insert(LineKind.CONTEXT, [each for each in batch if each.recall in self._recalled])

    def _take_task_link(self, batch: Sequence[TaskLink]) -> None:
        """Link new memories to the tasks they were used for; only links that somebody asked for can be undone."""
        ours = [
            each._replace(project=self._projects.get(each.project or ""))
            for each in batch
            if each.memory in self._added
        ]
        self._insert(LineKind.TASK_LINK, ours)
        if not self._dry_run:
            asked = [each for each in ours if not each.automatic and each.memory not in self._returned]
            ledger.note_task_links(self._store, asked, self._edit)

    def _add_queries(self, texts: Iterable[str]) -> None:
        """Add the queries that new records refer to."""
        self._insert(LineKind.QUERY, [self._asked[text] for text in dict.fromkeys(texts)])

    def _take_vector(self, batch: Sequence[ExportRecord]) -> None:
        wanted = self._added - self._returned - self.reworded
        ours = [each for each in batch if each.memory in wanted]
        if trust.brings_vectors(self._edit.writer):
            self._insert(LineKind.VECTOR, ours)
        else:
            self._note("vectors", len(ours))

    def _take_query_vector(self, batch: Sequence[ExportRecord]) -> None:
        if trust.brings_vectors(self._edit.writer):
            self._insert(LineKind.QUERY_VECTOR, batch)


def _pair(link: Link) -> Pair:
    return link.source, link.target


def _is_event(memory: Memory) -> bool:
    return memory.tier is Tier.EPISODIC


def _placed(memory: Memory, known: Memory) -> Memory:
    """Return a restored memory at its old position in its session."""
    return memory._replace(session=known.session, position=known.position)


def with_terms(kind: LineKind, records: Sequence[ExportRecord]) -> Sequence[Writable]:
    """Return records ready to be written: memories with their full-text terms."""
    return [(each, _terms(each)) for each in records] if kind is LineKind.MEMORY else records


def _terms(record: ExportedMemory) -> IndexedTerms:
    return NO_TERMS if record.memory.reason is Reason.FORGOTTEN else terms_of(record.memory)


def note(where: str, count: int) -> Skipped:
    """Return a note about several memories."""
    return Skipped(where, _EITHER.sub(r"\1" if count == 1 else r"\2", _NOTES[where]).format(count))
