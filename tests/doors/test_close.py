"""Memories that are only close: named by every door with a question, and settled by one further call."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import memory_layer
from memory_layer.errors import InvalidInput
from tests.doors.agents import Agent, agent, talk
from tests.doors.terminals import Terminal, flat

FERRY = "The island ferry leaves from the north pier every hour"
MOVED = "The ferry to the island now starts at the south pier"
PIER = "The north pier ferry to the island is full on Sundays"

pytestmark = pytest.mark.usefixtures("with_model")


@pytest.fixture
def asked(mem) -> Iterator[Terminal]:
    """A terminal that waits for a key about a close memory."""
    mem("add", FERRY)
    terminal = Terminal("add", MOVED)
    terminal.read("keep both")
    yield terminal
    if terminal.process.poll() is None:
        terminal.process.kill()
        terminal.end()


def found(mem):
    return [hit["content"] for hit in mem("search", "island ferry pier", "--json").data["hits"]]


def test_a_command_stores_names_what_is_close_and_says_how_to_settle_it(mem):
    old = mem("add", FERRY, "--json").data["id"]
    told = mem("add", MOVED)
    new = told.out.split()[0]

    assert told.code == 0
    assert "created" in told.out
    assert f"{old[:12]}  close" in told.err
    assert f"`mem link {new} supersedes|same|conflicts ID` settles it" in told.err

    done = mem("link", new, "supersedes", old[:12])

    assert (done.code, done.out) == (0, f"{new}  {MOVED}\n")
    assert found(mem) == [MOVED]


def test_the_json_has_the_candidates_and_the_question(mem):
    old = mem("add", FERRY, "--json").data["id"]
    data = mem("add", MOVED, "--json").data

    assert data["status"] == "created"
    assert [(each["id"], each["relation"], each["content"]) for each in data["candidates"]] == [
        (old, "close", FERRY)
    ]
    assert data["question"].endswith("?")

    done = mem("link", data["id"], "same", old, "--json").data

    assert (done["id"], done["status"]) == (old, "merged")


def test_a_decision_can_come_with_the_text(mem):
    old = mem("add", FERRY, "--json").data["id"]
    done = mem("add", MOVED, "--supersedes", old, "--json").data

    assert (done["status"], done["candidates"]) == ("created", [])
    assert found(mem) == [MOVED]
    assert mem("add", PIER, "--same", old, "--conflicts", old).code == 2


@pytest.mark.parametrize(
    ("key", "says", "left"),
    [
        ("r", "is superseded and no longer shown", [MOVED]),
        ("c", "linked as a contradiction", [MOVED, FERRY]),
        ("\r", "All are kept", [FERRY, MOVED]),
        ("s", "is merged into", None),
    ],
)
def test_a_person_answers_by_one_key(mem, asked, key, says, left):
    asked.press(key)

    assert asked.end() == 0
    assert says in flat(asked.seen)
    assert "mem link" not in asked.seen
    assert len(found(mem)) == 1 if left is None else sorted(found(mem)) == sorted(left)


def test_a_person_can_choose_another_one_first(mem):
    mem("add", FERRY, "--on-duplicate", "keep")
    mem("add", PIER, "--on-duplicate", "keep")
    terminal = Terminal("add", "Tickets for the island ferry are sold at the north pier")
    terminal.read("keep both")
    assert "[1-2] another" in flat(terminal.seen)
    terminal.press("2")
    terminal.read("number 2")
    terminal.press("r")

    assert terminal.end() == 0
    assert len(found(mem)) == 2


def test_python_settles_by_a_method(mem):
    with memory_layer.open() as memory:
        old = memory.add(FERRY).id
        new = memory.add(MOVED)
        done = memory.settle(new.id, "conflicts", old)

        assert [each.relation for each in new.candidates] == ["close"]
        assert done.status == "conflicts"
        with pytest.raises(InvalidInput, match="must be one of supersedes, same, conflicts"):
            memory.settle(new.id, "likes", old)


@pytest.mark.parametrize(
    ("relation", "status", "left"),
    [("supersedes", "exists", 1), ("same", "merged", 1), ("conflicts", "exists", 2)],
)
def test_an_agent_settles_by_learning_again(mem, relation, status, left):
    async def steps(it: Agent) -> None:
        old = await it.call("memory_learn", content=FERRY)
        new = await it.call("memory_learn", content=MOVED)

        assert new["status"] == "created"
        assert [(each["id"], each["relation"]) for each in new["candidates"]] == [(old["id"], "close")]
        assert "replace" in new["next"]
        assert "supersedes, same or conflicts" in new["next"]

        done = await it.call("memory_learn", content=MOVED, **{relation: old["id"]})

        assert done["status"] == status
        assert "next" not in done

    talk(agent(), steps)
    assert len(found(mem)) == left
