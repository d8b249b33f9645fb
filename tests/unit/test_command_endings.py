"""Recognise checks among commands, and how a command ended by what it printed."""

from __future__ import annotations

import pytest

from memory_layer.text.commands.checks import is_check
from memory_layer.text.commands.endings import CommandEnding, ending
from memory_layer.text.commands.shell import steps


@pytest.mark.parametrize(
    "command",
    [
        "pytest -q tests",
        "python -m pytest",
        "python3 -m unittest discover",
        "uv run pytest -x",
        "poetry run mypy src",
        "npx jest --ci",
        "pnpm vitest run",
        "yarn test",
        "npm run lint",
        "pnpm test:unit",
        "npx tsc --noEmit",
        "go test ./...",
        "go vet ./...",
        "cargo clippy -- -D warnings",
        "cargo nextest run",
        "./gradlew :app:testDebugUnitTest",
        "./mvnw verify",
        "bundle exec rspec",
        "vendor/bin/phpunit",
        "dotnet test",
        "ctest --test-dir build",
        "make test-unit",
        "just check",
        "ruff check .",
        "docker compose exec web pytest",
        "CI=1 npm test",
        "timeout 60 pytest",
        "python manage.py test shop",
        "php artisan test",
        "./scripts/run_tests.sh",
        "bash ci/lint.sh",
        "pre-commit run -a",
        "cd api && make ci",
    ],
)
def test_a_run_of_tests_a_build_or_a_linter_is_a_check(command):
    assert any(is_check(step) for step in steps(command))


@pytest.mark.parametrize(
    "command",
    [
        "git status",
        "ls tests",
        "cat pytest.ini",
        "npm install",
        "make deploy",
        "docker compose up -d",
        "pytest --version",
        "python latest.py",
        "go run ./cmd/server",
        "cargo run",
        "kubectl get pods",
        "echo test",
        "npm run dev",
    ],
)
def test_other_commands_are_no_checks(command):
    assert not any(is_check(step) for step in steps(command))


@pytest.mark.parametrize(
    ("output", "expected"),
    [
        ("=== 31 passed in 2.0s ===", CommandEnding.PASSED),
        ("\x1b[32m Tests  4 passed\x1b[39m (4)", CommandEnding.PASSED),
        ("ok  \tshop/cart\t0.2s", CommandEnding.PASSED),
        ("80 examples, 0 failures", CommandEnding.PASSED),
        ("", CommandEnding.PASSED),
        ("=== 1 failed, 30 passed in 2.1s ===", CommandEnding.CODE),
        ("\x1b[31m2 failed\x1b[39m", CommandEnding.CODE),
        ("src/a.ts(3,1): error TS2304: Cannot find name 'foo'.", CommandEnding.CODE),
        ("error[E0277]: the trait bound is not satisfied\nerror: could not compile `x`", CommandEnding.CODE),
        ("make: *** No rule to make target 'x'.  Stop.", CommandEnding.CALL),
        ("bash: pnpx: command not found", CommandEnding.CALL),
        ("Error: connect ECONNREFUSED 127.0.0.1:5432", CommandEnding.SURROUNDINGS),
        ("getaddrinfo ENOTFOUND registry.example.org", CommandEnding.NETWORK),
        ("6 runs, 14 assertions, 0 failures, 1 errors, 0 skips", CommandEnding.FAILED),
        (
            "ModuleNotFoundError: No module named 'trees'\n1 error during collection",
            CommandEnding.SURROUNDINGS,
        ),
        ("ModuleNotFoundError: No module named 'trees'", CommandEnding.CALL),
        ("collecting things", CommandEnding.UNKNOWN),
        ("> tsc --noEmit", CommandEnding.PASSED),
    ],
)
def test_the_output_of_a_check_tells_how_it_ended_if_the_agent_does_not(output, expected):
    assert ending("make test", output, None, checks=True) is expected


def test_the_exit_code_counts_more_than_words_in_the_output():
    assert ending("make docs", "error handling: done", True, checks=False) is CommandEnding.PASSED
    assert ending("make docs", "all good", False, checks=False) is CommandEnding.FAILED


def test_a_pipe_or_a_count_of_failures_contradicts_an_exit_code_of_nothing():
    assert ending("pytest | tail -1", "1 failed, 3 passed", True, checks=True) is CommandEnding.CODE
    assert ending("pytest || true", "1 failed, 3 passed", True, checks=True) is CommandEnding.CODE
    assert ending("rspec", "3 examples, 1 failure", True, checks=True) is CommandEnding.CODE


@pytest.mark.parametrize("passed", [True, False, None])
def test_a_command_that_a_person_or_a_time_limit_stopped_neither_passed_nor_failed(passed):
    for output in ("[Request interrupted by user]", "command timed out after 120013 ms", "Exit code 130"):
        assert ending("make test", output, passed, checks=True) is CommandEnding.STOPPED
    assert not CommandEnding.STOPPED.is_failure
