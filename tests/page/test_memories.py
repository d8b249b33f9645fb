"""The list of memories at work: turned, walked through, selected from, and left in peace while others write."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Route, expect

from tests.page.kit import Tab
from tests.page.lists import PAGE, ROWS, ids, listed

CURSOR = "**/api/memories?*cursor=*"


def shown_list(opened: Callable[[str], Tab], query: str = "") -> Tab:
    """Open the list and wait for its rows."""
    memories = opened(f"/memories{query}")
    memories.page.locator(ROWS).first.wait_for()
    return memories


def test_pages_are_turned_without_losing_a_memory_or_the_count(opened, server):
    memories = shown_list(opened)
    wanted = listed(server)
    total, pager = len(wanted), memories.page.locator(".pager span").first
    for key, first in (("]", 50), ("]", 100), ("[", 50), ("[", 0)):
        memories.page.keyboard.press(key)
        expect(pager).to_have_text(f"{first + 1}–{first + PAGE} of {total}")
        assert ids(memories) == wanted[first : first + PAGE]

    memories.page.locator("#list").evaluate("list => list.scrollTo(0, list.scrollHeight)")
    memories.page.get_by_role("button", name="Next").click()
    expect(pager).to_have_text(f"51–100 of {total}")
    assert memories.page.locator("#list").evaluate("list => list.scrollTop") == 0
    memories.page.get_by_role("button", name="Next").click()
    expect(pager).to_have_text(f"101–150 of {total}")
    memories.page.go_back()
    expect(pager).to_have_text(f"51–100 of {total}")
    memories.page.get_by_role("button", name="Previous").click()
    expect(pager).to_have_text(f"1–50 of {total}")


def test_a_page_is_turned_once_however_fast_the_key_is(opened, server):
    memories = shown_list(opened)
    wanted, pager = listed(server), memories.page.locator(".pager span").first
    expect(pager).to_contain_text("1–50 of")
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    memories.page.route(CURSOR, hold)
    with memories.page.expect_request(CURSOR):
        memories.page.keyboard.press("]")
    memories.page.keyboard.press("]")
    expect(pager).to_contain_text("1–50 of")  # what is shown is still the first page
    for each in held:
        each.continue_()
    memories.page.unroute(CURSOR)
    expect(pager).to_contain_text("51–100 of")
    assert ids(memories) == wanted[PAGE : 2 * PAGE]


def test_what_another_writer_archives_hides_no_memory_between_two_pages(opened, server):
    memories = shown_list(opened)
    before = listed(server)
    gone = next(each for each in before[5:PAGE] if server.mem("archive", each, check=False))
    expect(memories.page.locator(".pager")).to_contain_text(f"of {len(before) - 1}")
    expect(memories.page.locator(".fresh")).to_have_count(0)  # the next one moved up, and is not new
    memories.page.get_by_role("button", name="Next").click()
    expect(memories.page.locator(ROWS).first).to_have_id(f"row-{before[PAGE]}")
    server.mem("restore", gone)


def test_keys_move_open_close_and_reach_only_what_is_shown(opened, server):
    memories = shown_list(opened)
    page, wanted = memories.page, listed(server)
    current = page.locator(f"{ROWS}[aria-current]")
    for key, row in (("j", 0), ("j", 1), ("k", 0)):
        page.keyboard.press(key)
        expect(current).to_have_id(f"row-{wanted[row]}")
    page.keyboard.press("Enter")
    page.wait_for_url(f"**open={wanted[0]}")
    page.keyboard.press("j")
    page.wait_for_url(f"**open={wanted[1]}")
    beside = page.get_by_role("complementary", name="Memory")
    text = server.mem("show", wanted[1])["memory"]["content"]
    expect(beside.locator(".detail-text")).to_have_text(text)
    page.reload()
    expect(beside.locator(".detail-text")).to_have_text(text)
    expect(current).to_have_id(f"row-{wanted[1]}")
    page.go_back()
    expect(beside).to_have_count(0)
    page.go_forward()
    expect(beside.locator(".detail-text")).to_have_text(text)
    page.keyboard.press("Escape")
    expect(beside).to_have_count(0)
    expect(current.locator(".text-cell a")).to_be_focused()

    page.keyboard.press("]")
    expect(page.locator(ROWS).first).to_have_id(f"row-{wanted[PAGE]}")
    page.keyboard.press("f")  # for no memory: that of the page before is not shown any more
    page.keyboard.press("j")
    page.keyboard.press("w")
    memories.says("Reported: worked")
    before, after = (server.mem("show", wanted[row])["outcomes"] for row in (1, PAGE))
    assert [each["result"] for each in before if each["writer"] == "browser"] == []
    assert [each["result"] for each in after if each["writer"] == "browser"] == ["worked"]
    page.keyboard.press("u")
    memories.says("Undone")


def test_several_are_tagged_archived_and_restored_each_as_one_operation(opened, server):
    memories = shown_list(opened, "?q=category:dependency")
    page = memories.page
    two = ids(memories)[:2]
    for key in ("j", "Space", "j", "Space"):
        page.keyboard.press(key)
    memories.says("2 memories selected")
    page.get_by_role("button", name="Tag…").click()
    page.keyboard.type("evening, checked")
    page.keyboard.press("Enter")
    memories.says("Tagged 2 memories")
    tagged = listed(server, "--tag", "evening,checked")
    page.get_by_role("button", name="Undo").click()
    memories.says("Undone")
    assert sorted(tagged) == sorted(two)
    assert listed(server, "--tag", "evening") == []

    for each in two:
        page.locator(f"#row-{each}").get_by_label("Select this memory").click()
    page.get_by_role("button", name="Archive").click()
    memories.says("Archived 2")
    expect(page.locator(f"#row-{two[0]}")).to_have_count(0)
    memories.open("/memories?q=is:archived+category:dependency")
    for each in two:
        page.locator(f"#row-{each}").get_by_label("Select this memory").click()
    page.get_by_role("button", name="Restore").click()
    memories.says("Restored 2")
    expect(page.locator(f"#row-{two[0]}")).to_have_count(0)

    done = server.mem("undo", "--list", "--limit", "4")["items"]
    assert [[*each["actions"]] for each in done] == [["restore"], ["archive"], ["undo"], ["tag"]]
    assert all(sorted(each["memories"]) == sorted(two) for each in done)
    assert {server.mem("show", each)["memory"]["status"] for each in two} == {"active"}


def test_what_is_selected_is_forgotten_with_the_page_it_was_on(opened):
    memories = shown_list(opened)
    for change in ("Score", "Next"):
        memories.page.get_by_label("Select this memory").first.click()
        memories.says("1 memory selected")
        memories.page.get_by_role("button", name=change).click()
        expect(memories.page.get_by_role("group", name="Selected memories")).to_have_count(0)


def test_a_new_memory_waits_until_it_is_asked_for(opened, server):
    memories = shown_list(opened)
    place = "row => [row.id, row.getBoundingClientRect().top]"
    first = memories.page.locator(ROWS).first
    before, at = ids(memories), first.evaluate(place)
    added = server.mem("add", "The visitors' path to the dome is lit in red")["id"]
    waiting = memories.page.get_by_role("button", name="1 new")
    waiting.wait_for()
    assert (ids(memories), first.evaluate(place)) == (before, at)
    waiting.click()
    expect(first).to_have_id(f"row-{added}")
    expect(waiting).to_have_count(0)

    memories.page.keyboard.press("j")
    memories.page.keyboard.press("Enter")
    memories.page.locator(".detail-text").wait_for()
    memories.page.keyboard.press("x")
    memories.says("Archived")
    expect(first).to_have_id(f"row-{before[0]}")
    memories.page.keyboard.press("u")
    expect(first).to_have_id(f"row-{added}")  # what this page took back is not new
    expect(waiting).to_have_count(0)
    assert server.mem("show", added)["memory"]["status"] == "active"


def test_what_was_restored_is_not_called_new(opened, server):
    one = server.mem("add", "The star atlas lies in the reading room")["id"]
    server.mem("archive", one)
    memories = shown_list(opened)
    before = ids(memories)
    server.mem("restore", one)
    waiting = memories.page.locator(".fresh")
    expect(waiting).to_have_text("1 changed: show")
    server.mem("add", "The reading room opens at ten")
    expect(waiting).to_have_text("1 new, 1 changed: show")
    assert ids(memories) == before
    waiting.click()
    expect(memories.page.locator(ROWS).nth(1)).to_have_id(f"row-{one}")


def test_the_order_by_uses_is_by_the_number_that_is_shown(opened, server):
    memories = shown_list(opened)
    memories.page.get_by_role("button", name="Uses").click()
    memories.page.wait_for_url("**sort=-used")
    memories.settled()
    used = server.mem("list", "--sort", "used", "--limit", str(PAGE))["items"]
    expect(memories.page.locator(ROWS).first).to_have_id(f"row-{used[0]['id']}")
    shown = memories.page.locator("td.uses-cell").all_inner_texts()
    assert shown == [str(each["recall_count"] + each["use_count"]) for each in used]
    assert sorted(shown, key=int, reverse=True) == shown


def bottom(place):
    return place.evaluate("each => each.getBoundingClientRect().bottom")


def test_a_row_that_is_opened_stays_in_view(opened):
    memories = shown_list(opened)
    rows = memories.page.locator(ROWS)
    end = bottom(memories.page.locator("#list"))
    low = next(each for each in reversed(rows.all()) if bottom(each) < end + 20)
    last = memories.page.locator(f"#{low.get_attribute('id')}")
    last.click(position={"x": 400, "y": 8})
    memories.page.locator(".detail-text").wait_for()
    expect(last).to_be_in_viewport(ratio=1)
    assert bottom(last) <= end + 1
    memories.page.reload()
    memories.page.locator(".detail-text").wait_for()
    expect(last).to_be_in_viewport(ratio=1)
