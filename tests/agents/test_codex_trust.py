"""Codex runs only hooks that it was told to trust: `mem install codex --trust` tells it, about ours and no others."""

from __future__ import annotations

import json
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

from tests.agents.model_server import Say, serve
from tests.agents.real_agent import RealAgent, fresh, launcher

HOW = "Deploy the site with make site-up, never with make deploy"
BYPASS = "--dangerously-bypass-hook-trust"
EVENTS = {"session-start", "prompt", "before-tool", "after-tool", "stop", "session-end"}
THEIRS = {"hooks": [{"type": "command", "command": "echo theirs", "timeout": 5}]}


def with_codex(folder: Path, target: Path) -> RealAgent:
    """A Codex that was never started, and this program on the path under its name."""
    made = fresh("codex", folder, folder / "no-model")
    (folder / "bin" / "codex").symlink_to(target)
    return replace(made, environ=made.environ | {"PATH": f"{folder / 'bin'}:{made.environ['PATH']}"})


@pytest.fixture
def codex(tmp_path) -> RealAgent:
    """Codex in a project that knows something."""
    made = with_codex(tmp_path, Path(launcher("codex")[0]))
    made.mem("add", HOW, "-c", "pitfall")
    return made


def notes(agent: RealAgent, *arguments: str) -> list[str]:
    ran = agent.mem("install", "codex", *arguments, "--json")
    assert ran.code == 0, ran.err
    return list(json.loads(ran.out)["data"]["items"][0]["notes"])


def checked(agent: RealAgent) -> tuple[int, str, str]:
    ran = agent.mem("install", "codex", "--check", "--json")
    (found,) = json.loads(ran.out)["data"]["items"]
    return ran.code, found["state"], found["problem"] or ""


def saw_context(agent: RealAgent) -> bool:
    with serve(Say("done")) as model:
        ran = agent.run("please put the new page online", model, without=BYPASS)

    assert ran.code == 0, ran.err
    return model.saw(f"[pitfall] {HOW}")


def trusted_keys(agent: RealAgent) -> set[str]:
    config = tomllib.loads((agent.home / ".codex" / "config.toml").read_text(encoding="utf-8"))
    return {key.partition(":")[2] for key in config.get("hooks", {}).get("state", {})}


def test_once_told_to_trust_them_codex_runs_the_hooks(codex):
    assert any("Codex trusts the hooks" in note for note in notes(codex, "--trust"))

    assert checked(codex) == (0, "current", "")
    assert saw_context(codex)


def test_nobody_trusts_them_unasked_and_the_check_names_them(codex):
    assert any("open Codex, type /hooks" in note for note in notes(codex))

    code, state, problem = checked(codex)
    assert (code, state) == (1, "untrusted")
    assert set(problem.partition(":")[0].split(", ")) == EVENTS
    assert "`mem install codex --trust`" in problem
    assert trusted_keys(codex) == set()
    assert not saw_context(codex)


def test_hooks_of_others_in_the_same_file_are_not_trusted_along(codex):
    hooks = codex.home / ".codex" / "hooks.json"
    hooks.write_text(json.dumps({"hooks": {"SessionStart": [THEIRS], "Notification": [THEIRS]}}))
    notes(codex, "--trust")

    assert trusted_keys(codex) == {
        "session_start:1:0",
        *(f"{event}:0:0" for event in ("user_prompt_submit", "pre_tool_use", "post_tool_use", "stop")),
        "session_end:0:0",
    }


def test_a_hook_that_is_put_right_again_is_still_trusted(codex):
    notes(codex, "--trust")
    hooks = codex.home / ".codex" / "hooks.json"
    value = json.loads(hooks.read_text(encoding="utf-8"))
    value["hooks"]["Stop"][0]["hooks"][0]["timeout"] = 11
    hooks.write_text(json.dumps(value), encoding="utf-8")
    assert checked(codex)[1] == "stale"
    notes(codex)  # which gives the hook its timeout back

    assert checked(codex) == (0, "current", "")


def test_the_removal_gives_back_the_file_as_it_was_before_the_trust(codex):
    config = codex.home / ".codex" / "config.toml"
    config.write_text('# mine\nmodel = "o3"\n', encoding="utf-8")
    notes(codex, "--trust")
    assert trusted_keys(codex)

    assert codex.mem("install", "codex", "--remove").code == 0
    assert config.read_text(encoding="utf-8") == '# mine\nmodel = "o3"\n'


@pytest.mark.parametrize("target", ["/bin/false", "/bin/echo", "/nowhere/codex"])
def test_a_codex_that_does_not_answer_leaves_one_sentence(tmp_path, target):
    agent = with_codex(tmp_path, Path(target))
    (said,) = notes(agent, "--trust")

    assert said.startswith("Codex was not told to trust the hooks (")
    assert said.endswith("): open Codex, type /hooks, and trust them")
    assert checked(agent) == (0, "current", "")
