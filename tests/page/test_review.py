"""The review on the page: decided by the keys of `mem review`, taken back, and never about anything unseen."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect


def take_back(review) -> None:
    """Press the key once the message says that something can be taken back."""
    review.page.get_by_role("button", name="Undo").wait_for()
    review.page.wait_for_timeout(300)
    review.page.keyboard.press("u")
    review.page.locator(".decided").first.wait_for(state="detached")


@pytest.fixture
def review(open_tab):
    tab = open_tab()
    tab.open("/review", "Review")
    tab.page.locator(".review-item").wait_for()
    return tab


def current(tab) -> str:
    return str(tab.page.locator(".review-kinds [aria-current]").inner_text())


def open_item(tab, kind):
    """Open the first item of a kind, by its address."""
    item = tab.server.mem("review", "--kind", kind)["items"][0]
    ids = [item["memory"]["id"], *([item["other"]["id"]] if kind in ("conflict", "similar") else [])]
    tab.open(f"/review/{kind}/{'~'.join(ids)}", "Review")
    tab.page.locator(".review-kinds [aria-current]").wait_for()
    return item


def test_an_item_is_archived_by_a_key_and_taken_back_by_another(review):
    item = open_item(review, "expired")
    shown = review.server.mem("show", item["memory"]["id"])["memory"]["status"]
    review.page.keyboard.press("Enter")
    after_enter = review.server.mem("show", item["memory"]["id"])["memory"]["version"]
    review.page.keyboard.press("x")
    review.page.locator(".decided").first.wait_for()
    archived = review.server.mem("show", item["memory"]["id"])["memory"]["status"]
    take_back(review)

    assert after_enter == item["memory"]["version"]
    assert archived == "archived"
    assert review.server.mem("show", item["memory"]["id"])["memory"]["status"] == shown
    assert review.witness.complaints == []


def test_both_sides_of_a_pair_stand_in_one_table_with_what_differs_boxed(review):
    item = open_item(review, "conflict")
    boxed = review.page.locator(".differs").all_inner_texts()

    assert review.page.locator(".sides.two thead th").count() == 2
    assert boxed
    assert all(any(word in item[side]["content"] for side in ("memory", "other")) for word in boxed)
    assert review.page.locator(".sides .primary").count() <= 1


def test_a_failing_memory_shows_the_reports_that_count_and_the_newest_of_all(review):
    memory = open_item(review, "failing")["memory"]
    reports = review.server.mem("show", memory["id"])["outcomes"]
    newest = max(reports, key=lambda each: each["at"])
    expect(review.page.locator(".last-time")).to_contain_text(newest["result"])

    ticks = review.page.locator(".sides .tally rect")
    expect(ticks).to_have_count(memory["worked"] + memory["partial"] + memory["failed"])
    assert len({each["result"] for each in reports}) > 1
    assert any(not each["counted"] for each in reports)


def test_an_item_that_changes_meanwhile_is_shown_anew_and_not_decided(review):
    memory = open_item(review, "drifted")["memory"]["id"]
    review.context.route("**/api/events", lambda route: route.abort())
    review.page.reload()
    review.page.locator(".review-item").wait_for()
    review.server.mem("tag", memory, "meanwhile")
    review.page.keyboard.press("x")
    review.says("look at it again")

    assert review.server.mem("show", memory)["memory"]["status"] == "active"


def test_several_alike_are_decided_at_once_and_taken_back_as_a_whole(review):
    open_item(review, "expired")
    before = review.server.mem("review", "--kind", "expired")["total"]
    review.page.get_by_role("button", name="like it").click()
    dialog = review.page.get_by_role("dialog")
    dialog.get_by_role("checkbox").last.uncheck()
    dialog.get_by_role("button", name="Archive").click()
    review.says("Archived:")
    left = review.server.mem("review", "--kind", "expired")["total"]
    take_back(review)

    assert (before > 2, left) == (True, 1)
    assert review.server.mem("review", "--kind", "expired")["total"] == before


def test_what_only_a_person_may_decide_is_not_decided_by_a_browser_that_is_none(review):
    item = open_item(review, "proposed")
    review.page.keyboard.press("a")
    review.page.get_by_role("dialog").or_(review.page.locator(".toast")).first.wait_for()

    assert review.server.mem("show", item["memory"]["id"])["memory"]["approved_by"] is None


def test_what_is_new_appears_without_moving_what_is_looked_at(review):
    open_item(review, "drifted")
    before = current(review)
    review.server.mem("add", "Always ask twice before a mirror is cleaned", "-c", "policy")
    review.page.wait_for_function(
        "(number) => document.querySelectorAll('.review-kinds li').length > number",
        arg=review.page.locator(".review-kinds li").count() - 1,
    )

    assert current(review) == before
