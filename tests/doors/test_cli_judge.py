"""`mem outcome`, `mem reinforce`, `mem archive` and `mem restore`."""

from __future__ import annotations

import pytest

from memory_layer.rules.lifecycle import NOT_COUNTED
from tests.doors.terminals import typed


@pytest.fixture
def known(mem):
    return mem("add", "Retry the flaky upload with a backoff", "--json").data["id"]


def test_the_outcome_of_the_manual_works(mem, known):
    answer = mem("outcome", known[:12], "worked")

    assert answer.code == 0
    assert answer.out == f"{known[:12]}  worked  score +0.20  active\n"


def test_the_answer_in_json_has_the_promised_shape(mem, known):
    data = mem("outcome", known, "partial", "--json").data

    assert data == [
        {
            "id": known,
            "result": "partial",
            "outcome_score": 0.05,
            "status": "active",
            "counted": True,
            "repeated": False,
        }
    ]


def test_several_memories_are_judged_at_once_or_not_at_all(mem, known):
    other = mem("add", "Cache the seat map", "--json").data["id"]
    both = mem("outcome", known, other, "worked", "--json").data
    half = mem("outcome", known, "zzzz9999", "failed")

    assert [judged["id"] for judged in both] == [known, other]
    assert half.code == 3
    assert mem("show", known, "--json").data["memory"]["failed"] == 0


def test_a_verdict_on_nothing_in_particular_is_refused(mem, known):
    assert mem("outcome", "worked").code == 2


def test_an_unknown_result_lists_the_known_ones(mem, known):
    answer = mem("outcome", known, "excellent")

    assert answer.code == 2
    assert "not one of worked, partial, failed" in answer.err


def test_failures_archive_a_memory(mem, known):
    mem("outcome", known, "failed")

    assert mem("outcome", known, "failed", "--json").data[0]["status"] == "archived"


def test_an_angry_burst_is_stored_but_not_counted(mem):
    ids = [
        mem("add", f"Advice about {topic}", "--json").data["id"]
        for topic in "ducks geese swans gulls".split()
    ]
    answers = [mem("outcome", each, "failed", "--session", "bad-day") for each in ids]
    proven = mem("outcome", ids[3], "failed", "--session", "bad-day", "--evidence", "exit code 1", "--json")

    assert [answer.code for answer in answers] == [0, 0, 0, 0]
    assert "not counted" in answers[3].out
    assert "stored but not counted" in answers[3].err
    assert proven.data[0]["counted"] is True


def test_the_same_event_counts_once(mem, known):
    first, second = (mem("outcome", known, "worked", "--event", "ci-run-7") for _ in range(2))

    assert ("repeated" in first.out, "repeated" in second.out) == (False, True)
    assert mem("outcome", known, "worked", "--event", "ci-run-7", "--json").data[0]["repeated"] is True
    assert mem("outcome", known, "failed", "--event", "ci-run-7").code == 2
    assert mem("show", known, "--json").data["memory"]["worked"] == 1


def test_an_outcome_can_name_its_recall(mem, known):
    recall = mem("search", "flaky upload", "--json").data["recall"]
    mem("outcome", known, "worked", "--recall", recall, "--as", "builder", "--session", "s1")
    (event,) = mem("show", known, "--json").data["outcomes"]

    assert (event["recall"], event["query"]) == (recall, "flaky upload")
    assert (event["writer"], event["session"]) == ("builder", "s1")


def test_an_unknown_recall_is_not_found(mem, known):
    assert mem("outcome", known, "worked", "--recall", "rec_nothing").code == 3


def test_what_worked_comes_back_earlier_for_the_same_question(mem):
    first = mem("add", "The nightly import is slow: raise the number of workers to 16", "--json").data["id"]
    second = mem("add", "The nightly import is slow: drop the price index before it starts", "--json").data[
        "id"
    ]
    question = "why is the nightly import slow"
    before = [hit["id"] for hit in mem("search", question, "--json").data["hits"]]
    mem("outcome", before[0], "failed", "--query", question)
    mem("outcome", before[1], "worked", "--query", question)
    after = [hit["id"] for hit in mem("search", question, "--json").data["hits"]]

    assert set(before) == {first, second}
    assert after == before[::-1]


def test_a_memory_is_archived_and_restored(mem, known):
    (archived,) = mem("archive", known[:12], "--json").data["items"]
    (restored,) = mem("restore", known, "--json").data["items"]

    assert (archived["status"], archived["reason"]) == ("archived", "asked")
    assert restored["status"] == "active"


def test_what_is_archived_is_not_confirmed(mem, known):
    mem("archive", known)
    refused = mem("reinforce", known)

    assert (refused.code, refused.out) == (2, "")
    assert "is archived; bring it back with `mem restore` first" in refused.err
    assert mem("show", known, "--json").data["memory"]["reinforcement_count"] == 1


def test_a_memory_is_reinforced(mem, known):
    (memory,) = mem("reinforce", known, "--json").data["items"]

    assert memory["reinforcement_count"] == 2
    assert memory["use_count"] == 0


@pytest.mark.parametrize("command", ["archive", "restore", "reinforce"])
def test_a_change_names_its_memories_and_shows_them(mem, known, command):
    assert mem(command).code == 2
    assert mem(command, "zzzz9999").code == 3
    assert mem(command, known).out.startswith(known[:12])


def test_each_command_says_what_it_changed_or_that_nothing_did(mem):
    memory = mem("add", "Retry the upload", "--json").data["id"]
    short = memory[:12]

    assert mem("archive", memory).err == f"{short}: active → archived (on request)\nUndo: `mem undo`\n"
    assert mem("archive", memory).err == f"{short}: nothing changed\n"
    assert mem("restore", memory).err == f"{short}: archived → active\nUndo: `mem undo`\n"
    assert mem("restore", memory).err == f"{short}: nothing changed\n"
    assert mem("reinforce", memory).err == f"{short}: confirmed once so far\n"
    assert mem("reinforce", memory).err == f"{short}: not counted: {NOT_COUNTED}\n"
    assert mem("tag", memory, "net").err == f"{short}: tags: none → net\n"
    assert mem("tag", memory, "net").err == f"{short}: nothing changed\n"
    assert mem("tag", memory, "net", "--json").err == ""


def test_an_approval_says_what_it_raised(mem):
    memory = mem("add", "Retry the upload", "--json").data["id"]

    assert "confidence: 0.8 → 1.0" in typed("approve", memory)[1]
