"""Agents' hooks: the right words at the right moment, in each agent's own form, and never a disturbance."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import pytest

from memory_layer.doors.hook import main
from memory_layer.doors.hook.agents import AGENTS, EventKind
from memory_layer.doors.hook.event import read_event
from memory_layer.doors.hook.main import LARGEST_EVENT, LONGEST, answer_or_silence, answer_to
from memory_layer.settings import load
from memory_layer.verbs.call import Caller, Dispatcher
from memory_layer.verbs.remember import ADD
from memory_layer.wiring import open_engine
from tests.doors.hook_events import AFTER, ARGUMENTS, BEFORE, END, EVENTS, FAILED, PROMPT, START
from tests.doors.terminals import typed

EVERY = [(agent, name) for agent, events in EVENTS.items() for name in events]
DEPLOY = "Deploy the site with make site-up, never with make deploy"
LOCKED = "E_LOCKED means that another deploy holds the state file; wait for it"


@pytest.fixture
def known(mem):
    """A project that knows how it is deployed."""
    mem("add", DEPLOY, "-c", "pitfall")
    mem("add", LOCKED, "-c", "troubleshooting")


def answer(agent: str, name: str, machine=None, **changes: object) -> str:
    payload = {**EVENTS[agent][name], "cwd": os.getcwd(), **changes}
    return answer_to(agent, ARGUMENTS[name], json.dumps(payload).encode())


def text_in(output: str) -> str:
    """The text that reaches the model, in whatever form."""
    if not output.startswith("{"):
        return output
    shape = json.loads(output)
    inner = shape.get("hookSpecificOutput", shape)
    return next(
        str(inner[key])
        for key in ("additionalContext", "additional_context", "contextModification")
        if key in inner
    )


def test_a_session_of_claude_code_starts_with_what_is_known(known):
    shape = json.loads(answer("claude-code", START))

    assert shape["hookSpecificOutput"]["hookEventName"] == "SessionStart"
    assert DEPLOY in shape["hookSpecificOutput"]["additionalContext"]
    assert list(shape) == ["hookSpecificOutput"]


def test_a_resumed_session_is_not_told_again_but_a_compacted_one_is(known):
    answer("claude-code", START)

    assert answer("claude-code", START, source="resume") == ""
    assert DEPLOY in answer("claude-code", START, source="compact")


def test_a_prompt_gets_only_what_answers_it_well_and_is_new_to_the_session(known):
    first = text_in(answer("claude-code", PROMPT))

    assert DEPLOY in first
    assert answer("claude-code", PROMPT) == ""
    assert answer("claude-code", PROMPT, prompt="write a poem about the sea") == ""


def test_what_the_start_gave_is_not_repeated_at_the_prompt(known):
    answer("claude-code", START)

    assert answer("claude-code", PROMPT) == ""


@pytest.mark.parametrize("agent", ["claude-code", "codex", "grok", "cline"])
def test_a_warning_stands_before_the_command(known, agent):
    assert DEPLOY in text_in(answer(agent, BEFORE))


@pytest.mark.parametrize("agent", ["gemini", "qwen", "copilot", "droid", "opencode", "kilo"])
def test_where_nothing_reaches_the_model_before_a_tool_the_warning_comes_after_it(known, agent):
    if BEFORE in EVENTS[agent]:
        assert answer(agent, BEFORE) == ""

    assert DEPLOY in text_in(answer(agent, AFTER))


@pytest.mark.parametrize(
    ("agent", "name"), [(a, n) for a, n in EVERY if n in (FAILED, AFTER) and a != "cursor"]
)
def test_a_failed_command_gets_what_is_known_about_its_error(known, agent, name):
    assert LOCKED in text_in(answer(agent, name))


def test_an_agent_that_calls_another_hook_after_a_failed_command_is_warned_there_too(known):
    assert DEPLOY in text_in(answer("qwen", FAILED))


@pytest.mark.parametrize(
    ("entry", "is_told"), [({"exit_code": 3}, True), ({"exit_code": 0}, False), ({}, False)]
)
def test_the_exit_code_that_an_event_of_codex_lacks_stands_in_its_record(known, tmp_path, entry, is_told):
    record = tmp_path / ".codex" / "rollout.jsonl"
    record.parent.mkdir()
    item = {"payload": {"item": {"type": "CommandExecution", "id": "call_1", **entry}}}
    other = {"payload": {"item": {"type": "CommandExecution", "id": "call_0", "exit_code": 1}}}
    record.write_text("no json call_1 exit_code\n" + json.dumps(other) + "\n" + json.dumps(item) + "\n")
    output = "E_LOCKED: the state file is locked\n"
    fields = {"transcript_path": str(record), "tool_use_id": "call_1", "tool_response": output}

    assert (LOCKED in answer("codex", AFTER, **fields)) is is_told


def test_without_its_record_a_command_of_codex_counts_as_done(known, tmp_path):
    fields = {"transcript_path": str(tmp_path / ".codex" / "gone.jsonl"), "tool_use_id": "call_1"}

    assert answer("codex", AFTER, **fields, tool_response="E_LOCKED: the state file is locked") == ""


def test_what_a_person_tells_windsurf_is_kept(mem):
    answer("windsurf", PROMPT, tool_info={"user_prompt": "We always use tabs, never spaces."})

    assert "We always use tabs" in mem("list").out


def test_an_agent_that_hears_nothing_at_its_start_gets_the_context_with_the_first_thing_it_hears(known):
    assert answer("grok", START) == ""
    assert text_in(answer("grok", BEFORE)).startswith("## Memories")
    assert "## Memories" not in answer("grok", BEFORE)


def test_what_a_person_says_is_kept(mem):
    assert answer("claude-code", PROMPT, prompt="We always use tabs, never spaces.") == ""

    (memory,) = mem("list", "--json").data["items"]
    assert (memory["source"], memory["writer"]) == ("capture", "claude-code")


@pytest.mark.parametrize(
    "prompt",
    [
        "<private>We always use tabs, never spaces.</private>",
        "<PRIVATE>We always use tabs, never spaces.",
        "/remember We always use tabs, never spaces.",
    ],
)
def test_what_no_person_typed_or_is_private_is_not_kept(mem, prompt):
    assert answer("claude-code", PROMPT, prompt=prompt) == ""
    assert mem("list", "--json").data["items"] == []


def test_the_rest_of_a_prompt_with_a_private_part_counts(mem):
    answer(
        "claude-code", PROMPT, prompt="We always use tabs, never spaces. <private>We never use gpg.</private>"
    )

    assert ["tabs" in each["content"] for each in mem("list", "--json").data["items"]] == [True]


def everything_stored(machine) -> list[object]:
    database = machine / "home" / "memory.db"
    if not database.exists():
        return []
    with closing(sqlite3.connect(database)) as db:
        return [
            db.execute("select count(*) from memory").fetchone(),
            db.execute("select count(*) from recall").fetchone(),
        ]


@pytest.mark.parametrize(("agent", "name"), EVERY)
@pytest.mark.parametrize("how", ["paused", "off", "ignored"])
def test_nothing_is_read_or_stored_while_paused_switched_off_or_ignored(
    mem, machine, monkeypatch, known, agent, name, how
):
    if how == "paused":
        mem("pause", "--for", "1h")
    elif how == "off":
        monkeypatch.setenv("MEM_OFF", "1")
    else:
        monkeypatch.setenv("MEM_IGNORE", f"{machine}/work/")
    monkeypatch.setattr("memory_layer.wiring.open_engine", None)  # opening the store would fail
    before = everything_stored(machine)

    assert answer(agent, name, prompt="We always use tabs, never spaces.") == ""
    assert everything_stored(machine) == before


def test_the_hooks_work_again_after_the_pause(mem, known):
    mem("pause")
    assert answer("claude-code", START) == ""
    assert mem("resume").code == 1  # an agent may not
    assert typed("resume")[0] == 0

    assert DEPLOY in answer("claude-code", START)


def test_a_file_to_be_ignored_gets_no_warning(mem, monkeypatch):
    mem("add", "Never edit vault.env by hand", "-c", "pitfall", "--scope", "vault.env")
    edit = {"tool_name": "Edit", "tool_input": {"file_path": f"{os.getcwd()}/vault.env"}}
    assert "vault.env" in answer("claude-code", BEFORE, **edit)
    monkeypatch.setenv("MEM_IGNORE", "*.env")

    assert answer("claude-code", BEFORE, session_id="s-2", **edit) == ""


def run_hook(payload: bytes, *arguments: str, **environ: str) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "memory_layer", "hook", *(arguments or ("claude-code", "session-start"))]
    return subprocess.run(command, input=payload, capture_output=True, env=os.environ | environ, check=False)


GARBAGE = [
    b"",
    b"{",
    b"null",
    b"[]",
    b'"x"',
    b"\xff\xfe",
    b"\x00",
    b'{"session_id": 5, "cwd": []}',
    b'{"prompt": {}}',
]


@pytest.mark.parametrize("event", sorted(set(ARGUMENTS.values())))
def test_garbage_gets_no_answer_or_a_valid_one(event, known):
    for payload in GARBAGE:
        output = answer_or_silence("claude-code", event, partial(bytes, payload))
        assert not output or json.loads(output)


def test_an_unknown_agent_or_event_gets_no_answer(known):
    assert [run_hook(b"{}", *words).stdout for words in (("nobody", "prompt"), ("codex", "lunch"))] == [
        b"",
        b"",
    ]


def test_a_broken_store_or_configuration_is_silent_and_logged(machine):
    (machine / "home").mkdir()
    (machine / "home" / "memory.db").write_bytes(b"no database" * 1000)
    ran = run_hook(json.dumps({**EVENTS["claude-code"][START], "cwd": os.getcwd()}).encode())

    assert (ran.returncode, ran.stdout, ran.stderr) == (0, b"", b"")
    assert "hook claude-code session-start" in (machine / "home" / "logs" / "mem.log").read_text()


def test_a_locked_store_is_not_waited_for(machine, known):
    with closing(sqlite3.connect(machine / "home" / "memory.db", isolation_level=None)) as db:
        db.execute("begin exclusive")
        ran = run_hook(json.dumps({**EVENTS["claude-code"][START], "cwd": os.getcwd()}).encode())

    assert (ran.returncode, ran.stderr) == (0, b"")
    assert not ran.stdout or json.loads(ran.stdout)


def test_a_huge_event_is_survived(known):
    huge = {**EVENTS["claude-code"][AFTER], "cwd": os.getcwd(), "tool_response": {"stdout": "x" * 10_000_000}}
    ran = run_hook(json.dumps(huge).encode(), "claude-code", "after-tool")

    assert (ran.returncode, ran.stderr) == (0, b"")
    assert answer_to("claude-code", "prompt", b" " * (LARGEST_EVENT + 1)) == ""


def test_a_hook_loads_neither_click_nor_pydantic_nor_the_sdk(known):
    script = (
        "import os, sys; end, heavy = os._exit, {'click', 'pydantic', 'mcp', 'numpy'}\n"
        "def say_and_end(code): print(sorted(heavy & set(sys.modules)), file=sys.stderr); end(code)\n"
        "os._exit = say_and_end\n"
        "from memory_layer.doors.hook import main as hook; hook.SECONDS = 60\n"
        "sys.argv = ['mem', 'hook', 'claude-code', 'before-tool']\n"
        "from memory_layer.__main__ import main; main()"
    )
    payload = json.dumps({**EVENTS["claude-code"][BEFORE], "cwd": os.getcwd()}).encode()
    ran = subprocess.run([sys.executable, "-c", script], input=payload, capture_output=True, check=True)

    assert DEPLOY.encode() in ran.stdout
    assert ran.stderr.strip() == b"[]"


def test_the_end_of_a_session_has_a_store_tidied_that_is_due_and_is_silent(mem, machine, monkeypatch):
    monkeypatch.setenv("MEM_UPKEEP_AUTO", "on")
    due: list[Callable[[], object]] = []
    monkeypatch.setattr(main, "_AFTERWARDS", due)
    monkeypatch.setattr("memory_layer.wiring.start_upkeep", lambda settings: settings.database_path)
    assert (answer("claude-code", END), due) == ("", [])  # there is no store
    long_ago = datetime.now(UTC) - timedelta(days=8)
    with open_engine(load(cwd=Path.cwd()), "python", now=lambda: long_ago) as engine:
        Dispatcher(engine, Caller("python", Path.cwd())).run(ADD, {"content": DEPLOY})

    assert answer("claude-code", END) == ""
    assert [each() for each in due] == [machine / "home" / "memory.db"]
    assert (answer("claude-code", END), len(due)) == ("", 1)  # it was started already


@pytest.mark.parametrize(("agent", "name"), EVERY)
def test_no_store_is_opened_for_an_event_that_gets_no_answer_and_teaches_nothing(
    known, monkeypatch, agent, name
):
    event = read_event(agent, ARGUMENTS[name], json.dumps(EVENTS[agent][name]).encode(), {})
    assert event is not None
    if not event.is_silent:
        assert event.kind in event.agent.reaches or event.prompt
        return
    monkeypatch.setattr("memory_layer.wiring.open_engine", None)  # opening the store would fail

    assert answer(agent, name) == ""


def test_every_agent_of_the_table_can_be_installed_or_called_by_a_plugin():
    from memory_layer.agents.recipes import BY_NAME as RECIPES

    assert {agent.name for agent in AGENTS} - set(RECIPES) == {"pi"}
    assert EventKind.STOP not in {kind for agent in AGENTS for kind in agent.reaches}


TOKEN = "gh" + "p_" + "A1b2C3d4" * 4 + "E5f6"


@pytest.mark.parametrize("kept", [4, 12, 30])
def test_a_secret_at_the_place_of_a_cut_never_reaches_the_disk(mem, machine, kept):
    mem("add", LOCKED, "-c", "troubleshooting")
    said = f"We always deploy with {TOKEN}, never without."
    start = said.index(TOKEN)
    answer("claude-code", PROMPT, prompt="x " * ((LONGEST - start - kept) // 2) + said)
    output = (
        f"token {TOKEN} " + "y" * (LONGEST - 60 - kept) + " E_LOCKED: the state file is locked\nexit code 1"
    )
    answer("codex", AFTER, tool_response=output)

    stored = b"".join(file.read_bytes() for file in (machine / "home").rglob("*") if file.is_file())
    assert b"state file is locked" in stored
    assert not any(TOKEN[at : at + 8].encode() in stored for at in range(4, len(TOKEN) - 8))


def test_nested_private_parts_are_private_to_the_last(mem):
    nested = "<private>a<private>b</private> We always use tabs, never spaces.</private>"

    assert answer("claude-code", PROMPT, prompt=nested) == ""
    assert mem("list", "--json").data["items"] == []


def test_patterns_cover_the_folder_itself_and_where_links_lead(monkeypatch, machine, known):
    real = machine / "clients" / "acme"
    real.mkdir(parents=True)
    (machine / "link").symlink_to(machine / "clients")
    for pattern, folder in (
        (f"{machine}/clients/**", machine / "clients"),
        (f"{machine}/clients/**", machine / "link" / "acme"),
        (f"{machine}/link/**", real),
        (f"{machine}/clients/**", machine / "work" / ".." / "clients" / "acme"),
    ):
        monkeypatch.setenv("MEM_IGNORE", pattern)
        assert answer("claude-code", START, cwd=str(folder)) == "", (pattern, folder)


def test_a_repository_and_an_agent_cannot_lift_what_is_ignored(mem, machine, monkeypatch, known):
    (machine / "home" / "config.toml").write_text(f'[hooks]\nignore = "{machine}/work/**"\n')
    (machine / "work" / ".memory-layer.toml").write_text("[hooks]\nignore = []\n")

    assert mem("config", "unset", "hooks.ignore").code == 1
    assert answer("claude-code", START) == ""


def test_a_call_without_its_arguments_or_streams_ends_well_too():
    for command in (["hook"], ["hook", "claude-code", "prompt", "more"]):
        ran = subprocess.run(
            [sys.executable, "-m", "memory_layer", *command], input=b"{}", capture_output=True, check=False
        )
        assert (ran.returncode, ran.stdout, ran.stderr) == (0, b"", b"")
    closed = f"{sys.executable} -m memory_layer hook claude-code session-start < /dev/null >&-"
    assert subprocess.run(["sh", "-c", closed], check=False).returncode == 0
