"""Which notes an export may bring: undoing one writes its values, so only those the program writes itself."""

from __future__ import annotations

import pytest

from memory_layer.rules.history import is_note

LINK = {"source": "mem_a", "target": "mem_b", "kind": "supersedes", "before": None}
NOW = {"review": 1, "created_at": 1_700_000_000_000_000}
ENDED = {"result": "success", "at": 1_700_000_000_000_000, "by": "ada", "used": ["mem_a"]}


def counted(before, after=None):
    return {"memory": "mem_a", "before": before, "after": before if after is None else after}


@pytest.mark.parametrize(
    "told",
    [
        LINK | {"after": NOW},
        LINK | {"after": NOW, "writer_kind": "person"},
        {"outcome": "out_1:mem_a", "before": 0, "after": 1},
        counted({}),
        counted({"use_count": 1, "last_used_at": None, "outcome_score": -0.3}),
        {"run": "run_a", "before": None, "after": ENDED},
        {"run": "run_a", "before": ENDED, "after": None, "writer_kind": "person"},
    ],
)
def test_what_the_program_notes_may_come_back(told):
    assert is_note(told)


@pytest.mark.parametrize(
    "told",
    [
        {},
        {"memory": "mem_a"},
        LINK | {"after": {"review": 1}},
        LINK | {"after": NOW | {"review": True}},
        LINK | {"after": NOW | {"created_at": 2**63}},
        LINK | {"after": NOW, "kind": "replaces"},
        LINK | {"after": NOW, "writer_kind": "agent"},
        {"outcome": "out_1:mem_a", "before": 0, "after": 2},
        {"outcome": "out_1:mem_a", "before": [], "after": 1},
        counted({"approved_by": "ada"}),
        counted({"use_count = 1, approved_by": 1}),
        counted({"use_count": "many"}),
        counted({"use_count": None}),
        counted({"outcome_score": 2}),
        counted({"use_count": 1}, {"worked": 1}),
        counted(["use_count"]),
        {"run": 7, "before": None, "after": ENDED},
        {"run": "run_a", "before": None, "after": ENDED | {"result": "maybe"}},
        {"run": "run_a", "before": None, "after": ENDED | {"at": True}},
        {"run": "run_a", "before": None, "after": ENDED | {"used": "mem_a"}},
        {"run": "run_a", "before": None, "after": ENDED | {"used": [7]}},
        {"run": "run_a", "before": None, "after": ENDED | {"by": None}},
        {"run": "run_a", "before": None, "after": {"result": "success"}},
    ],
)
def test_anything_else_is_no_note(told):
    assert not is_note(told)
