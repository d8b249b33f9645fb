"""When a store is tidied by itself, and what it says about that."""

from __future__ import annotations

from datetime import timedelta

from memory_layer.model.memory import Draft
from memory_layer.model.upkeep import Deed
from memory_layer.model.vocabulary import Category
from memory_layer.usecases.remember.add import add
from memory_layer.usecases.upkeep.consolidate import consolidate
from memory_layer.usecases.upkeep.schedule import DONE, STARTED, claim_start, standing


def test_a_store_is_due_a_week_after_its_first_memory(keyword_engine, agent, clock):
    assert not claim_start(keyword_engine)
    assert standing(keyword_engine).due is None
    add(keyword_engine, Draft(content="Use pnpm"), agent)
    assert not claim_start(keyword_engine)
    clock.pass_(days=6, hours=23)
    assert not claim_start(keyword_engine)
    clock.pass_(hours=1)

    assert standing(keyword_engine).due == clock()
    assert claim_start(keyword_engine)


def test_only_one_caller_starts_it_and_another_one_if_that_came_to_nothing(keyword_engine, agent, clock):
    add(keyword_engine, Draft(content="Use pnpm"), agent)
    clock.pass_(days=8)

    assert [claim_start(keyword_engine) for _ in range(3)] == [True, False, False]
    clock.pass_(hours=1)
    assert [claim_start(keyword_engine) for _ in range(2)] == [True, False]
    consolidate(keyword_engine, agent, if_due=True)
    clock.pass_(days=6)
    assert not claim_start(keyword_engine)
    clock.pass_(days=1)
    assert claim_start(keyword_engine)


def test_nobody_starts_it_while_somebody_is_at_it(keyword_engine, agent, clock, monkeypatch):
    add(keyword_engine, Draft(content="Use pnpm"), agent)
    clock.pass_(days=8)
    claimed = []
    monkeypatch.setattr(
        "memory_layer.usecases.upkeep.consolidate.PARTS",
        (lambda work: claimed.append(claim_start(keyword_engine)),),
    )
    consolidate(keyword_engine, agent, if_due=True)

    assert claimed == [False]


def test_a_store_says_what_the_last_run_did(keyword_engine, agent, clock):
    soon = Draft(content="The beta runs", category=Category.CONTEXT)
    add(keyword_engine, soon, agent)
    clock.pass_(days=40)
    consolidate(keyword_engine, agent)
    after = standing(keyword_engine)

    assert (after.last, after.counts, after.runs) == (clock(), {Deed.ARCHIVE: 1}, 1)
    assert after.due == clock() + timedelta(days=7)
    consolidate(keyword_engine, agent, dry_run=True)
    consolidate(keyword_engine, agent)
    assert (standing(keyword_engine).counts, standing(keyword_engine).runs) == ({}, 2)


def test_notes_that_cannot_be_read_count_as_none(keyword_engine, agent, clock):
    add(keyword_engine, Draft(content="Use pnpm"), agent)
    clock.pass_(days=8)
    with keyword_engine.store.writing():
        for key in (STARTED, DONE):
            keyword_engine.store.set_note(key, '{"x"')

    assert claim_start(keyword_engine)
    assert standing(keyword_engine).runs == 0
