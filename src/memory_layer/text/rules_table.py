"""The rows of a table as sentences, all of one table in the same form."""

from __future__ import annotations

from collections.abc import Sequence

from memory_layer.text.markdown import Block
from memory_layer.text.rule_signs import FEWEST_WORDS, is_link, words

_PLAIN = 2  #: columns of a table whose rows need no heads to be understood


def cells_of(row: Block) -> list[str]:
    return [cell.strip() for cell in row.text.strip("| \t").split("|")]


def told(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str | None]:
    """Each row as a sentence: the first cell, then the others; None for one that says too little.

    The heads of the columns stand in every row or in none: where there are many columns, or most rows are short.
    """
    filled = [_filled(columns, row) for row in rows]
    several = len(columns) > _PLAIN
    short = [pairs for pairs in filled if pairs and words(_plain(pairs)) < FEWEST_WORDS]
    headed = not several and 2 * len(short) >= sum(pairs is not None for pairs in filled)
    form = _listed if several else _headed if headed else _plain
    return [form(pairs) if pairs else None for pairs in filled]


def _filled(columns: Sequence[str], row: Sequence[str]) -> list[tuple[str, str]] | None:
    pairs = [(name, cell) for name, cell in zip(columns, row, strict=False) if cell.strip("-–— ")]
    return None if len(pairs) < 2 or all(is_link(cell) for _, cell in pairs) else pairs


def _plain(pairs: Sequence[tuple[str, str]]) -> str:
    return ": ".join(cell for _, cell in pairs)


def _headed(pairs: Sequence[tuple[str, str]]) -> str:
    return ": ".join(f"{name} {cell}".strip() for name, cell in pairs)


def _listed(pairs: Sequence[tuple[str, str]]) -> str:
    (_, first), *rest = pairs
    return f"{first}: " + "; ".join(f"{name}: {cell}" if name else cell for name, cell in rest)
