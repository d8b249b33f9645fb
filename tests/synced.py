"""Clones of a git repository, each with a store of its own, and random work in them."""

from __future__ import annotations

import base64
import hashlib
import itertools
import random
import shutil
import subprocess
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from memory_layer.errors import MemoryLayerError
from memory_layer.model.changes import Changes
from memory_layer.model.memory import Draft, Memory, Project, Writer
from memory_layer.model.query import Filters, Reach
from memory_layer.model.runs import Recipe
from memory_layer.model.sync import SyncReport
from memory_layer.model.vocabulary import Category, LinkKind, Priority, Reason, Status, WriterKind
from memory_layer.ports import Engine
from memory_layer.settings import load
from memory_layer.store.sqlite import SqliteStore
from memory_layer.text import scopes
from memory_layer.usecases.learn.procedures import save
from memory_layer.usecases.remember import curate, edit, forget, links
from memory_layer.usecases.remember.add import add
from memory_layer.usecases.transfer.sync import sync
from memory_layer.usecases.who.lookup import batches
from memory_layer.wiring import Machine, scratch_store
from tests.clean_git import CLEAN
from tests.places import HERE

AGENT = Writer(name="tester", kind=WriterKind.AGENT, door="python", session="session-1")
PERSON = Writer(name="ada", kind=WriterKind.PERSON, door="cli", session="terminal-1", confirmed=True)
#: Nothing happened in a sync.
QUIET = {"written": 0, "removed": 0, "added": 0, "updated": 0, "archived": 0, "conflicts": 0}
WORDS = "harbour ferry lighthouse refund invoice worker queue cache index schema token parser build".split()


class Clone:
    """A clone, and the store of the person who works in it."""

    def __init__(self, folder: Path, name: str, clock, empty_store: Path, origin: Path | None = None) -> None:
        self.name, self.place = name, folder / name
        settings = load({"MEM_HOME": str(folder / f"{name}-home"), "HOME": str(folder)}, cwd=folder)
        settings.database_path.parent.mkdir(mode=0o700, parents=True)
        shutil.copy2(empty_store, settings.database_path)
        self.engine = Engine(
            settings=settings,
            store=SqliteStore(settings.database_path, busy_seconds=5, covers=scopes.matches),
            embedder=lambda: None,
            fingerprint=lambda: None,
            surroundings=Machine(),
            now=clock,
            new_id=_ids(name),
            home=lambda: (HERE.key,),
            scratch=scratch_store,
        )
        self.project = Project(id=f"here-{name}", key=HERE.key, name=HERE.name)
        if origin is None:
            run(folder, "init", "-q", "-b", "main", str(self.place))
            (self.place / "README").write_text("a project\n")
            self.commit()
        else:
            run(folder, "clone", "-q", str(origin), str(self.place))

    @property
    def folder(self) -> Path:
        return self.place / ".memories"

    def close(self) -> None:
        self.engine.store.close()

    def sync(self, *, dry_run: bool = False) -> SyncReport:
        project = self.engine.store.projects.get(HERE.key) or self.project
        return sync(self.engine, self.folder, project, AGENT, dry_run=dry_run)

    def commit(self) -> None:
        run(self.place, "add", "-A")
        run(self.place, "commit", "-q", "--allow-empty", "-m", f"memories of {self.name}")

    def share(self) -> SyncReport:
        report = self.sync()
        self.commit()
        return report

    def head(self) -> str:
        return run(self.place, "rev-parse", "HEAD").strip()

    def merge(self, other: Clone, commit: str = "FETCH_HEAD") -> None:
        """Merge the other clone's commits with a plain `git merge`; any conflict fails the test."""
        run(self.place, "fetch", "-q", str(other.place), "main")
        run(self.place, "merge", "-q", "--no-edit", commit)

    def add(self, content: str, writer: Writer = AGENT, **fields) -> str:
        return add(self.engine, Draft(content=content, **fields), writer, self.project).id

    def edit(self, memory_id: str, writer: Writer = AGENT, **fields) -> None:
        edit.edit(self.engine, memory_id, Changes(**fields), writer)

    def get(self, memory_id: str) -> Memory | None:
        return next(iter(self.engine.store.memories.get([memory_id])), None)

    def memories(self, *statuses: Status) -> dict[str, Memory]:
        project = self.engine.store.projects.get(HERE.key)
        filters = Filters(
            Reach.PROJECT, project.id if project else None, statuses=statuses, expired=True, superseded=True
        )
        pages = batches(self.engine.store, filters, self.engine.now(), 500)
        return {each.id: each for page in pages for each in page}

    def active(self) -> dict[str, tuple[Any, ...]]:
        """Return everything about the active memories that should be the same in every store."""
        found = self.memories(Status.ACTIVE)
        linked: dict[str, set[tuple[str, str]]] = {}
        for link in self.engine.store.links.of(sorted(found)):
            if link.source in found and link.target in found:
                linked.setdefault(link.source, set()).add((link.kind.value, link.target))
        return {
            each.id: (
                *(each.content, each.category, each.tier, each.priority, each.tags, each.scope),
                *(dict(each.metadata), each.relevance, each.created_at, each.writer, each.expires_at),
                linked.get(each.id, set()),
            )
            for each in found.values()
        }

    def files(self) -> dict[str, bytes]:
        return {path.name: path.read_bytes() for path in sorted(self.folder.glob("*"))}


def _ids(name: str) -> Callable[[str], str]:
    """Return ids that are the same in every run, so that a failure can be repeated."""
    numbers = itertools.count()

    def new_id(prefix: str) -> str:
        chance = hashlib.sha256(f"{name} {next(numbers)}".encode()).digest()[:16]
        return f"{prefix}_{base64.b32encode(chance).decode().lower().rstrip('=')}"

    return new_id


def run(place: Path, *words: str) -> str:
    done = subprocess.run(["git", *words], cwd=place, env=CLEAN, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"git {' '.join(words)}: {done.stdout}{done.stderr}"
    return done.stdout


class Work:
    """Random changes in a clone; refused ones count as well."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.number = 0
        self.done: dict[str, int] = {}

    def some(self, clone: Clone, count: int) -> None:
        for _ in range(count):
            name = self.chance.choice(
                "add add add edit edit edit archive restore forget tag tag label link link unlink procedure"
                " twin category".split()
            )
            with suppress(MemoryLayerError, IndexError):
                getattr(self, f"_{name}")(clone)
                self.done[name] = self.done.get(name, 0) + 1

    def _text(self) -> str:
        self.number += 1
        return f"The {' '.join(self.chance.sample(WORDS, 4))} needs rule {self.number}"

    def _any(self, clone: Clone, status: Status = Status.ACTIVE) -> str:
        return self.chance.choice(sorted(clone.memories(status)))

    def _add(self, clone: Clone) -> None:
        clone.add(
            self._text(),
            tags=tuple(self.chance.sample(WORDS, 2)),
            category=self.chance.choice([Category.GENERAL, Category.GOTCHA, Category.DECISION]),
        )

    def _twin(self, clone: Clone) -> None:
        clone.add(f"Everybody knows fact {self.chance.randrange(6)} about the harbour")

    def _edit(self, clone: Clone) -> None:
        memory = clone.get(self._any(clone))
        assert memory is not None
        if memory.tier.value == "semantic":
            clone.edit(memory.id, content=self._text())

    def _category(self, clone: Clone) -> None:
        clone.edit(self._any(clone), priority=self.chance.choice([Priority.HIGH, Priority.MEDIUM]))

    def _archive(self, clone: Clone) -> None:
        curate.archive(clone.engine, [self._any(clone)], AGENT)

    def _restore(self, clone: Clone) -> None:
        curate.restore(clone.engine, [self._any(clone, Status.ARCHIVED)], AGENT)

    def _forget(self, clone: Clone) -> None:
        if self.chance.random() < 0.3:
            forget.forget(clone.engine, [self._any(clone)], PERSON)

    def _tag(self, clone: Clone) -> None:
        memory_id = self._any(clone)
        memory = clone.get(memory_id)
        assert memory is not None
        if memory.tags and self.chance.random() < 0.3:
            edit.tag(clone.engine, memory_id, [memory.tags[0]], AGENT, remove=True)
        else:
            edit.tag(clone.engine, memory_id, [self.chance.choice(WORDS)], AGENT)

    def _label(self, clone: Clone) -> None:
        edit.tag(clone.engine, self._any(clone), [f"level={self.chance.randrange(9)}"], AGENT)

    def _link(self, clone: Clone) -> None:
        kind = self.chance.choice(list(LinkKind))
        links.link(clone.engine, self._any(clone), kind, self._any(clone), AGENT)

    def _unlink(self, clone: Clone) -> None:
        found = clone.engine.store.links.of(sorted(clone.memories(Status.ACTIVE)))
        link = self.chance.choice(found)
        links.unlink(clone.engine, link.source, link.kind, link.target, AGENT)

    def _procedure(self, clone: Clone) -> None:
        name = f"release {self.chance.randrange(3)}"
        save(clone.engine, Recipe(name=name, steps=(self._text(), "tag it")), AGENT, clone.project)


def is_forgotten(clone: Clone, memory_id: str) -> bool:
    memory = clone.get(memory_id)
    return memory is not None and memory.reason is Reason.FORGOTTEN
