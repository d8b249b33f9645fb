"""Agents are known by the programs above a command, and people are not taken for them."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from itertools import pairwise

import pytest

from memory_layer.model.agents import KNOWN_AGENTS, agent_running, is_editor
from memory_layer.surroundings import terminal

NPM = "/usr/lib/node_modules"


@pytest.mark.parametrize(
    ("agent", "name", "executable", "arguments"),
    [
        ("claude-code", "claude", "/home/ada/.local/share/claude/versions/2.1.326", ()),
        ("claude-code", "node", "/usr/bin/node", ("node", f"{NPM}/@anthropic-ai/claude-code/cli.js", "-p")),
        ("claude-code", "MainThread", "/usr/bin/node", ("node", "--no-warnings", "/usr/bin/claude")),
        ("codex", "codex", "/opt/codex/vendor/x86_64/codex/codex", ()),
        ("codex", "node", "/usr/bin/node", ("node", f"{NPM}/@openai/codex/bin/codex.js")),
        ("gemini", "node", "/usr/bin/node", ("node", "--max-old-space-size=4096", "/usr/bin/gemini")),
        ("gemini", "node", "/usr/bin/node", ("node", "-r", "./hook.js", "/usr/bin/gemini")),
        ("cursor", "node", "/x/node", ("node", "/home/ada/.local/share/cursor-agent/versions/1/index.js")),
        ("aider", "aider", "/home/ada/venv/bin/python3.12", ("python", "/home/ada/venv/bin/aider")),
        ("aider", "python3", "/usr/bin/python3.12", ("python3", "-m", "aider", "--yes")),
        ("openhands", "python3", "/usr/bin/python3.12", ("python3", "-m", "openhands.core.main")),
        ("openhands", "python3", "/usr/bin/python3.12", ("python3", "-mopenhands")),
        ("openhands", "python3", "/usr/bin/python3.12", ("python3", "-Im", "openhands")),
        ("openhands", "python3", "/usr/bin/python3.12", ("python3", "/x/openhands/__main__.py")),
        ("goose", "goose", "/usr/local/bin/goose", ()),
        ("pi-coding-agent", "node", "/usr/bin/node", ("node", "/usr/local/bin/pi")),
        ("continue", "node", "/usr/bin/node", ("node", f"{NPM}/@continuedev/cli/dist/cn.js")),
        ("windsurf", "windsurf", "/usr/share/windsurf/windsurf", ()),
        ("windsurf", "Electron", "/Applications/Windsurf.app/Contents/MacOS/Electron", ()),
        ("zed", "zed-editor", "/usr/libexec/zed-editor", ()),
    ],
)
def test_an_agent_is_known_by_its_program(agent, name, executable, arguments):
    assert agent_running(name, executable, arguments) == agent


@pytest.mark.parametrize(
    ("name", "executable", "arguments"),
    [
        ("bash", "/usr/bin/bash", ()),
        ("zsh", "/bin/zsh", ()),
        ("zsh (kiro-cli-term)", "/home/ada/.local/bin/kiro-cli-term", ()),
        ("tmux: server", "/usr/bin/tmux", ()),
        ("nvim", "/usr/bin/nvim", ()),
        ("emacs", "/usr/bin/emacs", ()),
        ("code", "/usr/share/code/code", ()),
        ("cursor", "/usr/share/cursor/cursor", ()),
        ("sshd", "/usr/sbin/sshd", ()),
        ("gnome-terminal-", "/usr/libexec/gnome-terminal-server", ()),
        ("make", "/usr/bin/make", ()),
        ("less", "/home/ada/projects/claude/bin/less", ()),
        ("bash", "/home/ada/goose/bin/bash", ()),
        ("python3", "/usr/bin/python3.12", ("python3", "review.py", "claude", "aider")),
        ("python3", "/usr/bin/python3.12", ("python3", "/home/ada/pi/run.py", "amp")),
        ("node", "/usr/bin/node", ("node", "/srv/gemini/server.js")),
        ("python3", "/usr/bin/python3.12", ("python3", "-m", "json.tool", "openhands")),
        ("python3", "/usr/bin/python3.12", ("python3", "/home/ada/openhands/run.py")),
        ("node", "/usr/bin/node", ("node", "-e", "claude")),
        ("", "", ()),
    ],
)
def test_what_people_use_is_no_agent(name, executable, arguments):
    assert agent_running(name, executable, arguments) is None


def test_every_known_agent_leaves_some_trace():
    assert all(agent.marks or agent.programs for agent in KNOWN_AGENTS)
    assert {agent.name for agent in KNOWN_AGENTS if is_editor(agent.name)} == {"windsurf", "zed"}


def above(program):
    """What a command finds that a program starts; nothing above the tests is looked at."""
    asked = (
        f"from memory_layer.surroundings import terminal; print(terminal.descent(top={os.getpid()}).agent)"
    )
    done = subprocess.run(
        [*program, sys.executable, "-c", asked], capture_output=True, text=True, check=True, timeout=60
    )
    return done.stdout.strip()


def test_an_agent_is_found_above_a_shell_of_its_own(tmp_path):
    fake = tmp_path / "claude"
    fake.write_text('#!/bin/sh\n"$@"\nexit $?\n')
    fake.chmod(stat.S_IRWXU)
    shell = ["sh", "-c", '"$@"; exit $?', "sh"]

    assert above([str(fake)]) == "claude-code"
    assert above([str(fake), *shell]) == "claude-code"
    assert above(shell) == "None"


@pytest.fixture
def listed(monkeypatch):
    """A machine without /proc, whose list of processes shows a terminal, an interpreter and the own shell."""
    own = os.getppid()
    lists = {
        "-A": [
            f"{own} 41 /bin/zsh",
            "   41    40 /usr/local/bin/node",
            "   40     1 /Applications/iTerm.app/Contents/MacOS/iTerm 2",
            "    1     0 /sbin/launchd",
        ],
        "-ww": ["node /srv/app/server.js"],
    }
    monkeypatch.setattr(sys, "platform", "darwin")
    monkeypatch.setattr(terminal, "ps", lambda *arguments: lists[arguments[0]])
    monkeypatch.setattr(os, "getsid", lambda pid: 41)
    monkeypatch.setattr(os, "getpgrp", lambda: own)
    return lists


def test_where_there_is_no_proc_the_systems_list_is_read(listed):
    assert terminal.descent() == (None, True)
    listed["-ww"] = ["node /opt/homebrew/lib/node_modules/@google/gemini-cli/dist/index.js"]
    assert terminal.descent() == ("gemini", True)
    assert terminal.descent(top=41) == (None, False)
    listed["-A"] = []
    assert terminal.descent() == (None, False)


def test_whoever_is_not_below_the_leaders_of_its_session_and_group_is_not_traced(listed, monkeypatch):
    monkeypatch.setattr(os, "getpgrp", os.getpid)
    assert terminal.descent().is_traced
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as beside:
        monkeypatch.setattr(os, "getpgrp", lambda: beside.pid)
        assert not terminal.descent().is_traced
    assert terminal.descent().is_traced  # as behind a pipe whose first program is done
    monkeypatch.setattr(os, "getpgrp", os.getpid)
    monkeypatch.setattr(os, "getsid", lambda pid: 0)
    assert not terminal.descent().is_traced


@pytest.mark.parametrize(("shells", "traced"), [(5, True), (terminal.MOST + 2, False)])
def test_a_walk_that_does_not_come_to_its_end_is_not_traced(listed, shells, traced):
    first = os.getppid()
    chain = [first, *range(10**6, 10**6 + shells), 41, 0]
    listed["-A"] = [f"{one} {above} /bin/bash" for one, above in pairwise(chain)]

    assert terminal.descent().is_traced is traced


def test_the_systems_own_list_can_be_read():
    listed = terminal.ps("-A", "-o", "pid=,ppid=,comm=")

    assert listed == [] or any(line.split()[0] == str(os.getpid()) for line in listed)
