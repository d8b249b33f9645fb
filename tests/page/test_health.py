"""Health and Settings on the page: what `mem doctor` and `mem config` say, and the command that repairs."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing

import pytest
from playwright.sync_api import expect

from tests.page.served_page import ServedPage, served_page

CLIPBOARD = ["clipboard-read", "clipboard-write"]
CONFIGURED = """
[search]
ranker = "rrf"
limit = 10
[memory]
archive_below = "off"
withhold_below = -0.25
default_expiry = { warning = "never" }
[hooks]
ignore = ["~/private/**", "*.env"]
"""
LISTED = re.compile(r"^(\S+) +(.*)  \((.*)\)$", re.MULTILINE)
WORDS = {"-": "–", "True": "on", "False": "off"}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, model_folder) -> Iterator[ServedPage]:
    """A small store with settings of its own, of a person who has no agents yet."""
    folder = tmp_path_factory.mktemp("health")
    for name in ("memory", "work", "person"):
        (folder / name).mkdir(mode=0o700)
    (folder / "memory" / "config.toml").write_text(CONFIGURED, encoding="utf-8")
    with served_page(folder / "memory", folder / "work", model_folder, person=folder / "person") as running:
        for text in (
            "The lamp needs oil",
            "Oil the lamp of the harbour at dusk",
            "The harbour has two lamps",
        ):
            running.mem("add", text, "--tag", "light", "--on-duplicate", "keep")
        yield running


@pytest.fixture
def health(open_tab):
    opened = open_tab(permissions=CLIPBOARD)
    opened.open("/health", "Health")
    opened.says("checks")
    return opened


def checks(opened):
    rows = opened.page.get_by_role("region", name="The store").locator("tr")
    return {row[0]: row[1:] for row in (each.split("\t") for each in rows.all_inner_texts())}


def listed(server):
    """Return the settings as the terminal lists them: key, value and origin."""
    lines = LISTED.findall(server.mem_text("config", "list"))
    return [[key, WORDS.get(value, value.removesuffix(".0")), origin] for key, value, origin in lines]


def settings(opened):
    rows = opened.page.locator(".settings tbody tr")
    return rows.evaluate_all(
        """rows => rows.map(({cells: [setting, value, origin]}) =>
             [setting.querySelector('code').innerText, value.firstChild.textContent, origin.innerText])"""
    )


def check_again(opened):
    with opened.page.expect_response("**/api/health"):
        opened.page.get_by_role("button", name="Check again").click()


def test_health_says_what_the_doctor_says_and_which_command_repairs(health, server):
    found = {
        each["name"].replace("_", " "): each["detail"].replace("`", "")
        for each in server.mem("doctor")["checks"]
    }
    page = health.page
    shown = checks(health)
    verdict = page.locator(".verdict")

    assert {name: cells[1].strip() for name, cells in shown.items()} == found
    assert {cells[0].strip() for cells in shown.values()} == {"fine"}
    expect(verdict).to_have_text("The store is in order.")
    with closing(sqlite3.connect(server.home / "memory.db", isolation_level=None)) as database:
        database.execute("delete from tag_count")
    check_again(health)
    expect(verdict).to_have_text(f"1 of {len(found)} checks found a problem.")
    name, (state, broken) = next(iter(checks(health).items()))
    assert (name, state.strip()) == ("counts", "problem")
    assert "lists and statistics show wrong numbers" in broken
    page.get_by_role("row", name="counts").get_by_role("button", name="Copy").click()
    page.get_by_role("row", name="counts").get_by_role("button", name="Copied").wait_for()
    command = page.evaluate("navigator.clipboard.readText()")
    assert command == "mem doctor --fix"
    server.mem(*command.split()[1:])
    check_again(health)
    expect(verdict).to_have_text("The store is in order.")
    assert {cells[0].strip() for cells in checks(health).values()} == {"fine"}
    assert health.witness.complaints == []


def test_an_agent_that_is_not_connected_is_named_with_the_command_that_connects_it(health, server):
    page = health.page
    agents = page.get_by_role("region", name="Agents and their hooks")
    expect(agents).to_contain_text("No agent was found on this machine")
    expect(agents).to_contain_text("mem install")
    (server.home.parent / "person" / ".claude").mkdir()
    check_again(health)
    row = agents.get_by_role("row", name="Claude Code")
    expect(row).to_contain_text("not connected")
    expect(page.locator(".verdict")).to_have_text("The store is in order, 1 agent is not connected.")
    server.mem(*row.locator("code").inner_text().split()[1:])
    check_again(health)

    expect(row).to_have_text("Claude Codeconnected")
    expect(page.locator(".verdict")).to_have_text("The store is in order.")
    assert health.witness.complaints == []


def test_settings_have_the_values_and_origins_of_mem_config_with_their_defaults(open_tab, server):
    opened = open_tab(permissions=CLIPBOARD)
    opened.open("/settings", "Settings")
    page = opened.page
    page.locator(".settings").wait_for()
    lines = listed(server)

    assert settings(opened) == lines
    page.get_by_label("Only changed settings").check()
    differing = [line for line in lines if line[2] != "default"]
    assert settings(opened) == differing
    assert {line[0]: line[1] for line in differing}.items() >= {
        "memory.archive_below": "off",
        "memory.default_expiry.warning": "never",
        "hooks.ignore": "~/private/**, *.env",
        "upkeep.auto": "off",
    }.items()
    for key, usual in (
        ("search.ranker", "default balanced"),
        ("memory.withhold_below", "default -0.5"),
        ("memory.archive_below", "default -0.5"),
        ("memory.default_expiry.warning", "default 90"),
        ("upkeep.auto", "default on"),
    ):
        expect(page.locator(".settings tr").filter(has=page.get_by_text(key, exact=True))).to_contain_text(
            usual
        )
    page.get_by_label("Only changed settings").uncheck()
    assert settings(opened) == lines
    page.get_by_role("button", name="Copy").click()
    page.get_by_role("button", name="Copied").wait_for()
    command = page.evaluate("navigator.clipboard.readText()")
    server.mem(*command.split()[1:])
    assert server.mem("config", "get", "search.limit")["value"] == 5
    assert opened.witness.complaints == []


def test_another_ranker_of_the_settings_can_be_left_for_the_balanced_one(open_tab, server):
    opened = open_tab()
    opened.open("/search?q=oil+the+lamp", "Search")
    ranker = opened.page.get_by_label("ranker")
    best = opened.page.locator(".hit-score b").first
    expect(ranker).to_have_value("rrf")
    fused = float(best.inner_text())
    ranker.select_option("balanced")
    opened.page.wait_for_url("**ranker=balanced")
    found = server.mem("search", "oil the lamp", "--ranker", "balanced", "--peek")["hits"]
    expect(best).to_have_text(f"{found[0]['score']:.2f}")

    assert fused < 0.1 < found[0]["score"]
    expect(ranker).to_have_value("balanced")
    assert opened.witness.complaints == []
