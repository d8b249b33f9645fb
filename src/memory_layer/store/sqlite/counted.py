"""Counts that the store keeps with every write, each with the statement that counts again from the records."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import sqlite3

    Execute = Callable[[str], sqlite3.Cursor]

#: Each table of counts, and what it has to contain.
COUNTED = {
    "memory_count": (
        "select coalesce(project, 0), status, coalesce(reason, ''), category, tier, source, writer,"
        " worked + failed + partial > 0, count(*), sum(tokens) from memory group by 1, 2, 3, 4, 5, 6, 7, 8"
    ),
    "memory_tag": (
        "select distinct lower(t.value), m.row from memory m, json_each(m.tags) t where m.tags <> '[]'"
    ),
    "tag_count": (
        "select tag, project, status, category, count(*) from ("
        " select distinct m.row, lower(t.value) as tag, coalesce(m.project, 0) as project, m.status, m.category"
        " from memory m, json_each(m.tags) t where m.tags <> '[]') group by 1, 2, 3, 4"
    ),
    "day_count": (
        "select day, project, what, count(*) from ("
        " select created_at / 86400000000 as day, coalesce(project, 0) as project, 'added' as what from memory"
        "  where reason is not 'forgotten' and reason is not 'writing'"
        " union all select archived_at / 86400000000, coalesce(project, 0), 'archived' from memory"
        "  where archived_at is not null and reason is not 'forgotten'"
        " union all select o.at / 86400000000, coalesce(m.project, 0), o.result"
        "  from outcome o join memory m on m.row = o.memory where o.counted"
        " union all select r.at / 86400000000, coalesce(r.project, 0), 'given'"
        "  from recall_item i join recall r on r.row = i.recall where r.kind <> 'session'"
        ") group by 1, 2, 3"
    ),
}
#: When an archived memory was archived: the time of its last version.
_ARCHIVED_AT = (
    "case status when 'archived' then"
    " (select a.at from audit a where a.memory = memory.id and a.after is not null order by a.number desc limit 1)"
    " end"
)


def wrong_counts(execute: Execute) -> int:
    """Return how many kept counts differ from the records."""
    differing = f"select count(*) from memory where archived_at is not {_ARCHIVED_AT}"
    wrong = int(execute(differing).fetchone()[0])
    for table, right in COUNTED.items():
        kept = f"select * from {table}"
        for one, other in ((kept, right), (right, kept)):
            wrong += execute(f"select count(*) from (select * from ({one}) except {other})").fetchone()[0]
    return wrong


def count_again(execute: Callable[[str], Any]) -> None:
    """Replace every kept count by what the records say."""
    execute(f"update memory set archived_at = {_ARCHIVED_AT} where archived_at is not {_ARCHIVED_AT}")
    for table, right in COUNTED.items():
        execute(f"delete from {table}")
        execute(f"insert into {table} {right}")
