"""A write names the known memories that it may repeat, replace or contradict; nothing else changes by that."""

from __future__ import annotations

import pytest

from memory_layer.model.memory import Draft
from memory_layer.model.query import Filters
from memory_layer.model.review import Matter
from memory_layer.model.vocabulary import Category, LinkKind, OnDuplicate, Status
from memory_layer.usecases.govern.review import review
from memory_layer.usecases.remember.add_many import add_many
from memory_layer.usecases.remember.curate import archive
from memory_layer.usecases.remember.links import link
from memory_layer.usecases.who.lookup import read_memory
from tests.usecases.kept import a_project, keep

FERRY = "The island ferry leaves from the north pier every hour"
MOVED = "The ferry to the island now starts at the south pier"
UNRELATED = ("Invoices are rounded to whole cents", "Penguins eat fish and krill", "Tea is served at four")


def relations(answer):
    return {each.id: each.relation for each in answer.candidates}


@pytest.mark.parametrize(
    ("known", "new"),
    [
        ("Deploys to the shop run at night", "The shop is only rolled out during the night"),
        (
            "The API answers within 200 ms",
            "We promise our API clients a reply after at most a fifth of a second",
        ),
        ("Backups are kept for 30 days", "We throw backups away after a week to save money"),
        ("Docs are written in Confluence", "Our documentation moved from Confluence to Notion in May"),
    ],
    ids=["same", "same in other numbers", "conflict", "update"],
)
def test_what_no_rule_is_sure_about_is_stored_and_named_as_close(engine, agent, known, new):
    for text in UNRELATED:
        keep(engine, text, agent)
    first = keep(engine, known, agent)
    second = keep(engine, new, agent)

    assert second.status == "created"
    assert relations(second) == {first.id: "close"}
    assert second.question.endswith("?")
    assert read_memory(engine.store, second.id).status is Status.ACTIVE
    assert engine.store.links.of([second.id]) == []


def test_what_has_nothing_to_do_with_anything_known_brings_no_question(engine, agent):
    answers = [keep(engine, text, agent) for text in (FERRY, *UNRELATED)]

    assert [(each.status, each.candidates, each.question) for each in answers] == [("created", (), None)] * 4


def test_a_text_that_tells_of_a_change_asks_first_whether_it_replaces(engine, agent):
    keep(engine, FERRY, agent)

    assert "does it replace one of these" in keep(engine, MOVED, agent).question


@pytest.mark.parametrize(
    ("known", "new"),
    [
        ("Service A calls service B", "Service B calls service A"),
        ("The integration tests are in suite 3", "The integration tests are in suite 4"),
        ("Deploy with --site north", "Deploy with --site south"),
        ("The staging cluster has two nodes", "The production cluster has two nodes"),
    ],
)
def test_reversals_and_siblings_are_at_most_close(engine, agent, known, new):
    keep(engine, known, agent)
    answer = keep(engine, new, agent)

    assert answer.status == "created"
    assert {each.relation for each in answer.candidates} <= {"close"}


@pytest.mark.parametrize("rest", [" by default, unlike requests", " unless it is told to, unlike requests"])
def test_a_denial_in_other_words_does_not_stay_unmarked(engine, agent, rest):
    first = keep(engine, "httpx follows redirects by default", agent)
    answer = keep(engine, f"httpx does not follow redirects{rest}", agent)

    assert answer.status == "created"
    assert relations(answer)[first.id] in ("close", "conflicts")


def test_at_most_three_are_named_the_closest_first(engine, agent):
    for number in ("one", "two", "three", "four", "five"):
        keep(engine, f"The {number} o'clock ferry leaves from the north pier", agent)
    answer = keep(engine, "Every ferry departs at the north pier", agent)
    similarities = [each.similarity for each in answer.candidates]

    assert 1 <= len(similarities) <= 3
    assert {each.relation for each in answer.candidates} == {"close"}


def test_other_categories_are_named_too_though_no_rule_compares_them(engine, agent):
    first = keep(engine, FERRY, agent, category=Category.DECISION)

    assert relations(keep(engine, MOVED, agent, category=Category.GOTCHA)) == {first.id: "close"}


def test_neither_held_archived_superseded_nor_other_projects_memories_are_named(engine, agent):
    here, there = a_project(engine, "here"), a_project(engine, "there")
    keep(engine, FERRY, agent, there)
    keep(engine, f"{FERRY} in winter", agent, here, category=Category.POLICY, on_duplicate=OnDuplicate.KEEP)
    gone = keep(engine, f"{FERRY} in spring", agent, here, on_duplicate=OnDuplicate.KEEP)
    archive(engine, [gone.id], agent)
    old = keep(engine, f"{FERRY} in summer", agent, here, on_duplicate=OnDuplicate.KEEP)
    newer = keep(engine, "Ask the harbour office about the timetable", agent, here)
    link(engine, newer.id, LinkKind.SUPERSEDES, old.id, agent)

    assert keep(engine, MOVED, agent, here).candidates == ()


def test_a_text_that_waits_for_a_person_brings_no_question(engine, agent):
    keep(engine, FERRY, agent)
    answer = keep(engine, MOVED, agent, category=Category.POLICY)

    assert (answer.status, answer.candidates, answer.question) == ("staged", (), None)


def test_without_the_model_shared_words_decide(keyword_engine, agent):
    for text in UNRELATED:
        keep(keyword_engine, text, agent)
    first = keep(keyword_engine, FERRY, agent)
    second = keep(keyword_engine, MOVED, agent)
    third = keep(keyword_engine, "Lunch is at noon", agent)

    assert (second.status, relations(second)) == ("created", {first.id: "close"})
    assert third.candidates == ()


def test_a_text_too_long_for_one_vector_is_compared_by_its_words(engine, agent):
    long = " ".join(
        f"The ferry number {number} leaves from the north pier of the island." for number in range(60)
    )
    first = keep(engine, FERRY, agent)

    assert relations(keep(engine, long, agent)) == {first.id: "close"}


def test_many_at_once_are_not_asked_about(engine, agent):
    answers = add_many(engine, [Draft(FERRY), Draft(MOVED)], agent)

    assert [(each.status, each.candidates) for each in answers] == [("created", ())] * 2


def test_where_nobody_hears_the_question_only_a_strong_pair_waits_for_a_person(engine, agent):
    hook = agent._replace(door="hook")
    first = keep(engine, "The nightly build is started by a cron job on the release server", hook)
    strong = keep(
        engine, "The nightly build on the release server was started by cron, now a webhook does it", hook
    )
    weak = keep(engine, "The release server is rebooted on Sundays", hook)
    waiting = review(engine, Filters()).items

    assert weak.candidates
    assert [(each.kind, each.memory.id, each.other and each.other.id) for each in waiting] == [
        (Matter.SIMILAR, strong.id, first.id)
    ]
