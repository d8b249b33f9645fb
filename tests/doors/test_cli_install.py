"""`mem install` at the command line: what it lists, shows, refuses and answers."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from memory_layer.agents import own_check
from memory_layer.agents.recipes import BY_NAME
from memory_layer.doors.cli.main import mem


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home with Claude Code and Codex, and a program called `mem` for good."""
    folder, project, tool = tmp_path / "home", tmp_path / "project", tmp_path / "tools/mem"
    for each in (folder / ".claude", folder / ".codex", project, tool.parent):
        each.mkdir(parents=True)
    tool.touch()
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.setenv("MEM_HOME", str(tmp_path / "store"))
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setattr("memory_layer.agents.connections.own_command", lambda: str(tool))
    monkeypatch.setattr(own_check, "line_of", lambda *_: None)
    monkeypatch.setattr(tempfile, "gettempdir", lambda: "/nowhere")
    monkeypatch.chdir(project)
    return folder


def run(*arguments: str) -> Result:
    return CliRunner().invoke(mem, ["install", *arguments], prog_name="mem")


def data(*arguments: str, code: int = 0) -> list[dict[str, Any]]:
    ran = run(*arguments, "--json")
    assert ran.exit_code == code, ran.stderr
    found = json.loads(ran.stdout)["data"]["items"]
    assert isinstance(found, list)
    return found


def test_alone_it_lists_what_was_found_and_how_to_connect_it(home):
    ran = run()

    assert [line.split(maxsplit=1) for line in ran.stdout.splitlines()] == [
        ["claude-code", "not connected"],
        ["codex", "not connected"],
    ]
    assert "`mem install claude-code` connects one" in ran.stderr
    assert "not found here: gemini, opencode" in ran.stderr


def test_the_check_fails_until_everything_is_current(home):
    assert {each["agent"]: each["state"] for each in data("--check", code=1)} == {
        "claude-code": "missing",
        "codex": "missing",
    }
    assert run("--all").exit_code == 0
    assert [each["state"] for each in data("--check")] == ["current", "current"]

    settings = home / ".claude/settings.json"
    settings.write_text(
        settings.read_text(encoding="utf-8").replace('"timeout": 10', '"timeout": 9', 1), encoding="utf-8"
    )
    assert run("claude-code", "--check").exit_code == 1
    assert run("codex", "--check").exit_code == 0
    assert data("claude-code", "--check", code=1)[0]["state"] == "stale"

    settings.write_text("{", encoding="utf-8")
    broken = data("claude-code", "--check", code=1)[0]
    assert broken["state"] == "broken"
    assert str(broken["problem"]).endswith(".claude/settings.json: line 1 is no valid JSON")


def test_a_dry_run_shows_a_diff_and_writes_nothing(home):
    ran = run("codex", "--dry-run")

    assert "+[mcp_servers.memory]\n" in ran.stderr
    assert "--- /dev/null\n" in ran.stderr
    assert "type /hooks" in ran.stderr
    assert list((home / ".codex").iterdir()) == []
    assert "+[mcp_servers.memory]" in str(data("codex", "--dry-run")[0]["files"])


def test_it_prints_what_would_stand_in_each_file(home):
    (home / ".codex/config.toml").write_text('model = "o3"\n', encoding="utf-8")

    files = data("codex", "--print")[0]["files"]

    assert [Path(each["path"]).name for each in files] == ["config.toml", "hooks.json"]
    assert files[0]["text"].startswith('model = "o3"\n\n[mcp_servers.memory]\n')
    assert (home / ".codex/config.toml").read_text(encoding="utf-8") == 'model = "o3"\n'


def test_codex_comes_with_the_advice_to_trust_its_hooks(home):
    assert (
        "note: Codex runs no hook that you have not trusted: open Codex, type /hooks" in run("codex").stderr
    )


def test_one_agent_that_is_refused_does_not_keep_the_others_waiting(home):
    (home / ".codex/config.toml").write_text("no TOML", encoding="utf-8")

    results = {each["agent"]: each["problem"] for each in data("--all", code=1)}

    assert results["claude-code"] is None
    assert "config.toml was left as it is: it is no valid TOML" in str(results["codex"])
    assert list((home / ".codex").iterdir()) == [home / ".codex/config.toml"]
    assert run("codex").exit_code == 2


def test_grok_is_refused_while_claude_code_is_connected_because_it_would_run_both(home):
    (home / ".grok").mkdir()
    run("claude-code")

    ran = run("grok")

    assert ran.exit_code == 2
    assert "Grok Build also runs the entries of Claude Code, which is connected" in ran.stderr
    assert list((home / ".grok").iterdir()) == []
    assert {each["agent"]: each["through"] for each in data()}["grok"] == "claude-code"
    assert [each["agent"] for each in data("--all")] == ["claude-code", "codex"]


def test_claude_code_warns_of_a_grok_that_has_entries_of_its_own(home):
    run("grok")

    assert "Grok Build would run these and its own: `mem install grok --remove`" in run("claude-code").stderr


@pytest.mark.parametrize(
    ("command", "doubt"),
    [
        ("mem", "mem is not the absolute path of a program"),
        ("/gone/mem", "/gone/mem is not the absolute path of a program"),
        ("{}/.cache/uv/archive-v0/x1/bin/mem", "is in a temporary environment"),
        ("{}/.cache/pipx/x1/bin/mem", "is in a temporary environment"),
        ("{}/.local/bin/mem", None),
    ],
)
def test_a_command_that_may_vanish_is_named(command, doubt, home, monkeypatch):
    program = Path(command.format(home))
    if home in program.parents:
        program.parent.mkdir(parents=True)
        program.touch()
    monkeypatch.setattr("memory_layer.agents.connections.own_command", lambda: str(program))

    notes = [str(note) for note in data("codex", "--dry-run")[0]["notes"]]

    assert [note for note in notes if doubt and doubt in note] or not doubt
    assert len(notes) == 1 + bool(doubt)


def test_a_project_that_calls_mem_says_if_there_is_none(home):
    assert "which is not on your PATH" in run("codex", "--project", "--dry-run").stderr


@pytest.mark.parametrize("option", ["--remove", "--dry-run", "--print"])
def test_what_it_is_about_has_to_be_named(option, home):
    ran = run(option)

    assert ran.exit_code == 2
    assert "name an agent, or give --all" in ran.stderr


def test_everything_that_is_connected_can_be_removed_at_once(home):
    run("--all")
    removed = data("--all", "--remove")

    assert [each["agent"] for each in removed] == ["claude-code", "codex"]
    assert sorted(home.rglob("*")) == [home / ".claude", home / ".codex"]
    assert data("--all", "--remove") == []


def test_the_page_names_the_agents_that_were_not_run():
    page = (Path(__file__).parents[2] / "docs/how-to/connect-your-agents.md").read_text(encoding="utf-8")

    for recipe in BY_NAME.values():
        line = next(line for line in page.splitlines() if line.startswith(f"| {recipe.title} |"))
        assert f"`{recipe.name}`" in line
        assert ("not run with the program" in line) is not recipe.is_proven


def test_hooks_and_server_use_the_same_store_however_the_agent_is_started(mem, machine):
    (machine / "person" / ".claude").mkdir()
    mem("install", "claude-code", "--no-trust")

    hooks = (machine / "person" / ".claude" / "settings.json").read_text()
    server = (machine / "person" / ".claude.json").read_text()
    assert f"env MEM_HOME={machine / 'home'}" in hooks
    assert f'"MEM_HOME": "{machine / "home"}"' in server


def test_the_note_about_grok_appears_only_where_grok_is(home):
    assert "Grok" not in run("claude-code").stderr

    (home / ".grok").mkdir()
    assert "Grok Build runs Claude Code's hooks and servers too" in run("claude-code").stderr
