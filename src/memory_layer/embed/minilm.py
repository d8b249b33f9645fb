"""all-MiniLM-L6-v2: the reference's vectors, without torch.

In the forward pass the texts of a batch are laid end to end, without padding: every linear map is one multiplication
over all their tokens, and only attention looks at the texts, one length at a time.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

import numpy as np

from memory_layer.blas import blas_threads
from memory_layer.embed.weights import WIDTH
from memory_layer.model.record import NamedTuple

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from memory_layer.embed.tokenizer import Tokenizer
    from memory_layer.embed.weights import Dense, Floats, Norm, TransformerLayer, Weights

LINES_PER_UNIT = 1024
REACH = 6  #: beyond ±6 the function is x or 0 to float32 accuracy
ROWS_AT_ONCE = 32  #: keeps the scratch space inside the processor's cache


HEADS = 12
HEAD_WIDTH = WIDTH // HEADS
WIDENED = 4 * WIDTH
SCORES_AT_ONCE = 1 << 17  #: attention weights computed together, so that they stay in the processor's cache
FEW_ROWS = 64  #: up to so many are multiplied the other way round
ROW_MULTIPLE = 4  #: a multiplication is up to a quarter slower when its rows are not a multiple of this


def _lines() -> tuple[Floats, Floats]:
    """Return base and slope of each line, with one more on either side for the tails."""
    middles = (np.arange(REACH * LINES_PER_UNIT) + 0.5) / LINES_PER_UNIT
    # The midpoint rule integrates the normal density to 1e-8 at this step.
    upper = 0.5 + np.cumsum(np.exp(-(middles**2) / 2)) / (LINES_PER_UNIT * np.sqrt(2 * np.pi))
    normal = np.concatenate([1 - upper[::-1], [0.5], upper])
    at = np.arange(-REACH * LINES_PER_UNIT, REACH * LINES_PER_UNIT + 1) / LINES_PER_UNIT
    slope = np.diff(at * normal) * LINES_PER_UNIT
    base = (at * normal)[:-1] - slope * at[:-1]
    return (
        np.concatenate([[0], base, [0]]).astype(np.float32),
        np.concatenate([[0], slope, [1]]).astype(np.float32),
    )


class Gelu:
    """Bias and GELU activation, applied in place by a table of line segments."""

    def __init__(self) -> None:
        self._base, self._slope = _lines()

    def __call__(self, rows: Floats, bias: Floats) -> None:
        width = rows.shape[1]
        height = min(ROWS_AT_ONCE, len(rows))
        line = np.empty((height, width), np.intp)
        scratch = np.empty((height, width), np.float32)
        for start in range(0, len(rows), height):
            part = rows[start : start + height]
            self._apply(part, bias, line[: len(part)], scratch[: len(part)])

    def _apply(self, part: Floats, bias: Floats, line: NDArray[np.intp], scratch: Floats) -> None:
        part += bias
        np.multiply(part, np.float32(LINES_PER_UNIT), out=scratch)
        scratch += np.float32(REACH * LINES_PER_UNIT + 1)
        np.copyto(line, scratch, casting="unsafe")
        part *= self._slope.take(line, out=scratch, mode="clip")
        part += self._base.take(line, out=scratch, mode="clip")


class _Run(NamedTuple):
    """Neighbouring texts of a batch that have the same number of tokens."""

    start: int
    texts: int
    length: int

    @property
    def rows(self) -> slice:
        return slice(self.start, self.start + self.texts * self.length)


class _Space(NamedTuple):
    """Buffers for intermediate results, shared by all layers of a batch."""

    mixed: Floats
    seen: Floats
    wide: Floats
    narrow: Floats


class Transformer:
    """The forward pass: token ids in, one unit vector out."""

    def __init__(self, weights: Weights, most_tokens: int) -> None:
        self._weights = weights
        self._gelu = Gelu()
        self._places = weights.positions[:most_tokens] + weights.kinds[0]

    def encode(self, sequences: Sequence[list[int]]) -> Floats:
        """Return a row for each sequence; equal lengths should be neighbours, or attention takes them one by one."""
        runs = list(_runs(sequences))
        tokens = runs[-1].rows.stop
        hidden = np.zeros((tokens + -tokens % ROW_MULTIPLE, WIDTH), np.float32)
        self._look_up(sequences, runs, hidden[:tokens])
        _normalise(hidden, self._weights.norm)
        space = _space(len(hidden))
        for layer in self._weights.layers:
            self._pass(layer, hidden, runs, space)
        return _pooled(hidden[:tokens], sequences)

    def _look_up(self, sequences: Sequence[list[int]], runs: list[_Run], hidden: Floats) -> None:
        ids = np.fromiter((each for ids in sequences for each in ids), np.intp, len(hidden))
        self._weights.words.take(ids, axis=0, out=hidden, mode="clip")
        for run in runs:
            texts = hidden[run.rows].reshape(run.texts, run.length, WIDTH)
            texts += self._places[: run.length]

    def _pass(self, layer: TransformerLayer, hidden: Floats, runs: list[_Run], space: _Space) -> None:
        """Apply one layer to the tokens, in place."""
        _linear(hidden, layer.attend, space.mixed)
        for run in runs:
            _attend(space.mixed[run.rows], space.seen[run.rows], run)
        _linear(space.seen, layer.gather, space.narrow)
        hidden += space.narrow
        _normalise(hidden, layer.attend_norm)
        _multiply(hidden, layer.widen, space.wide)
        self._gelu(space.wide, layer.widen.bias)
        _linear(space.wide, layer.narrow, space.narrow)
        hidden += space.narrow
        _normalise(hidden, layer.narrow_norm)


def _runs(sequences: Sequence[list[int]]) -> Iterator[_Run]:
    start = 0
    for length, same in groupby(map(len, sequences)):
        run = _Run(start, len(list(same)), length)
        yield run
        start = run.rows.stop


def _space(tokens: int) -> _Space:
    # `seen` starts as zeros because attention leaves the rows that only fill up to a multiple untouched.
    return _Space(
        mixed=np.empty((tokens, 3 * (WIDTH + 1)), np.float32),
        seen=np.zeros((tokens, WIDTH), np.float32),
        wide=np.empty((tokens, WIDENED), np.float32),
        narrow=np.empty((tokens, WIDTH), np.float32),
    )


def _linear(rows: Floats, dense: Dense, out: Floats) -> None:
    _multiply(rows, dense, out)
    out += dense.bias


def _multiply(rows: Floats, dense: Dense, out: Floats) -> None:
    if len(rows) <= FEW_ROWS:
        # With few rows the library spends most of its time on laying out the weights, less so if they come first.
        out[:] = np.matmul(dense.weight, rows.T).T
    else:
        np.matmul(rows, dense.weight.T, out=out)


def _attend(mixed: Floats, seen: Floats, run: _Run) -> None:
    """Apply self-attention within each text; the texts all have the same length."""
    parts = mixed.reshape(run.texts, run.length, 3, WIDTH + 1)[..., 1:]
    heads = parts.reshape(run.texts, run.length, 3, HEADS, HEAD_WIDTH).transpose(2, 0, 3, 1, 4)
    out = seen.reshape(run.texts, run.length, HEADS, HEAD_WIDTH).transpose(0, 2, 1, 3)
    at_once = max(1, SCORES_AT_ONCE // (HEADS * run.length**2))
    for start in range(0, run.texts, at_once):
        texts = slice(start, start + at_once)
        key, query, value = heads[:, texts]
        _mix(query, key, value, out[texts])


def _mix(query: Floats, key: Floats, value: Floats, out: Floats) -> None:
    scores = np.matmul(query * np.float32(HEAD_WIDTH**-0.5), key.swapaxes(-1, -2))
    scores -= scores.max(axis=-1, keepdims=True)
    np.exp(scores, out=scores)
    np.matmul(scores, value, out=out)
    # Dividing afterwards touches fewer numbers than dividing the scores.
    out /= scores.sum(axis=-1, keepdims=True)


def _normalise(rows: Floats, norm: Norm) -> None:
    rows -= np.add.reduce(rows, axis=1, keepdims=True) / np.float32(WIDTH)
    variance = np.einsum("ij,ij->i", rows, rows) / np.float32(WIDTH)
    rows /= np.sqrt(variance + np.float32(1e-12))[:, None]
    rows *= norm.scale
    rows += norm.shift


def _pooled(rows: Floats, sequences: Sequence[list[int]]) -> Floats:
    """Return the mean of each text's tokens, normalised to length 1."""
    ends = np.cumsum([len(ids) for ids in sequences])
    starts = np.concatenate([[0], ends[:-1]])
    vectors = np.add.reduceat(rows, starts, axis=0)
    vectors /= np.sqrt(np.einsum("ij,ij->i", vectors, vectors))[:, None]
    return vectors


MOST_TOKENS = 256  #: of one text, start and end mark included; the model was trained on no more
BATCH_TOKENS = 1024  #: taken through the layers together; more is no faster
BATCHES_PER_WORKER = 4  #: sorted by length together; bounds memory and paces the progress report
MOST_WORKERS = 8

Parts = list[list[int]]  #: the token ids of each passage of a text


class MiniLM:
    """An encoder of text to unit vectors; the closer two meanings, the larger the dot product."""

    dimensions = WIDTH

    def __init__(self, weights: Weights, tokenizer: Tokenizer, fingerprint: str) -> None:
        self.fingerprint = fingerprint
        self._tokenizer = tokenizer
        self._transformer = Transformer(weights, MOST_TOKENS)
        self._blas = blas_threads()
        self._workers = min(_cores(), MOST_WORKERS)

    def knows(self, word: str) -> bool:
        """Return whether a word is one of the language, as far as the vocabulary goes."""
        return self._tokenizer.is_word(word)

    def embed_query(self, text: str) -> Floats:
        """Return the vector of the text's first 256 tokens."""
        with self._blas.single():
            vector: Floats = self._transformer.encode([self._tokenizer.sequence(text, MOST_TOKENS)])[0]
        return vector

    def embed_memories(
        self, texts: Sequence[str], progress: Callable[[int], None] | None = None
    ) -> list[Floats]:
        """Return for each text, in order, one row per passage; report how many texts were finished."""
        found: list[Floats] = []
        for group in self._groups(texts):
            found += self._embed(group)
            if progress:
                progress(len(group))
        return found

    def _groups(self, texts: Sequence[str]) -> Iterator[list[Parts]]:
        """Yield neighbouring texts that together keep all workers busy for a moment."""
        from memory_layer.embed.passages import passages  # a question is one, whatever its length

        enough = BATCH_TOKENS * BATCHES_PER_WORKER * self._workers
        group: list[Parts] = []
        tokens = 0
        for text in texts:
            cut = passages(text, self._tokenizer)
            group.append([self._tokenizer.sequence(part, MOST_TOKENS) for part in cut])
            tokens += sum(map(len, group[-1]))
            if tokens >= enough:
                yield group
                group, tokens = [], 0
        if group:
            yield group

    def _embed(self, group: list[Parts]) -> list[Floats]:
        parts = [part for text in group for part in text]
        batches = list(_batches(parts))
        vectors = np.empty((len(parts), WIDTH), np.float32)
        encoded = self._encode_all([[parts[at] for at in batch] for batch in batches])
        for batch, rows in zip(batches, encoded, strict=True):
            vectors[batch] = rows
        ends = np.cumsum([len(text) for text in group])
        return np.split(vectors, ends[:-1])

    def _encode_all(self, batches: list[Parts]) -> list[Floats]:
        with self._blas.single():
            if self._workers == 1 or len(batches) == 1:
                return [self._transformer.encode(batch) for batch in batches]
            # Imported here because a single query, the common case, would wait for it.
            from concurrent.futures import ThreadPoolExecutor

            with ThreadPoolExecutor(self._workers) as workers:
                return list(workers.map(self._transformer.encode, batches))


def _cores() -> int:
    """Return the number of processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _batches(parts: Parts) -> Iterator[list[int]]:
    """Yield batches of part numbers, parts of similar length together."""
    batch: list[int] = []
    tokens = 0
    for at in sorted(range(len(parts)), key=lambda number: len(parts[number])):
        if batch and tokens + len(parts[at]) > BATCH_TOKENS:
            yield batch
            batch, tokens = [], 0
        batch.append(at)
        tokens += len(parts[at])
    if batch:
        yield batch
