"""Errands of somebody who sees the page for the first time, each done with the page alone."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

from playwright.sync_api import expect

from memory_layer.settings import load
from memory_layer.usecases.govern.passphrase import set_passphrase
from memory_layer.wiring import open_engine
from tests.page.kit import PHONE
from tests.page.test_passkeys import ADA, PASSPHRASE

SHOWN = "first => [first.getBoundingClientRect().top, first.innerText]"


def test_a_recall_says_why_each_memory_was_given(open_tab, server):
    asked = next(each for each in server.mem("recalls")["items"] if each["kind"] == "search")
    hits = server.mem("recalls", asked["id"])["hits"]
    shown = open_tab()

    shown.open(f"/memories/{hits[1]['id']}")
    shown.page.locator(f"a[href*='{asked['id']}']").last.click()
    shown.page.get_by_role("heading", level=2, name=asked["query"], exact=True).wait_for()

    rows = shown.page.locator(".recall-hits > li")
    expect(rows).to_have_count(len(hits))
    expect(shown.page.locator(".recall-hits > [aria-current]")).to_contain_text(hits[1]["content"])
    meaning = next(each["value"] for each in hits[0]["signals"] if each["name"] == "semantic")
    expect(rows.first).to_contain_text(f"meaning {meaning:.2f}")
    expect(rows.first).to_contain_text(f"{hits[0]['score']:.2f}")


def test_a_day_is_shown_even_if_nothing_happened_on_it(open_tab):
    shown = open_tab(timezone_id="UTC")
    day = datetime.now(UTC) + timedelta(days=3)
    shown.open(f"/timeline?day={day:%Y-%m-%d}")

    expect(shown.page.locator(".timeline h2").first).to_contain_text(f"{day:%A}, {day.day} {day:%B}")
    expect(shown.page.get_by_text("Nothing happened. The days before:")).to_be_visible()

    shown.page.get_by_role("button", name="Show the newest").click()
    expect(shown.page.locator(".timeline h2").first).to_contain_text(re.compile("Today|Yesterday"))


def test_ten_memories_are_selected_and_archived_without_a_row_moving(open_tab, server):
    before = server.mem("list", "--category", "fixes", "--limit", "10")["items"]
    shown = open_tab()
    shown.open("/memories?q=family:fixes")
    rows = shown.page.locator(".memory-table tbody tr")
    at = rows.first.evaluate(SHOWN)

    rows.first.get_by_label("Select this memory").click()
    rows.nth(9).get_by_label("Select this memory").click(modifiers=["Shift"])
    shown.says("10 memories selected")
    assert rows.first.evaluate(SHOWN) == at
    shown.page.get_by_role("button", name="Archive").click()
    shown.says("Archived 10")

    kept = {each["id"] for each in server.mem("list", "--limit", "1000")["items"]}
    assert not kept & {each["id"] for each in before}
    shown.page.keyboard.press("u")
    shown.says("Undone")
    after = server.mem("list", "--category", "fixes", "--limit", "10")["items"]
    assert [each["id"] for each in after] == [each["id"] for each in before]


def test_several_are_selected_on_a_phone(open_tab):
    shown = open_tab(has_touch=True)
    shown.page.set_viewport_size(PHONE)
    shown.open("/memories")

    shown.page.get_by_role("button", name="More about this view").tap()
    shown.page.get_by_role("menuitem", name="Select several").tap()
    shown.page.get_by_label("Select this memory").nth(1).tap()
    shown.says("1 memory selected")
    shown.page.get_by_role("button", name="Select all 50 on this page").tap()
    shown.says("50 memories selected")
    assert shown.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_without_a_passphrase_the_page_says_how_to_set_one(open_tab, server, story):
    proposed = server.mem("review", "--kind", "proposed")["items"][0]["memory"]["id"]
    shown = open_tab()
    shown.open(f"/review/proposed/{proposed}")
    shown.page.get_by_role("button", name="Approve").click()
    dialog = shown.page.get_by_role("dialog", name="This needs a person")
    expect(dialog).to_contain_text("mem passphrase set")
    expect(dialog.get_by_label("Passphrase")).to_have_count(0)

    settings = load({"MEM_HOME": str(server.home), "HOME": str(story.person)}, cwd=story.root)
    with open_engine(settings, "cli") as engine:
        set_passphrase(engine, PASSPHRASE, ADA)
    dialog.get_by_role("button", name="I have set it").click()
    dialog.get_by_label("Passphrase").fill(PASSPHRASE)
    dialog.get_by_role("button", name="Confirm").click()

    shown.says("1 of")
    assert server.mem("show", proposed)["memory"]["approved_by"]
