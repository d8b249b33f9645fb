"""Secrets in a table or a statement whose column announces them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise

from memory_layer.model.record import NamedTuple
from memory_layer.text.secrets.values import Form, is_secret, without_markers
from memory_layer.text.secrets.words import field_family

_SEPARATORS = ("|", "\t", ";", ",")
_RULE = re.compile(r"[\s|:+=-]+")
_LONGEST_HEADING = 40  #: characters of a cell that heads a column
_QUOTED = r"[ ]?N?(?P<quote>[\"'])(?P<secret>[^\"'\n]{3,128})(?P=quote)"
_STATEMENTS = (
    r"(?i:\bidentified(?:[ ]with[ ][\w\"']{1,40})?[ ](?:by|as)(?:[ ]password)?|\bpassword(?:[ ]?=[ ]?password)?)"
    rf"(?:[ ]|[ ]?[(]){_QUOTED}",
    r"(?i:\bcrypt|password|old_password|pgp_sym_encrypt|aes_encrypt|hashbytes)[(][ ]?N?(?:'\w{2,10}'[ ]?,[ ]?)?"
    rf"{_QUOTED}",
)
_INSERTED = (
    r"(?i:\binsert[ ]into)[ ][\w.\"`]{1,60}[ ]?[(](?P<columns>[^()]{1,400})[)]\s{0,4}(?i:values)\s{0,4}"
    r"[(](?P<values>[^()]{1,2000})[)]"
)


class Cell(NamedTuple):
    """What stands between two separators, without the marks around it, and where it begins."""

    start: int
    text: str


@cache
def _pattern(source: str) -> re.Pattern[str]:
    return re.compile(source)


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
    for name, value in pairwise(cells):
        kind = field_family(name.text) if len(name.text) <= _LONGEST_HEADING else None
        if kind:
            yield from _judged(value, kind)


def _judged(cell: Cell, kind: str) -> Iterator[tuple[int, int, str]]:
    if " " not in cell.text and not _RULE.fullmatch(cell.text) and is_secret(cell.text, kind, Form.TIGHT):
        yield cell.start, cell.start + len(cell.text), kind


def in_sql(text: str) -> Iterator[tuple[int, int, str]]:
    """Where a statement sets a password, by a clause or in a column."""
    if "'" not in text and '"' not in text:
        return
    for source in _STATEMENTS:
        for match in _pattern(source).finditer(text):
            if is_secret(without_markers(match["secret"]), "password", Form.QUOTED):
                yield *match.span("secret"), "password"
    for match in _pattern(_INSERTED).finditer(text):
        columns = _headed(list(_cells(match["columns"], 0, ",")))
        values = list(_cells(match["values"], match.start("values"), ","))
        for column, kind in columns.items():
            yield from _judged(values[column], kind) if column < len(values) else ()
