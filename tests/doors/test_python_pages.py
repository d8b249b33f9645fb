"""Lists that can be long are read a stretch at a time, each going on behind the one before."""

from __future__ import annotations

import pytest

import memory_layer as ml
from memory_layer.errors import InvalidInput


@pytest.fixture
def memory(machine):
    with ml.open() as opened:
        yield opened


def test_procedures_come_in_stretches_and_proven_ones_first(memory):
    for name in ("b", "A", "d", "c"):
        memory.save_procedure(name, ["do it"])
    memory.procedure_done("d", "worked")

    first = memory.procedures(limit=2)
    second = memory.procedures(limit=2, after=first.next)

    assert [each.name for each in (*first.items, *second.items)] == ["d", "A", "b", "c"]
    assert second.next is None
    with pytest.raises(InvalidInput, match="not a cursor of this list"):
        memory.procedures(after="nowhere")


def test_versions_come_in_stretches_and_know_what_came_before_them(memory):
    kept = memory.add("The port is 1")
    for number in (2, 3, 4):
        memory.edit(kept.id, content=f"The port is {number}")

    newest = memory.history(kept.id, limit=3)
    oldest = memory.history(kept.id, limit=3, after=newest.next)

    assert [each.number for each in newest.versions] == [4, 3, 2]
    assert newest.versions[-1].changes[0].old == "The port is 1"
    assert [each.number for each in oldest.versions] == [1]
    assert oldest.next is None
    assert memory.history(kept.id).next is None
    with pytest.raises(InvalidInput, match="at least 1"):
        memory.history(kept.id, limit=0)


def test_projects_come_in_stretches_by_name(memory, machine, monkeypatch):
    for name in ("beta", "alpha", "gamma"):
        (machine / name).mkdir()
        with ml.open(project=str(machine / name)) as there:
            there.add("A house has a door")

    first = memory.projects(limit=2)
    rest = memory.projects(limit=2, after=first[-1][0].id)

    assert [project.name for project, _ in (*first, *rest)] == ["alpha", "beta", "gamma"]
    with pytest.raises(InvalidInput, match="not a cursor of this list"):
        memory.projects(after="nowhere")
