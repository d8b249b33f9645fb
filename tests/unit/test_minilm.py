"""The vectors are those of the reference, whatever else a batch holds."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypedDict

import numpy as np
import pytest

from memory_layer.embed import model
from memory_layer.embed.gelu import Gelu
from memory_layer.embed.minilm import MiniLM
from memory_layer.embed.passages import PASSAGE_PIECES
from memory_layer.embed.tokenizer import LONGEST_PIECE, Tokenizer
from memory_layer.embed.weights import read_weights
from memory_layer.errors import ModelUnavailable

pytestmark = pytest.mark.model


class Golden(TypedDict):
    text: str
    ids: list[int]
    vector: list[float]


GOLDEN: list[Golden] = json.loads(Path(__file__).parents[1].joinpath("golden/minilm.json").read_text("ascii"))
SHORT = [row["text"] for row in GOLDEN if len(row["ids"]) <= PASSAGE_PIECES]


@pytest.fixture(scope="module")
def minilm(model_folder: Path) -> MiniLM:
    return model.load(model_folder)


@pytest.fixture(scope="module")
def tokenizer(model_folder: Path) -> Tokenizer:
    return Tokenizer.read(model_folder / model.VOCABULARY)


def test_the_reference_texts_are_sixty_and_reach_beyond_the_models_window():
    assert len(GOLDEN) == 60
    assert max(len(row["text"].split()) for row in GOLDEN) >= 1000
    assert max(len(row["ids"]) for row in GOLDEN) == 256


@pytest.mark.parametrize("row", GOLDEN, ids=range(len(GOLDEN)))
def test_a_text_becomes_the_same_tokens_and_vector_as_in_the_reference(
    row: Golden, minilm: MiniLM, tokenizer: Tokenizer
):
    vector = minilm.embed_query(row["text"])

    assert tokenizer.sequence(row["text"], 256) == row["ids"]
    assert vector.shape == (minilm.dimensions,)
    assert vector.dtype == np.float32
    assert np.abs(vector - np.array(row["vector"])).max() <= 1e-5


def test_no_piece_of_the_vocabulary_is_longer_than_the_tokenizer_looks(model_folder: Path):
    words = (model_folder / model.VOCABULARY).read_text("utf-8").split("\n")

    assert max(len(word.removeprefix("##")) for word in words) <= LONGEST_PIECE


def test_a_short_memory_has_the_vector_of_the_same_question(minilm: MiniLM):
    found = minilm.embed_memories(SHORT)

    assert len(found) == len(SHORT)
    for text, vectors in zip(SHORT, found, strict=True):
        assert vectors.shape == (1, minilm.dimensions)
        assert np.allclose(vectors[0], minilm.embed_query(text), atol=1e-6)


def test_the_order_of_the_texts_does_not_change_their_vectors(minilm: MiniLM):
    texts = [row["text"] for row in GOLDEN]

    forwards = minilm.embed_memories(texts)
    backwards = minilm.embed_memories(texts[::-1])[::-1]

    for one, other in zip(forwards, backwards, strict=True):
        assert one.shape == other.shape
        assert np.allclose(one, other, atol=1e-6)


def test_progress_adds_up_to_the_number_of_texts(minilm: MiniLM):
    reports: list[int] = []

    minilm.embed_memories([row["text"] for row in GOLDEN], reports.append)

    assert sum(reports) == len(GOLDEN)
    assert len(reports) > 1
    assert all(reports)


def test_nothing_to_embed_is_no_error(minilm: MiniLM):
    assert minilm.embed_memories([]) == []


def test_a_long_memory_is_found_by_a_sentence_at_its_end(minilm: MiniLM):
    filler = "The garden fence was painted green again this spring. " * 60
    [vectors] = minilm.embed_memories([filler + "The deploy key rotates every ninety days."])
    question = minilm.embed_query("how often does the deploy key rotate?")

    assert len(vectors) > 3
    assert int(np.argmax(vectors @ question)) == len(vectors) - 1


def test_vectors_have_length_one(minilm: MiniLM):
    vectors = np.concatenate(minilm.embed_memories(SHORT))

    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-6)


def test_threads_share_one_model(minilm: MiniLM):
    expected = [minilm.embed_query(text) for text in SHORT[:8]]

    with ThreadPoolExecutor(4) as threads:
        found = list(threads.map(minilm.embed_query, SHORT[:8]))

    assert np.allclose(expected, found, atol=1e-6)


def test_the_fingerprint_names_model_precision_and_weights(minilm: MiniLM):
    assert minilm.fingerprint == "all-MiniLM-L6-v2/f32/53aa5117"


def test_the_activation_is_exact_to_float32():
    at = np.linspace(-9, 9, 20_001, dtype=np.float32).reshape(3, -1)
    found = at.copy()

    Gelu()(found, np.zeros(at.shape[1], np.float32))

    assert np.abs(found - _gelu(at)).max() <= 1e-6


def _gelu(at: np.ndarray) -> np.ndarray:
    from math import erf, sqrt

    return np.array([x * (1 + erf(x / sqrt(2))) / 2 for x in at.ravel().tolist()]).reshape(at.shape)


def test_a_file_that_is_no_safetensors_is_a_clear_error(tmp_path: Path):
    broken = tmp_path / model.WEIGHTS
    broken.write_bytes(b"\x10\x00\x00\x00\x00\x00\x00\x00not json at all.")

    with pytest.raises(ModelUnavailable, match="cannot be read"):
        read_weights(broken)
