"""The texts and vectors of a speed run: the same for everybody, and like real ones where it matters."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise

import numpy as np
import pytest

from bench import given, prose
from bench.given import Clusters, Given, Stretched
from bench.vector_cache import CachedEmbedder, real_vectors


def test_a_memory_is_the_same_whichever_others_are_made():
    assert prose.memories(995, 10) == prose.memories(0, 1010)[995:1005]


def test_memories_have_about_sixty_words_and_no_two_are_alike():
    texts = prose.memories(0, 2000)

    assert len(set(texts)) == 2000
    assert all(55 <= len(text.split()) <= 65 for text in texts)
    assert [prose.number_of(text) for text in texts] == list(range(2000))


def test_a_text_of_somebody_else_has_no_number():
    with pytest.raises(ValueError, match="not one of these"):
        prose.number_of("The upload retries three times")


def test_a_few_words_are_common_and_most_are_rare():
    texts = [set(re.findall(r"\w+", text)) for text in prose.memories(0, 2000)]
    known = set(prose.vocabulary())
    counts = Counter(word for words in texts for word in words & known)

    assert 0.05 < counts.most_common(1)[0][1] / 2000 < 0.3
    assert sum(count < 10 for count in counts.values()) > len(counts) / 2


def test_questions_ask_in_turn_for_common_and_for_rare_words():
    asked = prose.questions(40, among=2000)
    rank = {word: place for place, word in enumerate(prose.vocabulary())}
    ranks = [[rank[word] for word in re.findall(r"\w+", each.text) if word in rank] for each in asked]

    assert [each.kind for each in asked[:4]] == ["common", "rare", "common", "rare"]
    assert all(max(common) < min(rare) for common, rare in pairwise(ranks[:2]))
    assert prose.questions(40, among=2000) == asked


def real() -> np.ndarray:
    return np.random.default_rng(7).standard_normal((1500, given.WIDTH)).astype(np.float32)


@pytest.mark.parametrize("cloud", [Clusters(), Stretched(real())], ids=["clusters", "real"])
def test_vectors_have_unit_length_and_are_the_same_again(cloud):
    for vectors in (cloud.block(0), cloud.block(3), cloud.asked(30)):
        assert vectors.dtype == np.float32
        assert np.linalg.norm(vectors, axis=1) == pytest.approx(1, abs=1e-5)

    assert np.array_equal(cloud.block(3), cloud.block(3))
    assert not np.array_equal(cloud.block(3), cloud.block(2))


def test_real_vectors_come_first_and_those_of_questions_are_never_stored():
    cloud = Stretched(real())
    stored = np.concatenate([cloud.block(0), cloud.block(1), cloud.block(2)])
    own = real() / np.linalg.norm(real(), axis=1, keepdims=True)

    nearest = (stored @ own.T).max(axis=1)
    assert nearest[:1350] == pytest.approx(1, abs=1e-5)
    assert nearest[1350:].max() < 0.999
    assert (cloud.asked(150) @ stored.T).max() < 0.999
    assert "1,350 real vectors" in cloud.says


def test_the_exact_answer_is_that_of_a_search_over_everything_at_once():
    cloud = Clusters()
    asked = cloud.asked(5)
    every = np.concatenate([cloud.block(0), cloud.block(1), cloud.block(2)])[:2345]

    found, cosine = given.nearest(cloud, 2345, asked)

    best = np.argsort(-(asked @ every.T), axis=1)[:, :10]
    assert found == [set(row.tolist()) for row in best]
    assert cosine == pytest.approx(float(np.median(np.sort(asked @ every.T, axis=1)[:, -10:])), abs=1e-5)


def test_a_store_with_fewer_than_ten_memories_has_fewer_nearest():
    found, _ = given.nearest(Clusters(), 4, Clusters().asked(2))

    assert found == [{0, 1, 2, 3}, {0, 1, 2, 3}]


def test_nothing_is_embedded_that_was_not_prepared():
    cloud = Clusters()
    embedder = Given("prepared", ["why"], cloud.asked(1), cloud)

    (vectors,) = embedder.embed_memories(prose.memories(1234, 1))

    assert np.array_equal(vectors[0], cloud.block(1)[234])
    assert np.array_equal(embedder.embed_query("why"), cloud.asked(1)[0])
    with pytest.raises(KeyError):
        embedder.embed_query("why not")


def test_real_vectors_are_read_from_a_cache(tmp_path):
    cloud = Clusters()
    cache = CachedEmbedder(Given("prepared", ["why"], cloud.asked(1), cloud), tmp_path)
    cache.embed_memories(prose.memories(0, 3))
    cache.embed_query("why")

    vectors = real_vectors(next(tmp_path.iterdir()))

    wanted = np.concatenate([cloud.block(0)[:3], cloud.asked(1)])
    assert sorted(map(tuple, vectors)) == sorted(map(tuple, wanted))
