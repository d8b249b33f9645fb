"""Compare single commands with those of another checkout and of the peer."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from bench import cold, memori, stores
from bench.cold import OTHER, PEER, THIS, beside_others, in_turn
from bench.processes import Case, Cost


def case(name: str, product: str, *cpu_ms: float) -> Case:
    return Case(name, product, [], [], {}, Path(), [Cost(2 * each, each) for each in cpu_ms])


def test_a_ratio_is_the_median_of_what_each_run_shows():
    ours = case("mem add", THIS, 10, 10, 40)
    others = [case("mem add", OTHER, 20, 20, 10), case("memori store", PEER, 5, 10, 40)]

    assert beside_others(ours, [ours, *others]) == {
        "wall_beside_other": "0.50",
        "cpu_beside_other": "0.50",
        "wall_beside_peer": "1.00",
        "cpu_beside_peer": "1.00",
    }
    assert beside_others(others[0], [ours, *others]) == {}


def test_commands_that_are_compared_run_one_after_the_other():
    cases = [
        case("mem --help", THIS),
        case("mem search", THIS),
        case("mem --help", OTHER),
        case("mem search", OTHER),
        case("memori search", PEER),
        case("memori --help", PEER),
    ]

    assert [(each.name, each.product) for each in in_turn(cases)] == [
        ("mem --help", THIS),
        ("mem --help", OTHER),
        ("memori --help", PEER),
        ("mem search", THIS),
        ("mem search", OTHER),
        ("memori search", PEER),
    ]


def test_another_checkout_is_measured_with_its_own_program(tmp_path, monkeypatch):
    monkeypatch.setattr(memori, "installed", lambda folder: None)
    monkeypatch.setattr(stores, "has_model", lambda folder, model: False)
    other = tmp_path / "other" / ".venv" / "bin"
    other.mkdir(parents=True)
    for name in ("python", "mem"):
        program = Path(sys.executable).with_name(name)
        (other / name).write_text(f'#!/bin/sh\nexec "{program}" "$@"\n')
        (other / name).chmod(0o700)

    code = cold.main(
        [
            "--runs",
            "1",
            "--memories",
            "5",
            "--other",
            str(tmp_path / "other"),
            "--json",
            str(tmp_path / "kept"),
        ]
    )

    rows = json.loads((tmp_path / "kept").read_text())["commands"]
    named = [(row["command"], row["product"]) for row in rows]
    assert code == 0
    assert ("mem context, no model", OTHER) in named
    assert all("cpu_beside_other" in row for row in rows if row["product"] == THIS)


def test_a_checkout_without_an_environment_is_named(tmp_path, capsys):
    with pytest.raises(SystemExit):
        cold.main(["--other", str(tmp_path)])

    assert "there is no environment in" in capsys.readouterr().err
