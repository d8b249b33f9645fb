"""The vectors are those of the reference, whatever else a batch holds."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from math import erf, sqrt
from pathlib import Path
from typing import TypedDict

import numpy as np
import pytest

from memory_layer.blas import BlasThreads
from memory_layer.embed import model
from memory_layer.embed.minilm import Gelu, MiniLM
from memory_layer.embed.passages import PASSAGE_PIECES
from memory_layer.embed.tokenizer import FEW, LONGEST_PIECE, Tokenizer, Vocabulary
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


@pytest.fixture(scope="module")
def embedded(minilm: MiniLM) -> list[np.ndarray]:
    """The short texts, embedded together."""
    return minilm.embed_memories(SHORT)


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


def test_a_short_memory_has_the_vector_of_the_same_question(minilm: MiniLM, embedded: list[np.ndarray]):
    assert len(embedded) == len(SHORT)
    assert all(vectors.shape == (1, minilm.dimensions) for vectors in embedded)
    for text, vectors in list(zip(SHORT, embedded, strict=True))[::4]:
        assert np.allclose(vectors[0], minilm.embed_query(text), atol=1e-6)


def test_the_company_of_other_texts_does_not_change_a_vector(
    minilm: MiniLM, embedded: list[np.ndarray], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("memory_layer.embed.minilm.BATCH_TOKENS", 100)
    backwards = minilm.embed_memories(SHORT[::-1])[::-1]

    for one, other in zip(embedded, backwards, strict=True):
        assert np.allclose(one, other, atol=1e-6)


def test_progress_adds_up_to_the_number_of_texts(minilm: MiniLM, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("memory_layer.embed.minilm.BATCH_TOKENS", 16)
    reports: list[int] = []

    minilm.embed_memories(SHORT[:20], reports.append)

    assert sum(reports) == 20
    assert len(reports) > 1
    assert all(reports)


def test_nothing_to_embed_is_no_error(minilm: MiniLM):
    assert minilm.embed_memories([]) == []


def test_a_long_memory_is_found_by_a_sentence_at_its_end(minilm: MiniLM):
    filler = "The garden fence was painted green again this spring. " * 40
    [vectors] = minilm.embed_memories([filler + "The deploy key rotates every ninety days."])
    question = minilm.embed_query("how often does the deploy key rotate?")

    assert len(vectors) > 3
    assert int(np.argmax(vectors @ question)) == len(vectors) - 1


def test_vectors_have_length_one(embedded: list[np.ndarray]):
    assert np.allclose(np.linalg.norm(np.concatenate(embedded), axis=1), 1, atol=1e-6)


def test_threads_share_one_model(minilm: MiniLM):
    expected = [minilm.embed_query(text) for text in SHORT[:8]]

    with ThreadPoolExecutor(4) as threads:
        found = list(threads.map(minilm.embed_query, SHORT[:8]))

    assert np.allclose(expected, found, atol=1e-6)


def test_the_fingerprint_names_model_precision_and_weights(minilm: MiniLM):
    assert minilm.fingerprint == "all-MiniLM-L6-v2/f32/53aa5117"


def test_matrices_are_multiplied_by_one_thread_until_the_last_user_is_done():
    turned: list[int] = [4]
    dial = BlasThreads(lambda: turned[-1], turned.append)

    with dial.single():
        with dial.single():
            inside = turned[-1]
        still_inside = turned[-1]

    assert (inside, still_inside) == (1, 1)
    assert turned == [4, 1, 4]


def test_the_activation_is_exact_to_float32():
    at = np.linspace(-9, 9, 20_001, dtype=np.float32).reshape(3, -1)
    found = at.copy()

    Gelu()(found, np.zeros(at.shape[1], np.float32))

    assert np.abs(found - _gelu(at)).max() <= 1e-6


def _gelu(at: np.ndarray) -> np.ndarray:
    return np.array([x * (1 + erf(x / sqrt(2))) / 2 for x in at.ravel().tolist()]).reshape(at.shape)


def test_a_file_that_is_no_safetensors_is_a_clear_error(tmp_path: Path):
    broken = tmp_path / model.WEIGHTS
    broken.write_bytes(b"\x10\x00\x00\x00\x00\x00\x00\x00not json at all.")

    with pytest.raises(ModelUnavailable, match="cannot be read"):
        read_weights(broken)


def test_a_piece_has_the_same_number_before_and_after_there_is_a_dictionary(model_folder: Path):
    listed = model_folder.joinpath(model.VOCABULARY).read_bytes()
    pieces = listed.decode().split("\n")[:-1]
    numbers = {piece: number for number, piece in enumerate(pieces)}
    asked = [
        *pieces[:: len(pieces) // FEW],
        pieces[-1],
        "",
        "zzzz",
        "##",
        "credential",
        "credentialsx",
        "\ud800",
    ]
    few, many = Vocabulary(listed), Vocabulary(listed)
    for piece in pieces[: FEW + 1]:
        many.get(piece)

    assert [few.get(piece) for piece in asked[-FEW:]] == [numbers.get(piece) for piece in asked[-FEW:]]
    assert [many.get(piece) for piece in asked] == [numbers.get(piece) for piece in asked]


def test_few_rows_are_multiplied_as_many_are(minilm: MiniLM):
    """They take another way, for time's sake."""
    text = "The upload fails now and then, and a retry helps."
    alone = minilm.embed_query(text)
    among = minilm.embed_memories([f"{text} ", *(f"{text} {number}" for number in range(20))])[0][0]

    assert np.abs(alone - among).max() < 1e-6
