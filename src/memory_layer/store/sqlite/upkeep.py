"""A store looked through to keep it tidy, in stretches of rows, and when that was last done."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import groupby
from typing import TYPE_CHECKING

from memory_layer.model.upkeep import Failure, Mark, Told
from memory_layer.store import rows
from memory_layer.store.sqlite.alike import Alike
from memory_layer.store.sqlite.filters import superseded
from memory_layer.store.sqlite.memories import READ_MEMORY

if TYPE_CHECKING:
    from memory_layer.model.memory import Memory

_MARK = "consolidation"  #: its key in the table of the store's own values
#: The key in a memory's metadata that names what it is a suggestion about.
RECURRENCE = "recurrence"

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


class Tidying(Alike):
    def last_consolidation(self) -> Mark:
        """When somebody last began and finished to keep this store tidy; what cannot be read was never."""
        row = self._row("select value from meta where key = ?", [_MARK])
        try:
            begun, finished, sequence = json.loads(row["value"]) if row else (None, None, 0)
            mark = Mark(rows.from_micros(begun), rows.from_micros(finished), int(sequence))
        except (ValueError, TypeError, OverflowError):
            return Mark()
        # A number from a store that this one was copied from part of means nothing here.
        return mark if mark.sequence <= self._store.sequence() else mark._replace(sequence=0)

    def note_consolidation(self, mark: Mark) -> None:
        """Keep that for whoever asks next."""
        kept = [rows.to_micros(mark.begun), rows.to_micros(mark.finished), mark.sequence]
        self._run(
            "insert into meta (key, value) values (?, ?) on conflict (key) do update set value = excluded.value",
            [_MARK, json.dumps(kept)],
        )

    def untouched(self, since: datetime, now: datetime, after: int, limit: int) -> list[tuple[int, Memory]]:
        """Active memories that have expired, or that nobody has touched since then."""
        return self._stretch(
            "(m.expires_at <= ? or max(m.created_at, m.updated_at, coalesce(m.last_used_at, 0),"
            " coalesce(m.last_recalled_at, 0), coalesce(m.reinforced_at, 0)) < ?)",
            [rows.to_micros(now), rows.to_micros(since)],
            after,
            limit,
        )

    def confirmed(self, times: int, after: int, limit: int) -> list[tuple[int, Memory]]:
        """Active memories that were confirmed so often."""
        return self._stretch("m.reinforcement_count > ?", [times], after, limit)

    def _stretch(
        self, condition: str, parameters: Sequence[object], after: int, limit: int
    ) -> list[tuple[int, Memory]]:
        found = self._rows(
            f"{READ_MEMORY}where m.row > ? and m.status = 'active' and {condition} order by m.row limit ?",
            [after, *parameters, limit],
        )
        return [(row["row"], rows.memory_from(row)) for row in found]

    def told(self, now: datetime, after: int, limit: int) -> list[Told]:
        """What the active memories say that have not expired and are facts."""
        found = self._rows(
            "select m.row, m.id, p.id as project_id, m.content, m.content_hash"
            " from memory m left join project p on p.row = m.project"
            " where m.row > ? and m.status = 'active' and m.tier = 'semantic'"
            " and (m.expires_at is null or m.expires_at > ?) order by m.row limit ?",
            [after, rows.to_micros(now), limit],
        )
        return [
            Told(row["row"], row["id"], row["project_id"], row["content"], row["content_hash"].hex())
            for row in found
        ]

    def memories_at(self, places: Sequence[int]) -> list[Memory]:
        """The memories of these rows, in their order."""
        found = self._rows(
            f"{READ_MEMORY}where m.row in (select value from json_each(?)) order by m.row",
            [json.dumps(list(places))],
        )
        return [rows.memory_from(row) for row in found]

    def superseded_among(self, ids: Sequence[str]) -> set[str]:
        """Those of these memories that an active one has replaced."""
        found = self._rows(
            f"select m.id from memory m where m.id in (select value from json_each(?)) and {superseded('m')}",
            [json.dumps(list(ids))],
        )
        return {row["id"] for row in found}

    def changed_since(self, sequence: int, without: Sequence[str]) -> bool:
        """Whether any active memory but these changed after that."""
        found = self._row(
            "select 1 from change where sequence > ? and memory in (select row from memory"
            " where status = 'active' and id not in (select value from json_each(?))) limit 1",
            [sequence, json.dumps(list(without))],
        )
        return found is not None

    def ever(self, action: str, ids: Sequence[str]) -> set[str]:
        """Those of these memories that an action was ever taken on, even if it was undone."""
        found = self._rows(
            "select distinct memory from audit where memory in (select value from json_each(?)) and action = ?",
            [json.dumps(list(ids)), action],
        )
        return {row["memory"] for row in found}

    def ever_said(self, content_hash: str) -> bool:
        """Whether any memory says this, even one that was archived or taken back."""
        text = bytes.fromhex(content_hash)
        live = self._row("select 1 from memory where content_hash = ? and status <> 'archived'", [text])
        return bool(
            live or self._row("select 1 from memory where content_hash = ? and status = 'archived'", [text])
        )

    def recurrences(self) -> dict[str, bool]:
        """What was ever suggested, and whether it still waits; reads the whole store.

        What somebody stored so that it looks like a suggestion takes no room from those of the program.
        """
        found = self._rows(
            f"select json_extract(m.metadata, '$.{RECURRENCE}') as key, m.status = 'staged' and exists"
            " (select 1 from audit a where a.memory = m.id and a.action = 'suggest') as waits from memory m"
            " where m.source = 'learning' and m.metadata <> '{}' order by m.row"
        )
        return {row["key"]: bool(row["waits"]) for row in found if isinstance(row["key"], str)}

    def failures(self) -> Iterator[Failure]:
        """What went wrong: reports with evidence, a report on several memories once; runs; and events."""
        for event, told in groupby(self._each(_OF_OUTCOMES), key=lambda row: _event(row["id"])):
            first, *more = told
            memories = (first["memory"], *(row["memory"] for row in more))
            yield Failure(
                event, first["text"], first["project_key"], rows.moment(first["at"]), tuple(memories)
            )
        for row in self._each(_OF_RUNS):
            used = tuple(json.loads(row["memories"]))
            yield Failure(row["id"], row["text"], row["project_key"], rows.moment(row["at"]), used)
        for row in self._each(_OF_EVENTS):
            yield Failure(row["id"], row["text"], row["project_key"], rows.moment(row["at"]), (row["id"],))


def _event(report: str) -> str:
    """What the reports of one call on several memories share."""
    return report.rpartition(":")[0] or report
