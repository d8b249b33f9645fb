"""Insights on the page: the figures of `mem insights` for the weeks that were chosen; few reports give no rates."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

FEW = "gulls"  #: a project with too few reports for rates
RESULTS = ("worked", "partial", "failed")


@pytest.fixture
def insights(open_tab):
    opened = open_tab()
    opened.open("/insights", "Insights")
    sentence(opened).wait_for()
    return opened


def sentence(opened):
    return opened.page.locator(".insights-sentence")


def part(opened, title):
    heading = opened.page.get_by_role("heading", level=2, name=title)
    return opened.page.locator("section").filter(has=heading)


def numbers(opened, title):
    """Return the cells behind a chart."""
    part(opened, title).get_by_role("button", name="Show numbers").click()
    table = part(opened, title).locator(".numbers tbody tr")
    return [row.split("\t") for row in table.all_inner_texts()]


def times(number):
    return "once" if number == 1 else f"{number:,} times"


def percent(share):
    return int(100 * share + 0.5)


def total(reports):
    return sum(reports[result] for result in RESULTS)


def test_the_figures_are_those_of_the_store(insights, server):
    found = server.mem("insights")
    first, without = percent(found["first"]), percent(found["first_without"])
    by_week = [(each, each["reports"]) for each in found["weekly"]]

    expect(sentence(insights)).to_have_text(
        f"In 12 weeks agents asked {times(found['asked'])} and reported {times(total(found['reports']))}: "
        f"{percent(found['worked'])} % worked. The first answer was right for {first} % of {found['questions']} "
        f"questions; without reports for {without} %."
    )
    assert first > without
    assert [row[1:] for row in numbers(insights, "First memory was the one that worked")] == [
        [str(each[name]) for name in ("questions", "right", "right_without")] for each, _ in by_week
    ]
    assert [row[1:] for row in numbers(insights, "Reports each week")] == [
        [str(reports[result]) for result in RESULTS] for _, reports in by_week
    ]
    assert [row[1:3] for row in numbers(insights, "Whose memories work")] == [
        [str(each["reports"]["worked"]), str(total(each["reports"]))] for each in found["by_source"]
    ]
    funnel = part(insights, "From given to worked").locator("dd").all_inner_texts()
    assert funnel == [f"{found['funnel'][name]:,}" for name in ("given", "used", "reported", "worked")]
    moved = part(insights, "What reports moved").locator("li")
    assert moved.locator(".insights-move").all_inner_texts() == [
        f"{each['before']} → {each['now']}" for each in found["moved"]
    ]
    for row, each in zip(moved.all(), found["moved"], strict=True):
        assert row.locator(".ellipsis").get_attribute("href") == f"/memories/{each['id']}"
    part(insights, "Reports each week").get_by_role("button", name="Show the chart").click()
    expect(part(insights, "Reports each week").locator("svg")).to_be_visible()

    moved.first.locator(".insights-move").click()
    insights.page.get_by_role("heading", level=1, name="Search").wait_for()
    asked = insights.page.get_by_role("searchbox", name="Question").input_value()
    assert asked == found["moved"][0]["question"]
    assert insights.witness.complaints == []


def test_the_weeks_are_chosen_and_part_of_the_address(insights, server):
    rows: list[list[str]] = []
    for name, weeks, title in (
        ("4 weeks", 4, "Reports each week"),
        ("1 year", 52, "Reports every 2 weeks"),
    ):
        insights.page.get_by_role("button", name=name).click()
        insights.page.wait_for_url(f"**weeks={weeks}")
        found = server.mem("insights", "--weeks", str(weeks))
        said = f"In {weeks} weeks agents asked {times(found['asked'])}"
        expect(sentence(insights)).to_contain_text(said)
        rows = numbers(insights, title)
        sums = [sum(int(row[column]) for row in rows) for column in (1, 2, 3)]
        assert sums == [found["reports"][result] for result in RESULTS]
        insights.page.reload()
        expect(sentence(insights)).to_contain_text(said)
    assert len(rows) == 26  # a year has room in columns of two weeks
    insights.page.get_by_role("button", name="12 weeks").click()
    expect(sentence(insights)).to_contain_text("In 12 weeks")
    assert "weeks" not in insights.page.url
    for odd in ("0", "105", "four"):
        insights.open(f"/insights?weeks={odd}")
        expect(sentence(insights)).to_contain_text("In 12 weeks")
    assert insights.witness.complaints == []


def test_below_twenty_reports_there_are_counts_and_no_rates(open_tab, server):
    here = ("--project", FEW)
    memory = server.mem("add", "Gulls sleep on the pier", *here)["id"]
    recall = server.mem("search", "where do gulls sleep", *here)["recall"]
    server.mem("search", "xylophone", "--mode", "keyword", *here)
    server.mem("outcome", memory, "worked", "--recall", recall)
    few = open_tab()
    few.open(f"/insights?p={FEW}", "Insights")
    counts = "1 worked, 0 partly, 0 failed. Rates are shown from 20 reports on."
    expect(sentence(few)).to_have_text(f"In 12 weeks agents asked 2 times and reported once: {counts}")
    server.mem("outcome", memory, "failed", "--query", "where do gulls nest")
    expect(sentence(few)).to_contain_text("reported 2 times: 1 worked, 0 partly, 1 failed")

    assert "%" not in few.page.locator("#view").inner_text()
    expect(part(few, "Whose memories work")).to_contain_text("1 of 2 worked")
    expect(part(few, "First memory was the one that worked")).to_contain_text("1 of 1 questions so far")
    vain = part(few, "Asked in vain")
    expect(vain).to_contain_text("asked once, nothing known")
    assert few.page.get_by_label("Project").locator("option:checked").inner_text() == FEW
    vain.get_by_role("link").click()
    few.page.get_by_role("heading", level=1, name="Search").wait_for()
    assert few.page.get_by_role("searchbox", name="Question").input_value() == "xylophone"
    assert f"p={FEW}" in few.page.url
    assert few.witness.complaints == []
