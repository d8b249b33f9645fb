"""Who counts as a person at a terminal, and the code that is asked for before what only a person may do."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from tests.doors.terminals import CODE, MEM, Terminal, flat, plain, typed

SECRET = "gh" + "p_" + "A1b2C3d4" * 4 + "E5f6"
QUESTION = "to go on: "


class Silent(Terminal):
    """A terminal at which nobody types the code unasked."""

    def answer(self) -> None:
        pass

    def code(self) -> str:
        self.read(QUESTION)
        asked = CODE.search(self.seen)
        assert asked, self.seen
        return asked[1]


@pytest.fixture
def held(mem):
    """A rule that waits for a person."""
    return mem("add", "Never push to main", "-c", "policy", "--json").data["id"]


def status(mem, memory_id):
    return mem("show", memory_id, "--peek", "--json").data["memory"]["status"]


def kinds(mem):
    return [(each["writer_kind"], each["source"]) for each in mem("list", "--json").data["items"]]


def in_shell(*commands: str) -> Silent:
    """Commands typed one after the other at one terminal."""
    mem = shlex.join(MEM)
    return Silent("-c", "; ".join(f"{mem} {command}" for command in commands), program=["sh"])


def test_another_terminal_than_the_own_proves_nothing(mem, held):
    with open("/dev/ptmx", "rb") as terminal:
        approving = [*MEM, "approve", held]
        done = subprocess.run(approving, stdin=terminal, capture_output=True, text=True, check=False)
        subprocess.run([*MEM, "add", "Use tabs", "-c", "policy"], stdin=terminal, check=True)
    assert done.returncode == 1
    assert "only a person at a terminal can approve a memory" in done.stderr
    assert "is not the terminal in which this command was typed" in done.stderr
    assert status(mem, held) == "staged"
    assert mem("list", "--status", "active", "--json").data["items"] == []


def test_a_terminal_that_does_not_control_the_process_proves_nothing(mem, held):
    master, slave = os.openpty()
    done = subprocess.run(
        [*MEM, "approve", held], stdin=slave, capture_output=True, start_new_session=True, check=False
    )
    os.close(master)
    os.close(slave)

    assert (done.returncode, status(mem, held)) == (1, "staged")


def test_what_runs_in_the_background_is_no_person(mem, held):
    background = (
        "import os, subprocess, sys; sys.exit(subprocess.run(sys.argv[1:], process_group=0).returncode)"
    )
    terminal = Terminal("approve", held, program=[sys.executable, "-c", background, *MEM])

    assert terminal.end() == 1
    assert "is not the terminal in which this command was typed" in flat(terminal.seen)
    assert status(mem, held) == "staged"


@pytest.fixture
def under(tmp_path):
    """Start a command at a terminal of its own below a program of some name, as `script` does below an agent."""

    def start(name: str, *arguments: str) -> Terminal:
        program = tmp_path / name
        if not program.exists():  # a shell may be reading it
            program.write_text('#!/bin/sh\n"$@"\nexit $?\n')
            program.chmod(stat.S_IRWXU)
        return Terminal(*arguments, program=[str(program), *MEM])

    return start


@pytest.mark.parametrize("name", ["claude", "aider", "pi", "goose", "kilo"])
def test_a_terminal_below_an_agent_is_the_agents(mem, held, under, name):
    approving = under(name, "approve", held)
    adding = under(name, "add", "Always use tabs", "-c", "policy")

    assert (approving.end(), adding.end()) == (1, 0)
    assert "runs this command" in flat(approving.seen)
    assert "Not active yet" in adding.seen
    assert "counts as written by an agent" in plain(adding.seen)
    assert status(mem, held) == "staged"


def test_what_an_agent_leaves_behind_does_not_use_the_code_that_a_person_typed(mem, held, tmp_path):
    """Its parent has ended, so no agent is above it, but it is in front of the same terminal."""
    agent, left, done, mem_typed = tmp_path / "aider", tmp_path / "left", tmp_path / "done", shlex.join(MEM)
    left.write_text(
        f"sleep 1; {mem_typed} add 'Push to main at will' -c policy --json <&1 >{done}.part; mv {done}.part {done}"
    )
    agent.write_text(f"#!/bin/sh\nsh -c 'sh {left} &'\nuntil [ -e {done} ]; do sleep 0.1; done\n")
    agent.chmod(stat.S_IRWXU)
    terminal = Silent("-c", f"{mem_typed} approve {held}; {agent}", program=["sh"])
    terminal.type(f"{terminal.code()}\n")

    assert terminal.end() == 0
    assert status(mem, held) == "active"
    assert json.loads(done.read_text())["data"]["status"] == "staged"


def test_what_is_started_below_very_many_programs_is_no_person(mem, held, tmp_path):
    nested = tmp_path / "nested"
    nested.write_text(
        '#!/bin/sh\nn=$1; shift; [ $n = 0 ] && { "$@"; exit $?; }\n"$0" $((n-1)) "$@"; exit $?\n'
    )
    nested.chmod(stat.S_IRWXU)
    terminal = Terminal("approve", held, program=[str(nested), "70", *MEM])

    assert terminal.end() == 1
    assert "not started by the shell of this terminal" in flat(terminal.seen)
    assert status(mem, held) == "staged"


@pytest.mark.parametrize("name", ["zed-editor", "windsurf"])
def test_a_terminal_inside_such_an_editor_is_said_to_be_its_agents(mem, held, under, name):
    terminal = under(name, "approve", held)

    assert terminal.end() == 1
    assert f"belongs to {name.partition('-')[0]}" in flat(terminal.seen)
    assert "use a terminal outside of it" in flat(terminal.seen)
    assert status(mem, held) == "staged"


@pytest.mark.parametrize("name", ["tmux", "vim", "code", "cursor", "my-claude"])
def test_people_s_own_programs_leave_them_people(mem, held, under, name):
    assert under(name, "approve", held).end() == 0
    assert status(mem, held) == "active"


def test_a_program_that_drives_a_terminal_and_answers_cannot_be_told_from_a_person(mem, held):
    """The limit of what is checked: nothing on one account tells this program from its user."""
    terminal = Silent("approve", held)
    terminal.type(f"{terminal.code()}\n")

    assert terminal.end() == 0
    assert status(mem, held) == "active"


@pytest.mark.parametrize("answer", ["AAAAA\n", "y\n", "\n", "\x04"])
def test_a_wrong_code_or_none_changes_nothing(mem, held, machine, answer):
    terminal = Silent("approve", held)
    terminal.read(QUESTION)
    terminal.type(answer)

    assert terminal.end() == 1
    assert "wrong code, so nothing was changed" in terminal.seen
    assert status(mem, held) == "staged"
    assert not (machine / "home" / "state").exists()


def test_leaving_the_question_changes_nothing(mem, held):
    terminal = Silent("approve", held)
    terminal.read(QUESTION)
    terminal.type("\x03")

    assert terminal.end() == 130
    assert status(mem, held) == "staged"


def test_what_was_typed_before_the_question_is_no_answer(mem, held):
    terminal = Silent("approve", held)
    terminal.type("AAAAA\nBBBBB\n")
    terminal.type(f"{terminal.code()}\n")

    assert terminal.end() == 0


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """A place for the store that the first test of this process makes, and for what a command names of it."""
    return tmp_path_factory.mktemp("kept"), {}


@pytest.fixture
def named(mem, machine, kept):
    """A store with something of all that needs a person, and the names of it in a command."""
    (folder, names), home = kept, machine / "home"
    if names:
        shutil.copytree(folder / "home", home)
    else:
        names.update(filled(mem, folder))
        shutil.copytree(home, folder / "home")
    return names | {"backup": mem("backup", "--json").data["file"]}


def filled(mem, folder):
    names = {
        "held": mem("add", "Never push to main", "-c", "policy", "--json").data["id"],
        "note": mem("add", "Use port 8080", "--json").data["id"],
    }
    for text in ("Push to main only with a review", "Deploy only in daylight"):
        assert typed("add", text, "-c", "policy", "--global")[0] == 0
    rules = mem("list", "-c", "policy", "--status", "active", "--json").data["items"]
    names["gone"], names["rule"] = (each["id"] for each in rules)
    assert typed("archive", names["gone"])[0] == 0
    names["archiving"] = mem("undo", "--list", "--json").data["items"][0]["id"]
    names["export"], names["approvals"] = str(folder / "all.jsonl"), str(folder / "approvals.jsonl")
    assert mem("export", names["export"]).code == 0
    other = {"MEM_DB": str(folder / "other.db")}
    assert typed("add", "Approved elsewhere", "-c", "policy", **other)[0] == 0
    assert typed("export", names["approvals"], **other)[0] == 0
    return names


@pytest.mark.parametrize(
    "command",
    [
        "add 'Never deploy on a Friday' -c policy",
        "add 'Never deploy on a Friday' --priority critical",
        f"add 'The token is {SECRET}' --allow-secret",
        "edit {note} -c policy",
        "edit {note} --priority critical",
        "edit {note} --content 'Use port 9090'",
        "edit {rule} --content 'Push to main at will'",
        "review {held} --decide approve",
        "review {held} --decide edit --content 'Push to main at will'",
        "restore {gone}",
        "revert {gone} --to 1",
        "undo {archiving}",
        "forget {note} --yes",
        "backup --restore {backup} --yes",
        "import {export} --allow-secret",
        "import {approvals}",
    ],
)
def test_these_ask_for_a_code_and_change_nothing_without(mem, named, command):
    words = shlex.split(command.format(**named))
    before = mem("audit", "list", "--json").data["items"][0]
    terminal = Silent(*words)
    terminal.read(QUESTION)
    terminal.type("nothing\n")

    assert terminal.end() == 1, terminal.seen
    assert mem("audit", "list", "--json").data["items"][0] == before
    assert mem("stats", "--all", "--json").data["staged"] == 1
    assert typed(*words)[0] == 0


def test_what_is_no_rule_asks_for_nothing(mem):
    for words in (
        ("add", "Use port 8080"),
        ("add", "The shop is three services", "-c", "architecture"),
        ("add", "Never deploy on a Friday", "-c", "convention"),
        ("list",),
        ("demo",),
    ):
        terminal = Silent(*words)
        assert terminal.end() == 0, terminal.seen
        assert QUESTION not in terminal.seen
    assert ("person", "human") in kinds(mem)


def test_one_code_is_enough_for_a_terminal(mem, held, machine):
    terminal = in_shell(f"approve {held}", "add 'Deploy in daylight' -c policy", "review --list")
    terminal.type(f"{terminal.code()}\n")

    assert terminal.end() == 0
    assert terminal.seen.count(QUESTION) == 1
    (kept,) = (machine / "home" / "state" / "confirmed").iterdir()
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600


@pytest.mark.parametrize("flaw", ["another terminal", "too old", "to come", "a link", "open to others"])
def test_a_confirmation_that_is_not_this_terminals_own_and_fresh_counts_for_nothing(mem, held, machine, flaw):
    folder = machine / "home" / "state" / "confirmed"
    script = (
        f"{shlex.join((sys.executable, '-c', FORGE, flaw, str(folder)))}; {shlex.join(MEM)} approve {held}"
    )
    terminal = Silent("-c", script, program=["sh"])
    terminal.read(QUESTION)
    terminal.type("\n")

    assert terminal.end() == 1
    assert status(mem, held) == "staged"


#: Puts a confirmation for this very terminal where one would be kept, and spoils it.
FORGE = """
import os, sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from memory_layer.surroundings.terminal import terminal_key
from memory_layer.usecases.who.confirm import keep_confirmation, is_confirmed
flaw, folder = sys.argv[1], Path(sys.argv[2])
now, key = datetime.now(UTC), terminal_key()
late = {"too old": timedelta(minutes=-16), "to come": timedelta(minutes=5)}
name = key.rsplit("-", 2)[0] + "-1-1" if flaw == "another terminal" else key
keep_confirmation(folder, name, now + late.get(flaw, timedelta()))
if flaw == "a link":
    (folder / name).rename(folder / "real")
    (folder / name).symlink_to(folder / "real")
if flaw == "open to others":
    (folder / name).chmod(0o644)
"""


def test_the_forgery_would_count_without_its_flaw(mem, held, machine):
    folder = machine / "home" / "state" / "confirmed"
    script = (
        f"{shlex.join((sys.executable, '-c', FORGE, 'none', str(folder)))}; {shlex.join(MEM)} approve {held}"
    )

    assert Silent("-c", script, program=["sh"]).end() == 0


def test_json_stays_json_while_the_terminal_asks(mem, held, tmp_path):
    answer = tmp_path / "answer.json"
    terminal = Silent("-c", f"{shlex.join(MEM)} approve {held} --json > {answer}", program=["sh"])
    terminal.type(f"{terminal.code()}\n")

    assert terminal.end() == 0
    assert json.loads(Path(answer).read_text())["data"]["items"][0]["id"] == held


def test_the_text_is_typed_only_once(mem):
    terminal = Silent("add", "-", "-c", "policy")
    terminal.type("Never deploy on a Friday\n\x04")
    terminal.type(f"{terminal.code()}\n")

    assert terminal.end() == 0
    assert [each["content"] for each in mem("list", "--json").data["items"]] == ["Never deploy on a Friday"]


def test_what_a_person_says_in_passing_is_kept_as_a_rule_only_with_the_code(mem):
    said = "I prefer short commits. Every endpoint must require a token.\n\x04"
    refused = Silent("capture", "-")
    refused.type(said)
    refused.read(QUESTION)
    refused.type("\n")
    assert refused.end() == 1
    assert mem("stats", "--all", "--json").data["total"] == 0
    agreed = Silent("capture", "-")
    agreed.type(said)
    agreed.type(f"{agreed.code()}\n")

    assert agreed.end() == 0
    assert mem("stats", "--all", "--json").data["active"] == 2


def test_a_walk_asks_once_and_then_one_key_is_enough(mem):
    for text in ("Never push to main", "Deploy only in daylight", "Review twice"):
        mem("add", text, "-c", "policy")
    walk = Terminal("review")
    for number in range(3):
        walk.read(f"{number + 1} of 3")
        walk.press("a")
    assert walk.end() == 0
    assert len(re.findall(QUESTION, walk.seen)) == 1
    assert mem("stats", "--json").data["staged"] == 0


def test_an_agent_that_says_human_is_told(mem):
    told = mem("add", "Use port 8080", "--source", "human")
    hint = mem("add", "Use port 9090", "--source", "human", "--json").data["hint"]

    assert "its source is agent" in told.err
    assert "its source is agent" in hint
    assert set(kinds(mem)) == {("agent", "agent")}
