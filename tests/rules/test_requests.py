"""Requests, tastes and house rules are stored as people type them; what is meant for now, or was pasted, is not."""

from __future__ import annotations

import pytest

from memory_layer.model.vocabulary import Category
from memory_layer.usecases.remember.listen import noticed


def contents(text):
    return [each.content for each in noticed(text)]


@pytest.mark.parametrize(
    ("text", "category"),
    [
        ("please don't put docstrings on internal functions", Category.PREFERENCE),
        ("our pipeline only runs on 3.10 and 3.12", Category.FACT),
        ("stop using exclamation marks", Category.PREFERENCE),
        ("use yarn not npm", Category.PREFERENCE),
        ("use httpx instead of requests", Category.PREFERENCE),
        ("I don't like nested ternaries", Category.PREFERENCE),
        ("i'd take five short tests over one long one", Category.PREFERENCE),
        ("dont add comments that repeat the code", Category.PREFERENCE),
        ("don't push without asking me", Category.PREFERENCE),
        ("please keep pull requests under 300 lines", Category.PREFERENCE),
        ("sort imports by hand no more, run `ruff` every time", Category.PREFERENCE),
        ("ask me before adding dependencies", Category.WORKFLOW),
        ("before you commit, run the formatter", Category.WORKFLOW),
        ("don't forget to bump the version before publishing", Category.WORKFLOW),
        ("we don't use feature branches here", Category.CONVENTION),
        ("we only support Postgres", Category.CONVENTION),
        ("we can't use GPL libraries", Category.CONVENTION),
        ("integration tests should not sleep", Category.CONVENTION),
        ("create a rule that says that fixtures belong in conftest", Category.CONVENTION),
        ("house rule: one migration per pull request", Category.CONVENTION),
        ("we'll use ruff, not flake8", Category.DECISION),
        ("this project uses hatch", Category.FACT),
        ("we're on Django 5 in all services", Category.ENVIRONMENT),
        ("i'm on linux, so no brew", Category.ENVIRONMENT),
        ("the registry is at https://registry.example.org/v2", Category.ENVIRONMENT),
        ("to run the tests, use `make quick`", Category.COMMAND),
        ("fyi the nightly job needs a VPN", Category.FACT),
        ("schema.py is generated, so we can't edit it by hand", Category.FACT),
    ],
)
def test_a_request_or_a_house_rule_is_stored(text, category):
    assert [each.category for each in noticed(text)] == [category]


@pytest.mark.parametrize(
    "text",
    [
        "So let's look what must be finished first",
        "let's find out which checks are required for the release",
        "don't run it yet",
        "don't commit this",
        "don't worry about the warnings",
        "stop the server",
        "use a set here not a list",
        "please use the second variant instead of the first",
        "let's go with the other option",
        "I don't like this name",
        "i like it",
        "no more errors",
        "the page never loads",
        "it always crashes on save",
        "the save button should always be blue",
        "our tests are failing",
        "this project is broken",
        "we don't have a test for that",
        "make sure all tests pass",
        "can you add a test for the parser?",
        "should we stop using tabs?",
        "maybe we should use uv instead of pip",
        "The manual says: use tabs, not spaces.",
        "if it fails, don't retry requests",
    ],
)
def test_what_is_meant_for_now_or_not_stated_is_left(text):
    assert contents(text) == []


def test_several_requests_in_one_message_are_stored_one_by_one():
    text = "nice. but please stop adding emojis, and use pnpm not npm. also our runners only have two cores. go on"
    assert contents(text) == ["Stop adding emojis", "Use pnpm not npm", "Our runners only have two cores"]


def test_a_request_put_as_a_question_is_stored_as_a_request():
    assert contents("Can you please stop rewriting test names?") == ["Stop rewriting test names"]


@pytest.mark.parametrize(
    "text", ["don't rename them", "we don't support that", "stop doing this", "use that, not it"]
)
def test_what_points_at_something_outside_the_sentence_is_left(text):
    assert contents(text) == []


REPORT = """\
## Summary

I've successfully migrated the importer.

- **Parser**: we only support UTF-8 now and never fall back.
- **Tests**: all fixtures must be regenerated with `make fixtures`.
- **Docs**: the guide should always mention the new flag.

### Next steps

Never run the old importer again. Always use the new one. Every caller must pass a path. We decided to drop Python 3.9.
Please don't forget to review the remaining warnings before the next release of this package goes out to its users.
"""


def test_nothing_is_stored_of_a_pasted_report():
    assert contents(REPORT) == []


def test_what_a_person_typed_before_a_pasted_report_is_stored():
    assert contents("please stop adding summaries like these:\n" + REPORT) == []
    assert contents("Use plain words, not jargon.\n\n" + REPORT) == ["Use plain words, not jargon"]


def test_a_few_bullets_of_ones_own_are_no_document():
    assert len(contents("two things:\n- never force-push to main\n- use rebase, not merge")) == 2
