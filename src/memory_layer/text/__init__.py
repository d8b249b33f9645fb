"""Work on plain text: words, secrets, injection, comparison, Markdown. Nothing here knows about memories."""

from __future__ import annotations

import re
from functools import cache


@cache
def regex(source: str) -> re.Pattern[str]:
    """Compile a pattern when it is first needed, and once: most processes need few of them."""
    return re.compile(source)


@cache
def ascii_regex(source: str) -> re.Pattern[str]:
    r"""Compile a pattern once; `\w`, `\d`, `\s` and `\b` match ASCII only."""
    return re.compile(source, re.ASCII)


def read_tables(name: str) -> dict[str, str]:
    """Read the tables of a text file below this folder; a heading has the name of a table in brackets."""
    with open(f"{__path__[0]}/{name}.txt", encoding="utf-8") as file:
        sections = file.read().split("\n\n[")[1:]
    return {section.partition("]")[0]: section.partition("\n")[2] for section in sections}


def read_columns(name: str, columns: int) -> dict[str, list[list[str]]]:
    """Read tables whose columns are separated by two spaces; `{NAME}` stands for a row of the table `parts`.

    A line that begins with two spaces is the next column of its row; one with four spaces continues a pattern, one
    with one a list of words.
    """
    tables = {title: _joined(table) for title, table in read_tables(name).items()}
    parts = [row.split("  ", 1) for row in tables.pop("parts").splitlines()]
    for part, pattern in reversed(parts):  # a part may contain the ones above it
        tables = {title: table.replace(f"{{{part}}}", pattern) for title, table in tables.items()}
    return {
        title: [row.split("  ", columns - 1) for row in table.splitlines()] for title, table in tables.items()
    }


def _joined(table: str) -> str:
    return table.replace("\n    ", "").replace("\n  ", "  ").replace("\n ", " ")
