"""What went wrong, read from the whole log."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import groupby
from typing import TYPE_CHECKING

from memory_layer.model.upkeep import Failure
from memory_layer.store import rows

if TYPE_CHECKING:
    from memory_layer.store.sqlite.connection import Connections

_OF_OUTCOMES = (
    "select o.id, o.evidence as text, coalesce(rp.key, p.key) as project_key, o.at, m.id as memory"
    " from outcome o join memory m on m.row = o.memory left join project p on p.row = m.project"
    " left join recall r on r.row = o.recall left join project rp on rp.row = r.project"
    " where o.result = 'failed' and o.counted and o.evidence is not null order by o.row"
)
_OF_RUNS = (
    "select u.id, q.text, p.key as project_key, u.finished_at as at,"
    " (select json_group_array(m.id) from run_used x join memory m on m.row = x.memory where x.run = u.row)"
    " as memories from run u join recall r on r.row = u.recall join query q on q.row = r.query"
    " left join project p on p.row = r.project where u.result = 'failure' order by u.row"
)
_OF_EVENTS = (
    "select m.id, m.content as text, p.key as project_key, m.created_at as at"
    " from memory m left join project p on p.row = m.project where m.tier = 'episodic' and m.status = 'active'"
    " and json_extract(m.metadata, '$.outcome') in ('failure', 'failed') order by m.row"
)


def failures(connection: Connections) -> Iterator[Failure]:
    """What went wrong: reports with evidence, a report on several memories once; runs; and events."""
    for event, told in groupby(connection.each(_OF_OUTCOMES), key=lambda row: _event(row["id"])):
        first, *more = told
        memories = (first["memory"], *(row["memory"] for row in more))
        yield Failure(event, first["text"], first["project_key"], rows.moment(first["at"]), tuple(memories))
    for row in connection.each(_OF_RUNS):
        used = tuple(json.loads(row["memories"]))
        yield Failure(row["id"], row["text"], row["project_key"], rows.moment(row["at"]), used)
    for row in connection.each(_OF_EVENTS):
        yield Failure(row["id"], row["text"], row["project_key"], rows.moment(row["at"]), (row["id"],))


def _event(report: str) -> str:
    """What the reports of one call on several memories share."""
    return report.rpartition(":")[0] or report
