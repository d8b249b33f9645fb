"""What the designs say about kinds of memories, duplicates, reinforcement and the archive, sentence by sentence."""

from __future__ import annotations

import math

import numpy as np
import pytest

from memory_layer.errors import InvalidInput
from memory_layer.model.memory import Draft
from memory_layer.model.query import Filters, Query
from memory_layer.model.runs import RunTask
from memory_layer.model.vocabulary import Category, Priority, Status, category_named
from memory_layer.text.tokens import estimate
from memory_layer.usecases.learn.run import start
from memory_layer.usecases.look_up.browse import stats
from memory_layer.usecases.recall.search import search
from memory_layer.usecases.remember.add import add
from memory_layer.usecases.remember.curate import archive, reinforce
from memory_layer.usecases.who.lookup import read_memory

SIXTEEN = (
    "architecture convention decision pattern gotcha workaround troubleshooting command preference dependency"
    " environment coding_style tool_preference context todo general"
).split()
MORE = "warning learning policy workflow pitfall fact observation progress relationship".split()


@pytest.fixture
def kept(keyword_engine, person):
    def kept_(text, **fields):
        return read_memory(keyword_engine.store, add(keyword_engine, Draft(text, **fields), person).id)

    return kept_


def test_the_16_categories_and_the_9_of_the_other_designs_can_be_stored(kept):
    stored = [kept(f"a text for {name}", category=category_named(name)).category for name in SIXTEEN + MORE]

    assert [category.value for category in stored] == SIXTEEN + MORE
    assert (len(SIXTEEN), len(set(Category))) == (16, 25)


@pytest.mark.parametrize(
    ("category", "priority"),
    [
        ("policy", Priority.CRITICAL),
        ("workflow", Priority.HIGH),
        ("pitfall", Priority.HIGH),
        ("architecture", Priority.HIGH),
        ("decision", Priority.MEDIUM),
        ("preference", Priority.MEDIUM),
        ("fact", Priority.NORMAL),
        ("general", Priority.NORMAL),
    ],
)
def test_policy_is_critical_workflow_pitfall_and_architecture_high_decision_and_preference_medium_fact_normal(
    kept, category, priority
):
    assert kept("a text", category=category_named(category)).priority is priority


def test_an_embedding_has_384_dimensions(embedder):
    assert embedder.embed_query("a text").shape == (384,)
    assert embedder.embed_memories(["a text"])[0].shape == (1, 384)


@pytest.mark.parametrize(("cosine", "status"), [(0.90, "created"), (0.94, "similar")])
def test_above_092_cosine_similarity_a_merge_is_asked_for_instead_of_a_duplicate(
    told, agent, dictated, monkeypatch, cosine, status
):
    known = "the deployment pipeline builds every branch"
    new = "our releases come out of automation"
    vectors = {known: (1.0, 0.0), new: (cosine, math.sqrt(1 - cosine**2))}

    def vector(text):
        found = np.zeros(384, dtype=np.float32)
        found[:2] = vectors[text]
        return found

    monkeypatch.setattr(dictated, "_vector", vector)
    first = add(told, Draft(known), agent)
    second = add(told, Draft(new), agent)

    assert second.status == status
    relation = "similar" if status == "similar" else "close"
    assert [(each.id, each.relation) for each in second.candidates] == [(first.id, relation)]


def test_use_snake_case_and_always_use_snake_case_for_python_are_the_same(engine, agent):
    add(engine, Draft("use snake_case"), agent)

    assert add(engine, Draft("always use snake_case for Python"), agent).status == "similar"


@pytest.mark.parametrize("relevance", [-0.01, 1.01])
def test_a_relevance_score_lies_between_0_and_1(kept, relevance):
    with pytest.raises(InvalidInput):
        kept("a text", relevance=relevance)


def test_a_relevance_score_is_1_unless_said_otherwise(kept):
    assert kept("a text").relevance == 1.0
    assert kept("another text", relevance=0.9).relevance == 0.9


def test_being_recalled_does_not_reinforce_and_remember_this_does_by_1_and_resets_the_decay(
    keyword_engine, agent, person, kept, clock
):
    memory = kept("the cranes need a permit")
    clock.pass_(days=3)
    for _ in range(5):
        search(keyword_engine, Query("cranes"), agent)
    recalled = read_memory(keyword_engine.store, memory.id)
    assert (recalled.recall_count, recalled.reinforcement_count, recalled.reinforced_at) == (5, 1, None)

    reinforce(keyword_engine, [memory.id], person)
    confirmed = read_memory(keyword_engine.store, memory.id)
    assert (confirmed.reinforcement_count, confirmed.reinforced_at) == (2, clock())


def test_the_same_text_added_again_counts_as_1_confirmation(keyword_engine, person, kept):
    memory = kept("the cranes need a permit")
    assert add(keyword_engine, Draft("the cranes need a permit"), person).status == "exists"

    assert read_memory(keyword_engine.store, memory.id).reinforcement_count == 2


def test_archived_memories_are_still_searchable_but_never_given_unasked(keyword_engine, agent, person, kept):
    memory = kept("the cranes need a permit")
    archive(keyword_engine, [memory.id], person)
    archived = Filters(statuses=(Status.ARCHIVED,))

    assert [hit.memory.id for hit in search(keyword_engine, Query("cranes", archived), agent).hits] == [
        memory.id
    ]
    assert not search(keyword_engine, Query("cranes"), agent).hits
    assert not start(keyword_engine, RunTask("move the cranes"), agent).hits


def test_scope_matches_file_paths_by_glob_patterns(keyword_engine, agent, kept):
    inside = kept("the cranes need a permit", scope=("src/core/**",))
    kept("the cranes are red", scope=("docs/*.md",))

    found = search(keyword_engine, Query("cranes", Filters(paths=("src/core/crane/arm.py",))), agent)
    assert [hit.memory.id for hit in found.hits] == [inside.id]


def test_a_recall_has_a_token_budget(keyword_engine, agent, kept):
    for name in ("red", "green", "blue", "black", "white"):
        kept(f"the {name} crane needs a permit and a driver who knows it")
    found = search(keyword_engine, Query("crane permit", budget=30), agent)

    assert 0 < len(found.hits) < 5
    assert estimate("\n".join(hit.memory.content for hit in found.hits)) <= 30


def test_stats_count_by_category_and_the_tokens_stored(keyword_engine, kept):
    one = kept("the cranes need a permit", category=Category.GOTCHA)
    two = kept("the cranes are red", category=Category.FACT)

    found = stats(keyword_engine, Filters())
    assert {c: n for c, n in found.by_category.items() if n} == {Category.GOTCHA: 1, Category.FACT: 1}
    assert found.tokens_stored == estimate(one.content) + estimate(two.content)
