"""Hooks in trouble: killed, without a disk, a model or a store; the agent is never disturbed, and the store is whole.

Every test runs a few events of a few agents as processes of their own; the full counts run all of them.
"""

from __future__ import annotations

import json
import random
import sqlite3
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from itertools import islice

import pytest

from memory_layer.model.memory import Draft
from memory_layer.model.vocabulary import Category
from memory_layer.usecases.remember.add import add
from memory_layer.wiring import open_engine
from tests.doors.hook_events import ARGUMENTS, EVENTS, PROMPT
from tests.faults.judgement import damages, everything, unfinished
from tests.faults.machine import Answer, Machine, finished
from tests.faults.test_disk_trouble import full_disk, read_only

EVERY = [(agent, name) for agent, events in EVENTS.items() for name in events]
BARE = ("opencode", "kilo")  #: agents that take plain text
KNOWN = (
    "Deploy the site with make site-up, never with make deploy",
    "E_LOCKED means that another deploy holds the state file; wait for it",
)
SAID = "We always use tabs, never spaces."
LONGEST_LIFE_SECONDS = 0.5


@pytest.fixture
def some_events(counted: Callable[[int, int], int]) -> list[tuple[str, str]]:
    """A few events of different agents and kinds, the same in every run; or all of them."""
    mixed = random.Random(1).sample(EVERY, len(EVERY))
    return mixed[: counted(6, len(EVERY))]


def knowing(machine: Machine, witness) -> list[str]:
    with open_engine(machine.settings, "python") as engine:
        return [add(engine, Draft(content=text, category=Category.PITFALL), witness).id for text in KNOWN]


def started(machine: Machine, agent: str, name: str, before: Sequence[str] = ()):
    """A hook and the event that it should read."""
    payload = {**EVENTS[agent][name], "cwd": str(machine.work)}
    if name == PROMPT:
        payload["prompt"] = SAID
    command = [*before, sys.executable, "-m", "memory_layer", "hook", agent, ARGUMENTS[name]]
    return machine.start(*command, reads=True), json.dumps(payload)


def answered(machine: Machine, event: tuple[str, str], before: Sequence[str] = ()) -> Answer:
    process, payload = started(machine, *event, before=before)
    return finished(process, payload)


def check_undisturbed(answers: dict[tuple[str, str], Answer]) -> None:
    """Every hook ends well and prints a valid answer or nothing."""
    for (agent, _), answer in answers.items():
        assert (answer.code, answer.err) == (0, "")
        assert not answer.out or agent in BARE or json.loads(answer.out)


def check_whole(machine: Machine, ids: Sequence[str]) -> None:
    with open_engine(machine.settings, "python") as engine:
        assert set(ids) <= {memory.id for memory in everything(engine)}
        assert damages(engine, machine.database) == []
        assert unfinished(engine) == []


def test_a_full_disk(plain_machine, witness, some_events, figures):
    ids = knowing(plain_machine, witness)
    size = plain_machine.database.stat().st_size
    answers = {event: answered(plain_machine, event, before=full_disk(size)) for event in some_events}
    nothing = {event: answered(plain_machine, event, before=full_disk(0)) for event in some_events[:3]}

    check_undisturbed(answers)
    check_undisturbed(nothing)
    check_whole(plain_machine, ids)
    figures(f"{len(answers) + len(nothing)} hooks on a full disk: all ended with 0, the store is whole")


def test_a_disk_that_may_only_be_read(plain_machine, witness, some_events, figures):
    ids = knowing(plain_machine, witness)
    with read_only(plain_machine.home) as before:
        answers = {event: answered(plain_machine, event, before=before) for event in some_events}

    check_undisturbed(answers)
    check_whole(plain_machine, ids)
    figures(f"{len(answers)} hooks on a read-only disk: all ended with 0, the store is whole")


def test_a_store_of_a_newer_version(plain_machine, witness, some_events, figures):
    knowing(plain_machine, witness)
    with closing(sqlite3.connect(plain_machine.database, isolation_level=None)) as db:
        db.execute("pragma user_version = 9999")
        db.execute("pragma wal_checkpoint(truncate)")
    before = plain_machine.database.read_bytes()
    answers = {event: answered(plain_machine, event) for event in some_events}

    check_undisturbed(answers)
    assert {answer.out for answer in answers.values()} == {""}
    assert plain_machine.database.read_bytes() == before
    figures(f"{len(answers)} hooks on a newer store: all ended with 0, no byte of it changed")


def test_a_store_that_somebody_else_locks(plain_machine, witness, some_events, figures):
    ids = knowing(plain_machine, witness)
    with closing(sqlite3.connect(plain_machine.database, isolation_level=None)) as db:
        db.execute("begin exclusive")
        answers = {event: answered(plain_machine, event) for event in some_events}
        db.execute("rollback")

    check_undisturbed(answers)
    check_whole(plain_machine, ids)
    figures(f"{len(answers)} hooks on a locked store: all ended with 0, the store is whole")


def test_a_model_that_is_damaged(plain_machine, witness, some_events, figures):
    ids = knowing(plain_machine, witness)
    model = plain_machine.settings.model_folder
    model.mkdir(parents=True)
    for name in ("model.safetensors", "config.json", "tokenizer.json"):
        (model / name).write_bytes(b"no model")
    answers = {event: answered(plain_machine, event) for event in some_events}

    check_undisturbed(answers)
    check_whole(plain_machine, ids)
    figures(f"{len(answers)} hooks with a damaged model: all ended with 0, the store is whole")


def test_hooks_that_are_killed(plain_machine, witness, counted, figures):
    machine = plain_machine.told(MEM_LEASE="1")
    ids = knowing(machine, witness)
    chance, kills = random.Random(7), counted(10, 300)
    events = islice(iter(lambda: chance.choice(EVERY), None), kills)
    for agent, name in events:
        process, payload = started(machine, agent, name)
        assert process.stdin is not None
        process.stdin.write(payload)
        process.stdin.close()
        process.stdin = None
        time.sleep(chance.uniform(0, LONGEST_LIFE_SECONDS))
        process.kill()
        out, err = process.communicate()
        assert err == ""
        assert not out or agent in BARE or json.loads(out)
    time.sleep(1)  # until the lease of what was half written has run out

    check_undisturbed({event: answered(machine, event) for event in EVERY[:2]})
    check_whole(machine, ids)
    figures(f"{kills} hooks killed at a random moment: the store is whole, and the next ones answer")
