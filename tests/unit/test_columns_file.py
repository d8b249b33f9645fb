"""A file of columns comes back as it was written, or is refused."""

from __future__ import annotations

import os
import stat
from typing import Any

import numpy as np
import pytest

from memory_layer.store.index import columns_file
from memory_layer.store.index.columns_file import Content, Damaged, read, write

ARRAYS: dict[str, Any] = {
    "rows": np.arange(1000, dtype=np.int64),
    "flags": np.array([1, 2, 255], np.uint8),
    "bits": np.arange(24, dtype=np.uint8).reshape(4, 6),
    "nothing": np.empty(0, np.uint32),
    "flat": np.empty((16, 0), np.uint8),
    "halves": np.array([0.5, -1.0], np.float64),
}
CONTENT = Content(
    {"newest": 7, "soonest": (1 << 63) - 1}, ARRAYS, {"tags": ["", '["ä"]', "日本"], "none": []}
)


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "a.segment"
    assert write(path, CONTENT) == path.stat().st_size
    return path


def test_everything_comes_back_as_it_was_written(file):
    found = read(file, deep=True)

    assert found.facts == CONTENT.facts
    assert found.arrays.keys() == ARRAYS.keys()
    for name, array in ARRAYS.items():
        assert found.arrays[name].dtype == array.dtype
        assert found.arrays[name].tolist() == array.tolist()
        assert found.arrays[name].shape == array.shape
    assert {name: found.lists[name] for name in found.lists} == CONTENT.lists
    assert len(found.lists) == 2


def test_a_file_of_nothing_comes_back_empty(tmp_path):
    write(tmp_path / "empty", Content({}, {}, {}))

    assert read(tmp_path / "empty", deep=True).arrays == {}


def test_what_was_read_cannot_be_changed(file):
    with pytest.raises(ValueError, match="read-only"):
        read(file).arrays["rows"][0] = 5


def test_arrays_begin_where_a_processor_likes_it(file):
    for array in read(file).arrays.values():
        assert array.ctypes.data % 64 == 0 or not array.size


@pytest.mark.skipif(os.name != "posix", reason="modes of files are a matter of POSIX")
def test_only_the_owner_can_read_it_and_nothing_is_written_over(file):
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    with pytest.raises(FileExistsError):
        write(file, CONTENT)


def test_a_file_cut_at_any_length_is_refused(file):
    whole = file.read_bytes()
    for length in {0, 1, 7, 8, 15, 16, 17, 100, 500, len(whole) // 2, len(whole) - 1}:
        file.write_bytes(whole[:length])
        with pytest.raises(Damaged):
            read(file)


def test_any_flipped_byte_of_the_header_is_noticed(file):
    whole = file.read_bytes()
    _, length, _ = columns_file._HEAD.unpack_from(whole)
    for place in range(0, columns_file._HEAD.size + length, 3):
        file.write_bytes(whole[:place] + bytes([whole[place] ^ 0x10]) + whole[place + 1 :])
        with pytest.raises(Damaged):
            read(file)


def test_any_flipped_byte_of_the_content_is_noticed_by_a_deep_look(file):
    whole = file.read_bytes()
    begin = columns_file._begin(columns_file._HEAD.unpack_from(whole)[1])
    for place in (begin, begin + 4000, len(whole) - 1):
        file.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        with pytest.raises(Damaged):
            read(file, deep=True)


@pytest.mark.parametrize("bytes_", [b"MEMINDEX", b"x" * 4096, b"\0" * 4096, b"SQLite format 3\0" * 20])
def test_other_files_are_refused(tmp_path, bytes_):
    (tmp_path / "other").write_bytes(bytes_)
    with pytest.raises(Damaged):
        read(tmp_path / "other")


def test_what_is_no_file_is_refused(tmp_path):
    for place in (tmp_path / "none", tmp_path):
        with pytest.raises(Damaged):
            read(place)


def test_a_list_that_is_no_list_is_refused_when_it_is_read(file):
    whole = file.read_bytes()
    place = whole.index(b'["", ')
    file.write_bytes(whole[:place] + b"x" + whole[place + 1 :])
    with pytest.raises(Damaged):
        read(file).lists["tags"]
