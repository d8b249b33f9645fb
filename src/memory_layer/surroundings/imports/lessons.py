"""Read the lessons of a learner: statements with the runs that support them, one JSON object per line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from memory_layer.model.imports import EVIDENCE, ForeignMemory, Skipped
from memory_layer.model.memory import Draft
from memory_layer.model.vocabulary import Category, Source
from memory_layer.surroundings.imports.fields import category, content, listed, moment, name, share

SCHEMA = 1
MOST_RUNS = 100
LONGEST_ID = 100
_NUMBERS = ("reward", "baseline", "samples")


def memories(
    entries: Iterable[tuple[str, Mapping[str, Any]]], skipped: list[Skipped]
) -> Iterator[ForeignMemory]:
    """Yield each lesson that names its runs; skip the others with the reason."""
    for where, entry in entries:
        if reason := _refused(entry):
            skipped.append(Skipped(where, reason))
            continue
        evidence = _evidence(entry["evidence"])
        yield ForeignMemory(
            where=where,
            project=name(entry.get("project")),
            draft=Draft(
                content=content(entry.get("content")),
                category=category(entry.get("category")) or Category.LEARNING,
                scope=listed(entry.get("scope")),
                tags=listed(entry.get("tags")),
                confidence=share(entry.get("confidence")),
                source=Source.LEARNING,
                source_run_id=evidence["runs"][0],
                created_at=moment(entry.get("created_at")),
                metadata={EVIDENCE: evidence},
            ),
        )


def _refused(entry: Mapping[str, Any]) -> str | None:
    """Say why an entry cannot be taken; None if it can."""
    if entry.get("type") != "learning":
        return "not of the type `learning`"
    if entry.get("schema_version", SCHEMA) != SCHEMA:
        return f"of another schema version than {SCHEMA}"
    evidence = entry.get("evidence")
    if not isinstance(evidence, dict) or not _runs(evidence):
        return "without evidence: `evidence.runs` must name the runs it was learned from"
    return None


def _runs(evidence: Mapping[str, Any]) -> list[str]:
    runs = evidence.get("runs")
    named = [each for each in runs if isinstance(each, str)] if isinstance(runs, list) else []
    return [each for each in dict.fromkeys(named) if each.strip() and len(each) <= LONGEST_ID]


def _evidence(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parts of the evidence that have a meaning here."""
    runs = _runs(given)
    kept: dict[str, Any] = {"runs": runs[:MOST_RUNS]}
    if len(runs) > MOST_RUNS:
        kept["runs_left_out"] = len(runs) - MOST_RUNS
    kept |= {key: given[key] for key in _NUMBERS if _is_number(given.get(key))}
    if isinstance(given.get("method"), str):
        kept["method"] = given["method"][:200]
    return kept


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
