"""Interface to the reports and recalls of a time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from memory_layer.model.insights import Asked, Funnel, GivenItem, Reported
    from memory_layer.model.query import Filters


class InsightRows(Protocol):
    """Reports and recalls since a time, newest first and never more than a limit."""

    def reports(self, filters: Filters, since: datetime, most: int) -> list[Reported]: ...

    def asked(self, filters: Filters, since: datetime, most: int) -> list[Asked]: ...

    def given(self, recalls: Sequence[int]) -> list[GivenItem]: ...

    def funnel(self, filters: Filters, since: datetime, most: int) -> Funnel: ...
