"""The texts that agents were given."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from memory_layer.model.context import Kept, KeptLine
from memory_layer.store.rows import to_json

if TYPE_CHECKING:
    from memory_layer.store.sqlite.connection import Connections


def put_context(connection: Connections, recall_id: str, kept: Kept) -> None:
    """Keep of what a text was made; its recall is there already."""
    connection.run(
        "insert into context (recall, form, asked, lines, tokens, digest)"
        " values ((select row from recall where id = ?), ?, ?, ?, ?, ?)",
        [recall_id, *columns_of(kept)],
    )


def context(connection: Connections, recall_id: str) -> Kept | None:
    """Of what the text of a recall was made; None if it gave no text."""
    row = connection.row(
        "select c.* from context c join recall r on r.row = c.recall where r.id = ?", [recall_id]
    )
    return None if row is None else kept_from(row)


def kept_from(row: Any) -> Kept:
    lines = tuple(KeptLine(*line) for line in json.loads(row["lines"]))
    return Kept(row["form"], json.loads(row["asked"]), lines, row["tokens"], row["digest"])


def columns_of(kept: Kept) -> list[object]:
    lines = to_json([list(line) for line in kept.lines])
    return [kept.form, to_json(kept.asked), lines, kept.tokens, kept.digest]
