"""A throw-away store of one project, used by a person and an agent through the shipped verbs at chosen times."""

from __future__ import annotations

import re
import subprocess
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

from bench import stores
from bench.agent_sets import Memory, Project
from bench.learner import Clock, drawn_ids
from memory_layer.doors.python import Memories
from memory_layer.errors import MemoryLayerError
from memory_layer.model.agents import Terminal
from memory_layer.model.episodes import EpisodeKind
from memory_layer.ports import Embedder, Engine
from memory_layer.verbs import govern
from memory_layer.verbs.call import Caller, Dispatcher, Target
from memory_layer.wiring import open_engine

PAGE = 1000
#: The kind of event that a category stands for; every other one is an observation.
KINDS = {
    "progress": EpisodeKind.MILESTONE,
    "troubleshooting": EpisodeKind.ERROR,
    "decision": EpisodeKind.DECISION,
    "learning": EpisodeKind.REFLECTION,
}
_STEP = re.compile(r"\s*\b\d+[.)]\s+")


class Desk:
    """The doors of one project's store: a person's, an agent's, and those of any other session."""

    def __init__(self, engine: Engine, folder: Path, clock: Clock) -> None:
        self.clock = clock
        self._engine = engine
        self._folder = folder
        self._agent = Caller("python", folder, "bench")
        self._person = Caller(
            "cli",
            folder,
            terminal=lambda: Terminal("terminal", is_own=True, is_traced=True),
            confirmed=lambda now: True,
        )

    def memories(self, by: str = "agent", *, is_global: bool = False, session: str | None = None) -> Memories:
        """Return the verbs for a person or an agent, in the project or for all projects."""
        caller = (self._person if by == "person" else self._agent)._replace(session=session)
        return Memories(
            Dispatcher(self._engine, caller, Target(only_global=True) if is_global else Target()), ExitStack()
        )

    def approve(self, memory_id: str) -> None:
        """Approve what waits for review, as the person."""
        Dispatcher(self._engine, self._person).run(govern.APPROVE, {"memory_ids": [memory_id]})


class Loading(NamedTuple):
    """The ids of a stored project, and what did not go as its folder says."""

    ids: dict[str, str]  #: by the ids of the folder
    approved: dict[str, str]  #: why the memories that the person had to approve waited
    unlinked: tuple[str, ...]  #: superseded memories that could not be linked


@contextmanager
def open_desk(folder: Path, at: datetime, embedder: Embedder | None, seed: str = "") -> Iterator[Desk]:
    """Open an empty store beside a git repository with a commit of the day before; the seed draws its ids."""
    model = stores.installed_model() if embedder else folder / "no-model"
    work = folder / "project"
    _make_repository(work, at - timedelta(days=1))
    clock = Clock(at)
    settings = stores.settings_of(stores.environment(folder, model), work)
    with open_engine(settings, "python", now=clock) as engine:
        yield Desk(engine._replace(embedder=lambda: embedder, new_id=drawn_ids(seed)), work, clock)


def load(desk: Desk, project: Project) -> Loading:
    """Store a project in the order of its dates, each memory by its own writer at its own time."""
    ids: dict[str, str] = {}
    approved: dict[str, str] = {}
    unlinked: list[str] = []
    replaced: dict[str, list[str]] = {}
    for memory in project.memories:
        if memory.superseded_by:
            replaced.setdefault(memory.superseded_by, []).append(memory.id)
    for memory in project.memories:
        desk.clock.time = memory.created_at
        ids[memory.id], waits = _store(desk.memories(memory.by, is_global=memory.is_global), memory)
        if waits is not None:
            desk.approve(ids[memory.id])
            approved[memory.id] = waits
        if memory.tier == "procedural" and memory.priority:  # which the verb does not take
            desk.memories("person").edit(ids[memory.id], priority=memory.priority)
        for old in replaced.get(memory.id, ()):
            try:
                desk.memories("person").link(ids[memory.id], "supersedes", ids[old])
            except (MemoryLayerError, KeyError):
                unlinked.append(old)
    return Loading(ids, approved, tuple(unlinked))


def inactive(desk: Desk, project: Project, ids: dict[str, str]) -> dict[str, str]:
    """Return the memories that are not given out today although nothing supersedes them, and why."""
    memories = desk.memories()
    listed, after = set[str](), None
    while True:
        page = memories.list(limit=PAGE, after=after)
        listed |= {memory.id for memory in page.items}
        if (after := page.next) is None:
            break
    missing = [one.id for one in project.memories if not one.superseded_by and ids[one.id] not in listed]
    return {name: _state(memories, ids[name], desk.clock.time) for name in missing}


def _state(memories: Memories, memory_id: str, now: datetime) -> str:
    memory = memories.get(memory_id, peek=True)
    expired = memory.expires_at is not None and memory.expires_at <= now
    return f"{memory.category} expired" if expired else f"{memory.status}: {memory.reason}"


def _store(memories: Memories, memory: Memory) -> tuple[str, str | None]:
    """Store one memory by the verb of its kind; return its id and why it waits, None if it does not."""
    answer: Any
    if memory.tier == "episodic":
        if "handoff" in memory.tags:
            answer = memories.handoff(memory.content)
        else:
            kind = KINDS.get(memory.category, EpisodeKind.OBSERVATION)
            answer = memories.episode(memory.content, kind=kind.value, tags=memory.tags)
    elif memory.tier == "procedural":
        name, steps = procedure_parts(memory.content)
        saved = memories.save_procedure(name, steps, scope_patterns=memory.scope, tags=memory.tags)
        return saved.procedure.id, saved.reason if saved.status == "staged" else None
    else:
        answer = memories.add(
            memory.content,
            category=memory.category,
            tags=memory.tags,
            scope_patterns=memory.scope,
            priority=memory.priority,
            on_duplicate="keep",
        )
    return answer.id, answer.reason if answer.status == "staged" else None


def procedure_parts(content: str) -> tuple[str, list[str]]:
    """Split `name: 1) one 2) two` into the name and the steps; without numbers there is one step."""
    name, _, rest = content.partition(":")
    steps = [step.strip() for step in _STEP.split(rest) if step.strip()]
    return (name.strip()[:100], steps) if steps else (content[:60].strip(), [content])


def reasons(counted: dict[str, str]) -> str:
    """Write how often each reason occurs."""
    return ", ".join(f"{count} {reason}" for reason, count in Counter(counted.values()).most_common())


def _make_repository(folder: Path, at: datetime) -> None:
    """Make a repository with one commit of that time."""
    folder.mkdir(parents=True)
    environ = stores.inherited() | {
        "HOME": str(folder.parent),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_AUTHOR_DATE": at.isoformat(),
        "GIT_COMMITTER_DATE": at.isoformat(),
    }
    who = ["-c", "user.name=bench", "-c", "user.email=bench@example.org"]
    for command in (["init", "-q"], [*who, "commit", "-q", "--allow-empty", "-m", "a commit"]):
        subprocess.run(["git", *command], cwd=folder, env=environ, check=True)
