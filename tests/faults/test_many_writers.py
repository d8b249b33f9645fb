"""Many processes write into one store at once: nothing is lost, nothing is doubled, nobody sees an error."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import pytest

from memory_layer.model.query import Mode
from memory_layer.model.vocabulary import Status
from memory_layer.wiring import open_engine
from tests.faults.judgement import damages, everything, not_found, unfinished
from tests.faults.machine import Answer, Machine, finished, fresh_machine, next_line, tell
from tests.faults.texts import fact

pytestmark = pytest.mark.prove
WRITERS = 8


@dataclass(frozen=True)
class Added:
    """One answer that a writer was given."""

    text: str
    id: str
    status: str


def added_at_once(machine: Machine, place: str, shares: Sequence[Sequence[str]]) -> list[Added]:
    """Let one process per share of texts start at the same moment; every answer they were given."""
    processes = [machine.start_worker("adding", place) for _ in shares]
    for process, texts in zip(processes, shares, strict=True):
        tell(process, json.dumps(texts))
        assert next_line(process) == "ready"
    for process in processes:
        tell(process, "go")
    answers = [finished(process) for process in processes]
    assert [answer for answer in answers if answer.code or answer.err] == []
    return [Added(**json.loads(line)) for answer in answers for line in answer.out.splitlines()]


def place_of(machine: Machine, where: str) -> str:
    return "-" if where == "global" else str(machine.work)


def check_different_texts(machine: Machine, where: str, each: int, modes: Sequence[Mode], witness) -> str:
    """Different memories from every writer: each one is stored once and found again."""
    shares = [[fact(f"writer{writer}", number) for number in range(each)] for writer in range(WRITERS)]
    answers = added_at_once(machine, place_of(machine, where), shares)
    with open_engine(machine.settings, "python") as engine:
        stored = {memory.id: memory for memory in everything(engine)}
        lost = [answer for answer in answers if stored[answer.id].content != answer.text]
        missed = {mode.value: not_found(engine, stored.values(), mode, witness) for mode in modes}
        problems = damages(engine, machine.database) + [memory.id for memory in unfinished(engine)]

    assert Counter(answer.status for answer in answers) == {"created": WRITERS * each}
    assert len(stored) == len({answer.id for answer in answers}) == WRITERS * each
    assert all((memory.project is None) == (where == "global") for memory in stored.values())
    assert lost == []
    assert problems == []
    assert missed == {mode.value: [] for mode in modes}
    found = " and ".join(mode.value for mode in modes)
    return f"{WRITERS} processes x {each} different memories, {where}: {len(stored)} stored, found by {found}, 0 errors"


def check_same_texts(machine: Machine, where: str, each: int) -> str:
    """The same memories from every writer: one row a text, confirmed once in a project and never globally."""
    texts = [fact("shared", number) for number in range(each)]
    answers = added_at_once(machine, place_of(machine, where), [texts] * WRITERS)
    with open_engine(machine.settings, "python") as engine:
        stored = everything(engine)
        problems = damages(engine, machine.database)

    statuses = Counter(answer.status for answer in answers)
    assert statuses == {"created": each, "exists": (WRITERS - 1) * each}
    assert sorted(memory.content for memory in stored) == sorted(texts)
    assert {memory.status for memory in stored} == {Status.ACTIVE}
    assert {memory.reinforcement_count for memory in stored} == {1 if where == "global" else 2}
    assert problems == []
    return f"{WRITERS} processes x the same {each} memories, {where}: {len(stored)} rows, 0 errors"


@pytest.mark.parametrize("where", ["project", "global"])
def test_different_memories_of_many_writers_are_all_stored(plain_machine, witness, counted, figures, where):
    figures(check_different_texts(plain_machine, where, counted(12, 100), [Mode.KEYWORD], witness))


@pytest.mark.parametrize("where", ["project", "global"])
def test_the_same_memories_of_many_writers_are_stored_once(plain_machine, counted, figures, where):
    figures(check_same_texts(plain_machine, where, counted(12, 100)))


@pytest.mark.parametrize("where", ["project", "global"])
def test_writers_that_embed_lose_nothing_either(machine, witness, counted, figures, where):
    each = counted(3, 100)

    figures(
        "with the model: " + check_different_texts(machine, where, each, [Mode.KEYWORD, Mode.HYBRID], witness)
    )


@pytest.mark.parametrize("where", ["project", "global"])
def test_writers_that_embed_double_nothing_either(machine, counted, figures, where):
    figures("with the model: " + check_same_texts(machine, where, counted(3, 100)))


def test_a_store_that_many_processes_make_at_once_is_made_once(tmp_path, counted, figures):
    rounds = counted(3, 60)
    for number in range(rounds):
        folder = tmp_path / str(number)
        folder.mkdir()
        machine = fresh_machine(folder, tmp_path / "no-model")
        answers = added_at_once(machine, "-", [[fact("first", 1)]] * WRITERS)

        assert Counter(answer.status for answer in answers) == {"created": 1, "exists": WRITERS - 1}
    figures(f"{rounds} stores made by {WRITERS} processes at once: each made once, 0 errors")


def commands_at_once(machine: Machine, texts: Sequence[str]) -> list[Answer]:
    """As many processes of the command line as there are texts, started together."""
    processes = [machine.start_mem("add", text, "--json") for text in texts]
    return [finished(process) for process in processes]


def test_many_commands_at_once_store_each_memory_once(plain_machine, counted, figures):
    rounds = counted(1, 10)
    texts = [fact("command", number) for number in range(WRITERS // 2)] * 2
    answers: list[Answer] = []
    for each in range(rounds):
        answers += commands_at_once(plain_machine, [f"{text} in round {each}" for text in texts])
    with open_engine(plain_machine.settings, "python") as engine:
        stored = everything(engine)
        problems = damages(engine, plain_machine.database)

    assert [answer for answer in answers if answer.code] == []
    assert {answer.data["id"] for answer in answers} == {memory.id for memory in stored}
    assert len(stored) == rounds * len(texts) // 2
    assert problems == []
    figures(f"{len(answers)} `mem add` processes, {WRITERS} at once: {len(stored)} rows, 0 errors")
