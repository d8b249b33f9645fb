"""What the first design says about ranking, sentence by sentence, through the shipped search."""

from __future__ import annotations

import math
from datetime import timedelta

import pytest

from memory_layer.model.memory import Draft, Project
from memory_layer.model.query import Mode
from memory_layer.model.vocabulary import Category, OnDuplicate, Outcome, Source
from memory_layer.ports.log import OutcomeFilter
from memory_layer.rules.intent import intent
from memory_layer.usecases.learn.outcome import OutcomeReport, record_outcome
from memory_layer.usecases.remember.add import add
from memory_layer.usecases.who.lookup import read_memory
from tests.dictated import asked, score, signal

#: For each category that has a boost a question that asks for it.
BOOSTS = {
    Category.TROUBLESHOOTING: (1.5, "Why is the API returning 500 errors?"),
    Category.GOTCHA: (1.4, "any gotchas with the cache?"),
    Category.DECISION: (1.4, "why did we choose SQLite over Postgres?"),
    Category.PATTERN: (1.3, "which pattern do we use for retries?"),
    Category.CONVENTION: (1.3, "what is our naming convention for functions?"),
    Category.ARCHITECTURE: (1.2, "how is the system architecture structured?"),
    Category.COMMAND: (1.2, "what is the command to run the tests?"),
    Category.WORKAROUND: (1.1, "is there a workaround for the login bug?"),
}
#: The same for some of "everything else".
PLAIN = {
    Category.PREFERENCE: "what does the user prefer?",
    Category.DEPENDENCY: "which version of the library do we depend on?",
    Category.TODO: "what is left to do?",
}


@pytest.mark.parametrize(
    ("name", "weight"),
    [("semantic", 0.35), ("outcome", 0.25), ("recency", 0.15), ("frequency", 0.15), ("confidence", 0.10)],
)
def test_semantic_35_percent_outcome_25_recency_15_frequency_15_confidence_10(
    told, agent, keep, counted, clock, name, weight
):
    memory = keep("the cranes need a permit", cosine=0.8)
    counted(memory, outcome_score=0.4, use_count=9)
    clock.pass_(days=6)

    part = signal(asked(told, agent), memory, name)
    assert part.value > 0.0
    assert part.share == pytest.approx(weight * part.value)


def test_a_score_is_the_sum_of_the_five_signals(told, agent, keep, counted):
    memory = keep("the cranes need a permit", cosine=0.8)
    counted(memory, outcome_score=0.4, use_count=9)

    found = asked(told, agent)
    exactly = 0.35 * 0.8 + 0.25 * 0.7 + 0.15 * 1.0 + 0.15 * math.log(10) / math.log(100) + 0.10 * 0.8
    assert score(found, memory) == pytest.approx(exactly, abs=1e-3)  # vectors are stored in half precision


@pytest.mark.parametrize(("outcome_score", "value"), [(-1.0, 0.0), (0.0, 0.5), (0.4, 0.7), (1.0, 1.0)])
def test_the_outcome_score_is_normalised_from_minus_1_and_1_to_0_and_1(
    told, agent, keep, counted, outcome_score, value
):
    memory = keep("the cranes need a permit")
    counted(memory, outcome_score=outcome_score)

    assert signal(asked(told, agent), memory, "outcome").value == pytest.approx(value)


@pytest.mark.parametrize(("days", "left"), [(0, 1.0), (0.9, 1.0), (30, math.exp(-1)), (60, math.exp(-2))])
def test_recency_is_exp_of_minus_days_by_30_in_whole_days(told, agent, keep, clock, days, left):
    memory = keep("the cranes need a permit")
    clock.pass_(days=days)

    assert signal(asked(told, agent), memory, "recency").value == pytest.approx(left)


@pytest.mark.parametrize(("uses", "value"), [(0, 0.0), (9, 0.5), (99, 1.0), (5000, 1.0)])
def test_frequency_is_log_of_uses_plus_1_by_log_100_and_at_most_1(told, agent, keep, counted, uses, value):
    memory = keep("the cranes need a permit")
    counted(memory, use_count=uses)

    assert signal(asked(told, agent, peek=True), memory, "frequency").value == pytest.approx(value)


def test_times_retrieved_are_recalls_and_uses_together(told, agent, keep, counted):
    memory = keep("the cranes need a permit")
    counted(memory, use_count=4, recall_count=5)

    assert signal(asked(told, agent), memory, "frequency").value == pytest.approx(0.5)


def test_explicit_memories_get_a_slight_boost_over_extracted_ones(told, agent, person, keep, dictated):
    dictated.cosines |= {"said by a person": 0.5, "taken from a talk": 0.5}
    said = read_memory(told.store, add(told, Draft("said by a person"), person).id)
    taken = read_memory(told.store, add(told, Draft("taken from a talk", source=Source.CAPTURE), agent).id)

    found = asked(told, agent)
    assert score(found, said) - score(found, taken) == pytest.approx(0.10 * (1.0 - 0.7))


def test_two_worked_ratings_do_not_dominate_a_semantically_closer_memory_without_ratings(told, agent, keep):
    rated, closer = keep("rated twice", cosine=0.60), keep("closer in meaning", cosine=0.80)
    unrated = asked(told, agent, peek=True)
    before = score(unrated, closer) - score(unrated, rated)
    for _ in range(2):
        record_outcome(told, [rated.id], OutcomeReport(Outcome.WORKED), agent)

    found = asked(told, agent, peek=True)
    outcome = signal(found, rated, "outcome").share - signal(found, closer, "outcome").share
    assert before == pytest.approx(0.35 * 0.20, abs=1e-3)
    assert outcome == pytest.approx(0.25 * 0.2)
    assert outcome < before


@pytest.mark.parametrize(("category", "boost", "question"), [(c, *each) for c, each in BOOSTS.items()])
def test_the_boosts_are_15_for_troubleshooting_14_gotcha_and_decision_13_pattern_and_convention_12_and_11(
    told, agent, keep, category, boost, question
):
    memory = keep("one text", category=category)
    other = keep("another text", category=Category.GENERAL)

    found = asked(told, agent, question)
    assert intent(question) is category
    assert signal(found, memory, "category_boost").value == boost
    assert score(found, memory) == pytest.approx(boost * score(found, other), abs=1e-3)
    assert signal(found, other, "category_boost").value == 1.0


@pytest.mark.parametrize(("category", "question"), PLAIN.items())
def test_everything_else_is_boosted_by_1(told, agent, keep, category, question):
    memory = keep("one text", category=category)

    assert signal(asked(told, agent, question), memory, "category_boost").value == 1.0


@pytest.mark.parametrize("category", [Category.PITFALL, Category.WARNING])
def test_pitfall_and_warning_are_boosted_like_gotcha(told, agent, keep, category):
    memory, trap = keep("one text", category=category), keep("another text", category=Category.GOTCHA)

    found = asked(told, agent, "what should I watch out for in the core?")
    assert found.intent is Category.GOTCHA
    assert signal(found, memory, "category_boost").value == 1.4
    assert score(found, memory) == pytest.approx(score(found, trap), abs=1e-3)


def test_why_is_the_api_returning_500_errors_promotes_troubleshooting_at_068_over_a_pattern_at_072(
    told, agent, keep, counted
):
    """With everything else equal, 0.72 and 0.68 are cosines that lie 0.04 / 0.35 apart."""
    fix = keep("Connection pool fix", cosine=0.70, category=Category.TROUBLESHOOTING)
    shape = keep("REST API structure", cosine=0.70 + 0.04 / 0.35, category=Category.PATTERN)

    plain = asked(told, agent, "tell me something", peek=True)
    assert score(plain, shape) - score(plain, fix) == pytest.approx(0.04, abs=1e-3)
    found = asked(told, agent, "Why is the API returning 500 errors?", peek=True)
    assert found.intent is Category.TROUBLESHOOTING
    assert [hit.memory.id for hit in found.hits] == [fix.id, shape.id]
    assert score(found, fix) == pytest.approx(1.5 * score(plain, fix))
    assert score(found, shape) == pytest.approx(score(plain, shape))


def test_a_search_with_limit_5_gives_5_and_without_one_10(told, agent, keep):
    for number in range(12):
        keep(f"note {number}")

    assert len(asked(told, agent, limit=5).hits) == 5
    assert len(asked(told, agent).hits) == 10


def test_recording_an_outcome_never_renews_the_age(told, agent, keep, clock):
    memory = keep("the cranes need a permit")
    clock.pass_(days=30)
    record_outcome(told, [memory.id], OutcomeReport(Outcome.FAILED), agent)

    assert signal(asked(told, agent), memory, "recency").value == pytest.approx(math.exp(-1))


def test_evidence_moves_balanced_by_at_most_45_percent_and_one_worked_by_half_of_that(
    told, agent, keep, clock
):
    memory = keep("the cranes need a permit", cosine=0.8)
    keep("something else", cosine=0.8)
    report = OutcomeReport(Outcome.WORKED, query="a question")

    record_outcome(told, [memory.id], report, agent)
    first = signal(asked(told, agent, ranker="balanced", peek=True), memory, "evidence")
    for number in range(20):
        clock.pass_(hours=1)
        record_outcome(told, [memory.id], report, agent._replace(session=f"session {number}"))
    last = signal(asked(told, agent, ranker="balanced", peek=True), memory, "evidence")

    assert (first.value, first.share) == pytest.approx((0.5, 0.225), abs=1e-3)
    assert 0.4 < last.share < 0.45


def test_one_outcome_counts_for_each_memory_session_and_question_and_a_later_one_replaces_it(
    told, agent, keep
):
    memory = keep("the cranes need a permit", cosine=0.8)
    for result in (Outcome.WORKED, Outcome.WORKED, Outcome.FAILED):
        record_outcome(told, [memory.id], OutcomeReport(result, query="a question"), agent)

    found = asked(told, agent, ranker="balanced", peek=True)
    assert signal(found, memory, "evidence").value == pytest.approx(-0.5)
    assert read_memory(told.store, memory.id).outcome_score == pytest.approx(0.2 + 0.2 - 0.3)


def test_an_outcome_without_a_question_counts_three_tenths_for_every_question(told, agent, keep):
    memory = keep("the cranes need a permit", cosine=0.8)
    record_outcome(told, [memory.id], OutcomeReport(Outcome.WORKED), agent)

    found = asked(told, agent, ranker="balanced", peek=True)
    assert signal(found, memory, "evidence").value == pytest.approx(0.3 / 1.3, abs=1e-3)


@pytest.mark.parametrize(("minutes", "known"), [(119, True), (121, False)])
def test_an_outcome_belongs_to_the_writers_last_recall_within_two_hours(
    told, agent, keep, clock, minutes, known
):
    memory = keep("the cranes need a permit", cosine=0.8)
    asked(told, agent)
    clock.pass_(minutes=minutes)
    record_outcome(told, [memory.id], OutcomeReport(Outcome.WORKED), agent._replace(session="another"))

    (event,) = told.store.log.outcomes(OutcomeFilter(memories=[memory.id]))
    assert (event.query == "a question") is known


def test_evidence_halves_after_90_days(told, agent, keep, clock):
    memory = keep("the cranes need a permit", cosine=0.8)
    record_outcome(told, [memory.id], OutcomeReport(Outcome.WORKED, query="a question"), agent)
    clock.pass_(days=90)

    found = asked(told, agent, ranker="balanced", peek=True)
    assert signal(found, memory, "evidence").value == pytest.approx(0.5 / 1.5, abs=1e-3)
    assert clock() - told.store.log.outcomes(OutcomeFilter(memories=[memory.id]))[0].at == timedelta(days=90)


@pytest.fixture
def idle(told, keep, agent, dictated, clock):
    """A memory of a project whose last commit is 90 days old, and one of a project that had one yesterday."""
    made = []
    for name, days in (("idle", 90), ("busy", 1)):
        project = Project(name, f"git.example/{name}", name)
        dictated.cosines[f"the {name} crane"] = 0.8
        draft = Draft(f"the {name} crane", on_duplicate=OnDuplicate.KEEP)
        made.append(read_memory(told.store, add(told, draft, agent, project).id))
        with told.store.writing():
            told.store.projects.note_commit(name, clock() - timedelta(days=days), clock())
    return made


def test_memories_of_a_project_without_commits_in_90_days_get_a_recency_penalty_of_one_half(
    told, agent, idle
):
    stale, busy = idle

    found = asked(told, agent)
    assert signal(found, stale, "recency").value == pytest.approx(0.5)
    assert signal(found, busy, "recency").value == pytest.approx(1.0)
    assert score(found, busy) - score(found, stale) == pytest.approx(0.15 * 0.5, abs=1e-3)


@pytest.mark.parametrize("mode", [Mode.HYBRID, Mode.KEYWORD])
def test_a_stale_project_counts_09_in_balanced(told, agent, idle, clock, mode):
    stale, busy = idle
    question = "which crane"

    found = asked(told, agent, question, ranker="balanced", mode=mode)
    assert [hit.memory.id for hit in found.hits] == [busy.id, stale.id]
    assert score(found, stale) == pytest.approx(0.9 * score(found, busy), abs=1e-3)
    assert signal(found, stale, "project_stale").value == 1.0

    with told.store.writing():
        told.store.projects.note_commit("idle", clock(), clock())
    found = asked(told, agent, question, ranker="balanced", mode=mode)
    assert signal(found, stale, "project_stale").share == 0.0


def test_five_signal_looks_at_the_best_200_of_each_list(told, agent, keep, counted):
    proven = keep("a far memory that always worked", cosine=0.30)
    counted(proven, outcome_score=1.0, use_count=99)
    for number in range(150):
        keep(f"note {number}", cosine=0.31)

    assert asked(told, agent, "something without a word in common").hits[0].memory.id == proven.id
