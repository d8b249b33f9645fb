"""The diary and the procedures of the Python door."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest

import memory_layer
from memory_layer.errors import InvalidInput


@pytest.fixture
def memory(machine):
    with memory_layer.open(session="monday") as opened:
        yield opened


def test_events_come_back_in_their_order(memory):
    day = datetime.now(UTC) - timedelta(days=1)
    second = memory.episode("Repaired it", kind="action", outcome="worked", tags=["ci"])
    first = memory.episode("It broke", kind="error", at=day)
    line = memory.timeline()
    assert [each.memory.id for each in line.items] == [first.id, second.id]
    assert (second.number, first.number, first.session) == (1, 2, "monday")
    assert [each.memory.id for each in memory.timeline(since=day + timedelta(hours=1)).items] == [second.id]
    assert [each.memory.id for each in memory.timeline(kinds=["error"]).items] == [first.id]
    assert memory.timeline(limit=1, after=memory.timeline(limit=1).next).items[0].memory.id == first.id


def test_threads_share_a_session_without_a_gap(memory):
    with ThreadPoolExecutor(4) as pool:
        numbers = sorted(each.number for each in pool.map(memory.episode, ["At once"] * 20))
    assert numbers == list(range(1, 21))
    assert memory.verify_audit().intact


def test_a_handoff_is_left_and_found(memory):
    assert memory.last_handoff() is None
    memory.handoff("so far", done=["a"], next_steps=["b"], questions=["c"], files=["d"])
    left = memory.last_handoff()
    assert left is not None
    assert (left.text, left.done, left.next, left.questions, left.files) == (
        "so far",
        ("a",),
        ("b",),
        ("c",),
        ("d",),
    )


def test_procedures_are_saved_followed_and_archived(memory):
    saved = memory.save_procedure("Release", ["make test", "git tag"], when="due", tags=["ship"])
    assert saved.status == "created"
    assert memory.procedure_done("release", "worked", evidence="exit code 0").counted
    assert [(each.name, each.proven) for each in memory.procedures().items] == [("Release", True)]
    assert memory.procedure("RELEASE").steps == ("make test", "git tag")
    assert memory.archive_procedure("release").status == "archived"
    assert memory.procedures().items == ()


@pytest.mark.parametrize(
    "mistake",
    [
        lambda memory: memory.episode(7),
        lambda memory: memory.episode("x", at="yesterday"),
        lambda memory: memory.episode("x", tags=7),
        lambda memory: memory.timeline(limit="many"),
        lambda memory: memory.handoff(),
        lambda memory: memory.handoff(done="all of it"),
        lambda memory: memory.save_procedure("x", "one step"),
        lambda memory: memory.save_procedure("x", []),
        lambda memory: memory.procedure_done("x", "great"),
        lambda memory: memory.add_many([{"content": "x", "tier": "episodic"}]),
    ],
)
def test_a_mistake_is_one_sentence_and_changes_nothing(memory, mistake):
    with pytest.raises(InvalidInput):
        mistake(memory)
    assert memory.stats().total == 0
