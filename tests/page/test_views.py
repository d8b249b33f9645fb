"""Every view, light and dark, wide and narrow: it opens, keeps nobody out, and complains about nothing."""

from __future__ import annotations

import pytest

from tests.page.kit import PHONE, VIEWS
from tests.page.watched_page import overflows


@pytest.mark.parametrize("heading", VIEWS)
def test_a_view_opens_and_keeps_nobody_out(open_tab, heading):
    tab = open_tab()
    tab.open(VIEWS[heading], heading)
    flaws = {}
    for theme in ("light", "dark"):
        tab.page.emulate_media(color_scheme=theme)
        flaws[theme] = tab.flaws()
    tab.page.set_viewport_size(PHONE)
    narrow = tab.flaws()

    assert flaws == {"light": [], "dark": []}
    assert narrow == []
    assert not overflows(tab.page)
    assert tab.witness.complaints == []
    assert tab.page.title() == f"{heading} · Memory Layer"


def test_no_view_scrolls_the_page_away_under_its_rail(open_tab):
    tab = open_tab()
    tab.page.set_viewport_size({"width": 1280, "height": 420})
    too_high = {}
    for heading, address in VIEWS.items():
        tab.open(address, heading)
        tab.page.wait_for_timeout(600)  # in which lists and charts are drawn
        too_high[heading] = tab.page.evaluate("document.documentElement.scrollHeight - innerHeight")

    assert too_high == dict.fromkeys(VIEWS, 0)


def test_every_view_is_reached_by_two_keys_and_left_by_back(open_tab):
    tab = open_tab()
    tab.open("/", "Dashboard")
    for keys, heading in (("gm", "Memories"), ("gt", "Timeline"), ("gr", "Review"), ("gh", "Health")):
        for key in keys:
            tab.page.keyboard.press(key)
        tab.page.get_by_role("heading", level=1, name=heading).wait_for()
    tab.page.go_back()
    tab.page.get_by_role("heading", level=1, name="Review").wait_for()
    tab.page.keyboard.press("?")
    assert tab.page.get_by_role("dialog").is_visible()
    tab.page.keyboard.press("Escape")
    tab.page.keyboard.press("Control+k")
    tab.page.keyboard.type("sett")
    tab.page.keyboard.press("Enter")
    tab.page.get_by_role("heading", level=1, name="Settings").wait_for()

    for key in "gs":
        tab.page.keyboard.press(key)
    tab.page.get_by_role("heading", level=1, name="Search").wait_for()
    assert tab.witness.complaints == []


def test_the_theme_is_chosen_with_the_button_and_kept(open_tab):
    tab = open_tab(color_scheme="light")
    tab.open("/", "Dashboard")
    themes = set()
    for _ in range(3):
        tab.page.get_by_role("button", name="Theme:").click()
        themes.add(tab.page.evaluate("document.documentElement.dataset.theme ?? 'system'"))
    tab.page.get_by_role("button", name="Theme:").click()
    chosen = tab.page.evaluate("getComputedStyle(document.body).backgroundColor")
    tab.page.reload()
    tab.page.get_by_role("heading", level=1).wait_for()

    assert themes == {"light", "dark", "system"}
    assert tab.page.evaluate("getComputedStyle(document.body).backgroundColor") == chosen


def test_an_address_that_is_no_view_says_so(open_tab):
    tab = open_tab()
    tab.page.goto(f"{tab.server.address}/nowhere")
    tab.says("There is no such page")


def test_texts_have_room_beside_an_open_memory(open_tab):
    opened = open_tab()
    memory = opened.server.mem("list", "--limit", "1")["items"][0]["id"]
    opened.open(f"/memories?open={memory}", "Memories")
    beside = opened.page.locator(".beside").bounding_box()
    cell = opened.page.locator("tbody .text-cell").first.bounding_box()

    assert cell["width"] >= 300
    assert cell["x"] + cell["width"] < beside["x"]
