"""Tabs of a browser that is logged in, and what is asked of every page."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize

from npm.packages import packages
from tests.page.served_page import ServedPage
from tests.page.watched_page import Witness

DESK: ViewportSize = {"width": 1280, "height": 800}
PHONE: ViewportSize = {"width": 390, "height": 844}
#: The addresses of all views, by their headings.
VIEWS = {
    "Dashboard": "/",
    "Memories": "/memories",
    "Search": "/search?q=how+do+I+run+the+tests",
    "Timeline": "/timeline",
    "Map": "/map",
    "Review": "/review",
    "Tasks": "/tasks",
    "Insights": "/insights",
    "Health": "/health",
    "Settings": "/settings",
}
AXE = packages("axe").home / "node_modules" / "axe-core" / "axe.min.js"
SERIOUS = ("serious", "critical")


class Tab(NamedTuple):
    """A page of the browser, and what was noted about it."""

    page: Page
    context: BrowserContext
    witness: Witness
    server: ServedPage

    def open(self, address: str, heading: str | None = None) -> None:
        """Open an address of the page and wait until its view has said what it has to say."""
        self.page.goto(f"{self.server.address}{address}")
        if heading:
            self.page.get_by_role("heading", level=1, name=heading).wait_for()
        self.settled()

    def settled(self) -> None:
        """Wait until nothing is loaded any more."""
        self.page.wait_for_function("() => !document.querySelector('.grey-lines, .dim')")

    def says(self, text: str) -> None:
        self.page.get_by_text(text).first.wait_for()

    def flaws(self) -> list[str]:
        """The findings of axe that keep somebody out."""
        self.page.evaluate(AXE.read_text(encoding="utf-8"))  # the page's own policy lets no script tag in
        found: dict[str, Any] = self.page.evaluate("async () => await window.axe.run(document)")
        return [
            f"{each['id']}: {each['nodes'][0]['html'][:160]}"
            for each in found["violations"]
            if each["impact"] in SERIOUS
        ]


def log_in(browser: Browser, server: ServedPage) -> Any:
    """Open the one-time link, and return what keeps further contexts logged in."""
    context = browser.new_context()
    page = context.new_page()
    page.goto(server.link)
    page.get_by_role("heading", level=1).wait_for()
    kept = context.storage_state()
    context.close()
    return kept


@contextmanager
def tab(browser: Browser, server: ServedPage, state: Any, **options: Any) -> Iterator[Tab]:
    """A tab in a context of its own."""
    context = browser.new_context(storage_state=state, viewport=DESK, **options)
    context.set_default_timeout(15_000)
    try:
        yield Tab(context.new_page(), context, Witness(context, server.address), server)
    finally:
        context.close()
