"""Many processes share the index beside the store, some of them die: every answer is right at every moment."""

from __future__ import annotations

import json
import random
import shutil
import time
from contextlib import closing

import pytest

from memory_layer.store.sqlite.files.private import index_of
from memory_layer.store.sqlite.files.record_checks import index_flaw
from memory_layer.store.sqlite.files.vault import ExaminedStore
from tests.faults.machine import finished, next_line, tell
from tests.faults.texts import fact
from tests.indexes import Plain, answer, near, opened, small, sought, the_same

pytestmark = pytest.mark.prove
WRITERS = 8
LONGEST_LIFE_SECONDS = 0.8


def started(machine, *arguments):
    process = machine.start_worker("looking", *arguments)
    assert json.loads(next_line(process)) == "ready"
    return process


def asked(process, line):
    tell(process, line)
    return json.loads(next_line(process))


def ended(*processes):
    answers = [finished(process) for process in processes]
    assert [each for each in answers if each.code or each.err] == []
    return [json.loads(line) for each in answers for line in each.out.splitlines()]


def test_what_one_process_stored_the_next_search_of_another_finds(plain_machine, counted, figures):
    rounds = counted(25, 1000)
    writer, reader, vandal = (started(plain_machine, "answers") for _ in range(3))
    missed = []
    for number in range(rounds):
        text = fact("round", number)
        tell(vandal, "remove")  # the index goes, and comes again, while the others are at work
        asked(writer, f"add {text}")
        best = asked(reader, f"find {text}")
        json.loads(next_line(vandal))
        if best[:1] != [text]:
            missed.append((number, best))

    assert missed == []
    assert ended(writer, reader, vandal) == []
    figures(f"{rounds} commits, each found by the next search of another process: 0 missed")


def test_killed_at_any_moment_it_leaves_an_index_that_is_right(plain_machine, counted, figures):
    kills, chance = counted(4, 50), random.Random(5)
    witness = started(plain_machine, "watching")
    for number in range(kills):
        pair = [started(plain_machine, "restless", f"{number}-{each}") for each in range(2)]
        for process in pair:
            time.sleep(chance.uniform(0, LONGEST_LIFE_SECONDS))
            process.kill()
            _, err = process.communicate()
            assert err == ""
    ((looks, indexed),) = ended(witness)

    assert looks >= indexed > 0
    questions = [fact("life", number) for number in range(50)]
    path = plain_machine.database
    with small(), closing(opened(path)) as store:
        assert all(the_same(store, question) for question in questions)
        old = [answer(store, sought(question)) for question in questions]
        memories = len(store.connection.rows("select 1 from memory"))
    with closing(opened(path, ExaminedStore)) as store, store.reading():
        assert index_flaw(store.connection) is None
    shutil.rmtree(index_of(path))
    with small(), closing(opened(path)) as store:
        assert [answer(store, sought(question)) for question in questions] == old
    with closing(opened(path, Plain)) as store:
        assert [answer(store, sought(question)).keys() for question in questions] == [
            each.keys() for each in old
        ]
    leftovers = [file.name for file in index_of(path).iterdir() if file.name.endswith(".part")]
    assert leftovers == []
    figures(
        f"{2 * kills} kills while the index of {memories} memories was made or brought up to date:"
        f" {looks} looks beside them, {indexed} through the index, 0 wrong"
    )


def test_many_processes_add_and_search_at_once(plain_machine, counted, figures):
    each = counted(10, 100)
    answers = ended(
        *[started(plain_machine, "busy", f"writer{number}", str(each)) for number in range(WRITERS)]
    )

    assert len(answers) == WRITERS * each
    assert [text for text, was_found in answers if not was_found] == []
    with small(), closing(opened(plain_machine.database)) as store:
        assert the_same(store, "the nightly export")
        for text, _ in answers:
            (best, *_) = near(store, sought(text))
            assert store.memories.get([best])[0].content == text
    figures(f"{WRITERS} processes x {each} memories, each searched for at once: all found, 0 errors")
