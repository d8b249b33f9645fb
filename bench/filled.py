"""Stores of any size for speed runs, filled with prepared vectors by the store's own verb for many memories at once.

An import compares each memory with all before, which is not what is measured here and takes too long at a million.
"""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Iterable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from bench import given, prose, stores
from bench.given import Cloud
from memory_layer.model.memory import Draft, Project
from memory_layer.model.query import Filters, Reach
from memory_layer.model.vocabulary import Status
from memory_layer.ports import Edit, Engine, New
from memory_layer.usecases.deciding import new_memory
from memory_layer.usecases.terms import terms_of
from memory_layer.wiring import open_engine

if TYPE_CHECKING:
    from memory_layer.ports import Vectors

#: How many of ten thousand memories belong to each project, and carry each tag; the rest is in a project of its own.
SHARES = {"0.01 %": 1, "1 %": 100, "10 %": 1000}
OF = 10_000
TAGS = {"0.01 %": "seldom", "1 %": "sometimes", "10 %": "often"}
REST = "the rest"
#: They spread the members of a share evenly over the store, and differently for projects and tags.
PROJECT_STEP, TAG_STEP = 7919, 3571
HOW = f"by the store's verb `create`, {prose.BLOCK:,} memories a commit, without comparing them"


class Filled(NamedTuple):
    """A store with that many memories in a folder of its own."""

    folder: Path
    size: int
    seconds: float  #: what filling it took, when it was filled

    @property
    def file(self) -> Path:
        return stores.settings_of(stores.environment(self.folder, self.folder), self.folder).database_path

    @property
    def beside(self) -> Path:
        """Where the index lies beside the store, if there is one."""
        return self.file.with_name(f"{self.file.name}-index")


def filled(folder: Path, size: int, cloud: Cloud, fingerprint: str, keep: Path | None) -> Filled:
    """A store to measure on: filled now, or copied from one that was kept."""
    if keep is None:
        return _fill(folder, size, cloud, fingerprint)
    shelf = keep / f"{cloud.name}-{size}-{fingerprint.rpartition(':')[2][:8]}"
    note = shelf / "filled.json"
    if not note.exists():
        shutil.rmtree(shelf, ignore_errors=True)
        made = _fill(shelf, size, cloud, fingerprint)
        note.write_text(json.dumps({"seconds": made.seconds}), encoding="utf-8")
    kept = Filled(shelf, size, json.loads(note.read_text(encoding="utf-8"))["seconds"])
    copy = kept._replace(folder=folder)
    copy.file.parent.mkdir(parents=True)
    shutil.copyfile(kept.file, copy.file)
    return copy


def _fill(folder: Path, size: int, cloud: Cloud, fingerprint: str) -> Filled:
    folder.mkdir(parents=True, exist_ok=True)
    begun = time.perf_counter()
    with opened(folder) as engine:
        projects = {name: Project(f"p{at}", f"bench/{name}", name) for at, name in enumerate(_names())}
        with engine.store.writing():
            for project in projects.values():
                engine.store.save_project(project, engine.now())
        for block, vectors in enumerate(given.blocks(cloud, size)):
            first = block * prose.BLOCK
            put(
                engine,
                (
                    new(
                        engine,
                        text,
                        (fingerprint, vectors[at : at + 1]),
                        projects[share_of(first + at, PROJECT_STEP)],
                        TAGS.get(share_of(first + at, TAG_STEP)),
                    )
                    for at, text in enumerate(prose.memories(first, len(vectors)))
                ),
            )
    return Filled(folder, size, round(time.perf_counter() - begun, 1))


def put(engine: Engine, new: Iterable[New]) -> None:
    """Store memories in one commit."""
    edit = Edit(stores.WRITER, engine.new_id("op"), "import", engine.now())
    ready = list(new)
    with engine.store.writing():
        engine.store.create(ready, edit)


def opened(folder: Path, model: Path | None = None) -> AbstractContextManager[Engine]:
    """An engine on the store of that folder; without a model unless one is named."""
    environ = stores.environment(folder, model or folder / "no-model")
    return open_engine(stores.settings_of(environ, folder), "python")


def new(
    engine: Engine,
    text: str,
    vectors: tuple[str, Vectors],
    project: Project | None = None,
    tag: str | None = None,
) -> New:
    """A memory that counts at once, with everything the store keeps of it."""
    draft = Draft(content=text, tags=(tag,) if tag else ())
    memory = new_memory(engine, draft, stores.WRITER, project)._replace(status=Status.ACTIVE, reason=None)
    # Only statistics read the number of tokens.
    return New(memory, terms_of(memory), len(text) // 4, vectors)


def share_of(number: int, step: int) -> str:
    """The share a memory belongs to."""
    place = number * step % OF
    for name, count in SHARES.items():
        if place < count:
            return name
        place -= count
    return REST


def passing(size: int, step: int) -> dict[str, int]:
    """How many memories of a store belong to each share."""
    counts = dict.fromkeys(SHARES, 0)
    for number in range(size):
        name = share_of(number, step)
        if name in counts:
            counts[name] += 1
    return counts


def project_filter(name: str) -> Filters:
    return Filters(reach=Reach.PROJECT, project=f"p{_names().index(name)}")


def tag_filter(name: str) -> Filters:
    return Filters(tags=(TAGS[name],))


def _names() -> list[str]:
    return [*SHARES, REST]


def bytes_in(place: Path) -> int:
    """What a file or a folder takes on disk."""
    files = [place] if place.is_file() else [each for each in place.rglob("*") if each.is_file()]
    return sum(each.stat().st_blocks * 512 for each in files)
