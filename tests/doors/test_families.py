"""Families of categories: a filter takes them through every door, and a memory is not stored under one."""

from __future__ import annotations

import pytest

from memory_layer.doors.cli.arguments import CategoryName
from memory_layer.doors.python import open_memory
from memory_layer.errors import InvalidInput
from memory_layer.model.query import Filters
from memory_layer.model.vocabulary import CATEGORIES, FAMILIES, Category, Family
from tests.doors.in_process import tools


@pytest.fixture
def three(mem):
    """A policy-like rule, a convention and a hazard."""
    mem("add", "Write tests for uploads", "-c", "convention")
    mem("add", "Prefer small uploads", "-c", "preference")
    mem("add", "Large uploads time out", "-c", "gotcha")


RULES = ["Prefer small uploads", "Write tests for uploads"]


def contents(items):
    return sorted(each["content"] for each in items)


def test_no_family_has_the_name_of_a_category():
    assert not set(Family) & {*Category}


@pytest.mark.parametrize("family", ["rules", "Rules "])
def test_a_list_and_a_search_take_a_family(mem, three, family):
    assert contents(mem("list", "-c", family, "--json").data["items"]) == RULES
    assert contents(mem("search", "uploads", "-c", family, "--json").data["hits"]) == RULES


def test_a_family_and_a_category_add_up(mem, three):
    assert len(mem("list", "-c", "rules", "-c", "gotcha", "--json").data["items"]) == 3


def test_python_takes_a_family(three):
    with open_memory() as memory:
        assert len(memory.list(categories=["rules"]).items) == 2
        assert len(memory.search("uploads", categories=["hazards"]).hits) == 1
        assert len(memory.list(filters=Filters(categories=("rules",))).items) == 2  # type: ignore[arg-type]


def test_tools_take_a_family(machine, three):
    with tools(machine / "work") as call:
        assert contents(call("memory_recall", query="uploads", categories=["rules"])["hits"]) == RULES


def test_adding_with_a_family_is_refused_with_its_categories(mem, machine):
    sentence = "hazards is a family of categories; choose one of gotcha, pitfall, warning"

    assert sentence in mem("add", "Large uploads time out", "-c", "hazards").err
    with open_memory() as memory, pytest.raises(InvalidInput, match=sentence):
        memory.add("Large uploads time out", category="hazards")
    with tools(machine / "work") as call:
        assert sentence in call.refused("memory_learn", content="Large uploads time out", category="hazards")
    assert mem("stats", "--json").data["total"] == 0


def test_an_unknown_category_is_answered_with_all_of_them_by_family(mem):
    answer = mem("list", "-c", "gossip")

    assert answer.code == 2
    assert "rules (policy, preference" in answer.err


@pytest.mark.parametrize(
    ("word", "nearest"), [("gotchas", "gotcha"), ("decison", "decision"), ("gossip", "")]
)
def test_a_word_that_is_nearly_a_category_is_answered_with_the_nearest_first(mem, word, nearest):
    said = mem("add", "Large uploads time out", "-c", word).err

    assert f"unknown category '{word}'" + (f" (did you mean {nearest}?)" if nearest else ";") in said
    assert ("did you mean" in said) is bool(nearest)


def test_a_rule_is_kept_as_a_convention(mem):
    mem("add", "Write tests for uploads", "-c", "rule")

    assert [each["category"] for each in mem("list", "--json").data["items"]] == ["convention"]


def test_every_category_is_listed_below_its_family_with_its_meaning(mem):
    lines = mem("categories").out.splitlines()

    assert len(lines) == len(Category) + len(Family)
    assert all(len(line) <= 80 for line in lines)
    assert [line.split(":")[0] for line in lines if not line.startswith(" ")] == [*FAMILIES]
    assert {item["name"]: item["meaning"] for item in mem("categories", "--json").data["items"]} == {
        category.value: traits.meaning for category, traits in CATEGORIES.items()
    }


@pytest.mark.parametrize(("or_family", "found"), [(True, ["hazards"]), (False, [])])
def test_a_shell_completes_families_only_where_they_filter(or_family, found):
    items = CategoryName(or_family=or_family).shell_complete(None, None, "haz")  # type: ignore[arg-type]

    assert [item.value for item in items] == found
