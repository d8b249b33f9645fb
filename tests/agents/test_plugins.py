"""The plugins in `plugins/`: written from the table of agents, and accepted by the agents themselves."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from docs import plugins
from memory_layer.doors.mcp.tools import CORE
from tests.agents.model_server import Call, Say, serve
from tests.agents.real_agent import RealAgent, fresh, launcher

QUIET = {"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1"}
HOW = "Deploy the site with make site-up, never with make deploy"


@pytest.fixture
def claude(tmp_path: Path) -> RealAgent:
    return fresh("claude-code", tmp_path, tmp_path)


def test_the_plugins_are_as_the_table_of_agents_says():
    committed = {path: path.read_text(encoding="utf-8") for path in plugins.written()}

    assert committed == plugins.plugin_files(), "`make docs` brings them up to date"


def test_a_plugin_calls_plain_mem_and_names_only_tools_that_every_server_has():
    texts = "".join(plugins.plugin_files().values())
    commands = re.findall(r'"command": "([^"]*)"', texts)

    assert {each.split()[0] for each in commands} == {"mem"}
    assert set(re.findall(r"memory_[a-z]+", texts)) <= {tool.name for tool in CORE}


@pytest.mark.parametrize("folder", [".", "claude-code"])
def test_claude_code_finds_nothing_to_complain_about(folder, claude):
    told = [*launcher("claude-code"), "plugin", "validate", str(plugins.FOLDER / folder), "--strict"]

    ran = claude.start(told, **QUIET)

    assert ran.code == 0, ran.out + ran.err
    assert "Validation passed" in ran.out


def test_codex_installs_its_plugin_from_the_folder(tmp_path):
    codex = fresh("codex", tmp_path, tmp_path)

    added = codex.start([*launcher("codex"), "plugin", "marketplace", "add", str(plugins.FOLDER)])
    installed = codex.start([*launcher("codex"), "plugin", "add", f"{plugins.NAME}@{plugins.MARKET}"])
    servers = codex.start([*launcher("codex"), "mcp", "list", "--json"])

    assert (added.code, installed.code) == (0, 0), added.err + installed.err
    assert [each["name"] for each in json.loads(servers.out)] == ["memory"]


@pytest.mark.model
def test_with_the_plugin_alone_a_session_of_claude_code_has_the_memory(tmp_path, model_folder):
    agent = fresh("claude-code", tmp_path, model_folder)
    agent.mem("add", HOW, "-c", "pitfall")
    with serve(Call("Bash", {"command": "make deploy || true"}), Say("done")) as model:
        folder = str(plugins.FOLDER / "claude-code")
        ran = agent.run("please put the new page online", model, "--plugin-dir", folder)

    assert ran.code == 0, ran.err
    assert model.saw(f"[pitfall] {HOW}")
    assert model.saw(f"Note from memory [pitfall]: {HOW}")
    assert f"mcp__plugin_{plugins.NAME}_memory__memory_recall" in model.tools()
