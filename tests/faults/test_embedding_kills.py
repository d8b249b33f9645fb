"""Embedding that is killed goes on where it stopped, harms nothing, and searches find everything meanwhile."""

from __future__ import annotations

import json
import random
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing

import numpy as np
import pytest

from memory_layer.model.memory import Draft, Writer
from memory_layer.model.vocabulary import OnDuplicate, WriterKind
from memory_layer.usecases.remember.add import add
from memory_layer.usecases.upkeep import embed
from memory_layer.wiring import open_engine
from tests.faults.judgement import damages, everything
from tests.faults.machine import Machine, finished, next_line, tell
from tests.hashed import Hashed
from tests.passages import passages_of

pytestmark = pytest.mark.prove
OLD, NEW = Hashed("old", 48), Hashed("new", 64)
MEMORIES = 160
LONGEST_LIFE_SECONDS = 0.25
SLOWLY, SLOWER = "0.02", "0.1"  #: seconds for each batch of eight, so that a run outlives the others' start


def filled(machine: Machine) -> list[str]:
    """A store whose memories have the vectors of the old model."""
    writer = Writer(name="robot", kind=WriterKind.AGENT, door="python", session="before")
    texts = [f"ferry {number * 7919 % 1000} leaves pier {number} at noon" for number in range(MEMORIES)]
    with open_engine(machine.settings, "python") as engine:
        for text in texts:
            add(engine, Draft(content=text, on_duplicate=OnDuplicate.KEEP), writer)
        embed.embed_missing(engine._replace(embedder=lambda: OLD, fingerprint=lambda: OLD.fingerprint))
    return texts


def embedded(machine: Machine) -> int:
    """How many memories have the new model's vectors; every one of them the right ones."""
    with open_engine(machine.settings, "python") as engine:
        assert damages(engine, machine.database) == []
        count = 0
        for memory in everything(engine):
            assert passages_of(engine.store, memory.id, OLD.fingerprint) is not None
            stored = passages_of(engine.store, memory.id, NEW.fingerprint)
            if stored is not None:
                count += 1
                assert np.allclose(stored, NEW.embed_memories([memory.content])[0], atol=1e-3)
        return count


def started(machine: Machine) -> subprocess.Popen[str]:
    process = machine.start_worker("embedding", "new", "64", SLOWLY)
    assert next_line(process) == "ready"
    return process


def test_a_killed_run_is_taken_up_by_the_next_while_searches_go_on(plain_machine, counted, figures):
    chance = random.Random(3)
    texts = filled(plain_machine)
    asking = plain_machine.start_worker("asking", "new", "64")
    tell(asking, json.dumps(texts))
    assert next_line(asking) == "ready"
    seen, kills = [0], counted(3, 25)

    for _ in range(kills):
        process = started(plain_machine)
        time.sleep(chance.uniform(0.02, LONGEST_LIFE_SECONDS))
        process.kill()
        process.communicate()
        seen.append(embedded(plain_machine))
    last = finished(started(plain_machine))
    told = json.loads(finished(asking, "enough\n").out)

    assert seen == sorted(seen)  # nothing that was embedded was lost
    assert (last.code, int(last.out)) == (0, MEMORIES - seen[-1])
    assert embedded(plain_machine) == MEMORIES
    assert told["wrong"] == []
    assert told["asked"] > 0
    figures(
        f"{kills} kills while {MEMORIES} memories were embedded: {told['asked']} searches found everything"
    )


def test_runs_side_by_side_share_the_work_and_double_little(plain_machine, counted, figures):
    filled(plain_machine)
    runs = counted(2, 4)
    processes = [plain_machine.start_worker("embedding", "new", "64", SLOWER) for _ in range(runs)]
    done = [finished(process) for process in processes]

    counts = [int(each.out.split()[1]) for each in done if each.code == 0]
    assert len(counts) == runs, done
    assert sum(counts) == MEMORIES
    assert min(counts) > 0
    assert embedded(plain_machine) == MEMORIES
    with closing(sqlite3.connect(plain_machine.database)) as db:
        fewest, most = db.execute(
            "select min(n), max(n) from (select count(*) as n from vector v join embedding e on e.row = v.embedding"
            " where e.fingerprint like 'new/%' group by memory)"
        ).fetchone()
    assert (fewest, most) == (1, 1)
    figures(f"{runs} runs side by side embedded {MEMORIES} memories: {sorted(counts)}")


@pytest.mark.model
def test_ctrl_c_ends_a_run_with_a_sentence_and_the_next_one_goes_on(machine):
    texts = [f"ferry {number} leaves pier {number} at noon " * 20 for number in range(60)]
    writer = Writer(name="robot", kind=WriterKind.AGENT, door="python", session="before")
    with open_engine(machine.told(MEM_MODEL=str(machine.work)).settings, "python") as engine:
        for text in texts:
            add(engine, Draft(content=text, on_duplicate=OnDuplicate.KEEP), writer)
    script = (
        "from memory_layer.usecases.upkeep import embed; embed.BATCH = 2\n"
        "from memory_layer.__main__ import main; main()"
    )
    process = machine.start(sys.executable, "-c", script, "embed")
    while not machine.mem("embed", "--check", "--json").data["memories"]:
        assert process.poll() is None
    process.send_signal(signal.SIGINT)
    stopped = finished(process)
    left = machine.mem("embed", "--check", "--json").data

    assert stopped.code == 130
    assert "Run `mem embed` to continue from here" in stopped.err
    assert "Traceback" not in stopped.err
    assert left["memories"] + left["missing"] == len(texts)
    assert machine.mem("embed", "--json").data["embedded"] == left["missing"]
