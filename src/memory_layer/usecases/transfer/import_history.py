"""Read the transcripts that agents kept, and suggest what they leave as memories that wait for a person.

Which transcripts were read is kept in the store, in the transaction that writes what came of them. An interrupted run
therefore continues where it stopped, and a second run adds nothing. A transcript that was written since is read again;
what is known of it stays as it is.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path

from memory_layer.model.imports import HistoryReport, Planned
from memory_layer.model.memory import Memory, Project, Writer
from memory_layer.model.record import NamedTuple
from memory_layer.model.transcripts import PastSession, TranscriptAgent, TranscriptFile
from memory_layer.model.vocabulary import Source
from memory_layer.ports import Edit, Engine
from memory_layer.ports.store import New
from memory_layer.text import tokens
from memory_layer.usecases.govern import ledger
from memory_layer.usecases.learn import past_sessions
from memory_layer.usecases.learn.past_sessions import SessionHome
from memory_layer.usecases.remember.new_memory import known_texts, terms_of
from memory_layer.usecases.transfer.history_drafts import Suggestion, is_event, suggestions
from memory_layer.usecases.who.projects import know_project

#: The most memories and transcripts of one transaction: what an interrupted run reads again.
BATCH_MEMORIES, BATCH_FILES = 200, 50
_NOTE = "history "  #: the beginning of the store's note about a transcript
_COUNTS = {Source.LEARNING: "lessons", Source.CAPTURE: "statements", Source.IMPORT: "episodes"}

Progress = Callable[[int, int], None]


class HistoryImport(NamedTuple):
    """The transcripts to read."""

    paths: tuple[Path, ...] = ()  #: files and folders; none means those of all agents
    agents: tuple[TranscriptAgent, ...] = ()
    since: datetime | None = None
    project: Project | None = None  #: only sessions of this one
    dry_run: bool = False


def import_history(
    engine: Engine, wanted: HistoryImport, writer: Writer, progress: Progress | None = None
) -> HistoryReport:
    """Stage what transcripts leave; `progress` is called with the bytes done and in total."""
    found = past_sessions.files(engine, wanted.paths, wanted.agents, wanted.since)
    total, done = sum(file.size for file in found), 0
    work = _HistoryImport(engine, wanted, writer, len(found))
    for file in found:
        work.take(file)
        done += file.size
        if progress:
            progress(done, total)
    work.flush()
    return work.report()


class _HistoryImport:
    """One run: what waits to be written, and its counts so far."""

    def __init__(self, engine: Engine, wanted: HistoryImport, writer: Writer, files: int) -> None:
        self.engine = engine
        self.wanted = wanted
        self.edit = Edit(writer, engine.new_id("op"), "import", engine.now())
        self.counts = Counter[str](files=files)  #: by the names of the report's fields
        self.homes: dict[str, SessionHome | None] = {}  #: by folder
        self.folders = past_sessions.known_folders(engine)
        self.seen: set[str] = set()  #: addresses of texts and names of sessions
        self.planned: list[Planned] = []
        self.redacted: dict[str, None] = {}
        self.pending: list[tuple[Suggestion, Project]] = []
        self.read: list[TranscriptFile] = []
        self.added = 0

    def take(self, file: TranscriptFile) -> None:
        """Read one transcript, unless it was read before or its session may go on."""
        if self.engine.store.note(_key(file)) == _state(file):
            self.counts["unchanged"] += 1
        elif past_sessions.is_under_way(file, self.engine.now()):
            self.counts["under_way"] += 1
        else:
            session = past_sessions.read_session(self.engine, file, self.folders)
            if self._suggest(session):
                self.read.append(file)
            if len(self.pending) >= BATCH_MEMORIES or len(self.read) >= BATCH_FILES:
                self.flush()

    def flush(self) -> None:
        """Write what is new, and which transcripts it came from, in one transaction."""
        if self.wanted.dry_run:
            self._keep(self._new())
        elif self.read:
            with self.engine.store.writing():
                new = self._new()
                self._keep(new)
                self._write([suggestion.memory for suggestion, _ in new], [each for _, each in new])
                for file in self.read:
                    self.engine.store.set_note(_key(file), _state(file))
        self.pending, self.read = [], []

    def report(self) -> HistoryReport:
        dry_run = self.wanted.dry_run
        return HistoryReport(
            **self.counts,
            planned=tuple(self.planned),
            redacted=tuple(self.redacted),
            operation=self.edit.operation if self.added and not dry_run else None,
            dry_run=dry_run,
        )

    def _suggest(self, session: PastSession) -> bool:
        """Collect what a session leaves; return whether it was read for good."""
        self.counts["sessions"] += 1
        self.counts["damaged"] += session.damaged
        self.counts["left_out"] += session.left_out
        if not session.steps:
            self.counts["empty"] += 1
            return True
        if session.folder not in self.homes:
            self.homes[session.folder] = past_sessions.home_of(self.engine, session.folder)
            self.folders.append(session.folder)
        home = self.homes[session.folder]
        if home is None:
            self.counts["gone"] += 1
            return False
        if past_sessions.is_private(self.engine, session):
            self.counts["ignored"] += 1
            return False
        if self.wanted.project is not None and home.project.id != self.wanted.project.id:
            self.counts["elsewhere"] += 1
            return False
        found = suggestions(self.engine, session, home, self.edit.writer.door)
        self.pending += [(each, home.project) for each in found]
        return True

    def _new(self) -> list[tuple[Suggestion, Project]]:
        """Return what is neither stored nor pending twice; count the rest as known."""
        hashes = [suggestion.memory.content_hash for suggestion, _ in self.pending]
        known = known_texts(self.engine.store, hashes)
        new = []
        for suggestion, project in self.pending:
            memory = suggestion.memory
            address = f"session {memory.session}" if is_event(memory) else memory.content_hash
            told = self._has_events(memory) if is_event(memory) else memory.content_hash in known
            if told or address in self.seen:
                self.counts["known"] += 1
            else:
                new.append((suggestion, project))
            self.seen.add(address)
        return new

    def _has_events(self, memory: Memory) -> bool:
        """Does the store have events of this session, so that it needs no other story?"""
        return ledger.next_episode(self.engine.store, memory.session or "") > 1

    def _keep(self, new: Sequence[tuple[Suggestion, Project]]) -> None:
        """Count what is added; in a dry run also list it."""
        for (memory, kinds, where), project in new:
            self.counts[_COUNTS[memory.source]] += 1
            self.redacted |= dict.fromkeys(kinds)
            self.added += 1
            if self.wanted.dry_run:
                plan = Planned(where, memory.category, memory.content, project.key, memory.status)
                self.planned.append(plan)

    def _write(self, memories: Sequence[Memory], projects: Sequence[Project]) -> None:
        store = self.engine.store
        for project in {project.id: project for project in projects}.values():
            know_project(store, project, self.edit.at)
        facts = [memory for memory in memories if not is_event(memory)]
        ledger.create(store, [_stored(memory) for memory in facts], self.edit)
        for memory in memories:
            if is_event(memory):
                placed = memory._replace(position=ledger.next_episode(store, memory.session or ""))
                ledger.create(store, [_stored(placed)], self.edit)
                ledger.chain_episodes(store, [placed])


def _stored(memory: Memory) -> New:
    return New(memory, terms_of(memory), tokens.estimate(memory.content))


def _key(file: TranscriptFile) -> str:
    return _NOTE + hashlib.sha256(file.path.encode("utf-8", "surrogateescape")).hexdigest()


def _state(file: TranscriptFile) -> str:
    return f"{file.size} {file.changed_at.timestamp():.6f}"
