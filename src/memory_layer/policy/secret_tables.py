"""Secrets in a table whose heading, or whose first cell, announces them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from memory_layer.model.record import NamedTuple
from memory_layer.policy.secret_assignments import field_family
from memory_layer.policy.secret_values import Form, is_secret

_SEPARATORS = ("|", "\t", ";", ",")
_RULE = re.compile(r"[\s|:+=-]+")
_LONGEST_HEADING = 40  #: characters of a cell that heads a column


class Cell(NamedTuple):
    """What stands between two separators, without the marks around it, and where it begins."""

    start: int
    text: str


def in_tables(text: str) -> Iterator[tuple[int, int, str]]:
    """Where a column or a row that is named like a secret holds one."""
    if "\n" not in text and "|" not in text:
        return
    for separator in _SEPARATORS:
        if separator in text:
            yield from _in_rows(_rows(text, separator), separator)


def _rows(text: str, separator: str) -> Iterator[list[Cell]]:
    place = 0
    for line in text.splitlines(keepends=True):
        yield list(_cells(line, place, separator)) if separator in line else []
        place += len(line)


def _cells(line: str, place: int, separator: str) -> Iterator[Cell]:
    for piece in line.split(separator):
        bare = piece.strip(" \t\r\n\"'`*")
        yield Cell(place + (piece.index(bare) if bare else 0), bare)
        place += len(piece) + 1


def _in_rows(rows: Iterator[list[Cell]], separator: str) -> Iterator[tuple[int, int, str]]:
    columns: dict[int, str] = {}
    width = 0
    for cells in rows:
        if len(cells) != width:
            columns, width = _headed(cells), len(cells)
        else:
            for column, kind in columns.items():
                yield from _judged(cells[column], kind)
        in_row = list(_in_one_row(cells)) if separator == "|" else []
        columns = {} if in_row else columns
        yield from in_row


def _headed(cells: Sequence[Cell]) -> dict[int, str]:
    """Return the columns that are named like a secret; none unless every cell could head one."""
    if sum(bool(cell.text) for cell in cells) < 2:
        return {}
    if any(len(cell.text) > _LONGEST_HEADING or len(cell.text.split()) > 4 for cell in cells):
        return {}
    found = {column: field_family(cell.text) for column, cell in enumerate(cells)}
    return {column: kind for column, kind in found.items() if kind}


def _in_one_row(cells: Sequence[Cell]) -> Iterator[tuple[int, int, str]]:
    for name, value in zip(cells, cells[1:], strict=False):
        kind = field_family(name.text) if len(name.text) <= _LONGEST_HEADING else None
        if kind:
            yield from _judged(value, kind)


def _judged(cell: Cell, kind: str) -> Iterator[tuple[int, int, str]]:
    if " " not in cell.text and not _RULE.fullmatch(cell.text) and is_secret(cell.text, kind, Form.TIGHT):
        yield cell.start, cell.start + len(cell.text), kind
