"""Searches that somebody means badly, or that many memories answer equally well."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys

import pytest

import memory_layer
from memory_layer.errors import InvalidInput
from memory_layer.store.sqlite.files.private import index_of
from memory_layer.store.sqlite.search import SqliteSearch
from memory_layer.text.words import phrases


@pytest.fixture
def memory():
    with memory_layer.open(only_global=True) as opened:
        yield opened


def test_equally_good_memories_come_in_the_same_order_with_and_without_the_index(memory, monkeypatch):
    memory.add_many([f"fact {number} about the harbour q{number}" for number in range(60)])

    def found(view):
        monkeypatch.setattr(SqliteSearch, "view", view)
        return [hit.memory.content for hit in memory.search("harbour", mode="keyword", peek=True).hits]

    import numpy  # noqa: F401

    indexed = SqliteSearch.view
    assert found(indexed) == found(lambda store: None)


def test_a_thousand_quoted_phrases_are_no_fault_of_the_store(memory):
    memory.add("The build needs Java 21")
    question = " ".join(f'"word{number}"' for number in range(1100))
    with contextlib.suppress(InvalidInput):  # a sentence about the question would do as well
        assert memory.search(question, mode="keyword").hits == ()


def test_a_million_quotes_that_are_opened_and_never_closed_are_read_once():
    assert phrases("“" * 1_000_000 + "a phrase”") == [
        "a phrase"
    ]  # in hours, if each were followed to the end


@pytest.mark.parametrize("part", ["query", "recall", "evidence"])
def test_what_is_no_text_in_an_outcome_is_one_sentence(memory, part):
    known = memory.add("The build needs Java 21").id
    with pytest.raises(InvalidInput):
        memory.outcome([known], "worked", **{part: 5})


def test_a_ranker_that_is_no_text_is_one_sentence(memory):
    with pytest.raises(InvalidInput):
        memory.search("java", ranker=5)


@pytest.mark.parametrize("wrong", [None, {"content": "x y", "confidence": "1"}, {"content": "x", "bogus": 1}])
def test_of_many_the_one_that_is_wrong_is_named(memory, wrong):
    with pytest.raises(InvalidInput, match=r"memory 2: .*none was stored"):
        memory.add_many(["The build needs Java 21", wrong])


def test_never_expires_takes_no_word_for_yes(memory):
    with pytest.raises(InvalidInput):
        memory.add("The build needs Java 21", never_expires="no")


LOOKING = """
import numpy, memory_layer
with memory_layer.open(only_global=True) as memory:
    memory.search("harbour", mode="keyword", peek=True)
    print("ready", flush=True)
    input()
    print(len(memory.search("harbour w7", mode="keyword", peek=True).hits))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="a mapped file cannot be cut there")
def test_an_index_that_is_cut_while_in_use_does_not_kill_who_searches(memory):
    import numpy  # noqa: F401

    memory.add_many([f"fact {number} about the harbour w{number % 97} q{number}" for number in range(3000)])
    memory.search("harbour", mode="keyword", peek=True)
    with subprocess.Popen(
        [sys.executable, "-c", LOOKING], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as looking:
        assert looking.stdout is not None
        assert looking.stdout.readline() == "ready\n"
        for segment in index_of(memory._dispatcher.engine.store.connection.path).glob("*.segment"):
            os.truncate(segment, 100)
        answer, _ = looking.communicate("\n")
    assert (looking.returncode, answer) == (0, "10\n")
