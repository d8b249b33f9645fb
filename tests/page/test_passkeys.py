"""A person registers a passkey on the page and signs with it: a real Chromium with its virtual authenticator."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from memory_layer.model.memory import Writer
from memory_layer.model.passkeys import Means
from memory_layer.model.vocabulary import WriterKind
from memory_layer.settings import load
from memory_layer.usecases.govern.passphrase import set_passphrase
from memory_layer.wiring import open_engine
from tests.page.served_page import ServedPage, served_page

PASSPHRASE = "four unrelated words here"
ADA = Writer("ada", WriterKind.PERSON, "cli", "terminal-1", confirmed=True, means=Means.CODE)


@contextmanager
def served_with_passphrase(folder: Path, model: Path) -> Iterator[ServedPage]:
    """A server on an empty store whose person has set a passphrase."""
    with served_page(folder / "home", folder, model) as running:
        settings = load({"MEM_HOME": str(running.home), "HOME": str(folder)}, cwd=folder)
        with open_engine(settings, "cli") as engine:
            set_passphrase(engine, PASSPHRASE, ADA)
        yield running


@pytest.fixture
def own_server(tmp_path, model_folder) -> Iterator[ServedPage]:
    with served_with_passphrase(tmp_path, model_folder) as running:
        running.mem("add", "Every release needs two approvals", "-c", "policy", "--global")
        yield running


def with_authenticator(page: Page) -> None:
    """Give a tab a device that makes passkeys and always finds its person."""
    device = page.context.new_cdp_session(page)
    device.send("WebAuthn.enable")
    options = {
        "protocol": "ctap2",
        "transport": "internal",
        "hasResidentKey": True,
        "hasUserVerification": True,
        "isUserVerified": True,
        "automaticPresenceSimulation": True,
    }
    device.send("WebAuthn.addVirtualAuthenticator", {"options": options})


@pytest.fixture
def page(browser: Browser, own_server) -> Iterator[Page]:
    """The page at the name that passkeys belong to, in a browser with an authenticator of its own."""
    context = browser.new_context()
    context.set_default_timeout(20_000)
    opened = context.new_page()
    with_authenticator(opened)
    opened.goto(own_server.link)
    opened.get_by_role("heading", level=1).wait_for()
    yield opened
    context.close()


def test_a_passkey_is_registered_signs_an_approval_and_is_seen_in_the_audit_log(page, own_server):
    page.goto(f"{own_server.address}/settings")
    page.get_by_label("Name of a new passkey").fill("Laptop")
    page.get_by_role("button", name="Add a passkey").click()
    page.get_by_label("Passphrase").fill(PASSPHRASE)
    page.get_by_role("button", name="Confirm").click()
    page.get_by_role("row", name="Laptop").wait_for()

    page.goto(f"{own_server.address}/review")  # which forgets the passphrase
    page.get_by_role("button", name="Approve").first.click()
    page.get_by_role("button", name="Sign with a passkey").click()
    page.get_by_role("dialog").wait_for(state="detached")
    page.wait_for_function(
        "() => fetch('/api/audit/verdict').then(a => a.json()).then(v => v.signatures === 1)"
    )

    newest = own_server.mem("audit", "list")["items"][0]
    verdict = own_server.mem("audit", "verify")
    assert newest["confirmed_by"] == "passkey"
    assert "signed with the passkey Laptop" in newest["said"]
    assert (verdict["intact"], verdict["signatures"]) == (True, 1)
