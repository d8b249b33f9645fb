"""One browser for all tests of the page; contexts and tabs are cheap."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, sync_playwright

from npm import browser as chromium


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """A real Chromium, which `make test` installs; only a machine that cannot have one leaves these tests out."""
    found = chromium.find()
    if found is None:
        if os.environ.get("CI") == "true":
            pytest.fail(chromium.MISSING)
        pytest.skip(chromium.MISSING)
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(
            executable_path=str(found.program), args=chromium.FLAGS, env={**found.environment}
        )
        yield opened
        opened.close()
