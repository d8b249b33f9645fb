"""The weights of all-MiniLM-L6-v2, memory-mapped: nothing is copied, and a page is read at first use."""

from __future__ import annotations

import json
import math
import mmap
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from memory_layer.errors import ModelUnavailable
from memory_layer.model.record import NamedTuple

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

LAYERS = 6
WIDTH = 384


class Dense(NamedTuple):
    """A linear map: `x @ weight.T + bias`."""

    weight: Floats
    bias: Floats


class Norm(NamedTuple):
    """Scale and shift of a layer normalisation."""

    scale: Floats
    shift: Floats


class TransformerLayer(NamedTuple):
    """One transformer layer."""

    attend: Dense  #: key, query and value in one, see `_attend`
    gather: Dense
    attend_norm: Norm
    widen: Dense
    narrow: Dense
    narrow_norm: Norm


class Weights(NamedTuple):
    """All tensors of the model."""

    words: Floats
    positions: Floats
    kinds: Floats
    norm: Norm
    layers: tuple[TransformerLayer, ...]


def read_weights(path: Path) -> Weights:
    """Map a safetensors file with this model's shape."""
    try:
        with path.open("rb") as file:
            tensors = _Tensors(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
        return Weights(
            words=tensors.get("embeddings.word_embeddings.weight"),
            positions=tensors.get("embeddings.position_embeddings.weight"),
            kinds=tensors.get("embeddings.token_type_embeddings.weight"),
            norm=tensors.norm("embeddings.LayerNorm"),
            layers=tuple(_layer(tensors, f"encoder.layer.{number}") for number in range(LAYERS)),
        )
    except (OSError, ValueError, KeyError) as error:
        raise ModelUnavailable(f"The model file {path} cannot be read; run `mem model install`.") from error


def _layer(tensors: _Tensors, name: str) -> TransformerLayer:
    return TransformerLayer(
        attend=_attend(tensors, f"{name}.attention.self"),
        gather=tensors.dense(f"{name}.attention.output.dense"),
        attend_norm=tensors.norm(f"{name}.attention.output.LayerNorm"),
        widen=tensors.dense(f"{name}.intermediate.dense"),
        narrow=tensors.dense(f"{name}.output.dense"),
        narrow_norm=tensors.norm(f"{name}.output.LayerNorm"),
    )


def _attend(tensors: _Tensors, name: str) -> Dense:
    """Join key, query and value without copying them.

    The file stores each of the three behind its bias, which is as long as a row of the matrix. Read as one matrix they
    take one multiplication, with three extra columns (the biases as rows) that are ignored.
    """
    parts = [f"{name}.{part}.{half}" for part in ("key", "query", "value") for half in ("bias", "weight")]
    weight = tensors.joined(parts).reshape(3 * (WIDTH + 1), WIDTH)
    bias = np.zeros((3, WIDTH + 1), np.float32)
    bias[:, 1:] = [tensors.get(part) for part in parts[::2]]
    return Dense(weight, bias.reshape(-1))


class _Tensors:
    """The tensors of a mapped safetensors file: eight bytes of length, a JSON header, the numbers."""

    def __init__(self, mapped: mmap.mmap) -> None:
        self._mapped = mapped
        self._begin = 8 + int.from_bytes(mapped[:8], "little")
        self._header: dict[str, dict[str, list[int]]] = json.loads(mapped[8 : self._begin])

    def get(self, name: str) -> Floats:
        return self.joined([name]).reshape(self._header[name]["shape"])

    def joined(self, names: list[str]) -> Floats:
        """Return adjacent tensors as one flat array."""
        spans = [self._header[name]["data_offsets"] for name in names]
        if any(one[1] != other[0] for one, other in pairwise(spans)):
            raise ValueError("tensors are not neighbours: " + ", ".join(names))
        size = sum(math.prod(self._header[name]["shape"]) for name in names)
        return np.frombuffer(self._mapped, np.dtype("<f4"), size, self._begin + spans[0][0])

    def dense(self, name: str) -> Dense:
        return Dense(self.get(f"{name}.weight"), self.get(f"{name}.bias"))

    def norm(self, name: str) -> Norm:
        return Norm(self.get(f"{name}.weight"), self.get(f"{name}.bias"))
