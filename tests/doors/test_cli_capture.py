"""`mem capture`, and the same from Python."""

from __future__ import annotations

import json

import pytest

import memory_layer as ml
from memory_layer.errors import InvalidInput

MESSAGE = "Thanks! I prefer small commits. All keys must come from the vault. Why is the test red?"


def transcript(*texts):
    lines = [
        {"type": "user", "timestamp": "2020-01-01T10:00:00Z", "message": {"role": "user", "content": text}}
        for text in texts
    ]
    return "\n".join(map(json.dumps, lines))


def test_a_dry_run_shows_what_would_be_kept_and_makes_no_store(mem, machine):
    answer = mem("capture", "--dry-run", stdin=MESSAGE)
    assert "would keep  [preference, medium]  I prefer small commits" in answer.out
    assert "would stage  [policy, critical]  All keys must come from the vault" in answer.out
    assert "nothing changed" in answer.err
    assert not (machine / "home" / "memory.db").exists()


def test_what_is_kept_is_told_with_how_to_take_it_back(mem):
    answer = mem("capture", "-", stdin=MESSAGE)
    assert [line.split()[1] for line in answer.out.splitlines()] == ["created", "staged"]
    assert "mem undo op_" in answer.err
    assert "1 not active yet" in answer.err
    assert [each["content"] for each in mem("list", "--json").data["items"]] == ["I prefer small commits"]


def test_the_json_has_what_was_kept_reinforced_and_skipped(mem):
    mem("capture", stdin="I prefer small commits.")
    data = mem("capture", "--json", stdin=MESSAGE).data
    assert [each["status"] for each in data["kept"]] == ["staged"]
    assert [each["status"] for each in data["reinforced"]] == ["reinforced"]
    assert data["skipped"] == 0
    assert "would_keep" not in data
    assert {"id", "status", "category", "priority", "content", "cue", "why"} <= data["kept"][0].keys()
    assert "would_keep" in mem("capture", "--dry-run", "--json", stdin=MESSAGE).data


def test_a_transcript_is_seen_by_its_look_and_read_once(mem, machine):
    file = machine / "work" / "session.jsonl"
    file.write_text(transcript("I prefer small commits.", "We decided to keep REST."), "utf-8")
    assert len(mem("capture", "session.jsonl", "--json").data["kept"]) == 2
    again = mem("capture", "session.jsonl", "--json").data
    assert (again["kept"], again["reinforced"], again["skipped"]) == ([], [], 2)
    assert again["operation"] is None


UNSURE = "the nightly import needs docker and two hours on the staging server"


def test_a_message_that_rules_cannot_word_gives_a_reminder(mem):
    answer = mem("capture", stdin=UNSURE)
    assert answer.out == "nothing to store\n"
    assert "reminder: This message may hold something that lasts" in answer.err
    assert mem("capture", "--json", stdin=UNSURE).data["reminder"].startswith("This message may hold")
    assert mem("capture", "--json", stdin="What does this do?").data["reminder"] is None


def test_a_transcript_gives_one_reminder_for_all_its_messages(mem, machine):
    file = machine / "work" / "session.jsonl"
    file.write_text(transcript(UNSURE, "thanks!", f"also {UNSURE}"), "utf-8")
    assert mem("capture", "session.jsonl", "--json").data["reminder"].startswith("2 messages may hold")


def test_nothing_to_keep_is_said(mem):
    assert mem("capture", stdin="What does this do?").out == "nothing to store\n"


@pytest.mark.parametrize(
    ("arguments", "stdin", "words"),
    [
        (("missing.jsonl",), None, "is not a readable file"),
        (("--transcript",), "I prefer tabs.", "not a transcript"),
        ((), b"\xff\xfe", "not valid UTF-8"),
    ],
)
def test_what_cannot_be_read_is_one_sentence(mem, machine, arguments, stdin, words):
    answer = mem("capture", *arguments, stdin=stdin)
    assert answer.code == 2
    assert words in answer.err
    assert len(answer.err.splitlines()) == 1


def test_python_captures_texts_and_files(machine):
    file = machine / "work" / "session.jsonl"
    file.write_text(transcript("I prefer small commits."), "utf-8")
    with ml.open() as memory:
        assert len(memory.capture(MESSAGE, dry_run=True).would_keep) == 2
        assert memory.capture(MESSAGE, dry_run=True).reminder is None
        assert memory.capture(UNSURE, dry_run=True).reminder
        assert len(memory.capture(file=file).kept) == 1
        assert memory.capture(file="session.jsonl").skipped == 1
        for given in ({}, {"text": "a", "file": file}):
            with pytest.raises(InvalidInput, match="either a text or a file"):
                memory.capture(**given)
