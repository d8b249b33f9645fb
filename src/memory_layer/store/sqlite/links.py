"""Read and write links between memories, and list pairs that await review."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from memory_layer.model.memory import Link
from memory_layer.model.query import place, values_at
from memory_layer.model.vocabulary import Attention, LinkKind
from memory_layer.ports.store import Pairs
from memory_layer.store import rows
from memory_layer.store.sqlite.filters import superseded, where
from memory_layer.store.sqlite.memories import SqliteMemories

if TYPE_CHECKING:
    from memory_layer.model.query import Filters
    from memory_layer.store.sqlite.connection import Connections


class SqliteLinks:
    def __init__(self, connection: Connections) -> None:
        self._connection = connection

    def of(self, ids: Sequence[str]) -> list[Link]:
        """Return every link from or to these memories, oldest first."""
        found = self._connection.rows(
            "with own as (select row from memory where id in (select value from json_each(?)))"
            " select s.id as source, t.id as target, l.kind, l.created_at, l.review from ("
            "  select * from link where source in own union select * from link where target in own"
            " ) l join memory s on s.row = l.source join memory t on t.row = l.target"
            " order by l.created_at, s.row, t.row",
            [json.dumps(list(ids))],
        )
        return [
            Link(
                source=row["source"],
                target=row["target"],
                kind=LinkKind(row["kind"]),
                created_at=rows.moment(row["created_at"]),
                attention=Attention(row["review"]),
            )
            for row in found
        ]

    def put(self, link: Link) -> None:
        """Insert or replace a link."""
        self._delete(link)
        self._connection.run(
            "insert into link (source, target, kind, review, created_at)"
            " select s.row, t.row, ?, ?, ? from memory s, memory t where s.id = ? and t.id = ?",
            [
                link.kind.value,
                link.attention.value,
                rows.to_micros(link.created_at),
                link.source,
                link.target,
            ],
        )
        self._note_ends(link)

    def drop(self, link: Link) -> None:
        """Delete a link."""
        self._delete(link)
        self._note_ends(link)

    def _delete(self, link: Link) -> None:
        self._connection.run(
            "delete from link where kind = ? and source = (select row from memory where id = ?)"
            " and target = (select row from memory where id = ?)",
            [link.kind.value, link.source, link.target],
        )

    def _note_ends(self, link: Link) -> None:
        for memory_id in (link.source, link.target):
            self._connection.run(
                "insert into change (memory) select row from memory where id = ?", [memory_id]
            )

    def pairs(
        self,
        kind: LinkKind,
        attentions: Sequence[Attention],
        filters: Filters,
        now: datetime,
        limit: int,
        after: str | None,
    ) -> Pairs:
        """Return a page of active pairs with such links, newest link first; filters apply to the source.

        The `ids` of the filters may be at either end.
        """
        condition, parameters = _linked(kind, attentions, filters, now)
        begun = [] if after is None else values_at(after, int, int, int)
        tables = "link l join memory m on m.row = l.source join memory o on o.row = l.target"
        total = self._connection.row(f"select count(*) as n from {tables} where {condition}", parameters)
        assert total is not None
        if not total["n"]:
            return Pairs(items=(), next=None, total=0)
        begin = ""
        if after is not None:
            begin = " and (l.created_at, l.source, l.target) < (?, ?, ?)"
            parameters = [*parameters, *begun]
        found = self._connection.rows(
            "select m.id as source_id, o.id as target_id, l.created_at, l.source, l.target"
            f" from {tables} where {condition}{begin}"
            " order by l.created_at desc, l.source desc, l.target desc limit ?",
            [*parameters, limit + 1],
        )
        shown = found[:limit]
        ids = dict.fromkeys(end for row in shown for end in (row["source_id"], row["target_id"]))
        memories = {memory.id: memory for memory in SqliteMemories(self._connection).get(list(ids))}
        more = len(found) > limit and shown
        return Pairs(
            items=tuple((memories[row["source_id"]], memories[row["target_id"]]) for row in shown),
            next=place([shown[-1][name] for name in ("created_at", "source", "target")]) if more else None,
            total=total["n"],
        )


def _linked(
    kind: LinkKind, attentions: Sequence[Attention], filters: Filters, now: datetime
) -> tuple[str, list[object]]:
    """Compile a condition for such links between two visible memories."""
    condition, parameters = where(filters._replace(ids=()), now)
    parts = [
        f"l.kind = ? and l.review in ({', '.join(str(each.value) for each in attentions)})",
        condition,
        "o.status = 'active' and (o.expires_at is null or o.expires_at > ?)",
        f"not {superseded('o')}",
    ]
    bound: list[object] = [kind.value, *parameters, rows.to_micros(now)]
    if filters.ids:
        named = "in (select value from json_each(?))"
        parts.append(f"(m.id {named} or o.id {named})")
        bound += [json.dumps(list(filters.ids))] * 2
    return " and ".join(parts), bound
