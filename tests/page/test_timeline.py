"""The timeline on the page: all that happened, once and in order, by kind and day; changes are undone from it."""

from __future__ import annotations

import json
import re
import shlex
from datetime import datetime, timedelta

import pytest
from playwright.sync_api import expect

PAGE = 40
QUESTIONS = {"search", "prompt", "warning"}
REFUSED = {"type": "about:blank", "title": "x", "status": 503, "code": "x", "next_step": "Run mem doctor."}

#: The day of a time where the browser is.
DAY = """at => {
  const then = new Date(at);
  return new Date(then - then.getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
}"""


@pytest.fixture
def timeline(open_tab):
    opened = open_tab()
    opened.open("/timeline", "Timeline")
    rows(opened).first.wait_for()
    return opened


def rows(opened):
    return opened.page.locator(".timeline .row")


def ids(opened):
    return [
        each.removeprefix("row-") for each in rows(opened).evaluate_all("rows => rows.map(row => row.id)")
    ]


def choose(opened, kind):
    """Choose a kind and wait until its rows have replaced the others."""
    opened.page.get_by_role("button", name=kind, exact=True).click()
    opened.page.wait_for_url(f"**kind={kind.lower()}*")
    opened.settled()
    rows(opened).first.wait_for()


def times(opened):
    return rows(opened).locator("time").evaluate_all("times => times.map(time => time.dateTime)")


def by_time(listed):
    """Put what a list answered in the order of time, as far back as it is complete."""
    complete = [each for each in listed if each["at"] >= listed[-1]["at"]]
    return [each["id"] for each in sorted(complete, key=lambda each: each["at"], reverse=True)]


def show_earlier(opened):
    before = rows(opened).count()
    opened.page.get_by_role("button", name="Show earlier").click()
    expect(rows(opened)).not_to_have_count(before)


def refuse(opened, addresses, said):
    body = json.dumps({**REFUSED, "detail": said})
    opened.page.route(
        addresses,
        lambda route: route.fulfill(status=503, content_type="application/problem+json", body=body),
    )


def status_of(server, memory_id):
    return server.mem("show", memory_id)["memory"]["status"]


def test_each_kind_shows_what_the_terminal_lists_the_newest_first(timeline, server):
    everything = times(timeline)
    events = [each["id"] for each in server.mem("timeline", "--limit", str(PAGE))["items"]]
    recalls = server.mem("recalls", "--here", "--limit", str(PAGE))["items"]
    changes = by_time(server.mem("undo", "--list", "--limit", str(PAGE))["items"])

    assert everything == sorted(everything, reverse=True)
    words = set(rows(timeline).locator(".row-word").all_inner_texts())
    assert words >= {"asked", "told", "stored", "action", "handoff"}
    choose(timeline, "Events")
    assert ids(timeline) == events[::-1]
    choose(timeline, "Questions")
    questions = {each["id"] for each in recalls if each["kind"] in QUESTIONS}
    assert ids(timeline) == [each for each in by_time(recalls) if each in questions]
    choose(timeline, "Changes")
    assert ids(timeline) == changes
    timeline.page.reload()
    rows(timeline).first.wait_for()
    assert ids(timeline) == changes
    assert timeline.witness.complaints == []


def test_earlier_rows_come_once_each_also_while_something_new_happens(timeline, server):
    page, held = timeline.page, []

    def keep(route):
        held.append(route)

    choose(timeline, "Changes")
    page.route("**/api/operations?*cursor*", keep)
    more = page.get_by_role("button", name="Show earlier")
    more.click()
    added = server.mem("add", "The harbour is dredged in spring")
    timeline.says("The harbour is dredged in spring")
    more.click()
    page.wait_for_timeout(100)  # a second request would be under way by now
    for each in held:
        each.continue_()
    page.unroute_all()
    expect(rows(timeline)).not_to_have_count(PAGE + 1)
    show_earlier(timeline)
    show_earlier(timeline)
    listed = server.mem("undo", "--list", "--limit", str(4 * PAGE + 1))["items"]

    assert len(held) == 1
    assert ids(timeline) == by_time(listed)
    assert listed[0]["memories"] == [added["id"]]
    expect(rows(timeline).locator("a").filter(has_text="mem_")).to_have_count(0)  # all have their texts

    choose(timeline, "Events")
    while more.count():
        show_earlier(timeline)
    server.mem("episode", "The crane was greased", "--session", "spring")
    timeline.says("The crane was greased")
    events = server.mem("timeline", "--limit", "1000")["items"]
    assert ids(timeline) == [each["id"] for each in events][::-1]
    expect(more).to_have_count(0)
    assert timeline.witness.complaints == []


def test_a_change_is_undone_by_its_button_and_by_a_key_that_stays_with_the_chosen_row(timeline, server):
    page = timeline.page
    choose(timeline, "Changes")
    one = server.mem("add", "The pilot boat is blue")["id"]
    timeline.says("The pilot boat is blue")
    page.keyboard.press("j")
    expect(page.locator(".row.chosen")).to_contain_text("The pilot boat is blue")
    other = server.mem("add", "The tug is red")["id"]
    timeline.says("The tug is red")
    expect(page.locator(".row.chosen")).to_contain_text("The pilot boat is blue")
    page.keyboard.press("u")
    timeline.says("Undone")
    expect(page.locator(".row.chosen")).to_contain_text("undone")
    assert (status_of(server, one), status_of(server, other)) == ("archived", "active")

    page.get_by_role("button", name="Close this message").click()
    rows(timeline).filter(has_text="The tug is red").get_by_role("button", name="Undo").click()
    undoing = rows(timeline).filter(has_text="undid").filter(has_text="The tug is red")
    expect(undoing).to_have_count(1)
    assert status_of(server, other) == "archived"
    undoing.get_by_role("button", name="Undo").click()
    expect(undoing).to_have_count(2)
    assert status_of(server, other) == "active"

    show_earlier(timeline)
    last = rows(timeline).filter(has=page.locator(".row-word", has_text="stored")).last
    old = page.locator(f"#{last.get_attribute('id')}")
    assert (
        rows(timeline).evaluate_all(
            "(all, id) => all.findIndex(row => row.id === id)", old.get_attribute("id")
        )
        > PAGE
    )
    memory = old.locator("a").get_attribute("href").removeprefix("/memories/")
    old.get_by_role("button", name="Undo").click()
    expect(old.locator(".row-who")).to_contain_text("undone")
    assert status_of(server, memory) == "archived"
    page.keyboard.press("u")  # does not redo what it has undone
    rows(timeline).filter(has_text="undid").first.get_by_role("button", name="Undo").click()
    expect(old.get_by_role("button", name="Undo")).to_be_visible()
    assert status_of(server, memory) == "active"
    assert timeline.witness.complaints == []


def test_a_session_appears_as_it_goes_from_its_first_question_to_its_handoff(timeline, server):
    said = ("--session", "night", "--as", "codex")
    found = server.mem("search", "when is the harbour dredged", *said)
    server.mem("outcome", found["hits"][0]["id"], "worked", "--recall", found["recall"], *said)
    server.mem("episode", "The locks were opened by hand", "--kind", "error", "--outcome", "failed", *said)
    server.mem(
        "handoff",
        "--done",
        "Opened the locks",
        "--next",
        "Oil the gates",
        "--question",
        "Who has the key?",
        *said,
    )
    page = timeline.page
    handoff = rows(timeline).filter(has_text="Oil the gates")
    handoff.wait_for()
    asked = rows(timeline).filter(has_text="when is the harbour dredged").first
    event = rows(timeline).filter(has_text="The locks were opened by hand")

    assert handoff.locator(".row-word").inner_text() == "handoff"
    assert [each.split("\n") for each in handoff.locator(".handoff div").all_inner_texts()] == [
        ["done", "Opened the locks"],
        ["next", "Oil the gates"],
        ["questions", "Who has the key?"],
    ]
    expect(asked).to_contain_text("given, worked 1")
    expect(asked.locator(".fill-worked")).to_have_count(1)
    expect(event.locator(".fill-failed")).to_have_count(1)
    expect(event).to_contain_text("codex")
    assert times(timeline) == sorted(times(timeline), reverse=True)
    asked.get_by_role("link").click()
    page.get_by_role("heading", level=2, name="when is the harbour dredged", exact=True).wait_for()
    timeline.says("Asked by codex")
    timeline.says("Reports afterwards: worked 1")
    page.get_by_role("link", name="Ask it now").click()
    page.get_by_role("heading", level=1, name="Search").wait_for()
    page.go_back()
    page.get_by_role("link", name="All questions").click()
    expect(page.get_by_role("button", name="Questions")).to_have_attribute("aria-pressed", "true")
    assert timeline.witness.complaints == []


def test_questions_of_other_projects_are_shown_where_they_belong(timeline, server):
    server.mem("search", "which gull is it", "--project", "gulls")
    server.mem("search", "which lamp is it")
    timeline.says("which lamp is it")
    elsewhere = timeline.page.get_by_text("which gull is it")

    assert elsewhere.count() == 0
    timeline.open("/timeline?p=all", "Timeline")
    elsewhere.wait_for()
    timeline.says("which lamp is it")


def test_a_day_shows_what_happened_until_then(timeline, server):
    page = timeline.page
    choose(timeline, "Events")
    first = server.mem("timeline", "--limit", "1000")["items"][0]["at"]
    newest, day = ids(timeline)[0], page.evaluate(DAY, times(timeline)[20])
    page.get_by_label("Show what happened on this day").fill(day)
    page.wait_for_url(f"**day={day}*")
    page.wait_for_function("(id) => !document.getElementById(id)", arg=f"row-{newest}")
    rows(timeline).first.wait_for()

    assert page.evaluate(DAY, times(timeline)[0]) == day
    assert page.evaluate(DAY, times(timeline)[-1]) <= day
    before = (datetime.fromisoformat(first) - timedelta(days=3)).strftime("%Y-%m-%d")
    timeline.open(f"/timeline?day={before}", "Timeline")
    timeline.says("Nothing happened until then")
    page.locator("main .empty").get_by_role("button", name="Show the newest").click()
    rows(timeline).first.wait_for()
    for no_day in ("2026-13-45", "2026-02-31", "soon"):
        timeline.open(f"/timeline?day={no_day}", "Timeline")
        rows(timeline).first.wait_for()
    assert timeline.witness.complaints == []


def test_a_day_is_summed_up_without_what_was_undone_and_its_reports_are_linked(timeline, server):
    page, today = timeline.page, timeline.page.locator(".timeline section").first.locator(".timeline-summary")

    def counted(word):
        return int((re.search(rf"(\d+) {word}", today.inner_text()) or [0, 0])[1])

    one, other = (server.mem("add", f"The {each} buoy is lit")["id"] for each in ("north", "south"))
    rows(timeline).filter(has_text="The south buoy is lit").first.wait_for()
    while not today.inner_text():
        show_earlier(timeline)  # only a day that was read to its end is summed up
    archived, reports = counted("archived"), counted("report")
    server.mem("archive", one, other)
    expect(today).to_contain_text(f"{archived + 2} archived")
    server.mem("undo")
    rows(timeline).filter(has_text="undid").filter(has_text="buoy is lit").first.wait_for()
    expect(today).not_to_contain_text(f"{archived + 2} archived")
    assert counted("archived") == archived
    server.mem("outcome", one, "worked", "--as", "codex")
    today.get_by_role("link", name=f"{reports + 1} report").click()
    expect(page.get_by_role("button", name="Changes")).to_have_attribute("aria-pressed", "true")
    reported = rows(timeline).filter(has_text="reported").filter(has_text="The north buoy is lit")
    expect(reported).to_contain_text("codex")
    page.get_by_role("button", name="Everything").click()
    expect(rows(timeline).filter(has_text="archived 2").first.locator(".row-who")).to_contain_text("agent")


def test_the_command_of_a_day_lists_the_rows_of_that_day(open_tab, server):
    opened = open_tab(permissions=["clipboard-read", "clipboard-write"])
    page = opened.page
    ended = server.mem("timeline", "--kind", "session_end", "--limit", "1")["items"][0]["at"]
    day, every = page.evaluate(DAY, ended), set()
    for kind in ("events", "questions", "changes"):
        opened.open(f"/timeline?kind={kind}&day={day}", "Timeline")
        rows(opened).first.wait_for()
        while page.evaluate(DAY, times(opened)[-1]) == day and page.get_by_text("Show earlier").count():
            show_earlier(opened)
        page.get_by_role("button", name="More about this view").click()
        page.get_by_role("menuitem", name="Copy as mem command").click()
        opened.says("Copied")
        listed = server.mem(*shlex.split(page.evaluate("navigator.clipboard.readText()"))[1:])["items"]
        shown = {
            each for each, at in zip(ids(opened), times(opened), strict=True) if page.evaluate(DAY, at) == day
        }
        found = {each["id"] for each in listed if kind != "questions" or each["kind"] in QUESTIONS}
        assert found == shown
        every |= shown
        assert {page.evaluate(DAY, each["at"]) for each in listed} <= {day}
    assert every
    page.get_by_role("button", name="Everything").click()  # which no command lists
    expect(page.get_by_role("button", name="More about this view")).to_have_count(0)


def test_a_recall_shows_the_memory_it_was_opened_from_and_a_reason_for_each(open_tab, server):
    told = next(
        each
        for each in server.mem("recalls", "--limit", "1000")["items"]
        if each["kind"] == "context" and each["memories"] > 20
    )
    last = server.mem("recalls", told["id"])["hits"][-1]
    opened = open_tab()
    opened.open(f"/recalls/{told['id']}?memory={last['id']}", "Recall")
    hits = opened.page.locator(".recall-hits li")
    expect(opened.page.locator(".recall-hits [aria-current]")).to_be_in_viewport(ratio=1)
    assert hits.count() == told["memories"]
    reasons = hits.locator("p").all_inner_texts()
    assert all(" · " in each for each in reasons)
    assert reasons[0] == "context · how a session ended"
    assert not [each for each in reasons if "activation" in each]
    opened.says("The weight is that of a memory's category")

    asked = next(
        each for each in server.mem("recalls", "--limit", "1000")["items"] if each["kind"] == "search"
    )
    opened.open(f"/recalls/{asked['id']}", "Recall")
    opened.says("the best fit has a relevance of 1")
    expect(opened.page.get_by_text("score")).to_have_count(0)
    assert opened.witness.complaints == []


def test_what_cannot_be_read_is_said_and_the_rest_stays(timeline):
    page = timeline.page
    refuse(timeline, "**/api/timeline?*", "The events cannot be read.")
    page.reload()
    timeline.says("The events cannot be read.")
    rows(timeline).first.wait_for()
    assert "action" not in rows(timeline).locator(".row-word").all_inner_texts()
    choose(timeline, "Questions")
    expect(page.get_by_role("alert")).to_have_count(0)
    page.get_by_role("button", name="Events", exact=True).click()
    timeline.says("The events cannot be read.")
    expect(rows(timeline)).to_have_count(0)
    again = page.get_by_role("button", name="Try again").element_handle()
    page.unroute_all()
    again.dispatch_event("click")  # which may be gone, if something changed just now
    rows(timeline).first.wait_for()
    expect(page.get_by_role("alert")).to_have_count(0)

    choose(timeline, "Changes")
    refuse(timeline, "**/api/operations?*cursor*", "What was earlier cannot be read.")
    page.get_by_role("button", name="Show earlier").click()
    timeline.says("What was earlier cannot be read.")
    page.unroute_all()
    show_earlier(timeline)
    expect(page.get_by_role("alert")).to_have_count(0)
