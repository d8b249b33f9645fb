"""Stores of any size for speed runs, filled with prepared vectors by the store's own verb for many memories at once.

An import compares each memory with all before, which is not what is measured here and takes too long at a million.
"""

from __future__ import annotations

import json
import shutil
import tempfile
import time
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

from bench import given, prose, stores
from bench.given import Cloud
from memory_layer.model.memory import Draft, Memory, Project
from memory_layer.model.query import Filters, Reach
from memory_layer.model.vocabulary import Status
from memory_layer.ports import Edit, Engine
from memory_layer.ports.store import IndexedTerms, New
from memory_layer.usecases.govern import ledger
from memory_layer.usecases.remember.new_memory import new_memory, terms_of
from memory_layer.wiring import open_engine

#: How many of ten thousand memories belong to each project, and carry each tag; the rest is in a project of its own.
SHARES = {"0.01 %": 1, "1 %": 100, "10 %": 1000}
OF = 10_000
TAGS = {"0.01 %": "seldom", "1 %": "sometimes", "10 %": "often"}
REST = "the rest"
#: They spread the members of a share evenly over the store, and differently for projects and tags.
PROJECT_STEP, TAG_STEP = 7919, 3571
PROJECTS = {name: Project(f"p{at}", f"bench/{name}", name) for at, name in enumerate([*SHARES, REST])}
LARGE, AHEAD = 20_000, 4  #: from how many memories on all processors prepare them, and how far ahead
HOW = f"by the store's verb `create`, {prose.BLOCK:,} memories a commit, without comparing them"


Unembedded = tuple[Memory, IndexedTerms, int]


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
        """Return the folder of the index, whether or not there is one."""
        return self.file.with_name(f"{self.file.name}-index")


def filled(folder: Path, size: int, cloud: Cloud, fingerprint: str, keep: Path | None) -> Filled:
    """A store to measure on: filled now, or copied from one that was kept."""
    if keep is None:
        return _fill(folder, size, cloud, fingerprint)
    shelf = keep / f"{cloud.name}-{size}-{fingerprint[-8:]}"
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
    with opened(folder) as engine, _preparation(size) as written:
        with engine.store.writing():
            for project in PROJECTS.values():
                engine.store.projects.save(project, engine.now())
        for block, vectors in zip(written, given.blocks(cloud, size), strict=True):
            each = (New(*one, (fingerprint, vectors[at : at + 1])) for at, one in enumerate(block))
            put(engine, each)
    return Filled(folder, size, round(time.perf_counter() - begun, 1))


@contextmanager
def _preparation(size: int) -> Iterator[Iterator[list[Unembedded]]]:
    """All memories of a store, block by block; those of a large one are prepared by all processors."""
    counts = [min(prose.BLOCK, size - first) for first in range(0, size, prose.BLOCK)]
    if size < LARGE:
        yield (_block(number, count) for number, count in enumerate(counts))
        return
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as pool:
        yield _ahead(pool, counts)


def _ahead(pool: ProcessPoolExecutor, counts: Sequence[int]) -> Iterator[list[Unembedded]]:
    """The blocks in their order, never more than a few of them waiting."""
    waiting: deque[Future[list[Unembedded]]] = deque()
    for number, count in enumerate(counts):
        waiting.append(pool.submit(_block, number, count))
        if len(waiting) > AHEAD:
            yield waiting.popleft().result()
    while waiting:
        yield waiting.popleft().result()


def _block(number: int, count: int) -> list[Unembedded]:
    """The memories of a block, with their shares, as they will be stored."""
    first = number * prose.BLOCK
    with tempfile.TemporaryDirectory() as nowhere, opened(Path(nowhere), trial=True) as engine:
        return [
            unembedded(
                engine,
                text,
                PROJECTS[share_of(first + at, PROJECT_STEP)],
                TAGS.get(share_of(first + at, TAG_STEP)),
            )
            for at, text in enumerate(prose.memories(first, count))
        ]


def put(engine: Engine, new: Iterable[New]) -> None:
    """Store memories in one commit."""
    edit = Edit(stores.WRITER, engine.new_id("op"), "import", engine.now())
    ready = list(new)
    with engine.store.writing():
        ledger.create(engine.store, ready, edit)


def opened(folder: Path, model: Path | None = None, *, trial: bool = False) -> AbstractContextManager[Engine]:
    """An engine on the store of that folder; without a model unless one is named."""
    environ = stores.environment(folder, model or folder / "no-model")
    return open_engine(stores.settings_of(environ, folder), "python", trial=trial)


def unembedded(
    engine: Engine, text: str, project: Project | None = None, tag: str | None = None
) -> Unembedded:
    """A memory that counts at once, with everything the store keeps of it but its vector."""
    draft = Draft(content=text, tags=(tag,) if tag else (), metadata={})
    memory = new_memory(engine, draft, stores.WRITER, project)._replace(status=Status.ACTIVE, reason=None)
    # Only statistics read the number of tokens.
    return memory, terms_of(memory), len(text) // 4


def share_of(number: int, step: int) -> str:
    """The share a memory belongs to."""
    place = number * step % OF
    for name, count in SHARES.items():
        if place < count:
            return name
        place -= count
    return REST


def passing(size: int, step: int) -> dict[str, int]:
    """Count the memories of a store that belong to each share."""
    counts = dict.fromkeys(SHARES, 0)
    for number in range(size):
        name = share_of(number, step)
        if name in counts:
            counts[name] += 1
    return counts


def project_filter(name: str) -> Filters:
    return Filters(reach=Reach.PROJECT, project=PROJECTS[name].id)


def tag_filter(name: str) -> Filters:
    return Filters(tags=(TAGS[name],))


def bytes_in(place: Path) -> int:
    """Return the size of a file or folder on disk."""
    files = [place] if place.is_file() else [each for each in place.rglob("*") if each.is_file()]
    return sum(each.stat().st_blocks * 512 for each in files)
