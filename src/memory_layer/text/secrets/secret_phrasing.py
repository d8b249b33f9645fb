"""Secrets that are known by what stands beside them, whichever way they are phrased."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from memory_layer.text.secrets.assignments import assigned
from memory_layer.text.secrets.commands import in_commands
from memory_layer.text.secrets.prose import told
from memory_layer.text.secrets.redact import (
    CODE_ANCHORS,
    COMMAND_ANCHORS,
    LOGIN_ANCHORS,
    PHRASE_ANCHORS,
    SQL_ANCHORS,
    URL_ANCHORS,
    WIRELESS_ANCHORS,
)
from memory_layer.text.secrets.secret_addresses import in_links, in_urls
from memory_layer.text.secrets.secret_codes import in_codes, in_phrases, in_wireless
from memory_layer.text.secrets.secret_logins import in_logins
from memory_layer.text.secrets.secret_tables import in_sql, in_tables
from memory_layer.text.secrets.words import names_in

_FINDERS: tuple[tuple[tuple[str, ...], Callable[[str], Iterator[tuple[int, int, str]]]], ...] = (
    (LOGIN_ANCHORS, in_logins),
    (CODE_ANCHORS, in_codes),
    (PHRASE_ANCHORS, in_phrases),
    (WIRELESS_ANCHORS, in_wireless),
    (URL_ANCHORS, in_urls),
    (URL_ANCHORS, in_links),
    (SQL_ANCHORS, in_sql),
)


def phrased(text: str, lowered: str, oddly: str) -> Iterator[tuple[int, int, str]]:
    """Where a secret is assigned, told or handed over; given in lower case, too, with the words that have a sign."""
    if names := names_in(text, lowered, oddly):
        yield from assigned(text, names)
        yield from told(text, names)
        yield from in_tables(text)
        yield from in_sql(text)
    if any(map(oddly.__contains__, COMMAND_ANCHORS)):
        yield from in_commands(text)
    for anchors, finder in _FINDERS:
        if any(map(lowered.__contains__, anchors)):
            yield from finder(text)
