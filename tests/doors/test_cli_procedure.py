"""`mem procedure`."""

from __future__ import annotations

import pytest

STEPS = ("--step", "make test", "--step", "git tag")


@pytest.fixture
def release(mem):
    return mem("procedure", "save", "Release", "--when", "a version is due", *STEPS, "--json").data["id"]


def test_a_saved_procedure_has_the_promised_shape(mem):
    data = mem("procedure", "save", "Release", *STEPS, "--scope", "src/**", "--tag", "ship", "--json").data
    assert list(data) == [
        *("id", "name", "when", "steps", "scope", "tags", "worked", "failed", "partial", "proven"),
        *("project", "status", "version", "saved", "redacted"),
    ]
    assert (data["steps"], data["scope"], data["tags"]) == (["make test", "git tag"], ["src/**"], ["ship"])
    assert (data["saved"], data["proven"], data["when"]) == ("created", False, "")


def test_saving_again_and_undoing_it(mem, release):
    again = mem("procedure", "save", "release", "--step", "press the button", "--json").data
    assert (again["id"], again["saved"], again["version"]) == (release, "changed", 2)
    assert "unchanged, version 2" in mem("procedure", "save", "release", "--step", "press the button").out
    mem("undo")
    assert mem("procedure", "show", "release", "--json").data["steps"] == ["make test", "git tag"]


def test_show_numbers_the_steps(mem, release):
    lines = mem("procedure", "show", "release").out.splitlines()
    assert lines[1:] == ["When: a version is due", "1. make test", "2. git tag"]


def test_done_counts_and_proven_ones_come_first(mem, release):
    mem("procedure", "save", "another", "--step", "x")
    assert [each["name"] for each in mem("procedure", "list", "--json").data["items"]] == [
        "another",
        "Release",
    ]
    judged = mem("procedure", "done", "release", "--worked", "--evidence", "exit code 0", "--json").data
    assert (judged["id"], judged["result"], judged["counted"]) == (release, "worked", True)
    kept = mem("procedure", "list", "--json").data["items"]
    assert [(each["name"], each["proven"]) for each in kept] == [("Release", True), ("another", False)]
    assert "worked 1" in mem("procedure", "list").out


@pytest.mark.parametrize("options", [(), ("--worked", "--failed")])
def test_done_needs_one_result(mem, release, options):
    answer = mem("procedure", "done", "release", *options)
    assert answer.code == 2
    assert "--worked, --failed or --partial" in answer.err


def test_an_unknown_name_is_not_found(mem, release):
    for arguments in (("show",), ("done", "--worked"), ("archive",)):
        answer = mem("procedure", arguments[0], "other", *arguments[1:])
        assert answer.code == 3, arguments
        assert "`mem procedure list` lists them" in answer.err


def test_archive_frees_the_name(mem, release):
    assert mem("procedure", "archive", "release", "--json").data["status"] == "archived"
    assert mem("procedure", "list").err.startswith("no procedures here")
    assert mem("procedure", "save", "release", "--step", "x", "--json").data["saved"] == "created"


def test_edit_names_the_way_to_change_steps(mem, release):
    answer = mem("edit", release, "--content", "Press the button")
    assert answer.code == 2
    assert "`mem procedure save`" in answer.err


def test_a_run_that_used_it_counts(mem, release):
    run = mem("run", "start", "release", "it", "--json").data
    mem("run", "finish", run["id"], "--worked", "--used", release)
    assert mem("procedure", "show", "release", "--json").data["worked"] == 1
    mem("undo")
    assert mem("procedure", "show", "release", "--json").data["worked"] == 0
    assert mem("doctor").code == 0


def test_steps_need_at_least_one(mem):
    assert mem("procedure", "save", "empty").code == 2
    assert mem("procedure", "list", "--json").data["items"] == []


def test_one_that_applies_everywhere_is_found_in_a_project(mem, machine):
    mem("procedure", "save", "leave", "--step", "cast off", "--global")
    assert mem("procedure", "show", "leave", "--json").data["project"] is None
    mem("procedure", "save", "leave", "--step", "cast off here")
    assert mem("procedure", "show", "leave", "--json").data["steps"] == ["cast off here"]
    assert mem("procedure", "show", "leave", "--global", "--json").data["steps"] == ["cast off"]
