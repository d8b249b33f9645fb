"""Sum up what is stored."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from math import fsum
from typing import TYPE_CHECKING

from memory_layer.model.query import Filters, Mode, Stats, Total
from memory_layer.model.vocabulary import Category, Reason, Status, Tier

if TYPE_CHECKING:
    from memory_layer.ports import Engine

#: Everything that is not archived, whether or not it is given out.
LIVE = Filters(
    statuses=tuple(each for each in Status if each is not Status.ARCHIVED), expired=True, superseded=True
)


def live_by_project(engine: Engine) -> Counter[str | None]:
    """Return the number of live memories by the key of their project."""
    found: Counter[str | None] = Counter()
    for total in engine.store.memories.totals(LIVE, engine.now()):
        found[total.project] += total.memories
    return found


def summed(totals: Iterable[Total], mode: Mode, size_bytes: int) -> Stats:
    """Return the figures of a store from its totals."""
    totals = list(totals)
    active = [each for each in totals if each.status is Status.ACTIVE]
    by_status: Counter[Status] = Counter()
    by_category: Counter[Category] = Counter()
    by_tier = dict.fromkeys(Tier, 0)
    for each in totals:
        by_status[each.status] += each.memories
        by_category[each.category] += each.memories
        by_tier[each.tier] += each.memories
    high, low = sum(each.high for each in active), sum(each.low for each in active)
    given_up = [each for each in totals if each.status is Status.ARCHIVED and each.reason is Reason.OUTCOME]
    count = by_status[Status.ACTIVE]
    return Stats(
        total=sum(by_status.values()),
        active=count,
        archived=by_status[Status.ARCHIVED],
        archived_by_outcome=sum(each.memories for each in given_up),
        staged=by_status[Status.STAGED],
        by_category=dict(sorted(by_category.items(), key=lambda item: (-item[1], item[0].value))),
        high=high,
        neutral=count - high - low,
        low=low,
        average_outcome=fsum(each.outcome_score for each in active) / max(1, count),
        tokens_stored=sum(each.tokens for each in totals),
        size_bytes=size_bytes,
        search_mode=mode,
        by_tier=by_tier,
    )
