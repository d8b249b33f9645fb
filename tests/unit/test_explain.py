"""Scores and near misses in words."""

from __future__ import annotations

import pytest

from memory_layer.ranking.columns import Columns, SearchQuestion
from memory_layer.ranking.explain import SIGNALS, LeftOut, MissReason, seen
from memory_layer.ranking.order import rank
from memory_layer.ranking.rankers import RANKERS

COLUMNS = Columns(
    ids=["mem_a"],
    bm25=[4.0],
    keyword_rank=[2],
    cosine=[0.62],
    vector_rank=[0],
    coverage=[0.75],
    phrase=[0.5],
    age_days=[3],
    use_count=[7],
    days_since_used=[12.0],
    intent_boost=[1.5],
    citation_changed=[1],
    project_stale=[1],
    evidence=[-0.25],
)


@pytest.mark.parametrize("has_vectors", [True, False])
def test_every_part_of_every_ranker_can_be_told(has_vectors: bool):
    for ranker in RANKERS.values():
        (hit,) = rank(ranker, COLUMNS, SearchQuestion(has_vectors=has_vectors, margin=1.0))

        assert {part.name for part in hit.signals} <= SIGNALS.keys()
        assert all(seen(part.name, part.value) for part in hit.signals)


def test_a_balanced_score_reads_as_its_parts():
    (hit,) = rank(RANKERS["balanced"], COLUMNS, SearchQuestion(has_vectors=True, margin=1.0))

    assert f"{hit.score:.3f}" == "0.639"
    assert [f"{seen(part.name, part.value)}: {part.share:+.3f}" for part in hit.signals] == [
        "meaning 0.62: +0.444",
        "words 1.00 of the best match: +0.215",
        "75% of the query's telling words: +0.269",
        "50% of its words side by side: +0.072",
        "experience with such questions -0.25: -0.113",
        "its cited source changed: -0.177",
        "its project is stale: -0.071",
    ]


def test_ranks_are_told_from_one():
    assert seen("keyword_list", 0.0) == "place 1 by words"


def test_a_category_that_nobody_asks_for_is_not_said_to_be_asked_for():
    assert seen("category_boost", 1.0) == "its category is not asked for"
    assert seen("category_boost", 1.5) == "its category is asked for, times 1.5"


def test_a_score_without_a_model_says_so():
    (hit,) = rank(RANKERS["five-signal"], COLUMNS, SearchQuestion(has_vectors=False))

    told = " ".join(seen(part.name, part.value) for part in hit.signals)
    assert "standing in for meaning because no model is used" in told


def test_every_reason_of_a_near_miss_has_its_own_sentence():
    sentences = {MissReason("mem_a", reason).sentence for reason in LeftOut}

    assert len(sentences) == len(LeftOut) == 10


def test_a_near_miss_names_its_particulars():
    miss = MissReason("mem_a", LeftOut.SUPERSEDED, "mem_b")

    assert miss.sentence == "a newer memory took its place (mem_b)"
