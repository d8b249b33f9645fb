"""Read the reports and recalls of a time. Only the newest rows are read, whatever the size of the store."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from memory_layer.model.insights import Asked, Funnel, GivenItem, Reported
from memory_layer.model.vocabulary import Outcome, Source
from memory_layer.store.rows import moment, to_json, to_micros
from memory_layer.store.sqlite.filters import reach

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from memory_layer.model.query import Filters
    from memory_layer.store.sqlite.connection import Connections

_QUESTIONS = "r.kind in ('search', 'prompt')"


class SqliteInsights:
    def __init__(self, connection: Connections) -> None:
        self._connection = connection

    def reports(self, filters: Filters, since: datetime, most: int) -> list[Reported]:
        """Return the reports that count about the memories of these projects."""
        whose, parameters = reach(filters)
        found = self._connection.rows(
            "select m.id, m.source, o.result, o.at, o.recall"
            " from (select * from outcome order by row desc limit ?) o join memory m on m.row = o.memory"
            f" where o.counted and o.at >= ? and {whose} order by o.row desc",
            [most, to_micros(since), *parameters],
        )
        return [
            Reported(id_, Source(source), Outcome(result), moment(at), recall)
            for id_, source, result, at, recall in found
        ]

    def asked(self, filters: Filters, since: datetime, most: int) -> list[Asked]:
        """Return the questions of agents that work in these projects."""
        whose, parameters = reach(filters, "r.project", only_own=True)
        found = self._connection.rows(
            "select r.row, q.text, r.at, (select count(*) from recall_item i where i.recall = r.row)"
            " from (select * from recall order by row desc limit ?) r join query q on q.row = r.query"
            f" where r.at >= ? and {_QUESTIONS} and {whose} order by r.row desc",
            [most, to_micros(since), *parameters],
        )
        return [Asked(row, text, moment(at), given) for row, text, at, given in found]

    def given(self, recalls: Sequence[int]) -> list[GivenItem]:
        """Return the memories of these answers, each answer's best first."""
        found = self._connection.rows(
            "select i.recall, m.id, i.score, i.signals, r.ranker, q.text, r.at from recall r"
            " join recall_item i on i.recall = r.row join memory m on m.row = i.memory"
            " join query q on q.row = r.query"
            f" where r.row in (select value from json_each(?)) and {_QUESTIONS} order by i.recall desc, i.rank",
            [to_json([*recalls])],
        )
        return [
            GivenItem(recall, id_, score, json.loads(signals), ranker, text, moment(at))
            for recall, id_, score, signals, ranker, text, at in found
        ]

    def funnel(self, filters: Filters, since: datetime, most: int) -> Funnel:
        """Count the memories that were given, and of these the ones that were used, reported on, and worked."""
        whose, parameters = reach(filters)
        row = self._connection.row(
            "with given as (select distinct i.memory from (select row, at from recall order by row desc limit ?1) r"
            "  join recall_item i on i.recall = r.row where r.at >= ?2),"
            " reported as (select memory, max(result = 'worked') as worked"
            "  from (select * from outcome order by row desc limit ?1) where counted and at >= ?2 group by memory)"
            " select count(*), coalesce(sum(m.last_used_at >= ?2), 0), count(o.memory), coalesce(sum(o.worked), 0)"
            " from given g join memory m on m.row = g.memory left join reported o on o.memory = g.memory"
            f" where {whose}",
            [most, to_micros(since), *parameters],
        )
        return Funnel(*row) if row else Funnel(0, 0, 0, 0)
