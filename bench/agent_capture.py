"""Measure on the messages of labelled projects what is stored by itself and when an agent is reminded."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from bench.capture_measures import Row, hear, read, row, table

MESSAGES = "messages.jsonl"


def rows(folders: Sequence[Path]) -> list[Row]:
    """Return one row for each project that has messages."""
    inside = [each for folder in folders for each in (folder, *sorted(folder.iterdir()))]
    files = [each / MESSAGES for each in inside if (each / MESSAGES).is_file()]
    return [row(file.parent.name, [hear(message) for message in read(file)]) for file in files]


def show(made: Sequence[Row]) -> None:
    """Print the rows, if there are any."""
    if made:
        print(f"messages\n{table(made)}\n")
