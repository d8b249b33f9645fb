"""`mem run`: a task from its beginning to its end."""

from __future__ import annotations

import json

import pytest

import memory_layer
from memory_layer.errors import InvalidInput
from tests.doors.terminals import typed


@pytest.fixture
def two(mem):
    """The ids of a memory about the core and of one about the build."""
    return [
        mem("add", *told, "--json").data["id"]
        for told in (
            (
                "Full test run when src/core changes",
                "-c",
                "warning",
                "-t",
                "src/core/**",
                "--confidence",
                "0.4",
            ),
            ("The build uses pnpm", "-c", "pattern"),
        )
    ]


@pytest.fixture
def begun(mem, two):
    flags = ("--scope", "src/core/**", "--order", "s1", "--json")
    return mem("run", "start", "speed", "up", "the", "core", *flags).data


def test_a_run_is_shown_with_its_memories(mem, two, begun):
    shown = mem("run", "show", begun["id"][:12], "--json").data
    text = mem("run", "show", begun["id"]).out.splitlines()

    assert (begun["task"], begun["result"], begun["used"]) == ("speed up the core", None, [])
    assert [hit["id"] for hit in begun["hits"]] == two
    assert shown == begun
    assert text[0].startswith(
        f"{begun['id'][:12]}  running  2 memories  speed up the core  (just now · by agent"
    )
    assert "scope src/core/**" in text[0]
    assert text[1].startswith(
        f"{two[0][:12]}  warning  0.40  Full test run when src/core changes  (matches the scope"
    )


def test_several_ids_are_included_and_excluded_with_commas(mem, two):
    begun = mem("run", "start", "tidy", "--include", ",".join(two), "--limit", "2", "--json").data
    assert sorted(begun["included"]) == sorted(two)
    assert mem("run", "start", "tidy", "--exclude", ",".join(two), "--json").data["hits"] == []


def test_an_end_tells_what_it_moved(mem, two, begun):
    done = mem("run", "finish", begun["id"], "--worked", "--used", ",".join(two))

    assert done.code == 0
    assert done.out.splitlines() == [
        f"{begun['id'][:12]}  worked",
        f"{two[0][:12]}  confidence 0.40 → 0.50",
        f"{two[1][:12]}  confidence 0.80 → 0.90",
    ]
    assert "worked" in mem("run", "list").out
    assert "used" in mem("run", "show", begun["id"]).out


def test_an_end_in_json_has_what_was_moved_and_learned(mem, two, begun):
    data = mem(
        "run", "finish", begun["id"], "--failed", "--used", two[1], "--note", "Cold caches", "--json"
    ).data

    assert data["changed"] is True
    assert (data["run"]["result"], data["run"]["used"], data["run"]["finished_by"]) == (
        "failed",
        [two[1]],
        "agent",
    )
    assert data["memories"] == [
        {"id": two[1], "confidence_before": 0.8, "confidence": 0.7, "status": "active"}
    ]
    assert [each["status"] for each in data["learned"]] == ["created"]
    assert mem("show", data["learned"][0]["id"], "--json").data["memory"]["source_run_id"] == begun["id"]


def test_an_end_that_names_nothing_says_that_nothing_was_moved(mem, begun):
    done = mem("run", "finish", begun["id"], "--worked")

    assert "no confidence was moved" in done.err
    assert done.code == 0


def test_the_same_end_twice_says_so_and_another_is_refused(mem, begun):
    mem("run", "finish", begun["id"], "--worked")
    again = mem("run", "finish", begun["id"], "--worked")
    other = mem("run", "finish", begun["id"], "--failed")

    assert (again.code, again.err) == (
        0,
        f"nothing was changed: {begun['id']} is reported as worked already\n",
    )
    assert other.code == 2
    assert "cannot be reported as failed" in other.err


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (("finish", "run_zzzz", "--worked"), 3, "there is no run 'run_zzzz'"),
        (("finish", "run_zzzz"), 2, "add --worked or --failed"),
        (("finish", "run_zzzz", "--worked", "--failed"), 2, "add --worked or --failed"),
        (("show", "run_zzzz"), 3, "there is no run 'run_zzzz'"),
        (("start",), 2, "Missing argument"),
        (("start", "x", "--scope", "../up"), 2, "leaves the project"),
        (("start", "x", "--include", "mem_zzzz"), 3, "there is no memory 'mem_zzzz'"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_sentence(mem, arguments, code, says):
    answer = mem("run", *arguments)

    assert answer.code == code
    assert says in answer.err
    assert mem("run", "list", "--json").data["items"] == []


def test_an_end_is_undone_by_mem_undo(mem, two, begun):
    mem("run", "finish", begun["id"], "--worked", "--used", two[1])
    undone = mem("undo")

    assert f"{begun['id']} is in progress again" in undone.out + undone.err
    assert mem("run", "show", begun["id"], "--json").data["result"] is None


def test_the_recall_of_a_run_tells_how_it_was_chosen(mem, begun):
    text = mem("recalls", begun["recall"]).out

    assert "for a run: first by scope, then by confidence × relevance" in text
    assert "confidence 0.40; relevance 1.00; matches the task's write scope" in text


def test_an_empty_store_gives_a_run_nothing_and_says_so(mem):
    begun = mem("run", "start", "anything")

    assert "0 memories" in begun.out
    assert "no memories selected" in begun.err
    assert "there was no run" not in mem("run", "list").err


def test_the_python_door_does_the_same(machine, two, begun):
    with memory_layer.open() as memory:
        run = memory.start_run("speed up the core", write_scope=["src/core/**"])
        done = memory.finish_run(run.id, "worked", used=[two[0]], notes=["Warm the caches"])
        assert [hit.memory.id for hit in run.hits] == two
        assert done.trusted[0].confidence == 0.5
        assert memory.run(run.id).ending == done.run.ending
        assert [each.id for each in memory.runs()] == [run.id, begun["id"]]
        with pytest.raises(InvalidInput, match="result must be one of worked, failed"):
            memory.finish_run(run.id, "maybe")
        with pytest.raises(InvalidInput, match="used must be a list of texts"):
            memory.finish_run(run.id, "worked", used=two[0])


def test_runs_are_exported_to_learn_from(mem, two, begun, tmp_path):
    mem("run", "finish", begun["id"], "--worked", "--used", two[0])
    file = tmp_path / "runs.jsonl"
    told = mem("export", "--training", str(file))
    refused = mem("export", "--training", "--vectors")

    assert told.out == f"{file}: 1 run\n"
    assert json.loads(file.read_text())["reward"] == 1.0
    assert json.loads(mem("export", "--training", "--project", ".").out)["id"] == begun["id"]
    assert refused.code == 2
    assert "only be combined with --project" in refused.err
    with memory_layer.open() as memory:
        assert memory.export(tmp_path / "again.jsonl", format="training").lines == 1
        with pytest.raises(InvalidInput, match="takes no filters and no vectors"):
            memory.export(tmp_path / "more.jsonl", format="training", vectors=True)


def test_a_project_that_nobody_knows_has_had_no_run(mem, begun, tmp_path):
    assert mem("run", "list", "--project", str(tmp_path), "--json").data["items"] == []
    assert [each["id"] for each in mem("run", "list", "--project", ".", "--json").data["items"]] == [
        begun["id"]
    ]


def test_the_end_of_a_run_tells_how_relevance_followed_the_reports_and_undo_takes_it_back(mem):
    memory = mem("add", "Uploads retry three times", "--json").data["id"]
    for number in range(3):
        words = (
            "--query",
            f"question {number}",
            "--session",
            f"session {number}",
            "--evidence",
            "exit code 1",
        )
        mem("outcome", memory, "partial" if number else "failed", *words)
    run = mem("run", "start", "make uploads faster", "--include", memory, "--json").data["id"]
    done = mem("run", "finish", run, "--failed", "--used", memory)

    assert f"{memory[:12]}  relevance 1.00 → 0.99, from its outcomes" in done.out
    assert "relevance:" in mem("show", memory, "--peek").out
    assert "relevance: 1.0 → 0.9875" in mem("history", memory).out
    mem("undo")
    assert "relevance:" not in mem("show", memory, "--peek").out
    data = mem("run", "finish", run, "--failed", "--used", memory, "--json").data
    assert data["moved"] == []


def test_the_setting_of_the_step_is_shown_and_can_be_off(mem):
    assert mem("config", "get", "memory.relevance_step").out == "0.05\n"
    typed("config", "set", "memory.relevance_step", "off")

    assert mem("config", "get", "memory.relevance_step").out == "off\n"
    assert "from 0 to 0.05, or off" in typed("config", "set", "memory.relevance_step", "1")[1]
