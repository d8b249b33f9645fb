"""`mem export` and `mem import`."""

from __future__ import annotations

import json
import os
import stat

import pytest


@pytest.fixture
def known(mem):
    return mem("add", "Retry the flaky upload with a backoff", "--tag", "upload", "--global", "--json").data[
        "id"
    ]


def test_an_export_goes_to_standard_output(mem, known):
    answer = mem("export")
    lines = [json.loads(line) for line in answer.out.splitlines()]

    assert (answer.code, answer.err) == (0, "")
    assert [line["type"] for line in lines] == ["export", "memory", "audit", "end"]
    assert mem("export", "-").out == answer.out


def test_an_export_goes_to_a_file_of_its_owner(mem, known, tmp_path):
    file = tmp_path / "all.jsonl"
    answer = mem("export", str(file), "--json")

    assert stat.S_IMODE(os.stat(file).st_mode) == 0o600
    assert file.read_text() == mem("export").out
    assert (answer.data["memories"], answer.data["lines"], answer.data["format"]) == (1, 4, "jsonl")
    assert mem("export", str(file)).code == 2
    assert mem("export", str(file), "--force").out == f"{file}: 1 memory in 4 lines\n"


def test_a_part_is_chosen_by_filters(mem, known):
    mem("add", "Ferries leave at noon", "-c", "decision", "--global")
    first, *rest = [
        json.loads(line) for line in mem("export", "-c", "decision", "--status", "active").out.splitlines()
    ]
    nothing = mem("export", "--project", ".").out.splitlines()

    assert (first["partial"], first["audit"]) == (True, None)
    assert [line["content"] for line in rest if line["type"] == "memory"] == ["Ferries leave at noon"]
    assert len(nothing) == 2
    assert json.loads(mem("export", "--global").out.splitlines()[0])["counts"]["memory"] == 2


def test_markdown_is_for_people(mem, known):
    answer = mem("export", "--format", "markdown")

    assert answer.out.startswith("# Memories\n\n1 memory.\n\n## Everywhere\n\n### general\n")
    assert "- tags: upload\n" in answer.out


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--json",), "needs a FILE"),
        (("--format", "markdown", "--vectors"), "jsonl"),
        (("--format", "xml"), "xml"),
        (("--global", "--project", "."), "choose one"),
    ],
)
def test_what_does_not_go_together_is_refused(mem, known, arguments, says):
    answer = mem("export", *arguments)

    assert (answer.code, answer.out) == (2, "")
    assert says in answer.err


def test_an_import_restores_and_a_second_one_finds_everything_there(mem, known, tmp_path, monkeypatch):
    file = tmp_path / "all.jsonl"
    mem("export", str(file))
    monkeypatch.setenv("MEM_DB", str(tmp_path / "other.db"))

    dry = mem("import", str(file), "--dry-run")
    first = mem("import", str(file))
    second = mem("import", str(file), "--from", "memory-layer", "--json")

    assert dry.out == "memory-layer: read 1, would add 1, 0 already known\n"
    assert first.out == "memory-layer: read 1, added 1, 0 already known\n"
    assert "nothing changed" in dry.err
    assert mem("export").out == file.read_text()
    assert (second.data["added"], second.data["exists"], second.data["operation"]) == (0, 1, None)
    assert mem("search", "flaky upload", "--json").data["hits"][0]["id"] == known


def test_an_addition_names_its_operation(mem, known, tmp_path, monkeypatch):
    file = tmp_path / "all.jsonl"
    mem("export", str(file))
    monkeypatch.setenv("MEM_DB", str(tmp_path / "other.db"))
    mem("add", "Something else is here")

    assert "`mem undo op_" in mem("import", str(file)).err


def test_a_broken_file_gets_a_sentence_with_the_line(mem, known, tmp_path):
    file = tmp_path / "all.jsonl"
    file.write_text(mem("export").out.replace("upload", "download"))

    answer = mem("import", str(file), "--json")

    assert answer.code == 2
    assert answer.error["code"] == "invalid_input"
    assert f"{file}, line 2: " in answer.error["message"]


@pytest.mark.parametrize("name", ["nowhere.jsonl", "."])
def test_a_path_that_is_no_file_gets_a_sentence(mem, name):
    answer = mem("import", name)

    assert answer.code == 2
    assert "cannot be read" in answer.err or "nothing to import" in answer.err


def test_an_export_whose_first_line_is_damaged_is_not_taken_for_rules(mem, known, tmp_path):
    file = tmp_path / "all.jsonl"
    mem("export", str(file))
    file.write_bytes(b"- " + file.read_bytes())
    answer = mem("import", str(file), "--json")

    assert answer.code == 2
    assert f"{file}, line 1: " in answer.error["message"]


@pytest.mark.parametrize("more", [["--global"], ["--project", "."], ["CLAUDE.md"]])
def test_an_export_comes_alone_and_keeps_its_projects(mem, known, tmp_path, more):
    mem("export", str(tmp_path / "all.jsonl"))

    answer = mem("import", str(tmp_path / "all.jsonl"), *more)
    assert answer.code == 2
    assert "an export" in answer.err


def test_an_agent_may_not_keep_secrets(mem, known, tmp_path):
    mem("export", str(tmp_path / "all.jsonl"))

    assert mem("import", str(tmp_path / "all.jsonl"), "--allow-secret").code == 1


def test_from_python(tmp_path, monkeypatch):
    import memory_layer as ml

    with ml.open(tmp_path / "a.db", only_global=True) as memory:
        memory.add("The build needs Java 21")
        done = memory.export(tmp_path / "all.jsonl")
        memory.export(tmp_path / "all.md", format="markdown")
        with pytest.raises(ml.MemoryLayerError, match="is not one of jsonl, markdown"):
            memory.export(tmp_path / "x", format="xml")
    with ml.open(tmp_path / "b.db", only_global=True) as memory:
        dry = memory.import_(tmp_path / "all.jsonl", dry_run=True)
        report = memory.import_(str(tmp_path / "all.jsonl"))
        memory.export(tmp_path / "again.jsonl")

    assert (done.memories, report.added, dry.added) == (1, 1, 1)
    assert (tmp_path / "again.jsonl").read_bytes() == (tmp_path / "all.jsonl").read_bytes()
    assert "The build needs Java 21" in (tmp_path / "all.md").read_text()
