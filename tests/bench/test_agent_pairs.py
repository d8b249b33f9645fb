"""The second text of each pair is learned beside the first: what the answers say is counted by label."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from bench import agent_pairs
from bench.agent_sets import Memory, Pair, Project

TODAY = datetime(2026, 6, 1, 12, tzinfo=UTC)
PAIRS = (
    Pair("The stone oven bakes rye bread at night", "Rye bread is baked in the stone oven at night", "same"),
    Pair("Flour is delivered on Monday", "Croissants cost two euros", "different"),
)


def project(name: str, *texts: str, pairs: tuple[Pair, ...] = ()) -> Project:
    memories = [
        Memory(f"m{place}", text, "fact", TODAY, "agent", False, None, (), (), "semantic", None)
        for place, text in enumerate(texts)
    ]
    return Project(name, tuple(memories), (), (), (), pairs)


@pytest.fixture(scope="module")
def figures(tmp_path_factory):
    bakery = project("bakery", "The shop opens at seven", pairs=PAIRS)
    garage = project("garage", "Tyres are changed in October", "The shop opens at seven")
    folder = tmp_path_factory.mktemp("pairs") / "store"
    return agent_pairs.figures([agent_pairs.measured(bakery, [garage], None, folder, TODAY)])


def test_the_first_text_of_a_pair_is_counted_where_the_answer_names_it(figures):
    named = {row["label"]: (row["pairs"], row["named"], row["close"]) for row in figures["pairs"]}

    assert named == {"same": (1, 1, 1), "different": (1, 0, 0)}
    assert [(row["label"], row["place"]) for row in figures["pair_answers"]] == [
        ("same", 1),
        ("different", 0),
    ]


def test_unrelated_memories_are_learned_and_taken_back_one_by_one(figures):
    (row,) = figures["unrelated"]

    assert (row["memories"], row["shown"], row["silent"]) == (2, 0.0, 1.0)


def test_the_tables_can_be_printed(figures, capsys):
    agent_pairs.show(figures)

    assert "bakery  same" in capsys.readouterr().out
