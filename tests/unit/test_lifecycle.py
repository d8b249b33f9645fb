"""What outcomes, idle time, confirmations, archiving and restoring do to a memory."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_layer.errors import InvalidInput
from memory_layer.model.memory import Memory, Writer
from memory_layer.model.outcome import drifted
from memory_layer.model.vocabulary import Category, Outcome, Reason, Source, Status, WriterKind
from memory_layer.rules.lifecycle import (
    archived,
    counts,
    default_expiry,
    fails_everywhere,
    fold,
    is_failing,
    judged,
    reinforced,
    restored,
    starting_confidence,
    used,
)

NOON = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
DAY = timedelta(days=1)
ADA = Writer(name="ada", kind=WriterKind.PERSON, door="cli", session="terminal-1")
WORKED, PARTIAL, FAILED = Outcome.WORKED, Outcome.PARTIAL, Outcome.FAILED

scores = st.floats(min_value=-1.0, max_value=1.0)
gaps_in_days = st.lists(st.tuples(st.sampled_from(Outcome), st.integers(0, 200)), max_size=12)


def a_memory(**changes: object) -> Memory:
    facts: dict[str, object] = {
        "id": "mem_a",
        "content": "the connection pool holds ten",
        "content_hash": "0",
        "created_at": NOON - 400 * DAY,
        "updated_at": NOON - 400 * DAY,
    }
    return Memory(**(facts | changes))  # type: ignore[arg-type]


def after(*results: Outcome, memory: Memory | None = None) -> Memory:
    memory = memory or a_memory()
    for result in results:
        memory = judged(memory, result, NOON)
    return memory


def test_worked_adds_02_partial_005_and_failed_takes_03():
    assert after(WORKED).outcome_score == 0.2
    assert after(PARTIAL).outcome_score == 0.05
    assert after(FAILED).outcome_score == -0.3


def test_failed_twice_is_minus_06_and_effectively_hidden_from_results():
    memory = after(FAILED, FAILED)

    assert memory.outcome_score == -0.6
    assert (memory.status, memory.reason) == (Status.ARCHIVED, Reason.OUTCOME)


def test_worked_then_failed_is_minus_01():
    assert after(WORKED, FAILED).outcome_score == -0.1


def test_an_outcome_counts_itself_and_one_use_and_leaves_updated_at_alone():
    memory = after(WORKED, PARTIAL, FAILED)

    assert (memory.worked, memory.partial, memory.failed, memory.use_count) == (1, 1, 1, 3)
    assert memory.last_used_at == NOON
    assert memory.updated_at == NOON - 400 * DAY
    assert (memory.recall_count, memory.version) == (0, 1)


def test_exactly_minus_a_half_is_not_yet_too_low():
    memory = after(WORKED, WORKED, FAILED, FAILED, FAILED)

    assert memory.outcome_score == -0.5
    assert memory.status is Status.ACTIVE
    assert after(FAILED, memory=memory).status is Status.ARCHIVED


def test_scores_are_clamped_to_one_both_ways():
    assert after(*[WORKED] * 9).outcome_score == 1.0
    assert after(*[FAILED] * 9).outcome_score == -1.0


def test_the_threshold_is_a_setting_and_can_be_off():
    assert judged(a_memory(), FAILED, NOON, archive_below=-0.2).status is Status.ARCHIVED
    assert judged(a_memory(outcome_score=-0.9), FAILED, NOON, archive_below=None).status is Status.ACTIVE


def test_a_failure_that_speaks_for_one_kind_of_question_moves_the_score_and_archives_nothing():
    memory = judged(a_memory(outcome_score=-0.6), FAILED, NOON, everywhere=False)

    assert (memory.outcome_score, memory.status) == (-0.9, Status.ACTIVE)


@pytest.mark.parametrize(
    ("worked", "likenesses", "everywhere"),
    [
        (0, [1.0, 0.39], True),
        (0, [1.0, 0.4], False),
        (0, [1.0], False),
        (0, [1.0, None], True),
        (1, [1.0, 0.0, None], False),
        (0, [], False),
    ],
)
def test_failures_speak_against_what_never_worked_if_they_were_for_unlike_questions_or_for_none(
    worked, likenesses, everywhere
):
    assert fails_everywhere(worked, likenesses, 0.4) is everywhere


def test_a_restored_memory_is_not_archived_again_until_it_fails_again():
    back = restored(after(FAILED, FAILED, FAILED), NOON)

    assert back.status is Status.ACTIVE
    assert after(WORKED, memory=back).status is Status.ACTIVE
    assert after(FAILED, memory=back).status is Status.ARCHIVED


def test_an_outcome_does_not_move_a_memory_that_waits_for_review():
    staged = a_memory(status=Status.STAGED, reason=Reason.REVIEW, outcome_score=-0.9)

    assert (after(FAILED, memory=staged).status, after(FAILED, memory=staged).reason) == (
        Status.STAGED,
        Reason.REVIEW,
    )


def test_an_archived_memory_keeps_the_reason_it_was_archived_for():
    asked = archived(a_memory(outcome_score=-0.4), Reason.ASKED, NOON)

    assert after(FAILED, memory=asked).reason is Reason.ASKED


def test_an_outcome_reported_late_does_not_turn_the_last_use_back():
    memory = judged(a_memory(last_used_at=NOON), WORKED, NOON - 3 * DAY)

    assert memory.last_used_at == NOON


@given(scores, st.integers(0, 300))
def test_one_more_worked_never_lowers_the_score_that_is_shown(score: float, idle_days: int):
    memory = a_memory(outcome_score=round(score, 6), last_used_at=NOON - idle_days * DAY)

    shown = drifted(memory.outcome_score, memory.last_used_at, NOON)
    assert judged(memory, WORKED, NOON).outcome_score >= round(shown, 6)
    assert judged(memory, FAILED, NOON).outcome_score <= round(shown, 6)


@given(gaps_in_days)
def test_the_score_is_a_fold_over_the_events(gaps: list[tuple[Outcome, int]]):
    at, events, memory = NOON, [], a_memory()
    for result, days in gaps:
        at += days * DAY
        events.append((result, at))
        memory = judged(memory, result, at)

    assert fold(events) == memory.outcome_score
    assert -1.0 <= fold(events) <= 1.0


def test_a_score_stays_for_thirty_days_and_then_halves_every_thirty():
    assert drifted(0.8, NOON - 30 * DAY, NOON) == 0.8
    assert drifted(0.8, NOON - 60 * DAY, NOON) == pytest.approx(0.4)
    assert drifted(-0.8, NOON - 90 * DAY, NOON) == pytest.approx(-0.2)


def test_a_memory_that_was_never_used_does_not_drift():
    assert drifted(0.8, None, NOON) == 0.8


def test_always_partial_cannot_climb_when_it_is_used_every_few_months():
    events = [(PARTIAL, NOON + 120 * number * DAY) for number in range(40)]

    assert fold(events) < 0.06


def test_what_the_score_lost_while_idle_stays_lost_after_a_use():
    memory = used(a_memory(outcome_score=0.8, last_used_at=NOON - 60 * DAY, use_count=4), NOON)

    assert (memory.outcome_score, memory.use_count, memory.last_used_at) == (0.4, 5, NOON)
    assert fold([(WORKED, NOON), (None, NOON + 60 * DAY)]) == 0.1


@given(scores, st.integers(0, 2000))
def test_drift_only_ever_goes_toward_zero(score: float, idle_days: int):
    days = [drifted(score, NOON, NOON + day * DAY) for day in (idle_days, idle_days + 1)]

    assert all(abs(later) <= abs(earlier) <= abs(score) for earlier, later in pairwise(days))


def test_the_fourth_failure_of_an_angry_hour_does_not_count():
    assert [counts(before, FAILED, has_evidence=False) for before in range(5)] == [
        True,
        True,
        True,
        False,
        False,
    ]


def test_a_failure_with_evidence_always_counts_because_evidence_is_not_mood():
    assert counts(50, FAILED, has_evidence=True)


def test_worked_and_partial_are_not_limited():
    assert counts(50, WORKED, has_evidence=False)
    assert counts(50, PARTIAL, has_evidence=False)


def test_expiry_follows_the_category():
    assert default_expiry(Category.PATTERN, NOON) is None
    assert default_expiry(Category.WARNING, NOON) == NOON + 90 * DAY
    assert default_expiry(Category.CONTEXT, NOON) == NOON + 30 * DAY


def test_a_project_sets_its_own_expiry_or_none_at_all():
    overrides = {Category.PATTERN: 7, Category.WARNING: None}

    assert default_expiry(Category.PATTERN, NOON, overrides) == NOON + 7 * DAY
    assert default_expiry(Category.WARNING, NOON, overrides) is None
    assert default_expiry(Category.CONTEXT, NOON, overrides) == NOON + 30 * DAY


def test_a_caller_may_ask_for_less_confidence_than_the_source_has_but_not_for_more():
    assert starting_confidence(Source.AGENT) == 0.8
    assert starting_confidence(Source.AGENT, 0.4) == 0.4
    assert starting_confidence(Source.LEARNING, 1.0) == 0.3


@pytest.mark.parametrize("asked", [-0.1, 1.1, float("nan"), float("inf")])
def test_a_confidence_outside_zero_and_one_is_refused(asked: float):
    with pytest.raises(InvalidInput, match="between 0 and 1"):
        starting_confidence(Source.HUMAN, asked)


def test_reinforcing_counts_and_dates_the_confirmation_and_nothing_else():
    memory = reinforced(a_memory(), ADA, NOON)

    assert (memory.reinforcement_count, memory.reinforced_at) == (2, NOON)
    assert (memory.use_count, memory.updated_at) == (0, NOON - 400 * DAY)


def test_archiving_says_why_and_when():
    memory = archived(a_memory(), Reason.MERGED, NOON, "into mem_b")

    assert (memory.status, memory.reason, memory.reason_detail) == (
        Status.ARCHIVED,
        Reason.MERGED,
        "into mem_b",
    )
    assert memory.updated_at == NOON
    assert archived(memory, Reason.ASKED, NOON + DAY) is memory


def test_restoring_brings_a_memory_back_with_the_score_it_had():
    memory = restored(archived(a_memory(outcome_score=-0.6), Reason.OUTCOME, NOON), NOON + DAY)

    assert (memory.status, memory.reason, memory.reason_detail) == (Status.ACTIVE, None, None)
    assert (memory.outcome_score, memory.updated_at) == (-0.6, NOON + DAY)


def test_restoring_an_expired_memory_gives_it_a_new_term():
    expired = a_memory(category=Category.WARNING, status=Status.ARCHIVED, expires_at=NOON - DAY)

    assert restored(expired, NOON).expires_at == NOON + 90 * DAY
    assert restored(expired, NOON, {Category.WARNING: None}).expires_at is None


def test_restoring_keeps_a_term_that_still_runs():
    memory = a_memory(status=Status.ARCHIVED, expires_at=NOON + DAY)

    assert restored(memory, NOON).expires_at == NOON + DAY


def test_only_what_is_archived_can_be_restored():
    for status in (Status.ACTIVE, Status.STAGED):
        memory = a_memory(status=status)
        assert restored(memory, NOON) is memory


def test_failing_is_a_score_below_the_limit_and_a_failure_as_the_last_word():
    low = a_memory(outcome_score=-0.6, failed=2, last_used_at=NOON)

    assert is_failing(low, FAILED, NOON)
    assert not is_failing(low, WORKED, NOON)
    assert not is_failing(low, PARTIAL, NOON)
    assert not is_failing(low, None, NOON)
    assert not is_failing(low._replace(outcome_score=-0.5), FAILED, NOON)
    assert not is_failing(low._replace(status=Status.ARCHIVED), FAILED, NOON)


def test_failing_ends_when_the_score_has_drifted_up_and_can_be_turned_off():
    low = a_memory(outcome_score=-0.6, failed=2, last_used_at=NOON)

    assert is_failing(low, FAILED, NOON + 30 * DAY)
    assert not is_failing(low, FAILED, NOON + 45 * DAY)
    assert not is_failing(low, FAILED, NOON, below=-0.7)
    assert not is_failing(low, FAILED, NOON, below=None)
