"""Failures that say nothing about a memory are not held against it."""

from __future__ import annotations

from datetime import timedelta

import pytest

from memory_layer.model.memory import Memory
from memory_layer.model.steps import ShownMemory, Step, StepKind
from memory_layer.model.vocabulary import Outcome
from memory_layer.usecases.learn.session import conclude
from tests.conftest import NOON

CHECKS = "Run the checks with `make check` before a commit"
FORMAT = "Format with `just fmt --all` before pushing"
NO_TARGET = "make: *** No rule to make target 'check'.  Stop."
NO_JUST = "bash: just: command not found"


def ask(text: str) -> Step:
    return Step(StepKind.PROMPT, NOON, text)


def say(text: str) -> Step:
    return Step(StepKind.SAID, NOON, text)


def edit(file: str) -> Step:
    return Step(StepKind.EDIT, NOON, files=(file,), passed=True)


def run(command: str, output: str = "", *, passed: bool = True) -> Step:
    return Step(StepKind.COMMAND, NOON, output, command, passed=passed)


def results(content: str, *steps: Step) -> list[Outcome]:
    memory = Memory(id="mem_a", content=content, content_hash="00", created_at=NOON, updated_at=NOON)
    timed = [step._replace(at=NOON + timedelta(minutes=at)) for at, step in enumerate(steps, 1)]
    return [each.result for each in conclude(timed, shown=[ShownMemory(memory, NOON)]).outcomes]


def test_a_call_that_cannot_work_is_held_against_the_memory_that_names_it():
    failing = run("make check", NO_TARGET, passed=False)

    assert results(CHECKS, ask("fix the parser"), failing) == [Outcome.FAILED]
    missing = run("just fmt --all", NO_JUST, passed=False)
    assert results(FORMAT, ask("fix the parser"), missing) == [Outcome.FAILED]


@pytest.mark.parametrize(
    "command", ["cd sub && make check", "(cd web/app; make check)", "pushd sub\nmake check"]
)
def test_a_call_in_a_folder_that_the_memory_does_not_name_says_nothing_about_it(command):
    assert results(CHECKS, ask("fix the parser"), run(command, NO_TARGET, passed=False), edit("a.py")) == []


@pytest.mark.parametrize(
    "install", ["brew install just", "cargo install just@1.2", "sudo apt-get install -y just"]
)
def test_a_program_that_had_to_be_installed_first_says_nothing_about_the_memory(install):
    missing = run("just fmt --all", NO_JUST, passed=False)

    assert results(FORMAT, ask("fix the parser"), missing, run(install, "installed"), edit("a.py")) == []


@pytest.mark.parametrize(
    "compared",
    [
        [run("git stash"), run("pytest", "1 failed", passed=False), run("git stash pop")],
        [run("git stash && pytest; git stash pop", "1 failed")],
    ],
)
def test_changes_that_are_set_aside_to_compare_are_not_taken_back(compared):
    begun = [ask("clean up"), edit("config.yaml"), run("pytest", "1 failed", passed=False)]

    assert results("Put every timeout into config.yaml", *begun, *compared, run("pytest", "4 passed")) == []


def test_a_correction_that_a_person_quotes_is_somebody_elses():
    begun = [ask("answer the ticket"), edit("cache.py"), say("The cache uses Redis.")]
    quoted = 'The customer wrote: "no, Redis is wrong and outdated". Write a polite reply.'

    assert results("We use Redis for caching", *begun, ask(quoted)) == []
    assert results("We use Redis for caching", *begun, ask("> no, Redis is wrong\nPlease answer.")) == []
    own = ask("no, Redis is wrong and outdated")
    assert results("We use Redis for caching", *begun, own) == [Outcome.FAILED]
