"""Labelled queries: what they ask for, and those that must not be guessed at."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_layer.model.vocabulary import Category
from memory_layer.rules.intent import intent

ASKED: dict[Category, tuple[str, ...]] = {
    Category.TROUBLESHOOTING: (
        "Why is the API returning 500 errors?",
        "why is the nightly build failing",
        "Why does the importer crash on empty files?",
        "why isn't the websocket connecting",
        "Why won't the dev server start after the upgrade?",
        "How do I fix the flaky login test?",
        "how to debug the payment webhook",
        "connection reset error",
        "TypeError: 'NoneType' object is not subscriptable",
        'Traceback (most recent call last):\n  File "app.py", line 3, in <module>',
        "error[E0502]: cannot borrow `x` as mutable",
        "connect ECONNREFUSED 127.0.0.1:5432",
        "getting a 403 when uploading to the bucket",
        "sqlite3 database is locked",
        "what is causing the memory spike in the worker",
        "integration tests failing on CI",
        "the worker keeps timing out",
        "make exited with status 2",
        "ModuleNotFoundError when importing settings",
        "build fails on arm64",
    ),
    Category.CONVENTION: (
        "How do we name database migrations?",
        "naming conventions",
        "what's our convention for feature flags",
        "how should test files be named?",
        "commit message format",
    ),
    Category.DECISION: (
        "Why did we choose SQLite over Postgres?",
        "why do we use event sourcing in billing",
        "why don't we use Redis for sessions",
        "Why was Kafka rejected?",
        "what did we decide about retries",
        "rationale behind the choice of gRPC",
        "why ruff instead of flake8",
    ),
    Category.COMMAND: (
        "How do I run the integration tests?",
        "how do we deploy to staging",
        "how to build the docker image",
        "what's the command to regenerate the lock file",
        "how do I restart the queue worker",
    ),
    Category.GOTCHA: (
        "What should I watch out for when editing the scheduler?",
        "gotchas with asyncpg pools",
        "timezone pitfalls",
        "what could go wrong with the backfill",
    ),
    Category.ARCHITECTURE: (
        "How is the ingestion pipeline structured?",
        "what's the architecture of the sync engine",
        "how do the api and the worker talk to each other",
        "which module owns session state?",
        "plugin architecture",
    ),
    Category.PATTERN: (
        "what pattern do we use for retries",
        "idiomatic way to open a transaction here",
    ),
    Category.WORKAROUND: (
        "is there a workaround for the broken proxy",
        "how do we get around the rate limit",
    ),
    Category.PREFERENCE: ("does the user prefer short answers?", "my preferences"),
    Category.TOOL_PREFERENCE: (
        "which linter do we use?",
        "What package manager should I use here",
        "preferred editor",
    ),
    Category.CODING_STYLE: ("tabs or spaces", "what is our coding style for SQL"),
    Category.DEPENDENCY: ("which version of numpy do we need", "why is urllib3 pinned"),
    Category.ENVIRONMENT: (
        "which environment variables does the mailer read",
        "what port does the proxy use",
    ),
    Category.TODO: ("what's left to do", "open tasks in the importer"),
    Category.PROGRESS: ("what's the status of the migration", "where did we leave off"),
    Category.POLICY: ("am I allowed to push to main?", "policy on vendored code"),
    Category.WORKFLOW: ("what are the steps to cut a release", "code review checklist"),
    Category.LEARNING: ("lessons learned from the outage",),
}

UNSURE = (
    "",
    "   ???  ",
    "authentication",
    "snake_case",
    "login flow",
    "How do we handle errors in the API layer?",
    "where is the ValueError subclass defined",
    "error page template",
    "when should a handler raise an exception",
    "why don't we build on Windows",
    "why are we using so much memory",
    "dependency injection container",
    "regex pattern for semantic versions",
    "which CPU architecture do we build for",
    "what is the target architecture",
    "how do I build a plugin",
    "how do I start writing a parser",
    "retry policy of the http client",
    "status code of the health endpoint",
    "progress bar rendering",
    "todo list component",
    "name of the staging cluster",
    "command palette shortcuts",
    "github actions workflow file",
    "what does the scheduler do at midnight",
    "who maintains the billing service",
    "user preference table schema",
    "how did the customer find us",
    "style attribute of the svg icons",
    "next page cursor",
    "failing fast versus retrying",
    "the decision tree model",
    "why did we choose to retry on connection reset",
    "test environment fixtures",
    "What causes has John done events for?",
)


@pytest.mark.parametrize(
    ("query", "category"), [(query, category) for category, queries in ASKED.items() for query in queries]
)
def test_a_query_that_asks_for_a_category_is_understood(query: str, category: Category):
    assert intent(query) is category


@pytest.mark.parametrize("query", UNSURE)
def test_a_query_that_could_mean_anything_is_left_alone(query: str):
    assert intent(query) is None


def test_the_labelled_set_is_large_enough_to_mean_something():
    assert sum(len(queries) for queries in ASKED.values()) >= 40
    assert len(UNSURE) >= 30


def test_case_white_space_typographic_apostrophes_and_punctuation_do_not_matter():
    assert intent("  WHY   isn\u2019t the\nbuild WORKING ?!  ") is Category.TROUBLESHOOTING


def test_only_the_beginning_of_a_long_text_is_read():
    assert intent("word " * 1_000 + "database is locked") is None


@given(st.text(max_size=200))
def test_no_text_raises(query: str):
    assert intent(query) is None or isinstance(intent(query), Category)
