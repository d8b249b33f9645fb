"""A memory that counts already is put up for a person's approval, through any door, and decided like the rest."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import UTC, datetime

import pytest

import memory_layer as ml
from memory_layer.errors import InvalidInput
from memory_layer.model.memory import Writer
from memory_layer.model.query import Filters
from memory_layer.model.review import Choice, Decision
from memory_layer.model.vocabulary import Status, WriterKind
from memory_layer.settings import load
from memory_layer.store.sqlite.filters import where
from memory_layer.usecases.govern.decide import decide
from memory_layer.usecases.remember.curate import approve
from memory_layer.usecases.who.lookup import read_memory
from memory_layer.wiring import open_engine
from tests.doors.agents import Agent, agent, talk

ADA = Writer(name="ada", kind=WriterKind.PERSON, door="cli", session="terminal-1", confirmed=True)


def waiting(mem) -> list[str]:
    return [item["memory"]["id"] for item in mem("review", "--kind", "proposed", "--json").data["items"]]


def tags(mem, memory_id: str) -> list[str]:
    return [*mem("show", memory_id, "--json").data["memory"]["tags"]]


def test_an_agent_proposes_a_memory_by_its_id(mem):
    async def steps(it: Agent) -> None:
        kept = (await it.call("memory_learn", content="The build needs Java 21", tags=["build"]))["id"]
        proposed = await it.call("memory_propose", id=kept)

        assert (proposed["id"], proposed["status"]) == (kept, "proposed")
        queue = await it.call("memory_review", kinds=["proposed"])
        assert [item["memory"]["id"] for item in queue["items"]] == [kept] == waiting(mem)
        assert queue["items"][0]["offers"] == ["archive"]
        assert queue["items"][0]["needs_person"] == ["approve", "drop"]
        assert kept in [hit["id"] for hit in (await it.call("memory_recall", query="java"))["hits"]]
        assert "not_allowed: " in await it.refused("memory_decide", id=kept, decision="approve")

        both = await it.refused("memory_propose", id=kept, content="Never push to main")
        assert "use either content for a new rule or id for a known memory" in both
        assert both == await it.refused("memory_propose")
        assert "go with a new rule" in await it.refused("memory_propose", id=kept, scope=["src/**"])

    talk(agent("--tools", "full"), steps)


def test_the_list_says_who_wrote_and_who_proposed_a_memory(mem):
    kept = mem("add", "The build needs Java 21", "--as", "builder", "--json").data["id"]
    mem("tag", kept, "proposed", "--as", "early-bird")
    mem("tag", kept, "proposed", "--remove", "--as", "builder")
    mem("tag", kept, "proposed", "--as", "scout")
    mem("tag", kept, "java", "--as", "builder")
    (line,) = mem("review", "--list").out.splitlines()

    assert "(proposed for a person's approval, by scout · by builder · just now · decide" in line


def test_the_tag_alone_proposes_and_a_longer_word_does_not(mem):
    kept = mem("add", "The build needs Java 21", "--json").data["id"]
    other = mem("add", "Gradle builds the project", "--tag", "proposed-later", "--json").data["id"]
    mem("add", "Ships sail at noon", "--tag", 'un"proposed"', "--json")

    mem("tag", kept, "proposed")

    assert waiting(mem) == [kept]
    assert tags(mem, other) == ["proposed-later"]
    mem("tag", kept, "--remove", "proposed")
    assert waiting(mem) == []


def test_from_python_only_what_needs_an_approval_can_be_proposed(mem):
    with ml.open() as memory:
        kept = memory.add("The build needs Java 21").id
        assert memory.propose(kept).memory.tags == ("proposed",)
        assert memory.propose(kept).memory.version == 2  # a second time changes nothing
        assert [item.memory.id for item in memory.review(kinds=["proposed"]).items] == [kept]
        rule = memory.add("Never push to main", category="policy").id
        with pytest.raises(InvalidInput, match="is already waiting for a person"):
            memory.propose(rule)
        memory.archive(kept)
        with pytest.raises(InvalidInput, match="is archived"):
            memory.propose(kept)
    assert waiting(mem) == []


@pytest.mark.parametrize("by", ["approve", "review", "drop"])
def test_a_person_decides_and_the_tag_is_gone(by, mem):
    kept = mem("add", "The build needs Java 21", "--tag", "build", "--tag", "proposed", "--json").data["id"]
    with open_engine(load(), "cli") as engine:
        if by == "approve":
            approve(engine, [kept], ADA)
        else:
            decision = Decision.APPROVE if by == "review" else Decision.DROP
            decide(engine, Choice(kept, decision), ADA)
        after = read_memory(engine.store, kept)

    assert after.tags == ("build",)
    assert after.approved_by == (None if by == "drop" else "ada")
    assert waiting(mem) == []
    assert mem("list", "--tag", "proposed", "--json").data["total"] == 0
    assert mem("search", "proposed", "--json").data["hits"] == []
    assert mem("doctor").code == 0
    with open_engine(load(), "cli") as engine, pytest.raises(InvalidInput, match="is not waiting"):
        decide(engine, Choice(kept, Decision.DROP), ADA)


def test_the_queue_finds_proposals_by_their_index(mem, machine):
    mem("add", "The build needs Java 21", "--tag", "proposed", "--json")
    condition, values = where(Filters(statuses=(Status.ACTIVE,), proposed=True), datetime.now(UTC))
    with closing(sqlite3.connect(machine / "home" / "memory.db")) as db:
        plan = db.execute(
            f"explain query plan select count(*) from memory m where {condition}", values
        ).fetchall()

    assert "SEARCH m USING INTEGER PRIMARY KEY (rowid=?)" in {step[3] for step in plan}
    assert "SCAN o USING INDEX memory_proposed" in {step[3] for step in plan}
