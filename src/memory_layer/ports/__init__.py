"""Interfaces the core needs from the outside world, and the engine that bundles them.

The store finds and keeps; it never judges. Rules live in `rules`, scoring in `ranking`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, Protocol

from memory_layer.model.record import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from contextlib import AbstractContextManager
    from datetime import datetime
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from memory_layer.model.capture import Transcript
    from memory_layer.model.imports import FoundSource, ImportSource, Origin
    from memory_layer.model.memory import Citation, Writer
    from memory_layer.model.tasks import TaskLookup, TasksRead
    from memory_layer.model.transcripts import SessionPlace, TranscriptFile, TranscriptLine
    from memory_layer.model.vocabulary import Category
    from memory_layer.ports.feed import Feed
    from memory_layer.ports.files import Tree
    from memory_layer.ports.insights import InsightRows
    from memory_layer.ports.log import Log
    from memory_layer.ports.map import MapStore
    from memory_layer.ports.passkeys import PasskeyAnswers, Passkeys
    from memory_layer.ports.search import Search
    from memory_layer.ports.search import Vectors as VectorTable
    from memory_layer.ports.store import (
        AccessRecords,
        Chain,
        Links,
        MemoryStore,
        Projects,
        TaskLinks,
        Transfer,
    )
    from memory_layer.settings import Settings

    IdKind = Literal["memory", "recall", "run", "operation"]
    Vector = NDArray[np.float32]  #: of unit length
    PassageVectors = NDArray[np.float32]  #: one row per passage


class Embedder(Protocol):
    """An embedding model. Vectors of different fingerprints are never compared."""

    fingerprint: str

    def knows(self, word: str) -> bool: ...

    def embed_query(self, text: str) -> Vector: ...

    def embed_memories(
        self, texts: Sequence[str], progress: Callable[[int], None] | None = None
    ) -> list[PassageVectors]: ...


class Workspace(NamedTuple):
    """A code base on this machine."""

    root: Path
    key: str
    aliases: tuple[str, ...]
    name: str
    common_dir: Path | None


class TranscriptReading(Protocol):
    """A transcript that is read line by line; `place` is complete at its end."""

    @property
    def place(self) -> SessionPlace: ...

    def lines(self) -> Iterator[TranscriptLine]: ...


class Surroundings(Protocol):
    """Read-only access to the machine."""

    def locate(self, path: Path) -> Workspace: ...

    def led_out_of_repository(self, path: Path) -> str | None: ...

    def cite(self, reference: str, place: Workspace) -> Citation: ...

    def cite_lines(self, path: str, spans: Sequence[tuple[int, int]], place: Workspace) -> list[Citation]: ...

    def tree(self, place: Workspace) -> Tree | None: ...

    def expiry(self, root: Path) -> Mapping[Category, int | None]: ...

    def last_commit_at(self, place: Workspace) -> datetime | None: ...

    def read_memories(self, path: Path, origin: Origin | None = None) -> ImportSource: ...

    def origin_of(self, path: Path) -> Origin: ...

    def importable(self, root: Path | None) -> Sequence[FoundSource]: ...

    def read_transcript(self, path: Path, whole: bool | None = None) -> Transcript: ...

    def transcript(self, text: str, whole: bool | None = None) -> Transcript: ...

    def transcript_files(self, paths: Sequence[Path]) -> Iterator[TranscriptFile]: ...

    def session_transcript(self, file: TranscriptFile, known: Sequence[str]) -> TranscriptReading: ...

    def tasks(self, place: Workspace | None, lookup: TaskLookup) -> TasksRead: ...


class Edit(NamedTuple):
    """The author and operation of a change."""

    writer: Writer
    operation: str
    action: str
    at: datetime


class Store(Protocol):
    """Memory at rest. Reads inside `reading()` see one snapshot; writes need `writing()`."""

    def close(self) -> None: ...

    def reading(self) -> AbstractContextManager[None]: ...

    def writing(self, *, patient: bool = True) -> AbstractContextManager[None]: ...

    def find_ids(self, kind: IdKind, start: str, limit: int) -> list[str]: ...

    def sequence(self) -> int: ...

    def since(self) -> datetime | None: ...

    def wrote(self) -> bool: ...

    def size(self) -> int: ...

    def note(self, key: str) -> str | None: ...

    def set_note(self, key: str, value: str) -> None: ...

    @property
    def projects(self) -> Projects: ...

    @property
    def memories(self) -> MemoryStore: ...

    @property
    def links(self) -> Links: ...

    @property
    def task_links(self) -> TaskLinks: ...

    @property
    def vectors(self) -> VectorTable: ...

    @property
    def search(self) -> Search: ...

    @property
    def map(self) -> MapStore: ...

    @property
    def log(self) -> Log: ...

    @property
    def feed(self) -> Feed: ...

    @property
    def insights(self) -> InsightRows: ...

    @property
    def chain(self) -> Chain: ...

    @property
    def passkeys(self) -> Passkeys: ...

    @property
    def transfer(self) -> Transfer: ...

    @property
    def access(self) -> AccessRecords: ...


def _unknown() -> None:
    return None


def _no_checks() -> PasskeyAnswers:
    raise RuntimeError("this engine checks no passkeys")


def _never() -> bool:
    return False


class Engine(NamedTuple):
    """Everything a use case needs. Fields, no behaviour."""

    settings: Settings
    store: Store
    embedder: Callable[[], Embedder | None]  #: loaded on first use; None without a model
    fingerprint: Callable[[], str | None]  #: the embedder's, without loading it
    surroundings: Surroundings
    now: Callable[[], datetime]
    new_id: Callable[[str], str]  #: from a prefix such as `mem`
    scratch: Callable[[], AbstractContextManager[Store]]  #: opens an empty in-memory store
    home: Callable[[], Sequence[str] | None] = _unknown  #: the keys of the code base the caller works in
    passkeys: Callable[[], PasskeyAnswers] = _no_checks  #: of authenticators' answers, loaded on first use
    lay_out_soon: Callable[[], bool] = _never  #: computes the map in the background; False if it cannot
    is_read_by_person: Callable[[], bool] = _never  #: a person, not an agent, reads the output
