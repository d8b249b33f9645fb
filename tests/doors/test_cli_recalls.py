"""`mem recalls`: looking back at what agents were given."""

from __future__ import annotations

import pytest

from memory_layer.text.tokens import estimate


@pytest.fixture
def two(mem):
    """The ids of two memories about uploads."""
    return [
        mem("add", text, "--json").data["id"]
        for text in ("Retry the flaky upload with a backoff", "The upload folder is emptied every night")
    ]


def test_the_last_answers_come_first(mem, two):
    first = mem("search", "flaky upload", "--json").data["recall"]
    second = mem("search", "upload folder", "--limit", "1", "--json").data["recall"]
    data = mem("recalls", "--json").data["items"]
    lines = mem("recalls").out.splitlines()

    assert [(each["id"], each["query"], each["memories"]) for each in data] == [
        (second, "upload folder", 1),
        (first, "flaky upload", 2),
    ]
    assert lines[1].startswith(
        f"{first[:12]}  search  2 memories  flaky upload  (just now · by agent · session "
    )
    assert [each["id"] for each in mem("recalls", "--limit", "1", "--json").data["items"]] == [second]


def test_what_was_given_without_a_question_says_what_it_was(mem, two):
    found = mem("context", "--json").data["recall"]

    assert mem("recalls").out.startswith(f"{found[:12]}  context  2 memories  ")
    assert "    for a session: rules, then what the task and its files need" in mem("recalls", found).out


def test_one_answer_is_shown_as_it_was_given(mem, two):
    found = mem("search", "flaky upload", "--explain", "--json").data
    data = mem("recalls", found["recall"][:12], "--json").data
    text = mem("recalls", found["recall"]).out

    assert (data["id"], data["mode"], data["ranker"]) == (found["recall"], "keyword", "balanced")
    assert [(hit["id"], hit["score"]) for hit in data["hits"]] == [
        (hit["id"], hit["score"]) for hit in found["hits"]
    ]
    for given, hit in zip(data["hits"], found["hits"], strict=True):
        told = {signal["name"]: signal["value"] for signal in given["signals"]}
        assert told == {signal["name"]: signal["value"] for signal in hit["signals"]}
    assert "keyword search, ranked by balanced" in text
    assert "Retry the flaky upload with a backoff" in text
    assert "keyword score 1.00 of the best match" in text


def test_what_was_cut_by_a_budget_was_not_given(mem, two):
    whole, least = (estimate(mem("search", "upload", "--limit", most, "--peek").out) for most in ("2", "1"))
    found = mem("search", "upload", "--budget", str((whole + least) // 2)).out
    (recall,) = mem("recalls", "--json").data["items"]

    assert recall["memories"] == len(found.splitlines()) == 1


def test_a_look_without_counting_leaves_no_trace(mem, two):
    mem("search", "flaky upload", "--peek")
    mem("why", "flaky upload")
    answer = mem("recalls")

    assert (answer.code, answer.out, answer.err) == (0, "", "no recalls yet\n")


def test_looking_back_never_counts_as_use(mem, two):
    recall = mem("search", "flaky upload", "--limit", "1", "--json").data["recall"]
    mem("recalls")
    mem("recalls", recall)
    memory = mem("show", two[0], "--peek", "--json").data["memory"]

    assert (memory["recall_count"], memory["use_count"]) == (1, 0)
    assert len(mem("recalls", "--json").data["items"]) == 1


def test_a_session_sees_what_it_was_given(mem, two):
    mem("search", "flaky upload", "--session", "morning")
    mem("search", "upload folder", "--session", "evening")

    assert [each["query"] for each in mem("recalls", "--session", "evening", "--json").data["items"]] == [
        "upload folder"
    ]
    assert mem("recalls", "--session", "night").err == "no recalls in this session\n"


def test_a_memory_that_changed_since_is_marked(mem, two):
    recall = mem("search", "flaky upload", "--limit", "1", "--json").data["recall"]
    mem("edit", two[0], "--content", "Retry the flaky upload three times")
    text = mem("recalls", recall).out

    assert "Retry the flaky upload three times" in text
    assert "changed since" in text


def test_an_outcome_takes_the_short_id_that_is_shown(mem, two):
    recall = mem("search", "flaky upload", "--json").data["recall"]
    mem("outcome", two[0], "worked", "--recall", recall[:12])
    (report,) = mem("show", two[0], "--peek", "--json").data["outcomes"]

    assert (report["recall"], report["query"]) == (recall, "flaky upload")


@pytest.mark.parametrize(
    ("arguments", "code", "name"),
    [
        (("rec_zzzzzz",), 3, "not_found"),
        (("x",), 2, "invalid_input"),
        (("rec_zzzzzz", "--session", "s"), 2, "usage"),
        (("--limit", "0"), 2, "usage"),
        (("--session", ""), 2, "invalid_input"),
    ],
)
def test_what_leads_nowhere_is_one_sentence(mem, two, arguments, code, name):
    answer = mem("recalls", *arguments, "--json")

    assert (answer.code, answer.error["code"]) == (code, name)
