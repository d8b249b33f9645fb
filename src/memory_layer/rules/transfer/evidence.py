"""Word the evidence of a lesson for the person who decides about it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from memory_layer.model.imports import EVIDENCE
from memory_layer.model.runs import RunResult


def with_results(evidence: Mapping[str, Any], results: Sequence[RunResult]) -> dict[str, Any]:
    """Return the evidence with how its runs ended in this store: the part that no file can invent."""
    worked = sum(result is RunResult.WORKED for result in results)
    return {**evidence, "known_runs": len(results), "worked": worked}


def evidence_in_words(metadata: Mapping[str, object]) -> str:
    """Say what supports a lesson: the runs known here, and what the learner claims."""
    evidence = metadata.get(EVIDENCE)
    if not isinstance(evidence, Mapping):
        return "without evidence"
    named, known = len(evidence.get("runs", ())), evidence.get("known_runs", 0)
    runs = "1 run" if named == 1 else f"{named} runs"
    here = f"{known} known here, {evidence.get('worked', 0)} of them worked" if known else "none known here"
    claims = [f"{name} {evidence[name]:g}" for name in ("reward", "baseline") if name in evidence]
    return f"learned from {runs} ({here})" + (f"; the learner reports {', '.join(claims)}" if claims else "")
