"""`mem embed`: what a person and a program are told about vectors."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest

OTHER = "somebody-elses/f32/00000000"


@pytest.fixture
def known(mem, model_folder, monkeypatch):
    """A memory from before the model came."""
    mem("add", "The login flow redirects through the identity provider")
    monkeypatch.setenv("MEM_MODEL", str(model_folder))


@pytest.fixture
def another_models(known, mem, machine):
    """The same with vectors, which another model is said to have made."""
    mem("embed")
    with closing(sqlite3.connect(machine / "home" / "memory.db")) as db:
        db.execute("update embedding set fingerprint = ?", [OTHER])
        db.commit()


@pytest.mark.model
def test_memories_from_before_the_model_get_their_vectors(mem, known):
    before = mem("search", "authentication")

    assert before.out == ""
    assert "1 memory is found by keywords only until `mem embed` has run" in before.err
    assert "`mem embed`" in mem("stats").out
    assert mem("embed", "--json").data["embedded"] == 1
    assert mem("embed").out == "every memory has vectors\n"
    assert "login flow" in mem("search", "authentication", "--mode", "semantic").out
    assert "`mem embed`" not in mem("stats").out


def test_embedding_without_a_model_says_what_to_do(mem):
    for how in ((), ("--check",), ("--prune",)):
        answer = mem("embed", *how, "--json")

        assert answer.code == 1
        assert "mem model install" in answer.error["message"]


@pytest.mark.model
def test_a_check_says_what_is_to_do_and_changes_nothing(mem, known):
    first, again = mem("embed", "--check"), mem("embed", "--check", "--json").data

    assert "0 of 1 memory, 0 bytes" in first.out
    assert "Not embedded yet: 1 memory. Run `mem embed`." in first.out
    assert (again["memories"], again["missing"], again["others"]) == (0, 1, [])


@pytest.mark.model
def test_another_models_vectors_are_named_kept_and_dropped_when_asked(mem, another_models):
    found = mem("embed", "--check").out
    kept = mem("embed", "--json").data
    dropped = mem("embed", "--prune")
    after = mem("embed", "--check", "--json").data

    assert f"{OTHER}  1 memory, 768 bytes; another model, not used" in found
    assert "`mem embed --prune`" in found
    assert (kept["embedded"], kept["pruned"]) == (1, None)
    assert "deleted 1 vector of other models; 768 bytes of the file can be reused" in dropped.out
    assert (after["memories"], after["others"]) == (1, [])
    assert mem("embed", "--prune", "--json").data["pruned"] == {"vectors": 0, "size": 0}


@pytest.mark.model
def test_a_check_cannot_prune(mem, known):
    answer = mem("embed", "--check", "--prune")

    assert answer.code == 2
    assert "use either --check or --prune" in answer.err
