"""An answer says what an agent needs, names where the rest is, and costs few tokens beside the texts."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from memory_layer.doors import wire
from memory_layer.doors.mcp.tools import CORE
from memory_layer.usecases.cost import cost
from tests.doors.in_process import Tools, tools


@pytest.fixture
def call(machine) -> Iterator[Tools]:
    with tools(machine / "work") as every:
        yield every


def test_a_hit_names_the_sources_that_changed(call, machine):
    lines = [f"line {number}\n" for number in range(1, 9)]
    cited = machine / "work" / "notes.md"
    cited.write_text("".join(lines))
    call("memory_learn", content="The harbour opens at six", cite=["notes.md:2-3", "notes.md:6"])
    assert "sources" not in call("memory_recall", query="harbour")["hits"][0]

    cited.write_text("".join([*lines[:5], "something else\n", *lines[6:]]))
    hit = call("memory_recall", query="harbour")["hits"][0]

    assert hit["citation"] == "changed"
    assert hit["sources"] == ["notes.md:6 is changed"]


@pytest.mark.parametrize("budget", [1, 40, 120, 300])
def test_the_best_hit_is_given_however_small_the_budget_and_the_rest_is_named(call, budget):
    for number in range(3):
        call("memory_learn", content=f"Harbour {number} opens at six. " * 40)

    found = call("memory_recall", query="harbour", budget=budget)

    assert found["hits"][0]["content"].startswith("Harbour")
    assert len(found["hits"]) + found["left_out"] == 3
    assert "larger budget" in found["rest"]
    assert (
        "more characters; memory_get has the whole, or ask with a larger budget"
        in found["hits"][0]["content"]
    )
    if budget >= 300:
        assert cost(wire.text(found)) <= budget


def test_a_server_without_memory_get_does_not_name_it(machine):
    with tools(machine / "work", CORE) as call:
        call("memory_learn", content="The harbour opens at six. " * 200)

        shown = call("memory_recall", query="harbour", budget=300)["hits"][0]["content"]

    said, _, more = shown.partition("… (")
    assert more == f"{26 * 200 - len(said):,} more characters; ask with a larger budget)"
