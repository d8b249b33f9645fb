"""What was forgotten is in no backup made afterwards, and honestly still in those made before."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from memory_layer.model.changes import Changes
from memory_layer.model.memory import Citation, Draft, Writer
from memory_layer.model.query import Query
from memory_layer.model.vocabulary import LinkKind, OnDuplicate, Outcome
from memory_layer.ports import Engine
from memory_layer.store.index.codes import encode
from memory_layer.store.index.postings import hashes
from memory_layer.store.index.sync import SAVED_FROM
from memory_layer.store.sqlite.files.private import index_of
from memory_layer.text import words
from memory_layer.usecases.learn.outcome import OutcomeReport, record_outcome
from memory_layer.usecases.recall.search import search
from memory_layer.usecases.remember.add import add
from memory_layer.usecases.remember.edit import edit
from memory_layer.usecases.remember.forget import forget
from memory_layer.usecases.remember.links import link
from memory_layer.usecases.upkeep.doctor import treat
from memory_layer.wiring import open_engine, practice
from tests.faults.machine import Machine
from tests.faults.texts import fact
from tests.passages import passages_of

pytestmark = pytest.mark.prove

#: A word for each place in which a memory says something.
PLACES = {
    "content": "Zanzibarquokka",
    "old content": "Yellowstoneibex",
    "tag": "Xylophonemarmot",
    "metadata": "Wolverhamptonlynx",
    "excerpt": "Ulaanbaatarfox",
    "path": "Timbuktubadger",
    "scope": "Samarkandstoat",
    "evidence": "Patagoniapuma",
}


def told(engine: Engine, writer: Writer) -> str:
    """A memory among others that says something in every place, and was changed, found, judged and linked."""
    drafts = [
        Draft(content=fact("other", number), on_duplicate=OnDuplicate.KEEP) for number in range(SAVED_FROM)
    ]
    others = [add(engine, draft, writer).id for draft in drafts]
    draft = Draft(
        content=f"The {PLACES['old content']} pays in cash",
        tags=(PLACES["tag"],),
        metadata={"seen": PLACES["metadata"]},
        scope=(f"{PLACES['scope']}/**",),
        citations=(Citation(path=f"{PLACES['path']}.md", excerpt=PLACES["excerpt"]),),
    )
    memory_id = add(engine, draft, writer).id
    edit(engine, memory_id, Changes(content=f"The {PLACES['content']} pays in cash"), writer)
    search(engine, Query(text="who pays in cash"), writer)
    record_outcome(engine, [memory_id], OutcomeReport(Outcome.WORKED, evidence=PLACES["evidence"]), writer)
    link(engine, memory_id, LinkKind.RELATES_TO, others[0], writer)
    return memory_id


def vector_of(engine: Engine, memory_id: str) -> bytes:
    """Enough of the vector of a memory to know it by."""
    embedder = engine.embedder()
    assert embedder is not None
    vectors = passages_of(engine.store, memory_id, embedder.fingerprint)
    assert vectors is not None
    numbers: bytes = vectors[0].astype("<f2").tobytes()
    return numbers[:64]


def index_traces(engine: Engine, memory_id: str) -> list[bytes]:
    """What the index knows a memory by: hashes of its words, and its vector in bytes."""
    embedder = engine.embedder()
    assert embedder is not None
    vectors = passages_of(engine.store, memory_id, embedder.fingerprint)
    assert vectors is not None
    _, numbers, _ = encode(vectors)
    terms = words.terms(f"{PLACES['content']} {PLACES['tag']}")
    return [*(each.tobytes() for each in hashes(terms)), numbers[0].tobytes()]


def files_with(folder: Path, *traces: bytes) -> dict[Path, int]:
    """How many of the traces each file below a folder holds, where it holds any."""
    stored = {path: path.read_bytes().lower() for path in folder.rglob("*") if path.is_file()}
    found = {path: sum(trace.lower() in held for trace in traces) for path, held in stored.items()}
    return {path: count for path, count in found.items() if count}


def test_a_backup_made_after_forgetting_holds_no_byte_of_it(machine: Machine, witness: Writer) -> None:
    machine.home.mkdir(mode=0o700, parents=True, exist_ok=True)
    with open_engine(machine.settings, "python") as engine:
        memory_id = told(engine, witness)
        traces = [word.encode() for word in PLACES.values()] + [vector_of(engine, memory_id)]
        before = files_with(machine.home, *traces)
        assert forget(engine, [memory_id], witness).swept
        saved = Path(machine.mem("backup", "--json").data["file"])  # while others have the store open
        while_open = files_with(machine.home, *traces)

    assert max(before.values()) == len(traces)
    assert saved.is_relative_to(machine.home)
    assert while_open == {}
    with closing(sqlite3.connect(machine.database, isolation_level=None)) as db:
        db.execute("update memory_terms set body = 'nonsense' where row = 3")
    assert treat(practice(machine.settings, "cli")).copy  # and neither does the copy that a repair keeps
    assert files_with(machine.home, *traces) == {}


def test_no_file_of_the_index_holds_a_byte_of_it_although_others_have_it_open(
    machine: Machine, witness: Writer
) -> None:
    with open_engine(machine.settings, "python") as engine:
        memory_id = told(engine, witness)
        folder = index_of(machine.database)
        shutil.rmtree(folder)
        with open_engine(machine.settings, "python") as maker:  # writes all of it into files
            search(maker, Query(text="who pays in cash", peek=True), witness)
        traces = [PLACES["tag"].encode(), PLACES["scope"].encode(), *index_traces(engine, memory_id)]
        held = files_with(folder, *traces)
        with open_engine(machine.settings, "python") as other, other.store.reading():
            search(other, Query(text="who pays in cash", peek=True), witness)  # at a moment before
            forget(engine, [memory_id], witness)
            assert files_with(folder, *traces) == {}
            search(other, Query(text="who pays in cash", peek=True), witness)
        found = search(engine, Query(text="who pays in cash", peek=True), witness)

    assert sum(held.values()) >= len(traces)
    assert memory_id not in [hit.memory.id for hit in found.hits]
    assert list(folder.glob("*.segment"))
    assert files_with(folder, *traces) == {}


def test_a_backup_made_before_still_holds_it_and_is_listed_with_its_date(
    plain_machine: Machine, witness: Writer
) -> None:
    with open_engine(plain_machine.settings, "python") as engine:
        memory_id = told(engine, witness)
        old = Path(plain_machine.mem("backup", "--json").data["file"])
        forget(engine, [memory_id], witness)
    new = Path(plain_machine.mem("backup", "--json").data["file"])
    listed = plain_machine.mem("backup", "--list", "--json").data["items"]
    words = [word.encode() for word in PLACES.values()]

    assert files_with(plain_machine.home, *words) == {old: len(words)}
    assert [Path(each["file"]) for each in listed] == [old, new]
    assert listed[0]["contents"]["last_at"] < listed[1]["contents"]["last_at"]
