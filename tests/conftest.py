"""What every test may ask for: a model, a clock that stands still, and engines on a fresh store."""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import settings as effort

from memory_layer.embed import model
from memory_layer.model.memory import Writer
from memory_layer.model.vocabulary import WriterKind
from memory_layer.ports import Embedder, Engine
from memory_layer.settings import Settings, load
from memory_layer.signatures import WebAuthn
from memory_layer.store.sqlite import SqliteStore
from memory_layer.text import scopes
from memory_layer.wiring import Machine, new_id, scratch_store
from tests.places import HERE

MODEL_VARIABLE = "MEM_TEST_MODEL"
os.environ["MEM_UPKEEP_AUTO"] = "off"  # no process of a test tidies a store by itself unless the test says so
#: A shell's background job ignores Ctrl-C and so would every process that the tests start.
signal.signal(signal.SIGINT, signal.default_int_handler)
effort.register_profile("patient", deadline=None)  # a busy machine is no failure
effort.load_profile("patient")
NOON = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)


class Clock:
    """Time that moves only when told to."""

    def __init__(self) -> None:
        self.time = NOON

    def __call__(self) -> datetime:
        return self.time

    def pass_(self, **span: float) -> None:
        self.time += timedelta(**span)


@pytest.fixture(scope="session")
def model_folder() -> Path:
    """The folder of the real model, which `make test` installs."""
    given = os.environ.get(MODEL_VARIABLE)
    folder = Path(given) if given else load().model_folder
    if not model.status(folder).installed:
        pytest.fail(f"the tests need the embedding model in {folder}; `make test` installs it")
    return folder


@pytest.fixture(scope="session")
def embedder(model_folder: Path) -> Embedder:
    return model.load(model_folder)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return load({"MEM_HOME": str(tmp_path / "home"), "HOME": str(tmp_path)}, cwd=tmp_path)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture(scope="session")
def empty_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A new store, to be copied: that takes a sixth of the time of making one."""
    path = tmp_path_factory.mktemp("empty") / "memory.db"
    SqliteStore(path, busy_seconds=5, covers=scopes.matches).close()
    return path


@pytest.fixture
def engine(settings: Settings, clock: Clock, embedder: Embedder, empty_store: Path) -> Iterator[Engine]:
    """The whole product but for its doors, with the real model and a clock that stands still."""
    yield from _engine(settings, clock, embedder, empty_store)


@pytest.fixture
def keyword_engine(settings: Settings, clock: Clock, empty_store: Path) -> Iterator[Engine]:
    """The same on a machine without the model."""
    yield from _engine(settings, clock, None, empty_store)


def _engine(
    settings: Settings, clock: Clock, embedder: Embedder | None, empty_store: Path | None = None
) -> Iterator[Engine]:
    if empty_store is not None:
        settings.database_path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        shutil.copy2(empty_store, settings.database_path)
    store = SqliteStore(settings.database_path, busy_seconds=5, covers=scopes.matches)
    yield Engine(
        settings=settings,
        store=store,
        embedder=lambda: embedder,
        fingerprint=lambda: embedder.fingerprint if embedder else None,
        surroundings=Machine(),
        now=clock,
        new_id=new_id,
        home=lambda: (HERE.key,),
        scratch=scratch_store,
        passkeys=WebAuthn,
    )
    store.close()


@pytest.fixture
def agent() -> Writer:
    return Writer(name="tester", kind=WriterKind.AGENT, door="python", session="session-1")


@pytest.fixture
def person() -> Writer:
    """Somebody at a terminal who has typed the code that the strongest changes need."""
    return Writer(name="ada", kind=WriterKind.PERSON, door="cli", session="terminal-1", confirmed=True)
