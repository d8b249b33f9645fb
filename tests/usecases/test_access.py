"""A token is made once, for its owner alone, and one that others could know is refused."""

from __future__ import annotations

import os
import stat

import pytest

from memory_layer.errors import StoreUnavailable
from memory_layer.usecases.who.access import token_in

FIRST, SECOND = "tok_" + "a" * 26, "tok_" + "b" * 26


def test_the_first_token_stays(tmp_path):
    file = tmp_path / "home" / "token"

    assert token_in(file, FIRST) == FIRST
    assert token_in(file, SECOND) == FIRST
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert os.listdir(file.parent) == ["token"]


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o666])
def test_one_that_others_can_read_is_refused(tmp_path, mode):
    file = tmp_path / "token"
    token_in(file, FIRST)
    file.chmod(mode)

    with pytest.raises(StoreUnavailable, match="other users can read"):
        token_in(file, SECOND)


def test_a_link_or_a_short_token_is_refused(tmp_path):
    short, link = tmp_path / "short", tmp_path / "link"
    short.write_text("abc")
    short.chmod(0o600)
    link.symlink_to(short)

    for file in (short, link):
        with pytest.raises(StoreUnavailable):
            token_in(file, FIRST)
