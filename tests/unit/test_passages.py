"""Passages are small, whole where possible, and leave nothing out."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory_layer.embed import model
from memory_layer.embed.passages import MOST_PASSAGES, OVERLAP_PIECES, PASSAGE_PIECES, passages
from memory_layer.embed.tokenizer import Tokenizer

pytestmark = pytest.mark.model

WORDS = [
    "the",
    "deployment",
    "snake_case",
    "/usr/lib/x.so",
    "3.11",
    "naïve",
    "数据库连接",
    "テスト。",
    "unbelievably",
]
JOINTS = [" ", " ", " ", ". ", ".\n", "\n\n", "! ", "? ", "\t", ", ", '." ', "\u00a0", "\u200b", "\x1c"]
ANY_WORD = st.sampled_from(WORDS) | st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
LONG_TEXT = st.lists(st.tuples(ANY_WORD, st.sampled_from(JOINTS)), min_size=50, max_size=400).map(
    lambda pairs: "".join(word + joint for word, joint in pairs)
)


@pytest.fixture(scope="module")
def tokenizer(model_folder: Path) -> Tokenizer:
    return Tokenizer.read(model_folder / model.VOCABULARY)


@settings(max_examples=60)
@given(text=LONG_TEXT)
def test_passages_in_order_are_the_whole_text_and_each_fits(tokenizer: Tokenizer, text: str):
    found = [tokenizer.pieces(passage) for passage in passages(text, tokenizer)]

    assert all(len(pieces) <= PASSAGE_PIECES for pieces in found)
    assert _follow_one_another(found, tokenizer.pieces(text))


def _follow_one_another(found: list[list[int]], whole: list[int]) -> bool:
    """Say whether the parts, each beginning at most an overlap before the end of the last, make up the whole."""
    ends = {0}
    for pieces in found:
        begins = {end - back for end in ends for back in range(min(end, OVERLAP_PIECES) + 1)}
        ends = {at + len(pieces) for at in begins if whole[at : at + len(pieces)] == pieces}
    return len(whole) in ends


def test_a_short_text_is_one_passage_as_it_is(tokenizer: Tokenizer):
    assert passages("  Two sentences. Both short.\n", tokenizer) == ["  Two sentences. Both short.\n"]
    assert passages("", tokenizer) == [""]


def test_passages_end_where_sentences_end(tokenizer: Tokenizer):
    text = " ".join(f"Rule {number} says that nobody edits the schema by hand." for number in range(40))

    found = passages(text, tokenizer)

    assert len(found) > 2
    assert all(passage.startswith("Rule") and passage.endswith("hand.") for passage in found)


def test_a_passage_repeats_the_last_short_sentence_of_the_one_before(tokenizer: Tokenizer):
    text = " ".join(f"Rule {number} says that nobody edits the schema by hand." for number in range(40))

    found = passages(text, tokenizer)

    for one, other in pairwise(found):
        last = "Rule" + one.rsplit("Rule", 1)[1]
        assert other.startswith(last)


def test_a_long_sentence_is_not_repeated(tokenizer: Tokenizer):
    sentence = " ".join(["word"] * 50)

    found = passages(f"first {sentence}. second {sentence}. third {sentence}. fourth {sentence}.", tokenizer)

    assert [passage.split()[0] for passage in found] == ["first", "third"]


def test_the_lines_of_a_chat_stay_whole(tokenizer: Tokenizer):
    turns = [f"user: question {number} about the connection pool and its limits" for number in range(30)]

    found = passages("\n".join(turns), tokenizer)

    assert {line for passage in found for line in passage.split("\n")} == set(turns)


def test_one_endless_sentence_is_cut_between_words(tokenizer: Tokenizer):
    text = " ".join(f"item{number}" for number in range(300))

    found = passages(text, tokenizer)

    assert " ".join(found) == text


def test_a_text_without_spaces_is_cut_between_characters(tokenizer: Tokenizer):
    text = "数据库" * 200

    found = passages(text, tokenizer)

    assert "".join(found) == text
    assert max(map(len, found)) == PASSAGE_PIECES


def test_the_largest_text_has_a_bounded_number_of_passages_from_begin_to_end(tokenizer: Tokenizer):
    text = "始" + "数" * 65_534 + "终"

    found = passages(text, tokenizer)

    assert len(found) == MOST_PASSAGES
    assert found[0].startswith("始")
    assert found[-1].endswith("终")
