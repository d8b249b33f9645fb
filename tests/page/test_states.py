"""Every view while it loads, with a part that cannot be read, with nothing stored, narrow, and with less motion."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import expect

from tests.page.kit import VIEWS, log_in, tab
from tests.page.served_page import served_page
from tests.page.watched_page import overflows

NARROW = {"width": 320, "height": 640}
#: How many things move: with less motion nothing does for longer than a moment.
MOVING = "document.getAnimations().filter(each => each.effect.getTiming().duration > 1).length"
#: What each view reads, and what stands in it once that is there.
PARTS = {
    "Memories": ("**/api/memories?*", "tbody tr"),
    "Search": ("**/api/search?*", ".hit"),
    "Timeline": ("**/api/{timeline,recalls,operations}?*", ".row"),
    "Map": ("**/api/map/labels*", ".map-list li"),
    "Review": ("**/api/review?*", ".review-item"),
    "Tasks": ("**/api/tasks?*", ".tasks-table tbody tr"),
    "Insights": ("**/api/insights?*", ".insights-sentence"),
    "Health": ("**/api/health", ".verdict"),
    "Settings": ("**/api/settings", ".settings tbody tr"),
}
#: What each view says of a store with nothing in it.
NOTHING = {
    "/": "Nothing is remembered yet",
    "/memories": "No memories yet",
    "/search": "Ask what an agent would ask",
    "/search?q=when+do+gulls+sleep": "Nothing stored answers this",
    "/search?q=when+do+gulls+sleep&show=side": "Nothing has these words",
    "/timeline": "Nothing happened yet",
    "/timeline?kind=changes": "Nothing was changed yet",
    "/map": "Nothing to draw yet",
    "/review": "Nothing waits for you",
    "/tasks": "No tasks here",
    "/insights": "Nothing to learn from yet",
    "/health": "The store is in order",
    "/settings": "None yet. Without one you confirm by the passphrase",
}
REFUSED = {"type": "about:blank", "title": "x", "status": 503, "code": "x", "next_step": "Run `mem doctor`."}
BODY = json.dumps(REFUSED | {"detail": "This part cannot be read."})


def refuse(route):
    route.fulfill(status=503, content_type="application/problem+json", body=BODY)


def test_a_view_shows_grey_lines_then_why_it_cannot_be_read_and_then_what_it_reads(open_tab, server):
    opened = open_tab()
    page, held = opened.page, []
    recall = server.mem("recalls", "--limit", "1")["items"][0]["id"]
    parts = {VIEWS[heading]: part for heading, part in PARTS.items()}
    parts[f"/recalls/{recall}"] = ("**/api/recalls/*", ".recall-hits li")

    def keep(route):
        held.append(route)

    page.route("**/api/events", lambda _: None)  # nothing is read again by itself
    for address, (reads, stands) in parts.items():
        page.route(reads, keep)
        page.goto(f"{opened.server.address}{address}")
        expect(page.locator(".grey-lines").first, address).to_be_visible()
        assert page.locator(stands).count() == 0, address
        page.route(reads, refuse)
        while held:
            refuse(held.pop())
        alert = page.get_by_role("alert").first
        expect(alert, address).to_contain_text("This part cannot be read. Run mem doctor.")
        expect(page.locator(".rail-views .number").first).to_be_visible()
        page.unroute(reads)
        alert.get_by_role("button", name="Try again").click()
        expect(page.locator(stands).first, address).to_be_visible()
        expect(page.locator(":is(.grey-lines, [role=alert])"), address).to_have_count(0)
    assert opened.witness.complaints == []


def test_the_parts_beside_one_that_cannot_be_read_stay(open_tab):
    opened = open_tab()
    page = opened.page
    page.route("**/api/settings", refuse)
    opened.open("/settings", "Settings")
    opened.says("This part cannot be read.")
    expect(page.get_by_role("button", name="Log out")).to_be_visible()
    expect(page.get_by_role("button", name="Add a passkey")).to_be_visible()
    for frame in ("overview", "projects"):
        page.route(f"**/api/{frame}*", refuse)
    opened.open("/memories", "Memories")
    expect(page.locator("tbody tr").first).to_be_visible()
    assert page.locator(".rail-views .number").count() == 0
    assert opened.witness.complaints == []


def test_an_empty_store_says_in_each_view_what_would_be_there(browser, tmp_path, model_folder):
    for name in ("memory", "work", "person"):
        (tmp_path / name).mkdir(mode=0o700)
    with (
        served_page(
            tmp_path / "memory", tmp_path / "work", model_folder, person=tmp_path / "person"
        ) as server,
        tab(browser, server, log_in(browser, server)) as opened,
    ):
        for address, said in NOTHING.items():
            opened.open(address)
            opened.says(said)
            assert not overflows(opened.page), address
        assert server.mem("stats")["total"] == 0
        assert opened.witness.complaints == []


@pytest.fixture
def addresses(server):
    """The addresses of all views, with what stands in them, and of some more."""
    best = server.mem("list", "--sort", "score", "--limit", "1")["items"][0]["id"]
    recall = server.mem("recalls", "--limit", "1")["items"][0]["id"]
    pair = server.mem("review", "--kind", "conflict")["items"][0]
    views = {VIEWS[heading]: stands for heading, (_, stands) in PARTS.items()}
    return views | {
        "/": ".figures",
        f"{VIEWS['Search']}&show=side": ".plain-hits li",
        f"/search?q={'x' * 300}&mode=keyword": ".empty",
        "/timeline?kind=changes": ".row",
        f"/memories/{best}": ".detail-page h2",
        f"/memories?open={best}": ".detail h2",
        f"/recalls/{recall}": ".recall-hits li",
        f"/review/conflict/{pair['memory']['id']}~{pair['other']['id']}": ".sides",
        "/nowhere": ".empty",
    }


def test_every_view_works_narrow_with_less_motion_and_with_the_colours_of_the_system(open_tab, addresses):
    opened = open_tab(reduced_motion="reduce", forced_colors="active", has_touch=True)
    page, wide = opened.page, []
    page.set_viewport_size(NARROW)
    for address, stands in addresses.items():
        opened.open(address)
        expect(page.locator(stands).first, address).to_be_visible()
        wide += [address] * overflows(page)
        assert page.evaluate(MOVING) == 0, address
        menu = page.get_by_role("button", name="More about this view")
        if menu.count():
            menu.tap()
            wide += [f"menu of {address}"] * overflows(page)
    opened.open(VIEWS["Search"], "Search")
    page.locator(".hit").first.wait_for()
    for key, name in (("Control+k", "Search or jump to"), ("?", "Keys")):
        page.keyboard.press(key)
        wide += [name] * leaves(page, page.get_by_role("dialog", name=name))
        page.keyboard.press("Escape")
    page.keyboard.press("w")
    wide += ["message"] * leaves(page, page.locator(".toast"))
    expect(page.locator(".toast .time")).to_be_hidden()
    page.get_by_role("button", name="More", exact=True).tap()
    wide += ["drawer"] * leaves(page, page.get_by_role("navigation", name="Views", exact=True))

    assert wide == []
    assert opened.witness.complaints == []


def leaves(page, part):
    """Does a part that floats reach over an edge of the page?"""
    part.wait_for()
    box = part.bounding_box()
    return overflows(page) or box["x"] < 0 or box["x"] + box["width"] > NARROW["width"]


def test_what_is_chosen_and_measured_is_seen_without_the_colours_of_the_page(open_tab):
    opened = open_tab(forced_colors="active")
    page = opened.page
    for heading, chosen in (
        ("Timeline", ".row.chosen"),
        ("Tasks", ".tasks-table [aria-current]"),
        ("Search", ".hit.open"),
    ):
        opened.open(VIEWS[heading], heading)
        page.locator(PARTS[heading][1]).first.wait_for()
        page.keyboard.press("j")
        expect(page.locator(chosen).first).to_have_css("outline-style", "solid")
    parts = page.locator(".hit .bar").first.locator(".part")
    assert set(parts.evaluate_all("parts => parts.map(part => getComputedStyle(part).borderTopStyle)")) == {
        "solid"
    }
