"""Scores and near misses in words."""

from __future__ import annotations

import pytest

from memory_layer.model.outcome import Experience
from memory_layer.ranking.columns import Columns, SearchQuestion
from memory_layer.ranking.explain import SIGNALS, LeftOut, MissReason, signal_text
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
def test_every_part_of_every_ranker_has_its_words(has_vectors: bool):
    for ranker in RANKERS.values():
        (hit,) = rank(ranker, COLUMNS, SearchQuestion(has_vectors=has_vectors, margin=1.0))

        assert {part.name for part in hit.signals} <= SIGNALS.keys()


def test_a_balanced_score_reads_as_its_parts():
    (hit,) = rank(
        RANKERS["balanced"], COLUMNS, SearchQuestion(has_vectors=True, margin=1.0, best_coverage=0.75)
    )

    assert [f"{part.share:+.3f} {signal_text(part.name, part.value)}" for part in hit.signals] == [
        "+0.433 semantic similarity 0.62",
        "+0.079 keyword score 1.00 of the best match",
        "+0.419 matches 75% of the distinctive query words",
        "+0.070 exact phrase match: 50%",
        "-0.113 outcomes for similar queries -0.25",
        "+0.000 outcomes for this very query +0.00",
        "-0.177 a cited source changed",
        "-0.071 its project is stale",
    ]


def test_ranks_are_told_from_one():
    assert signal_text("keyword_list", 0.0) == "rank 1 by keywords"


def test_a_category_that_nobody_asks_for_is_not_said_to_be_asked_for():
    assert signal_text("category_boost", 1.0) == "the query does not ask for its category"
    assert signal_text("category_boost", 1.5) == "the query asks for its category, times 1.5"


def test_a_score_without_a_model_says_so():
    (hit,) = rank(RANKERS["five-signal"], COLUMNS, SearchQuestion(has_vectors=False))

    assert any("in place of semantic similarity (no model)" in signal_text(*part[:2]) for part in hit.signals)


def test_evidence_comes_with_its_reports():
    assert signal_text("evidence", 0.5, Experience(2, 1, 1)) == (
        "outcomes for similar queries +0.50: worked 2 of 4 times, partly 1"
    )


def test_every_reason_of_a_near_miss_has_its_own_sentence():
    sentences = {MissReason("mem_a", reason).sentence for reason in LeftOut}

    assert len(sentences) == len(LeftOut) == 10


def test_a_near_miss_names_its_particulars():
    miss = MissReason("mem_a", LeftOut.SUPERSEDED, "mem_b")

    assert miss.sentence == "superseded by a newer memory (mem_b)"
