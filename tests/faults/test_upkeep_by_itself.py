"""A store that only commands use is tidied by itself, once when it is due, whatever happens to the process."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta

import pytest

from memory_layer import programs
from memory_layer.model.memory import Draft, Writer
from memory_layer.model.upkeep import Upkeep
from memory_layer.model.vocabulary import Category, WriterKind
from memory_layer.ports import Engine
from memory_layer.usecases.remember.add_many import add_many
from memory_layer.usecases.upkeep.consolidate import consolidate
from memory_layer.usecases.upkeep.schedule import claim_start, standing
from memory_layer.wiring import open_engine, upkeep_variables
from tests.faults.judgement import damages, everything
from tests.faults.machine import PATIENCE_SECONDS, Machine, finished

ROBOT = Writer(name="robot", kind=WriterKind.AGENT, door="cli", session="before")
WRITERS = 6
LONGEST_LIFE_SECONDS = 0.6


@contextmanager
def opened(machine: Machine, **later: float) -> Iterator[Engine]:
    """The store, as seen at a time from now."""
    with open_engine(
        machine.settings, "python", now=lambda: datetime.now(UTC) + timedelta(**later)
    ) as engine:
        yield engine


def used_a_while_ago(machine: Machine, days: int = 8, memories: int = 3) -> None:
    """A store whose last command ran some days ago; half of its memories have expired since."""
    with opened(machine, days=-days) as engine:
        soon = engine.now() + timedelta(days=1)
        drafts = [Draft(content=f"Berth {at} is closed", category=Category.CONTEXT) for at in range(memories)]
        add_many(engine, [draft._replace(expires_at=soon) for draft in drafts], ROBOT)
        add_many(engine, [Draft(content=f"Crane {at} lifts 40 tons") for at in range(memories)], ROBOT)


def upkeep(machine: Machine) -> Upkeep:
    with opened(machine) as engine:
        return standing(engine)


def tidied(machine: Machine) -> Upkeep:
    """Wait until the store has been tidied."""
    give_up = time.monotonic() + PATIENCE_SECONDS
    while (found := upkeep(machine)).last is None and time.monotonic() < give_up:
        time.sleep(0.05)
    return found


def written(machine: Machine, name: str) -> None:
    """Several commands at once, each of which stores something."""
    writers = [machine.start_mem("add", f"Rope {name} {at} holds the ferry") for at in range(WRITERS)]
    assert [finished(writer).code for writer in writers] == [0] * WRITERS


def test_several_writers_at_once_have_it_tidied_exactly_once(plain_machine):
    machine = plain_machine.told(MEM_UPKEEP_AUTO="on")
    used_a_while_ago(machine)
    written(machine, "first")
    done = tidied(machine)
    written(machine, "second")

    assert (done.runs, dict(done.counts)) == (1, {"archive": 3})
    assert upkeep(machine).runs == 1
    with opened(machine) as engine:
        assert damages(engine, machine.database) == []
        assert len(everything(engine)) == 6 + 2 * WRITERS


@pytest.mark.parametrize(("switch", "days"), [("off", 8), ("on", 6)])
def test_it_stays_as_it_is_when_switched_off_or_not_due(plain_machine, switch, days):
    machine = plain_machine.told(MEM_UPKEEP_AUTO=switch)
    used_a_while_ago(machine, days=days)
    written(machine, "only")

    with opened(machine) as engine:
        assert standing(engine).runs == 0
        assert claim_start(engine) is (switch == "off")  # nobody had started it


def test_a_killed_run_loses_nothing_and_a_later_one_completes_it(plain_machine, counted, monkeypatch):
    chance = random.Random(4)
    used_a_while_ago(plain_machine, memories=400)
    monkeypatch.setattr(os, "environ", dict(plain_machine.environ))
    command = programs.own_command("consolidate", "--if-due")
    for _ in range(counted(3, 30)):
        with opened(plain_machine) as engine, engine.store.writing():
            engine.store.set_note("consolidation", json.dumps([None, None, 0]))
        process = subprocess.Popen(command, env=upkeep_variables(plain_machine.settings), cwd="/")
        time.sleep(chance.uniform(0.1, LONGEST_LIFE_SECONDS))
        process.kill()
        process.wait()
        with opened(plain_machine) as engine:
            assert damages(engine, plain_machine.database) == []
            assert len(everything(engine)) == 800
    with opened(plain_machine, hours=2) as engine:
        consolidate(engine, ROBOT)
        archived = [each for each in everything(engine) if each.status == "archived"]

    assert len(archived) == 400


def test_what_is_started_has_a_session_of_its_own_and_none_of_our_files(tmp_path):
    report = tmp_path / "report.json"
    looking = (
        "import json, os, sys; fds = {fd: os.readlink(f'/proc/self/fd/{fd}') for fd in range(3)};"
        "more = [fd for fd in range(3, 64) if os.path.exists(f'/proc/self/fd/{fd}')];"
        "json.dump([os.getsid(0) == os.getpid(), os.getcwd(), fds, len(more)], open(sys.argv[1], 'w'))"
    )
    with (tmp_path / "ours").open("w") as ours:
        os.set_inheritable(ours.fileno(), True)
        wait = programs.start([sys.executable, "-I", "-c", looking, str(report)], {"PATH": os.defpath})
        assert wait() == 0

    own_session, folder, streams, more = json.loads(report.read_text())
    assert (own_session, folder, set(streams.values()), more) == (True, "/", {"/dev/null"}, 0)
