"""Tools of several actions do what their arguments say, and pass over none of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.doors.in_process import Tools, tools


@pytest.fixture
def call(machine) -> Iterator[Tools]:
    with tools(machine / "work") as every:
        yield every


def test_a_handoff_with_something_in_it_is_written_and_one_with_nothing_is_read(call):
    assert call("memory_handoff") == {}
    assert call("memory_handoff", done=["the build"], next=["the tests"])["recorded"]["id"]
    left = call("memory_handoff")["handoff"]

    assert (left["done"], left["next"]) == (["the build"], ["the tests"])
    assert call("memory_handoff", action="read")["handoff"] == left
    refusal = call.refused("memory_handoff", action="read", next=["more"])
    assert refusal.startswith("invalid_input: the action read takes no text, done, next")
    assert call.refused("memory_handoff", action="write").startswith("invalid_input: ")
    assert call("memory_handoff")["handoff"] == left


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (
            {"action": "get", "name": "release", "result": "worked"},
            "takes no result, only name; result goes with report",
        ),
        ({"action": "list", "steps": ["build"]}, "the action list takes no steps, only cursor"),
        ({"action": "list", "name": "release"}, "name goes with get and save and report"),
        ({"action": "report", "name": "release", "result": "worked", "steps": ["x"]}, "takes no steps"),
        ({"action": "save", "name": "release", "steps": ["x"], "evidence": "seen"}, "takes no evidence"),
    ],
)
def test_what_belongs_to_another_action_is_refused_in_a_sentence(call, arguments, told):
    call("memory_procedure", action="save", name="release", steps=["build"])

    refusal = call.refused("memory_procedure", **arguments)

    assert refusal.startswith("invalid_input: ")
    assert told in refusal
    assert call("memory_procedure", action="get", name="release")["items"][0]["steps"] == ["build"]


def test_arguments_that_say_nothing_are_no_reason_to_refuse(call):
    empty: dict[str, Any] = {
        "name": None,
        "steps": [],
        "when": "",
        "result": None,
        "evidence": None,
        "cursor": None,
    }

    assert call("memory_procedure", action="list", **empty) == {"items": []}


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("1. build\n2. push", ["build", "push"]),
        ("- build\n\n* push\n", ["build", "push"]),
        ("build\npush", ["build", "push"]),
        ("1) build:\n   make all\n2) push", ["build:\n   make all", "push"]),
        ("build and push", ["build and push"]),
        ("1. build", ["1. build"]),
        ('["1. build\\nall", "push"]', ["1. build\nall", "push"]),
        (["build\nall", "push"], ["build\nall", "push"]),
    ],
)
def test_a_text_of_several_lines_is_several_steps(call, given, kept):
    call("memory_procedure", action="save", name="release", steps=given)

    assert call("memory_procedure", action="get", name="release")["items"][0]["steps"] == kept
