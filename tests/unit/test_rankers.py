"""The four formulas, their bounds, and their two forms that must agree."""

from __future__ import annotations

import math
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory_layer.errors import InvalidInput
from memory_layer.model.vocabulary import CATEGORIES, Category
from memory_layer.ranking.arrays import NUMPY, highest
from memory_layer.ranking.columns import NEUTRAL, Columns, Features, SearchQuestion
from memory_layer.ranking.order import Ranked, best_first, rank, rank_arrays, rank_plain
from memory_layer.ranking.rankers import RANKERS, Ranker, RankingPool, balanced_with, ranker_named
from memory_layer.ranking.signals import PLAIN
from memory_layer.rules.intent import intent

HYBRID = SearchQuestion(has_vectors=True, margin=0.5, rare_words=3.0)
KEYWORD = SearchQuestion(has_vectors=False, margin=0.5)


def only(ranker: str, question: SearchQuestion = HYBRID, **facts: float) -> Ranked:
    """One candidate, ranked alone."""
    columns = Columns(ids=["mem_a"], **{name: [value] for name, value in facts.items()})
    return rank(RANKERS[ranker], columns, question)[0]


def ids_of(ranked: list[Ranked]) -> list[str]:
    return [hit.id for hit in ranked]


def unit(low: float = 0.0, high: float = 1.0) -> st.SearchStrategy[float]:
    """Numbers that occur: of much smaller ones a sum with 1 keeps nothing, and then the two forms may differ."""
    return st.floats(min_value=low, max_value=high).map(lambda drawn: drawn if abs(drawn) > 1e-12 else 0.0)


features = st.builds(
    Features[float],
    bm25=st.one_of(st.just(0.0), unit(0.0, 1e6)),
    keyword_rank=st.integers(-1, 400),
    cosine=unit(-1.0),
    vector_rank=st.integers(-1, 400),
    coverage=unit(),
    phrase=unit(),
    outcome_score=unit(-1.0),
    age_days=st.integers(-10, 10**6),
    recall_count=st.integers(0, 10**9),
    use_count=st.integers(0, 10**9),
    days_since_used=st.one_of(st.just(-1.0), unit(0.0, 1e6)),
    confidence=unit(),
    intent_boost=st.sampled_from([1.0, 1.1, 1.5]),
    project_stale=st.booleans(),
    citation_changed=st.booleans(),
    evidence=unit(-0.999, 0.999),
    in_time=unit(),
    asked_kind=st.sampled_from([-0.5, 0.0, 1.0]),
    same_question=unit(-1.0),
)


@st.composite
def pools(draw: st.DrawFn, rows: st.SearchStrategy[Features[float]] = features) -> Columns:
    found = draw(st.lists(rows, max_size=5))
    numbers = dict(zip(Features._fields, zip(*found, strict=True), strict=True)) if found else {}
    ids = draw(st.permutations([f"mem_{place:02}" for place in range(len(found))]))
    return Columns(ids=ids, **{name: list(column) for name, column in numbers.items()})


few = settings(max_examples=40)
questions = st.builds(
    SearchQuestion,
    has_vectors=st.booleans(),
    margin=unit(),
    limit=st.just(100),
    best_bm25=st.just(0.0),
    best_coverage=unit(),
    rare_words=st.floats(0.0, 100.0),
    kinds=st.booleans(),
)


def test_the_five_weights_are_35_25_15_15_and_10_percent():
    best = only("five-signal", cosine=1.0, outcome_score=1.0, use_count=99.0)

    assert best.score == pytest.approx(1.0)
    assert [(part.name, round(part.share, 12)) for part in best.signals] == [
        ("semantic", 0.35),
        ("outcome", 0.25),
        ("recency", 0.15),
        ("frequency", 0.15),
        ("confidence", 0.1),
        ("category_boost", 0.0),
    ]


def test_five_signal_is_the_written_formula():
    hit = only(
        "five-signal",
        cosine=0.6,
        outcome_score=0.2,
        age_days=12,
        recall_count=5,
        use_count=3,
        confidence=0.8,
        intent_boost=1.4,
    )

    base = 0.35 * 0.6 + 0.25 * 0.6 + 0.15 * math.exp(-12 / 30) + 0.15 * math.log(9) / math.log(100) + 0.08
    assert hit.score == pytest.approx(1.4 * base, rel=1e-14)


def test_why_is_the_api_returning_500_errors_promotes_the_connection_pool_fix_from_068_to_102():
    asked = intent("Why is the API returning 500 errors?")
    categories = [Category.PATTERN, Category.TROUBLESHOOTING]
    given_by_the_other_four = 0.125 + 0.15 + 0.15 + 0.10
    columns = Columns(
        ids=["rest_api_structure", "connection_pool_fix"],
        cosine=[(score - given_by_the_other_four) / 0.35 for score in (0.72, 0.68)],
        use_count=[99, 99],
        intent_boost=[CATEGORIES[one].boost if one is asked else 1.0 for one in categories],
    )

    hits = rank(RANKERS["five-signal"], columns, HYBRID)

    assert ids_of(hits) == ["connection_pool_fix", "rest_api_structure"]
    assert [hit.score for hit in hits] == pytest.approx([1.02, 0.72])


def test_times_retrieved_counts_recalls_and_uses_together():
    together = only("five-signal", recall_count=60, use_count=39)

    assert together.score == only("five-signal", use_count=99).score


def test_without_a_model_the_scaled_keyword_score_stands_in_and_the_part_says_so():
    columns = Columns(ids=["best", "half"], bm25=[8.0, 4.0], cosine=[0.0, 0.9])

    best, half = rank(RANKERS["five-signal"], columns, KEYWORD)

    assert (best.signals[0].name, best.signals[0].value) == ("keyword_as_semantic", 1.0)
    assert half.signals[0].share == pytest.approx(0.35 * 0.5)


def test_a_stale_project_halves_recency_in_five_signal():
    fresh, stale = (only("five-signal", age_days=10, project_stale=mark) for mark in (0.0, 1.0))

    assert fresh.score - stale.score == pytest.approx(0.15 * math.exp(-1 / 3) / 2)


def test_a_new_memory_of_a_person_starts_ahead_of_an_extracted_one():
    assert only("five-signal", confidence=1.0).score > only("five-signal", confidence=0.7).score


def test_a_result_that_ranks_first_in_both_lists_gets_about_0033():
    assert only("rrf", keyword_rank=0, vector_rank=0).score == pytest.approx(1 / 61 + 1 / 61)
    assert only("rrf", keyword_rank=0, vector_rank=0).score == pytest.approx(0.033, abs=0.0005)


def test_a_result_that_ranks_60th_in_both_gets_two_times_1_120th_because_ranks_start_at_0():
    assert only("rrf", keyword_rank=59, vector_rank=59).score == pytest.approx(2 / 120)


def test_a_list_it_is_missing_from_gives_nothing():
    assert only("rrf", keyword_rank=3).score == 1 / 64


def test_rrf_boosts_by_uses_and_decays_from_the_last_one():
    hit = only("rrf", keyword_rank=0, vector_rank=4, use_count=6, recall_count=500, days_since_used=20.5)

    expected = (1 / 61 + 1 / 65) * (1 + 0.1 * math.log(7)) * math.exp(-0.205)
    assert hit.score == pytest.approx(expected, rel=1e-14)


def test_weighted_is_70_percent_vector_and_30_percent_keyword():
    columns = Columns(ids=["a", "b"], bm25=[2.0, 8.0], cosine=[0.9, 0.1])

    a, b = rank(RANKERS["weighted"], columns, HYBRID)

    assert (a.id, b.id) == ("a", "b")
    assert [a.score, b.score] == pytest.approx([0.7 * 0.9 + 0.3 * 0.25, 0.7 * 0.1 + 0.3])


def core_of(row: Features[float], best_bm25: float, margin: float) -> float:
    scaled = row.bm25 / best_bm25 if best_bm25 else 0.0
    trust = max(0.2, margin)
    return row.cosine + 0.2 * trust * 0.25 * scaled + 0.8 * trust * row.coverage + 0.2 * trust * row.phrase


def test_balanced_measures_the_core_against_the_best_of_the_pool():
    columns = Columns(
        ids=["a", "b"], cosine=[0.5, 0.2], bm25=[0.0, 4.0], coverage=[0.2, 0.9], phrase=[0.0, 1.0]
    )

    best, second = rank(RANKERS["balanced"], columns, HYBRID._replace(best_coverage=0.9))

    assert (best.id, best.score) == ("b", 1.0)
    assert second.score == pytest.approx((0.5 + 0.5 * 0.16) / (0.2 + 0.5 * (0.2 * 0.81 + 0.72 + 0.2)))


def test_the_best_keyword_match_counts_little_where_no_text_holds_most_of_the_query():
    columns = Columns(ids=["word", "meaning"], cosine=[0.2, 0.3], bm25=[4.0, 0.0], coverage=[0.1, 0.0])

    best, _ = rank(RANKERS["balanced"], columns, HYBRID._replace(best_coverage=0.1))

    assert best.id == "meaning"


def test_days_and_kinds_count_only_when_the_query_asks_for_them():
    columns = Columns(ids=["a", "b"], cosine=[0.4, 0.3], in_time=[0.0, 1.0], asked_kind=[0.0, 1.0])

    assert ids_of(rank(RANKERS["balanced"], columns, HYBRID)) == ["a", "b"]
    assert ids_of(rank(RANKERS["balanced"], columns, HYBRID._replace(kinds=True))) == ["b", "a"]


def test_a_match_does_not_depend_on_the_other_candidates():
    near, far = only("balanced", cosine=0.7, coverage=0.8), only("balanced", cosine=0.1, coverage=0.05)

    assert near.match > 0.9
    assert far.match < 0.05
    assert near.score == far.score == 1.0


def test_what_is_too_far_answers_only_if_it_worked_for_such_a_question():
    question = HYBRID._replace(least_match=0.05)

    assert only("balanced", question, cosine=0.6).answers
    assert not only("balanced", question, cosine=0.1).answers
    assert only("balanced", question, cosine=0.1, evidence=0.4).answers


TWO_REPORTS = {"two worked": (1.0, 0.0), "two failed": (0.0, -1.0), "one each": (0.5, -0.5)}


@pytest.mark.parametrize("reports", TWO_REPORTS)
@pytest.mark.parametrize("relevance", [0.9, 0.3, 0.08, 0.02])
def test_two_clear_reports_for_the_same_question_outweigh_any_difference_in_relevance(reports, relevance):
    right, wrong = TWO_REPORTS[reports]
    columns = Columns(
        ids=["wrong", "right", "another"],
        cosine=[1.0, relevance, relevance],
        evidence=[wrong * 2 / 3, right * 2 / 3, 0.0],
        same_question=[wrong, right, 0.0],
    )

    order = ids_of(rank(RANKERS["balanced"], columns, HYBRID))
    assert order.index("right") < order.index("wrong")


def test_what_failed_twice_for_the_same_question_is_the_last_answer_and_still_one():
    columns = Columns(ids=["failed", "other"], cosine=[0.6, 0.3], same_question=[-1.0, 0.0])

    ranked = rank(RANKERS["balanced"], columns, HYBRID._replace(least_match=0.05))
    assert [(hit.id, hit.answers) for hit in ranked] == [("other", True), ("failed", True)]


def test_a_strength_of_zero_turns_reports_for_the_same_question_off_too():
    columns = Columns(ids=["a", "b"], cosine=[0.6, 0.5], same_question=[-1.0, 1.0])

    assert [hit.score for hit in rank(balanced_with(0.0), columns, HYBRID)] == pytest.approx([1.0, 0.5 / 0.6])


def test_evidence_moves_the_relevant_by_at_most_forty_five_percent():
    columns = Columns(ids=["good", "plain", "bad"], cosine=[0.5, 0.5, 0.5], evidence=[0.5, 0.0, -0.5])

    scores = {hit.id: hit.score for hit in rank(RANKERS["balanced"], columns, HYBRID)}

    assert scores == pytest.approx({"good": 1.225, "plain": 1.0, "bad": 0.775})


def test_a_changed_citation_counts_08_and_a_stale_project_09():
    columns = Columns(
        ids=["a", "b", "c", "d"],
        cosine=[0.5] * 4,
        citation_changed=[0, 1, 0, 1],
        project_stale=[False, False, True, True],
    )

    hits = rank(RANKERS["balanced"], columns, HYBRID)

    assert {hit.id: hit.score for hit in hits} == pytest.approx({"a": 1.0, "b": 0.8, "c": 0.9, "d": 0.72})


def test_use_age_and_static_boosts_do_not_enter_balanced():
    plain = only("balanced", cosine=0.4)
    adorned = only(
        "balanced",
        cosine=0.4,
        use_count=500,
        recall_count=900,
        age_days=400,
        outcome_score=1.0,
        confidence=0.4,
        intent_boost=1.5,
    )

    assert adorned.score == plain.score


def test_a_pool_without_anything_relevant_scores_zero_everywhere():
    columns = Columns(ids=["b", "a"], cosine=[-0.5, -0.1])

    hits = rank(RANKERS["balanced"], columns, HYBRID)

    assert [(hit.id, hit.score) for hit in hits] == [("a", 0.0), ("b", 0.0)]
    assert all(part.share == 0.0 for hit in hits for part in hit.signals)


@few
@given(
    pools(
        features.map(
            lambda row: row._replace(evidence=0.0, same_question=0.0, citation_changed=0, project_stale=0)
        )
    ),
    unit(),
)
def test_with_no_evidence_the_order_is_identical_to_the_relevance_order(columns: Columns, margin: float):
    rows = columns.rows()
    best_bm25 = max((row.bm25 for row in rows), default=0.0)
    cores = [core_of(row, best_bm25, margin) for row in rows]
    best = max([core for core in cores if core > 0.0], default=1.0)
    relevance = [max(core, 0.0) / best for core in cores]
    question = SearchQuestion(has_vectors=True, margin=margin, limit=100, best_coverage=0.5)

    hits = rank(RANKERS["balanced"], columns, question)

    assert [hit.place for hit in hits] == best_first(relevance, columns.ids, 100)
    assert hits == rank(balanced_with(0.0), columns, question)


@few
@given(pools(), questions, st.integers(0, 4), unit())
def test_better_evidence_never_lowers_a_score(
    columns: Columns, question: SearchQuestion, place: int, gain: float
):
    if not len(columns):
        return
    place %= len(columns)
    better = [float(g) for g in columns.given["evidence"]]
    better[place] = min(0.999, better[place] + gain)
    improved = Columns(ids=columns.ids, **columns.given | {"evidence": better})

    before, after = (_by_place(RANKERS["balanced"], one, question) for one in (columns, improved))

    assert after[place] >= before[place]


def _by_place(ranker: Ranker, columns: Columns, question: SearchQuestion) -> dict[int, float]:
    return {hit.place: hit.score for hit in rank_plain(ranker, columns, question)}


@few
@given(pools(), questions)
def test_both_forms_of_every_ranker_give_the_same_numbers(columns: Columns, question: SearchQuestion):
    for ranker in RANKERS.values():
        plain = {hit.place: hit.score for hit in rank_plain(ranker, columns, question)}
        arrays = {hit.place: hit.score for hit in rank_arrays(ranker, columns, question)}
        assert arrays == pytest.approx(plain, rel=1e-12, abs=1e-300)

        pool = RankingPool(question=question, best_bm25=3.0)
        for formula in (ranker.terms, ranker.factors):
            whole = formula(NUMPY, columns.arrays(), pool)
            for place, row in enumerate(columns.rows()):
                for (name, value, share), column in zip(formula(PLAIN, row, pool), whole, strict=True):
                    assert column[0] == name
                    assert column[1][place] == pytest.approx(float(value), rel=1e-12, abs=1e-300)
                    assert column[2][place] == pytest.approx(share, rel=1e-12, abs=1e-300)


def test_both_forms_agree_on_a_pool_of_four_hundred():
    random = np.random.default_rng(7)
    columns = Columns(
        ids=[f"mem_{number:03}" for number in random.permutation(400)],
        bm25=random.exponential(4.0, 400),
        keyword_rank=random.integers(-1, 200, 400).tolist(),
        cosine=random.uniform(-0.1, 0.9, 400),
        vector_rank=random.integers(-1, 200, 400).tolist(),
        coverage=random.random(400),
        age_days=random.integers(0, 900, 400).tolist(),
        use_count=random.zipf(1.5, 400).tolist(),
        days_since_used=random.uniform(-1.0, 300.0, 400),
        evidence=random.uniform(-0.9, 0.9, 400),
        same_question=random.uniform(-1.0, 1.0, 400),
    )

    for ranker in RANKERS.values():
        plain = rank_plain(ranker, columns, HYBRID)
        arrays = rank_arrays(ranker, columns, HYBRID)
        assert [hit.place for hit in arrays] == [hit.place for hit in plain]
        assert [hit.score for hit in arrays] == pytest.approx([hit.score for hit in plain], rel=1e-12)


@few
@given(pools(), questions)
def test_scores_are_numbers_within_their_bounds_for_any_finite_input(
    columns: Columns, question: SearchQuestion
):
    bounds = {
        "balanced": (0.0, 1.45),
        "five-signal": (-0.525, 1.5),
        "rrf": (0.0, 0.11),
        "weighted": (-0.7, 1.0),
    }
    for name, (low, high) in bounds.items():
        for hit in rank(RANKERS[name], columns, question):
            assert low <= hit.score <= high + 1e-12
            assert all(math.isfinite(part.value) and math.isfinite(part.share) for part in hit.signals)


@few
@given(pools(), questions)
def test_the_shares_add_up_to_the_score(columns: Columns, question: SearchQuestion):
    for ranker in RANKERS.values():
        for hit in rank(ranker, columns, question):
            shares = [part.share for part in hit.signals]
            largest = max(abs(share) for share in shares)
            assert math.fsum(shares) == pytest.approx(hit.score, rel=1e-9, abs=1e-9 * max(largest, 1e-290))


def test_an_empty_pool_gives_no_hits():
    for ranker in RANKERS.values():
        assert rank(ranker, Columns(ids=[]), HYBRID) == rank(ranker, Columns(ids=[]), KEYWORD) == []


def test_a_ranker_is_found_by_its_name_and_an_unknown_one_lists_the_names():
    assert ranker_named(" Five_Signal ") is RANKERS["five-signal"]
    with pytest.raises(InvalidInput, match="balanced, five-signal, rrf, weighted"):
        ranker_named("magic")


def test_a_keyword_search_never_loads_numpy():
    script = (
        "import sys; from memory_layer.ranking.order import rank; from memory_layer.ranking.rankers import RANKERS;"
        "from memory_layer.ranking.columns import Columns, SearchQuestion;"
        "import memory_layer.ranking.evidence, memory_layer.ranking.coverage, memory_layer.ranking.explain;"
        "columns = Columns(ids=['a', 'b'], bm25=[1.0, 2.0]);"
        "[rank(r, columns, SearchQuestion(has_vectors=False)) for r in RANKERS.values()];"
        "sys.exit('numpy' in sys.modules)"
    )

    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0


def test_a_column_left_out_counts_as_neutral():
    columns = Columns(ids=["a", "b"], bm25=[1.0, 2.0])

    assert columns.row(1) == columns.rows()[1] == NEUTRAL._replace(bm25=2.0)
    assert [float(np.broadcast_to(column, 2)[1]) for column in columns.arrays()] == list(columns.row(1))


def test_columns_may_already_be_numpy():
    columns = Columns(ids=["a", "b"], cosine=np.array([0.1, 0.2]))

    assert ids_of(rank(RANKERS["weighted"], columns, HYBRID)) == ["b", "a"]
    assert columns.row(0).cosine == 0.1


def test_columns_of_unequal_length_are_refused():
    with pytest.raises(InvalidInput, match="column bm25 has 1 values for 2 candidates"):
        Columns(ids=["a", "b"], bm25=[1.0])


def test_equal_scores_are_ordered_by_id():
    assert best_first([1.0, 2.0, 2.0, 1.0], ["d", "c", "b", "a"], 3) == [2, 1, 3]


def test_a_limit_of_zero_or_less_gives_nothing():
    assert best_first([1.0], ["a"], 0) == best_first([1.0], ["a"], -1) == []
    assert highest(np.array([1.0]), 0) == highest(np.array([1.0]), -1) == []


@given(st.lists(st.sampled_from([-0.0, 0.0, 0.5, 1.0]), max_size=30), st.integers(0, 35))
def test_the_order_of_a_column_is_the_order_of_its_floats(scores: list[float], limit: int):
    assert highest(np.array(scores), limit) == best_first(scores, [""] * len(scores), limit)
