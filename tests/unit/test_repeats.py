"""Hits that repeat a better one, and hits that only look like it."""

from __future__ import annotations

import pytest

from memory_layer.text.compare.duplicates import repeats
from tests.fresh_pairs import FRESH_CORRECTIONS, FRESH_PARAPHRASES
from tests.pairs import CORRECTIONS, PARALLEL, PARAPHRASES

ALIKE = 0.99  #: a cosine that alone would make anything a repetition


def test_the_same_text_is_a_repetition_whatever_its_case():
    assert repeats("Use tabs.", "use  TABS", cosine=None)


def test_a_close_vector_makes_a_repetition_and_a_distant_one_does_not():
    texts = ("Retry the upload with a backoff", "Uploads are tried again, waiting longer each time")

    assert repeats(*texts, cosine=0.93)
    assert not repeats(*texts, cosine=0.92)
    assert repeats(*texts, cosine=0.86, threshold=0.85)


def test_a_text_contained_in_a_better_one_says_nothing_new_but_the_fuller_one_does():
    short, full = "Use snake_case", "Always use snake_case for Python functions"

    assert repeats(short, full, cosine=0.85)
    assert not repeats(full, short, cosine=0.85)
    assert not repeats(short, full, cosine=0.80)


@pytest.mark.parametrize("cosine", [ALIKE, None])
def test_a_correction_is_never_taken_for_a_repetition(cosine):
    pairs = [(pair.known, pair.new) for pair in (*CORRECTIONS, *FRESH_CORRECTIONS)]
    pairs += [(pair.known, pair.new) for pair in PARALLEL]
    hidden = [(a, b) for a, b in pairs if repeats(a, b, cosine) or repeats(b, a, cosine)]

    assert len(hidden) <= (1 if cosine else 0)


def test_most_repetitions_are_seen_by_words_alone():
    pairs = [*PARAPHRASES, *FRESH_PARAPHRASES]
    found = [pair for pair in pairs if repeats(pair.new, pair.known, cosine=None)]

    assert len(found) >= 0.6 * len(pairs)


def test_texts_without_words_or_of_great_length_are_compared_as_they_stand():
    assert not repeats("...", "???", cosine=None)
    assert not repeats("word " * 2_000, "word " * 2_001, cosine=None)
    assert repeats("word " * 2_000, "Word " * 2_000, cosine=None)
