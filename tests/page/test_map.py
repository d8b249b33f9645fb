"""The map in a real browser: drawn, looked at closely, chosen from, and read without seeing it."""

from __future__ import annotations

import json
import struct

import pytest
from playwright.sync_api import expect

MANY = 100_000


@pytest.fixture
def map_tab(open_tab):
    tab = open_tab()
    tab.open("/map?p=all", "Map")
    tab.page.locator(".map-box[data-drawn]").wait_for(timeout=60_000)
    return tab


def listed(tab):
    return tab.page.locator(".map-list li")


def test_the_map_lists_what_it_shows_and_follows_the_keys(map_tab):
    expect(listed(map_tab).first).to_be_visible()
    everything = map_tab.page.locator(".map-list h2").inner_text()
    map_tab.page.locator(".map-box").focus()
    for key in ("+", "+", "+", "+", "ArrowLeft"):
        map_tab.page.keyboard.press(key)
    expect(map_tab.page.locator(".map-list h2")).not_to_have_text(everything)
    map_tab.page.keyboard.press("0")
    expect(map_tab.page.locator(".map-list h2")).to_contain_text(everything.splitlines()[-1])
    listed(map_tab).first.get_by_role("link").click()
    map_tab.page.wait_for_url("**/memories/mem_*")
    assert map_tab.witness.complaints == []


def test_a_lasso_opens_what_it_holds_as_a_list(map_tab):
    map_tab.page.get_by_role("button", name="Lasso").click()
    box = map_tab.page.locator(".map-box").bounding_box()
    assert box is not None
    left, top, right, bottom = (
        box["x"] + 5,
        box["y"] + 5,
        box["x"] + box["width"] - 60,
        box["y"] + box["height"] * 0.6,
    )
    map_tab.page.mouse.move(left, top)
    map_tab.page.mouse.down()
    for x, y in ((right, top), (right, bottom), (left, bottom), (left, top + 10)):
        map_tab.page.mouse.move(x, y, steps=4)
    map_tab.page.mouse.up()
    chosen = map_tab.page.locator(".map-chosen b")
    count = int(chosen.inner_text().split()[0])
    assert count > 0
    map_tab.page.get_by_role("link", name="Open in Memories").click()
    map_tab.page.get_by_role("heading", level=1, name="Memories").wait_for()
    expect(map_tab.page.locator("tbody tr")).to_have_count(min(count, 50))


def test_the_way_of_colouring_is_part_of_the_address(map_tab):
    map_tab.page.get_by_role("button", name="Outcome").click()
    map_tab.page.wait_for_url("**by=outcome*")
    map_tab.says("Mostly worked")
    map_tab.page.reload()
    map_tab.says("Mostly worked")


def test_a_hundred_thousand_points_and_hostile_words_are_drawn(open_tab):
    tab = open_tab()
    words = ["<img src=x onerror=alert(1)>", "\u202enpm.exe"]
    labels = {
        "state": "ready",
        "sentence": None,
        "generation": "g",
        "memories": MANY,
        "unplaced": 0,
        "labels": [{"x": 30_000, "y": 30_000, "memories": 9, "words": words}],
    }
    header = struct.pack("<4sHHIII12x", b"MEMM", 1, 0, MANY, 0, MANY)
    places = struct.pack(f"<{2 * MANY}H", *(at * 7919 % 65_536 for at in range(2 * MANY)))
    body = (
        header + places + bytes(2 * MANY) + bytes(at % 6 for at in range(MANY)) + bytes(MANY) + b"\x01" * MANY
    )
    tab.page.route(
        "**/api/map?*", lambda route: route.fulfill(body=body, content_type="application/octet-stream")
    )
    tab.page.route(
        "**/api/map/labels?*",
        lambda route: route.fulfill(body=json.dumps(labels), content_type="application/json"),
    )
    tab.open("/map?p=all", "Map")
    tab.page.locator(".map-box[data-drawn=density]").wait_for()

    assert tab.page.locator(".map-labels span").inner_text().startswith("<img src=x")
    assert tab.page.locator("main img").count() == 0
    assert tab.witness.complaints == []
