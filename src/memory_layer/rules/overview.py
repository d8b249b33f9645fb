"""Choose the commands that a person or an agent should run next."""

from __future__ import annotations

from collections.abc import Iterator

from memory_layer.model.overview import CONNECT, LATELY_DAYS, NextStep, Overview
from memory_layer.model.query import Mode

MOST_STEPS = 3
#: The first steps in an empty store or project.
BEGIN = (
    NextStep('mem add "The build needs Java 21" -c environment', "store a first memory"),
    NextStep("mem import .", "import rules files such as CLAUDE.md"),
    NextStep(CONNECT, "connect your agents"),
)


def next_steps(overview: Overview) -> tuple[NextStep, ...]:
    """Return at most three steps, most urgent first."""
    return BEGIN if not overview.stats.total else tuple(_urgent(overview))[:MOST_STEPS]


def _urgent(overview: Overview) -> Iterator[NextStep]:
    stats = overview.stats
    if overview.handoff:
        yield NextStep("mem handoff", "read what the last session left")
    if sum(overview.waiting.values()):
        yield NextStep("mem review", "decide what is waiting")
    if stats.search_mode is Mode.KEYWORD:
        yield NextStep("mem model install", "search by meaning, not only by words")
    elif stats.waiting:
        yield NextStep("mem embed", "compute missing vectors")
    if not any(overview.recent_outcomes.values()):
        yield NextStep("mem outcome ID worked", f"report what helped; nothing was in {LATELY_DAYS} days")
    yield NextStep('mem search "how do we deploy"', "find what is known")
    yield NextStep('mem context --task "fix the login"', "collect what a task needs")
