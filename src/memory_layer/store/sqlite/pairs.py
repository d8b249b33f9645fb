"""Pairs of memories that a person should look at, and the word that somebody has."""

from __future__ import annotations

import json
import math
import struct
from collections.abc import Iterable
from datetime import datetime
from typing import TYPE_CHECKING

from memory_layer.errors import NotFound
from memory_layer.model.place import place, values_at
from memory_layer.model.vocabulary import Attention, LinkKind
from memory_layer.ports import Pairs
from memory_layer.store.rows import to_micros
from memory_layer.store.sqlite.filters import superseded, where
from memory_layer.store.sqlite.links import Links

if TYPE_CHECKING:
    from memory_layer.model.memory import Link
    from memory_layer.model.query import Filters
    from memory_layer.ports import Edit


class LookedAt(Links):
    def pairs(self, kind: LinkKind, filters: Filters, now: datetime, limit: int, after: str | None) -> Pairs:
        """A stretch of the active pairs that wait, newest link first; filters are those of a link's source.

        Named `ids` may stand at either end.
        """
        condition, parameters = _waiting(kind, filters, now)
        begun = [] if after is None else values_at(after, int, int, int)
        tables = "link l join memory m on m.row = l.source join memory o on o.row = l.target"
        total = self._row(f"select count(*) as n from {tables} where {condition}", parameters)
        assert total is not None
        if not total["n"]:
            return Pairs(items=(), next=None, total=0)
        begin = ""
        if after is not None:
            begin = " and (l.created_at, l.source, l.target) < (?, ?, ?)"
            parameters = [*parameters, *begun]
        found = self._rows(
            "select m.id as source_id, o.id as target_id, l.created_at, l.source, l.target"
            f" from {tables} where {condition}{begin}"
            " order by l.created_at desc, l.source desc, l.target desc limit ?",
            [*parameters, limit + 1],
        )
        shown = found[:limit]
        ids = dict.fromkeys(end for row in shown for end in (row["source_id"], row["target_id"]))
        memories = {memory.id: memory for memory in self.get_many(list(ids))}
        more = len(found) > limit and shown
        return Pairs(
            items=tuple((memories[row["source_id"]], memories[row["target_id"]]) for row in shown),
            next=place([shown[-1][name] for name in ("created_at", "source", "target")]) if more else None,
            total=total["n"],
        )

    def attention(self, link: Link) -> Attention:
        """Whether a person should look at a link."""
        known = self._link(link.source, link.target, link.kind.value)
        if known is None:
            raise NotFound(f"there is no link {link.source} {link.kind} {link.target}")
        return Attention(known["review"])

    def settle(self, link: Link, attention: Attention, edit: Edit) -> bool:
        """Say whether a person should still look at a link; False if that was said already."""
        if self.attention(link) is attention:
            return False
        after: dict[str, int | None] = {
            "review": attention.value,
            "created_at": to_micros(link.created_at),
        }
        self._relink((link.source, link.target, link.kind.value), after, edit)
        return True

    def likenesses(self, pairs: Iterable[tuple[str, str]]) -> dict[tuple[str, str], float]:
        """The cosine of each pair of which both have one passage and vectors of one kind."""
        found = {}
        for pair in pairs:
            row = self._row(
                "select a.numbers as one, b.numbers as two"
                " from vector a join vector b on b.embedding = a.embedding"
                " where a.memory = (select row from memory where id = ?)"
                " and b.memory = (select row from memory where id = ?)"
                " and not exists (select 1 from vector c where c.memory in (a.memory, b.memory)"
                "  and c.embedding = a.embedding and c.passage > 0)"
                " order by a.embedding desc limit 1",
                list(pair),
            )
            if row is not None and len(row["one"]) == len(row["two"]) and len(row["one"]) % 2 == 0:
                found[pair] = _cosine(row["one"], row["two"])
        return found


def _waiting(kind: LinkKind, filters: Filters, now: datetime) -> tuple[str, list[object]]:
    """True for the links of a kind that wait, between two memories that are given out."""
    waits = (Attention.WANTED, Attention.UNASKED) if kind is LinkKind.CONFLICTS_WITH else (Attention.WANTED,)
    condition, parameters = where(filters._replace(ids=()), now)
    parts = [
        f"l.kind = ? and l.review in ({', '.join(str(each.value) for each in waits)})",
        condition,
        "o.status = 'active' and (o.expires_at is null or o.expires_at > ?)",
        f"not {superseded('o')}",
    ]
    bound: list[object] = [kind.value, *parameters, to_micros(now)]
    if filters.ids:
        named = "in (select value from json_each(?))"
        parts.append(f"(m.id {named} or o.id {named})")
        bound += [json.dumps(list(filters.ids))] * 2
    return " and ".join(parts), bound


def _cosine(one: bytes, two: bytes) -> float:
    """Of two rows of half-precision numbers; without numpy, which a short list should not wait for."""
    left, right = (struct.unpack(f"<{len(each) // 2}e", each) for each in (one, two))
    lengths = math.sqrt(sum(x * x for x in left) * sum(y * y for y in right))
    product = sum(x * y for x, y in zip(left, right, strict=True))
    return max(-1.0, min(1.0, product / lengths)) if lengths else 0.0
