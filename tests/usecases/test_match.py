"""An honest match: what a query means, how well a hit answers it, and silence when nothing does."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from memory_layer.model.episodes import EpisodeKind
from memory_layer.model.memory import Draft
from memory_layer.model.query import Mode, Query, Strength
from memory_layer.model.vocabulary import Category, OnDuplicate
from memory_layer.usecases.recall.search import search
from memory_layer.usecases.remember.add import add

NOTES = (
    "The payment worker retries a declined card three times, then parks the order",
    "Prefer pytest parametrize over loops in tests",
    "Staging runs on Kubernetes 1.29 in the cluster named otter",
    "Database migrations are reviewed by Lena before they are merged",
    "The request timeout of the gateway is 30 seconds",
    "Idempotency keys are kept for two days",
    "Our recovery point objective (RPO) is one hour",
    "Nightly snapshots give us a recovery point of at most an hour of lost orders",
)


@pytest.fixture
def store(engine, agent):
    for text in NOTES:
        add(engine, Draft(content=text, on_duplicate=OnDuplicate.KEEP), agent)
    return engine


def first(engine, agent, text: str, **options) -> str:
    hits = search(engine, Query(text, **options), agent).hits
    return hits[0].memory.content if hits else ""


def test_a_question_that_nothing_answers_gets_nothing_and_the_nearest_on_request(store, agent):
    nonsense = "graphql subscriptions over websockets"
    found = search(store, Query(nonsense), agent)
    nearest = search(store, Query(nonsense, nearest=True), agent)

    assert all(hit.strength is Strength.WEAK for hit in found.hits)
    assert len(nearest.hits) > len(found.hits)
    assert nearest.hits[-1].strength is Strength.NONE


def test_a_right_answer_is_a_strong_match_whatever_else_is_stored(store, agent):
    hit = search(store, Query("how long is the request timeout of the gateway?"), agent).hits[0]

    assert hit.memory.content.startswith("The request timeout")
    assert hit.strength is Strength.STRONG
    assert hit.match > 0.8


def test_whoever_searches_by_one_way_alone_gets_all_that_it_finds(store, agent):
    assert any(
        hit.strength is Strength.NONE
        for hit in search(store, Query("pelicans", mode=Mode.SEMANTIC), agent).hits
    )
    assert len(search(store, Query("over", mode=Mode.KEYWORD), agent).hits) == 1


@pytest.mark.parametrize("mode", [Mode.HYBRID, Mode.KEYWORD])
@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("gateway tiemout", "The request timeout"),
        ("idemp keys", "Idempotency keys"),
        ("k8s version", "Staging runs on Kubernetes"),
        ("db migrations review", "Database migrations"),
    ],
)
def test_typing_errors_beginnings_and_abbreviations_are_understood(store, agent, mode, text, answer):
    assert first(store, agent, text, mode=mode).startswith(answer)


def test_a_known_word_is_never_corrected(store, agent):
    add(
        store, Draft(content="A tiemout is our word for a break at sea", on_duplicate=OnDuplicate.KEEP), agent
    )

    assert first(store, agent, "tiemout").startswith("A tiemout is our word")


def test_an_abbreviation_that_the_store_defines_finds_what_says_it_in_full(store, agent):
    found = search(store, Query("RPO", mode=Mode.KEYWORD, nearest=True), agent)
    hybrid = search(store, Query("our RPO", limit=2), agent)

    assert [hit.memory.content for hit in found.hits] == [NOTES[6]]
    assert {hit.memory.content for hit in hybrid.hits} == {NOTES[6], NOTES[7]}


def test_words_of_the_trade_find_what_people_call_differently(store, agent):
    assert first(store, agent, "who approves schema changes?").startswith("Database migrations")


def test_days_in_words_find_what_happened_then(engine, agent):
    from memory_layer.model.episodes import Event
    from memory_layer.usecases.learn.episodes import record

    for at, text in (
        (datetime(2025, 12, 1, 10, tzinfo=UTC), "Switched the mail provider"),
        (engine.now().replace(hour=1), "Rewrote the tax table import"),
    ):
        record(engine, Event(text, kind=EpisodeKind.ACTION, at=at), agent, None)
    add(engine, Draft(content="Dates in the tax table are stored in UTC, switched by a flag"), agent)

    assert first(engine, agent, "what did we do today?").startswith("Rewrote")
    assert first(engine, agent, "what did we switch in December?").startswith("Switched the mail")


def test_among_hits_of_like_strength_the_category_that_the_question_asks_for_leads(engine, agent):
    add(
        engine, Draft(content="REST API structure: one router per resource", category=Category.PATTERN), agent
    )
    fix = "Connection pool fix: API errors stop with pool_size=20"
    add(engine, Draft(content=fix, category=Category.TROUBLESHOOTING), agent)

    assert first(engine, agent, "Why is the API returning 500 errors?") == fix
    assert first(engine, agent, "structure of the REST API").startswith("REST API structure")


def test_a_word_of_the_language_is_what_was_meant_though_no_memory_holds_it(engine, agent):
    add(engine, Draft(content="The broker of the queue restarts at noon"), agent)

    def coverage(text: str) -> float:
        (hit,) = search(engine, Query(text, nearest=True), agent).hits
        return next(signal.value for signal in hit.signals if signal.name == "coverage")

    assert coverage("broken") == 0.0
    assert coverage("brokr") == 1.0


def test_a_mistyped_question_is_compared_by_the_meaning_of_what_was_meant(store, agent):
    (right, wrong) = (
        search(store, Query(text), agent).hits[0]
        for text in ("the gateway request timeout", "the gatway reqest tiemout")
    )

    assert right.memory.id == wrong.memory.id
    assert wrong.match == pytest.approx(right.match)


def test_rare_words_that_a_hit_lacks_count_against_it(store, agent):
    short = search(store, Query("idempotency keys"), agent).hits[0]
    longer = search(store, Query("idempotency keys of the zebrafish aquarium in Lisbon", nearest=True), agent)
    same = next(hit for hit in longer.hits if hit.memory.id == short.memory.id)

    assert same.match < short.match
