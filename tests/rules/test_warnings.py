"""Rules and problems as people write them, against commands and errors; written for these tests."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from memory_layer.model.context import AgentAction
from memory_layer.model.vocabulary import Category
from memory_layer.rules.warnings import errors
from memory_layer.rules.warnings.actions import read_action
from memory_layer.rules.warnings.commands import strength_of
from memory_layer.rules.warnings.kinds import Rarity
from memory_layer.text.advice import sentences
from memory_layer.text.commands.error_text import read_error
from memory_layer.text.words import terms


def cases(name):
    lines = (
        (Path(__file__).parents[1] / "warnings" / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    )
    return [json.loads(line) for line in lines]


RULES, PROBLEMS = cases("rules"), cases("problems")


@pytest.fixture(scope="module")
def rarity():
    texts = [case["text"] for case in (*RULES, *PROBLEMS)]
    return Rarity(len(texts), Counter(term for text in texts for term in set(terms(text))))


def warns(rule, command, rarity):
    said = sentences(rule["text"])
    found = read_action(AgentAction(command=command)).steps
    return any(strength_of(said, Category(rule["category"]), step, rarity) for step in found)


def test_nearly_every_command_that_a_rule_is_about_is_heard(rarity):
    asked = [(rule, command) for rule in RULES for command in rule["heard"]]
    missed = [(command, rule["text"]) for rule, command in asked if not warns(rule, command, rarity)]

    assert len(missed) <= 0.1 * len(asked), missed


def test_a_command_that_only_looks_like_it_is_not(rarity):
    asked = [(rule, command) for rule in RULES for command in rule["silent"]]
    mistaken = [(command, rule["text"]) for rule, command in asked if warns(rule, command, rarity)]

    assert len(mistaken) <= 0.02 * len(asked), mistaken


@pytest.mark.parametrize("rule", cases("brewery"), ids=lambda rule: rule["text"][:40])
def test_looking_and_checking_are_harmless_unless_a_memory_is_about_just_that(rule, rarity):
    assert [each for each in rule["heard"] if not warns(rule, each, rarity)] == []
    assert [each for each in rule["silent"] if warns(rule, each, rarity)] == []


@pytest.mark.parametrize("rule", cases("orchard"), ids=lambda rule: rule["text"][:40])
def test_a_rule_is_about_what_it_speaks_of_and_nothing_that_shares_a_word_with_it(rule, rarity):
    assert [each for each in rule["heard"] if not warns(rule, each, rarity)] == []
    assert [each for each in rule["silent"] if warns(rule, each, rarity)] == []


def test_an_error_is_known_by_its_class_its_code_or_its_message(rarity):
    weights = [
        (error, errors.weight_of(case["text"], Category(case["category"]), read_error(error), rarity))
        for case in PROBLEMS
        for error in case["heard"]
    ]

    assert [each for each in weights if each[1] < errors.PERHAPS] == []
    assert sum(weight >= errors.ENOUGH for _, weight in weights) >= 0.8 * len(weights)


def test_another_error_of_the_same_program_is_not(rarity):
    weights = [
        (error, errors.weight_of(case["text"], Category(case["category"]), read_error(error), rarity))
        for case in PROBLEMS
        for error in case["silent"]
    ]

    assert [each for each in weights if each[1] >= errors.ENOUGH] == []


def test_what_differs_from_run_to_run_is_no_part_of_an_error():
    one = read_error(
        "2026-11-03 08:12:44,310 ERROR [4e0b71d2-0a9f-4c4e-9a36-7f0a1c22d3e4] <Job at 0x7f3a9c1d2e50>\n"
        '  File "/srv/a/worker.py", line 88, in run\nSlotTakenError: slot 7 is taken'
    )
    two = read_error(
        "2027-01-09 23:59:01,007 ERROR [99aa71d2-1b9f-4c4e-9a36-7f0a1c22d3e4] <Job at 0x10aa>\n"
        '  File "/opt/b/worker.py", line 112, in run\nSlotTakenError: slot 7 is taken'
    )

    assert one == two
    assert one.classes == {"slottakenerror"}
