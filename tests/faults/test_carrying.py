"""A store is carried to another place: nothing is lost on the way, whenever somebody pulls the plug."""

from __future__ import annotations

import random
import time
from datetime import UTC, datetime
from hashlib import sha256
from itertools import islice
from pathlib import Path

import pytest

from memory_layer.model.changes import Changes
from memory_layer.model.memory import Draft, Project, Writer
from memory_layer.model.query import Mode, Query
from memory_layer.model.vocabulary import LinkKind, Outcome
from memory_layer.ports import Engine
from memory_layer.ports.search import Made
from memory_layer.usecases.govern import chain
from memory_layer.usecases.learn import outcome
from memory_layer.usecases.recall.search import search
from memory_layer.usecases.remember import curate, edit, links
from memory_layer.usecases.remember.add import add
from memory_layer.usecases.transfer.export import export_to_file
from memory_layer.usecases.transfer.import_export import import_export
from memory_layer.wiring import open_engine
from tests.faults.judgement import damages, everything
from tests.faults.machine import Machine, fresh_machine, next_line
from tests.faults.texts import fact, handle
from tests.passages import passages_of

pytestmark = pytest.mark.prove
NAMES = ("harbour", "ferry", "lighthouse", "quay")
FINGERPRINT = "made-up/8"
LATER = datetime(2100, 1, 1, tzinfo=UTC)
PLACE = Project(id="harbour123", key="git.example/ferries/harbour", name="harbour")


def unit_vector(text: str):
    """Eight numbers that only this text has, of unit length."""
    import numpy as np

    numbers = np.frombuffer(sha256(text.encode()).digest()[:8], dtype=np.int8).astype(np.float32)
    return (numbers / np.linalg.norm(numbers))[None, :]


def lived_in(engine: Engine, memories: int, writer: Writer) -> list[str]:
    """A store of that many memories, of which a part was edited, linked, searched, judged and archived."""
    ids = []
    for number in range(memories):
        text = fact(NAMES[number % len(NAMES)], number)
        ids.append(
            add(engine, Draft(content=text, tags=("made-up",)), writer, PLACE if number % 3 else None).id
        )
    for place in range(0, memories, 20):
        edit.edit(engine, ids[place], Changes(metadata={"place": place, "of": memories}), writer)
    for place in range(10, memories - 1, 50):
        links.link(engine, ids[place], LinkKind.RELATES_TO, ids[place + 1], writer)
    for place in range(0, memories, 25):
        found = search(engine, Query(text=handle(NAMES[place % len(NAMES)], place), limit=5), writer)
        report = outcome.OutcomeReport(result=Outcome.WORKED, recall=found.recall, evidence="it went well")
        outcome.record_outcome(engine, [found.hits[0].memory.id], report, writer)
    curate.archive(engine, ids[7::30], writer)
    with engine.store.writing():
        for memory in everything(engine):
            engine.store.vectors.put(FINGERPRINT, [Made(memory.id, unit_vector(memory.content))])
    return ids


def exported(engine: Engine, file: Path) -> bytes:
    export_to_file(engine, file, vectors=True, force=True)
    return file.read_bytes()


def answers(engine: Engine, count: int, writer: Writer) -> list[list[tuple[str, float]]]:
    """What searches at one moment bring back for some of the memories, with their scores; nothing is recorded."""
    engine = engine._replace(now=lambda: LATER)
    questions = (handle(NAMES[place % len(NAMES)], place) for place in range(0, count, 7))
    return [
        [
            (hit.memory.id, hit.score)
            for hit in search(engine, Query(text=text, mode=Mode.KEYWORD, peek=True), writer).hits
        ]
        for text in islice(questions, 200)
    ]


@pytest.fixture
def robot() -> Writer:
    from memory_layer.model.vocabulary import WriterKind

    return Writer(name="robot", kind=WriterKind.AGENT, door="python", session="carrying")


@pytest.fixture
def keeper() -> Writer:
    """A person, from whose hands a file is taken as it is, vectors included."""
    from memory_layer.model.vocabulary import WriterKind

    return Writer(name="keeper", kind=WriterKind.PERSON, door="cli", session="carrying", confirmed=True)


def test_a_whole_store_comes_back_byte_for_byte(plain_machine, tmp_path, counted, figures, robot, keeper):
    count = counted(150, 10_000)
    (tmp_path / "there").mkdir()
    there = fresh_machine(tmp_path / "there", tmp_path / "no-model")
    with open_engine(plain_machine.settings, "python") as engine:
        lived_in(engine, count, robot)
        begun = time.monotonic()
        content = exported(engine, tmp_path / "first.jsonl")
        written = time.monotonic() - begun
        memories, found = everything(engine), answers(engine, count, robot)
        changes, head = list(chain.changes(engine.store)), engine.store.chain.head()
        vector = passages_of(engine.store, memories[0].id, FINGERPRINT)

    with open_engine(there.settings, "python") as engine:
        begun = time.monotonic()
        report = import_export(engine, tmp_path / "first.jsonl", keeper)
        taken = time.monotonic() - begun
        again = exported(engine, tmp_path / "second.jsonl")
        same = (everything(engine), list(chain.changes(engine.store)), engine.store.chain.head())
        back = passages_of(engine.store, memories[0].id, FINGERPRINT)
        found_again = answers(engine, count, robot)
        problems = damages(engine, there.database)
        second = import_export(engine, tmp_path / "first.jsonl", keeper)

    assert (report.read, report.added, report.skipped) == (count, count, ())
    assert again == content
    assert same == (memories, changes, head)
    assert vector is not None
    assert back is not None
    assert (back == vector).all()
    assert found_again == found
    assert problems == []
    assert (second.added, second.exists) == (0, count)
    figures(
        f"{count:,} memories carried with {len(changes):,} audit entries: {len(content):,} bytes,"
        f" exported at {count / written:,.0f} memories/s, restored at {count / taken:,.0f} memories/s,"
        " the new store's export is the same bytes"
    )


def seconds_of(machine: Machine, verb: str, file: Path) -> float:
    """How long the work takes on this machine today, without the start of the process."""
    process = machine.start_worker("bearer", verb, str(file))
    assert next_line(process) == "ready"
    begun = time.monotonic()
    assert next_line(process) == "done"
    taken = time.monotonic() - begun
    process.kill()
    process.communicate()
    return taken


def killed(machine: Machine, seconds: float, verb: str, file: Path) -> None:
    """Kill a process that long after it began to work."""
    process = machine.start_worker("bearer", verb, str(file))
    assert next_line(process) == "ready"
    time.sleep(seconds)
    process.kill()
    process.communicate()


def test_a_killed_import_did_all_or_nothing(plain_machine, tmp_path, counted, figures, robot, keeper):
    count, kills = counted(100, 2_000), counted(3, 30)
    file = tmp_path / "all.jsonl"
    with open_engine(plain_machine.settings, "python") as engine:
        lived_in(engine, count, robot)
        content = exported(engine, file)
    (tmp_path / "slow").mkdir()
    longest = seconds_of(fresh_machine(tmp_path / "slow", tmp_path / "no-model"), "import", file)
    chance, left = random.Random(5), {"nothing": 0, "everything": 0}
    for number in range(kills):
        folder = tmp_path / f"kill{number}"
        folder.mkdir()
        machine = fresh_machine(folder, tmp_path / "no-model")
        killed(machine, chance.uniform(0, 1.2) * longest, "import", file)
        with open_engine(machine.settings, "python") as engine:
            here = len(everything(engine))
            assert here in (0, count)
            left["everything" if here else "nothing"] += 1
            report = import_export(engine, file, keeper)
            assert report.added + report.exists == count
            assert damages(engine, machine.database) == []
            assert exported(engine, folder / "again.jsonl") == content
    figures(f"{kills} kills of an import of {count:,} memories: {left}; the next import completed every one")


def test_a_killed_import_into_a_store_in_use_did_all_or_nothing(
    plain_machine, tmp_path, counted, figures, robot
):
    count, kills = counted(100, 2_000), counted(3, 30)
    file = tmp_path / "all.jsonl"
    with open_engine(plain_machine.settings, "python") as engine:
        lived_in(engine, count, robot)
        exported(engine, file)
    (tmp_path / "slow").mkdir()
    longest = seconds_of(fresh_machine(tmp_path / "slow", tmp_path / "no-model"), "import", file)
    chance, left = random.Random(6), {"nothing": 0, "everything": 0}
    for number in range(kills):
        folder = tmp_path / f"kill{number}"
        folder.mkdir()
        machine = fresh_machine(folder, tmp_path / "no-model")
        assert machine.mem("add", "This was here before").code == 0
        killed(machine, chance.uniform(0, 1.2) * longest, "import", file)
        with open_engine(machine.settings, "python") as engine:
            here = len(everything(engine)) - 1
            assert here in (0, count)
            left["everything" if here else "nothing"] += 1
            report = import_export(engine, file, robot)
            assert (report.added, report.exists) == ((0, count) if here else (count, 0))
            assert {each.operation for each in chain.changes(engine.store) if each.action == "import"} >= {
                report.operation
            } - {None}
            assert damages(engine, machine.database) == []
    figures(f"{kills} kills of an import into a store in use: {left}; the next import completed every one")


def test_a_killed_export_left_no_file_or_a_complete_one(plain_machine, tmp_path, counted, figures, robot):
    count, kills = counted(100, 2_000), counted(3, 30)
    with open_engine(plain_machine.settings, "python") as engine:
        lived_in(engine, count, robot)
        content = exported(engine, tmp_path / "whole.jsonl")
    longest = seconds_of(plain_machine, "export", tmp_path / "slow.jsonl")
    chance, left = random.Random(7), {"no file": 0, "complete": 0}
    for number in range(kills):
        target = tmp_path / f"all{number}.jsonl"
        killed(plain_machine, chance.uniform(0, 1.2) * longest, "export", target)
        if target.exists():
            assert target.read_bytes() == content
        left["complete" if target.exists() else "no file"] += 1
    figures(f"{kills} kills of an export: {left}")
