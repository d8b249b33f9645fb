"""Tidying that is killed is completed by the next run, and two at once do nothing twice."""

from __future__ import annotations

import random
import time
from datetime import UTC, datetime

import pytest

from memory_layer.model.memory import Draft, Project, Writer
from memory_layer.model.vocabulary import Category, Outcome, Reason, Status, WriterKind
from memory_layer.usecases.govern.undo import operations, undo
from memory_layer.usecases.learn.outcome import OutcomeReport, record_outcome
from memory_layer.usecases.remember.add_many import add_many
from memory_layer.usecases.remember.curate import reinforce
from memory_layer.wiring import open_engine
from tests.faults.judgement import damages, everything
from tests.faults.machine import Machine, finished, fresh_machine, next_line, tell

pytestmark = pytest.mark.prove
ADA = Writer(name="ada", kind=WriterKind.PERSON, door="cli", session="before")
ROBOT = Writer(name="robot", kind=WriterKind.AGENT, door="python", session="before")
LONG_AGO = datetime(2020, 1, 1, tzinfo=UTC)
PROJECTS = [
    Project(name, f"git.example/{name}", name, aliases=(f"git.example/{name}",))
    for name in ("pier", "quay", "mole")
]
EACH = 40
LONGEST_LIFE_SECONDS = 0.3


def untidy(machine: Machine) -> None:
    """A store with something to do of every kind."""
    with open_engine(machine.settings, "python") as engine:
        then = engine._replace(now=lambda: LONG_AGO)
        add_many(then, [Draft(content=f"The crane {at} was green") for at in range(EACH)], ROBOT)
        shared = [Draft(content=f"Rope {at} holds the ferry", category=Category.FACT) for at in range(EACH)]
        for project in (None, *PROJECTS[:2]):
            add_many(engine, shared, ROBOT, project)
        for project in PROJECTS:
            add_many(engine, [Draft(content="Signals are flags by day")], ROBOT, project)
        ids = [
            each.id
            for each in add_many(
                engine, [Draft(content=f"Lamp {at} is lit") for at in range(EACH)], ROBOT, PROJECTS[0]
            )
        ]
        for _ in range(3):
            reinforce(engine, ids, ADA)
        for at in range(3):
            evidence = f"step {at} broke because the tide table has no entry for spring"
            record_outcome(engine, [ids[at]], OutcomeReport(Outcome.FAILED, evidence=evidence), ROBOT)


def told(machine: Machine) -> tuple[list[tuple[object, ...]], list[str]]:
    """What every memory is now, but for its id, and what is wrong with the store."""
    with open_engine(machine.settings, "python") as engine:
        memories = [
            (
                each.content,
                each.project or "",
                each.status,
                each.reason,
                each.priority,
                each.reinforcement_count,
            )
            for each in everything(engine._replace(is_read_by_person=lambda: True))
        ]
        return sorted(memories, key=repr), damages(engine, machine.database)


def tidied(machine: Machine, name: str = "robot", if_due: str = "now") -> str:
    answer = finished(machine.start_worker("consolidating", name, if_due), "go\n")
    assert answer.code == 0, answer.err
    return answer.out.splitlines()[-1]


def test_a_killed_run_leaves_a_sound_store_and_the_next_one_completes_it(tmp_path, counted, figures):
    chance = random.Random(9)
    for name in ("calm", "killed"):
        (tmp_path / name).mkdir()
    calm, killed = (fresh_machine(tmp_path / name, tmp_path / "no-model") for name in ("calm", "killed"))
    for machine in (calm, killed):
        untidy(machine)
    before, _ = told(killed)
    tidied(calm)
    kills, reached = counted(4, 60), set()
    for _ in range(kills):
        process = killed.start_worker("consolidating", "robot", "now")
        next_line(process)
        tell(process, "go")
        time.sleep(chance.uniform(0, LONGEST_LIFE_SECONDS))
        process.kill()
        process.communicate()
        memories, problems = told(killed)
        assert problems == []
        reached.add(sum(memory[2] is Status.ARCHIVED for memory in memories))
    tidied(killed)
    assert told(killed) == told(calm)
    assert tidied(killed) == "0"
    with open_engine(killed.settings, "python") as engine:
        for each in operations(engine, 100):
            if any(
                action in ("archive", "merge", "promote", "suggest", "link") for action, _ in each.actions
            ):
                undo(engine, ROBOT, each.id)
    after = [memory for memory in told(killed)[0] if memory[3] is not Reason.UNDONE]
    assert after == before
    figures(
        f"{kills} kills while tidying ({len(reached)} different moments): completed, and all of it undone"
    )


def test_two_runs_at_once_do_nothing_twice(tmp_path):
    for name in ("calm", "busy"):
        (tmp_path / name).mkdir()
    calm, busy = (fresh_machine(tmp_path / name, tmp_path / "no-model") for name in ("calm", "busy"))
    for machine in (calm, busy):
        untidy(machine)
    expected = int(tidied(calm))
    workers = [busy.start_worker("consolidating", name, "now") for name in ("one", "two")]
    for worker in workers:
        assert next_line(worker) == "ready"
    for worker in workers:
        tell(worker, "go")
    answers = [finished(worker) for worker in workers]
    assert [answer.code for answer in answers] == [0, 0]
    assert sum(int(answer.out) for answer in answers) == expected
    assert told(busy) == told(calm)


def test_of_several_that_come_when_it_is_due_one_does_it(plain_machine):
    untidy(plain_machine)
    workers = [plain_machine.start_worker("consolidating", f"hook{at}", "due") for at in range(4)]
    for worker in workers:
        assert next_line(worker) == "ready"
    for worker in workers:
        tell(worker, "go")
    answers = [finished(worker).out.strip() for worker in workers]
    assert sorted(answer == "not due" for answer in answers) == [False, True, True, True]
