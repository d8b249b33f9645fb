"""What people say in passing is kept by rules: preferences, corrections and constraints, and nothing else."""

from __future__ import annotations

import pytest

from memory_layer.model.capture import Said, Transcript
from memory_layer.model.memory import Draft
from memory_layer.model.vocabulary import Category, Priority, Reason, Source, Status
from memory_layer.usecases.remember.add import add
from memory_layer.usecases.remember.capture import capture
from memory_layer.usecases.remember.listen import noticed
from memory_layer.usecases.who.lookup import read_memory
from tests.places import HERE


def said(*texts, at=None):
    return Transcript(tuple(Said(text, at) for text in texts))


@pytest.fixture
def hear(keyword_engine, agent):
    """Capture messages, as a hook would."""

    def hear_(*texts, at=None, **options):
        return capture(keyword_engine, said(*texts, at=at), agent, HERE, **options)

    return hear_


@pytest.mark.parametrize(
    "text",
    [
        "I prefer dataclasses to plain dictionaries.",
        "Always use snake_case for Python functions.",
        "Never commit generated files.",
        "Thanks. Please always name the file you changed.",
        "From now on, answer in English.",
    ],
)
def test_preferences_are_kept_as_preference(hear, keyword_engine, text):
    (kept,) = hear(text).kept
    memory = read_memory(keyword_engine.store, kept.id)
    assert (memory.category, memory.status, memory.source) == (
        Category.PREFERENCE,
        Status.ACTIVE,
        Source.CAPTURE,
    )
    assert memory.confidence == 0.7
    assert memory.priority is Priority.MEDIUM


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("Actually, the gateway listens on port 9443.", "The gateway listens on port 9443"),
        ("No, the main branch is called trunk.", "The main branch is called trunk"),
        ("no. The main branch is called trunk.", "The main branch is called trunk"),
        ("The README is wrong, it should be make all.", "The README is wrong, it should be make all"),
        ("It's not MySQL but MariaDB.", "It's not MySQL but MariaDB"),
        ("The column is called born_on, not birthday.", "The column is called born_on, not birthday"),
    ],
)
def test_corrections_are_kept_as_fact_of_high_priority(hear, keyword_engine, text, content):
    (kept,) = hear(text).kept
    memory = read_memory(keyword_engine.store, kept.id)
    assert memory.content == content
    assert (memory.category, memory.priority) == (Category.FACT, Priority.HIGH)


@pytest.mark.parametrize(
    "text",
    [
        "All endpoints must require a token.",
        "Signed commits are required on this repository.",
        "Don't ever delete rows of the audit table.",
    ],
)
def test_constraints_are_kept_as_policy_and_wait_for_a_person(hear, keyword_engine, text):
    (kept,) = hear(text).kept
    memory = read_memory(keyword_engine.store, kept.id)
    assert memory.category is Category.POLICY
    assert (memory.status, memory.reason) == (Status.STAGED, Reason.REVIEW)
    assert kept.status == "staged"


@pytest.mark.parametrize("text", ["We decided to keep the monorepo.", "Final call: SQLite for the cache."])
def test_decisions_are_kept_as_decision(hear, text):
    assert [each.category for each in hear(text).kept] == [Category.DECISION]


@pytest.mark.parametrize(
    ("text", "category"),
    [
        ("Remember that the demo account resets at night.", Category.FACT),
        ("Remember that I prefer short answers.", Category.PREFERENCE),
        ("Remember that we decided to keep REST.", Category.DECISION),
        ("Remember that all dates must be in UTC.", Category.POLICY),
    ],
)
def test_what_is_to_be_remembered_is_kept_as_what_it_says(text, category):
    assert [each.category for each in noticed(text)] == [category]


def test_a_person_at_a_terminal_needs_no_second_approval(keyword_engine, person):
    (kept,) = capture(keyword_engine, said("All endpoints must require a token."), person).kept
    assert keyword_engine.store.memories.get([kept.id])[0].status is Status.ACTIVE


def test_what_a_person_only_passes_on_is_not_vouched_for(keyword_engine, person):
    (kept,) = capture(
        keyword_engine, said("All endpoints must require a token."), person, overheard=True
    ).kept
    assert keyword_engine.store.memories.get([kept.id])[0].status is Status.STAGED


def test_remember_this_on_a_known_memory_reinforces_it_and_resets_its_decay(
    keyword_engine, agent, clock, hear
):
    known = add(keyword_engine, Draft("The demo account resets at night"), agent, HERE).id
    clock.pass_(days=80)
    done = hear("Remember that the demo account resets at night.")
    memory = read_memory(keyword_engine.store, known)
    assert [each.id for each in done.reinforced] == [known]
    assert (memory.reinforcement_count, memory.reinforced_at) == (2, clock.time)
    assert done.kept == ()


def test_remember_this_keeps_the_statement_before_it(hear):
    done = hear("The staging cluster is rebuilt every Monday.", "remember this")
    assert [each.content for each in done.kept] == ["The staging cluster is rebuilt every Monday"]


@pytest.mark.parametrize("before", ["Can you look at the cache?", "ok", "If it fails, run it again."])
def test_remember_this_keeps_nothing_where_nothing_was_stated(hear, before):
    assert hear(before, "Remember this.").kept == ()


@pytest.mark.parametrize(
    "text",
    [
        "Do you always restart the server?",
        "> We decided to use Redis",
        'The form says "Password must not be empty".',
        "```\n# always retry\n```",
        "`must_revalidate` and `never_cache`",
        "2031-05-01 10:00:01 ERROR config must contain a key",
        'Traceback (most recent call last):\n  File "x.py", line 1\nValueError: name must not be empty',
        "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-Always use tabs.\n+Always use spaces.",
        "If we use SQLite, we must lock the file.",
        "you must fix this test now",
        "use tabs here",
        "actually, run it again",
        "We never decided on that.",
        "The docs say you must call init first.",
        "| name | required |\n|---|---|\n| age | must never be empty |",
        "always x",
        "Always " + "use tabs and " * 60,
        "Immer zuerst die Tests laufen lassen.",
        "siempre usa comillas dobles",
        "必ずテストを実行してください。",
    ],
)
def test_what_is_not_meant_to_last_is_left(text):
    assert noticed(text) == ()
