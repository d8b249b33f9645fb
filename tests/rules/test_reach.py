"""Requests about the task at hand are not stored; rules that reach beyond it are."""

from __future__ import annotations

import pytest

from memory_layer.text.reach import RequestKind, scope
from memory_layer.usecases.remember.listen import listen, noticed


@pytest.mark.parametrize(
    "text",
    [
        "Build an export of the ledger. Never round the totals.",
        "Create a queue for the uploads, and always retry three times.",
        "the tooltips must never cover the chart",
        "You should always greet visitors by name.",
        "Add a warning before removing an account",
        "can you stop showing archived orders",
    ],
)
def test_what_a_product_is_to_do_is_not_stored(text):
    assert noticed(text) == ()


@pytest.mark.parametrize(
    "text",
    [
        "Build an export of the ledger. From now on never round totals.",
        "Create a queue for the uploads. We never retry more than three times in this repo.",
        "Generate the client. You don't edit generated files.",
        "Add a rule to AGENTS.md. Always quote file names with spaces.",
    ],
)
def test_a_sign_that_more_is_meant_outweighs_the_task(text):
    assert len(noticed(text)) == 1


@pytest.mark.parametrize(
    "text",
    [
        "never rename migrations until I'm back from lunch",
        "You don't need to check for typos in comments, I've already done so",
        "For now, always skip the linter",
        "always run all of them, never only the tests that failed until every one is green",
    ],
)
def test_what_is_bound_to_a_moment_is_not_stored(text):
    assert noticed(text) == ()


@pytest.mark.parametrize(
    "text",
    [
        "yarn warning left-pad@1.0.0: this package is no longer supported, always use padStart",
        "FAILED tests/test_tax.py::test_vat - every rate must be a decimal",
        "(node:811) DeprecationWarning: our loader is deprecated and never runs in production",
        "error[E0502]: every borrow must end before the next begins",
        "14 passed, 2 failed, we never skip tests in CI",
    ],
)
def test_a_line_of_a_tool_is_neither_stored_nor_a_reason_to_remind(text):
    assert listen(text) == ((), None)


@pytest.mark.parametrize(
    "text",
    [
        "We never write to the replica \u2014 the pool in db.go:41 says otherwise.",
        "The check in pool.py:88 never runs, we always use the cache in production.",
        "We always need these files:",
    ],
)
def test_what_looks_copied_or_only_announces_is_not_stored(text):
    assert noticed(text) == ()


@pytest.mark.parametrize(
    "text",
    [
        "No, the fix is to rename the folder.",
        "Nope, the second test should be first.",
        "let's go with a queue then",
        "I selected the second entry of the list.",
    ],
)
def test_a_correction_of_the_work_or_a_choice_of_the_next_step_is_not_stored(text):
    assert noticed(text) == ()


@pytest.mark.parametrize(
    "text",
    [
        "we don't squash here, every commit is kept",
        "we don't edit anything under gen/out, it is overwritten",
        "stop asking me whether to continue",
        "I don't want wildcard imports anywhere",
        "next time run the linter before the tests",
        "we stay on Django 4 till the audit is over",
        "for larger changes i want to see a plan",
    ],
)
def test_habits_of_a_team_and_of_the_agent_are_stored(text):
    assert len(noticed(text)) == 1


@pytest.mark.parametrize(
    "text",
    [
        "the mail catcher runs on 2626 on my machine",
        "we tried a message bus last year and ripped it out because nobody could operate it",
        "sqlite stays, one writer is enough",
        "the sandbox is only up on weekdays",
        "please reply in Dutch from here on",
        "use `tox -e quick`, otherwise all plugins are missing",
        "the token expires after a day, so a 401 means I have to log in",
    ],
)
def test_a_fact_said_in_passing_gives_a_reminder(text):
    assert listen(text).reminder


@pytest.mark.parametrize(
    "text",
    [
        "the progress bar should always end at 100",
        "2 failed, 80 passed in 3.1s\n\nfix them, don't change the tests",
        "is there a reason why you never close the file?",
        "add a second column that must always be sorted",
    ],
)
def test_a_wish_a_failure_or_a_question_gives_none(text):
    assert listen(text) == ((), None)


@pytest.mark.parametrize(
    ("sentences", "expected"),
    [
        (["add a login form"], RequestKind.TASK),
        (["this is one of several sentences"] * 7, RequestKind.TASK),
        (["yes"] * 7, RequestKind.OPEN),
        (["make sure that nothing breaks"], RequestKind.OPEN),
        (["add a rule for this", "create a file"], RequestKind.RULES),
    ],
)
def test_a_message_is_about_a_task_about_rules_or_open(sentences, expected):
    assert scope(sentences) is expected
