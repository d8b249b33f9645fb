"""What goes wrong in a hook is in the log without a word of the session, and `mem doctor` reads it."""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime, timedelta
from functools import partial

import pytest

from memory_layer.doors.hook import main
from memory_layer.errors import InvalidInput, StoreDamaged
from memory_layer.usecases.upkeep.error_log import keep_hook_failure, keep_mishap
from tests.doors.hook_events import ARGUMENTS, EVENTS, START

EVERY = [(agent, name) for agent, events in EVENTS.items() for name in events]
SAID = "xylophone"


def check_of_hooks(mem):
    return next(each for each in mem("doctor", "--json").data["checks"] if each["name"] == "hooks")


def failing(failure, monkeypatch):
    def fail(*_, **__):
        raise failure

    monkeypatch.setattr("memory_layer.settings.load", fail)


@pytest.mark.parametrize(
    "failure",
    [
        ValueError(f"cannot read {SAID}"),
        InvalidInput(f"there is no {SAID!r}"),
        KeyError(SAID),
        OSError(28, "No space left on device", SAID),
        RuntimeError(SAID),
    ],
)
@pytest.mark.parametrize(("agent", "name"), EVERY)
def test_no_word_of_an_event_is_in_the_log(machine, monkeypatch, agent, name, failure):
    failing(failure, monkeypatch)
    raw = json.dumps(EVENTS[agent][name]).replace("s-1", SAID).replace("make deploy", SAID).encode()

    assert main.answer_or_silence(agent, ARGUMENTS[name], partial(bytes, raw)) == ""
    log = machine / "home" / "logs" / "mem.log"
    text = log.read_text() if log.exists() else ""
    assert SAID not in text
    assert all(len(line) < 300 for line in text.splitlines())


def test_garbage_is_logged_by_its_kind_alone(machine):
    main.answer_or_silence("claude-code", "prompt", (b'{"prompt": "' + SAID.encode()).strip)
    main.answer_or_silence(SAID, SAID, lambda: b"{")

    text = (machine / "home" / "logs" / "mem.log").read_text()
    assert "hook claude-code prompt\nJSONDecodeError\n" in text
    assert "hook unknown-agent unknown-event\n" in text
    assert SAID not in text


def test_the_doctor_tells_of_hooks_that_failed(mem, machine, monkeypatch):
    mem("add", "The build needs Java 21")
    assert (check_of_hooks(mem)["state"], check_of_hooks(mem)["found"]) == ("ok", 0)
    with monkeypatch.context() as patch:
        failing(StoreDamaged("the file is damaged"), patch)
        for _ in range(2):
            raw = json.dumps({**EVENTS["claude-code"][START], "cwd": os.getcwd()}).encode()
            main.answer_or_silence("claude-code", "session-start", partial(bytes, raw))

    log = machine / "home" / "logs" / "mem.log"
    assert check_of_hooks(mem) == {
        "name": "hooks",
        "state": "notice",
        "found": 2,
        "detail": "failed 2 times in the last 7 days, last: claude-code session-start:"
        f" StoreDamaged: the file is damaged; the log is {log}",
        "fix": None,
    }
    assert mem("doctor").code == 0


def test_only_hooks_of_the_last_week_count(mem, machine):
    mem("add", "The build needs Java 21")
    folder, now = machine / "home" / "logs", datetime.now(UTC)
    keep_hook_failure(folder, ValueError(), now - timedelta(days=8), "codex prompt")
    keep_mishap(folder, ValueError("2026-01-01T00:00:00+00:00 hook codex prompt"), now, "mem 0.1.0")
    with open(folder / "mem.log", "ab") as log:
        log.write(b"\xff\xfe broken\n2026-13-45 hook codex prompt\n")

    assert check_of_hooks(mem)["found"] == 0
    keep_hook_failure(folder, TimeoutError(110, "no answer"), now, "codex prompt")
    assert check_of_hooks(mem)["found"] == 1


def test_a_hook_that_takes_too_long_is_logged(machine, monkeypatch):
    ends: list[int] = []
    monkeypatch.setattr(main, "LOG_SECONDS", 60)
    monkeypatch.setattr(main, "Timer", lambda *_: type("Idle", (), {"start": lambda self: None})())
    monkeypatch.setattr("os._exit", ends.append)
    main._give_up("claude-code", "before-tool")

    text = (machine / "home" / "logs" / "mem.log").read_text()
    assert "hook claude-code before-tool\nTimeoutError: no answer within 4 seconds\n" in text
    assert ends == [0]
