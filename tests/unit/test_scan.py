"""A search finds what comparing every vector would find, whatever is asked, filtered or missing."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from memory_layer.store.index import codes as code_module
from memory_layer.store.index import scan
from memory_layer.store.index.codes import Codes, differences, encode, everything
from memory_layer.store.index.scan import (
    FEW,
    NO_VECTOR,
    Near,
    allowed_in,
    asked,
    candidates,
    cosines,
    similarities,
)

Floats = NDArray[np.float32]


class Part(NamedTuple):
    """A segment to search."""

    codes: Codes | None  #: None if it has no vectors of the kind
    allowed: NDArray[np.bool_] | None  #: which of its documents may be found; None for all


def nearest(query: Floats, parts: list[Part], depth: int) -> Near:
    fields = [None if codes is None else allowed_in(codes, allowed) for codes, allowed in parts]
    return scan.nearest(query, fields, depth)


@pytest.fixture(params=[code_module.SOME, 0], ids=["as one of some", "as one of many"], autouse=True)
def however_large(request: pytest.FixtureRequest) -> Iterator[None]:
    """Everything holds for a store whose slots are compared at once, and for one that is looked at twice."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(code_module, "SOME", request.param)
        yield


def unit_vectors(count: int, dimensions: int = 64, seed: int = 1) -> Floats:
    vectors = np.random.default_rng(seed).standard_normal((count, dimensions)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors


def topical_vectors(count: int, dimensions: int = 128, topics: int = 60, seed: int = 1) -> Floats:
    """Vectors that gather around topics, as those of texts do."""
    random = np.random.default_rng(seed)
    middles = unit_vectors(topics, dimensions, seed)[random.integers(topics, size=count)]
    vectors = middles + 0.9 * unit_vectors(count, dimensions, seed + 1)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors


def coded(vectors: Floats, docs: NDArray[np.integer] | None = None) -> Codes:
    docs = np.arange(len(vectors)) if docs is None else docs
    return Codes(*encode(vectors), docs.astype(np.uint32))


def in_parts(vectors: Floats, *sizes: int) -> list[Part]:
    bounds = np.cumsum([0, *sizes])
    return [Part(coded(vectors[start:end]), None) for start, end in pairwise(bounds)]


def pairs(near: Near) -> list[tuple[int, int]]:
    return list(zip(near.part.tolist(), near.doc.tolist(), strict=True))


def by_comparing_all(query: Floats, parts: list[Part], depth: int) -> list[tuple[int, int]]:
    """The answer without shortcuts: every document's best int8 cosine, sorted."""
    found = []
    for number, (codes, allowed) in enumerate(parts):
        assert codes is not None
        docs = np.unique(codes.docs)
        docs = docs if allowed is None else docs[allowed[docs]]
        cosine = similarities(query, codes, docs)
        found += [(-float(value), number, int(doc)) for value, doc in zip(cosine, docs, strict=True)]
    return [(number, doc) for _, number, doc in sorted(found)[:depth]]


@pytest.mark.parametrize("depth", [1, 10, 200, 1000])
def test_a_large_store_is_searched_with_hardly_a_loss(depth):
    vectors = topical_vectors(30_000)
    parts = in_parts(vectors[20:], 20_000, 9_900, 80)
    exact = vectors[:20] @ vectors[20:].T

    shares = []
    for query, row in zip(vectors[:20], exact, strict=True):
        near = nearest(query, parts, depth)
        found = np.array([0, 20_000, 29_900])[near.part] + near.doc
        shares.append(len(np.intersect1d(found, np.argsort(-row)[:depth])) / depth)
        assert np.abs(near.cosine - row[found]).max() < 0.005

    assert np.mean(shares) > 0.98


@pytest.mark.parametrize("size", [10, 40])
def test_a_store_of_many_tiny_parts_is_searched_as_well(size):
    vectors = topical_vectors(12_001)
    parts = in_parts(vectors[1:], *[size] * (12_000 // size))

    found = set(pairs(nearest(vectors[0], parts, 20)))

    assert len(found & set(by_comparing_all(vectors[0], parts, 20))) >= 19


@given(
    sizes=st.lists(st.integers(0, FEW // 4), max_size=4),
    depth=st.integers(1, 50),
    share=st.sampled_from([0.0, 0.01, 0.1, 0.5, 1.0]),
    seed=st.integers(0, 100),
)
@settings(max_examples=60)
def test_a_small_store_is_searched_exactly(sizes, depth, share, seed):
    random = np.random.default_rng(seed)
    vectors = unit_vectors(sum(sizes) + 1, 32, seed)
    parts = [
        Part(part.codes, random.random(size) < share)
        for part, size in zip(in_parts(vectors, *sizes), sizes, strict=True)
    ]

    assert pairs(nearest(vectors[-1], parts, depth)) == by_comparing_all(vectors[-1], parts, depth)


@pytest.mark.parametrize("share", [0.0005, 0.01, 0.05, 0.3, 0.9, 1.0])
def test_a_filter_changes_who_is_found_but_not_how_well(share):
    vectors = topical_vectors(20_020)
    allowed = np.random.default_rng(5).random(20_000) < share
    parts = [
        Part(part.codes, mask)
        for part, mask in zip(
            in_parts(vectors[20:], 12_000, 8_000), (allowed[:12_000], allowed[12_000:]), strict=True
        )
    ]

    shares = []
    for query in vectors[:20]:
        near = nearest(query, parts, 50)
        assert all(allowed[doc + 12_000 * part] for part, doc in pairs(near))
        wanted = by_comparing_all(query, parts, 50)
        assert len(near.doc) == len(wanted)
        shares.append(len(set(pairs(near)) & set(wanted)) / len(wanted))

    assert np.mean(shares) > 0.98


@pytest.mark.parametrize("period", [2, 3, 5, 7])
def test_a_filter_with_a_pattern_does_not_mislead_the_sample(period):
    vectors = topical_vectors(20_001)
    parts = [Part(coded(vectors[1:]), np.arange(20_000) % period == 1)]

    found = set(pairs(nearest(vectors[0], parts, 20)))

    assert len(found & set(by_comparing_all(vectors[0], parts, 20))) >= 19


def test_a_document_counts_once_with_its_best_passage():
    vectors = unit_vectors(6)
    docs = np.array([0, 0, 2, 2, 2, 5])

    near = nearest(vectors[3], [Part(coded(vectors, docs), None)], 10)

    assert near.doc[0] == 2
    assert sorted(near.doc.tolist()) == [0, 2, 5]
    assert near.cosine[0] > 0.999


def test_depth_counts_documents_even_if_one_has_most_of_the_passages():
    crowd = unit_vectors(1, 64) + 0.01 * unit_vectors(20_000, 64)
    parts = [Part(coded(np.concatenate((crowd, unit_vectors(300, 64, seed=9))), docs_of_crowd()), None)]

    near = nearest(unit_vectors(1, 64)[0], parts, 100)

    assert len(near.doc) == 100
    assert pairs(near) == by_comparing_all(unit_vectors(1, 64)[0], parts, 100)


def docs_of_crowd() -> NDArray[np.integer]:
    return np.concatenate((np.zeros(20_000, np.uint32), np.arange(1, 301, dtype=np.uint32)))


def test_the_cosine_of_a_found_document_is_that_of_all_its_passages():
    vectors = topical_vectors(20_001)
    codes = coded(vectors[1:], np.arange(20_000) // 4)

    near = nearest(vectors[0], [Part(codes, None)], 30)

    assert (near.cosine == similarities(vectors[0], codes, near.doc)).all()
    assert (np.diff(near.cosine) <= 0).all()


def test_equally_near_documents_come_in_order_of_part_and_document():
    one, other = unit_vectors(2)
    parts = in_parts(np.stack([other, one, one, other, one, one, one]), 3, 4)

    assert pairs(nearest(one, parts, 4)) == [(0, 1), (0, 2), (1, 1), (1, 2)]


@pytest.mark.parametrize("towards", [1, -1])
def test_a_store_of_copies_gives_the_first_ones(towards):
    query = unit_vectors(1, 384)[0]
    parts = in_parts(np.repeat(towards * query[None, :], 9_000, axis=0), 4_000, 5_000)

    near = nearest(query, parts, 5)

    assert pairs(near) == [(0, doc) for doc in range(5)]
    assert np.allclose(near.cosine, towards, atol=1e-3)


def test_opposites_do_not_crowd_out_what_is_near():
    vectors = topical_vectors(18_012, 384)
    others = coded(vectors[12:])

    shares = []
    for query in vectors[:12]:
        opposites = coded(np.repeat(-query[None, :], 2_000, axis=0))
        parts = [Part(others, None), Part(opposites, None)]
        wanted = by_comparing_all(query, parts, 50)
        shares.append(len(set(pairs(nearest(query, parts, 50))) & set(wanted)) / 50)

    assert np.mean(shares) > 0.98


def test_a_vector_keeps_its_cosine_in_any_company():
    vectors = unit_vectors(3_000, 384)
    codes, question = coded(vectors), asked(vectors[5])

    together = cosines(question, codes, None)

    some = np.random.default_rng(2).permutation(3_000)[:700]
    assert (cosines(question, codes, some) == together[some]).all()
    assert (similarities(vectors[5], codes, some) == together[some]).all()


def test_cosines_are_those_of_the_vectors_whatever_their_length():
    vectors = unit_vectors(500, 384) * np.linspace(0.1, 9, 500, dtype=np.float32)[:, None]
    exact = vectors @ vectors[3] / np.linalg.norm(vectors, axis=1) / np.linalg.norm(vectors[3])

    found = similarities(vectors[3], coded(vectors), np.arange(500))

    assert np.abs(found - exact).max() < 0.003
    assert np.abs(found).max() <= 1.00001


def test_similarities_come_in_the_order_of_the_documents_asked_for():
    vectors = unit_vectors(4)
    codes = coded(vectors, np.array([0, 2, 2, 7]))

    found = similarities(vectors[2], codes, np.array([7, 1, 2, 0, 2, 99]))

    assert found[2] == found[4] == found.max()
    assert found[1] == found[5] == NO_VECTOR
    assert np.allclose(found[[0, 3]], vectors[[3, 0]] @ vectors[2], atol=0.01)
    assert similarities(vectors[2], codes, np.empty(0, np.uint32)).shape == (0,)


def test_nothing_is_found_where_nothing_is():
    vectors = unit_vectors(5)
    none = Part(coded(vectors), np.zeros(5, dtype=np.bool_))
    empty = Part(coded(vectors[:0]), None)

    for parts in (
        [],
        [empty],
        [none],
        [empty, none],
        [Part(None, None)],
        [Part(empty.codes, np.zeros(0, dtype=np.bool_))],
    ):
        near = nearest(vectors[0], parts, 10)
        assert [len(column) for column in near] == [0, 0]
    assert pairs(nearest(vectors[0], [empty, none, Part(none.codes, None)], 1)) == [(2, 0)]
    assert pairs(nearest(vectors[0], [Part(none.codes, None)], 0)) == []


def test_allowed_documents_without_vectors_are_not_found():
    vectors = unit_vectors(3)
    part = Part(
        coded(vectors, np.array([1, 4, 6])), np.array([True, True, True, True, False, True, True, True])
    )

    assert sorted(nearest(vectors[1], [part], 10).doc.tolist()) == [1, 6]


@pytest.mark.parametrize("number", [0.0, np.nan, np.inf])
def test_a_query_without_a_direction_is_near_nothing(number):
    query = np.full(64, number, dtype=np.float32)
    codes = coded(unit_vectors(5))

    assert nearest(query, [Part(codes, None)], 3).doc.tolist() == []
    assert similarities(query, codes, np.array([0, 9])).tolist() == [0.0, NO_VECTOR]


def test_a_zero_vector_in_the_store_has_cosine_zero():
    vectors = unit_vectors(3)
    vectors[1] = 0

    near = nearest(vectors[0], [Part(coded(vectors), None)], 3)

    assert near.cosine[near.doc == 1].tolist() == [0.0]
    assert np.isfinite(near.cosine).all()


def test_a_query_of_another_dimension_is_refused():
    codes = coded(unit_vectors(3, 64))

    with pytest.raises(ValueError, match="32 dimensions, but the vectors have 64"):
        nearest(unit_vectors(1, 32)[0], [Part(codes, None)], 3)
    with pytest.raises(ValueError, match="vectors have 64"):
        similarities(unit_vectors(1, 32)[0], codes, np.array([0]))


def test_arrays_that_may_not_be_written_are_read():
    vectors = topical_vectors(9_001)
    codes, allowed = coded(vectors[1:]), np.arange(9_000) % 2 == 0
    for array in (*codes, allowed):
        array.flags.writeable = False

    assert len(nearest(vectors[0], [Part(codes, allowed)], 5).doc) == 5
    assert len(nearest(vectors[0], [Part(codes, None)], 5).doc) == 5


def test_a_filter_lists_the_same_slots_however_many_pass():
    codes = coded(unit_vectors(1_000), np.arange(1_000) // 2)

    for share in (0.004, 0.05, 0.5, 1.0):
        allowed = np.random.default_rng(3).random(500) < share
        (found,) = everything([allowed_in(codes, allowed)])
        slots = np.arange(1_000) if found.slots is None else found.slots
        assert slots.tolist() == np.flatnonzero(allowed[codes.docs]).tolist()


def test_more_candidates_are_wanted_of_a_larger_store_and_for_a_deeper_search():
    assert candidates(10_000, 10) < candidates(100_000, 10) < candidates(100_000, 200)


def test_differences_are_counted_over_all_words():
    bits = coded(unit_vectors(2, 384)).bits

    assert differences(bits[:, 0], ~bits).tolist()[0] == 384
    assert differences(bits[:, 0], bits).tolist()[0] == 0
