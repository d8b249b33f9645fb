"""A memory that misleads is found out and a memory that helps leads, with nobody reporting anything."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

import pytest

from tests.agents.model_server import Call, Decide, Say, serve
from tests.agents.real_agent import RealAgent, fresh
from tests.proof import FULL

SESSIONS = 3
PATIENCE_SECONDS = 300
GUESS = "make test"  #: what the model runs if it was told nothing
PASSED = "every check passed"
NOTE = re.compile(r"^- \[[^\]]+\] [^`\n]*\btests\b[^`\n]*`([^`\n]+)`", re.MULTILINE)

pytestmark = pytest.mark.model


@dataclass(frozen=True)
class Repository:
    """A repository whose tests are run by one of two commands; the file that makes a command work follows from it."""

    commands: tuple[str, str]
    file: Callable[[str], tuple[str, str]]  #: its path and its text
    marks: list[pytest.MarkDecorator] = field(default_factory=list)


HEAVY = [
    pytest.mark.prove,
    pytest.mark.skipif(not FULL, reason="MEM_PROVE=1 asks for it"),
]
SUMS = f"""\
import unittest


class Sums(unittest.TestCase):
    def test_sum(self):
        print("{PASSED}")
        self.assertEqual(1 + 1, 2)
"""
REPOSITORIES = {
    "scripts": Repository(
        ("sh tools/check.sh", "sh tools/run-tests.sh"),
        lambda command: (command.split()[1], f"echo {PASSED}\n"),
    ),
    "make": Repository(
        ("make check", "make verify"),
        lambda command: ("Makefile", f"{command.split()[1]}:\n\t@echo {PASSED}\n"),
        HEAVY,
    ),
    "python": Repository(
        ("python3 -m unittest discover -s tests", "python3 -m unittest discover -s checks"),
        lambda command: (f"{command.split()[-1]}/test_sum.py", SUMS),
        HEAVY,
    ),
}
CASES = [
    pytest.param((agent, name), marks=each.marks, id=f"{agent}-{name}")
    for agent in ("claude-code", "codex")
    for name, each in REPOSITORIES.items()
]


def next_command(agent: RealAgent) -> Decide:
    """A model that runs the commands it is told of, one after the other, until the checks pass."""

    def decide(texts: list[str]) -> Call | Say:
        told = dict.fromkeys([command for text in texts for command in NOTE.findall(text)] or [GUESS])
        left = [command for command in told if command not in texts]
        if any(PASSED in text and "echo" not in text for text in texts) or not left:
            return Say("that is all I can do")
        return agent.shell(left[0])

    return Decide(decide)


class Work(NamedTuple):
    """An agent in a repository, and its two memories about the tests."""

    agent: RealAgent
    misleads: str  #: the command of the memory that is given first
    helps: str


@pytest.fixture
def work(request, tmp_path, model_folder) -> Iterator[Work]:
    """An agent in a repository, with two memories about its tests; the one that is given first misleads."""
    name, kind = request.param
    agent, repository = fresh(name, tmp_path, model_folder), REPOSITORIES[kind]
    for command in repository.commands:
        added = agent.mem("add", f"Run the tests with `{command}`", "-c", "command", "--on-duplicate", "keep")
        assert added.code == 0, added.err
    misleads, helps = NOTE.findall(agent.mem("context", "--peek").out)
    path, text = repository.file(helps)
    file = tmp_path / "project" / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    yield Work(agent, misleads, helps)
    agent.end_what_is_left()


def session(agent: RealAgent) -> tuple[list[str], str]:
    """Let the agent work once; return the commands it ran, and everything its model was sent."""
    with serve(next_command(agent)) as model:
        ran = agent.run("please run the tests", model)
    assert ran.code == 0, ran.err
    learned(agent)
    texts = model.texts()
    every = dict.fromkeys(command for command in texts if command in COMMANDS)
    return list(every), "\n".join(texts)


COMMANDS = {GUESS, *(command for each in REPOSITORIES.values() for command in each.commands)}


def learned(agent: RealAgent) -> None:
    """Wait for the process that learns from the session."""
    folder = agent.folder / "store" / "state" / "sessions"
    end = time.monotonic() + PATIENCE_SECONDS
    while folder.exists() and any(folder.iterdir()) and time.monotonic() < end:
        time.sleep(0.1)
    assert not folder.exists() or not any(folder.iterdir())


def scores(agent: RealAgent) -> dict[str, float]:
    found = json.loads(agent.mem("list", "--json").out)["data"]["items"]
    return {each["content"].split("`")[1]: each["outcome_score"] for each in found}


@pytest.mark.parametrize("work", CASES, indirect=True)
def test_without_hooks_an_agent_repeats_its_mistake(work):
    assert [session(work.agent)[0] for _ in range(SESSIONS)] == [[GUESS]] * SESSIONS


@pytest.mark.parametrize("work", CASES, indirect=True)
def test_what_misled_a_session_is_not_given_again_and_what_helped_leads(work):
    agent = work.agent
    assert agent.mem("install", agent.name, "--trust").code == 0

    first, _ = session(agent)
    later = [session(agent) for _ in range(SESSIONS - 1)]

    assert first == [work.misleads, work.helps]
    for commands, sent in later:
        assert commands == [work.helps]
        assert work.misleads not in sent
    found = scores(agent)
    assert found[work.helps] > 0.3
    assert found[work.misleads] < 0
