"""`mem last`: what a session was given, warned of and learned, and a key for what was wrong."""

from __future__ import annotations

import json
import os

import pytest

from memory_layer.doors.hook.main import answer_to
from tests.doors.hook_events import ARGUMENTS, BEFORE, EVENTS, PROMPT, START
from tests.doors.terminals import Terminal, flat, plain

DEPLOY = "Deploy the site with make site-up, never with make deploy"
TABS = "We always use tabs, never spaces"


def happens(name, session="s-1", **changes):
    """An event of a session of Claude Code."""
    payload = {**EVENTS["claude-code"][name], "cwd": os.getcwd(), "session_id": session, **changes}
    answer_to("claude-code", ARGUMENTS[name], json.dumps(payload).encode())


@pytest.fixture
def session(mem):
    """A session that was given and warned of one memory, and learned another."""
    mem("add", DEPLOY, "-c", "pitfall")
    happens(START)
    happens(BEFORE)
    happens(PROMPT, prompt=f"{TABS}.")


def parts(report):
    return [(line["number"], line["part"], line["memory"]["content"]) for line in report["lines"]]


def test_the_last_session_is_shown_line_by_line(mem, session):
    report = mem("last", "--json").data
    lines = mem("last").out.splitlines()

    assert (report["session"], report["writer"]) == ("s-1", "claude-code")
    assert parts(report) == [(1, "start", DEPLOY), (2, "warning", DEPLOY), (3, "learned", TABS)]
    assert lines[0].startswith("Session s-1  (by claude-code · just now")
    assert [line for line in lines[1:] if line and not line.startswith(" ")] == [
        "Given at the start",
        "Warned of",
        "Learned from what was said",
    ]
    assert lines[6].endswith(f"pitfall  {DEPLOY}  (for: make deploy)")


def test_another_session_is_shown_by_its_name(mem, session):
    happens(START, "s-2")

    assert parts(mem("last", "--json").data) == [(1, "start", TABS), (2, "start", DEPLOY)]
    assert len(mem("last", "--session", "s-1", "--json").data["lines"]) == 3
    assert mem("last", "--session", "s-3").err == "mem: there is no session 's-3'\n"


def test_what_a_helper_was_given_belongs_to_its_session(mem, session):
    happens(BEFORE, agent_id="a1", tool_input={"command": "make deploy SITE=b"})
    report = mem("last", "--json").data

    assert report["session"] == "s-1"
    assert [part for _, part, _ in parts(report)] == ["start", "warning", "learned"]


def test_a_session_that_only_learned_is_shown_too(mem):
    happens(PROMPT, prompt=f"{TABS}.")

    assert parts(mem("last", "--json").data) == [(1, "learned", TABS)]


def test_a_session_is_not_told_again_what_it_just_said(mem):
    happens(PROMPT, prompt=f"{TABS}.")
    happens(PROMPT, prompt="do we use tabs or spaces?")

    assert [part for _, part, _ in parts(mem("last", "--json").data)] == ["learned"]


def test_sessions_of_other_projects_do_not_count(mem, session, tmp_path, monkeypatch):
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")

    assert (mem("last").out, mem("last").err) == (
        "",
        "no session here yet; `mem install` connects your agents\n",
    )
    assert mem("last", "--json").data is None
    assert mem("last", "--all", "--json").data["session"] == "s-1"


def test_looking_back_counts_as_no_use(mem, session):
    before = mem("recalls", "--json").data
    mem("last")

    assert mem("recalls", "--json").data == before


class Look(Terminal):
    """`mem last` at a terminal, driven by single keys."""

    def __init__(self):
        super().__init__("last")

    def press_and_read(self, key, words):
        self.press(key)
        self.read(words)
        assert words in flat(self.seen)


def statuses(mem):
    found = mem("list", "--status", "active", "--status", "archived", "--json").data["items"]
    return {each["content"]: (each["status"], each["failed"]) for each in found}


def test_a_person_archives_what_was_learned_wrongly_and_undoes_it(mem, session):
    look = Look()
    look.read("[q]uit")
    look.press_and_read("3", "any other key goes back")
    look.press_and_read("w", "archived; no agent is given it any more")
    assert statuses(mem)[TABS] == ("archived", 0)

    look.press_and_read("u", "undone: line 3")
    look.press("q")

    assert look.end() == 0
    assert statuses(mem)[TABS] == ("active", 0)
    assert max(map(len, plain(look.seen).splitlines())) <= 80


def test_a_person_reports_what_was_given_wrongly_and_undoes_it(mem, session):
    look = Look()
    look.read("[q]uit")
    look.press_and_read("7", "no such line")
    look.press_and_read("2", "any other key goes back")
    look.press_and_read("w", "reported as failed")
    assert statuses(mem)[DEPLOY] == ("active", 1)

    look.press_and_read("u", "undone: line 2")
    look.press("q")

    assert look.end() == 0
    assert statuses(mem)[DEPLOY] == ("active", 0)


def test_a_number_of_two_digits_can_end_early(mem):
    for number in range(12):
        happens(PROMPT, prompt=f"We always run make check-{number * 7919}, never make lint-{number * 7919}.")
    lines = mem("last", "--json").data["lines"]
    assert len(lines) >= 10

    look = Look()
    look.read("[q]uit")
    look.press_and_read("1", "line 1_ (another digit, or Enter)")
    look.press_and_read("w", "archived; no agent is given it any more")
    look.press("q")

    assert look.end() == 0
    assert statuses(mem)[lines[0]["memory"]["content"]][0] == "archived"


def test_an_agent_s_session_is_preferred_to_what_was_asked_at_a_shell(mem, session):
    mem("context")
    asked = mem("recalls", "--json").data["items"][0]["session"]
    mem("context", "--session", "terminal-77-1")

    assert asked.startswith("agent ")
    assert mem("recalls", "--json").data["items"][0]["session"] == "terminal-77-1"
    assert mem("last", "--json").data["session"] == "s-1"
    assert mem("last", "--session", "terminal-77-1", "--json").data["session"] == "terminal-77-1"


def test_without_an_agent_s_session_the_shell_s_is_shown(mem):
    mem("add", DEPLOY)
    mem("context")

    assert mem("last", "--json").data["session"].startswith("agent ")


def test_where_an_agent_is_connected_it_says_that_nothing_is_stored_yet(mem, tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert mem("install", "claude-code").err.endswith(
        "nothing is stored here; `mem import` finds rules files such as CLAUDE.md, `mem add` stores a memory\n"
    )
    assert "no session was given anything yet: nothing is stored here; `mem import`" in mem("last").err
    assert "mem install" not in mem().out

    mem("add", DEPLOY)
    assert "the next session is given what is stored" in mem("last").err
    assert "nothing is stored" not in mem("install", "claude-code").err


def test_a_pause_is_told_wherever_the_hooks_are_looked_at(mem, session):
    mem("pause", "--for", "2h")
    told = "the hooks are paused until 20"

    assert told in mem("last").err
    assert told in mem("install").err
    assert told in mem("install", "--check").err
    assert told in mem("doctor").out
    assert told in mem().err

    mem("resume")
    mem("pause")
    assert "the hooks are paused; `mem resume` lets them work again" in mem("last").err
