"""Counts beside a list, and what happened week by week."""

from __future__ import annotations

from collections import Counter
from datetime import date, timedelta

from memory_layer.model.lists import WEEKS_MOST, Facets, Week, Weekly
from memory_layer.model.query import Filters, Reports
from memory_layer.model.vocabulary import FAMILIES, Status
from memory_layer.ports import Engine
from memory_layer.rules.insights import monday_of, weeks_until
from memory_layer.usecases.govern.visibility import shown
from memory_layer.usecases.look_up.wording import wording_of


def facets(engine: Engine, filters: Filters, text: str | None = None) -> Facets:
    """Count the memories of a list by each value of what they can be filtered by."""
    with engine.store.reading():
        wording = wording_of(engine, text)
        found = engine.store.memories.facets(filters, engine.now(), wording)
        if filters.statuses != (Status.ACTIVE,) and not engine.is_read_by_person():
            # Tags of what waits for a person, or never passed one, are withheld.
            active = filters._replace(statuses=(Status.ACTIVE,))
            found = found._replace(tag=engine.store.memories.facets(active, engine.now(), wording).tag)
    families = {
        family: sum(found.category.get(each, 0) for each in members) for family, members in FAMILIES.items()
    }
    return shown(engine, found._replace(family={family: n for family, n in families.items() if n}))


def weekly(engine: Engine, filters: Filters, weeks: int) -> Weekly:
    """Return what happened in each of the last weeks, and the reports of as many weeks before."""
    mondays = weeks_until(engine.now(), weeks, WEEKS_MOST)
    first = mondays[0]
    before = first - timedelta(weeks=weeks)
    with engine.store.reading():
        days = engine.store.memories.days(filters, before)
    counts: dict[date, Counter[str]] = {}
    for (day, what), n in days.items():
        counts.setdefault(max(before, monday_of(day)), Counter())[what] += n
    earlier: Counter[str] = sum((each for day, each in counts.items() if day < first), Counter())
    return Weekly(
        items=tuple(Week(monday, **counts.get(monday, Counter())) for monday in mondays),
        before=Reports(**{name: earlier[name] for name in Reports._fields}),
    )
