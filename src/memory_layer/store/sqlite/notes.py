"""Changes of links, counters, outcomes and runs, which make no version: noted in the chain, to be taken back."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

from memory_layer.store import rows
from memory_layer.store.sqlite.links import Links
from memory_layer.store.sqlite.log import Log
from memory_layer.store.sqlite.memories import Memories
from memory_layer.store.sqlite.runs import Runs

if TYPE_CHECKING:
    from memory_layer.model.history import Note
    from memory_layer.ports import Edit
    from memory_layer.store.sqlite.connection import Connections


class Notes:
    def __init__(self, connection: Connections) -> None:
        self._connection = connection

    def notes(self, *operations: str) -> list[Note]:
        """What operations noted beside their versions, newest first."""
        from memory_layer.model.history import Note  # few commands look back

        found = self._connection.rows(
            "select a.number, p.payload from audit a join audit_payload p on p.number = a.number"
            " where a.operation in (select value from json_each(?)) and a.memory is null order by a.number desc",
            [json.dumps(operations)],
        )
        return [Note(row["number"], json.loads(row["payload"])) for row in found]

    def notes_at(self, numbers: Sequence[int]) -> list[Note]:
        """What entries of these numbers noted, those that did."""
        from memory_layer.model.history import Note  # few commands look back

        found = self._connection.rows(
            "select a.number, p.payload from audit a join audit_payload p on p.number = a.number"
            " where a.number in (select value from json_each(?)) and a.memory is null",
            [json.dumps(list(numbers))],
        )
        return [Note(row["number"], json.loads(row["payload"])) for row in found]

    def take_back(self, note: Note, edit: Edit) -> None:
        """Make things what they were before a note; what others did to them since then stays."""
        told = note.told
        if "kind" in told:
            links = Links(self._connection)
            place = (told["source"], told["target"], told["kind"])
            if links.find(*place) == told["after"]:
                links.relink(place, told["before"], edit)
        elif "outcome" in told:
            Log(self._connection).weigh(told["outcome"], told["before"], edit)
        elif "run" in told:
            runs = Runs(self._connection)
            if runs.ending_of(told["run"]) == told["after"]:
                runs.end(told["run"], told["before"], edit)
        else:
            current = self._connection.row("select * from memory where id = ?", [told["memory"]])
            assert current is not None
            Memories(self._connection).recount(
                told["memory"], rows.counted_back(current, told["before"], told["after"]), edit
            )
