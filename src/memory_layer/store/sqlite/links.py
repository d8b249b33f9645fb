"""Links between memories, each change with its line in the audit chain, and the pairs that wait for a person."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from memory_layer.errors import NotFound
from memory_layer.model.memory import Link
from memory_layer.model.place import place, values_at
from memory_layer.model.vocabulary import Attention, LinkKind
from memory_layer.ports.links import Pairs
from memory_layer.store import rows
from memory_layer.store.sqlite.audit import note
from memory_layer.store.sqlite.filters import superseded, where
from memory_layer.store.sqlite.memories import Memories

if TYPE_CHECKING:
    from memory_layer.model.query import Filters
    from memory_layer.ports import Edit
    from memory_layer.store.sqlite.connection import Connections


class Links:
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

    def link(self, link: Link, edit: Edit, review: bool = False) -> bool:
        """Relate two memories; False if they are so already."""
        ends = (link.source, link.target, link.kind.value)
        if self.find(*ends) is not None:
            return False
        self.relink(ends, {"review": int(review), "created_at": rows.to_micros(link.created_at)}, edit)
        return True

    def unlink(self, link: Link, edit: Edit) -> bool:
        """Take a relation away; False if there was none."""
        ends = (link.source, link.target, link.kind.value)
        if self.find(*ends) is None:
            return False
        self.relink(ends, None, edit)
        return True

    def find(self, source: str, target: str, kind: str) -> dict[str, int] | None:
        """What is kept of a link; None if there is none."""
        row = self._connection.row(
            "select l.review, l.created_at from link l"
            " join memory s on s.row = l.source join memory t on t.row = l.target"
            " where s.id = ? and t.id = ? and l.kind = ?",
            [source, target, kind],
        )
        return dict(row) if row else None

    def relink(self, ends: tuple[str, str, str], after: dict[str, int | None] | None, edit: Edit) -> None:
        """Make a link what it shall be, and note what it was."""
        source, target, kind = ends
        before = self.find(*ends)
        self._connection.run(
            "delete from link where kind = ? and source = (select row from memory where id = ?)"
            " and target = (select row from memory where id = ?)",
            [kind, source, target],
        )
        if after is not None:
            self._connection.run(
                "insert into link (source, target, kind, review, created_at)"
                " select s.row, t.row, ?, ?, ? from memory s, memory t where s.id = ? and t.id = ?",
                [kind, after["review"], after["created_at"], source, target],
            )
        # A link is no version of either memory, so the entry belongs to none of them.
        told = {"source": source, "target": target, "kind": kind, "before": before, "after": after}
        note(self._connection, edit, told)
        for memory_id in (source, target):
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
        """Return a stretch of the active pairs with such links, newest link first; filters are those of its source.

        Named `ids` may stand at either end.
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
        memories = {memory.id: memory for memory in Memories(self._connection).get(list(ids))}
        more = len(found) > limit and shown
        return Pairs(
            items=tuple((memories[row["source_id"]], memories[row["target_id"]]) for row in shown),
            next=place([shown[-1][name] for name in ("created_at", "source", "target")]) if more else None,
            total=total["n"],
        )

    def settle(self, link: Link, attention: Attention, edit: Edit) -> bool:
        """Say whether a person should still look at a link; False if that was said already."""
        ends = (link.source, link.target, link.kind.value)
        known = self.find(*ends)
        if known is None:
            raise NotFound(f"there is no link {link.source} {link.kind} {link.target}")
        if known["review"] == attention.value:
            return False
        after: dict[str, int | None] = {
            "review": attention.value,
            "created_at": rows.to_micros(link.created_at),
        }
        self.relink(ends, after, edit)
        return True


def _linked(
    kind: LinkKind, attentions: Sequence[Attention], filters: Filters, now: datetime
) -> tuple[str, list[object]]:
    """Compile a condition for such links between two memories that are given out."""
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
