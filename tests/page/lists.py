"""The list of memories, on the page and on the command line."""

from __future__ import annotations

from contextlib import suppress

from playwright.sync_api import Error, expect

from tests.page.kit import Tab
from tests.page.served_page import ServedPage

PAGE = 50
ROWS = ".memory-table tbody tr"
IDS = "rows => rows.map(row => row.id.slice('row-'.length))"


def listed(server: ServedPage, *options: str) -> list[str]:
    """The ids that the command line lists, in its order."""
    return [each["id"] for each in server.mem("list", *options, "--limit", "1000")["items"]]


def ids(memories: Tab) -> list[str]:
    return list(memories.page.locator(ROWS).evaluate_all(IDS))


def shows(memories: Tab, wanted: list[str]) -> None:
    """Wait until the first page of these memories is shown, of so many in all."""
    rows = f"({IDS})([...document.querySelectorAll('{ROWS}')]).join()"
    with suppress(Error):  # the comparison says more
        memories.page.wait_for_function(f"wanted => {rows} === wanted", arg=",".join(wanted[:PAGE]))
    assert ids(memories) == wanted[:PAGE]
    expect(memories.page.locator(".pager")).to_contain_text(f"of {len(wanted)}" if wanted else "0 in all")
