"""`mem search` and `mem why` as an agent calls them."""

from __future__ import annotations

import pytest

from memory_layer.doors.wire import HIT_FIELDS


@pytest.fixture
def three(mem):
    """The ids of three memories, two of which are about uploads."""
    texts = {
        "Retry the flaky upload with a backoff": ("gotcha", "network"),
        "The upload folder is emptied every night": ("fact", "storage"),
        "Python functions are written in snake_case": ("convention", "style"),
    }
    return [
        mem("add", text, "-c", category, "-t", tag, "--json").data["id"]
        for text, (category, tag) in texts.items()
    ]


def ids(answer):
    return [hit["id"] for hit in answer.data["hits"]]


def test_the_search_of_the_manual_works(mem, three):
    answer = mem("search", "naming conventions snake_case", "--limit", "5")
    line = answer.out.splitlines()[0]

    assert answer.code == 0
    assert line.startswith(three[2][:12])
    assert "  convention  " in line
    assert "Python functions are written in snake_case" in line
    assert "just now" in line


def test_the_answer_in_json_has_the_promised_shape(mem, three):
    data = mem("search", "flaky upload", "--json").data

    assert list(data) == ["recall", "mode", "ranker", "hits"]
    assert data["recall"].startswith("rec_")
    assert (data["mode"], data["ranker"]) == ("keyword", "balanced")
    assert set(data["hits"][0]) == {
        *HIT_FIELDS,
        "score",
        "match",
        "strength",
        "conflicts",
        "citation",
        "failing",
    }
    assert data["hits"][0]["id"] == three[0]


def test_explain_and_full_add_to_the_hits(mem, three):
    hit = mem("search", "flaky upload", "--json", "--explain", "--full").data["hits"][0]

    assert set(hit["signals"][0]) == {"name", "value", "share"}
    assert sum(signal["share"] for signal in hit["signals"]) == pytest.approx(hit["score"], abs=1e-4)
    assert hit["content_hash"]


def test_nothing_found_is_no_error(mem, three):
    answer = mem("search", "zeppelin")

    assert (answer.code, answer.out) == (0, "")
    assert "nothing stored answers this" in answer.err


def test_the_missing_model_is_mentioned_once_and_not_to_programs(mem, three):
    assert mem("search", "flaky upload").err.count("mem model install") == 1
    assert mem("search", "flaky upload", "--json").err == ""
    assert mem("search", "flaky upload", "--mode", "keyword").err == ""


def test_an_agent_s_search_is_recorded_unless_it_only_peeks(mem, three):
    assert mem("search", "flaky upload", "--json", "--peek").data["recall"] is None
    assert mem("search", "flaky upload", "--json").data["recall"] is not None
    assert mem("show", three[0], "--json", "--peek").data["memory"]["recall_count"] == 1


@pytest.mark.parametrize(
    ("options", "found"),
    [
        (("-c", "gotcha"), [0]),
        (("-c", "gotcha", "--category", "fact"), [0, 1]),
        (("--type", "fact"), [1]),
        (("--tag", "storage"), [1]),
        (("--tag", "storage", "--tag", "network"), []),
        (("--tier", "episodic"), []),
        (("--source", "agent"), [0, 1]),
        (("--source", "human"), []),
        (("--status", "archived"), []),
        (("--writer", "agent"), [0, 1]),
        (("--writer", "somebody"), []),
        (("--min-confidence", "0.9"), []),
        (("--after", "1d"), [0, 1]),
        (("--before", "1d"), []),
        (("--before", "2199-12-31T10:00:00Z"), [0, 1]),
        (("--has-outcome",), []),
        (("--no-outcome",), [0, 1]),
        (("--global",), []),
        (("--all",), [0, 1]),
        (("--path", "src/main.py"), [0, 1]),
        (("--scope", "src/**"), []),
        (("--limit", "1"), [0]),
    ],
)
def test_a_filter_says_which_memories_may_answer(mem, three, options, found):
    answer = mem("search", "flaky upload", *options, "--json")

    assert sorted(ids(answer)) == sorted(three[place] for place in found)


def test_ids_restrict_the_answer_and_may_be_short(mem, three):
    assert ids(mem("search", "upload", "--id", three[1][4:12], "--json")) == [three[1]]


def test_archived_memories_are_found_on_request(mem, three):
    mem("archive", three[0])

    assert three[0] not in ids(mem("search", "flaky upload", "--json"))
    assert ids(mem("search", "flaky upload", "--status", "archived", "--json")) == [three[0]]
    assert "archived: on request" in mem("search", "flaky upload", "--status", "archived").out


def test_a_quoted_phrase_matches_exactly(mem, three):
    assert ids(mem("search", '"upload folder"', "--json")) == [three[1]]


@pytest.mark.parametrize("as_json", [True, False])
def test_the_budget_holds_for_the_whole_answer(mem, three, as_json):
    from memory_layer.text.tokens import estimate

    flags = ["--json"] if as_json else []
    whole = estimate(mem("search", "upload", *flags).out)
    least = estimate(mem("search", "upload", "--limit", "1", *flags).out)
    answer = mem("search", "upload", "--budget", str((whole + least) // 2), *flags)

    assert estimate(answer.out) <= (whole + least) // 2
    assert answer.out.count("upload") == 1


@pytest.mark.parametrize(
    "options",
    [("--limit", "0"), ("--mode", "magic"), ("--ranker", "best"), ("--after", "soon"), ("--all", "--global")],
)
def test_a_wrong_option_is_a_usage_error(mem, options):
    answer = mem("search", "upload", *options, "--json")

    assert answer.code == 2
    assert answer.error["code"] in ("usage", "invalid_input")


def test_a_secret_in_a_question_is_left_out_of_it(mem, three):
    token = "gh" + "p_" + "A1b2C3d4" * 4 + "E5f6"

    assert "removed from the query: " in mem("search", f"flaky upload {token}").err


@pytest.mark.parametrize("ranker", ["balanced", "five-signal", "rrf", "weighted"])
def test_every_ranker_can_be_chosen(mem, three, ranker):
    data = mem("search", "flaky upload", "--ranker", ranker, "--json").data

    assert data["ranker"] == ranker
    assert data["hits"][0]["id"] == three[0]


def test_evidence_stands_beside_a_hit(mem, three):
    for result in ("worked", "worked", "failed"):
        mem("outcome", three[0], result)

    assert "worked 2 · failed 1 · just now" in mem("search", "flaky upload").out


def test_why_tells_every_signal_and_what_was_left_out(mem, three):
    mem("archive", three[1])
    data = mem("why", "flaky upload", "--json").data
    text = mem("why", "flaky upload").out

    assert [hit["id"] for hit in data["hits"]] == [three[0]]
    assert data["hits"][0]["signals"]
    assert [(miss["id"], miss["reason"]) for miss in data["near_misses"]] == [(three[1], "archived")]
    assert data["recall"] is None
    assert "keyword score 1.00 of the best match" in text
    assert "archived; shown only on request" in text


def test_why_never_counts_as_use(mem, three):
    mem("why", "flaky upload")
    memory = mem("show", three[0], "--json", "--peek").data["memory"]

    assert (memory["recall_count"], memory["use_count"]) == (0, 0)


@pytest.mark.model
def test_with_the_model_a_search_finds_what_is_meant(mem, with_model):
    mem("add", "The login flow redirects through the identity provider")
    mem("add", "Invoices are printed at night")
    answer = mem("search", "authentication", "--limit", "1")

    assert "login flow" in answer.out
    assert answer.err == ""
    assert mem("search", "authentication", "--json").data["mode"] == "hybrid"
