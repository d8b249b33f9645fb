"""One vocabulary for results: worked, partial, failed; older words are accepted and shown nowhere."""

from __future__ import annotations

import pytest

from docs import generate
from memory_layer.doors.mcp.more_tools import FULL
from memory_layer.doors.mcp.tool import listing
from memory_layer.doors.python import open_memory
from tests.doors.in_process import tools


@pytest.fixture
def started(mem):
    return mem("run", "start", "make uploads faster", "--json").data["id"]


@pytest.mark.parametrize(
    ("option", "result"), [("--success", "worked"), ("--failure", "failed"), ("--worked", "worked")]
)
def test_a_run_ends_by_an_older_word_too(mem, started, option, result):
    assert mem("run", "finish", started, option, "--json").data["run"]["result"] == result


def test_a_run_does_not_end_both_ways(mem, started):
    assert "add --worked or --failed" in mem("run", "finish", started, "--success", "--failed").err
    assert mem("run", "show", started, "--json").data["result"] is None


def test_python_takes_the_older_words(mem, started):
    with open_memory() as memory:
        fact = memory.add("Uploads are retried").id
        assert memory.finish_run(started, "success").run.ending.result == "worked"  # type: ignore[union-attr]
        assert memory.outcome(fact, "failure")[0].result == "failed"
        assert memory.episode("The build broke", outcome="failure").outcome == "failed"


def test_tools_take_the_older_words(machine, started):
    with tools(machine / "work") as call:
        assert call("memory_run", action="finish", id=started, result="success")["result"] == "worked"


def test_an_event_stored_with_an_older_word_is_shown_with_the_new_one(mem):
    mem("episode", "The build broke", "--outcome", "failed")
    with open_memory() as memory:
        (episode,) = memory.timeline().items
    older = episode.memory._replace(metadata={**episode.memory.metadata, "outcome": "failure"})

    assert episode._replace(memory=older).outcome == "failed"


def test_no_help_names_an_older_word(mem):
    helps = [mem(*name.split()[1:], "--help").out for name, _ in generate.every_command()]
    schemas = [str(listing(tool)["inputSchema"]) for tool in FULL]

    assert [text for text in helps if "--success" in text or "--failure" in text] == []
    assert [text for text in schemas if "'success'" in text or "'failure'" in text] == []
