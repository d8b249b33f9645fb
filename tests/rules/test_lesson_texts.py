"""The words of a lesson, from any output."""

from __future__ import annotations

import time

import pytest

from tests.rules.session_steps import START, contents, edited, failed, found, ran


def test_a_lesson_says_what_failed_how_and_what_helped():
    lesson = found(
        failed(
            "npm test 2>&1 | tail -20",
            "> orchard test\n\x1b[31mError\x1b[0m: Cannot find module 'dist/index.js'\n    at a (b.js:1:2)",
        ),
        ran("npm run build"),
        ran("npm test 2>&1 | tail -20", "4 passed"),
    )[0]
    assert (
        lesson.content
        == "`npm test` fails with “Cannot find module 'dist/index.js'” until `npm run build` was run."
    )
    assert (lesson.command, lesson.error, lesson.fix) == (
        "npm test",
        "Cannot find module 'dist/index.js'",
        "npm run build",
    )
    assert lesson.at == START


def test_the_home_of_a_person_is_not_part_of_a_lesson():
    lesson = found(
        failed(
            "make images",
            "Error: Cannot connect to the Docker daemon at unix:///home/petra/.colima/docker.sock",
        ),
        ran("colima start"),
        ran("make images", "done"),
    )[0]
    assert "petra" not in lesson.content
    assert "~/.colima/docker.sock" in lesson.content


def test_two_errors_of_one_command_are_two_lessons():
    told = contents(
        failed("make test", "ERROR: JAVA_HOME is not set"),
        failed("JAVA_HOME=/opt/jdk make test", "Connection refused: localhost:5432"),
        ran("docker compose up -d db"),
        ran("JAVA_HOME=/opt/jdk make test", "BUILD SUCCESSFUL"),
    )
    assert len(told) == 2
    assert "; `JAVA_HOME=/opt/jdk make test` works." in told[0]
    assert "until `docker compose up -d db` was run." in told[1]


def test_an_error_that_came_back_is_told_once():
    once = [
        failed("npm test", "Error: Cannot find module './dist/index.js'"),
        ran("npm run build"),
        ran("npm test", "12 passed"),
    ]
    assert len(contents(*once, *once)) == 1


@pytest.mark.parametrize(
    "text",
    [
        "(" * 50_000,
        "a/" * 50_000,
        "error: " * 20_000,
        "'" * 30_001,
        "\x1b[" * 30_000,
        "x" * 200_000,
        "🌳\u202e\x00" * 9_000,
        "\n" * 90_000,
    ],
    ids=["brackets", "slashes", "errors", "quotes", "colours", "letters", "signs", "lines"],
)
def test_any_text_is_read_in_reasonable_time_and_told_in_few_words(text):
    steps = [
        failed(f"make {text}", text),
        failed("make test", f"{text}\nConnection refused {text}"),
        ran(f"start {text}"),
    ]
    steps += [ran("make test"), ran(f"make {text}"), edited(text)]
    start = time.process_time()
    told = contents(*steps)
    assert time.process_time() - start < 2.0
    assert all(len(content) < 900 and "\n" not in content for content in told)


def test_a_session_of_thousands_of_failures_is_read_in_reasonable_time():
    steps = [failed(f"make part-{number % 50}", f"Connection refused {number}") for number in range(2_500)]
    start = time.process_time()
    assert contents(*steps) == []
    assert time.process_time() - start < 6.0
