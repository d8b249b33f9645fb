"""The command line on a fresh machine: in this process for most tests, as a real one where that matters."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from click.testing import CliRunner

from memory_layer.doors.cli.main import mem as group
from memory_layer.model.agents import GENERIC_MARKS, KNOWN_AGENTS
from npm.packages import Packages, packages

AGENT_VARIABLES = {
    variable.partition("=")[0]
    for agent in KNOWN_AGENTS
    for variable in (*agent.marks, *([agent.session] if agent.session else []))
} | set(GENERIC_MARKS)
STRANGE = ("NO_COLOR", "FORCE_COLOR", "TERM", "COLUMNS", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME")


@dataclass(frozen=True)
class Answer:
    """What a command line gave back."""

    code: int
    out: str
    err: str

    @property
    def data(self):
        """The answer of a call with --json."""
        assert self.code in (0, 4), self.err
        envelope = json.loads(self.out)
        assert envelope["schema_version"] == 1
        return envelope["data"]

    @property
    def error(self):
        """The error of a call with --json."""
        assert self.out == ""
        envelope = json.loads(self.err)
        assert envelope["schema_version"] == 1
        return envelope["error"]


Mem = Callable[..., Answer]


@pytest.fixture(autouse=True)
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A fresh machine without an embedding model, seen from a folder outside any repository."""
    for name in list(os.environ):
        if (
            (name.startswith("MEM_") and name != "MEM_TEST_MODEL")
            or name in AGENT_VARIABLES
            or name in STRANGE
        ):
            monkeypatch.delenv(name)
    fresh = tmp_path / "machine"
    for folder in ("person", "no-model", "work"):
        (fresh / folder).mkdir(parents=True)
    monkeypatch.setenv("HOME", str(fresh / "person"))
    monkeypatch.setenv("MEM_HOME", str(fresh / "home"))
    monkeypatch.setenv("MEM_MODEL", str(fresh / "no-model"))
    monkeypatch.setenv("MEM_UPKEEP_AUTO", "off")  # a test that wants it says so
    monkeypatch.chdir(fresh / "work")
    return fresh


@pytest.fixture
def mem() -> Mem:
    """Run a command line in this process, as an agent."""

    def run(*arguments: str, stdin: str | bytes | None = None) -> Answer:
        result = CliRunner().invoke(group, arguments, input=stdin, prog_name="mem")
        return Answer(result.exit_code, result.stdout, result.stderr)

    return run


@pytest.fixture
def process() -> Mem:
    """Run a command line as a process of its own."""

    def run(*arguments: str | bytes, stdin: bytes = b"", **environ: str) -> Answer:
        done = subprocess.run(
            [sys.executable, "-m", "memory_layer", *arguments],
            input=stdin,
            capture_output=True,
            env=os.environ | environ,
            timeout=60,
            check=False,
        )
        return Answer(done.returncode, done.stdout.decode(), done.stderr.decode())

    return run


@pytest.fixture
def with_model(model_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The same machine with the embedding model."""
    monkeypatch.setenv("MEM_MODEL", str(model_folder))
    return model_folder


@pytest.fixture(scope="session")
def mcp_packages() -> Packages:
    """The inspector and the conformance suite of the protocol, which `make test` installs."""
    found = packages("mcp")
    if not found.installed:
        pytest.fail(f"the tests need the npm packages in {found.home}; `make test` installs them")
    return found


@pytest.fixture
def ipv6() -> str:
    """The other address that `localhost` can mean, on a machine that has it."""
    try:
        with socket.socket(socket.AF_INET6) as probe:
            probe.bind(("::1", 0))
    except OSError:
        pytest.skip("this machine has no IPv6")
    return "::1"
