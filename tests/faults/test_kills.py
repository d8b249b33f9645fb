"""Writers are killed without warning: what was acknowledged stays, and what was half done is finished."""

from __future__ import annotations

import os
import random
import subprocess
import time
from dataclasses import astuple, dataclass

import pytest

from memory_layer.model.memory import Draft, Memory
from memory_layer.model.query import Mode
from memory_layer.model.vocabulary import Status
from memory_layer.ports import Engine
from memory_layer.ports.log import OutcomeFilter
from memory_layer.usecases.govern import chain
from memory_layer.usecases.remember.add import add
from memory_layer.wiring import open_engine
from tests.faults.journal import Ledger, breaches
from tests.faults.judgement import damages, everything, not_found, unfinished
from tests.faults.machine import Machine, fresh_machine, next_line

pytestmark = pytest.mark.prove
LEASE_SECONDS = 1
LONGEST_LIFE_SECONDS = 0.6
KILLS_A_STORE = 50
#: Killed writers live in pairs, so that each dies beside one that goes on.
PAIR = 2


def killed_after(process: subprocess.Popen[str], seconds: float) -> list[str]:
    """Let a process live that long, kill it, and return the lines it still said."""
    time.sleep(seconds)
    process.kill()
    out, err = process.communicate()
    assert err == ""
    return out.splitlines()


def killed_pair(machine: Machine, first: int, chance: random.Random) -> list[list[str]]:
    """Two writers at once, each killed at a moment of its own; what they said."""
    pair = [machine.start_worker("restless", f"life{first + i}", str(first + i)) for i in range(PAIR)]
    for process in pair:
        next_line(process)
    lives = sorted(chance.uniform(0, LONGEST_LIFE_SECONDS) for _ in pair)
    waits = [lives[0], lives[1] - lives[0]]
    return [killed_after(process, wait) for process, wait in zip(pair, waits, strict=True)]


def killed_writers(machine: Machine, kills: int, seed: int) -> Ledger:
    """Everything that writers were promised before they were killed."""
    ledger, chance = Ledger(), random.Random(seed)
    for first in range(0, kills, PAIR):
        for lines in killed_pair(machine, first, chance):
            ledger.read(lines)
    return ledger


def broken_promises(engine: Engine, ledger: Ledger) -> list[str]:
    """What was acknowledged and is not, or not so, in the store."""
    stored = {memory.id: memory for memory in everything(engine)}
    found = [f"{memory_id} is lost" for memory_id in ledger.owed if memory_id not in stored]
    for memory_id in ledger.owed.keys() & stored.keys():
        found += breaches(
            ledger, stored[memory_id], len(engine.store.log.outcomes(OutcomeFilter(memories=[memory_id])))
        )
    return found


def recovered(engine: Engine) -> int:
    return sum(change.action == "recover" for change in chain.changes(engine.store))


@dataclass(frozen=True)
class Tally:
    """What a series of kills left, after everything about it was found in order."""

    kills: int = 0
    acknowledged: int = 0
    memories: int = 0
    finished: int = 0
    active: int = 0

    def __add__(self, other: Tally) -> Tally:
        return Tally(*(one + more for one, more in zip(astuple(self), astuple(other), strict=True)))

    def __str__(self) -> str:
        return (
            f"{self.kills} kills in the middle of writing: {self.acknowledged} acknowledged changes to"
            f" {self.memories} memories, 0 lost; {self.finished} half-written memories finished;"
            f" {self.active} active ones found by their words; files, full text and audit chains sound"
        )


def check_kills(machine: Machine, kills: int, seed: int, modes: list[Mode], witness) -> Tally:
    """Kill writers on one store, and hold it to everything that was acknowledged."""
    impatient = machine.told(MEM_LEASE=str(LEASE_SECONDS))
    ledger = killed_writers(impatient, kills, seed)
    time.sleep(LEASE_SECONDS)
    with open_engine(impatient.settings, "python") as engine:
        active = [memory for memory in everything(engine) if memory.status is Status.ACTIVE]
        promises, left = broken_promises(engine, ledger), unfinished(engine)
        missed = {mode.value: not_found(engine, active, mode, witness) for mode in modes}
        problems, finished = damages(engine, impatient.database), recovered(engine)

    assert promises == []
    assert left == []
    assert missed == {mode.value: [] for mode in modes}
    assert problems == []
    return Tally(kills, ledger.acknowledged, len(ledger.owed), finished, len(active))


def test_killed_writers_lose_nothing_acknowledged(machine, witness, counted, figures):
    tally = check_kills(machine, counted(6, KILLS_A_STORE), 1, [Mode.KEYWORD, Mode.HYBRID], witness)

    figures(f"with the model: {tally}")


def test_killed_writers_without_a_model_lose_nothing_either(tmp_path, witness, counted, figures):
    kills = int(os.environ.get("MEM_KILLS") or counted(6, KILLS_A_STORE))
    tally = Tally()
    for first in range(0, kills, KILLS_A_STORE):
        folder = tmp_path / str(first)
        folder.mkdir()
        machine = fresh_machine(folder, tmp_path / "no-model")
        tally += check_kills(machine, min(KILLS_A_STORE, kills - first), first, [Mode.KEYWORD], witness)

    figures(f"without the model: {tally}")


def test_a_leftover_waits_for_its_lease(machine):
    patient = machine.told(MEM_LEASE="3600")
    chance = random.Random(11)
    left: list[Memory] = []
    finished = 0
    while not left:
        killed_pair(patient, chance.randrange(10**6), chance)
        with open_engine(patient.settings, "python") as engine:
            left, finished = unfinished(engine), recovered(engine)

    assert finished == 0
    assert all(memory.status is Status.STAGED for memory in left)


def stillborn(machine: Machine, seconds: float) -> str:
    """Kill a process while it creates the store; what it left of the file."""
    process = machine.start_worker("newborn")
    assert next_line(process) == "ready"
    said = killed_after(process, seconds)
    if not machine.database.exists():
        return "no file"
    return "complete" if said else "unfinished" if machine.database.stat().st_size else "empty"


def birth_seconds(machine: Machine) -> float:
    """How long it takes to create a store on this machine today."""
    process = machine.start_worker("newborn")
    next_line(process)
    begun = time.monotonic()
    next_line(process)
    taken = time.monotonic() - begun
    process.kill()
    process.communicate()
    return taken


def test_a_store_whose_creation_was_killed_opens_the_next_time(tmp_path, witness, counted, figures):
    chance, left = random.Random(7), dict.fromkeys(("no file", "empty", "unfinished", "complete"), 0)
    (tmp_path / "first").mkdir()
    longest = 1.2 * birth_seconds(fresh_machine(tmp_path / "first", tmp_path / "no-model"))
    problems = []
    for number in range(counted(12, 200)):
        folder = tmp_path / str(number)
        folder.mkdir()
        machine = fresh_machine(folder, tmp_path / "no-model")
        left[stillborn(machine, chance.uniform(0, longest))] += 1
        with open_engine(machine.settings, "python") as engine:
            added = add(engine, Draft(content="the first fact"), witness)
            problems += damages(engine, machine.database)
            assert added.status == "created"

    assert problems == []
    figures(
        f"{sum(left.values())} kills while a store was created: all opened afterwards"
        f" (left behind: {', '.join(f'{count} {what}' for what, count in left.items())})"
    )
