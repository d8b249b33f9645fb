"""`mem history`, `mem revert`, `mem undo` and `mem audit`."""

from __future__ import annotations

import json
import os
import sqlite3
from pathlib import Path

import pytest

from tests.doors.terminals import plain, typed


@pytest.fixture
def known(mem):
    memory_id = mem("add", "Retry the flaky upload with a backoff", "-t", "net", "--json").data["id"]
    mem("archive", memory_id)
    return memory_id


@pytest.fixture
def tamper(machine):
    """Change the file behind the program's back."""

    def change(statement: str) -> None:
        db = sqlite3.connect(machine / "home" / "memory.db")
        db.execute(statement)
        db.commit()
        db.close()

    return change


def test_the_history_shows_each_version_newest_first(mem, known):
    answer = mem("history", known[:10])

    lines = answer.out.splitlines()
    assert answer.code == 0
    assert lines[0].startswith("2  archive  by agent (cli)  ")
    assert lines[1:2] == ["    active → archived (on request)"]
    assert lines[2].startswith("1  add  by agent (cli)  ")
    assert lines[3] == "    Retry the flaky upload with a backoff"


def test_the_history_in_json_has_every_field_and_the_record_of_each_version(mem, known):
    data = mem("history", known, "--json").data

    newest, first = data["versions"]
    assert data["id"] == known
    assert set(newest) == {
        "number",
        "at",
        "action",
        "operation",
        "undoes",
        "writer",
        "door",
        "intact",
        "changes",
        "memory",
    }
    assert newest["changes"][0] == {"field": "status", "old": "active", "new": "archived"}
    assert (first["number"], first["changes"], first["memory"]["status"]) == (1, [], "active")


def test_a_reworded_text_is_marked_word_by_word(mem, with_model):
    known = mem("add", "use snake_case", "-t", "style", "--json").data["id"]
    mem("add", "always use snake_case for Python", "--on-duplicate", "merge", "-t", "naming")

    out = mem("history", known).out
    assert "content: {+always +}use snake_case{+ for Python+}" in out
    assert "tags: style → style, naming" in out
    assert mem("history", known, "--json").data["versions"][0]["changes"][0]["pieces"][0] == {
        "kind": "added",
        "text": "always ",
    }
    mem("undo")
    assert "content: [-always -]use snake_case[- for Python-]" in mem("history", known).out


def test_long_unchanged_stretches_are_shortened(mem, with_model):
    text = "The harbour office opens at seven and closes at nine, " * 4
    known = mem("add", text + "except on Sundays", "--json").data["id"]
    mem("add", text + "except on Sundays and holidays", "--on-duplicate", "merge")

    first = mem("history", known).out.splitlines()[1]
    assert " … " in first
    assert first.endswith("except on Sundays{+ and holidays+}")


def test_an_old_version_comes_back(mem, known):
    answer = mem("revert", known, "--to", "1", "--json")

    assert (answer.data["status"], answer.data["version"]) == ("active", 3)
    assert mem("revert", known, "--to", "1").out.startswith(known[:12])


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["history", "zzzz9999"], 3),
        (["revert", "zzzz9999", "--to", "1"], 3),
        (["revert", "{known}", "--to", "9"], 2),
        (["revert", "{known}", "--to", "0"], 2),
        (["revert", "{known}"], 2),
        (["undo", "zzzz9999"], 3),
        (["undo", "x"], 2),
        (["undo", "abcd", "--list"], 2),
        (["audit", "list", "--limit", "0"], 2),
        (["audit", "mend"], 2),
    ],
)
def test_what_cannot_be_done_has_its_exit_code_and_no_answer(mem, known, arguments, code):
    answer = mem(*(word.format(known=known) for word in arguments))

    assert (answer.code, answer.out) == (code, "")
    assert answer.err


def test_undo_takes_back_the_last_command_and_says_so(mem, known):
    answer = mem("undo")

    assert answer.code == 0
    assert " undid op_" in answer.out.splitlines()[0]
    assert mem("show", known, "--json").data["memory"]["status"] == "active"
    assert "undo of op_" in mem("history", known).out


def test_undo_in_json_names_both_operations(mem, known):
    archived = mem("undo", "--list", "--json").data["items"][0]
    data = mem("undo", "--json").data

    assert archived["actions"] == {"archive": 1}
    assert (archived["memories"], archived["undone"], archived["undoes"]) == ([known], False, None)
    assert data["undoes"] == archived["id"]
    assert [memory["id"] for memory in data["memories"]] == [known]
    listed = mem("undo", "--list", "--json").data["items"]
    assert [(each["undoes"], each["undone"]) for each in listed] == [
        (archived["id"], False),
        (None, True),
        (None, False),
    ]


def test_the_list_of_operations_is_for_reading_too(mem, known):
    mem("undo")
    taken_back, archived, added = mem("undo", "--list").out.splitlines()

    assert "  undone  " in taken_back
    assert "undoes op_" in taken_back
    assert archived.endswith("by agent (cli) · undone)")
    assert "  added  " in added


def test_undo_without_anything_to_undo_is_one_sentence(mem):
    answer = mem("undo", "--json")

    assert answer.code == 3
    assert answer.error["code"] == "not_found"


def test_undo_says_where_and_what_it_took_back(mem, known):
    other = mem("add", "Use tabs", "--global", "--json").data["id"]
    mem("links", known, "--add", "relates_to", other)
    answer = mem("undo")

    assert answer.out.splitlines()[0].endswith("linked · " + os.getcwd() + ", global")
    assert answer.out.splitlines()[1:] == [f"no longer linked: {known[:12]} relates to {other[:12]}"]


def test_undo_in_one_folder_leaves_the_work_of_another_alone(mem, machine, monkeypatch):
    mem("add", "Use tabs")
    (machine / "elsewhere").mkdir()
    monkeypatch.chdir(machine / "elsewhere")
    there = mem("add", "Use spaces", "--json").data["id"]
    monkeypatch.chdir(machine / "work")
    answer = mem("undo")

    assert "Use tabs" in answer.out
    assert "it changed another project" in answer.err
    assert mem("show", there, "--json").data["memory"]["status"] == "active"


def test_a_person_who_forgot_something_can_go_on_undoing(mem, known):
    typed("add", "Use tabs", "--global")
    oops = mem("add", "Use spaces", "--global", "--json").data["id"]
    typed("forget", oops, "--yes")
    code, seen = typed("undo")

    assert code == 0
    assert "Use tabs" in plain(seen)
    assert "forgotten memories cannot be restored" in plain(seen)


def test_an_undo_of_very_much_is_shown_in_part(mem):
    rules = "".join(f"- Use tool number {n} for task {n}\n" for n in range(30))
    Path("AGENTS.md").write_text(f"# Rules\n\n{rules}")
    mem("import", "AGENTS.md")
    answer = mem("undo")

    assert "… and 10 more memories" in answer.out
    assert len(answer.out.splitlines()) == 22


def test_undo_is_stopped_by_a_later_change_and_names_it(mem, known):
    archived = mem("undo", "--list", "--json").data["items"][0]["id"]
    mem("restore", known, "--as", "somebody")
    mem("archive", known)
    mem("restore", known, "--as", "somebody")
    answer = mem("undo", archived)

    assert answer.code == 2
    assert "restore by somebody" in answer.err
    assert f"mem history {known}" in answer.err


def test_what_only_a_person_may_do_is_refused_to_an_agent(mem, machine):
    rule = mem("add", "Never deploy on a Friday", "-c", "policy", "--json").data["id"]
    assert typed("approve", rule)[0] == 0
    approval = mem("undo", "--list", "--json").data["items"][0]["id"]
    answer = mem("undo", approval, "--json")
    code, shown = typed("undo", approval)

    assert (answer.code, answer.error["code"]) == (1, "not_allowed")
    assert code == 0
    assert "undid" in plain(shown)
    assert mem("show", rule, "--json").data["memory"]["reason"] == "review"


def test_a_sound_log_is_called_intact(mem, known):
    data = mem("audit", "verify", "--json").data

    assert mem("audit", "verify").out.startswith("intact: 2 entries, head ")
    assert (data["intact"], data["entries"], data["flaws"]) == (True, 2, [])
    assert len(data["head"]) == 64


def test_an_empty_store_is_intact_and_has_no_entries(mem):
    assert mem("audit", "verify").out == f"intact: 0 entries, head {'0' * 64}\n"
    assert mem("audit", "list").err == "no changes yet\n"


@pytest.mark.parametrize(
    ("statement", "kind", "words"),
    [
        ("update audit set writer = 'nobody' where number = 1", "edited", "entry 1 was edited"),
        ("delete from audit where number = 1", "gap", "entry 1 is missing"),
        ("delete from audit where number = 2", "cut_off", "ends before entry 2"),
        ("update meta set value = 'x' where key = 'audit_head'", "head", "cannot be read"),
        ("delete from meta where key = 'audit_head'", "head", "does not match its last entry"),
        ("update memory set content = 'Obey'", "record", "does not match audit entry 2"),
        ("update audit_payload set payload = '{}'", "payload", "saved with entry 2"),
    ],
)
def test_tampering_is_named_and_the_exit_code_is_1(mem, known, tamper, statement, kind, words):
    tamper(statement)
    answer, in_json = mem("audit", "verify"), mem("audit", "verify", "--json")

    assert (answer.code, in_json.code) == (1, 1)
    assert answer.out.startswith(f"{kind}  ")
    assert words in answer.out
    assert json.loads(in_json.out)["data"]["flaws"][0]["kind"] == kind


def test_a_version_that_does_not_fit_is_marked(mem, known, tamper):
    tamper('update audit_payload set payload = \'{"content": "Obey"}\'')
    lines = mem("history", known).out.splitlines()

    assert [line for line in lines if line.startswith("1 !  add")]
    assert lines[-1] == "    does not match the audit log; see `mem audit verify`"


def test_the_entries_of_the_log_are_listed_newest_first(mem, known):
    mem("undo")
    data = mem("audit", "list", "--limit", "2", "--json").data["items"]
    lines = mem("audit", "list").out.splitlines()

    assert [(each["number"], each["action"]) for each in data] == [(3, "undo"), (2, "archive")]
    assert (data[0]["undoes"], data[1]["undoes"]) == (data[1]["operation"], None)
    assert data[0]["before"] == data[1]["after"]
    assert lines[0].startswith("3  undo of op_")
    assert lines[2].startswith(f"1  add  {known[:12]}  ")


def test_the_log_says_which_memory_was_judged_linked_or_confirmed(mem, known):
    mem("restore", known)
    other = mem("add", "Penguins eat fish", "--json").data["id"]
    held = mem("add", "Never feed them bread", "-c", "policy", "--json").data["id"]
    mem("outcome", other, "worked")
    mem("reinforce", other)
    mem("links", other, "--add", "relates_to", known)
    data = mem("audit", "list", "--json").data["items"]
    linked, confirmed, counted, judged, added, *_ = mem("audit", "list").out.splitlines()
    short = other[:12]

    assert f"link  {short} relates to {known[:12]}  Penguins eat fish  (just now · by" in linked
    assert f"reinforce  {short} was confirmed  Penguins eat fish  (" in confirmed
    assert f"outcome  {short} worked  Penguins eat fish  (" in counted
    assert f"outcome  {short}  Penguins eat fish  (" in judged
    assert f"add  {held[:12]}  (just now" in added
    assert [each["id"] for each in data[0]["about"]] == [other, known]
    assert data[3]["about"] == [{"id": other, "content": "Penguins eat fish"}]
    mem("undo")
    assert f"{short} relates to {known[:12]}, no longer  Penguins" in mem("audit", "list").out.splitlines()[0]
    assert (data[2]["said"], data[4]["about"]) == (f"{other} worked", [{"id": held, "content": ""}])
