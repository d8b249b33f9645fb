"""A memory's detail in a real browser: each action changes the store as it says, and can be taken back."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from tests.page.kit import Tab
from tests.page.lists import ROWS, listed
from tests.page.served_page import ServedPage, served_page

TIDE = "def high(tide):\n    return tide > 4\n\n\ndef low(tide):\n    return tide < 1\n"
TEXT = "The quay is under water when the tide is above four metres"
LAMP = "The lamp at the end of the pier is out of order"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, model_folder: Path) -> Iterator[ServedPage]:
    """A small project with a file to cite, and a server in it."""
    here = tmp_path_factory.mktemp("detail") / "harbour"
    (here / ".git").mkdir(parents=True)
    (here / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    with served_page(here.parent / "home", here, model_folder, person=here.parent / "person") as running:
        yield running


def added(server: ServedPage, text: str, *options: str) -> str:
    return str(server.mem("add", text, "-c", "fact", "--on-duplicate", "keep", *options)["id"])


def memory_of(server: ServedPage, memory_id: str) -> dict[str, Any]:
    return dict(server.mem("show", memory_id)["memory"])


def part(shown: Tab, name: str) -> Locator:
    return shown.page.locator("section", has=shown.page.get_by_role("heading", name=name))


def press(shown: Tab, key: str, says: str) -> None:
    shown.page.keyboard.press(key)
    expect(shown.page.locator(".toast")).to_contain_text(says)


def click(shown: Tab, name: str, says: str) -> None:
    shown.page.get_by_role("button", name=name).click()
    expect(shown.page.locator(".toast")).to_contain_text(says)


def test_reports_count_for_every_question_or_for_the_one_that_is_named(server, opened):
    memory_id = added(server, "Boats may land on the north side")
    shown = opened("/memories")
    shown.page.get_by_text("Boats may land on the north side").click()
    helped = part(shown, "Did it help?")
    expect(helped).to_contain_text("Counts a little for every question")
    click(shown, "Worked w", "Reported: worked")
    press(shown, "p", "Reported: partly")
    expect(helped).to_contain_text("worked 1 · partly 1")

    shown.page.get_by_role("button", name="Say which one").click()
    asked = shown.page.get_by_label("The question it was used for")
    asked.press_sequentially("wfp may boats land")
    asked.press("Enter")
    expect(helped).to_contain_text("Counts for “wfp may boats land”")
    press(shown, "w", "Reported: worked")
    click(shown, "Failed f", "Reported: failed")
    expect(helped).to_contain_text("worked 2 · partly 1 · failed 1")
    shown.page.get_by_role("button", name="Change").click()
    shown.page.get_by_role("button", name="Every question").click()
    press(shown, "f", "Reported: failed")
    evidence = part(shown, "Evidence")
    expect(evidence.locator(".report")).to_have_count(5)
    expect(evidence).to_contain_text("for “wfp may boats land”")
    stored = server.mem("show", memory_id)["outcomes"]
    assert sorted((each["result"], each["query"]) for each in stored if not each["query"]) == [
        ("failed", None),
        ("partial", None),
        ("worked", None),
    ]
    named = [(each["result"], each["query"]) for each in stored if each["query"]]
    assert sorted(named) == [("failed", "wfp may boats land"), ("worked", "wfp may boats land")]

    press(shown, "u", "Undone")
    expect(helped).to_contain_text("worked 2 · partly 1 · failed 1")
    assert memory_of(server, memory_id)["failed"] == 1


def test_a_text_is_edited_its_changes_are_shown_and_taken_back(server, opened):
    memory_id = added(server, TEXT)
    shown = opened(f"/memories?open={memory_id}")
    editor, text = shown.page.get_by_label("Text of the memory"), shown.page.locator(".detail-text")
    text.wait_for()
    shown.page.keyboard.press("e")
    editor.fill("Nothing of this is kept")
    editor.press("Escape")
    assert editor.input_value() == "Nothing of this is kept"  # a key throws nothing away
    shown.page.get_by_role("button", name="Cancel").click()
    expect(text).to_have_text(TEXT)
    assert memory_of(server, memory_id)["version"] == 1

    shown.page.get_by_role("button", name="Edit").click()
    editor.fill(TEXT.replace("four", "five"))
    editor.press("Control+Enter")
    expect(shown.page.locator(".toast")).to_contain_text("Saved")
    expect(text).to_have_text(TEXT.replace("four", "five"))
    expect(shown.page.locator("td.text-cell").first).to_contain_text("five")
    history = part(shown, "History")
    expect(history.locator("del")).to_have_text(["four"])
    expect(history.locator("ins")).to_have_text(["five"])
    assert memory_of(server, memory_id)["content"] == TEXT.replace("four", "five")

    history.get_by_role("button", name="Go back").click()
    expect(shown.page.locator(".toast")).to_contain_text("Back to version 1")
    expect(text).to_have_text(TEXT)
    expect(history).to_contain_text("3 versions")
    assert memory_of(server, memory_id)["content"] == TEXT
    click(shown, "Undo", "Undone")
    expect(text).to_have_text(TEXT.replace("four", "five"))
    assert memory_of(server, memory_id)["content"] == TEXT.replace("four", "five")


@pytest.mark.parametrize("choice", ["Keep theirs", "Save mine instead"])
def test_an_edit_beside_another_one_shows_both_and_saves_nothing_until_decided(server, opened, choice):
    text = f"The {choice[:4]} crane stands at the quay and lifts four tons"
    memory_id = added(server, text)
    shown = opened(f"/memories/{memory_id}")
    shown.page.get_by_role("button", name="Edit").click()
    mine, theirs = text.replace("four", "six"), text.replace("quay", "pier")
    shown.page.get_by_label("Text of the memory").fill(mine)
    server.mem("edit", memory_id, "--content", theirs)
    shown.page.get_by_role("button", name="Save").click()
    conflict = shown.page.locator(".conflict")
    expect(conflict).to_contain_text("Somebody else changed it meanwhile")
    expect(conflict.locator("del")).to_have_text(["pier", "four"])
    expect(conflict.locator("ins")).to_have_text(["quay", "six"])
    assert memory_of(server, memory_id)["content"] == theirs

    shown.page.get_by_role("button", name=choice).click()
    kept = theirs if choice == "Keep theirs" else mine
    expect(shown.page.locator(".detail-text")).to_have_text(kept)
    assert memory_of(server, memory_id)["content"] == kept


def test_links_appear_by_themselves_and_are_removed_and_brought_back(server, opened):
    old, new = (
        added(server, "Fish is sold in the old hall"),
        added(server, "The market moved to the square"),
    )
    shown = opened(f"/memories/{old}")
    shown.page.locator(".detail-text").wait_for()
    server.mem("link", new, "supersedes", old)
    links, state = part(shown, "Links"), shown.page.locator(".detail-state")
    expect(links.locator("li")).to_contain_text("replaced by")
    expect(state).to_contain_text("Replaced by")
    assert old not in listed(server)
    click(shown, "Remove this link", "No longer linked")
    expect(links).to_have_count(0)
    expect(state).to_have_count(0)
    assert old in listed(server)
    press(shown, "u", "Undone")
    links.get_by_role("link", name="The market moved to the square").click()
    expect(shown.page.locator(".detail-text")).to_have_text("The market moved to the square")
    expect(links.locator("li")).to_contain_text("replaces")
    assert old not in listed(server)


def test_cited_lines_that_changed_or_moved_are_accepted_as_they_are_now(server, opened):
    file = server.here / "tide.py"
    file.write_text(TIDE)
    memory_id = added(
        server, "High tide is above four metres", "--cite", "tide.py:1-2", "--cite", "tide.py:5-6"
    )
    file.write_text("# metres\n" + TIDE.replace("> 4", ">= 5"))
    shown = opened(f"/memories/{memory_id}")
    source = part(shown, "Source")
    expect(source).to_contain_text("tide.py:1-2 changed since")
    expect(source).to_contain_text("tide.py:5-6 now at tide.py:6-7 moved")
    click(shown, "Accept as it is now", "Accepted as it is now")
    expect(source.get_by_text("unchanged")).to_have_count(2)
    expect(source.locator("pre").last).to_contain_text("return tide < 1")
    history = part(shown, "History")
    expect(history.locator("del")).to_have_text("tide.py:1-2, tide.py:5-6")
    expect(history.locator("ins")).to_have_text("tide.py:1-2, tide.py:6-7")
    cited = server.mem("show", memory_id)["memory"]["citations"]
    assert [(each["first_line"], each["state"]) for each in cited] == [(1, "fresh"), (6, "fresh")]
    press(shown, "u", "Undone")
    expect(source).to_contain_text("tide.py:1-2 changed since")


def test_given_leads_to_the_recall_and_back(server, opened):
    memory_id = added(server, "The ferry to the island leaves at eight")
    server.mem("search", "when does the ferry leave")
    shown = opened(f"/memories/{memory_id}")
    given = part(shown, "Given")
    expect(given).to_contain_text("1 time")
    given.get_by_role("link", name="when does the ferry leave").click()
    marked = shown.page.locator(".recall-hits > [aria-current]")
    expect(marked).to_contain_text("The ferry to the island")
    shown.page.go_back()
    expect(shown.page.locator(".detail-text")).to_have_text("The ferry to the island leaves at eight")
    assert server.mem("show", memory_id)["memory"]["recall_count"] == 1


def test_every_time_that_it_was_given_can_be_reached(server, opened):
    memory_id = added(server, "The rope locker is behind the capstan")
    for _ in range(12):
        server.mem("search", "where is the rope locker")
    given = part(opened(f"/memories/{memory_id}"), "Given")
    expect(given.locator("li")).to_have_count(10)
    given.get_by_role("button", name="Show earlier").click()
    expect(given.locator("li")).to_have_count(12)
    recalls = server.mem("recalls", "--memory", memory_id)["items"]
    assert [str(each.get_attribute("href")).split("?")[0] for each in given.get_by_role("link").all()] == [
        f"/recalls/{each['id']}" for each in recalls
    ]
    expect(given.get_by_role("button", name="Show earlier")).to_have_count(0)


def test_it_is_archived_and_restored_by_a_key_and_by_undo_in_every_tab(server, opened):
    memory_id = added(server, "The lock gates are painted green")
    shown, other = opened(f"/memories/{memory_id}"), opened(f"/memories?open={memory_id}")
    for each in (shown, other):
        each.page.locator(".detail-text").wait_for()
    archived, restored = "Archived: somebody archived it", ("Archive", "Restore")
    steps = (
        ("x", "Archived", "archived"),
        ("x", "Restored", "active"),
        ("x", "Archived", "archived"),
        ("u", "Undone", "active"),
    )
    for key, says, status in steps:
        press(shown, key, says)
        assert memory_of(server, memory_id)["status"] == status
        for each in (shown, other):
            expect(each.page.locator(".detail-state").get_by_text(archived)).to_have_count(
                int(status == "archived")
            )
            expect(
                each.page.get_by_role("button", name=restored[status == "archived"], exact=True)
            ).to_be_visible()
    server.mem("edit", memory_id, "--content", "The lock gates are painted red")
    for each in (shown, other):
        expect(each.page.locator(".detail-text")).to_have_text("The lock gates are painted red")


def test_its_id_its_command_and_its_json_lead_to_it(server, opened):
    memory_id = added(server, LAMP, "--tag", "north quay")
    shown = opened(f"/memories?open={memory_id}")
    shown.page.locator(".detail-text").wait_for()
    press(shown, "c", f"Copied {memory_id}")
    assert shown.page.evaluate("navigator.clipboard.readText()") == memory_id
    for item in ("Copy as mem command", "Open in a tab of its own", "Open as JSON"):
        shown.page.get_by_role("button", name="More about this memory").click()
        menu = shown.page.get_by_role("menuitem", name=item)
        if item == "Copy as mem command":
            menu.click()
            shown.says("Copied: mem show")
            command = shlex.split(shown.page.evaluate("navigator.clipboard.readText()"))
            assert server.mem(*command[1:])["memory"]["id"] == memory_id
            continue
        with shown.context.expect_page() as found:
            menu.click()
        if item == "Open as JSON":
            answer = json.loads(found.value.locator("pre").inner_text())
            assert answer["memory"]["content"] == LAMP
        else:
            expect(found.value.locator(".detail-page .detail-text")).to_have_text(LAMP)

    shown.page.get_by_role("link", name="north quay").click()
    rows = shown.page.locator(ROWS)
    expect(rows).to_have_count(1)
    expect(rows).to_have_id(f"row-{memory_id}")


def test_a_memory_that_does_not_exist_is_said_with_a_way_back(server, opened):
    added(server, "Seagulls sleep on the roof of the fish hall")
    for address in ("/memories/mem_nowhere", "/memories?open=mem_nowhere"):
        shown = opened(address)
        shown.says("There is no such memory")
        expect(shown.page.locator(".empty")).to_contain_text("mem_nowhere")
        shown.page.get_by_role("link", name="Show all memories").click()
        shown.page.locator(ROWS).first.wait_for()
        expect(shown.page.get_by_text("There is no such memory")).to_have_count(0)
