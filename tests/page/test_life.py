"""The page beside other writers: two tabs, a command line, and a server that is killed and comes back."""

from __future__ import annotations

import re
import signal

import pytest

from tests.page.kit import tab
from tests.page.served_page import served_page


def total(tab) -> str:
    return str(tab.page.locator(".rail-views .number").first.inner_text())


def wait_for_total(tab, wanted: int) -> None:
    tab.page.wait_for_function(
        "(wanted) => document.querySelector('.rail-views .number')?.textContent.replace(/\\D/g, '') === wanted",
        arg=str(wanted),
    )


def seen(page, is_seen: bool) -> None:
    """Tell a page that it is in front, or behind another tab, as a browser does."""
    page.evaluate(
        "(seen) => { Object.defineProperty(document, 'hidden', {value: !seen, configurable: true});"
        " document.dispatchEvent(new Event('visibilitychange')); }",
        is_seen,
    )


def test_two_tabs_hear_of_each_other_and_of_the_command_line(open_tab, server):
    one, other = open_tab(), open_tab()
    for each in (one, other):
        each.open("/memories", "Memories")
        each.page.locator(".rail-views .number").first.wait_for()
    before = int(re.sub(r"\D", "", total(one)))
    added = server.mem("add", "The tent of the open day stands behind the dome of Mur", "-c", "fact")
    for each in (one, other):
        wait_for_total(each, before + 1)
    answer = one.page.evaluate(
        "(id) => fetch('/api/memories/archive', {method: 'POST', headers: {'Content-Type': 'application/json'},"
        " body: JSON.stringify({memory_ids: [id]})}).then(a => a.status)",
        added["id"],
    )
    other.open(f"/memories/{added['id']}")
    other.page.get_by_role("button", name="Restore").first.wait_for()

    assert answer == 200
    assert one.witness.complaints == other.witness.complaints == []


def test_many_tabs_share_the_few_connections_of_a_browser(open_tab, server):
    opened = open_tab()
    opened.open("/memories", "Memories")
    first = opened.page
    for _ in range(7):
        seen(opened.page, False)
        opened = opened._replace(page=opened.context.new_page())
        opened.open("/memories", "Memories")
        opened.page.locator(".rail-views .number").first.wait_for()
    before = int(re.sub(r"\D", "", total(opened)))
    server.mem("add", "The eighth tab shows as much as the first", "-c", "fact")
    wait_for_total(opened, before + 1)

    assert first.locator(".rail-views .number").first.inner_text().replace(",", "") == str(before)
    seen(first, True)
    wait_for_total(opened._replace(page=first), before + 1)


def test_a_killed_server_is_said_and_the_page_goes_on_when_it_is_back(open_tab, server):
    alive = open_tab()
    alive.open("/review", "Review")
    alive.page.locator(".review-item").wait_for()
    shown = alive.page.locator(".review-item").inner_text()
    server.stop(signal.SIGKILL)
    alive.page.keyboard.press("x")
    alive.says("The server does not answer")
    assert alive.page.locator(".review-item").inner_text() == shown

    server.start()
    alive.page.locator(".banner").wait_for(state="detached")
    alive.page.keyboard.press("g")
    alive.page.keyboard.press("h")
    alive.page.get_by_role("heading", level=1, name="Health").wait_for()
    alive.says("checks")
    assert alive.witness.dialogs == alive.witness.elsewhere == alive.witness.refused == []


def test_a_cookie_of_one_server_opens_no_other(browser, state, tmp_path, model_folder, server):
    with served_page(tmp_path / "home", tmp_path, model_folder) as second:
        stolen = {**state, "cookies": [dict(each) for each in state["cookies"]]}
        renamed = [
            {**each, "name": each["name"].replace(str(server.port), str(second.port))}
            for each in stolen["cookies"]
        ]
        stolen["cookies"] += renamed
        with tab(browser, second, stolen) as thief:
            thief.page.goto(second.address)
            statuses = [
                thief.page.evaluate("(path) => fetch(path).then(a => a.status)", path)
                for path in ("/api/stats", "/api/memories", "/api/export", "/api/session")
            ]

    assert stolen["cookies"]
    assert statuses == [401] * 4


@pytest.mark.parametrize("end", ["cookie", "link"])
def test_without_a_session_the_page_says_what_to_open(browser, server, end):
    context = browser.new_context()
    page = context.new_page()
    page.goto(f"{server.address}/?t=link_wrong" if end == "link" else f"{server.address}/memories")
    page.get_by_text("link").first.wait_for()

    assert "mem serve --link" in page.content()
    context.close()
