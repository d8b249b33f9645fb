"""One browser for each file of tests; contexts and tabs are cheap."""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from docs.story.seed import Places, seed
from npm import browser as chromium
from tests.page.kit import Tab, log_in, tab
from tests.page.served_page import ServedPage, served_page

STORY_VARIABLE = "MEM_TEST_STORY"  #: a folder that `python -m docs.story` has filled, to save its half minute


expect.set_options(timeout=30_000)  # a busy machine is no failure


@pytest.fixture(scope="session")
def story(tmp_path_factory: pytest.TempPathFactory, worker_id: str, model_folder: Path) -> Places:
    """Twelve weeks of an invented project, told once for all processes of a test run; never written to."""
    kept = os.environ.get(STORY_VARIABLE)
    if kept:
        return Places.below(Path(kept))
    shared = (
        tmp_path_factory.getbasetemp() if worker_id == "master" else tmp_path_factory.getbasetemp().parent
    )
    folder = shared / "story"
    with (shared / "story.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "told").exists():
            seed(folder, model_folder)
            (folder / "told").touch()
    return Places.below(folder)


@pytest.fixture(scope="module")
def server(
    story: Places, tmp_path_factory: pytest.TempPathFactory, model_folder: Path
) -> Iterator[ServedPage]:
    """A server on a copy of the story's store, in its project."""
    home = tmp_path_factory.mktemp("served") / "memory"
    shutil.copytree(story.home, home)
    with served_page(home, story.root, model_folder, person=story.person) as running:
        yield running


@pytest.fixture(scope="module")
def state(browser: Browser, server: ServedPage) -> Any:
    """The cookies of a browser that has opened the one-time link."""
    return log_in(browser, server)


@pytest.fixture
def open_tab(browser: Browser, server: ServedPage, state: Any) -> Iterator[Callable[..., Tab]]:
    """Open tabs that are logged in, each in a context of its own."""
    with ExitStack() as closing:
        yield lambda **options: closing.enter_context(tab(browser, server, state, **options))


@pytest.fixture
def opened(open_tab: Callable[..., Tab]) -> Iterator[Callable[[str], Tab]]:
    """Open addresses in tabs that may copy and in which nothing may ever go wrong."""
    tabs: list[Tab] = []

    def open_address(address: str) -> Tab:
        tabs.append(open_tab(permissions=["clipboard-read", "clipboard-write"]))
        tabs[-1].open(address)
        return tabs[-1]

    yield open_address
    assert [each for one in tabs for each in one.witness.complaints] == []


@pytest.fixture(scope="module")  # while it is open, no other test of the process can run an event loop
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
