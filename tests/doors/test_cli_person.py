"""A person at a terminal: asked about repetitions, counted as a person, shown colours and bars."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest

from tests.doors.terminals import Terminal, plain, typed

REPEATED = "Always run the test suite with make check before every push."


@pytest.fixture
def asked(mem, with_model) -> Iterator[Terminal]:
    """A terminal that waits for a decision about a repetition."""
    mem("add", "Run the test suite with make check before every push.")
    terminal = Terminal("add", REPEATED)
    terminal.read("[?]")
    yield terminal
    if terminal.process.poll() is None:
        terminal.process.kill()
        terminal.end()


def test_what_a_person_adds_counts_as_a_person_s(mem):
    typed("add", "Never deploy on Fridays", "-c", "policy")
    (memory,) = mem("list", "--json").data["items"]

    assert (memory["writer_kind"], memory["source"], memory["confidence"]) == ("person", "human", 1.0)


def test_an_agent_behind_a_terminal_stays_an_agent(mem):
    typed("add", "Retry the upload", CLAUDECODE="1")
    typed("add", "Empty the folder", "--as", "agent:sweeper")
    typed("add", "Never deploy on Fridays", GEMINI_CLI="")
    kinds = {item["writer"]: item["writer_kind"] for item in mem("list", "--json").data["items"]}

    assert kinds == {"claude-code": "agent", "sweeper": "agent", "gemini": "agent"}


def test_what_a_person_looks_at_is_not_counted(mem):
    added = mem("add", "Retry the flaky upload", "--json").data
    typed("search", "upload")
    typed("show", added["id"])
    memory = mem("show", added["id"], "--json", "--peek").data["memory"]

    assert (memory["recall_count"], memory["use_count"]) == (0, 0)


def test_a_person_who_gives_no_text_is_told_so():
    code, seen = typed("add")

    assert code == 2
    assert "give the text to remember, or pipe it in" in seen


def test_colours_are_for_terminals_that_want_them(mem):
    mem("add", "Retry the flaky upload")

    assert "\x1b[" in typed("search", "upload")[1]
    assert "\x1b[" not in typed("search", "upload", NO_COLOR="1")[1]
    assert "\x1b[" not in typed("search", "upload", TERM="dumb")[1]


def test_text_is_wrapped_at_a_terminal(mem):
    mem("add", "upload " + "word " * 60)
    lines = plain(typed("search", "upload")[1]).splitlines()

    assert len(lines) > 3
    assert all(len(line) <= 110 for line in lines)


def test_a_person_may_store_a_secret_on_purpose(mem):
    token = "gh" + "p_" + "A1b2C3d4" * 4 + "E5f6"
    code, _ = typed("add", f"The sandbox token is {token}", "--allow-secret")

    assert code == 0
    assert token in mem("list").out


@pytest.mark.model
@pytest.mark.parametrize(
    ("answer", "status", "texts"), [("m", "merged", 1), ("K", "created", 2), ("d", "exists", 1)]
)
def test_a_person_is_asked_about_a_repetition(mem, asked, answer, status, texts):
    asked.press(answer)
    code = asked.end()

    assert code == 0
    assert f"  {status}\n" in plain(asked.seen)
    assert "Run the test suite with make check before every push." in asked.seen
    assert mem("list", "--json").data["total"] == texts


@pytest.mark.model
def test_an_answer_nobody_understands_is_asked_again(mem, asked):
    asked.press("z")
    asked.read("unknown key; press ? for help")
    asked.press("?")
    asked.read("archive the new text")
    asked.press("d")

    assert asked.end() == 0
    archived = mem("list", "--status", "archived", "--json").data["items"]
    assert [each["content"] for each in archived] == [REPEATED]
    assert f"note: the new text was dropped; it is archived as {archived[0]['id'][:12]}\n" in plain(
        asked.seen
    )


@pytest.mark.model
def test_a_question_can_be_left_open(mem, asked):
    asked.press("q")

    assert asked.end() != 0
    assert "Not decided" in asked.seen
    assert mem("stats", "--json").data["staged"] == 1


@pytest.mark.model
def test_a_question_broken_off_stays_a_question(mem, asked):
    asked.interrupt()

    assert asked.end() == 130
    assert "Traceback" not in asked.seen
    assert mem("stats", "--json").data["staged"] == 1


@pytest.mark.model
def test_a_person_who_asked_for_json_is_not_asked_back(mem, with_model):
    mem("add", "Run the test suite with make check before every push.")

    assert typed("add", REPEATED, "--json")[0] == 4


@pytest.mark.model
def test_short_work_shows_no_bar(mem, process, model_folder):
    mem("add", "Retry the flaky upload")
    quiet = process("embed", MEM_MODEL=str(model_folder))
    mem("add", "Empty the folder every night")
    code, seen = typed("embed", MEM_MODEL=str(model_folder))

    assert quiet.err == ""
    assert code == 0
    assert plain(seen) == "embedded 1 memory\n"


def test_a_bar_appears_after_a_second_and_is_cleared():
    work = (
        "from memory_layer.doors.cli import call; clock = iter([0.0, 0.5, 1.5]); call.monotonic = lambda: next(clock)\n"
        "with call.progress(4, 'Saving') as advance:\n"
        "    advance(1); print('quick', flush=True); advance(1)\n"
        "print('done')"
    )
    terminal = Terminal(program=(sys.executable, "-c", work))

    assert terminal.end() == 0
    before, _, after = terminal.seen.partition("quick\r\n")
    assert before == ""
    shown = f"Saving  [{'#' * 18}{'-' * 18}]  50%"
    assert after == f"\r{shown}\r{' ' * len(shown)}\rdone\r\n"


def test_what_is_held_back_is_listed_and_a_person_approves_it(mem):
    held = mem("add", "Never push to main", "-c", "policy", "--json").data["id"]
    listed = mem("review").out
    refused = mem("approve", held)
    code, shown = typed("approve", held)

    assert "a person" in listed
    assert "Never push to main" not in listed
    assert refused.code == 1
    assert "only a person" in refused.err
    assert code == 0
    assert "Never push to main" in shown
    assert mem("show", held, "--json").data["memory"]["status"] == "active"
    assert mem("review").err == "nothing is waiting for review\n"


def test_a_person_restores_approvals(mem, tmp_path):
    file, other = str(tmp_path / "all.jsonl"), str(tmp_path / "other.db")
    rule = mem("add", "Never deploy on Fridays", "-c", "policy", "--json").data["id"]
    typed("approve", rule)
    exporting = typed("export", file)
    importing = typed("import", file, MEM_DB=other)
    shown = typed("export", "--status", "active", MEM_DB=other)

    assert (exporting[0], importing[0]) == (0, 0)
    assert "read 1, added 1, 0 already known" in importing[1]
    assert '"approved_by":"' in shown[1]
