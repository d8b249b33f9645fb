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


def open_by_row(tab, item):
    """Open an item by its row, as nothing is loaded anew then."""
    row = tab.page.locator(".review-kinds a", has_text=item["memory"]["content"][:30])
    row.click()
    expect(row).to_have_attribute("aria-current", "true")


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


def status_of(review, item) -> str:
    return str(review.server.mem("show", item["memory"]["id"])["memory"]["status"])


def test_each_u_takes_back_one_change_more_until_none_is_left(review):
    page, toast = review.page, review.page.locator(".toast")
    doubtful, expired = (
        review.server.mem("review", "--kind", kind)["items"][0] for kind in ("doubtful", "expired")
    )
    for item in (doubtful, expired):
        open_by_row(review, item)
        page.keyboard.press("x")
        expect(page.locator(".decided", has_text=item["memory"]["content"][:30])).to_have_count(1)
    first = [status_of(review, each) for each in (doubtful, expired)]
    page.keyboard.press("u")
    page.keyboard.press("u")
    expect(page.locator(".decided")).to_have_count(0)
    expect(toast).to_have_text("Undone: Archived")
    after = [status_of(review, each) for each in (doubtful, expired)]
    expect(page.locator(".review-kinds [aria-current]")).to_contain_text(doubtful["memory"]["content"][:30])
    page.keyboard.press("u")
    expect(toast).to_contain_text("Nothing is left to undo here")
    page.reload()
    page.locator(".review-item").wait_for()
    page.keyboard.press("u")
    expect(toast).to_contain_text("Nothing is left to undo here")
    toast.get_by_role("link", name="Timeline").click()
    page.wait_for_url("**/timeline?kind=changes")

    assert first == ["archived", "archived"]
    assert after == [each["memory"]["status"] for each in (doubtful, expired)]
    assert review.witness.complaints == []


def test_a_decided_row_takes_back_its_own_decision(review):
    page = review.page
    expired = review.server.mem("review", "--kind", "expired")["items"][:2]
    for item in expired:
        open_by_row(review, item)
        page.keyboard.press("x")
        expect(page.locator(".decided", has_text=item["memory"]["content"][:30])).to_have_count(1)
    open_by_row(review, expired[0])
    page.get_by_role("button", name="Take back").click()
    review.says("Undone: Archived")
    statuses = [status_of(review, each) for each in expired]
    page.keyboard.press("u")
    expect(page.locator(".decided")).to_have_count(0)

    assert statuses == [expired[0]["memory"]["status"], "archived"]
    assert [status_of(review, each) for each in expired] == [each["memory"]["status"] for each in expired]


def test_a_merge_that_is_taken_back_is_no_change_by_somebody_else(review):
    page = review.page
    item = open_item(review, "question")
    page.keyboard.press("m")
    page.locator(".merge-text").first.click()
    expect(page.locator(".decided")).to_have_count(1)
    with page.expect_response("**/api/review?*"):
        take_back(review)
    page.wait_for_timeout(1800)  # in which the list is read again
    again = review.server.mem("review", "--kind", "question")["items"][0]

    assert page.locator(".review-heading .changed").count() == 0
    expect(page.locator(".review-heading h2")).to_have_text("Is this new?")
    assert again["memory"]["version"] != item["memory"]["version"]
    page.keyboard.press("k")
    review.says("Both kept")
    take_back(review)


def test_the_fuller_text_of_a_merge_is_marked_and_the_one_that_is_kept(review):
    page = review.page
    fuller = "The ferry carries forty cars, twelve lorries and a crane"
    known = review.server.mem("add", fuller)["id"]
    review.server.mem("add", "The ferry carries forty cars and twelve lorries", "--on-duplicate", "ask")
    waiting = review.server.mem("review", "--limit", "100")["items"]
    item = next(each for each in waiting if each["other"] and each["other"]["id"] == known)
    open_by_row(review, item)
    page.keyboard.press("m")
    marked = page.locator(".merge-text", has_text="fuller")
    expect(marked).to_have_count(1)
    expect(marked).to_contain_text(fuller)
    page.get_by_role("button", name="Keep the fuller one").click()
    review.says("Merged")

    assert review.server.mem("show", known)["memory"]["content"] == fuller


def test_a_suggestion_says_that_nobody_wrote_it_and_keeps_its_details_apart(review):
    waiting = review.server.mem("review", "--kind", "held")["items"]
    item = next(each for each in waiting if each["reason"].startswith("suggested: "))
    review.open(f"/review/held/{item['memory']['id']}", "Review")
    expect(review.page.locator(".review-heading p")).to_contain_text("Suggested: failed")
    written = review.page.get_by_role("row", name="written")
    expect(written).to_contain_text("suggested by Memory Layer in the name of")
    badge, before = review.page.locator(".sides .badge"), review.page.locator(".sides .category")
    boxes = before.bounding_box(), badge.bounding_box()
    review.page.keyboard.press("x")
    row = review.page.locator(".decided", has_text="withheld: it was suggested")
    expect(row).to_contain_text(", archived")
    take_back(review)

    assert boxes[1]["x"] - boxes[0]["x"] - boxes[0]["width"] >= 6


def test_the_question_for_a_person_quotes_the_texts_and_leads_to_the_review(review):
    item = review.server.mem("review", "--kind", "conflict")["items"][0]
    review.open(f"/memories/{item['memory']['id']}")
    review.page.get_by_role("button", name="Archive", exact=True).click()
    dialog = review.page.get_by_role("dialog", name="This needs a person")
    for side in ("memory", "other"):
        expect(dialog).to_contain_text(item[side]["content"][:40])
    expect(dialog).not_to_contain_text("mem_")
    expect(dialog.get_by_role("button", name="Cancel")).to_be_focused()
    dialog.get_by_role("link", name="Review").click()
    review.page.locator(".review-item").wait_for()

    expect(dialog).to_have_count(0)
    assert status_of(review, item) == "active"


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
