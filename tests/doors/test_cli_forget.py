"""`mem forget`: a person, a preview, and then nothing."""

from __future__ import annotations

import json

import pytest

from tests.doors.terminals import plain, typed


@pytest.fixture
def known(mem):
    return mem("add", "The Zanzibarquokka pays in cash", "--tag", "Xylophonemarmot", "--json").data["id"]


def test_an_agent_cannot_forget_and_is_not_told_how(mem, known):
    for arguments in ((known,), (known, "--yes")):
        answer = mem("forget", *arguments)

        assert (answer.code, answer.out) == (1, "")
        assert "only a person" in answer.err
        assert "erasing" not in answer.err
    assert mem("forget", known, "--yes", "--json").error["code"] == "not_allowed"
    assert mem("show", known, "--peek", "--json").data["memory"]["status"] == "active"


def test_a_person_first_sees_what_would_go(mem, known):
    mem("edit", known, "--add-tag", "fauna")
    mem("search", "who pays in cash")
    code, seen = typed("forget", known)

    assert code == 4
    assert "2 versions · 1 recall" in plain(seen)
    assert "The Zanzibarquokka pays in cash" in seen
    assert "this cannot be undone" in seen
    assert mem("show", known, "--peek", "--json").data["memory"]["status"] == "active"


def test_a_preview_in_json_names_every_trace(mem, known):
    code, seen = typed("forget", known, "--json")
    data = json.loads(plain(seen))["data"]

    assert code == 4
    assert data["erased"] is False
    assert data["memories"] == [
        {
            "id": known,
            "content": "The Zanzibarquokka pays in cash",
            "versions": 1,
            "links": 0,
            "outcomes": 0,
            "recalls": 0,
            "copies": [],
            "lives_on": None,
        }
    ]


def test_what_a_person_forgets_is_nowhere_in_the_folder(mem, known, machine):
    mem("tag", known, "owner=Wolverhamptonlynx")
    code, seen = typed("forget", known[:12], "--yes")
    stored = b"".join(path.read_bytes() for path in (machine / "home").rglob("*") if path.is_file()).lower()
    memory = mem("show", known, "--peek", "--json").data["memory"]

    assert code == 0
    assert "takes a moment" in seen
    assert "archived: forgotten" in plain(seen)
    assert not [
        word for word in (b"zanzibarquokka", b"xylophonemarmot", b"wolverhamptonlynx") if word in stored
    ]
    assert (memory["content"], memory["reason"]) == ("[forgotten]", "forgotten")
    assert mem("restore", known).code == 2


def test_what_is_forgotten_already_is_not_announced_as_an_erasure(mem, known):
    typed("forget", known, "--yes")
    code, seen = typed("forget", known)
    again, more = typed("forget", known, "--yes")

    assert (code, again) == (0, 0)
    assert "Already forgotten" in seen
    assert "already forgotten" in more
    assert "erasing" not in more


def test_the_answer_in_json_says_that_all_is_gone(mem, known):
    code, seen = typed("forget", known, "--yes", "--json")
    data = json.loads(plain(seen))["data"]

    assert code == 0
    assert (data["erased"], data["swept"]) == (True, True)
    assert [memory["id"] for memory in data["memories"]] == [known]


def test_an_unknown_memory_is_not_found(mem):
    assert typed("forget", "zzzz9999")[0] == 3
    assert mem("forget").code == 2
