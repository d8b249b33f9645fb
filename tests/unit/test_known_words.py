"""What is known of a word is what a reading of the word would find, however often it was met."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_layer.policy import duplicates, tokens, words
from memory_layer.policy.known_words import KnownWords, Trait
from memory_layer.policy.words import line, terms

TEXTS = st.one_of(
    st.text(max_size=60),
    st.text(alphabet="aBr _.-%1\n\t\x0b\x1c\xa0é", max_size=40),
    st.lists(st.sampled_from(["The", "HTTP_PROXY", "snake_case,", "3.11.7", "C++", "x"]), max_size=8).map(
        " ".join
    ),
)


def each(read: Callable[[str], object]) -> Callable[[list[str]], list[object]]:
    """What reads one word, for several."""
    return lambda words: list(map(read, words))


LENGTH, LOUD = Trait(each(len)), Trait(each(str.upper))


@given(TEXTS)
def test_the_line_of_a_text_holds_its_terms_in_their_order(text: str) -> None:
    chunks = unicodedata.normalize("NFKC", text).split()

    assert terms(text) == [term for chunk in chunks for term in words._read(chunk)]
    assert line(text) == " ".join(terms(text))


@given(TEXTS)
def test_a_text_weighs_what_its_words_weigh(text: str) -> None:
    bare = " ".join(text.split())

    assert tokens.weight(bare) - tokens._other_cyrillic(bare) == sum(map(tokens._word, text.split()))


@given(st.text(alphabet=st.characters(max_codepoint=127), max_size=40))
def test_case_counts_in_identifiers_alone(text: str) -> None:
    lowered = [word if duplicates._IDENTIFIER.search(word) else word.lower() for word in text.split()]
    collapsed = " ".join(lowered)

    assert duplicates.canonical(text) == (duplicates._without_edges(collapsed) or collapsed)


@given(st.lists(st.lists(TEXTS, max_size=3).map(" ".join), max_size=6))
def test_traits_that_are_asked_in_turn_do_not_disturb_each_other(texts: list[str]) -> None:
    for text in (*texts, *texts):
        assert list(LENGTH.of(text)) == [len(word) for word in text.split()]
        assert list(LOUD.of(text)) == [word.upper() for word in text.split()]


def test_a_trait_that_is_asked_for_late_knows_the_words_of_the_text_before_it():
    text = "one two"
    first, second = Trait(each(len)), Trait(each(str.upper))

    assert list(first.of(text)) == [3, 3]
    assert list(second.of(text)) == ["ONE", "TWO"]
    assert list(first.of(text)) == [3, 3]


def test_words_met_lately_are_kept_and_no_more_than_a_bounded_number():
    read: list[str] = []

    def loud(word: str) -> str:
        read.append(word)
        return word.upper()

    known = KnownWords(each(loud), most=4)

    for word in "a b c d a e a b f g h a".split():
        assert known.get(word) or known.met([word]) == {word: word.upper()}
        assert known[word] == word.upper()
        assert len(known) + len(known._older) <= 8

    assert read == list("abcdefgh")


@pytest.mark.parametrize("word", ["hunter" + "2", "x" * 65, "amber_0_000123"])
def test_long_words_and_what_may_be_a_password_are_not_kept(word):
    known = KnownWords(each(len))

    assert known.met([word]) == {word: len(word)}
    assert word not in known
