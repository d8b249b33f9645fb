"""`mem` as a real process: pipes, signals, exit codes, and what never reaches a user."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

MEM = [sys.executable, "-m", "memory_layer"]


def test_the_calls_of_the_manual_work_letter_by_letter(process):
    added = process("add", "Always use snake_case for Python functions", "-c", "convention")
    found = process("search", "naming conventions for functions", "--limit", "5")
    short = added.out.split()[0]
    judged = process("outcome", short, "worked")
    stats = process("stats")

    assert [answer.code for answer in (added, found, judged, stats)] == [0, 0, 0, 0]
    assert short in found.out
    assert "Total: 1 memory" in stats.out


def test_data_goes_to_stdout_and_the_rest_to_stderr(process):
    process("add", "Retry the upload")
    answer = process("search", "upload")

    assert answer.out.count("\n") == 1
    assert answer.err == "note: keyword search only: `mem model install` adds search by meaning\n"


@pytest.mark.parametrize(
    ("arguments", "code", "name"),
    [
        (("show", "zzzz9999"), 3, "not_found"),
        (("search",), 2, "usage"),
        (("frobnicate",), 2, "usage"),
        (("add", "x", "--no-such-option"), 2, "usage"),
        (("show", "a"), 2, "invalid_input"),
    ],
)
def test_an_error_is_one_json_object_on_stderr(process, arguments, code, name):
    answer = process(*arguments, "--json")

    assert answer.code == code
    assert answer.error["code"] == name
    assert answer.error["message"]


def test_a_store_that_cannot_be_opened_is_exit_code_5(process, machine):
    (machine / "home").mkdir()
    (machine / "home" / "memory.db").write_text("this is not a store, however long it may be" * 100)
    answer = process("stats", "--json")

    assert answer.code == 5
    assert answer.error["code"].startswith("store_")


def test_a_text_that_looks_like_a_flag_is_a_text_behind_two_dashes(process):
    answer = process("add", "--", "--json")

    assert answer.out.endswith("created\n")


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ((b"add", b"caf\xe9"), "TEXT"),
        ((b"add", b"x", b"--tag", b"caf\xe9"), "--tag"),
        ((b"add", b"x", b"--meta", b'{"a": "caf\xe9"}'), "--meta"),
        ((b"add", b"x", b"--scope", b"caf\xe9/**"), "--scope"),
        ((b"search", b"x", b"--path", b"caf\xe9"), "--path"),
        ((b"list", b"-p", b"caf\xe9"), "--project"),
        ((b"list", b"--id", b"caf\xe9"), "--id"),
        ((b"show", b"caf\xe9"), "ID"),
        ((b"outcome", b"x", b"worked", b"--event", b"caf\xe9"), "--event"),
        ((b"outcome", b"x", b"worked", b"--recall", b"caf\xe9"), "--recall"),
        ((b"outcome", b"x", b"worked", b"--query", b"caf\xe9"), "--query"),
        ((b"config", b"set", b"writer", b"caf\xe9"), "VALUE"),
    ],
)
def test_an_argument_that_is_not_utf8_is_refused_with_its_name(process, arguments, named):
    answer = process(*arguments)

    assert answer.code == 2
    assert answer.err.splitlines()[-1].endswith("it is not valid UTF-8 text")
    assert named in answer.err.splitlines()[-1]


def test_an_option_that_is_not_utf8_is_refused_too(process):
    assert [process(b"list", b"--caf\xe9").code, process(b"caf\xe9", "--json").code] == [2, 2]


def test_stored_escape_sequences_do_not_reach_the_terminal(process):
    evil = "\x1b]0;owned\x07 red \x1b[31m and \u202ereversed\x9b31m"
    added = process("add", evil, "--on-duplicate", "keep")
    outputs = [
        process("list", "--status", "active", "--status", "staged", *flags) for flags in ((), ("--json",))
    ]
    shown = process("show", added.out.split()[0])

    for answer in (*outputs, shown):
        assert answer.code == 0
        assert not set(answer.out) & set("\x1b\x07\x9b\u202e")
    assert "[withheld: " in shown.out
    assert outputs[1].data["items"][0]["content"].startswith("[withheld: ")


def test_a_reader_that_leaves_early_is_no_error(process):
    for number in range(40):
        process_free_add(number)
    with subprocess.Popen(
        [*MEM, "list", "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdout.close()
        said = running.stderr.read()

    assert said == b""
    assert running.returncode == 0


def process_free_add(number: int) -> None:
    """Fill the store without starting a process for each memory."""
    from click.testing import CliRunner

    from memory_layer.doors.cli.main import mem as group

    CliRunner().invoke(group, ["add", f"Fact {number}: " + "word " * 200, "--on-duplicate", "keep"])


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a disk that is always full")
def test_a_full_disk_behind_stdout_is_told_in_one_sentence():
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [*MEM, "stats"], stdin=subprocess.DEVNULL, stdout=full, stderr=subprocess.PIPE, check=False
        )

    assert done.returncode == 1
    assert b"Traceback" not in done.stderr
    assert b"No space left on device" in done.stderr


def test_ctrl_c_is_quiet():
    with subprocess.Popen(
        [*MEM, "add", "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=os.environ | {"PYTHONPROFILEIMPORTTIME": "1"},
    ) as running:
        assert running.stderr is not None
        for line in running.stderr:  # the import log tells when the command itself has begun
            if b"memory_layer.doors.cli.render" in line:
                break
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=60)

    said = [line for line in err.splitlines() if line.strip() and not line.startswith(b"import time:")]
    assert running.returncode == 130
    assert (out, said) == (b"", [])


def test_what_nobody_expected_is_one_sentence_and_a_log(mem, machine, monkeypatch):
    token = "gh" + "p_" + "A1b2C3d4" * 4 + "E5f6"

    def explode(*arguments: object) -> None:
        raise ZeroDivisionError(f"cannot divide by {token}")

    monkeypatch.setattr("memory_layer.usecases.look_up.browse.stats", explode)
    answer = mem("stats")
    log = machine / "home" / "logs" / "mem.log"

    assert answer.code == 1
    assert answer.err == (f"mem: unexpected error (ZeroDivisionError); details are in {log}\n")
    assert "Traceback" in log.read_text()
    assert token not in log.read_text()
    assert log.stat().st_mode & 0o777 == 0o600
    assert mem("stats", "--json").error["code"] == "unexpected"


def test_a_log_that_cannot_be_written_is_said_so(mem, machine, monkeypatch):
    (machine / "home").mkdir()
    (machine / "home" / "logs").write_text("not a folder")
    monkeypatch.setattr("memory_layer.usecases.look_up.browse.stats", lambda *_: 1 / 0)

    assert mem("stats").err.endswith("the details could not be logged\n")


def test_a_log_starts_over_before_it_grows_large(machine):
    from datetime import UTC, datetime

    from memory_layer.usecases.upkeep.error_log import LARGEST_LOG, keep_mishap

    folder = machine / "logs"
    for _ in range(2):
        log = keep_mishap(folder, ValueError("x" * LARGEST_LOG), datetime.now(UTC), "mem")
    log = keep_mishap(folder, ValueError("last"), datetime.now(UTC), "mem")

    assert log is not None
    assert log.stat().st_size < 1000
    assert (folder / "mem.log.1").exists()


def test_a_working_directory_that_is_gone_is_no_reason_to_fail(machine):
    script = "cd gone && rmdir ../gone && exec " + " ".join([*MEM, "add", "'Everywhere'", "--json"])
    (machine / "work" / "gone").mkdir()
    done = subprocess.run(["sh", "-c", script], stdin=subprocess.DEVNULL, capture_output=True, check=False)

    assert done.returncode == 0, done.stderr


def test_an_old_encoding_shows_what_it_can_and_json_stays_json(process):
    process("add", "Ship it → 😀 today")
    text = process("list", PYTHONIOENCODING="latin-1")
    data = process("list", "--json", PYTHONIOENCODING="latin-1").data

    assert "Ship it \\u2192 \\U0001f600 today" in text.out
    assert data["items"][0]["content"] == "Ship it → 😀 today"


@pytest.mark.parametrize(
    "arguments", ["stats", "projects", "list", "search x", "config list", "list --path x", "list -p x"]
)
def test_no_command_needs_a_working_directory(machine, arguments):
    (machine / "work" / "gone").mkdir()
    script = "cd gone && rmdir ../gone && exec " + " ".join([*MEM, arguments])
    done = subprocess.run(["sh", "-c", script], stdin=subprocess.DEVNULL, capture_output=True, check=False)

    assert done.returncode == 0, done.stderr


def test_citing_in_a_working_directory_that_is_gone_is_told_in_one_sentence(machine):
    (machine / "work" / "gone").mkdir()
    script = "cd gone && rmdir ../gone && exec " + " ".join([*MEM, "add", "x", "--cite", "a.py"])
    done = subprocess.run(["sh", "-c", script], stdin=subprocess.DEVNULL, capture_output=True, check=False)

    assert done.returncode == 2
    assert done.stderr.count(b"\n") == 1
    assert b"unexpected" not in done.stderr


@pytest.mark.parametrize("arguments", ["list", "list --json", "add x", "--version"])
def test_a_closed_stdout_is_told_in_one_sentence_before_anything_is_done(machine, arguments):
    script = " ".join([*MEM, arguments]) + " >&-"
    done = subprocess.run(["sh", "-c", script], stdin=subprocess.DEVNULL, capture_output=True, check=False)

    assert done.returncode == 1
    assert done.stderr.count(b"\n") == 1
    assert b"standard output is closed" in done.stderr
    assert not (machine / "home").exists()


def test_a_closed_stderr_is_no_failure():
    script = " ".join([*MEM, "stats"]) + " 2>&-"
    done = subprocess.run(["sh", "-c", script], stdin=subprocess.DEVNULL, capture_output=True, check=False)

    assert done.returncode == 0
    assert b"Total: 0" in done.stdout


def test_a_failure_of_the_settings_themselves_is_logged(mem, machine, monkeypatch):
    monkeypatch.setattr("memory_layer.settings.load", lambda: 1 / 0)
    answer = mem("stats")

    assert answer.err.endswith(f"details are in {machine / 'home' / 'logs' / 'mem.log'}\n")


EVIL = "\x1b]0;owned\x07\x1b[8m\u202e"


@pytest.mark.parametrize(
    "arguments",
    [("list", f"--{EVIL}"), (EVIL,), ("add", "x", "-c", EVIL), ("list", "-p", EVIL), ("config", "get", EVIL)],
)
def test_an_error_does_not_repeat_what_a_terminal_would_obey(mem, arguments):
    for flags in ((), ("--json",)):
        answer = mem(*arguments, *flags)

        assert answer.code in (2, 3)
        assert not set(answer.err) & set("\x1b\x07\u202e")


@pytest.mark.parametrize(
    "arguments",
    [
        ("show", "x" * 100_000),
        ("list", "-p", "x" * 100_000),
        ("list", "-p", "./" + "x" * 100_000),
        ("list", "--" + "x" * 100_000),
        ("x" * 100_000,),
        ("stats", "x" * 100_000),
        ("add", "x", "-c", "y z " * 30_000),
        ("add", "x", "--expires", "x" * 100_000),
        ("add", "x", "--cite", "x" * 1_900),
        ("list", "--min-confidence", "x" * 100_000),
    ],
)
def test_an_error_does_not_repeat_what_was_typed_at_length(mem, arguments):
    for flags in ((), ("--json",)):
        answer = mem(*arguments, *flags)

        assert answer.code in (2, 3)
        assert len(answer.err) < 2_500
