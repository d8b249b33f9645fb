"""Totals over the memories that filters let through."""

from __future__ import annotations

import os
from datetime import datetime
from typing import TYPE_CHECKING

from memory_layer.model.query import Mode, Stats
from memory_layer.model.vocabulary import Category, Tier
from memory_layer.store.sqlite.filters import where

if TYPE_CHECKING:
    from pathlib import Path

    from memory_layer.model.query import Filters
    from memory_layer.store.sqlite.connection import Connections

#: The bounds of a good and a bad record in the totals.
HIGH, LOW = 0.5, -0.5


def stats(connection: Connections, filters: Filters, now: datetime) -> Stats:
    """Totals over everything the filters let through, whatever its status."""
    condition, parameters = where(filters, now)
    groups = connection.rows(
        "select m.status, m.category, m.tier, count(*) as n, sum(m.outcome_score) as score,"
        f" sum(m.tokens) as tokens, sum(m.outcome_score > {HIGH}) as high, sum(m.outcome_score < {LOW}) as low,"
        " sum(m.status = 'archived' and m.reason is 'outcome') as given_up"
        f" from memory m where {condition} group by m.status, m.category, m.tier",
        parameters,
    )
    active = [group for group in groups if group["status"] == "active"]
    count = {
        status: sum(group["n"] for group in groups if group["status"] == status)
        for status in ("active", "archived", "staged")
    }
    by_category: dict[Category, int] = {}
    by_tier = dict.fromkeys(Tier, 0)
    for group in groups:
        category = Category(group["category"])
        by_category[category] = by_category.get(category, 0) + group["n"]
        by_tier[Tier(group["tier"])] += group["n"]
    high, low = sum(group["high"] for group in active), sum(group["low"] for group in active)
    return Stats(
        total=sum(count.values()),
        active=count["active"],
        archived=count["archived"],
        archived_by_outcome=sum(group["given_up"] for group in groups),
        staged=count["staged"],
        by_category=dict(sorted(by_category.items(), key=lambda item: (-item[1], item[0].value))),
        high=high,
        neutral=count["active"] - high - low,
        low=low,
        average_outcome=sum(group["score"] for group in active) / max(1, count["active"]),
        tokens_stored=sum(group["tokens"] for group in groups),
        size_bytes=_size(connection.path),
        search_mode=Mode.KEYWORD,
        by_tier=by_tier,
    )


def _size(path: Path) -> int:
    """The bytes of the file and of the log SQLite keeps beside it."""
    total = 0
    for name in (path, f"{path}-wal"):
        try:
            total += os.path.getsize(name)
        except FileNotFoundError:
            continue
    return total
