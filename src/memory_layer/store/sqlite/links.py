"""Links between memories, each change with its line in the audit chain."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

from memory_layer.model.memory import Link
from memory_layer.model.vocabulary import LinkKind
from memory_layer.store import rows
from memory_layer.store.sqlite.memories import Memories

if TYPE_CHECKING:
    from memory_layer.ports import Edit


class Links(Memories):
    def links(self, ids: Sequence[str]) -> list[Link]:
        """Every link from or to these memories, oldest first."""
        found = self._rows(
            "with own as (select row from memory where id in (select value from json_each(?)))"
            " select s.id as source, t.id as target, l.kind, l.created_at from ("
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
            )
            for row in found
        ]

    def link(self, link: Link, edit: Edit, review: bool = False) -> bool:
        """Relate two memories; False if they are so already."""
        place = (link.source, link.target, link.kind.value)
        if self._link(*place) is not None:
            return False
        self._relink(place, {"review": int(review), "created_at": rows.to_micros(link.created_at)}, edit)
        return True

    def unlink(self, link: Link, edit: Edit) -> bool:
        """Take a relation away; False if there was none."""
        place = (link.source, link.target, link.kind.value)
        if self._link(*place) is None:
            return False
        self._relink(place, None, edit)
        return True

    def _link(self, source: str, target: str, kind: str) -> dict[str, int] | None:
        """What is kept of a link; None if there is none."""
        row = self._row(
            "select l.review, l.created_at from link l"
            " join memory s on s.row = l.source join memory t on t.row = l.target"
            " where s.id = ? and t.id = ? and l.kind = ?",
            [source, target, kind],
        )
        return dict(row) if row else None

    def _relink(self, place: tuple[str, str, str], after: dict[str, int | None] | None, edit: Edit) -> None:
        """Make a link what it shall be, and note what it was."""
        source, target, kind = place
        before = self._link(*place)
        self._run(
            "delete from link where kind = ? and source = (select row from memory where id = ?)"
            " and target = (select row from memory where id = ?)",
            [kind, source, target],
        )
        if after is not None:
            self._run(
                "insert into link (source, target, kind, review, created_at)"
                " select s.row, t.row, ?, ?, ? from memory s, memory t where s.id = ? and t.id = ?",
                [kind, after["review"], after["created_at"], source, target],
            )
        # A link is no version of either memory, so the entry belongs to none of them.
        told = {"source": source, "target": target, "kind": kind, "before": before, "after": after}
        self._note(edit, told)
        for memory_id in (source, target):
            self._run("insert into change (memory) select row from memory where id = ?", [memory_id])
