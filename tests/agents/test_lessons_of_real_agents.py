"""Twelve lessons that agents taught when they were run for real, each as a test.

The first one is that they can be run at all, end to end and without an account: `test_real_agents.py` does.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from memory_layer import programs
from memory_layer.agents import recipes
from memory_layer.agents.install import AgentMachine, apply, entries_of, plan
from memory_layer.agents.recipes import RECIPES, Entry
from memory_layer.doors.cli.main import mem as group
from memory_layer.doors.hook import agents as hook_agents
from memory_layer.doors.hook.main import answer_or_silence, answer_to
from memory_layer.settings import load
from memory_layer.wiring import start_upkeep
from tests.doors.hook_events import ARGUMENTS, END, EVENTS, PROMPT, START, STOP

EVERY = [(agent, name) for agent, events in EVENTS.items() for name in events]
BARE = ("opencode", "kilo")  #: agents that take plain text
MEM = "/opt/tools/bin/mem"
DEPLOY = "Deploy the site with make site-up, never with make deploy"
LOCKED = "E_LOCKED means that another deploy holds the state file; wait for it"
TABS = "We always use tabs, never spaces."


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of an empty store, on a machine without the model."""
    folder, work = tmp_path / "store", tmp_path / "work"
    work.mkdir()
    for name in ("CLAUDECODE", "CODEX_HOME", "CLAUDE_CONFIG_DIR", "MEM_DB", "MEM_CONFIG", "MEM_OFF"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("MEM_HOME", str(folder))
    monkeypatch.setenv("MEM_MODEL", str(tmp_path / "no-model"))
    monkeypatch.chdir(work)
    return folder


@pytest.fixture
def known(store: Path) -> Path:
    """A project that knows how it is deployed."""
    mem("add", DEPLOY, "-c", "pitfall")
    mem("add", LOCKED, "-c", "troubleshooting")
    return store


@pytest.fixture
def machine(tmp_path: Path) -> AgentMachine:
    return AgentMachine(tmp_path / "person", tmp_path / "project", MEM, {}, tmp_path / "state")


def mem(*arguments: str) -> str:
    ran = CliRunner().invoke(group, arguments, prog_name="mem")
    assert ran.exit_code == 0, ran.stderr
    return ran.stdout


def contents() -> list[str]:
    return [each["content"] for each in json.loads(mem("list", "--json"))["data"]["items"]]


def event(agent: str, name: str, **changes: object) -> bytes:
    return json.dumps({**EVENTS[agent][name], "cwd": os.getcwd(), **changes}).encode()


def answer(agent: str, name: str, **changes: object) -> str:
    return answer_to(agent, ARGUMENTS[name], event(agent, name, **changes))


def run_hook(payload: bytes, *arguments: str, **environ: str) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "memory_layer", "hook", *arguments]
    return subprocess.run(command, input=payload, capture_output=True, env=os.environ | environ, check=False)


def user_entries(agent: str, machine: AgentMachine, *, trusted: bool = False) -> list[Entry]:
    return entries_of(recipes.BY_NAME[agent], machine, in_project=False, trusted=trusted)


def server_of(agent: str, machine: AgentMachine) -> dict[str, Any]:
    """The entry of the server as it is written for an agent."""
    (found,) = [each for each in user_entries(agent, machine) if each.path[-1:] == (recipes.SERVER,)]
    assert isinstance(found.value, dict)
    return found.value


def all_values(value: object) -> Iterator[tuple[str, object]]:
    """Every key with its value, at any depth."""
    if isinstance(value, dict):
        yield from value.items()
    for each in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from all_values(each)


def test_the_server_answers_its_opening_before_anything_slow_is_loaded_and_cline_waits_longer(machine):
    """Some agents send their first request to the model without waiting, and Cline gives up after three seconds."""
    script = (
        "import json, sys\n"
        "from memory_layer.doors.mcp.opening import Opening\n"
        "from memory_layer.doors.mcp.serving import Offer, Serving\n"
        "from memory_layer.doors.mcp.tools import CORE\n"
        "from memory_layer.settings import load\n"
        "opening = Opening(Serving(load(), Offer(CORE)))\n"
        "answers = [opening.answer(line) for line in sys.stdin]\n"
        "heavy = {'mcp', 'pydantic', 'anyio', 'numpy'} & set(sys.modules)\n"
        "print(json.dumps([len(json.loads(answers[-1])['result']['tools']), sorted(heavy)]))\n"
    )
    client = {
        "protocolVersion": "2024-11-05",
        "capabilities": {},
        "clientInfo": {"name": "x", "version": "1"},
    }
    lines = [
        {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": client},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 1, "method": "tools/list"},
    ]
    text = "".join(f"{json.dumps(line)}\n" for line in lines)
    ran = subprocess.run(
        [sys.executable, "-c", script], input=text, capture_output=True, text=True, check=True
    )

    assert json.loads(ran.stdout) == [8, []]
    assert server_of("cline", machine)["timeout"] == 30


def test_agents_that_hide_tools_behind_a_search_are_told_to_load_ours_always(machine):
    assert server_of("claude-code", machine)["alwaysLoad"] is True
    assert server_of("qwen", machine)["alwaysLoadTools"] is True


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda recipe: recipe.name)
def test_a_hook_is_one_shell_command_because_other_agents_drop_its_arguments(recipe, machine):
    hooks = [each.value for each in user_entries(recipe.name, machine) if each.path[:1] == ("hooks",)]

    assert [key for hook in hooks for key, _ in all_values(hook) if key == "args"] == []
    for hook in hooks:
        (command,) = [value for key, value in all_values(hook) if key in ("command", "bash")]
        assert str(command).startswith(f"{MEM} hook {recipe.name} ")


def test_the_caller_is_known_by_its_payload_not_by_the_argument(known):
    transcript = "/home/me/.copilot/x/events.jsonl"
    payload = event("copilot", START, transcriptPath=transcript)

    assert list(json.loads(answer_to("claude-code", "session-start", payload))) == ["additionalContext"]


@pytest.mark.parametrize(("agent", "name"), [(a, n) for a, n in EVERY if n in (STOP, END)])
def test_nothing_is_printed_at_the_end_because_some_agents_would_go_on(known, agent, name):
    assert answer(agent, name) == ""


@pytest.mark.parametrize("agent", ["claude-code", "codex", "gemini", "qwen", "copilot"])
def test_a_hook_always_exits_with_0_because_another_code_swallows_the_prompt(store, agent):
    store.mkdir()
    (store / "memory.db").write_bytes(b"no database" * 1000)
    ran = run_hook(event(agent, PROMPT), agent, "prompt")

    assert (ran.returncode, ran.stdout, ran.stderr) == (0, b"", b"")


def test_a_hook_that_cannot_read_its_event_exits_with_0_too(known):
    ran = run_hook(b"{", "claude-code", "session-start")

    assert (ran.returncode, ran.stdout, ran.stderr) == (0, b"", b"")


@pytest.mark.parametrize(("agent", "name"), EVERY)
def test_only_valid_answers_are_printed_because_anything_else_reaches_the_model_or_the_screen(
    known, agent, name
):
    output = answer(agent, name)

    if ARGUMENTS[name] not in {kind.value for kind in hook_agents.BY_NAME[agent].reaches}:
        assert output == ""
    elif output and agent not in BARE:
        keys = {
            "copilot": ["additionalContext"],
            "cursor": ["additional_context"],
            "cline": ["cancel", "contextModification"],
        }
        assert list(json.loads(output)) == keys.get(agent, ["hookSpecificOutput"])


def test_a_traceback_is_never_printed(known, monkeypatch):
    monkeypatch.setattr("memory_layer.wiring.open_engine", None)  # calling it raises a TypeError

    assert answer_or_silence("claude-code", "session-start", partial(event, "claude-code", START)) == ""
    assert "TypeError" in (known / "logs" / "mem.log").read_text(encoding="utf-8")


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda recipe: recipe.name)
def test_no_hook_is_asynchronous_because_a_headless_agent_kills_those_at_its_end(recipe, machine):
    values = [each.value for each in user_entries(recipe.name, machine)]

    assert [key for value in values for key, _ in all_values(value) if key == "async"] == []


def test_what_has_to_survive_the_agent_is_detached_from_it(store, tmp_path, monkeypatch):
    report = tmp_path / "report.json"
    script = (
        "import json, os; nothing = os.stat(os.devnull).st_rdev\n"
        "found = [os.getsid(0) == os.getpid(), *(os.fstat(n).st_rdev == nothing for n in range(3))]\n"
        f"open({str(report)!r}, 'w').write(json.dumps(found))\n"
    )
    monkeypatch.setattr(programs, "own_command", lambda *_: [sys.executable, "-c", script])

    wait = start_upkeep(load())
    assert wait is not None
    assert wait() == 0

    assert json.loads(report.read_text(encoding="utf-8")) == [True] * 4


def test_the_commands_and_times_that_codex_was_asked_to_trust_do_not_change(machine):
    """Codex asks again about every hook whose command or timeout is another."""
    hooks = [each for each in user_entries("codex", machine) if each.file.endswith("hooks.json")]

    assert {each.path[1]: each.value for each in hooks} == {
        event: {"hooks": [{"type": "command", "command": f"{MEM} hook codex {name}", "timeout": 10}]}
        for event, name in {
            "SessionStart": "session-start",
            "UserPromptSubmit": "prompt",
            "PreToolUse": "before-tool",
            "PostToolUse": "after-tool",
            "Stop": "stop",
            "SessionEnd": "session-end",
        }.items()
    }


def test_the_server_of_codex_is_told_the_store_because_codex_passes_no_variable_on(machine):
    told = machine._replace(variables={"MEM_HOME": "/data/store", "SECRET": "x"})
    apply(plan(user_entries("codex", told), told), told)

    config = tomllib.loads((machine.home / ".codex/config.toml").read_text(encoding="utf-8"))
    hooks = (machine.home / ".codex/hooks.json").read_text(encoding="utf-8")
    server = config["mcp_servers"]["memory"]
    assert server["env"] == {"MEM_HOME": "/data/store"}
    assert "required" not in server  # without `mem` Codex would not even start
    assert f"env MEM_HOME=/data/store {MEM} hook codex prompt" in hooks


@pytest.mark.parametrize(
    ("agent", "file", "path", "granted"),
    [
        ("claude-code", ".claude/settings.json", ("permissions", "allow"), ["mcp__memory"]),
        ("gemini", ".gemini/settings.json", ("mcpServers", "memory", "trust"), True),
    ],
)
def test_a_headless_agent_may_use_the_tools_once_a_person_has_agreed_and_not_before(
    agent, file, path, granted, machine
):
    def found(*, trusted: bool) -> object:
        apply(plan(user_entries(agent, machine, trusted=trusted), machine), machine)
        value = json.loads((machine.home / file).read_text(encoding="utf-8"))
        for key in path:
            value = value.get(key, {})
        return value

    assert not found(trusted=False)
    assert found(trusted=True) == granted


@pytest.mark.parametrize(
    ("agent", "prompt", "kept"),
    [
        ("claude-code", f"<task-notification>\n{TABS}</task-notification>", False),
        ("claude-code", f"<hook_context>{TABS}</hook_context>", False),
        ("qwen", "", False),
        ("gemini", f"<hook_context>We never use gpg.</hook_context>\n\n{TABS}", True),
        ("opencode", f'"{TABS}"', True),
    ],
)
def test_only_what_a_person_typed_counts_as_a_prompt(store, agent, prompt, kept):
    said = {"parts": [{"type": "text", "text": prompt}]} if agent == "opencode" else {"prompt": prompt}

    answer(agent, PROMPT, **said)

    assert contents() == ([TABS.rstrip(".")] if kept else [])


def test_nothing_of_the_agents_environment_reaches_the_disk(known):
    key = "a-private-value-of-the-agent"
    for payload in (event("claude-code", START), b"{"):
        ran = run_hook(payload, "claude-code", "session-start", ANTHROPIC_API_KEY=key, SOME_VARIABLE=key)
        assert key.encode() not in ran.stdout + ran.stderr

    stored = b"".join(file.read_bytes() for file in known.rglob("*") if file.is_file())
    assert b"hook claude-code session-start" in stored  # the second call is in the log
    assert key.encode() not in stored
