"""Packs that nobody but an attacker would write keep nobody busy."""

from __future__ import annotations

import io
import zlib

import pytest

from memory_layer.surroundings.git_objects import LARGEST_OBJECT, MOST_UNPACKED, _Objects

OFFSET_DELTA = b"\x60"


@pytest.mark.parametrize("head", [b"", OFFSET_DELTA], ids=["a size", "a distance"])
def test_a_number_without_an_end_is_not_read_to_its_end(tmp_path, head):
    pack = io.BytesIO(head + b"\xff" * 100_000)

    with pytest.raises(ValueError, match=r"too much to unpack|against nothing"):
        _Objects(str(tmp_path), 20)._packed(pack, 0, 0)

    assert pack.tell() < 100


def test_deltas_on_deltas_unpack_only_so_much(tmp_path):
    change = b"\x0a\x0a".ljust(LARGEST_OBJECT, b"\0")
    one = b"\xe0\x80\x80\x40" + zlib.compress(change)  # as large as that, on what stands so far before it
    back = len(one) + 2
    one = one[:4] + bytes([0x80 | (back >> 7) - 1, back & 0x7F]) + one[4:]
    pack = io.BytesIO(b"\x30" + one * 9)
    objects = _Objects(str(tmp_path), 20)

    with pytest.raises(ValueError, match="too much to unpack"):
        objects._packed(pack, 1 + 8 * len(one), 0)

    assert objects.left == MOST_UNPACKED - 3 * LARGEST_OBJECT


@pytest.mark.parametrize("order", [b"\0", b"\x81\xff"], ids=["no bytes", "bytes behind the end"])
def test_a_delta_that_adds_nothing_is_broken(tmp_path, order):
    change = b"\x01\x01" + order + b"\x01x"
    pack = io.BytesIO(b"\x31" + zlib.compress(b"a") + bytes([0x60 | len(change), 10]) + zlib.compress(change))

    with pytest.raises(ValueError, match="an order for nothing"):
        _Objects(str(tmp_path), 20)._packed(pack, 1 + len(zlib.compress(b"a")), 0)
