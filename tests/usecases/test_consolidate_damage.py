"""Consolidation of a store whose vectors are damaged, or go away while it looks at them."""

from __future__ import annotations

import pytest

from memory_layer.errors import StoreDamaged
from memory_layer.model.upkeep import Deed
from memory_layer.store.sqlite import neighbours
from tests.usecases.test_consolidate import deeds, said, tidied


@pytest.fixture
def alike_ones(engine, agent, clock):
    """Two memories that say the same, behind one whose vector may be spoiled."""
    first = said(engine, agent, "The cranes are painted green")
    said(engine, agent, "Always run the linter before you push")
    clock.pass_(hours=1)
    return first, said(engine, agent, "Run always the linter before you push")


@pytest.mark.parametrize("numbers", ["x''", "x'00'", "zeroblob(100)", "zeroblob(768)", "randomblob(770)"])
def test_a_damaged_vector_does_not_keep_the_others_from_being_compared(engine, agent, alike_ones, numbers):
    first, newer = alike_ones
    spoil = f"update vector set numbers = {numbers} where memory = (select row from memory where id = ?)"
    with engine.store.writing():
        engine.store.connection.run(spoil, [first])
    assert deeds(tidied(engine, agent)) == [(Deed.MERGE, newer)]


@pytest.mark.parametrize("numbers", ["x''", "zeroblob(100)", "randomblob(770)"])
def test_where_no_vector_is_whole_nothing_is_merged_by_meaning(engine, agent, alike_ones, numbers):
    with engine.store.writing():
        engine.store.connection.run(f"update vector set numbers = {numbers}")
    assert tidied(engine, agent).steps == ()


def test_vectors_that_go_away_meanwhile_are_compared_no_more(engine, agent, alike_ones, monkeypatch):
    found = neighbours._candidates

    def later(laid, above):
        with engine.store.writing():
            engine.store.connection.run("delete from vector")
        return found(laid, above)

    monkeypatch.setattr(neighbours, "_candidates", later)
    assert tidied(engine, agent).steps == ()


def test_a_record_whose_times_make_no_sense_is_named(keyword_engine, agent):
    known = said(keyword_engine, agent, "The cranes are painted green")
    with keyword_engine.store.writing():
        keyword_engine.store.connection.run("update memory set expires_at = -99999999999999999")
    with pytest.raises(StoreDamaged, match=known):
        tidied(keyword_engine, agent)
