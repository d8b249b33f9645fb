"""Lists of memories: words that narrow them, and counts beside them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from types import MappingProxyType
from typing import TYPE_CHECKING

from memory_layer.model.query import Reports
from memory_layer.model.record import Listing, NamedTuple
from memory_layer.model.vocabulary import Family

if TYPE_CHECKING:
    from memory_layer.model.vocabulary import Category, Source, Status

#: The orders of a list.
SORTS = ("created", "updated", "score", "used", "category", "project", "confidence")
TAGS_COUNTED = 50  #: the most frequent ones
WEEKS_MOST = 520


class Wording(NamedTuple):
    """Words that a memory has to contain, as terms of the full-text search."""

    terms: tuple[str, ...] = ()  #: all of them
    last: tuple[str, ...] = ()  #: one of these, or a term that begins with `prefix`
    prefix: str = ""
    texts: tuple[str, ...] = ()  #: each literally, ignoring case and white space


NO_WORDING = Wording()


class Facets(NamedTuple):
    """Counts of the memories that pass a filter, by each value; the most frequent first."""

    total: int
    category: Mapping[Category, int]
    status: Mapping[Status, int]
    source: Mapping[Source, int]
    project: Mapping[str, int]  #: by key; empty for global memories
    tag: Mapping[str, int]  #: in lower case; the most frequent ones
    writer: Mapping[str, int]
    reports: Mapping[str, int]  #: `true` if somebody reported on them
    family: Mapping[Family, int] = MappingProxyType({})


class Week(NamedTuple):
    """The events of a week."""

    week: date  #: its Monday, in UTC
    worked: int = 0
    partial: int = 0
    failed: int = 0
    added: int = 0  #: memories stored, whatever became of them
    archived: int = 0  #: memories that were archived then and still are
    given: int = 0  #: memories given in answers, each time


class Weekly(Listing[Week]):
    """Weeks, oldest first, and the reports of as many weeks before them."""

    items: tuple[Week, ...]
    before: Reports = Reports()
