"""Walk through one past session, and count what the memory would have said in it."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime

from memory_layer.errors import MemoryLayerError
from memory_layer.model.context import AgentAction, ContextQuery, Way
from memory_layer.model.memory import Memory, Writer
from memory_layer.model.query import Filters, Reach
from memory_layer.model.record import NamedTuple
from memory_layer.model.replay import ReplayCounts
from memory_layer.model.steps import Step, StepKind
from memory_layer.model.transcripts import PastSession
from memory_layer.model.vocabulary import WriterKind
from memory_layer.ports import Engine
from memory_layer.rules.sessions.repeats import FailureKey, failure_key
from memory_layer.text.compare.duplicates import content_hash
from memory_layer.text.tokens import estimate
from memory_layer.usecases.give.context import context
from memory_layer.usecases.give.prompt import notes_for
from memory_layer.usecases.give.scoped import ContextScope
from memory_layer.usecases.give.warn import warn
from memory_layer.usecases.learn.past_sessions import SessionHome
from memory_layer.usecases.remember.new_memory import known_texts
from memory_layer.usecases.who.projects import keys_of

Failure = tuple[str, FailureKey]  #: of a project, by its id


class Knowledge(NamedTuple):
    """The failures and fixes of sessions that have ended; their memories are in the engine's store."""

    engine: Engine
    failures: set[Failure]
    fixes: dict[Failure, set[str]]  #: the ids of the lessons about a failure


class JudgedSession:
    """One session, step by step, with what it would have been given."""

    def __init__(self, known: Knowledge, session: PastSession, home: SessionHome) -> None:
        self.known = known
        self.session = session
        self.around = ContextScope(Reach.PROJECT, home.project, home.place)
        self.home = tuple(keys_of(home.place))
        self.writer = Writer(session.file.agent.value, WriterKind.AGENT, "hook", session.session)
        self.given: set[str] = set()
        self.warnings: set[str] = set()
        self.repeated: set[Failure] = set()
        self.sums = dict.fromkeys(ReplayCounts._fields, 0)

    def counts(self) -> ReplayCounts:
        """Walk through the session."""
        self._start()
        for step in self.session.steps:
            with suppress(MemoryLayerError):  # a command or an error that no warning can be asked for
                if step.kind is StepKind.PROMPT:
                    self._prompt(step)
                elif step.kind is StepKind.COMMAND:
                    self._command(step)
        return ReplayCounts(**self.sums)

    def _at(self, at: datetime) -> Engine:
        return self.known.engine._replace(now=lambda: at, home=lambda: self.home)

    def _give(self, memories: Sequence[Memory], tokens: int) -> None:
        self.given |= {memory.id for memory in memories}
        self.sums["tokens"] += tokens if memories else 0

    def _start(self) -> None:
        engine = self._at(self.session.steps[0].at)
        query = ContextQuery(start=True, budget=engine.settings.context_budget, way=Way.TOOLS)
        found = context(engine, query, self.writer, self.around)
        self._give([line.memory for line in found.lines], found.tokens)

    def _prompt(self, step: Step) -> None:
        engine = self._at(step.at)
        project = self.around.project
        for remark in self.session.remarks:
            if remark.at == step.at and (told := self._stored(engine, remark.noticed.content)):
                self.sums["retyped"] += 1
                self.sums["held"] += told in self.given
        filters = Filters(reach=Reach.PROJECT, project=project.id if project else None)
        notes = notes_for(engine, step.text, filters, self.writer, self.around.place, Way.TOOLS)
        self._give([hit.memory for hit in notes.hits], estimate(notes.text))

    def _stored(self, engine: Engine, content: str) -> str | None:
        """Return the memory with a text in the session's project."""
        project = self.around.project
        address = content_hash(project.id if project else None, content)
        return next((memory.id for memory in known_texts(engine.store, [address]).values()), None)

    def _command(self, step: Step) -> None:
        had = set(self.given)
        alarm = self._warn(step.at, AgentAction(command=step.command))
        self.sums["commands"] += 1
        self.sums["alarms"] += alarm
        self.sums["false_alarms"] += alarm and step.passed is True
        if step.passed is not False:
            return
        self.sums["failures"] += 1
        before = set(self.warnings)
        if step.text.strip():
            self._warn(step.at, AgentAction(error=step.text))
        self._repeat(step, had, before)

    def _warn(self, at: datetime, action: AgentAction) -> bool:
        """Give the warnings about an action; return whether there are any."""
        warned = warn(self._at(at), action, self.writer, self.around)
        memories = [each.memory for each in warned.warnings]
        self._give(memories, estimate(warned.text))
        self.warnings |= {memory.id for memory in memories}
        return bool(memories)

    def _repeat(self, step: Step, had: set[str], before: set[str]) -> None:
        """Count a failure that an earlier session had in this project, and what was known against it."""
        key = failure_key(step)
        project = self.around.project
        if key is None or project is None:
            return
        failure = project.id, key
        if failure in self.repeated or failure not in self.known.failures:
            return
        self.repeated.add(failure)
        fixes = self.known.fixes.get(failure, set())
        self.sums["repeats"] += 1
        self.sums["fix_known"] += bool(fixes)
        self.sums["warned"] += bool(fixes & before)
        self.sums["told"] += bool(fixes & self.warnings) and not fixes & before
        self.sums["held"] += bool(fixes & had)
