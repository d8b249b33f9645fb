"""The inspector, the protocol's own client for people, works with the server: over a pipe and over HTTP."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from npm.packages import Packages
from tests.doors.served import served
from tests.doors.test_mcp_session import CORE

ERAS = ("legacy", "modern")
Inspect = Callable[..., tuple[int, Any, Any]]


@pytest.fixture
def inspect(mcp_packages: Packages) -> Inspect:
    """Ask a server something; the exit code, the result and the error."""

    def ask(target: list[str], method: str, *options: str) -> tuple[int, Any, Any]:
        command = mcp_packages.command("mcp-inspector", "--cli", "--format", "json", *target)
        done = subprocess.run(
            [*command, "--method", method, *options],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        result = json.loads(done.stdout)["result"] if done.stdout else None
        return done.returncode, result, done.stderr

    return ask


def pipe(*options: str) -> list[str]:
    """A server that the inspector starts, with the environment of the test."""
    mem = Path(sys.executable).with_name("mem")
    told = [f"{name}={value}" for name, value in os.environ.items() if name.startswith("MEM_")]
    return [str(mem), "mcp", *(word for each in told for word in ("-e", each)), *options]


def http(port: int, machine: Path) -> list[str]:
    """A server that is there already, and the token it wants."""
    token = (machine / "home" / "token").read_text(encoding="utf-8").strip()
    return [f"http://127.0.0.1:{port}/mcp", "--header", f"Authorization: Bearer {token}"]


@pytest.mark.parametrize("era", ERAS)
def test_it_learns_and_recalls_over_a_pipe_what_the_command_line_finds(era, inspect, mem):
    target = [*pipe(), "--protocol-era", era]
    learn = ["--tool-name", "memory_learn", "--tool-arg", "content=The build needs Java 21"]
    _, kept, _ = inspect(target, "tools/call", *learn)
    _, found, _ = inspect(target, "tools/call", "--tool-name", "memory_recall", "--tool-arg", "query=java")

    known = kept["structuredContent"]["id"]
    assert [hit["id"] for hit in found["structuredContent"]["hits"]] == [known]
    assert mem("show", known, "--json").data["memory"]["content"] == "The build needs Java 21"


def test_it_finds_nothing_to_say_against_the_schemas_of_the_tools(inspect):
    code, listed, said = inspect(pipe(), "tools/list", "--strict")

    assert [tool["name"] for tool in listed["tools"]] == CORE
    assert (code, said) == (0, "")


def test_it_shows_everything_that_is_offered_over_http(inspect, machine, mem):
    with served("--tools", "full") as port:
        target = [*http(port, machine), "--protocol-era", "modern"]
        known = mem("add", "The build needs Java 21", "--json").data["id"]
        _, tools, _ = inspect(target, "tools/list")
        _, resources, _ = inspect(target, "resources/list")
        _, templates, _ = inspect(target, "resources/templates/list")
        _, memory, _ = inspect(target, "resources/read", "--uri", f"memory://memories/{known}")
        _, prompts, _ = inspect(target, "prompts/list")
        _, prompt, _ = inspect(
            target, "prompts/get", "--prompt-name", "recall", "--prompt-args", "topic=java"
        )

    assert [tool["name"] for tool in tools["tools"]][: len(CORE)] == CORE
    assert [each["uri"] for each in resources["resources"]] == [
        "memory://stats",
        "memory://categories",
        "memory://context",
        "memory://recent",
    ]
    assert "memory://memories/{id}" in [each["uriTemplate"] for each in templates["resourceTemplates"]]
    assert json.loads(memory["contents"][0]["text"])["memory"]["content"] == "The build needs Java 21"
    assert [each["name"] for each in prompts["prompts"]] == ["recall", "review-session", "record-outcome"]
    assert prompt["messages"][0]["content"]["text"].endswith("Query: java")


def test_a_mistake_is_told_and_nothing_is_shown_without_the_token(inspect, machine):
    wrong = ["--tool-name", "memory_recall", "--tool-arg", "colour=red"]
    with served() as port:
        code, answer, said = inspect(http(port, machine), "tools/call", *wrong)
        refused, nothing, why = inspect([f"http://127.0.0.1:{port}/mcp", "--stored-auth-only"], "tools/list")

    assert code != 0
    assert answer["isError"] is True
    assert answer["content"][0]["text"].startswith(
        "invalid_input: there is no argument 'colour'; the arguments are query, limit"
    )
    assert "Nothing was changed." in answer["content"][0]["text"]
    assert "tool_is_error" in said
    assert refused != 0
    assert nothing is None
    assert "auth" in why
