"""Count memories: by kept counts where filters ask only for what these hold, and else one by one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING, Any

from memory_layer.model.filters import restricting
from memory_layer.model.lists import NO_WORDING, TAGS_COUNTED, Facets, Wording
from memory_layer.model.query import EXPIRING_DAYS, HIGH, LOW, Filters, Scores, Total
from memory_layer.model.vocabulary import Category, Reason, Source, Status, Tier
from memory_layer.store.rows import to_micros
from memory_layer.store.sqlite.filters import SCORE, reach, where
from memory_layer.store.sqlite.matching import (
    MOST_COUNTED,
    Matches,
    conditions,
    hidden,
    is_kept,
    lasting,
    matching,
    project_keys,
)

if TYPE_CHECKING:
    from memory_layer.store.sqlite.connection import Connections

#: Above so many memories, matches that no kept count answers are counted up to MOST_COUNTED.
LARGE = 200_000
#: The kept counts under the names of a memory's columns, so that conditions on memories fit them.
_KINDS = (
    "(select nullif(project, 0) as project, status, nullif(reason, '') as reason, category, tier, source, writer,"
    " judged as worked, 0 as failed, 0 as partial, memories, tokens from memory_count) m"
)
_TAGS = (
    "(select tag, nullif(project, 0) as project, status, category, null as reason, memories from tag_count) m"
)
_BY_TAG = frozenset("reach owner categories statuses expired superseded".split())
_GROUP = "m.project, m.status, m.reason, m.category, m.tier"
_JUDGED = "m.worked + m.failed + m.partial > 0"
_FACETS = {"project": "m.project", "status": "m.status", "category": "m.category", "source": "m.source",
           "writer": "m.writer", "reports": _JUDGED}  # fmt: skip
_DAY_COUNTED = date(1970, 1, 1)


class Counting:
    def __init__(self, connection: Connections) -> None:
        self._connection = connection

    def everything(self) -> int:
        """Return how many memories there are, tombstones included."""
        row = self._connection.row("select sum(memories) as n from memory_count")
        return int(row["n"] or 0) if row else 0

    def count(self, filters: Filters, now: datetime, wording: Wording = NO_WORDING) -> int | None:
        """Count matching memories; None if counting would take long."""
        if is_kept(filters):
            total = sum(n for _, n, _ in self._groups(filters, now, "1"))
            if wording == NO_WORDING or not total:
                return total
        else:
            total = self.everything()
        matches = matching(self._connection, filters, wording, now)
        if matches.common and total > MOST_COUNTED:
            return None
        most = MOST_COUNTED if total > LARGE else -2
        row = self._connection.row(
            f"select count(*) as n from (select 1 from {matches.table} where {matches.condition} limit ?)",
            [*matches.parameters, most + 1],
        )
        assert row is not None
        return None if 0 <= most < row["n"] else int(row["n"])

    def by_project(self, filters: Filters, now: datetime) -> dict[int | None, int]:
        """Count matching memories by the row of their project, from the kept counts."""
        return {group[0]: n for group, n, _ in self._groups(filters, now, "m.project") if n}

    def _groups(self, filters: Filters, now: datetime, by: str) -> list[tuple[tuple[Any, ...], int, int]]:
        """Return each group of the kept counts with its memories and tokens, without what is hidden by now."""
        condition, parameters = where(lasting(filters), now)
        memories: Counter[tuple[Any, ...]] = Counter()
        tokens: Counter[tuple[Any, ...]] = Counter()
        for *group, n, size in self._connection.rows(
            f"select {by}, sum(m.memories), sum(m.tokens) from {_KINDS} where {condition} group by {by}",
            parameters,
        ):
            memories[tuple(group)] += n
            tokens[tuple(group)] += size
        for *group, size in self._hidden(filters, now, f"{by}, m.tokens"):
            memories[tuple(group)] -= 1
            tokens[tuple(group)] -= size
        return [(group, n, tokens[group]) for group, n in memories.items() if n]

    def _hidden(self, filters: Filters, now: datetime, columns: str) -> Iterable[Sequence[Any]]:
        """Yield columns of the memories that the filters would admit, were they not hidden by now."""
        rows = hidden(filters, now)
        if rows is None:
            return ()
        condition, parameters = where(lasting(filters), now)
        return self._connection.rows(
            f"select {columns} from memory m where m.row in ({rows[0]}) and m.status = 'active' and {condition}",
            [*rows[1], *parameters],
        )

    # totals

    def totals(self, filters: Filters, now: datetime) -> list[Total]:
        """Return sums over all matching memories, one for each kind that exists."""
        groups = self._groups(filters, now, _GROUP) if is_kept(filters) else self._read(filters, now)
        keys = project_keys(self._connection, [group[0] for group, _, _ in groups])
        return [
            Total(
                project=keys[group[0]] or None,
                status=Status(group[1]),
                reason=Reason(group[2]) if group[2] else None,
                category=Category(group[3]),
                tier=Tier(group[4]),
                memories=n,
                tokens=tokens,
            )
            for group, n, tokens in groups
        ]

    def _read(self, filters: Filters, now: datetime) -> list[tuple[tuple[Any, ...], int, int]]:
        condition, parameters = conditions(filters, NO_WORDING, now)
        found = self._connection.rows(
            f"select {_GROUP}, count(*), sum(m.tokens) from memory m where {condition} group by {_GROUP}",
            parameters,
        )
        return [(tuple(group), n, tokens) for *group, n, tokens in found]

    def scores(self, filters: Filters, now: datetime) -> Scores:
        """Sum up the scores of matching memories; only those that have one are read."""
        at = to_micros(now)
        condition, parameters = conditions(filters, NO_WORDING, now)
        scored = self._connection.row(
            f"select total(k), total(k > {HIGH}), total(k < {LOW}) from (select {SCORE} as k"
            f" from memory m indexed by memory_scored where m.outcome_score <> 0 and {condition} limit -1)",
            [at, *parameters],
        )
        ending = self._connection.row(
            "select count(*) from memory m indexed by memory_expiry where m.status = 'active'"
            f" and m.expires_at between ? and ? and {condition}",
            [at, to_micros(now + timedelta(days=EXPIRING_DAYS)), *parameters],
        )
        assert scored is not None
        assert ending is not None
        return Scores(scored[0], int(scored[1]), int(scored[2]), ending[0])

    # facets

    def facets(self, filters: Filters, now: datetime, wording: Wording = NO_WORDING) -> Facets:
        """Count matching memories by each value of what they can be filtered by."""
        kept = wording == NO_WORDING and is_kept(filters)
        matches = None if kept else matching(self._connection, filters, wording, now)
        counts = self._by_kept(filters, now) if matches is None else self._by_reading(matches)
        keys = project_keys(self._connection, [*counts["project"]])
        return Facets(
            total=sum(counts["status"].values()),
            category={Category(each): n for each, n in _ordered(counts["category"])},
            status={Status(each): n for each, n in _ordered(counts["status"])},
            source={Source(each): n for each, n in _ordered(counts["source"])},
            project={keys[each]: n for each, n in _ordered(counts["project"])},
            tag=self._tags(filters, now, wording, matches),
            writer=dict(_ordered(counts["writer"])),
            reports={"true" if each else "false": n for each, n in _ordered(counts["reports"])},
        )

    def _by_kept(self, filters: Filters, now: datetime) -> dict[str, Counter[Any]]:
        condition, parameters = where(lasting(filters), now)
        counts: dict[str, Counter[Any]] = {}
        for name, column in _FACETS.items():
            found = self._connection.rows(
                f"select {column}, sum(m.memories) from {_KINDS} where {condition} group by 1", parameters
            )
            counts[name] = Counter(dict(map(tuple, found)))
        for values in self._hidden(filters, now, ", ".join(_FACETS.values())):
            for name, value in zip(_FACETS, values, strict=True):
                counts[name][value] -= 1
        return counts

    def _by_reading(self, matches: Matches) -> dict[str, Counter[Any]]:
        counts: dict[str, Counter[Any]] = {name: Counter() for name in _FACETS}
        columns = ", ".join(_FACETS.values())
        numbers = ", ".join(map(str, range(1, len(_FACETS) + 1)))
        for *values, n in self._connection.rows(
            f"select {columns}, count(*) from {matches.table} where {matches.condition} group by {numbers}",
            matches.parameters,
        ):
            for name, value in zip(_FACETS, values, strict=True):
                counts[name][value] += n
        return counts

    def _tags(
        self, filters: Filters, now: datetime, wording: Wording, matches: Matches | None
    ) -> dict[str, int]:
        if wording != NO_WORDING or not _counted_by_tag(filters):
            return self._tags_read(matches or matching(self._connection, filters, wording, now))
        gone = Counter(row[0] for row in self._hidden_tags(filters, now))
        condition, parameters = where(lasting(filters), now)
        found = self._connection.rows(
            f"select m.tag, sum(m.memories) from {_TAGS} where {condition} group by 1 order by 2 desc, 1 limit ?",
            [*parameters, TAGS_COUNTED + len(gone)],
        )
        counts = Counter({row[0]: row[1] - gone[row[0]] for row in found})
        return dict(_ordered(counts)[:TAGS_COUNTED])

    def _tags_read(self, matches: Matches) -> dict[str, int]:
        """Count tags by reading: of few memories their own, else those of all memories."""
        of_few = (
            "select tag from (select distinct m.row, lower(t.value) as tag"
            " from (select m.row, m.tags from {} where {} and m.tags <> '[]') m, json_each(m.tags) t)"
        )
        of_many = "select tag from memory_tag t where t.memory in (select m.row from {} where {})"
        each = (of_few if matches.rare else of_many).format(matches.table, matches.condition)
        found = self._connection.rows(
            f"select tag, count(*) from ({each}) group by tag order by 2 desc, 1 limit ?",
            [*matches.parameters, TAGS_COUNTED],
        )
        return {row[0]: row[1] for row in found}

    def _hidden_tags(self, filters: Filters, now: datetime) -> Iterable[Sequence[Any]]:
        rows = hidden(filters, now)
        if rows is None:
            return ()
        condition, parameters = where(lasting(filters), now)
        return self._connection.rows(
            "select distinct lower(t.value), m.row from memory m, json_each(m.tags) t"
            f" where m.row in ({rows[0]}) and m.status = 'active' and {condition}",
            [*rows[1], *parameters],
        )

    # days

    def days(self, filters: Filters, since: date) -> dict[tuple[date, str], int]:
        """Return how often each thing happened on each day since then, in the projects of the filters."""
        condition, parameters = reach(filters)
        found = self._connection.rows(
            "select m.day, m.what, sum(m.n) from (select day, nullif(project, 0) as project, what, n from day_count"
            f" where day >= ?) m where {condition} group by 1, 2",
            [(since - _DAY_COUNTED).days, *parameters],
        )
        return {(_DAY_COUNTED + timedelta(days=row[0]), row[1]): row[2] for row in found}


def _counted_by_tag(filters: Filters) -> bool:
    """Check whether the kept counts of tags answer these filters; a forgotten memory has no tags."""
    return all(
        rule.field in _BY_TAG or (rule.field == "reasons" and not filters.reasons)
        for rule, _ in restricting(filters)
    )


def _ordered(counts: Counter[Any]) -> list[tuple[Any, int]]:
    """Return what was counted at all, the most frequent first."""
    found = ((value, n) for value, n in counts.items() if n > 0)
    return sorted(found, key=lambda item: (-item[1], str(item[0])))
