"""Replay past sessions in their order on a store that is thrown away, to see what the memory would have done.

A session is judged by what was known when it began: the memories and failures of sessions that had ended by then. What
it leaves itself is learned at its end, as if a person had approved all of it at once.
"""

from __future__ import annotations

import base64
import hashlib
import heapq
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from itertools import count
from pathlib import Path

from memory_layer.model.memory import Memory, Project, Writer
from memory_layer.model.record import NamedTuple
from memory_layer.model.replay import Replay, ReplayCounts, ReplayedSession
from memory_layer.model.transcripts import PastSession, TranscriptAgent, TranscriptFile
from memory_layer.model.vocabulary import Source, Status, WriterKind
from memory_layer.ports import Edit, Engine, Store, Workspace
from memory_layer.rules.sessions.repeats import failure_key
from memory_layer.usecases.govern import ledger
from memory_layer.usecases.learn import past_sessions
from memory_layer.usecases.learn.past_sessions import SessionHome
from memory_layer.usecases.learn.replay_session import Failure, JudgedSession, Knowledge
from memory_layer.usecases.remember.new_memory import known_texts, new_from
from memory_layer.usecases.transfer.history_drafts import is_event, suggestions
from memory_layer.usecases.who.projects import know_project, project_of

APPROVER = "replay"  #: stands for the person who would have approved what was learned

Progress = Callable[[int, int], None]


def replay(
    engine: Engine,
    paths: Sequence[Path],
    agents: Sequence[TranscriptAgent] = (),
    since: datetime | None = None,
    progress: Progress | None = None,
) -> Replay:
    """Replay the transcripts in the paths, or all that agents keep; nothing is stored."""
    found = past_sessions.files(engine, paths, agents, since)
    total, done = sum(file.size for file in found), 0
    folders = past_sessions.known_folders(engine)
    with engine.scratch() as store:
        work = _Replay(engine._replace(store=store, new_id=_numbered_ids()), folders)
        for file in _by_beginning(engine, found):
            work.take(file)
            done += file.size
            if progress:
                progress(done, total)
    return work.result(len(found))


def _numbered_ids() -> Callable[[str], str]:
    """Return a source of ids that are the same in every replay, so that equal histories give equal counts."""
    numbers = count()

    def new_id(prefix: str) -> str:
        digest = base64.b32encode(hashlib.sha256(f"{prefix} {next(numbers)}".encode()).digest())
        return f"{prefix}_{digest[:26].decode().lower()}"

    return new_id


def _by_beginning(engine: Engine, files: Sequence[TranscriptFile]) -> Iterator[TranscriptFile]:
    """Yield transcripts in the order in which their sessions began; those without a step tell nothing."""
    begun = list[tuple[datetime, str, TranscriptFile]]()
    for file in files:
        lines = engine.surroundings.session_transcript(file, ()).lines()
        if first := next((line.step for line in lines if line.step), None):
            begun.append((first.at, file.path, file))
    return (file for _, _, file in sorted(begun, key=lambda each: each[:2]))


class _Experience(NamedTuple):
    """The memories and failures that a session leaves at its end."""

    ended: datetime
    number: int  #: of the session, for an order among those that ended at once
    project: Project
    memories: tuple[Memory, ...]
    failures: frozenset[Failure]
    fixes: tuple[tuple[Failure, str], ...]  #: the ids of the lessons about failures


class _Replay:
    """One replay: what is known so far, and what is learned when later sessions begin."""

    def __init__(self, engine: Engine, folders: list[str]) -> None:
        self.engine = engine
        self.folders = folders
        self.homes: dict[str, SessionHome] = {}
        self.stored: set[str] = set()  #: ids of projects
        self.coming: list[_Experience] = []
        self.known = Knowledge(engine, set(), {})
        self.sessions: list[ReplayedSession] = []
        self.damaged = self.ignored = 0

    def take(self, file: TranscriptFile) -> None:
        """Judge one session by what is known at its beginning, then keep what it leaves for later."""
        session = past_sessions.read_session(self.engine, file, self.folders)
        self.damaged += session.damaged
        if not session.steps:
            return
        if past_sessions.is_private(self.engine, session):
            self.ignored += 1
            return
        begun = session.steps[0].at
        while self.coming and self.coming[0].ended <= begun:
            self._learn(heapq.heappop(self.coming))
        home = self._home(session.folder)
        counts = JudgedSession(self.known, session, home).counts()
        left = self._experience(session, home)
        heapq.heappush(self.coming, left)
        self.sessions.append(
            ReplayedSession(
                agent=file.agent.value,
                session=session.session,
                project=home.project.key,
                begun=begun,
                ended=left.ended,
                counts=counts._replace(learned=len(left.memories)),
            )
        )

    def result(self, files: int) -> Replay:
        total = ReplayCounts()
        for session in self.sessions:
            total = total.plus(session.counts)
        return Replay(files, self.damaged, self.ignored, total, tuple(self.sessions))

    def _home(self, folder: str) -> SessionHome:
        """Return the code base of a session; a folder that is gone stands for itself."""
        if folder not in self.homes:
            place = Workspace(Path(folder), folder or "unknown", (), Path(folder).name or "unknown", None)
            home = past_sessions.home_of(self.engine, folder)
            self.homes[folder] = home or SessionHome(place, project_of(self.engine, place))
            self.folders.append(folder)
        return self.homes[folder]

    def _experience(self, session: PastSession, home: SessionHome) -> _Experience:
        at = max(step.at for step in session.steps)
        then = self.engine._replace(now=lambda: at)
        made = [each.memory for each in suggestions(then, session, home, "hook")]
        keys = {step.at: (home.project.id, key) for step in session.steps if (key := failure_key(step))}
        return _Experience(
            ended=at,
            number=len(self.sessions),
            project=home.project,
            memories=tuple(_approved(memory, at) for memory in made),
            failures=frozenset(keys.values()),
            fixes=tuple(
                (keys[memory.created_at], memory.id)
                for memory in made
                if memory.source is Source.LEARNING and memory.created_at in keys
            ),
        )

    def _learn(self, left: _Experience) -> None:
        """Store what a session left; a text that is known stays as it is."""
        store, edit = self.engine.store, _edit(self.engine, left.ended)
        known = known_texts(store, [memory.content_hash for memory in left.memories])
        new = {memory.content_hash: memory for memory in left.memories if memory.content_hash not in known}
        with store.writing():
            if left.project.id not in self.stored:
                know_project(store, left.project, left.ended)
                self.stored.add(left.project.id)
            for memory in new.values():
                _put(self.engine, store, memory, edit)
        same = {
            memory.id: known[memory.content_hash].id
            for memory in left.memories
            if memory.content_hash in known
        }
        self.known.failures.update(left.failures)
        for key, memory_id in left.fixes:
            self.known.fixes.setdefault(key, set()).add(same.get(memory_id, memory_id))


def _approved(memory: Memory, at: datetime) -> Memory:
    return memory._replace(
        status=Status.ACTIVE, reason=None, reason_detail=None, approved_by=APPROVER, approved_at=at
    )


def _edit(engine: Engine, at: datetime) -> Edit:
    writer = Writer(APPROVER, WriterKind.AGENT, "hook", APPROVER)
    return Edit(writer, engine.new_id("op"), "suggest", at)


def _put(engine: Engine, store: Store, memory: Memory, edit: Edit) -> None:
    if is_event(memory):
        memory = memory._replace(position=ledger.next_episode(store, memory.session or ""))
    ledger.create(store, [new_from(engine, memory)], edit, vetted=True)
    if is_event(memory):
        ledger.chain_episodes(store, [memory])
