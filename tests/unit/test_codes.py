"""Codes are small, the same everywhere, and keep what a cosine needs."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from memory_layer.store.index.codes import Codes, encode, rotated, slots_of

DIMENSIONS = st.sampled_from([8, 24, 32, 40, 64, 96, 128, 384, 768])


def unit_vectors(count: int, dimensions: int, seed: int = 1) -> NDArray[np.float32]:
    vectors = np.random.default_rng(seed).standard_normal((count, dimensions)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors


def test_the_bits_of_a_vector_are_the_same_on_every_machine_and_for_ever():
    ramp = np.arange(384, dtype=np.float32) - 100

    bits, ints, _ = encode(ramp[None, :])
    short, _, _ = encode(ramp[None, 80:120])

    assert [f"{word:016x}" for word in bits[:, 0]] == [
        "cfd2bddcdb59b4d0",
        "f7e2d6d7ffce5b0e",
        "3af5d256c93b119e",
        "d37a4c5669987f73",
        "dd971e691e9d5b08",
        "4a564aa52ef19b81",
    ]
    assert [f"{word:016x}" for word in short[:, 0]] == ["000000080f6a9b8f"]
    assert ints[0, [0, 100, 383]].tolist() == [-45, 0, 127]


@given(dimensions=DIMENSIONS, seed=st.integers(0, 1000))
@settings(max_examples=30)
def test_the_rotation_keeps_lengths_and_angles(dimensions, seed):
    vectors = unit_vectors(5, dimensions, seed)

    turned = rotated(vectors).T

    scale = np.float32(np.square(turned[0]).sum())
    assert np.allclose(turned @ turned.T / scale, vectors @ vectors.T, atol=1e-5)


def test_a_vector_of_one_number_spreads_over_all_numbers():
    single = np.eye(384, dtype=np.float32)[:20]

    turned = rotated(single)

    assert np.count_nonzero(turned) > 0.6 * turned.size
    assert np.square(turned).max() < 0.1 * np.square(turned).sum(axis=0).min()


@given(dimensions=DIMENSIONS, seed=st.integers(0, 1000), count=st.integers(0, 600))
@settings(max_examples=30)
def test_a_vector_has_the_same_code_in_any_company(dimensions, seed, count):
    vectors = unit_vectors(count + 1, dimensions, seed)

    bits, ints, scales = encode(vectors)
    alone = encode(vectors[-1:])

    assert bits.shape == (-(-dimensions // 64), count + 1)
    assert (bits[:, -1:] == alone[0]).all()
    assert (ints[-1:] == alone[1]).all()
    assert (scales[-1:] == alone[2]).all()


@given(dimensions=DIMENSIONS, seed=st.integers(0, 1000))
@settings(max_examples=30)
def test_the_bytes_are_the_vector_within_half_a_step(dimensions, seed):
    vectors = unit_vectors(40, dimensions, seed)

    _, ints, scales = encode(vectors)
    decoded = ints * scales[:, None]

    assert np.allclose(np.linalg.norm(decoded, axis=1), 1, atol=1e-5)
    steps = np.abs(vectors).max(axis=1, keepdims=True) / 127
    assert (np.abs(decoded - vectors) <= 0.6 * steps + 0.01 * np.abs(vectors)).all()


def test_lengths_do_not_matter():
    vectors = unit_vectors(50, 64)

    bits, ints, scales = encode(vectors)

    for factor in (1024.0, 2.0**-100):
        other_bits, other_ints, other_scales = encode(vectors * np.float32(factor))
        assert np.array_equal(bits, other_bits)
        assert np.array_equal(ints, other_ints)
        assert np.array_equal(scales, other_scales)


def test_the_share_of_differing_bits_is_the_angle():
    vectors = unit_vectors(300, 384)
    mixed = vectors[:-1] + vectors[1:] * np.linspace(0, 3, 299, dtype=np.float32)[:, None]

    ones, others = encode(vectors[:-1])[0], encode(mixed)[0]
    share = np.bitwise_count(ones ^ others).sum(axis=0) / 384

    cosine = (vectors[:-1] * mixed).sum(axis=1) / np.linalg.norm(mixed, axis=1)
    assert np.abs(share - np.arccos(cosine) / np.pi).max() < 0.12
    assert np.abs(share - np.arccos(cosine) / np.pi).mean() < 0.03


def test_bits_beyond_the_dimensions_are_zero():
    bits, _, _ = encode(unit_vectors(100, 72))

    assert bits.shape == (2, 100)
    assert (bits[1] < 2**8).all()


@pytest.mark.parametrize("number", [0.0, np.nan, np.inf, -np.inf])
def test_a_vector_without_a_direction_becomes_nothing(number):
    vectors = unit_vectors(3, 32)
    vectors[1] = number

    with np.errstate(all="raise"):
        bits, ints, scales = encode(vectors)

    assert not bits[:, 1].any()
    assert not ints[1].any()
    assert scales[1] == 0
    assert (encode(vectors[[0, 2]])[1] == ints[[0, 2]]).all()


def test_no_vectors_give_empty_codes():
    bits, ints, scales = encode(np.empty((0, 384), dtype=np.float32))

    assert bits.shape == (6, 0)
    assert ints.shape == (0, 384)
    assert scales.shape == (0,)


@pytest.mark.parametrize("dimensions", [0, 4, 12, 383])
def test_dimensions_that_do_not_fill_bytes_are_refused(dimensions):
    with pytest.raises(ValueError, match=f"multiple of 8 dimensions, not {dimensions}"):
        encode(np.ones((2, dimensions), dtype=np.float32))


def test_the_slots_of_documents_come_in_the_order_asked_for():
    docs = np.array([0, 0, 3, 4, 4, 4], dtype=np.uint32)
    codes = Codes(*encode(unit_vectors(6, 32)), docs)

    slots, counts = slots_of(codes, np.array([4, 1, 0, 9, 3]))

    assert slots.tolist() == [3, 4, 5, 0, 1, 2]
    assert counts.tolist() == [3, 0, 2, 0, 1]
