"""`mem edit`, `mem tag`, `mem related` and `mem links`."""

from __future__ import annotations

import pytest


@pytest.fixture
def known(mem):
    return mem("add", "Retry the flaky upload with a backoff", "--tag", "upload", "--json").data["id"]


@pytest.fixture
def other(mem):
    return mem("add", "The upload needs a token", "--json").data["id"]


def test_a_text_is_changed_and_shown(mem, known):
    answer = mem("edit", known[:12], "--content", "Retry the upload twice")

    assert answer.code == 0
    assert answer.out == f"{known[:12]}  general  Retry the upload twice  (just now)\n"
    for text, stdin in (("Retry the upload thrice", None), ("-", "Retry once\n")):
        edited = mem("edit", known, text, "--json", stdin=stdin).data["memory"]
        assert edited["content"] == (stdin or text).strip()


def test_every_option_of_edit_arrives(mem, known):
    data = mem(
        *(
            "edit",
            known,
            "-c",
            "debugging",
            "--priority",
            "high",
            "--confidence",
            "0.5",
            "--relevance",
            "0.2",
        ),
        *("--expires", "2999-01-01", "--add-tag", "net", "--remove-tag", "upload", "--scope", "src/**"),
        *("--meta", '{"ticket": 42, "team": "a"}', "--json"),
    ).data
    memory = data["memory"]
    again = mem(*("edit", known, "--unset-meta", "team", "--no-scope", "--expires", "never", "--json")).data[
        "memory"
    ]

    assert data["redacted"] == []
    assert (memory["category"], memory["priority"]) == ("troubleshooting", "high")
    assert (memory["confidence"], memory["relevance"]) == (0.5, 0.2)
    assert memory["expires_at"].startswith("2999-01-01")
    assert (memory["tags"], memory["scope"]) == (["net"], ["src/**"])
    assert memory["metadata"] == {"ticket": 42, "team": "a"}
    assert (again["metadata"], again["scope"], again["expires_at"]) == ({"ticket": 42}, [], None)


def test_a_text_is_read_from_standard_input(mem, known):
    answer = mem("edit", known, "--content", "-", "--json", stdin="Zurück auf Anfang\n")

    assert answer.data["memory"]["content"] == "Zurück auf Anfang"


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        ((), 2, "nothing to change: name at least one field"),
        (("--content", ""), 2, "the content is empty"),
        (("one", "--content", "two"), 2, "give the new text once"),
        (("--meta", "[]"), 2, "must be a JSON object"),
        (("--scope", "a/**", "--no-scope"), 2, "use either"),
        (("--expires", "2001-01-01"), 2, "is in the past"),
        (("--confidence", "0.9"), 1, "only a person may raise"),
    ],
)
def test_an_edit_that_cannot_be_is_refused_with_a_sentence(mem, known, arguments, code, words):
    answer = mem("edit", known, *arguments)

    assert (answer.code, answer.out) == (code, "")
    assert words in answer.err
    assert mem("edit", "zzzz9999", "--add-tag", "x").code == 3


def test_an_edit_says_what_it_redacted_and_what_waits(mem, known):
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    redacted = mem("edit", known, "--content", f"Log in with {secret}")
    held = mem("edit", known, "-c", "policy")
    long = mem("edit", mem("add", "short", "--json").data["id"], "--content", "word " * 500)

    assert secret not in redacted.out
    assert "redacted before storing" in redacted.err
    assert "Not active yet, needs your approval" in held.err
    assert "one memory should be one fact" in long.err


def test_the_tag_of_the_manual_works(mem, known):
    memory = mem("tag", known, "topic=kafka", "retries=3", "backend", "--json").data["memory"]
    answer = mem("tag", known, "backend", "topic", "--remove", "--json").data["memory"]

    assert (memory["metadata"], memory["tags"]) == ({"topic": "kafka", "retries": 3}, ["upload", "backend"])
    assert (answer["metadata"], answer["tags"]) == ({"retries": 3}, ["upload"])
    assert [hit["id"] for hit in mem("search", "retries 3", "--json").data["hits"]] == [known]


def test_a_tag_needs_a_memory_and_a_word(mem, known):
    assert mem("tag", known).code == 2
    assert mem("tag", "zzzz9999", "x").code == 3
    assert mem("tag", known, "=x").code == 2


def test_related_memories_are_shown_by_words_without_the_model(mem, known, other):
    data = mem("related", known, "--json").data

    assert (data["id"], data["mode"]) == (known, "keyword")
    assert [hit["id"] for hit in data["hits"]] == [other]
    assert data["hits"][0]["score"] > 0
    assert mem("related", known, "-n", "1").out.startswith(other[:12])


def test_related_memories_are_shown_by_meaning_with_the_model(mem, with_model, known, other):
    assert mem("related", known, "--json").data["mode"] == "semantic"


def test_nothing_related_is_an_answer(mem, known):
    answer = mem("related", known)

    assert (answer.code, answer.out, answer.err) == (0, "", "nothing related\n")
    assert mem("show", known, "--peek", "--json").data["memory"]["use_count"] == 0


def test_links_are_added_shown_and_taken_away(mem, known, other):
    added = mem("links", known, "--add", "supersedes", other[:12])
    (shown,) = mem("links", other, "--json").data["items"]
    removed = mem("links", known, "--remove", "supersedes", other)

    assert added.out == f"{known[:12]}  supersedes  {other[:12]}\n"
    assert (shown["source"], shown["kind"], shown["target"]) == (known, "supersedes", other)
    assert (removed.code, removed.out, removed.err) == (0, "", "no links\n")


def test_a_link_that_cannot_be_is_refused(mem, known, other):
    both = ("--add", "relates_to", other, "--remove", "relates_to", other)

    assert mem("links", known, *both).code == 2
    assert mem("links", known, "--add", "likes", other).code == 2
    assert mem("links", known, "--remove", "relates_to", other).code == 3
    assert mem("links", known, "--add", "relates_to", known).code == 2
