"""What the designs say about events and procedures, sentence by sentence, through the shipped use cases."""

from __future__ import annotations

from datetime import timedelta

import pytest

from memory_layer.model.episodes import EpisodeKind, Event, HandoffParts
from memory_layer.model.memory import Draft
from memory_layer.model.query import Filters, Query
from memory_layer.model.runs import Recipe
from memory_layer.model.vocabulary import Outcome, Priority, Tier
from memory_layer.ports.log import EventFilter
from memory_layer.usecases.learn.episodes import hand_off, last_handoff, record, timeline
from memory_layer.usecases.learn.procedures import done, procedure, save
from memory_layer.usecases.look_up.browse import stats
from memory_layer.usecases.recall.search import search
from memory_layer.usecases.remember.add import add
from memory_layer.usecases.who.lookup import read_memory


@pytest.fixture
def engine(keyword_engine):
    return keyword_engine


def test_record_an_event_with_outcome_and_tags(engine, agent):
    event = Event("The nightly build broke", EpisodeKind.ERROR, Outcome.FAILED, ("ci", "linker"))
    memory = read_memory(engine.store, record(engine, event, agent).id)

    assert memory.tier is Tier.EPISODIC
    assert (memory.metadata["kind"], memory.metadata["outcome"]) == ("error", "failed")
    assert memory.tags == ("ci", "linker")


def test_an_episodic_memory_says_on_which_day_it_was_discovered(engine, agent, clock):
    add(engine, Draft("the API uses v2 format"), agent)
    day = clock() - timedelta(days=15)
    record(engine, Event("the API changed from v1 to v2 when the integration test broke", at=day), agent)

    assert [
        (each.memory.content[:15], each.memory.created_at) for each in timeline(engine, EventFilter()).items
    ] == [("the API changed", day)]


def test_the_episodic_tier_is_a_chronological_record_of_what_happened(engine, agent, clock):
    for hours in (3, 1, 2):
        record(engine, Event(f"{hours} hours ago", at=clock() - timedelta(hours=hours)), agent)

    assert [each.memory.content for each in timeline(engine, EventFilter()).items] == [
        "3 hours ago",
        "2 hours ago",
        "1 hours ago",
    ]


def test_save_a_named_workflow_with_steps(engine, agent):
    save(engine, Recipe("deploy", ("build", "push", "check"), when="a release is ready"), agent)
    kept = procedure(engine, "deploy")

    assert (kept.name, kept.when, kept.steps) == ("deploy", "a release is ready", ("build", "push", "check"))
    assert read_memory(engine.store, kept.id).priority is Priority.HIGH


def test_one_failure_does_not_prove_a_workflow(engine, agent):
    save(engine, Recipe("deploy", ("build", "push")), agent)
    done(engine, "deploy", Outcome.FAILED, agent)

    assert (procedure(engine, "deploy").failed, procedure(engine, "deploy").proven) == (1, False)


def test_counts_are_shown_by_tier(engine, agent):
    add(engine, Draft("Ferries leave at noon"), agent)
    record(engine, Event("A ferry left"), agent)
    record(engine, Event("A ferry left"), agent)
    save(engine, Recipe("leave", ("cast off",)), agent)

    assert stats(engine, Filters()).by_tier == {Tier.SEMANTIC: 1, Tier.EPISODIC: 2, Tier.PROCEDURAL: 1}


@pytest.mark.parametrize(
    ("tier", "found"),
    [(Tier.SEMANTIC, "Ferries leave"), (Tier.EPISODIC, "A ferry left"), (Tier.PROCEDURAL, "leave\n1. cast")],
)
def test_recall_takes_a_layer(engine, agent, tier, found):
    add(engine, Draft("Ferries leave the harbour at noon"), agent)
    record(engine, Event("A ferry left the harbour late"), agent)
    save(engine, Recipe("leave", ("cast off in the harbour",)), agent)
    hits = search(engine, Query("harbour", Filters(tiers=(tier,))), agent).hits

    assert [hit.memory.content.startswith(found) for hit in hits] == [True]


def test_a_handoff_names_work_done_next_steps_open_questions_and_files(engine, agent):
    parts = HandoffParts("nearly there", ("retries",), ("staging",), ("why three?",), ("src/a.py",))
    hand_off(engine, parts, agent)
    left = last_handoff(engine, None)

    assert left is not None
    assert HandoffParts(left.text, left.done, left.next, left.questions, left.files) == parts
