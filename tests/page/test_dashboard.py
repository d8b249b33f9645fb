"""The dashboard in a real browser: its figures are the store's, an empty store shows how to begin, nothing jumps."""

from __future__ import annotations

import json
import re

import pytest

from tests.page.served_page import served_page

COMMANDS = ("mem add", "mem import", "mem install")


@pytest.fixture
def page(browser):
    context = browser.new_context()
    opened = context.new_page()
    failures = []
    opened.on("pageerror", lambda error: failures.append(str(error)))
    yield opened
    context.close()
    assert failures == []


def test_figures_chart_and_categories_are_those_of_the_store(server, page):
    page.goto(server.link)
    page.get_by_role("heading", name="Is it learning?").wait_for()
    page.locator(".families").wait_for()
    stats, weeks = server.mem("stats"), server.mem("stats", "--weeks", "12")
    told = server.mem("context")
    figures = page.locator(".figures").inner_text()

    assert f"{stats['active']:,} active" in figures
    assert f"{stats['archived']:,} archived" in figures
    reports = sum(week[result] for week in weeks["items"] for result in ("worked", "partial", "failed"))
    assert f"of {reports:,} reports in 12 weeks" in figures
    assert f"Of {reports:,} reports" in str(page.locator(".chart svg").get_attribute("aria-label"))
    counts = page.locator(".bar-row .n").all_inner_texts()
    assert sum(int(each.replace(",", "")) for each in counts) == stats["given_out"]
    page.get_by_role("button", name=re.compile("Show the whole text")).click()
    shown = re.sub(r"\s+", " ", page.locator(".told").inner_text())
    assert all(line.strip() in shown for line in told["text"].splitlines() if line.startswith("- "))


def test_the_numbers_of_the_chart_can_be_read(server, page):
    page.goto(server.link)
    page.get_by_role("button", name="Show numbers").click()

    assert page.locator(".numbers tbody tr").count() == 12


def test_a_category_leads_to_its_memories(server, page):
    page.goto(server.link)
    page.locator(".bar-row").first.click()

    page.wait_for_url("**/memories?*category:*")


def test_an_empty_store_shows_how_to_begin_and_fills_by_itself(browser, page, tmp_path, model_folder):
    here = tmp_path / "work"
    here.mkdir()
    with served_page(tmp_path / "home", here, model_folder) as server:
        page.goto(server.link)
        page.get_by_role("heading", name="Nothing is remembered yet").wait_for()
        assert all(command in page.locator(".first-run").inner_text() for command in COMMANDS)
        server.mem("add", "The ferries leave at noon")

        page.get_by_text("The ferries leave at noon").first.wait_for()
        assert page.locator(".figures").inner_text().startswith("1")


def test_a_new_memory_waits_above_the_list_until_it_is_asked_for(server, page):
    page.goto(server.link)
    page.locator(".latest li").first.wait_for()
    before = page.locator(".latest").inner_text()
    page.evaluate("() => document.querySelector('.dot')")  # the frame is drawn
    server.mem("add", "The new dome opens by a hand crank")
    page.locator(".fresh").wait_for()

    assert page.locator(".latest").inner_text() == before
    page.locator(".fresh").click()
    page.get_by_text("The new dome opens by a hand crank").first.wait_for()


def test_a_failed_part_says_so_and_the_others_stay(server, page):
    refused = {
        "type": "about:blank",
        "title": "x",
        "status": 503,
        "detail": "The counts cannot be read.",
        "code": "x",
    }
    body = json.dumps(refused | {"next_step": "Run mem doctor."})
    page.route(
        "**/api/facets*",
        lambda route: route.fulfill(status=503, content_type="application/problem+json", body=body),
    )
    page.goto(server.link)

    page.get_by_text("The counts cannot be read.").wait_for()
    page.locator(".latest li").first.wait_for()
