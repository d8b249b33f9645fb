"""`mem add` as an agent calls it."""

from __future__ import annotations

import pytest

#: Put together, so that no file of the project looks as if it held a key.
TOKEN = "gh" + "p_" + "A1b2C3d4" * 4 + "E5f6"


def stored(mem, added):
    return mem("show", added["id"], "--json", "--peek").data["memory"]


def test_the_first_call_of_the_manual_works(mem):
    answer = mem("add", "Always use snake_case for Python functions", "-c", "convention")

    assert answer.code == 0
    assert answer.out.startswith("mem_")
    assert answer.out.endswith("  created\n")


def test_the_answer_in_json_has_the_promised_shape(mem):
    data = mem("add", "Retry the upload", "--json").data

    assert data == {"id": data["id"], "status": "created", "candidates": [], "redacted": []}
    assert len(data["id"]) == len("mem_") + 26


def test_json_may_be_asked_for_before_the_command(mem):
    assert mem("--json", "add", "Retry the upload").data["status"] == "created"


def test_the_same_text_again_exists(mem):
    first = mem("add", "Retry the upload", "--json").data
    second = mem("add", "  retry the UPLOAD. ", "--json").data

    assert second["status"] == "exists"
    assert second["id"] == first["id"]


def test_everything_said_about_a_memory_is_kept(mem):
    added = mem(
        *("add", "Deploy on Tuesdays", "--type", "debugging", "-t", "deploy", "--tags", "release, ops"),
        *("--meta", '{"ticket": 42}', "--scope", "src/core/**", "--priority", "high", "--confidence", "0.5"),
        *("--relevance", "0.9", "--source", "run", "--as", "release-bot", "--json"),
    ).data
    memory = stored(mem, added)

    assert memory["category"] == "troubleshooting"
    assert memory["tags"] == ["deploy", "release", "ops"]
    assert memory["metadata"] == {"ticket": 42}
    assert memory["scope"] == ["src/core/**"]
    assert memory["priority"] == "high"
    assert (memory["confidence"], memory["relevance"]) == (0.5, 0.9)
    assert (memory["source"], memory["writer"], memory["writer_kind"]) == ("run", "release-bot", "agent")


def test_words_without_quotes_are_one_text(mem):
    added = mem("add", "retry", "the", "upload", "--json").data

    assert stored(mem, added)["content"] == "retry the upload"


@pytest.mark.parametrize("arguments", [("-",), ()])
def test_text_can_come_from_a_pipe(mem, arguments):
    added = mem("add", *arguments, "--json", stdin="Use grüße\nand a second line\n").data

    assert stored(mem, added)["content"] == "Use grüße\nand a second line"


def test_what_is_not_utf8_is_refused_with_a_sentence(mem):
    answer = mem("add", "-", stdin=b"caf\xe9")

    assert answer.code == 2
    assert answer.err == "mem: standard input is not valid UTF-8 (byte 4)\n"


def test_an_empty_pipe_stores_nothing(mem):
    answer = mem("add", "--json", stdin="")

    assert answer.code == 2
    assert answer.error["code"] == "invalid_input"
    assert mem("stats", "--json").data["total"] == 0


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--meta", "{"), "--meta is not valid JSON"),
        (("--meta", "[1]"), "--meta must be a JSON object"),
        (("--expires", "soon"), "'soon' is not a time"),
        (("--expires", "2001-01-01"), "is in the past"),
        (("--category", "gossip"), "the categories are: rules (policy, preference"),
        (("--priority", "urgent"), "not one of critical, high, medium, normal"),
        (("--confidence", "7"), "0<=x<=1"),
        (("--tags", ",".join("abcdefghijklmnopqrstuvwxyz0123456789")), "the limit is 32"),
        (("--project", "./nobody-knows-it"), None),
        (("--global", "--project", "."), "choose one"),
        (("--project", " "), "the project's name is empty"),
        (("--meta", r'{"k": "\u0000"}'), "the metadata contains a NUL byte"),
    ],
)
def test_a_wrong_option_stores_nothing(mem, arguments, says):
    answer = mem("add", "Retry the upload", *arguments)

    assert answer.code == (2 if says else 3)
    assert (says or "there is no folder") in answer.err
    assert mem("stats", "--json").data["total"] == 0


@pytest.mark.parametrize(("given", "kept"), [("2w", True), ("2199-01-01", True), ("never", False)])
def test_a_memory_can_expire_when_its_writer_says(mem, given, kept):
    added = mem("add", "The migration runs this week", "-c", "context", "--expires", given, "--json").data

    assert (stored(mem, added)["expires_at"] is not None) == kept


def test_a_secret_is_taken_out_and_reported(mem):
    answer = mem("add", f"The deploy job uses {TOKEN}", "--json")

    assert len(answer.data["redacted"]) == 1
    assert TOKEN not in answer.out
    assert "[REDACTED:" in stored(mem, answer.data)["content"]


def test_a_person_reads_what_was_taken_out(mem):
    assert "redacted before storing: " in mem("add", f"The deploy job uses {TOKEN}").err


def test_an_agent_may_not_store_a_secret(mem):
    answer = mem("add", f"The deploy job uses {TOKEN}", "--allow-secret", "--json")

    assert answer.code == 1
    assert answer.error["code"] == "not_allowed"


def test_a_rule_from_an_agent_waits_for_a_person(mem):
    answer = mem("add", "Never deploy on Fridays", "-c", "policy", "--json")

    assert answer.code == 0
    assert answer.data["status"] == "staged"
    assert answer.data["reason"]


def test_a_citation_is_kept_relative_to_the_project(mem, machine):
    (machine / "work" / "notes.md").write_text("one\ntwo\nthree\n")
    added = mem(
        "add", "Two comes after one", "--cite", "notes.md:1-2", "--cite", "https://example.org/a", "--json"
    )
    file, address = stored(mem, added.data)["citations"]

    assert (file["path"], file["first_line"], file["last_line"]) == ("notes.md", 1, 2)
    assert file["excerpt"] == "one\ntwo"
    assert (address["url"], address["path"]) == ("https://example.org/a", None)


@pytest.mark.model
def test_a_repetition_is_a_question_that_a_second_call_answers(mem, with_model):
    known = mem("add", "Run the test suite with make check before every push.", "--json").data
    again = "Always run the test suite with make check before every push."
    asked = mem("add", again, "--json")
    merged = mem("add", again, "--on-duplicate", "merge", "--json").data

    assert asked.code == 4
    assert asked.data["status"] == "similar"
    assert set(asked.data["candidates"][0]) == {"id", "similarity", "relation", "content"}
    assert asked.data["candidates"][0]["id"] == known["id"]
    assert (merged["status"], merged["id"]) == ("merged", known["id"])
    assert stored(mem, merged)["content"] == again


@pytest.mark.model
def test_the_question_says_what_answers_it(mem, with_model):
    mem("add", "Run the test suite with make check before every push.")
    asked = mem("add", "Always run the test suite with make check before every push.")

    assert asked.code == 4
    assert "--on-duplicate merge, keep or skip" in asked.err
    assert "Run the test suite with make check before every push." in asked.err


@pytest.mark.model
def test_a_correction_is_kept_beside_what_it_denies(mem, with_model):
    old = mem("add", "The booking API listens on port 8080.", "--json").data
    new = mem("add", "The booking API listens on port 8081.", "--json").data
    hits = mem("search", "port of the booking API", "--json").data["hits"]

    assert new["status"] == "created"
    assert [candidate["relation"] for candidate in new["candidates"]] == ["conflicts"]
    assert [hit["id"] for hit in hits] == [new["id"], old["id"]]
    assert hits[0]["conflicts"] == [old["id"]]
