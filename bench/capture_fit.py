"""Fit the weights of the reminder on labelled messages, and choose its threshold.

Logistic regression with a penalty on the weights, in which messages with and without something count the same. A
message counts by its best sentence, which is chosen anew in each round. Of lines with "repo", only owners A to E are
read. The threshold is the lowest at which no more than FIRING of the messages without anything give a reminder, each
scored by weights that were fitted without its source (its repository, or a quarter of its file).
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from bench import report
from memory_layer.usecases.remember import listen

PENALTY, ROUNDS, STEPS = 3.0, 6, 30
FIRING = 0.16
TARGETED, OWN = 0.7, 0.25  #: weights of messages drawn by cue words, and of those written for the rules


class Sample(NamedTuple):
    """A message as the model sees it."""

    sentences: np.ndarray  #: one row each, one column for every cue
    holds: bool
    source: str  #: left out together
    weight: float


def main(arguments: Sequence[str]) -> int:
    parser = report.parser("capture-fit", __doc__)
    parser.add_argument("files", type=Path, nargs="+", metavar="FILE")
    options = parser.parse_args(arguments)
    samples = [each for file in options.files for each in read(file)]
    scores = held_out(samples)
    threshold = np.quantile(
        [score for score, each in zip(scores, samples, strict=True) if counts(each)], 1 - FIRING
    )
    weights, bias = fit(samples)
    print(
        "\n".join(f'    "{name}": {weight:.2f},' for name, weight in zip(listen.CUES, weights, strict=True))
    )
    print(f"threshold {threshold - bias:.2f}")
    report.keep(options.json, "capture-fit", {"weights": list(weights), "threshold": threshold - bias})
    return 0


def counts(sample: Sample) -> bool:
    """Is it a message without anything, drawn at random?"""
    return not sample.holds and sample.weight == 1.0


def read(file: Path) -> list[Sample]:
    """Read the messages to fit on: no repositories of owners beyond E."""
    lines = [json.loads(line) for line in file.read_text(encoding="utf-8").split("\n") if line.strip()]
    return [
        Sample(
            rows(line["text"]), bool(line["keep"]), line.get("repo", f"{file} {place % 4}"), weight_of(line)
        )
        for place, line in enumerate(lines)
        if line.get("repo", "a")[0].lower() in "abcde"
    ]


def weight_of(line: dict[str, object]) -> float:
    """Weigh a message by how it was drawn."""
    return OWN if "half" in line else TARGETED if line.get("sample") == "targeted" else 1.0


def rows(text: str) -> np.ndarray:
    """Return the cues of each sentence as ones; a message without a sentence has one row of zeros."""
    found = listen.cues_of(text) or ((),)
    return np.array([[float(name in sentence) for name in listen.CUES] for sentence in found])


def held_out(samples: Sequence[Sample]) -> list[float]:
    """Score each message by weights that were fitted without its source."""
    fits = {
        source: fit([each for each in samples if each.source != source])
        for source in {s.source for s in samples}
    }
    return [float((each.sentences @ fits[each.source][0]).max() + fits[each.source][1]) for each in samples]


def fit(samples: Sequence[Sample]) -> tuple[np.ndarray, float]:
    """Return the weights and the constant."""
    holds = np.array([float(each.holds) for each in samples])
    importance = np.array([each.weight for each in samples])
    importance[holds == 1] *= importance[holds == 0].sum() / importance[holds == 1].sum()
    weights = _solve(np.array([each.sentences.max(axis=0) for each in samples]), holds, importance)
    for _ in range(ROUNDS):
        best = [each.sentences[int(np.argmax(each.sentences @ weights[:-1]))] for each in samples]
        weights = _solve(np.array(best), holds, importance)
    return weights[:-1], float(weights[-1])


def _solve(cues: np.ndarray, holds: np.ndarray, importance: np.ndarray) -> np.ndarray:
    """Fit by Newton's method; the constant, which comes last, has no penalty."""
    with_constant = np.hstack([cues, np.ones((len(cues), 1))])
    weights = np.zeros(with_constant.shape[1])
    penalty = np.full(len(weights), PENALTY)
    penalty[-1] = 1e-6
    for _ in range(STEPS):
        chance = 1 / (1 + np.exp(-with_constant @ weights))
        slope = with_constant.T @ (importance * (chance - holds)) + penalty * weights
        bend = with_constant.T @ (with_constant * (importance * chance * (1 - chance))[:, None]) + np.diag(
            penalty
        )
        weights = weights - np.linalg.solve(bend, slope)
    return weights
