"""Tasks from real files of Beads and Claude Code: listed with their program, linked, and reported on."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect


@pytest.fixture
def tasks(open_tab):
    tab = open_tab()
    tab.open("/tasks", "Tasks")
    rows(tab).first.wait_for()
    return tab


def rows(tab):
    return tab.page.locator(".tasks-table tbody tr")


def test_each_task_names_the_program_it_comes_from(tasks):
    tasks.page.get_by_role("button", name=re.compile("^Now")).wait_for()
    badges = set(rows(tasks).locator(".badge").all_inner_texts())
    tasks.page.get_by_role("button", name=re.compile("^Done")).click()
    rows(tasks).first.wait_for()
    badges |= set(rows(tasks).locator(".badge").all_inner_texts())

    assert badges == {"Beads", "Claude Code", "Claude Code todos"}
    tasks.says("issues.jsonl")
    tasks.says("Read only")


def test_the_filter_hides_tasks_and_offers_them_again(tasks):
    before = rows(tasks).count()
    tasks.page.keyboard.press("/")
    tasks.page.keyboard.type("zzzz")
    tasks.page.get_by_role("heading", name="No task matches").wait_for()
    tasks.page.get_by_role("button", name="Show all").click()

    expect(rows(tasks)).to_have_count(before)


def test_a_memory_is_linked_and_unlinked(tasks):
    tasks.page.keyboard.press("j")
    detail = tasks.page.get_by_role("complementary", name="Task")
    linked = detail.locator(".task-memory")
    detail.get_by_label("Link a memory").wait_for()
    tasks.settled()
    before = linked.count()
    detail.get_by_label("Link a memory").fill("tests")
    first = detail.locator(".task-found button").first
    text = first.inner_text()
    first.click()
    expect(linked).to_have_count(before + 1)
    assert text[:40] in " ".join(linked.all_inner_texts())
    detail.get_by_role("button", name=re.compile("^Unlink")).last.click()
    expect(linked).to_have_count(before)
    tasks.page.keyboard.press("Escape")
    expect(detail).to_have_count(0)


def test_a_completed_task_asks_whether_its_memories_helped(tasks):
    tasks.page.locator(".tasks-ask button").first.click()
    detail = tasks.page.get_by_role("complementary", name="Task")
    detail.get_by_role("heading", name="Did these help?").wait_for()
    asked = detail.get_by_role("button", name="Worked")
    before = asked.count()
    asked.first.click()

    expect(asked).to_have_count(before - 1)
    expect(detail.get_by_text("reported since").first).to_be_visible()
    assert tasks.witness.complaints == []


def test_a_task_with_hostile_text_is_inert(open_tab, server):
    file = server.here / ".beads" / "issues.jsonl"
    kept = file.read_text(encoding="utf-8")
    file.write_text(kept + '{"id": "bd-evil", "title": "<img src=x onerror=alert(1)>", "status": "open"}\n')
    try:
        tab = open_tab()
        tab.open("/tasks", "Tasks")
        tab.says("<img src=x onerror=alert(1)>")
        assert tab.page.locator("main img").count() == 0
        assert tab.witness.complaints == []
    finally:
        file.write_text(kept, encoding="utf-8")
