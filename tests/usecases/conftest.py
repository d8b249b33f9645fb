"""A store for the doctor, made once for each file of tests."""

from __future__ import annotations

import shutil

import pytest

from memory_layer.model.memory import Project, Writer
from memory_layer.model.vocabulary import LinkKind, Outcome, WriterKind
from memory_layer.settings import load
from memory_layer.usecases.learn.outcome import OutcomeReport, record_outcome
from memory_layer.usecases.remember.add import add
from memory_layer.usecases.remember.links import link
from memory_layer.wiring import open_engine, practice
from tests.doctored import (
    TOPICS,
    draft,
    with_model,
)


@pytest.fixture(scope="module")
def filled(tmp_path_factory):
    """A store of a dozen memories, one of them judged and two of them linked; made once."""
    folder = tmp_path_factory.mktemp("filled")
    writer = Writer(name="tester", kind=WriterKind.AGENT, door="python", session="session-1")
    project = Project(
        id="harbour", key="git.example/harbour", name="harbour", aliases=("git.example/harbour",)
    )
    with open_engine(load({"MEM_HOME": str(folder), "HOME": str(folder)}, cwd=folder), "python") as engine:
        stored = [
            add(engine, draft(topic, number), writer, project if number % 2 else None).id
            for number, topic in enumerate(TOPICS)
        ]
        record_outcome(
            engine, stored[:1], OutcomeReport(Outcome.WORKED, query="what about the harbour"), writer
        )
        link(engine, stored[1], LinkKind.RELATES_TO, stored[2], writer)
    return folder, stored


@pytest.fixture
def ids(settings, filled):
    """A copy of that store for one test."""
    folder, stored = filled
    settings.database_path.parent.mkdir(mode=0o700)
    shutil.copyfile(folder / "memory.db", settings.database_path)
    settings.database_path.chmod(0o600)
    return stored


@pytest.fixture
def office(settings, ids):
    return practice(settings, "python")


@pytest.fixture
def seeing(office, embedder):
    """The same with a model."""
    return office._replace(embedder=lambda: embedder, open_engine=lambda: with_model(office, embedder))
