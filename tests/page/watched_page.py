"""A browser page whose every complaint, dialog and foreign request is noted."""

from __future__ import annotations

from playwright.sync_api import BrowserContext, Dialog, Page, Request

#: Messages of the browser itself about answers that a test provokes on purpose.
EXPECTED = ("Failed to load resource",)


class Witness:
    """Record what a page must never do: scripts that ran, requests elsewhere, errors, refused content."""

    def __init__(self, context: BrowserContext, address: str) -> None:
        self.address = address
        self.dialogs: list[str] = []
        self.errors: list[str] = []
        self.elsewhere: list[str] = []
        self.refused: list[str] = []
        context.on("dialog", self._opened)
        context.on("weberror", lambda error: self.errors.append(str(error.error)))
        context.on("console", lambda said: self._heard(said.type, said.text))
        context.on("request", self._asked)

    def _opened(self, dialog: Dialog) -> None:
        self.dialogs.append(dialog.message)
        dialog.dismiss()

    def _heard(self, kind: str, text: str) -> None:
        if "Content Security Policy" in text:
            self.refused.append(text)
        elif kind == "error" and not text.startswith(EXPECTED):
            self.errors.append(text)

    def _asked(self, request: Request) -> None:
        if not request.url.startswith((self.address, "data:", "blob:", "about:")):
            self.elsewhere.append(request.url)

    @property
    def complaints(self) -> list[str]:
        """Everything noted, each with its kind."""
        return [
            f"{kind}: {each}"
            for kind in ("dialogs", "errors", "elsewhere", "refused")
            for each in getattr(self, kind)
        ]


def overflows(page: Page) -> bool:
    """Does the page scroll sideways?"""
    return bool(
        page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth + 1")
    )
