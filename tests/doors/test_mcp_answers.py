"""An answer says what an agent needs, names where the rest is, and costs few tokens beside the texts."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

import memory_layer as ml
from memory_layer.doors import wire
from memory_layer.doors.mcp import tool_answers
from memory_layer.doors.mcp.more_tools import FULL
from memory_layer.doors.mcp.tool import listing
from memory_layer.doors.mcp.tools import CORE
from memory_layer.model.memory import Memory, Writer
from memory_layer.model.review import Matter, Waiting
from memory_layer.model.vocabulary import WriterKind
from memory_layer.rules.review_queue import offers
from memory_layer.text.tokens import estimate
from memory_layer.usecases.govern.review import rights
from tests.doors.in_process import Tools, as_repository, tools

AT = datetime(2026, 1, 1, tzinfo=UTC)
MEMORY = Memory("mem_1", "The harbour opens at six", "a-hash", AT, AT)


@pytest.fixture
def call(machine) -> Iterator[Tools]:
    with tools(machine / "work") as every:
        yield every


def test_a_hit_names_the_sources_that_changed(call, machine):
    lines = [f"line {number}\n" for number in range(1, 9)]
    cited = as_repository(machine / "work") / "notes.md"
    cited.write_text("".join(lines))
    call("memory_learn", content="The harbour opens at six", cite=["notes.md:2-3", "notes.md:6"])
    assert "sources" not in call("memory_recall", query="harbour")["hits"][0]

    cited.write_text("".join([*lines[:5], "something else\n", *lines[6:]]))
    hit = call("memory_recall", query="harbour")["hits"][0]

    assert hit["citation"] == "changed"
    assert hit["sources"] == ["notes.md:6 is changed"]


@pytest.mark.parametrize("budget", [1, 40, 200, 500])
def test_the_best_hit_is_given_however_small_the_budget_and_the_rest_is_named(call, budget):
    for number in range(3):
        call("memory_learn", content=f"Harbour {number} opens at six. " * 40)

    found = call("memory_recall", query="harbour", budget=budget)

    assert found["hits"][0]["content"].startswith("Harbour")
    assert len(found["hits"]) + found["left_out"] == 3
    assert "larger budget" in found["rest"]
    assert (
        "more characters; memory_get returns all of it, or use a larger budget" in found["hits"][0]["content"]
    )
    if budget >= 500:
        assert estimate(wire.text(found)) <= budget


def test_a_server_without_memory_get_does_not_name_it(machine):
    with tools(machine / "work", CORE) as call:
        call("memory_learn", content="The harbour opens at six. " * 200)

        shown = call("memory_recall", query="harbour", budget=300)["hits"][0]["content"]

    said, _, more = shown.partition("… (")
    assert more == f"{26 * 200 - len(said):,} more characters; use a larger budget)"


def test_a_hit_says_nothing_that_goes_without_saying(call):
    call("memory_learn", content="The harbour opens at six")
    call("memory_learn", content="The harbour is a place for ships", **{"global": True})

    own, everywhere = sorted(call("memory_recall", query="harbour")["hits"], key=lambda hit: "project" in hit)

    assert set(own) == {"id", "content", "category", "created_at", "score", "strength"}
    assert everywhere["project"] == "global"
    assert len(own["created_at"]) == len("2026-11-16")
    assert own["score"] == round(own["score"], 3)
    listed = call("memory_recent")["items"]
    assert [set(each) - {"project"} for each in listed] == [{"id", "content", "category", "created_at"}] * 2


def test_what_is_not_usual_is_said(call, machine):
    with ml.open() as memory:
        kept = memory.add("The harbour opens at six", confidence=0.5, priority="high").id
    call("memory_outcome", ids=[kept], result="failed")

    hit = call("memory_recall", query="harbour")["hits"][0]

    assert (hit["confidence"], hit["priority"], hit["failed"]) == (0.5, "high", 1)
    call("memory_archive", ids=[kept])
    archived = call("memory_get", id=kept)["memory"]
    assert archived["status"] == "archived"


@pytest.mark.parametrize(
    ("project", "own", "told"),
    [("a", "b", "a"), ("a", "a", None), (None, "a", "global"), (None, None, None)],
)
def test_a_memory_names_its_project_where_it_is_not_the_one_that_the_call_is_about(project, own, told):
    assert tool_answers.memory_summary(MEMORY._replace(project=project), own).get("project") == told


def test_an_update_says_in_short_what_was_changed(call):
    kept = call("memory_learn", content="The harbour opens at six. " * 50)["id"]

    done = call("memory_update", id=kept, priority="high", add_tags=["ships"])

    assert set(done["memory"]) == {"id", "status", "content", "version"}
    assert done["memory"]["version"] == 2
    assert set(done["changed"]) == {"priority", "tags"}
    assert len(done["memory"]["content"]) < 300
    assert call("memory_update", id=kept, priority="high")["changed"] == []


def test_what_only_a_program_compares_is_not_told(call, machine):
    (as_repository(machine / "work") / "notes.md").write_text("The harbour opens at six\n")
    kept = call("memory_learn", content="The harbour opens at six", cite=["notes.md:1"])["id"]

    shown = call("memory_get", id=kept)["memory"]

    assert (shown["citations"][0]["path"], shown["citations"][0]["state"]) == ("notes.md", "fresh")
    assert not any(name in wire.text(shown) for name in ("content_hash", "lines_hash", "anchor"))


def test_what_there_is_none_of_is_not_counted(call):
    call("memory_procedure", action="save", name="release", steps=["build"])
    assert set(call("memory_procedure", action="get", name="release")["items"][0]) == {
        "id",
        "name",
        "steps",
        "version",
    }
    call("memory_procedure", action="report", name="release", result="worked")
    assert call("memory_procedure", action="list")["items"][0]["worked"] == 1
    assert call("memory_review")["by_kind"] == {}
    assert call("memory_verify")["counts"] == {}
    call("memory_episode", text="The build broke")
    event = call("memory_timeline")["items"][0]
    assert not {"status", "project"} & set(event)
    assert len(event["at"]) == len("2026-11-16T18:00:00Z")


def test_what_waits_says_what_the_caller_may_decide_and_what_needs_a_person(call):
    held = call("memory_propose", content="Never push to main without a review")["id"]
    item = call("memory_review")["items"][0]

    assert item["memory"]["id"] == held
    assert set(item["offers"] + item["needs_person"]) == {"approve", "edit", "archive"}
    for decision in item["needs_person"]:
        assert call.refused("memory_decide", id=held, decision=decision).startswith(
            ("not_allowed", "invalid_input")
        )
    for decision in item["offers"]:
        call("memory_decide", id=held, decision=decision)


def test_the_words_to_decide_with_are_those_that_an_agent_may_ever_use():
    agent = Writer("an-agent", WriterKind.AGENT, "mcp", "s")
    ever = {
        decision
        for kind in Matter
        for decision in rights(Waiting(kind, "", MEMORY, MEMORY, offers=offers(kind, MEMORY, MEMORY)), agent)
    }
    decide = next(listing(tool) for tool in FULL if tool.name == "memory_decide")

    assert set(decide["inputSchema"]["properties"]["decision"]["enum"]) == ever


@pytest.mark.parametrize(
    ("tool", "more"), [("memory_projects", {}), ("memory_health", {}), ("memory_archive", {"ids": ["mem_x"]})]
)
def test_a_project_that_nobody_knows_is_remarked_on_by_every_tool(call, tool, more):
    known = call("memory_learn", content="The harbour opens at six")["id"]
    more = {name: [known] for name in more}

    assert call(tool, project="zzz", **more)["notice"] == "nothing is stored for a project 'zzz'"
    assert call("memory_projects", project="work")["items"][0]["name"] == "work"
