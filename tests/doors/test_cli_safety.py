"""`mem backup` and `mem doctor` as people and programs meet them."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing

import pytest

import memory_layer
from memory_layer.doors.cli.commands.backup import diagnosis_text
from memory_layer.model.upkeep import Check, State
from memory_layer.usecases.upkeep.doctor import Diagnosis
from tests.doors.terminals import plain, typed


@pytest.fixture
def store(mem, machine):
    mem("add", "The build needs Java 21")
    mem("add", "Prices are whole cents")
    return machine / "home" / "memory.db"


def damage(store, statement):
    with closing(sqlite3.connect(store, isolation_level=None)) as db:
        db.execute(statement)


def test_a_backup_answers_with_its_file_its_size_and_the_head_of_the_history(mem, store):
    answer = mem("backup", "saved.db", "--json").data

    assert set(answer) == {
        "file", "size", "memories", "changes", "audit_hash", "first_at", "last_at", "flaws"
    }  # fmt: skip
    assert answer["file"].endswith("/work/saved.db")
    assert (answer["memories"], answer["changes"], len(answer["audit_hash"])) == (2, 2, 64)


def test_a_backup_in_words(mem, store):
    answer = mem("backup")

    assert answer.code == 0
    assert "saved" in answer.out
    assert "2 memories" in answer.out
    assert str(store.parent / "backups" / "memory-") in answer.out
    assert "2 memories" in mem("backup", "--list").out


def test_no_backups_are_said_to_be_none(mem, store):
    answer = mem("backup", "--list")

    assert (answer.code, answer.out) == (0, "")
    assert "no backups yet" in answer.err
    assert mem("backup", "--list", "--json").data["items"] == []


@pytest.mark.parametrize(
    "arguments",
    [
        ("a.db", "--list"),
        ("--list", "--restore", "a.db"),
        ("a.db", "--restore", "b.db"),
        ("--yes",),
        ("--accept-broken-history",),
    ],
)
def test_options_that_do_not_go_together_are_refused(mem, store, arguments):
    answer = mem("backup", *arguments, "--json")

    assert answer.code == 2
    assert answer.error["code"] == "invalid_input"
    assert not (store.parent / "backups").exists()


def test_a_backup_of_nothing_makes_nothing(mem, machine):
    assert mem("backup").code == 5
    assert not (machine / "home").exists()


def test_an_agent_cannot_restore(mem, store):
    file = mem("backup", "--json").data["file"]
    for arguments in (("--restore", file), ("--restore", file, "--yes")):
        answer = mem("backup", *arguments, "--json")

        assert answer.code == 1
        assert answer.error["code"] == "not_allowed"


def test_a_person_sees_both_stores_and_then_restores(mem, store):
    file = mem("backup", "--json").data["file"]
    mem("add", "Refunds are booked by a worker")
    code, seen = typed("backup", "--restore", file)

    assert code == 4
    assert "the store is: 3 memories" in plain(seen)
    assert "the store would be: 2 memories" in plain(seen)
    assert mem("stats", "--all", "--json").data["total"] == 3
    code, seen = typed("backup", "--restore", file, "--yes", "--json")
    done = json.loads(plain(seen))["data"]
    assert code == 0
    assert (done["restored"], done["before"]["memories"], done["after"]["memories"]) == (True, 3, 2)
    assert "before-restore-" in done["kept"]
    assert mem("stats", "--all", "--json").data["total"] == 2


def test_the_preview_of_a_broken_history_names_the_word_it_needs(mem, store):
    damage(store, "update memory set confidence = 1 where row = 1")
    saved = mem("backup", "--json")
    code, seen = typed("backup", "--restore", saved.data["file"])

    assert "so does the backup: memories do not match" in mem("backup").err
    assert code == 4
    assert "--yes --accept-broken-history" in plain(seen)
    code, seen = typed("backup", "--restore", saved.data["file"], "--yes", "--accept-broken-history")
    assert code == 0
    assert "note: memories do not match the audit chain" in " ".join(plain(seen).split())


def test_a_damaged_store_is_restored_where_other_commands_fail(mem, store):
    file = mem("backup", "--json").data["file"]
    store.write_bytes(b"nothing that can be read" * 500)
    assert mem("list").code == 5
    code, seen = typed("backup", "--restore", file, "--yes")

    assert code == 0
    assert "no store that can be read" in plain(seen)
    assert "memory.db.damaged-" in plain(seen)
    assert mem("list", "--all", "--json").data["total"] == 2


def test_the_doctor_finds_a_sound_store_well(mem, store):
    answer = mem("doctor")

    assert answer.code == 0
    assert answer.out.splitlines()[-1] == "All is well."
    assert all(line.startswith(("ok ", "notice ", "All is well")) for line in answer.out.splitlines())


@pytest.mark.parametrize(
    ("other", "verdict"),
    [
        (State.OK, "No problems found, but some checks could not run: full_text."),
        (State.NOTICE, "No problems found, but some checks could not run: full_text."),
        (State.PROBLEM, "1 problem; not checked: full_text."),
    ],
)
def test_the_doctor_does_not_call_well_what_could_not_be_checked(tmp_path, other, verdict):
    unseen = Check("full_text", State.NOT_CHECKED, 0, "could not be checked: it is read-only")
    found = Diagnosis(tmp_path / "memory.db", (Check("backups", other, 0, "there are none"), unseen))

    assert diagnosis_text(found, None).splitlines()[-1] == verdict


def test_the_doctor_s_answer_lists_every_check(mem, store):
    data = mem("doctor", "--json").data

    assert set(data) == {"file", "checks", "opens", "copy", "note", "lost"}
    assert all(set(check) == {"name", "state", "found", "detail", "fix"} for check in data["checks"])
    assert {"file", "pages", "schema", "words", "full_text", "vectors", "audit"} <= {
        check["name"] for check in data["checks"]
    }


def test_the_doctor_repairs_only_when_asked_to(mem, store):
    damage(store, "update memory_terms set body = 'nonsense'")
    before = store.read_bytes()
    found = mem("doctor")

    assert found.code == 1
    assert "problem        words" in found.out
    assert "`mem doctor --fix`" in found.out
    assert store.read_bytes() == before
    fixed = mem("doctor", "--fix")
    assert fixed.code == 0
    assert "repaired       words" in fixed.out
    assert "before-repair-" in fixed.out
    assert mem("doctor").code == 0
    assert "Java" in mem("search", "java", "--mode", "keyword").out


def test_the_doctor_says_what_it_cannot_repair(mem, store):
    damage(store, "update audit set writer = 'nobody' where number = 2")
    answer = mem("doctor", "--fix")

    assert answer.code == 1
    assert "cannot repair  audit" in answer.out
    assert "entry 2" in answer.out


@pytest.mark.parametrize("content", [b"", b"milk, eggs\n" * 900])
def test_the_doctor_works_where_the_store_does_not_open(mem, store, content):
    store.write_bytes(content)
    answer = mem("doctor")

    assert answer.code == 5
    assert "problem        file" in answer.out
    assert answer.out.splitlines()[-1] == "The store cannot be opened."
    assert mem("doctor", "--fix").code == 5
    assert store.read_bytes() == content


@pytest.mark.parametrize("lost", ["removed", "empty"])
def test_a_store_that_is_made_anew_beside_backups_is_not_passed_over(mem, store, lost):
    mem("backup")
    store.unlink() if lost == "removed" else store.write_bytes(b"")
    found = mem("doctor")

    assert found.code == 5
    assert "`mem backup --list`" in found.out
    answer = mem("search", "java")
    assert "there was no store at" in answer.err
    assert "`mem backup --list`" in answer.err
    mem("add", "A stranger's first fact")
    assert "`mem backup --list`" not in mem("search", "java").err
    later = mem("doctor")
    assert "notice         backups" in later.out
    assert "All is well" not in later.out


def test_a_store_that_is_made_where_no_backups_lie_is_no_news(mem, machine):
    assert "backup" not in mem("search", "java").err


def test_a_damaged_store_names_the_next_step(mem, store):
    store.write_bytes(store.read_bytes()[:20_000])
    answer = mem("list")

    assert answer.code == 5
    assert "`mem doctor`" in answer.err
    assert "`mem backup --list`" in answer.err
    assert "--fix" not in answer.err


def test_a_broken_history_says_what_it_means_and_what_can_be_done(mem, store):
    damage(store, "update audit set writer = 'nobody' where number = 2")
    verified = mem("audit", "verify")

    assert verified.code == 1
    assert "memories can still be used" in verified.err
    assert "compare with a backup" in mem("doctor").out


def test_a_backup_is_not_imported_and_the_right_command_is_named(mem, store):
    mem("backup", "monday.db")
    answer = mem("import", "monday.db")

    assert answer.code == 2
    assert "backup of this program" in answer.err
    assert "`mem backup --restore" in answer.err


@pytest.mark.parametrize("edit", ["confidence = 1", "content = 'Prices are floats'"])
def test_an_export_of_memories_that_do_not_fit_their_history_warns_and_can_be_brought_in(
    mem, store, machine, monkeypatch, edit
):
    damage(store, f"update memory set {edit} where row = 2")
    told = mem("export", "all.jsonl")

    assert "--without-history" in told.err
    assert "--without-history" in mem("export").err
    assert "entry 2" in mem("export", "again.jsonl", "--json").data["flaws"][0]
    monkeypatch.setenv("MEM_HOME", str(machine / "elsewhere"))
    refused = mem("import", "all.jsonl")
    assert refused.code == 2
    assert "--without-history" in refused.err
    assert mem("import", "all.jsonl", "--without-history", "--json").error["code"] == "not_allowed"
    code, _ = typed("import", "all.jsonl", "--without-history")
    assert code == 0
    assert mem("stats", "--all", "--json").data["total"] == 2
    assert mem("audit", "verify").code == 0
    assert mem("doctor").code == 0


def test_a_sound_export_has_no_flaws(mem, store):
    assert mem("export", "all.jsonl", "--json").data["flaws"] == []
    assert mem("export", "more.jsonl").err == ""


def test_a_forgotten_memory_is_counted_nowhere(mem, store, machine, monkeypatch):
    memory_id = mem("list", "--all", "--json").data["items"][0]["id"]
    assert typed("forget", memory_id, "--yes")[0] == 0

    assert mem("stats", "--all", "--json").data["total"] == 1
    assert mem("backup", "--json").data["memories"] == 1
    assert mem("export", "all.jsonl", "--json").data["memories"] == 1
    monkeypatch.setenv("MEM_HOME", str(machine / "elsewhere"))
    assert '"added": 1' in plain(typed("import", "all.jsonl", "--json")[1])


def test_the_doctor_makes_no_store(mem, machine):
    assert mem("doctor").code == 0
    assert not (machine / "home").exists()


def test_the_doctor_folds_its_lines_at_a_terminal(mem, store):
    code, seen = typed("doctor", COLUMNS="60")

    assert code == 0
    assert "permissions" in plain(seen)


def test_python_saves_and_examines(mem, store, tmp_path):
    with memory_layer.open() as memory:
        saved = memory.backup(tmp_path / "from-python.db")
        diagnosis = memory.doctor()
        memory.add("Still open after both")

    assert saved.memories == 2
    assert saved.file.exists()
    assert diagnosis.problems == 0


@pytest.mark.parametrize("word", ["list", "ls", "restore", "status", "monday"])
def test_a_bare_word_never_becomes_a_file(mem, machine, word):
    mem("add", "Only here")
    for command, advice in (("backup", "`mem backup --list`"), ("export", "`mem export --help`")):
        refused = mem(command, word, "--json")
        assert refused.code == 2
        assert advice in refused.error["message"]
    assert list((machine / "work").iterdir()) == []

    assert mem("backup", f"./{word}", "--json").data["file"].endswith(f"work/{word}")
