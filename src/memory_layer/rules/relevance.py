"""How a memory's relevance follows what was reported of it: slowly, within bounds, and never twice for one report."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

from memory_layer.model.outcome import OutcomeEvent
from memory_layer.model.vocabulary import Outcome

LARGEST_STEP = 0.05
DAYS_BETWEEN_STEPS = 7
LEAST, MOST = 0.1, 1.0
REPORTS_NEEDED = 3
SESSIONS_NEEDED = 2
#: What one report says for a memory; the rest of it speaks against.
SAYS = {Outcome.WORKED: 1.0, Outcome.PARTIAL: 0.5, Outcome.FAILED: 0.0}

_DECIMALS = 4


def adjusted_relevance(
    relevance: float,
    reports: Iterable[OutcomeEvent],
    set_at: datetime | None,
    now: datetime,
    largest_step: float = LARGEST_STEP,
) -> float:
    """The relevance after one step toward what was reported since it was last set, or the same.

    Only counted reports after `set_at` say anything (None: it was never changed), of each session and question the
    last one. Fewer than 3 of them, or from fewer than 2 sessions, or within a week of the last change, move nothing.
    """
    if set_at is not None and now - set_at < timedelta(days=DAYS_BETWEEN_STEPS):
        return relevance
    fresh = [each for each in reports if each.counted and (set_at is None or each.at > set_at)]
    last = {(each.session, each.query): each.result for each in fresh}
    if len(last) < REPORTS_NEEDED or len({session for session, _ in last}) < SESSIONS_NEEDED:
        return relevance
    speaks_for = sum(SAYS[result] for result in last.values())
    against = len(last) - speaks_for
    step = largest_step * (speaks_for - against) / (len(last) + 1)
    # What somebody set below the least is not raised by a failure, nor lowered.
    return round(min(MOST, max(min(LEAST, relevance), relevance + step)), _DECIMALS)
