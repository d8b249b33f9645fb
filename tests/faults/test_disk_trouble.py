"""A disk that is full, read-only or held by another: one clear sentence, and nothing acknowledged is lost."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import timedelta
from pathlib import Path

import pytest

from memory_layer.model.memory import Draft
from memory_layer.model.vocabulary import Reason, Status
from memory_layer.ports.store import New
from memory_layer.text.compare import duplicates
from memory_layer.usecases.govern import ledger
from memory_layer.usecases.remember.add import add
from memory_layer.usecases.remember.new_memory import terms_of
from memory_layer.usecases.who.lookup import read_memory
from memory_layer.wiring import open_engine
from tests.faults.judgement import damages, everything, unfinished
from tests.faults.machine import WORKERS, Answer, Machine
from tests.faults.texts import fact

UNAVAILABLE = 5
#: Hides a folder behind a read-only view of itself, which binds root too.
READ_ONLY_VIEW = 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$@"'
SHADOW = 32 * 1024  #: bytes of the file through which SQLite's readers meet


@contextmanager
def read_only(folder: Path) -> Iterator[list[str]]:
    """Make a folder read-only; yields what has to stand before a command that should see it so."""
    if os.geteuid() == 0:
        yield _view(folder)
        return
    everything_in = [folder, *folder.rglob("*")]
    modes = {path: path.stat().st_mode for path in everything_in}
    for path in everything_in:
        path.chmod(0o500 if path.is_dir() else 0o400)
    yield []
    for path, mode in modes.items():
        path.chmod(mode)


def _view(folder: Path) -> list[str]:
    view = ["unshare", "--mount", "sh", "-c", READ_ONLY_VIEW, str(folder)]
    possible = shutil.which("unshare") and _succeeds([*view, "true"])
    if not possible:
        pytest.skip("root can write everywhere here, and there is no way to hide a folder from it")
    return view


def _succeeds(command: Sequence[str]) -> bool:
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


@contextmanager
def held(machine: Machine) -> Iterator[None]:
    """Keep everybody else from writing."""
    with closing(sqlite3.connect(machine.database, isolation_level=None)) as db:
        db.execute("begin immediate")
        yield
        db.execute("rollback")


def full_disk(size: int) -> list[str]:
    """What has to stand before a command so that no file can grow beyond this size."""
    return [sys.executable, str(WORKERS / "small_disk.py"), str(size)]


def stored(machine: Machine, writer, count: int = 3) -> list[str]:
    """Put a few facts into the store; their ids."""
    with open_engine(machine.settings, "python") as engine:
        return [add(engine, Draft(content=fact("kept", number)), writer).id for number in range(count)]


def check_refusal(answer: Answer) -> None:
    """One sentence on stderr, nothing on stdout, and the exit code that says it."""
    assert answer.code == UNAVAILABLE, answer
    assert answer.out == ""
    assert len(answer.err.strip().splitlines()) == 1, answer.err
    assert "Traceback" not in answer.err


def check_refusals(machine: Machine, before: Sequence[str] = ()) -> None:
    """A write is refused to people in a sentence and to programs by a code."""
    check_refusal(machine.mem("add", "Nobody will ever read this", before=before))
    answer = machine.mem("add", "Nobody will ever read this", "--json", before=before)
    check_refusal(answer)
    assert json.loads(answer.err)["error"]["code"].startswith("store_")


def check_answers_without_recall(machine: Machine, before: Sequence[str] = ()) -> None:
    """A search still answers, and says that it could not be recorded."""
    found = machine.mem("search", fact("kept", 1), "--json", before=before).data
    assert fact("kept", 1) in [hit["content"] for hit in found["hits"]]
    assert found["recall"] is None


def check_sound(machine: Machine, ids: Sequence[str], writer) -> None:
    """The store opens, holds what was acknowledged, and takes more."""
    with open_engine(machine.settings, "python") as engine:
        kept = {memory.id for memory in everything(engine)}
        more = add(engine, Draft(content=fact("afterwards", 1)), writer)
        problems = damages(engine, machine.database)
        left = unfinished(engine)

    assert set(ids) <= kept
    assert more.status == "created"
    assert problems == []
    assert left == []


def test_a_read_only_store_refuses_writes_and_answers_searches(plain_machine, witness):
    ids = stored(plain_machine, witness)
    with read_only(plain_machine.home) as before:
        check_refusals(plain_machine, before)
        check_answers_without_recall(plain_machine, before)

    check_sound(plain_machine, ids, witness)


def test_a_read_only_store_that_another_process_has_open_answers_too(plain_machine, witness):
    ids = stored(plain_machine, witness)
    with open_engine(plain_machine.settings, "python"), read_only(plain_machine.home) as before:
        check_refusals(plain_machine, before)
        check_answers_without_recall(plain_machine, before)

    check_sound(plain_machine, ids, witness)


@pytest.mark.parametrize("fix", [(), ("--fix",)])
def test_the_doctor_examines_a_read_only_store(plain_machine, witness, fix):
    ids = stored(plain_machine, witness)
    plain_machine.home.chmod(0o700)
    with read_only(plain_machine.home) as before:
        alone = plain_machine.mem("doctor", *fix, "--json", before=before)
    with open_engine(plain_machine.settings, "python"), read_only(plain_machine.home) as before:
        in_use = plain_machine.mem("doctor", *fix, "--json", before=before)

    for answer in (alone, in_use):
        assert answer.code == 0, answer.err
        states = {check["name"]: check["state"] for check in answer.data["checks"]}
        assert states.pop("full_text") == "not_checked"  # SQLite looks through it only where it may write
        assert set(states.values()) <= {"ok", "notice"}
    check_sound(plain_machine, ids, witness)


def leave_half_written(machine: Machine, writer) -> str:
    """What a writer leaves that died after its first step, with a lease that has run out."""
    with open_engine(machine.settings, "python") as engine:
        known = read_memory(engine.store, add(engine, Draft(content=fact("before", 1)), writer).id)
        text = fact("interrupted", 1)
        left = known._replace(
            id=engine.new_id("mem"),
            content=text,
            content_hash=duplicates.content_hash(None, text),
            status=Status.STAGED,
            reason=Reason.WRITING,
        )
        with engine.store.writing():
            ledger.stage(engine.store, New(left, terms_of(left), 1), engine.now() - timedelta(seconds=1))
    return left.id


def test_what_a_dead_writer_left_in_a_store_that_cannot_be_written_hinders_no_search(plain_machine, witness):
    ids = stored(plain_machine, witness)
    ids.append(leave_half_written(plain_machine, witness))
    hasty = plain_machine.told(MEM_BUSY_TIMEOUT="0.2")
    with held(plain_machine):
        check_answers_without_recall(hasty)
    with read_only(plain_machine.home) as before:
        check_answers_without_recall(plain_machine, before)

    check_sound(plain_machine, ids, witness)


def test_a_store_cannot_be_made_in_a_read_only_folder(plain_machine, witness):
    with read_only(plain_machine.home) as before:
        check_refusals(plain_machine, before)

    check_sound(plain_machine, [], witness)


def test_a_store_cannot_be_made_where_something_else_lies(plain_machine):
    plain_machine.database.mkdir()
    beside = plain_machine.told(MEM_DB=str(plain_machine.work / "notes.txt" / "memory.db"))
    (plain_machine.work / "notes.txt").write_text("not a folder")

    check_refusals(plain_machine)
    check_refusals(beside)


def test_a_foreign_file_is_refused_and_left_as_it_is(plain_machine):
    content = b"this was somebody's shopping list\n" * 400
    plain_machine.database.write_bytes(content)

    check_refusals(plain_machine)
    check_refusal(plain_machine.mem("search", "shopping"))
    assert plain_machine.database.read_bytes() == content


def test_a_full_disk_refuses_what_does_not_fit_and_keeps_the_rest(plain_machine, witness):
    machine = plain_machine.told(MEM_LEASE="1")
    ids = stored(machine, witness)
    before = full_disk(machine.database.stat().st_size + 8 * 1024)
    answers: list[Answer] = []
    while not answers or answers[-1].code == 0:
        text = fact("filling", len(answers)) + " and " + "so on " * 400
        answers.append(machine.mem("add", text, "--json", before=before))
    acknowledged = [answer.data["id"] for answer in answers[:-1]]
    time.sleep(1)  # until the lease of what was half written has run out

    check_refusal(answers[-1])
    check_sound(machine, [*ids, *acknowledged], witness)


def test_a_store_that_a_full_disk_kept_from_being_made_is_made_later(plain_machine, witness):
    for size in (0, 4 * 1024, SHADOW, 2 * SHADOW):
        check_refusals(plain_machine, full_disk(size))

    check_sound(plain_machine, [], witness)


def test_a_full_disk_still_answers_searches(plain_machine, witness):
    ids = stored(plain_machine, witness)
    with open_engine(plain_machine.settings, "python") as engine:
        for number in range(20):  # a log longer than the disk allows, kept alive by this process
            ids.append(add(engine, Draft(content=fact("long", number) + " and so on" * 100), witness).id)
        check_refusals(plain_machine, full_disk(SHADOW))
        check_answers_without_recall(plain_machine, full_disk(SHADOW))

    check_sound(plain_machine, ids, witness)


def test_a_store_that_another_process_holds_is_busy_but_answers(plain_machine, witness):
    ids = stored(plain_machine, witness)
    hasty = plain_machine.told(MEM_BUSY_TIMEOUT="0.2")
    with held(plain_machine):
        check_refusals(hasty)
        check_answers_without_recall(hasty)

    check_sound(plain_machine, ids, witness)
