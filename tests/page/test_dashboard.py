"""The dashboard in a real browser: its figures are the store's, an empty store shows how to begin, nothing jumps."""

from __future__ import annotations

import json
import re

from tests.page.kit import log_in, tab
from tests.page.served_page import served_page

COMMANDS = ("mem add", "mem import", "mem install")


def test_figures_chart_and_categories_are_those_of_the_store(server, open_tab):
    opened = open_tab()
    opened.open("/", "Dashboard")
    page = opened.page
    page.locator(".families").wait_for()
    stats, weeks = server.mem("stats"), server.mem("stats", "--weeks", "12")
    told = server.mem("context")
    figures = page.locator(".figures").inner_text()

    assert f"{stats['given_out']:,} active" in figures
    assert f"{stats['active'] - stats['given_out']:,} outdated" in figures
    assert f"{stats['archived']:,} archived" in figures
    reports = sum(week[result] for week in weeks["items"] for result in ("worked", "partial", "failed"))
    assert f"of {reports:,} reports in 12 weeks" in figures
    assert f"Of {reports:,} reports" in str(page.locator(".chart svg").get_attribute("aria-label"))
    assert (
        page.locator(".chart .now title")
        .text_content()
        .endswith(  # the current week is not over
            f"so far: {weeks['items'][-1]['worked']} worked, {weeks['items'][-1]['partial']} partly, "
            f"{weeks['items'][-1]['failed']} failed"
        )
    )
    counts = page.locator(".bar-row .n").all_inner_texts()
    assert sum(int(each.replace(",", "")) for each in counts) == stats["given_out"]
    page.get_by_role("button", name=re.compile("Show the whole text")).click()
    shown = " ".join(page.locator(".told").inner_text().split())
    lines = [" ".join(line.split()) for line in told["text"].splitlines() if line.startswith("- ")]
    assert [line for line in lines if line not in shown] == []
    page.get_by_role("button", name="Show numbers").click()
    assert page.locator(".numbers tbody tr").count() == 12
    page.locator(".bar-row").first.click()
    page.wait_for_url("**/memories?*category:*")
    assert opened.witness.complaints == []


def test_an_empty_store_shows_how_to_begin_and_fills_by_itself(browser, tmp_path, model_folder):
    here = tmp_path / "work"
    here.mkdir()
    with (
        served_page(tmp_path / "home", here, model_folder) as server,
        tab(browser, server, log_in(browser, server)) as opened,
    ):
        opened.open("/", "Dashboard")
        opened.says("Nothing is remembered yet")
        assert all(command in opened.page.locator(".first-run").inner_text() for command in COMMANDS)
        server.mem("add", "The ferries leave at noon")

        opened.says("The ferries leave at noon")
        assert opened.page.locator(".figures").inner_text().startswith("1")
        before = opened.page.locator(".latest").inner_text()
        server.mem("add", "The harbour office closes at five")
        opened.page.locator(".fresh").wait_for()
        assert opened.page.locator(".latest").inner_text() == before  # nothing moves until it is asked for
        opened.page.locator(".fresh").click()
        opened.says("The harbour office closes at five")


def test_a_failed_part_says_so_and_the_others_stay(open_tab):
    opened = open_tab()
    refused = {"type": "about:blank", "title": "x", "status": 503, "detail": "The counts cannot be read."}
    body = json.dumps(refused | {"code": "x", "next_step": "Run mem doctor."})
    opened.page.route(
        "**/api/facets*",
        lambda route: route.fulfill(status=503, content_type="application/problem+json", body=body),
    )
    opened.open("/", "Dashboard")

    opened.says("The counts cannot be read.")
    opened.page.locator(".latest li").first.wait_for()


def test_views_that_were_open_before_leave_the_layout_alone(open_tab):
    opened = open_tab()
    height = "document.querySelector('.dashboard .families').getBoundingClientRect().height"
    opened.open("/", "Dashboard")
    opened.page.locator(".families").wait_for()
    fresh = opened.page.evaluate(height)
    for view in ("Memories", "Insights", "Map", "Dashboard"):
        opened.page.get_by_role("navigation", name="Views", exact=True).get_by_role("link", name=view).click()
        opened.page.get_by_role("heading", level=1, name=view).wait_for()
        opened.settled()
    opened.page.locator(".families").wait_for()

    assert opened.page.evaluate(height) == fresh
