"""Every list in JSON is `{items, next, total}`, at the command line and by MCP."""

from __future__ import annotations

import pytest

from tests.doors.in_process import tools

LISTS = [
    ("list",),
    ("categories",),
    ("projects",),
    ("recalls",),
    ("review", "--list"),
    ("run", "list"),
    ("procedure", "list"),
    ("timeline",),
    ("undo", "--list"),
    ("audit", "list"),
    ("config", "list"),
    ("backup", "--list"),
    ("links", "{id}"),
    ("reinforce", "{id}"),
    ("archive", "{id}"),
]
LISTING_TOOLS = [
    ("memory_recent", {}),
    ("memory_review", {}),
    ("memory_timeline", {}),
    ("memory_recalls", {}),
    ("memory_projects", {}),
    ("memory_run", {"action": "list"}),
    ("memory_procedure", {"action": "list"}),
]


@pytest.fixture
def known(mem):
    return mem("add", "Retry the upload", "--json").data["id"]


@pytest.mark.parametrize("command", LISTS, ids=" ".join)
def test_a_command_answers_with_items_next_and_total(mem, known, command):
    data = mem(*(word.format(id=known) for word in command), "--json").data

    assert {"items", "next", "total"} <= data.keys()
    assert isinstance(data["items"], list)
    assert data["total"] in (None, len(data["items"]))


@pytest.mark.parametrize(("tool", "arguments"), LISTING_TOOLS, ids=str)
def test_a_tool_answers_with_items(machine, known, tool, arguments):
    with tools(machine / "work") as call:
        assert isinstance(call(tool, **arguments)["items"], list)


def test_reports_are_one_entry_for_each_named_memory(mem, known):
    (report,) = mem("outcome", known, "worked", "--json").data

    assert report["id"] == known
