"""Backups, restores and repairs that are killed, crowded or without room: the store is always a whole one."""

from __future__ import annotations

import random
import sqlite3
import sys
import time
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from memory_layer.model.memory import Draft
from memory_layer.usecases.remember.add import add
from memory_layer.usecases.upkeep.backup import backup, restore
from memory_layer.usecases.upkeep.doctor import examine, treat
from memory_layer.wiring import open_engine, open_vault, practice
from tests.faults.judgement import damages, everything
from tests.faults.machine import WORKERS, Machine, finished, next_line, tell
from tests.faults.texts import fact

pytestmark = pytest.mark.prove
MONDAY, TUESDAY = 40, 60


def now() -> datetime:
    return datetime.now(UTC)


def remembered(machine: Machine, writer, what: str, count: int) -> set[str]:
    with open_engine(machine.settings, "python") as engine:
        return {add(engine, Draft(content=fact(what, number)), writer).id for number in range(count)}


def held(machine: Machine) -> set[str]:
    """The ids in a store that is sound in every other way."""
    with open_engine(machine.settings, "python") as engine:
        assert damages(engine, machine.database) == []
        return {memory.id for memory in everything(engine)}


def two_backups(machine: Machine, writer) -> dict[Path, set[str]]:
    """A backup of Monday's memories and one of Tuesday's, which are more."""
    vault = open_vault(machine.settings)
    monday = remembered(machine, writer, "monday", MONDAY)
    first = backup(vault, None, now()).file
    tuesday = monday | remembered(machine, writer, "tuesday", TUESDAY)
    return {first: monday, backup(vault, None, now()).file: tuesday}


def tidy(machine: Machine) -> None:
    """Take away the copies that every restore keeps, so that a long series does not fill the disk."""
    for pattern in ("before-*", ".*.part*"):
        for file in (machine.home / "backups").glob(pattern):
            file.unlink()


def killed_worker(machine: Machine, seconds: float, *arguments: str) -> int:
    """Kill a worker at some moment of its work; how often it said that it was done."""
    process = machine.start_worker("restoring", *arguments)
    assert next_line(process) == "ready"
    tell(process, "go")
    time.sleep(seconds)
    process.kill()
    out, err = process.communicate()
    assert err == ""
    return out.count("done")


def seconds_of(machine: Machine, *arguments: str) -> float:
    """How long the work takes on this machine today."""
    process = machine.start_worker("restoring", *arguments)
    next_line(process)
    begun = time.monotonic()
    tell(process, "go")
    next_line(process)
    taken = time.monotonic() - begun
    process.kill()
    process.communicate()
    return taken


def test_a_restore_killed_at_any_moment_leaves_one_whole_store(plain_machine, witness, counted, figures):
    saved = two_backups(plain_machine, witness)
    chance, seen, kills, done = random.Random(5), set(), counted(5, 300), 0
    longest = 2.5 * seconds_of(plain_machine, "restore", *map(str, saved))
    for _ in range(kills):
        done += killed_worker(plain_machine, chance.uniform(0, longest), "restore", *map(str, saved))
        ids = held(plain_machine)
        assert ids in saved.values()
        seen.add(len(ids))
        tidy(plain_machine)

    assert seen <= {MONDAY, MONDAY + TUESDAY}
    figures(f"{kills} kills in {done} restores and their halves: always one whole store, never a mixture")


def test_a_restore_of_a_damaged_store_killed_at_any_moment_can_be_done_again(
    plain_machine, witness, counted, figures
):
    saved = two_backups(plain_machine, witness)
    first, ids = next(iter(saved.items()))
    chance, kills, outcomes = random.Random(6), counted(4, 200), {"damaged": 0, "restored": 0}
    longest = 1.2 * seconds_of(plain_machine, "restore", str(first))
    for _ in range(kills):
        plain_machine.database.write_bytes(b"what once was a store" * 1000)
        Path(f"{plain_machine.database}-wal").write_bytes(b"and its log")
        killed_worker(plain_machine, chance.uniform(0, longest), "restore", str(first))
        if examine(practice(plain_machine.settings, "cli")).opens:
            outcomes["restored"] += 1
        else:
            outcomes["damaged"] += 1
            assert plain_machine.database.read_bytes() == b"what once was a store" * 1000
            restore(open_vault(plain_machine.settings), first, witness, now())
        assert held(plain_machine) == ids
        for file in plain_machine.home.glob("memory.db.damaged-*"):
            file.unlink()
        tidy(plain_machine)

    figures(f"{kills} kills while a damaged store was replaced: {outcomes}; restorable every time")


def test_a_repair_killed_at_any_moment_harms_nothing(plain_machine, witness, counted, figures):
    ids = remembered(plain_machine, witness, "repair", 30)
    chance, kills, done = random.Random(7), counted(4, 200), 0
    longest = 1.5 * seconds_of(plain_machine, "treat")
    for _ in range(kills):
        done += killed_worker(plain_machine, chance.uniform(0, longest), "treat")
        assert held(plain_machine) == ids
        tidy(plain_machine)
    treat(practice(plain_machine.settings, "cli"))

    assert examine(practice(plain_machine.settings, "cli")).problems == 0
    assert held(plain_machine) == ids
    figures(f"{kills} kills in {done} repairs and their halves: no memory lost, the next repair finished")


def test_a_backup_killed_at_any_moment_leaves_no_half_file_under_a_good_name(plain_machine, witness, counted):
    ids = remembered(plain_machine, witness, "saved", 20)
    chance, begun = random.Random(8), time.monotonic()
    plain_machine.mem("backup")
    longest = time.monotonic() - begun
    for _ in range(counted(4, 100)):
        process = plain_machine.start_mem("backup", "--json")
        time.sleep(chance.uniform(0, longest))
        process.kill()
        process.communicate()
    vault = open_vault(plain_machine.settings)
    for file in (plain_machine.home / "backups").glob("*.db"):
        assert vault.contents(file).flaws == ()
        assert vault.contents(file).memories == len(ids)


def test_others_read_and_write_while_the_store_is_replaced(plain_machine, witness, counted, figures):
    saved = two_backups(plain_machine, witness)
    vault = open_vault(plain_machine.settings)
    writer = plain_machine.start_worker("restoring", "write", "300")
    assert next_line(writer) == "ready"
    tell(writer, "go")
    kept: list[Path] = []
    while writer.poll() is None and len(kept) < counted(20, 200):
        for file in saved:
            kept += filter(None, [restore(vault, file, witness, now()).kept])
    answer = finished(writer)
    told = [line for line in answer.out.splitlines() if line != "refused"]
    everywhere = held(plain_machine)
    for copy in kept:
        with closing(sqlite3.connect(copy)) as db:
            everywhere |= {row[0] for row in db.execute("select id from memory")}

    assert (answer.code, answer.err) == (0, "")
    assert told
    assert [each for each in told if each not in everywhere] == []
    figures(f"{len(kept)} restores beside a busy writer: {len(told)} acknowledged memories, 0 lost")


def full_disk(size: int) -> list[str]:
    return [sys.executable, str(WORKERS / "small_disk.py"), str(size)]


def test_a_full_disk_refuses_a_backup_in_one_sentence_and_leaves_nothing(plain_machine, witness):
    ids = remembered(plain_machine, witness, "stored", 30)
    for size in (0, 16 * 1024, 64 * 1024):
        answer = plain_machine.mem("backup", before=full_disk(size))

        assert (answer.code, answer.out) == (5, "")
        assert len(answer.err.splitlines()) == 1
    backups = plain_machine.home / "backups"
    assert not backups.exists() or list(backups.iterdir()) == []
    assert held(plain_machine) == ids


def test_a_full_disk_refuses_a_restore_and_changes_nothing(plain_machine, witness):
    saved = two_backups(plain_machine, witness)
    size = plain_machine.database.stat().st_size
    before = held(plain_machine)
    for most in (0, size // 2, size - 1):
        process = plain_machine.start(
            *full_disk(most), sys.executable, WORKERS / "restoring.py", "restore", *saved, reads=True
        )
        answer = finished(process, "go\n")

        assert "could not be written" in answer.err
        assert "done" not in answer.out
        assert held(plain_machine) == before
    assert sorted((plain_machine.home / "backups").iterdir()) == sorted(saved)


def test_a_full_disk_refuses_a_repair_and_changes_nothing(plain_machine, witness):
    ids = remembered(plain_machine, witness, "stored", 30)
    with closing(sqlite3.connect(plain_machine.database, isolation_level=None)) as db:
        db.execute("update memory_terms set body = 'nonsense' where row = 3")
    answer = plain_machine.mem("doctor", "--fix", before=full_disk(64 * 1024))

    assert answer.code in (1, 5)
    assert "Traceback" not in answer.err
    assert held(plain_machine) == ids
    assert treat(practice(plain_machine.settings, "cli")).problems == 0


def test_a_file_that_cannot_be_opened_is_not_exchanged_under_a_process_that_still_has_it(
    plain_machine, witness
):
    ids = remembered(plain_machine, witness, "held", 10)
    holder = plain_machine.start_worker("restoring", "hold")
    next_line(holder)
    with plain_machine.database.open("r+b") as file:
        file.write(b"\xa5" * 100)
    before = plain_machine.database.read_bytes()
    refused = treat(practice(plain_machine.settings, "cli"))
    after = plain_machine.database.read_bytes()
    holder.kill()
    holder.communicate()

    assert not refused.opens
    assert "another process" in (refused.note or "")
    assert after == before
    assert treat(practice(plain_machine.settings, "cli")).opens
    assert held(plain_machine) == ids


def test_an_examination_beside_busy_writers_raises_no_false_alarm(machine, counted):
    machine.home.chmod(0o700)
    writers = [machine.start_worker("restless", f"life{number}", str(number)) for number in range(2)]
    for process in writers:
        next_line(process)
    office = practice(machine.settings, "cli")
    looks = [examine(office) for _ in range(counted(4, 40))]
    for process in writers:
        process.kill()
        process.communicate()

    assert [check for look in looks for check in look.checks if check.is_wrong] == []
    treat(office)
    assert [check for check in examine(office).checks if check.is_wrong and check.name != "leftovers"] == []
