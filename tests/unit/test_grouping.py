"""What a memory is grouped by."""

from __future__ import annotations

import pytest

from memory_layer.errors import InvalidInput
from memory_layer.model.memory import Memory
from memory_layer.model.vocabulary import Category, Tier
from memory_layer.rules.intent import check_key, group_of
from tests.conftest import NOON


def memory(**fields):
    return Memory(id="mem_a", content="x", content_hash="", created_at=NOON, updated_at=NOON, **fields)


@pytest.mark.parametrize(
    ("key", "group"),
    [("project", "example.com/shop"), ("category", "gotcha"), ("tier", "episodic"), ("writer", "ada")],
)
def test_what_a_memory_says_about_itself_is_a_key(key, group):
    known = memory(
        project="example.com/shop",
        category=Category.GOTCHA,
        tier=Tier.EPISODIC,
        writer="ada",
        metadata={key: "something else"},
    )

    assert group_of(known, key) == group


def test_the_session_of_the_metadata_comes_before_the_memory_s_own():
    assert group_of(memory(session="own", metadata={"session": "given"}), "session") == "given"
    assert group_of(memory(session="own"), "session") == "own"


@pytest.mark.parametrize(
    ("value", "group"),
    [("red", "red"), (3, "3"), (True, "true"), (["b", "a"], '["b", "a"]'), ({"b": 1}, '{"b": 1}')],
)
def test_any_value_of_the_metadata_makes_a_group(value, group):
    assert group_of(memory(metadata={"colour": value}), "colour") == group


@pytest.mark.parametrize("metadata", [{}, {"colour": None}, {"colour": ""}])
def test_without_the_key_there_is_no_group(metadata):
    assert group_of(memory(metadata=metadata), "colour") is None
    assert group_of(memory(), "project") is None
    assert group_of(memory(), "content") is None


@pytest.mark.parametrize("key", ["", "  ", "a\0b", "k" * 201])
def test_a_key_that_nothing_can_have_is_refused(key):
    with pytest.raises(InvalidInput, match="the key to group by"):
        check_key(key)
