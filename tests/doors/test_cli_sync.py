"""`mem sync` at the command line: what it prints, and what it refuses."""

from __future__ import annotations

import json

FIELDS = (
    "folder written removed added updated archived conflicts staged withheld skipped notes operation dry_run"
)


def test_it_writes_the_folder_and_says_what_was_done(mem, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    mem("add", "Prices are stored in cents")

    planned = mem("sync", "shared", "--dry-run")
    assert planned.out.endswith("shared: 1 file would be written, 0 superseded files would be deleted\n")
    assert "Dry run: nothing changed." in planned.err
    assert not (tmp_path / "shared").exists()

    assert mem("sync", "shared").out.endswith("shared: 1 file written, 0 superseded files deleted\n")
    assert len(list((tmp_path / "shared").iterdir())) == 1


def test_json_has_every_field_and_skipped_files_with_their_reason(mem, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "shared").mkdir()
    (tmp_path / "shared" / "mem_x.txt").write_text("nothing")

    answer = json.loads(mem("sync", "shared", "--json").out)["data"]

    assert list(answer) == FIELDS.split()
    assert answer["skipped"] == [{"where": "mem_x.txt", "why": "its name is not that of a revision"}]


def test_a_file_in_place_of_the_folder_is_refused(mem, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "shared").write_text("x")

    answer = mem("sync", "shared")

    assert answer.code == 2
    assert "is not a folder; nothing was changed" in answer.err


def test_without_a_project_nothing_is_shared(mem, tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)

    answer = mem("sync", "shared")

    assert answer.code == 2
    assert "only the memories of a project can be shared" in answer.err
    assert not (tmp_path / "shared").exists()
