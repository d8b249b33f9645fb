"""Totals over the memories that filters let through."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from memory_layer.model.query import HIGH, LOW, Total
from memory_layer.model.vocabulary import Category, Reason, Status, Tier
from memory_layer.store.sqlite.filters import where

if TYPE_CHECKING:
    from memory_layer.model.query import Filters
    from memory_layer.store.sqlite.connection import Connections


def totals(connection: Connections, filters: Filters, now: datetime) -> list[Total]:
    """Return sums over everything the filters let through, one for each kind of memory that is there."""
    condition, parameters = where(filters, now)
    groups = connection.rows(
        "select g.*, p.key from (select m.project, m.status, m.reason, m.category, m.tier, count(*) as n,"
        " sum(m.outcome_score) as score, sum(m.tokens) as tokens,"
        f" sum(m.outcome_score > {HIGH}) as high, sum(m.outcome_score < {LOW}) as low"
        f" from memory m where {condition} group by m.project, m.status, m.reason, m.category, m.tier) g"
        " left join project p on p.row = g.project",
        parameters,
    )
    return [
        Total(
            project=group["key"],
            status=Status(group["status"]),
            reason=Reason(group["reason"]) if group["reason"] else None,
            category=Category(group["category"]),
            tier=Tier(group["tier"]),
            memories=group["n"],
            outcome_score=group["score"],
            tokens=group["tokens"],
            high=group["high"],
            low=group["low"],
        )
        for group in groups
    ]
