"""A command loads what it needs and nothing heavier; Python's own import log is the witness."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

#: Each costs tens to hundreds of milliseconds and belongs behind the door that needs it.
HEAVY = {"asyncio", "fastapi", "numpy", "psycopg", "pydantic", "rich", "starlette", "uvicorn"}
HEAVY |= {"anyio", "mcp", "mcp_types"}
#: What comes with modules that libraries only name (`ipaddress`, `numpy.linalg` …), and so is never needed.
NAMED_ONLY = {"_pickle", "numpy._typing", "numpy.linalg._linalg"}
INSPECTING = {"dis", "tokenize", "linecache"}  #: the same of click; numpy does look into its functions
#: What only other commands need, a write, a long text, or a folder that is a repository.
UNUSED = {"base64", "hashlib", "subprocess", "tempfile", "traceback", "memory_layer.embed.passages"}
UNUSED |= {"memory_layer.model.review", "memory_layer.surroundings.remotes"}
#: What a person at the keyboard would have to tell a fresh process, and nothing of the developer's machine.
KEPT = ("PATH", "LANG", "LC_ALL", "SYSTEMROOT", "TMPDIR")


@pytest.fixture
def machine(tmp_path):
    """The environment of a fresh machine without an embedding model."""
    (tmp_path / "no-model").mkdir()
    (tmp_path / "work").mkdir()
    kept = {name: value for name, value in os.environ.items() if name in KEPT}
    places = {"HOME": tmp_path, "MEM_HOME": tmp_path / "home", "MEM_MODEL": tmp_path / "no-model"}
    return kept | {name: str(place) for name, place in places.items()} | {"PYTHONUTF8": "1"}


def run(machine: dict[str, str], *arguments: str) -> tuple[subprocess.CompletedProcess[str], set[str]]:
    """Run Python in a process of its own; what it did, and every module it loaded."""
    done = subprocess.run(
        [sys.executable, "-X", "importtime", *arguments],
        env=machine,
        cwd=Path(machine["HOME"], "work"),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    return done, modules_logged(done.stderr)


def modules_logged(log: str) -> set[str]:
    """The last column of `import time: self [us] | cumulative | imported package`."""
    lines = (line for line in log.splitlines() if line.startswith("import time:"))
    return {line.rpartition("|")[2].strip() for line in lines} - {"imported package"}


def said(done: subprocess.CompletedProcess[str]) -> str:
    """What the process wrote, without the import log."""
    lines = (line for line in done.stderr.splitlines() if not line.startswith("import time:"))
    return "\n".join([done.stdout, *lines])


def heavy_among(modules: set[str]) -> set[str]:
    return {name.partition(".")[0] for name in modules} & HEAVY


def test_the_log_tells_heavy_modules(machine):
    done, modules = run(machine, "-c", "import asyncio.events, json")

    assert done.returncode == 0
    assert "json" in modules
    assert heavy_among(modules) == {"asyncio"}


def test_importing_the_package_loads_almost_nothing(machine):
    _, bare = run(machine, "-c", "pass")
    done, modules = run(machine, "-c", "import memory_layer")
    added = modules - bare

    assert done.returncode == 0, said(done)
    assert {name for name in added if name.startswith("memory_layer")} == {"memory_layer"}
    assert {name.partition(".")[0] for name in added} <= sys.stdlib_module_names | {"memory_layer"}
    assert len(added) <= 8, sorted(added)


def test_a_keyword_search_loads_nothing_heavy(machine):
    added, _ = run(machine, "-m", "memory_layer", "add", "Retry the flaky upload with a backoff")
    found, modules = run(machine, "-m", "memory_layer", "search", "flaky upload")

    assert added.returncode == 0, said(added)
    assert found.returncode == 0, said(found)
    assert "Retry the flaky upload with a backoff" in found.stdout
    assert heavy_among(modules) == set()
    assert modules & (NAMED_ONLY | INSPECTING | UNUSED) == set()


@pytest.mark.model
def test_a_search_by_meaning_loads_no_more_of_numpy_than_it_uses(machine, model_folder):
    machine |= {"MEM_MODEL": str(model_folder)}
    run(machine, "-m", "memory_layer", "add", "Retry the flaky upload with a backoff")
    found, modules = run(machine, "-m", "memory_layer", "search", "what to do when sending fails")

    assert "Retry the flaky upload with a backoff" in found.stdout, said(found)
    assert "numpy" in modules
    assert modules & (NAMED_ONLY | UNUSED) <= {"hashlib"}


@pytest.mark.parametrize("command", ["context", "context --path src/a.py", "warn --command ls"])
def test_what_is_given_unasked_loads_nothing_heavy_unless_a_task_is_searched_for(machine, command):
    run(machine, "-m", "memory_layer", "add", "Retry the flaky upload with a backoff")
    found, modules = run(machine, "-m", "memory_layer", *command.split())

    assert found.returncode == 0, said(found)
    assert heavy_among(modules) == set()


def test_an_overview_loads_nothing_heavy(machine):
    run(machine, "-m", "memory_layer", "add", "Retry the flaky upload with a backoff")
    found, modules = run(machine, "-m", "memory_layer")

    assert "1 memory" in found.stdout, said(found)
    assert heavy_among(modules) == set()


@pytest.mark.parametrize("command", ["--version", "--help", "search --help", "outcome --help", "mcp --help"])
def test_asking_for_help_loads_nothing_heavy(machine, command):
    done, modules = run(machine, "-m", "memory_layer", *command.split())

    assert done.returncode == 0, said(done)
    assert heavy_among(modules) | ({"sqlite3"} & modules) == set()


CLIENT = {"name": "a", "version": "1"}
HELLO = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": CLIENT}
WHO = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": CLIENT,
}
OPENINGS: dict[str, list[dict[str, Any]]] = {
    "handshake": [
        {"id": 1, "method": "initialize", "params": HELLO},
        {"method": "notifications/initialized"},
        {"id": "list", "method": "tools/list"},
    ],
    "newer era": [
        {"id": 1, "method": "server/discover", "params": {"_meta": WHO}},
        {"id": "list", "method": "tools/list", "params": {"_meta": WHO}},
    ],
}


@pytest.mark.parametrize("opening", OPENINGS)
@pytest.mark.parametrize("tools", ["core", "full"])
def test_an_agent_has_the_list_of_tools_before_the_server_loads_anything_heavy(machine, opening, tools):
    listing = {
        "id": "list",
        "method": "tools/list",
        "params": {"_meta": WHO} if opening == "newer era" else {},
    }
    asked = "".join(json.dumps({"jsonrpc": "2.0", **each}) + "\n" for each in (*OPENINGS[opening], listing))
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "memory_layer", "mcp", "--tools", tools],
        env=machine,
        cwd=Path(machine["HOME"], "work"),
        input=asked,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,  # into one pipe, so that the log shows what came first
        text=True,
        timeout=60,
        check=False,
    )
    before, answered, _ = done.stdout.partition('{"jsonrpc":"2.0","id":"list","result":{')

    assert done.returncode == 0, done.stdout
    assert answered
    assert heavy_among(modules_logged(before)) | ({"sqlite3"} & modules_logged(before)) == set()


#: Events of an agent, and what each must not load.
SEARCHES = {"memory_layer.usecases.recall.search", "memory_layer.usecases.give.layers"}
CAPTURES = {"memory_layer.text.capture_phrases", "memory_layer.usecases.remember.add"}
HOOKS: dict[str, tuple[dict[str, Any], set[str]]] = {
    "session-start": ({"source": "startup"}, CAPTURES),
    "prompt": (
        {"prompt": "qwertz asdfgh yxcvbn"},
        SEARCHES | {"memory_layer.usecases.remember.add", "hashlib"},
    ),
    "before-tool": (
        {"tool_name": "Bash", "tool_input": {"command": "ls"}},
        SEARCHES | CAPTURES | {"hashlib"},
    ),
    "after-tool": (
        {"tool_name": "Bash", "tool_input": {"command": "ls"}, "tool_response": {"stdout": "a"}},
        SEARCHES | CAPTURES | {"sqlite3", "memory_layer.wiring", "memory_layer.verbs.call"},
    ),
    "stop": ({}, SEARCHES | CAPTURES | {"sqlite3", "memory_layer.wiring", "memory_layer.verbs.call"}),
}


@pytest.mark.model
@pytest.mark.parametrize("event", HOOKS)
def test_a_hook_loads_no_more_than_its_event_needs(machine, model_folder, event):
    machine |= {"MEM_MODEL": str(model_folder)}
    run(machine, "-m", "memory_layer", "add", "Retry the flaky upload with a backoff")
    fields, unneeded = HOOKS[event]
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "memory_layer", "hook", "claude-code", event],
        env=machine,
        cwd=Path(machine["HOME"], "work"),
        input=json.dumps({"session_id": "s-1", "cwd": machine["HOME"], **fields}),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    modules = modules_logged(done.stderr)

    assert done.returncode == 0
    assert "memory_layer.doors.hook.event" in modules
    assert heavy_among(modules) | (modules & (unneeded | {"click"})) == set()
