"""The rate of storing memories, compared with a peer filled to the same sizes."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from bench import prose, rates, side_by_side
from tests.bench import plain_peer


@pytest.fixture
def plain(monkeypatch, tmp_path):
    """A peer made for tests, run by this very Python."""
    monkeypatch.setattr(side_by_side, "PEERS", {"plain": plain_peer})
    monkeypatch.setattr(side_by_side, "installed", lambda folder, package: Path(sys.executable))
    monkeypatch.setattr(rates, "LOADED", 30)
    monkeypatch.setattr(rates, "BATCH", 10)
    with rates.GrowingPeer.installed("plain", tmp_path, tmp_path) as peer:
        yield peer


def test_a_peer_is_measured_at_the_same_sizes_with_the_texts_of_our_batches(tmp_path, plain):
    rows = rates.measured(tmp_path, [50, 100], 2, 1, [plain], 600)

    assert [(row["product"], row["size"]) for row in rows] == [
        ("Memory Layer", 50),
        ("plain", 50),
        ("Memory Layer", 100),
        ("plain", 100),
    ]
    assert all(row["batch_per_second"] for row in rows)


def test_a_peer_whose_time_for_filling_is_over_is_measured_at_the_size_it_reached(plain):
    row = plain.row(100, prose.memories(100, 10), most_seconds=0.0)

    assert row["size"] == 0
    assert plain.row(100, prose.memories(100, 10), most_seconds=1e-9)["size"] == 40
