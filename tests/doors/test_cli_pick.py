"""`mem search` with --group-by and --diverse, as an agent calls it."""

from __future__ import annotations

import pytest

from memory_layer.doors.wire import HIT_FIELDS

SLOW = "The nightly import is slow because the index is updated row by row"
ROWS = "The nightly import is slow: the index is updated row by row"
WEEKEND = "The import was moved to the weekend"


@pytest.fixture
def four(mem):
    """The ids of four memories of two sessions; the first and the third say the same."""
    texts = ((SLOW, "s-1"), (WEEKEND, "s-1"), (ROWS, "s-2"), ("Ferries wait at the pier", "s-2"))
    return [
        mem("add", text, "--meta", f'{{"session": "{session}"}}', "--on-duplicate", "keep", "--json").data[
            "id"
        ]
        for text, session in texts
    ]


def test_one_line_stands_for_each_group(mem, four):
    answer = mem("search", "slow import", "--group-by", "session")
    lines = answer.out.splitlines()

    assert len(lines) == 2
    assert any("(session s-1, 1 more · just now)" in line for line in lines)
    assert any("(session s-2 · just now)" in line for line in lines)


def test_a_grouped_answer_in_json_has_the_promised_shape(mem, four):
    data = mem("search", "slow import", "--group-by", "session", "--json").data

    assert list(data) == ["recall", "mode", "ranker", "group_by", "hits"]
    assert data["group_by"] == "session"
    assert all(
        set(hit)
        == {*HIT_FIELDS, "score", "match", "strength", "failing", "conflicts", "citation", "group", "more"}
        for hit in data["hits"]
    )
    assert sorted((hit["group"], hit["more"]) for hit in data["hits"]) == [("s-1", 1), ("s-2", 0)]


def test_the_limit_counts_groups(mem, four):
    (hit,) = mem("search", "import", "--group-by", "category", "--limit", "1", "--json").data["hits"]

    assert (hit["group"], hit["more"]) == ("general", 2)


def test_a_key_nobody_has_is_said_and_groups_nothing(mem, four):
    answer = mem("search", "slow import", "--group-by", "sesion")

    assert len(answer.out.splitlines()) == 3
    assert "none of these has 'sesion', so they are not grouped" in answer.err


def test_a_strange_value_cannot_steer_the_terminal(mem):
    added = mem("add", "Ferries wait", "--meta", '{"place": "a\\u001b[2J\\nb' + "x" * 200 + '"}', "--json")
    shown = mem("list", "--status", "staged")

    assert added.data["status"] == "staged"
    assert "Ferries" not in shown.out
    assert "\x1b" not in shown.out


@pytest.mark.parametrize("key", ["", "  ", "k" * 201])
def test_an_impossible_key_is_one_sentence(mem, four, key):
    answer = mem("search", "import", "--group-by", key, "--json")

    assert answer.code == 2
    assert answer.error["message"].startswith("the key to group by ")


def test_near_identical_hits_are_left_out_and_counted(mem, four):
    plain = mem("search", "slow import", "--json").data
    answer = mem("search", "slow import", "--diverse")
    diverse = mem("search", "slow import", "--diverse", "--json").data

    assert "duplicates" not in plain
    assert list(diverse) == ["recall", "mode", "ranker", "duplicates", "hits"]
    assert (len(plain["hits"]), len(diverse["hits"]), diverse["duplicates"]) == (3, 2, 1)
    assert "1 duplicate left out" in answer.err


def test_both_can_be_asked_for_and_why_says_what_stands_for_what(mem, four):
    asked = ("slow import", "--group-by", "session", "--diverse")
    data = mem("why", *asked, "--json").data
    best = data["hits"][0]["id"]
    reasons = {miss["reason"]: miss["words"] for miss in data["near_misses"]}

    assert data["duplicates"] == 1
    assert reasons["duplicate"] == f"duplicate of a better match ({best})"
    assert f"(duplicate of a better match ({best[:12]}))" in mem("why", *asked).out


def test_a_recall_holds_what_was_returned_and_nothing_else(mem, four):
    data = mem("search", "slow import", "--group-by", "session", "--diverse", "--json").data
    shown = {hit["id"] for hit in data["hits"]}
    counts = {each: mem("show", each, "--peek", "--json").data["memory"]["recall_count"] for each in four}

    assert {each for each, count in counts.items() if count} == shown


@pytest.mark.model
def test_with_the_model_meaning_finds_the_repetition(mem, with_model):
    for text in (
        "Retry the flaky upload with an exponential backoff",
        "Retry flaky uploads using exponential backoff",
        "Uploads land in the inbox folder",
    ):
        mem("add", text, "--on-duplicate", "keep")
    data = mem("search", "flaky upload", "--diverse", "--json").data

    assert (data["mode"], data["duplicates"], len(data["hits"])) == ("hybrid", 1, 2)
