"""Folders of questions with known answers, and the haystacks they are searched in.

A set is a folder with `corpus.jsonl`, `queries.jsonl` (each may be gzipped; a line is `{"id", "text", "meta"}`) and
`qrels.tsv` (question, memory, grade). A question is searched in its `meta.candidates`, or else in all memories of the
same `meta.scope`; `meta.exclude` names memories that are dropped from its ranking before it is scored.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

SEED = "halves"
_DATE_FORMS = ("%Y/%m/%d %H:%M", "%I:%M %p on %d %B, %Y")
_WEEKDAY = re.compile(r"\s*\([A-Za-z]+\)\s*")


class Memory(NamedTuple):
    """One memory of the corpus."""

    id: str
    text: str
    created_at: datetime | None
    scope: str | None


class Question(NamedTuple):
    """One question; only its text is ever input."""

    id: str
    text: str
    relevant: frozenset[str]
    excluded: frozenset[str]
    abstention: bool | None  #: None where the set knows no such thing


class Haystack(NamedTuple):
    """Memories that are searched together, and the questions asked of them."""

    memories: tuple[Memory, ...]
    questions: tuple[Question, ...]


def sets_in(folder: Path) -> list[Path]:
    """The folder itself, or the sets that lie in it."""
    inside = sorted(folder.iterdir()) if folder.is_dir() else []
    found = [each for each in (folder, *inside) if (each / "qrels.tsv").is_file()]
    if not found:
        raise SystemExit(f"{folder} holds no set of questions: corpus.jsonl, queries.jsonl and qrels.tsv")
    return found


def haystacks(folder: Path, half: str | None = None, sample: int | None = None) -> list[Haystack]:
    """The haystacks of a set, each with the questions that were asked for."""
    corpus = {line["id"]: _memory(line) for line in _lines(folder / "corpus.jsonl")}
    relevant: dict[str, set[str]] = defaultdict(set)
    for row in (folder / "qrels.tsv").read_text(encoding="utf-8").splitlines():
        question, memory, _grade = row.split("\t")
        relevant[question].add(memory)
    lines = [line for line in _lines(folder / "queries.jsonl") if line["id"] in relevant]
    lines = _chosen(lines, half, sample)
    grouped: dict[tuple[str, ...], list[Question]] = defaultdict(list)
    for line in lines:
        grouped[_searched(line, corpus)].append(_question(line, relevant[line["id"]]))
    return [
        Haystack(tuple(corpus[name] for name in names), tuple(questions))
        for names, questions in grouped.items()
    ]


def _searched(line: dict[str, Any], corpus: dict[str, Memory]) -> tuple[str, ...]:
    meta = line["meta"]
    if "candidates" in meta:
        return tuple(meta["candidates"])
    return tuple(name for name, memory in corpus.items() if memory.scope == meta["scope"])


def _chosen(lines: list[dict[str, Any]], half: str | None, sample: int | None) -> list[dict[str, Any]]:
    """A half that depends on nothing but the questions' names, and of it a sample drawn the same way."""
    if half:
        lines = [line for line in lines if (_lot(line["id"]) % 2 == 0) == (half == "first")]
    if sample is not None and sample < len(lines):
        drawn = set(sorted((line["id"] for line in lines), key=_lot)[:sample])
        lines = [line for line in lines if line["id"] in drawn]
    return lines


def _lot(name: str) -> int:
    return int.from_bytes(hashlib.sha256(f"{SEED}\0{name}".encode()).digest()[:8])


def _lines(file: Path) -> Iterator[dict[str, Any]]:
    content = file.read_bytes() if file.exists() else gzip.decompress(Path(f"{file}.gz").read_bytes())
    # only "\n" ends a line: a text may hold other characters that count as line ends
    yield from (json.loads(line) for line in content.decode("utf-8").split("\n") if line.strip())


def _memory(line: dict[str, Any]) -> Memory:
    meta = line["meta"]
    return Memory(line["id"], line["text"], read_date(meta.get("date")), meta.get("scope"))


def _question(line: dict[str, Any], relevant: set[str]) -> Question:
    meta = line["meta"]
    excluded = frozenset(meta.get("exclude", ()))
    return Question(line["id"], line["text"], frozenset(relevant), excluded, meta.get("abstention"))


def read_date(text: str | None) -> datetime | None:
    """A moment as the sets write it, taken as UTC."""
    if text is None:
        return None
    plain = _WEEKDAY.sub(" ", text)
    for form in _DATE_FORMS:
        try:
            return datetime.strptime(plain, form).replace(tzinfo=UTC)
        except ValueError:
            continue
    moment = datetime.fromisoformat(plain)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def count(given: Sequence[Haystack]) -> int:
    """Count the questions."""
    return sum(len(haystack.questions) for haystack in given)
