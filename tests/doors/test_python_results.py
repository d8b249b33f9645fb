"""Results of the Python door are sequences of their entries, with the rest as attributes."""

from __future__ import annotations

import copy
import pickle

import pytest

from memory_layer.doors.python import open_memory
from memory_layer.model.query import Found, Mode


@pytest.fixture
def memory(machine):
    with open_memory() as opened:
        for text in ("Uploads are retried", "Uploads are signed", "Uploads are logged"):
            opened.add(text, category="fact", on_duplicate="keep")
        yield opened


def test_a_result_is_the_sequence_of_its_hits(memory):
    found = memory.search("uploads")

    assert len(found) == len(found.hits) == 3
    assert [*found] == [*found.hits]
    assert (found[0], found[-1], found[:2]) == (found.hits[0], found.hits[-1], found.hits[:2])
    assert found[1] in found
    assert found.index(found[1]) == 1
    assert [*reversed(found)] == [*found.hits[::-1]]


def test_a_result_without_hits_is_false(memory):
    nothing = memory.search("quarterly tax declaration")

    assert not nothing
    assert len(nothing) == 0
    assert nothing.mode is Mode.KEYWORD


@pytest.mark.parametrize(
    "ask",
    [
        lambda memory: memory.list(),
        lambda memory: memory.timeline(),
        lambda memory: memory.review(),
        lambda memory: memory.procedures(),
    ],
    ids=["list", "timeline", "review", "procedures"],
)
def test_a_page_is_the_sequence_of_its_items(memory, ask):
    page = ask(memory)

    assert [*page] == [*page.items]
    assert bool(page) is bool(page.items)


def test_versions_and_neighbours_are_sequences_too(memory):
    first = memory.list()[0].id

    assert [version.number for version in memory.history(first)] == [1]
    assert [each.memory.id for each in memory.related(first)] == [
        each.memory.id for each in memory.related(first).hits
    ]


def test_a_result_is_shown_with_its_texts_and_without_what_is_unset(memory):
    text = repr(memory.search("retried"))

    assert text.startswith("Found([mem_")
    assert "'Uploads are retried'" in text
    assert "redacted" not in text


def test_a_result_is_copied_and_compared_by_all_its_fields(memory):
    found, page = memory.search("uploads"), memory.timeline()

    assert copy.copy(found) == found
    assert pickle.loads(pickle.dumps(page)) == page
    assert found._replace(ranker="rrf") != found
    assert found._replace(hits=(), notice=None) == Found(found.recall, found.mode, found.ranker, ())
