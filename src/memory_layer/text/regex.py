"""Regular expressions compiled when they are first needed: most processes need few of them."""

from __future__ import annotations

import re
from functools import cache


@cache
def regex(source: str) -> re.Pattern[str]:
    """Compile a pattern once."""
    return re.compile(source)


@cache
def ascii_regex(source: str) -> re.Pattern[str]:
    r"""Compile a pattern once; `\w`, `\d`, `\s` and `\b` match ASCII only."""
    return re.compile(source, re.ASCII)
