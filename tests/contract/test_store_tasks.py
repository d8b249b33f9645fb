"""Every store keeps its promises about the links from tasks to memories."""

from __future__ import annotations

from datetime import timedelta

import pytest

from memory_layer.model.history import Note
from memory_layer.model.memory import Project
from memory_layer.model.tasks import TaskLink
from memory_layer.ports import Edit
from memory_layer.rules.history import is_note
from memory_layer.usecases.govern import chain, ledger
from tests.conftest import NOON
from tests.contract.test_store_changes import forget

TASK, OTHER = "beads:bd-1", "claude:list/1"


@pytest.fixture
def edit(agent):
    return Edit(agent, "op_2", "link_task", NOON)


@pytest.fixture
def shop(store):
    project = Project(id="shop", key="git.example/shop", name="shop")
    with store.writing():
        store.projects.save(project, NOON)
    return project.id


def test_links_are_found_by_project_task_and_memory_oldest_first(store, put, shop):
    apples, pears = put("apples").id, put("pears").id
    early, late = NOON - timedelta(days=1), NOON
    links = [
        TaskLink(TASK, apples, late, shop),
        TaskLink(TASK, pears, early, shop, automatic=True),
        TaskLink(OTHER, apples, late),
    ]
    with store.writing():
        store.task_links.put(links)

    assert store.task_links.find(shop) == [links[1], links[0], links[2]]
    assert store.task_links.find(None) == [links[2]]
    assert store.task_links.find(shop, [TASK], [apples]) == [links[0]]
    assert store.task_links.find(shop, []) == []


def test_a_link_is_there_once_and_stays_as_it_was_made(store, put, shop):
    link = TaskLink(TASK, put("apples").id, NOON, shop)
    with store.writing():
        store.task_links.put([link, link._replace(automatic=True, created_at=NOON + timedelta(days=1))])
        store.task_links.put([link._replace(project=None)])

    assert store.task_links.find(shop) == [link, link._replace(project=None)]


def test_only_the_link_of_that_project_is_dropped(store, put, shop):
    link = TaskLink(TASK, put("apples").id, NOON, shop)
    with store.writing():
        store.task_links.put([link, link._replace(project=None)])
        store.task_links.drop(link)

    assert store.task_links.find(shop) == [link._replace(project=None)]


def test_a_link_to_an_unknown_memory_is_not_made(store):
    with store.writing():
        store.task_links.put([TaskLink(TASK, "mem_" + "a" * 26, NOON)])

    assert store.task_links.find(None) == []


def test_linking_and_unlinking_are_in_the_chain_and_can_be_taken_back(store, put, edit):
    link = TaskLink(TASK, put("apples").id, NOON)
    with store.writing():
        assert ledger.link_task(store, link, edit)
        assert not ledger.link_task(store, link, edit)
        assert ledger.unlink_task(store, link, edit._replace(operation="op_3", action="unlink_task"))
        assert not ledger.unlink_task(store, link, edit)
    made, removed = chain.notes_of(store, ["op_2"]), chain.notes_of(store, ["op_3"])

    assert [len(made), len(removed)] == [1, 1]
    assert all(is_note(note.told) for note in (*made, *removed))
    assert made[0].memories == (link.memory,)
    assert list(chain.chain_flaws(store)) == []

    with store.writing():
        ledger.take_back(store, removed[0], edit._replace(operation="op_4"))
    assert store.task_links.find(None) == [link]
    with store.writing():
        ledger.take_back(store, made[0], edit._replace(operation="op_5"))
    assert store.task_links.find(None) == []


def test_taking_back_changes_nothing_that_others_have_changed_since(store, put, edit):
    link = TaskLink(TASK, put("apples").id, NOON)
    with store.writing():
        ledger.link_task(store, link, edit)
        store.task_links.drop(link)
        store.task_links.put([link._replace(automatic=True)])
        (made,) = chain.notes_of(store, ["op_2"])
        ledger.take_back(store, Note(made.number, made.told), edit._replace(operation="op_3"))

    assert store.task_links.find(None) == [link._replace(automatic=True)]


def test_what_is_forgotten_is_linked_to_no_task(store, put, agent):
    memory = put("apples")
    with store.writing():
        store.task_links.put([TaskLink(TASK, memory.id, NOON)])
    forget(store, memory, agent)

    assert store.task_links.find(None) == []


@pytest.mark.parametrize(
    "wrong",
    [
        {"task": 5},
        {"project": 5},
        {"after": {"automatic": 1, "created_at": 0}},
        {"after": {"automatic": True}},
        {"before": 7},
    ],
)
def test_a_note_about_a_task_of_a_wrong_shape_is_none(wrong):
    right = {"task": TASK, "project": None, "memory": "mem_a", "before": None, "after": None}

    assert is_note(right)
    assert not is_note(right | wrong)
