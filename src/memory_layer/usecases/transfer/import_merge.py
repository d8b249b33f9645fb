"""Add the memories of an export that a store does not hold yet."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from memory_layer.model.export import (
    CarriedContext,
    CarriedLink,
    CarriedMemory,
    CarriedProject,
    CarriedQuery,
    CarriedQueryVector,
    CarriedRecall,
    CarriedRun,
    CarriedVector,
    Kind,
)
from memory_layer.model.imports import ImportReport, Skipped
from memory_layer.model.memory import Link, Memory
from memory_layer.model.outcome import OutcomeEvent
from memory_layer.model.vocabulary import LinkKind, Reason, Status, Tier
from memory_layer.ports import Edit, Engine
from memory_layer.rules import drafts, history
from memory_layer.rules.links import Pair, closing
from memory_layer.rules.permissions import Action, guarded_by_a_person, may
from memory_layer.rules.transfer import trust
from memory_layer.store import chain
from memory_layer.text import tokens
from memory_layer.usecases.govern import ledger
from memory_layer.usecases.govern.review import pairs_of
from memory_layer.usecases.transfer.import_whole import words_of
from memory_layer.usecases.who.origin import touched

#: What is said of one, and of more.
_NOTES = {
    "history": (
        "1 earlier version stays in the file: the audit chain of a store takes in no other",
        "{:,} earlier versions stay in the file: the audit chain of a store takes in no other",
    ),
    "events": (
        "1 event was put at the end of its session here: the chain of a session takes in no other",
        "{:,} events were put at the end of their sessions here: the chain of a session takes in no other",
    ),
    "approvals": (
        "1 approval was not taken over; only a person can bring it",
        "{:,} approvals were not taken over; only a person can bring them",
    ),
    "sources": (
        "1 memory counts as imported, because an agent cannot speak for a person",
        "{:,} memories count as imported, because an agent cannot speak for a person",
    ),
    "vectors": (
        "1 memory gets new vectors, because only a person can vouch for those in the file",
        "{:,} memories get new vectors, because only a person can vouch for those in the file",
    ),
    "links": (
        "1 link was left out, because only a person may let this memory be superseded",
        "{:,} links were left out, because only a person may let these memories be superseded",
    ),
    "circles": (
        "1 link was left out, because a memory would supersede itself through it",
        "{:,} links were left out, because memories would supersede themselves through them",
    ),
}


class Newcomers:
    """Takes the records of an export in their order and writes those that are new here, under one operation."""

    def __init__(self, engine: Engine, edit: Edit, *, dry_run: bool) -> None:
        self._engine, self._store, self._edit = engine, engine.store, edit
        self._transfer = engine.store.transfer
        self._dry_run = dry_run
        self.reworded: set[str] = set()  #: memories whose text lost a secret, and with it its vectors
        self._projects: dict[str, str] = {}  #: ids in the file to ids here
        self._asked: dict[str, CarriedQuery] = {}  #: questions that nothing new refers to yet
        self._recalled: set[str] = set()  #: recalls that came in now
        self._added: set[str] = set()
        self._returned: set[str] = set()  #: of the added ones: those that were here and had been undone
        self._texts: set[str] = set()  #: live texts that came in now
        self._guarded: set[str] = set()  #: of the added ones: those that a person guards
        self._replaced: set[Pair] = set()  #: what supersedes what by a link that came in now
        self._stored: set[Pair] = set()  #: the same by links of this store, as far as they were followed
        self._followed: set[str] = set()  #: the memories from which they were
        self._skipped: list[Skipped] = []
        self._said: list[Skipped] = []
        self._notes: dict[str, int] = {}
        self._numbers: dict[str, int] = {}  #: of the last event of each session that got one now
        self._read = self._exists = self._staged = 0
        self._takers: dict[Kind, Callable[[Any], None]] = {
            Kind.PROJECT: self._meet_projects,
            Kind.MEMORY: self._memories,
            Kind.LINK: self._links,
            Kind.QUERY: self._queries,
            Kind.RECALL: self._recalls,
            Kind.OUTCOME: self._outcomes,
            Kind.RUN: self._runs,
            Kind.CONTEXT: self._contexts,
            Kind.VECTOR: self._vectors,
            Kind.QUERY_VECTOR: self._query_vectors,
        }

    def take(self, kind: Kind, batch: Sequence[Any]) -> None:
        """Handle the next batch of one kind; the chains of another store have no place in this one."""
        only_written = kind in (
            Kind.QUERY,
            Kind.RECALL,
            Kind.OUTCOME,
            Kind.RUN,
            Kind.CONTEXT,
            Kind.QUERY_VECTOR,
        )
        if kind not in (Kind.AUDIT, Kind.EPISODE) and not (only_written and self._dry_run):
            self._takers[kind](batch)

    def report(self, source: str) -> ImportReport:
        """What came of it."""
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

    def _meet_projects(self, batch: Sequence[CarriedProject]) -> None:
        """A code base that is known here under any of its keys is that one."""
        brought: list[CarriedProject] = []
        for project in batch:
            names = (project.id, project.key, *project.aliases)
            known = next((found for name in names if (found := self._store.projects.get(name))), None)
            self._projects[project.id] = known.id if known else project.id
            moved = project._replace(id=self._projects[project.id])
            allowed = trust.admitted_project(moved, self._edit.writer, known=known is not None)
            brought += [allowed] if allowed else []
        if not self._dry_run:
            self._transfer.bring(Kind.PROJECT, brought)

    def _memories(self, batch: Sequence[CarriedMemory]) -> None:
        self._read += len(batch)
        here = {each.id: each for each in self._store.memories.get([each.memory.id for each in batch])}
        moved = [(each, self._moved(each)) for each in batch]
        live = [each.memory.content_hash for _, each in moved if each.memory.status is not Status.ARCHIVED]
        said = self._store.memories.by_hash(live)
        texts = {each.content_hash: each.id for each in said if each.status is not Status.ARCHIVED}
        undone = {each.id: each for each in here.values() if each.reason is Reason.UNDONE}
        new = [after for before, after in moved if self._is_new(before, after, here, undone, texts)]
        self._staged += sum(each.memory.reason is Reason.REVIEW for each in new)
        self._added.update(each.memory.id for each in new)
        self._guarded.update(each.memory.id for each in new if guarded_by_a_person(each.memory))
        self._returned.update(each.memory.id for each in new if each.memory.id in undone)
        self._note("events", sum(_is_event(each.memory) and each.memory.id not in undone for each in new))
        if not self._dry_run:
            self._write([each for each in new if each.memory.id not in undone])
            self._write_again([each for each in new if each.memory.id in undone], undone)

    def _write(self, new: Sequence[CarriedMemory]) -> None:
        if new:
            new = [self._numbered(each) if _is_event(each.memory) else each for each in new]
            memories = [each.memory for each in new]
            self._transfer.bring(Kind.MEMORY, [(each, words_of(each)) for each in new])
            ledger.note_created(self._store, memories, map(chain.memory_digest, memories), self._edit)
            ledger.chain_episodes(self._store, [memory for memory in memories if _is_event(memory)])

    def _numbered(self, carried: CarriedMemory) -> CarriedMemory:
        """An event at the end of its session here; one without a session belongs to that of the import."""
        session = carried.memory.session or self._edit.writer.session
        last = self._numbers.get(session) or ledger.next_episode(self._store, session) - 1
        self._numbers[session] = last + 1
        return carried._replace(memory=carried.memory._replace(session=session, position=last + 1))

    def _write_again(self, returned: Sequence[CarriedMemory], known: dict[str, Memory]) -> None:
        """Let memories come back whose import was undone; their history goes on."""
        for each in returned:
            memory = each.memory
            memory = _placed(memory, known[memory.id]) if _is_event(memory) else memory
            ledger.save(self._store, memory, self._edit, words_of(each), each.tokens)

    def _moved(self, carried: CarriedMemory) -> CarriedMemory:
        """A memory as it would begin here: in this store's project, with this writer's trust, at version 1."""
        project = self._projects.get(carried.project) if carried.project else None
        before = carried.memory
        if before.reason is Reason.FORGOTTEN:
            return carried
        memory = trust.admitted(before, self._edit.writer)
        if project and not may(self._edit.writer, Action.LEARN_ELSEWHERE):
            # A person's file says itself where each was written.
            memory = touched(self._engine, memory, self._edit.writer, self._store.projects.get(project))
        memory = memory._replace(version=1, content_hash=drafts.address(memory, project))
        return CarriedMemory(memory, project, tokens.estimate(memory.content), None)

    def _is_new(
        self,
        before: CarriedMemory,
        after: CarriedMemory,
        here: dict[str, Memory],
        undone: dict[str, Memory],
        texts: dict[str, str],
    ) -> bool:
        memory = after.memory
        if memory.id in here and not self._may_return(undone.get(memory.id), memory):
            self._meet_again(before.memory, memory, here[memory.id])
            return False
        if memory.reason is Reason.FORGOTTEN:
            self._skipped.append(Skipped(memory.id, "it was forgotten, and nothing of it is left to add"))
            return False
        if memory.status is not Status.ARCHIVED:
            holder = texts.get(memory.content_hash)
            if holder is not None or memory.content_hash in self._texts:
                self._exists += 1
                says = f"{holder} says the same" if holder else "another memory of the file says the same"
                self._said.append(Skipped(memory.id, says))
                return False
            self._texts.add(memory.content_hash)
        self._note("history", before.memory.version - 1 if before.memory.version > 1 else 0)
        self._note("approvals", int(before.memory.approved_by is not None and memory.approved_by is None))
        self._note("sources", int(before.memory.source is not memory.source))
        return True

    def _may_return(self, known: Memory | None, memory: Memory) -> bool:
        """Whether a memory that was taken back with its import comes in again, as this writer may bring it."""
        if known is None or known.content_hash != memory.content_hash or memory.reason is Reason.UNDONE:
            return False
        return history.refusal(known, memory, self._edit.writer) is None

    def _meet_again(self, before: Memory, after: Memory, known: Memory) -> None:
        if _is_event(after):  # its number is the one it got here
            before, after = _placed(before, known), _placed(after, known)
        if chain.memory_digest(known) in map(chain.memory_digest, (before, after)):
            self._exists += 1
        else:
            self._skipped.append(
                Skipped(after.id, "it is here with another content, which was left as it is")
            )

    def _links(self, batch: Sequence[CarriedLink]) -> None:
        """Relations of what came in now to what is here."""
        ours = [each for each in batch if self._added & {each.link.source, each.link.target}]
        ends = {end for each in ours for end in (each.link.source, each.link.target)}
        known = self._store.memories.get(sorted(ends - self._added))
        guarded = {end: end in self._guarded for end in ends & self._added}
        guarded |= {
            each.id: guarded_by_a_person(each) or bool(pairs_of(self._engine, each.id)) for each in known
        }
        allowed = self._without_circles([each for each in ours if self._may_link(each.link, guarded)])
        if not self._dry_run:
            self._relate([trust.admitted_link(each, self._edit.writer) for each in allowed])

    def _relate(self, links: Sequence[CarriedLink]) -> None:
        """Add the links that are not here yet, each noted so that it can be taken back."""
        known = {_ends(each) for each in self._store.links.of(_ends_of(links))}
        new = [each for each in links if _ends(each.link) not in known]
        self._transfer.bring(Kind.LINK, new)
        ledger.note_links(
            self._store, [link._replace(attention=attention) for link, attention in new], self._edit
        )

    def _may_link(self, link: Link, guarded: dict[str, bool]) -> bool:
        """Whether a link may come in, by who guards each memory that is here."""
        if link.source not in guarded or link.target not in guarded:
            return False
        if link.kind is not LinkKind.SUPERSEDES:
            return True
        if guarded[link.target] and not may(self._edit.writer, Action.SUPERSEDE_GUARDED):
            self._note("links")
            return False
        return True

    def _without_circles(self, links: Sequence[CarriedLink]) -> list[CarriedLink]:
        """Return the links without those by which a memory would supersede itself, and remember the others.

        The links of a file make no circle among themselves, so without any of this store there is none.
        """
        new = {_pair(each.link) for each in links if each.link.kind is LinkKind.SUPERSEDES}
        here = {end for pair in new for end in pair if end not in self._added or end in self._returned}
        if unknown := here - self._followed:
            found = self._superseding(unknown)
            self._stored |= found - self._replaced
            self._followed |= unknown.union(*found)
        left_out = closing(self._stored | self._replaced, new) if self._stored else set()
        self._note("circles", len(left_out))
        self._replaced |= new - left_out
        return [
            each
            for each in links
            if _pair(each.link) not in left_out or each.link.kind is not LinkKind.SUPERSEDES
        ]

    def _superseding(self, ids: set[str]) -> set[Pair]:
        """Return every link by which one of some memories supersedes another, or what that supersedes in turn."""
        found: set[Pair] = set()
        seen: set[str] = set()
        while ids:
            links = self._store.links.of(sorted(ids))
            pairs = {_pair(each) for each in links if each.kind is LinkKind.SUPERSEDES and each.source in ids}
            found |= pairs
            seen |= ids
            ids = {target for _, target in pairs} - seen
        return found

    def _queries(self, batch: Sequence[CarriedQuery]) -> None:
        self._asked.update((each.text, each) for each in batch)

    def _recalls(self, batch: Sequence[CarriedRecall]) -> None:
        ours = [each for each in batch if any(item.memory in self._added for item in each.items)]
        self._ask(each.query for each in ours)
        self._recalled.update(each.id for each in ours)
        self._transfer.bring(
            Kind.RECALL, [each._replace(project=self._projects.get(each.project or "")) for each in ours]
        )

    def _outcomes(self, batch: Sequence[OutcomeEvent]) -> None:
        ours = [event for event in batch if event.memory in self._added]
        self._ask(event.query for event in ours if event.query is not None)
        self._transfer.bring(Kind.OUTCOME, ours)

    def _runs(self, batch: Sequence[CarriedRun]) -> None:
        """What tasks were given of what came in now."""
        self._transfer.bring(Kind.RUN, [each for each in batch if each.recall in self._recalled])

    def _contexts(self, batch: Sequence[CarriedContext]) -> None:
        self._transfer.bring(Kind.CONTEXT, [each for each in batch if each.recall in self._recalled])

    def _ask(self, texts: Iterable[str]) -> None:
        """Keep the questions that something new refers to."""
        needed = [self._asked[text] for text in dict.fromkeys(texts)]
        self._transfer.bring(Kind.QUERY, needed)

    def _vectors(self, batch: Sequence[CarriedVector]) -> None:
        wanted = self._added - self._returned - self.reworded
        ours = [each for each in batch if each.memory in wanted]
        if not trust.brings_vectors(self._edit.writer):
            self._note("vectors", len(ours))
        elif not self._dry_run:
            self._transfer.bring(Kind.VECTOR, ours)

    def _query_vectors(self, batch: Sequence[CarriedQueryVector]) -> None:
        if trust.brings_vectors(self._edit.writer):
            self._transfer.bring(Kind.QUERY_VECTOR, batch)


def _pair(link: Link) -> Pair:
    return link.source, link.target


def _ends(link: Link) -> tuple[str, str, LinkKind]:
    return link.source, link.target, link.kind


def _ends_of(links: Sequence[CarriedLink]) -> list[str]:
    return sorted({end for each in links for end in _pair(each.link)})


def _is_event(memory: Memory) -> bool:
    return memory.tier is Tier.EPISODIC


def _placed(memory: Memory, known: Memory) -> Memory:
    """What comes back keeps its place in its session."""
    return memory._replace(session=known.session, position=known.position)


def note(where: str, count: int) -> Skipped:
    """One thing to be told about several memories."""
    one, many = _NOTES[where]
    return Skipped(where, (one if count == 1 else many).format(count))
