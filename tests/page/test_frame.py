"""The frame around every view: palette, keys, projects and counts, messages, the menu of a view, and a phone's bar."""

from __future__ import annotations

import shlex

import pytest
from playwright.sync_api import expect

from tests.page.kit import PHONE

FOUND = "cover is still on"  #: words of one memory, and of no view, action or project
OTHER = "gulls"  #: another project
SEARCH = "/search?q=pictures+vanish+after+upload"
SELECTED = "[role=option][aria-selected=true]"
INSIDE = """option => {
  const [list, one] = [option.closest('.dialog'), option].map(each => each.getBoundingClientRect());
  return one.top >= list.top && one.bottom <= Math.min(list.bottom, innerHeight);
}"""
#: Groups of the keys sheet and some of their keys, by the address of the view.
KEYS = {
    SEARCH: ("Search", {"Next hit": "j", "It worked, for this question": "w", "Open the memory": "Enter"}),
    "/timeline": ("Timeline", {"Next row": "j", "Undo the change of this row": "u"}),
    "/review": ("Review", {"Skip": "s", "Take back the last decision": "u"}),
    "/tasks": ("Tasks", {}),
    "/memories": ("Memories", {}),
}


@pytest.fixture(scope="module")
def gull(server):
    """A memory of another project, which the chooser then offers."""
    return server.mem("add", "Gulls sleep on the pier", "--project", OTHER)["id"]


def palette(opened):
    return opened.page.get_by_role("combobox", name="Search or jump to")


def jump(opened, text, label):
    """Type into the palette and take its first choice once that is the one meant."""
    opened.page.keyboard.press("Control+k")
    palette(opened).fill(text)
    expect(opened.page.locator(SELECTED)).to_contain_text(label)
    opened.page.keyboard.press("Enter")
    expect(palette(opened)).to_have_count(0)


def newest(server):
    return server.mem("undo", "--list", "--limit", "1")["items"]


def test_the_palette_finds_memories_views_actions_and_projects_by_keys_alone(open_tab, server, gull):
    opened = open_tab()
    page = opened.page
    opened.open(SEARCH, "Search")
    page.locator(".hit").first.wait_for()
    field = page.get_by_role("searchbox", name="Question")
    field.focus()
    page.keyboard.press("Control+k")
    expect(palette(opened)).to_be_focused()
    palette(opened).fill("zzzz")
    page.keyboard.press("Escape")
    expect(field).to_be_focused()
    page.keyboard.press("Escape")

    page.keyboard.press("Control+k")
    page.keyboard.press("ArrowUp")
    expect(page.locator("[role=option]").last).to_have_attribute("aria-selected", "true")
    assert page.locator(SELECTED).evaluate(INSIDE)
    page.keyboard.press("Escape")
    jump(opened, "next hit", "Next hit")
    expect(page.locator(".hit").nth(1)).to_have_class("hit open")
    jump(opened, "theme dark", "Theme: dark")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    jump(opened, OTHER, OTHER)
    expect(page.get_by_label("Project").locator("option:checked")).to_have_text(OTHER)
    assert field.input_value() == "pictures vanish after upload"
    page.get_by_label("Project").select_option("")
    jump(opened, FOUND, "the cover is still on")
    page.get_by_role("heading", level=1, name="Memory", exact=True).wait_for()
    opened.says("Black frames mean that the cover is still on")
    jump(opened, "insi", "Insights")
    page.get_by_role("heading", level=1, name="Insights").wait_for()
    jump(opened, "show all keys", "Show all keys")
    page.get_by_role("dialog", name="Keys").wait_for()
    assert opened.witness.complaints == []


def test_an_answer_that_comes_late_does_not_change_what_the_palette_would_open(open_tab):
    opened = open_tab()
    page, held = opened.page, []

    def keep(route):
        held.append(route)

    opened.open("/health", "Health")
    page.route("**/api/search?*", keep)
    page.keyboard.press("Control+k")
    with page.expect_request("**/api/search?*"):
        palette(opened).fill("search")
    chosen = page.locator(SELECTED).inner_text()
    held.pop().continue_()
    page.locator("[role=option] .shape").first.wait_for()
    assert page.locator(SELECTED).inner_text() == chosen

    page.unroute_all()
    palette(opened).fill(FOUND)
    expect(page.locator(SELECTED)).to_contain_text("the cover is still on")
    page.route("**/api/search?*", keep)
    palette(opened).fill(f"{FOUND} Lech")
    page.keyboard.press("Enter")  # what is listed answers the words before
    expect(palette(opened)).to_be_focused()
    page.unroute_all()
    palette(opened).fill("xylophone zzzz")
    for each in held:
        each.abort()
    page.keyboard.press("Escape")
    assert opened.witness.complaints == []


def test_the_sheet_lists_the_keys_of_the_view_and_none_of_them_acts_behind_it(open_tab, server):
    opened = open_tab()
    page = opened.page
    before = newest(server)
    for address, (group, keys) in KEYS.items():
        opened.open(address)
        page.locator("#view :is(.hit, .row, .review-item, tbody tr)").first.wait_for()
        page.keyboard.press("?")
        sheet = page.get_by_role("dialog", name="Keys")
        section = sheet.locator("section").filter(has=page.get_by_role("heading", name=group, exact=True))
        listed = section.locator("dl > div").evaluate_all(
            "rows => Object.fromEntries(rows.map(row => [row.children[0].innerText, row.children[1].innerText]))"
        )
        assert listed.items() >= keys.items()
        assert len(listed) >= 2
        for key in "wxua":
            page.keyboard.press(key)
        page.keyboard.press("Escape")
        expect(sheet).to_have_count(0)
    expect(page.locator(".toast")).to_have_count(0)
    assert newest(server) == before
    assert opened.witness.complaints == []


def test_single_keys_can_be_switched_off_and_keys_with_ctrl_stay(open_tab):
    opened = open_tab()
    page = opened.page
    opened.open("/health", "Health")
    page.keyboard.press("?")
    page.get_by_label("Single keys work").uncheck()
    page.keyboard.press("Escape")
    for _ in range(2):
        for key in ("g", "d", "?", "g", "l"):
            page.keyboard.press(key)
        expect(page.get_by_role("dialog")).to_have_count(0)
        assert page.get_by_role("heading", level=1).inner_text() == "Health"
        assert page.evaluate("document.documentElement.dataset.theme") is None
        page.reload()
        page.get_by_role("heading", level=1, name="Health").wait_for()
    jump(opened, "settings", "Settings")
    choice = page.get_by_label("Single keys such as")
    expect(choice).not_to_be_checked()
    choice.check()
    for key in "gl":
        page.keyboard.press(key)
    expect(page.locator("html")).to_have_attribute("data-theme", "light")


def test_the_rail_counts_what_the_store_has_for_the_chosen_project(open_tab, server, gull):
    opened = open_tab()
    page = opened.page
    opened.open("/memories", "Memories")
    chooser = page.get_by_label("Project")
    for name, scope in (
        (None, ()),
        (OTHER, ("--project", OTHER)),
        ("All projects", ("--all",)),
        ("Global only", ("--global",)),
    ):
        if name:
            chooser.select_option(label=name)
            page.wait_for_url("**p=*")
        waiting = server.mem("review", "--limit", "1", *scope)["total"]
        numbers = page.locator(".rail-views .number")
        expect(numbers.first).to_have_text(f"{server.mem('stats', *scope)['given_out']:,}")
        expect(numbers).to_have_text(
            [numbers.first.inner_text(), f"{waiting} waiting"] if waiting else [numbers.first.inner_text()]
        )
    chooser.select_option(label=OTHER)
    expect(page.locator("tbody tr")).to_have_count(1)
    server.mem("add", "Gulls eat at dawn", "--project", OTHER)
    expect(page.locator(".rail-views .number").first).to_have_text("2")
    page.get_by_role("link", name="Search").first.click()
    page.get_by_role("heading", level=1, name="Search").wait_for()
    assert chooser.locator("option:checked").inner_text() == OTHER
    assert opened.witness.complaints == []


def test_a_message_goes_after_eight_seconds_and_stays_while_it_is_looked_at(open_tab):
    opened = open_tab()
    page = opened.page
    page.clock.install()
    opened.open(SEARCH, "Search")
    page.locator(".hit").first.wait_for()
    page.clock.pause_at(page.evaluate("Date.now() + 60_000"))
    toast = page.locator(".toast")
    page.keyboard.press("w")
    expect(toast).to_contain_text("it worked")
    page.clock.run_for(7_900)
    expect(toast).to_have_count(1)
    page.clock.run_for(200)
    expect(toast).to_have_count(0)

    page.keyboard.press("p")
    toast.hover()
    page.clock.run_for(60_000)
    expect(toast).to_contain_text("it helped partly")
    with page.expect_response("**/undo"):
        page.keyboard.press("u")
        page.mouse.move(640, 5)
    expect(toast).to_contain_text("Undone")
    page.clock.run_for(8_100)
    expect(toast).to_have_count(0)
    page.keyboard.press("f")
    toast.get_by_role("button", name="Close this message").click()
    expect(toast).to_have_count(0)
    assert opened.witness.complaints == []


def test_u_takes_back_the_changes_of_this_page_one_by_one_in_every_view(open_tab, server):
    opened = open_tab()
    page, toast = opened.page, opened.page.locator(".toast")
    ids = [
        server.mem("add", f"The {name} buoy is painted anew", "--on-duplicate", "keep")["id"]
        for name in ("red", "green")
    ]

    def statuses():
        return [server.mem("show", each)["memory"]["status"] for each in ids]

    for memory in ids:
        opened.open(f"/memories/{memory}") if memory == ids[0] else jump(opened, "green buoy", "green buoy")
        expect(page.locator(".detail-text")).to_contain_text("red" if memory == ids[0] else "green")
        page.get_by_role("button", name="Archive", exact=True).click()
        expect(page.locator(".detail-state")).to_contain_text("Archived")
    assert statuses() == ["archived", "archived"]
    page.get_by_role("button", name="Close this message").click()
    for key in "gh":
        page.keyboard.press(key)
    page.get_by_role("heading", level=1, name="Health").wait_for()
    for left in (["archived", "active"], ["active", "active"]):
        with page.expect_response("**/undo"):
            page.keyboard.press("u")
        expect(page.locator(".toast:not([data-read])")).to_have_text("Undone: Archived")
        toast.evaluate("each => each.dataset.read = ''")  # the same words again are a message of their own
        assert statuses() == left
    page.keyboard.press("u")
    expect(toast).to_contain_text("Nothing is left to undo here. Earlier changes are in the Timeline")
    assert statuses() == ["active", "active"]
    assert opened.witness.complaints == []


def test_the_menu_of_each_view_has_its_command_and_its_json(open_tab, server, gull):
    opened = open_tab(permissions=["clipboard-read", "clipboard-write"])
    page = opened.page
    recall = server.mem("recalls", "--limit", "1")["items"][0]["id"]
    addresses = (
        "/?p=all",
        "/search?q=what's+%22in%22+$(the)+%60box%60",
        "/timeline?day=2035-05-05&kind=events",
        "/timeline?kind=questions",
        "/timeline?kind=changes&p=all",
        "/review?p=all",
        f"/tasks?show=done&source=beads&p={OTHER}",
        "/insights?weeks=4&p=all",
        f"/recalls/{recall}",
    )
    for address in addresses:
        opened.open(address)
        page.get_by_role("button", name="More about this view").click()
        page.get_by_role("menuitem", name="Copy as mem command").click()
        expect(page.locator(".toast")).to_contain_text("Copied: mem ")
        command = page.evaluate("navigator.clipboard.readText()")
        told = server.mem(*shlex.split(command)[1:])
        page.get_by_role("button", name="More about this view").click()
        with page.expect_popup() as opening:
            page.get_by_role("menuitem", name="Open as JSON").click()
        opening.value.wait_for_url("**/api/**")
        answer = opening.value.evaluate("JSON.parse(document.body.innerText)")
        opening.value.close()
        lists = [name for name in ("items", "hits") if name in told and name in answer]
        for name in lists:
            assert {each.get("id") for each in told[name]} <= {each.get("id") for each in answer[name]}, (
                address
            )
        assert lists or told.keys() & answer.keys(), address
    assert opened.witness.complaints == []


def test_a_phone_has_five_tabs_and_everything_else_under_more(open_tab, server, gull):
    opened = open_tab(has_touch=True)
    page = opened.page
    page.set_viewport_size(PHONE)
    opened.open("/", "Dashboard")
    bar = page.get_by_role("navigation", name="Views, short")
    rail = page.get_by_role("navigation", name="Views", exact=True)
    waiting = server.mem("review", "--limit", "1")["total"]
    expect(bar.locator("b")).to_have_text(str(waiting))
    for name in ("Memories", "Search", "Review", "Dashboard"):
        bar.get_by_role("link", name=name).tap()
        page.get_by_role("heading", level=1, name=name).wait_for()
        expect(bar.locator("[aria-current]")).to_contain_text(name)
        expect(rail).to_be_hidden()
    more = bar.get_by_role("button", name="More")
    for name in ("Timeline", "Map", "Tasks", "Insights", "Health", "Settings"):
        more.tap()
        expect(more).to_have_attribute("aria-expanded", "true")
        rail.get_by_role("link", name=name).tap()
        page.get_by_role("heading", level=1, name=name).wait_for()
        expect(rail).to_be_hidden()
    more.tap()
    rail.get_by_role("button", name="Theme:").tap()
    expect(page.locator("html")).to_have_attribute("data-theme", "light")
    rail.get_by_label("Project").select_option(label=OTHER)
    rail.get_by_role("link", name="Memories").tap()
    opened.says("Gulls sleep on the pier")
    page.get_by_role("button", name="Search or jump to").tap()
    expect(palette(opened)).to_be_focused()
    assert opened.witness.complaints == []


def test_the_first_tab_stop_skips_to_the_content(open_tab):
    opened = open_tab()
    opened.open(f"{SEARCH}&p=all", "Search")
    opened.page.keyboard.press("Tab")
    opened.page.keyboard.press("Enter")

    expect(opened.page.locator("#view")).to_be_focused()
    opened.page.keyboard.press("Tab")
    assert opened.page.evaluate("document.activeElement.closest('#view') !== null")
    opened.page.locator(".hit").first.wait_for()
    assert opened.witness.complaints == []
