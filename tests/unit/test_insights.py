"""Sums of reports: shares with intervals, questions in vain, and scores without experience."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from memory_layer.errors import InvalidInput
from memory_layer.model.insights import Asked, Reported
from memory_layer.model.vocabulary import Outcome, Source
from memory_layer.ranking.columns import Columns, SearchQuestion
from memory_layer.ranking.order import rank_plain
from memory_layer.ranking.rankers import balanced_with
from memory_layer.ranking.without import without_experience
from memory_layer.rules.insights import AnsweredQuestion, by_source, by_week, in_vain, share_of, weeks_until

NOW = datetime(2026, 3, 5, 12, tzinfo=UTC)  # a Thursday


def test_a_share_has_a_wilson_interval():
    share = share_of(8, 10)

    assert share is not None
    assert (round(share.low, 3), share.share, round(share.high, 3)) == (0.490, 0.8, 0.943)
    assert share_of(0, 0) is None


def test_weeks_begin_on_monday_and_end_with_the_current_one():
    assert [each.isoformat() for each in weeks_until(NOW, 2, 2)] == ["2026-02-23", "2026-03-02"]


@pytest.mark.parametrize("weeks", [0, 3])
def test_a_number_of_weeks_out_of_bounds_is_refused_with_the_bounds(weeks):
    with pytest.raises(InvalidInput, match=f"weeks must be from 1 to 2, not {weeks}"):
        weeks_until(NOW, weeks, 2)


def test_a_week_without_reports_is_listed_and_a_right_first_answer_counts_in_its_own_week():
    worked = AnsweredQuestion(NOW, ["a", "b"], ["b", "a"], {"a"})
    report = Reported("a", Source.AGENT, Outcome.WORKED, NOW, 1)

    empty, full = by_week(weeks_until(NOW, 2, 2), [report], [worked])

    assert (empty.reports.total, empty.questions) == (0, 0)
    assert (full.reports.worked, full.questions, full.right, full.right_without) == (1, 1, 1, 0)


@pytest.mark.parametrize(("reports", "told"), [(19, False), (20, True)])
def test_rates_of_sources_need_twenty_reports(reports, told):
    (source,) = by_source([Reported("a", Source.AGENT, Outcome.WORKED, NOW, None)] * reports)

    assert (source.reports.worked, source.worked is not None) == (reports, told)


def test_a_question_is_in_vain_if_its_last_answer_was_empty_or_all_its_reports_failed():
    asked = [
        Asked(1, "How to  fly", NOW, 0),
        Asked(2, "how to fly", NOW, 0),
        Asked(3, "answered later", NOW, 0),
        Asked(4, "answered later", NOW, 2),
        Asked(5, "misled", NOW, 3),
        Asked(6, "helped", NOW, 3),
    ]
    results = {5: [Outcome.FAILED, Outcome.FAILED], 6: [Outcome.FAILED, Outcome.WORKED]}

    found = in_vain(asked, results, 10)

    assert [(each.question, each.times, each.failed) for each in found] == [
        ("how to fly", 2, 0),
        ("misled", 1, 2),
    ]


@pytest.mark.parametrize("strength", [0.45, 0.2, 0.0])
@pytest.mark.parametrize(
    ("evidence", "same"), [(0.0, 0.0), (0.6, 0.0), (-0.7, -0.4), (0.5, 0.9), (-0.2, -1.0)]
)
@pytest.mark.parametrize(
    "marks", [{}, {"citation_changed": [0.0, 1.0]}, {"project_stale": [1.0, 1.0]}], ids=str
)
def test_a_score_without_experience_is_the_one_of_the_same_memory_without_reports(
    strength, evidence, same, marks
):
    """Whatever reports did to a score can be undone from the signals that were kept with it."""
    question = SearchQuestion(has_vectors=False, limit=2)
    facts = {"bm25": [3.0, 2.0], "coverage": [0.9, 0.6], **marks}
    ranker = balanced_with(strength)

    def ranked(**more: list[float]) -> dict[str, tuple[float, dict[str, float]]]:
        found = rank_plain(ranker, Columns(ids=["a", "b"], **facts, **more), question)
        return {each.id: (each.score, {one.name: one.value for one in each.signals}) for each in found}

    plain = ranked()
    for name, (score, signals) in ranked(evidence=[0.0, evidence], same_question=[0.0, same]).items():
        assert without_experience("balanced", score, signals, strength) == pytest.approx(
            plain[name][0], abs=1e-9
        )


def test_other_rankers_know_at_most_the_outcome_score():
    assert without_experience("rrf", 0.4, {"outcome": 1.0}) == 0.4
    assert without_experience("five-signal", 0.8, {"outcome": 1.0}) == pytest.approx(0.675)
