"""Finding memories in the list: each word, family, project and order leaves what the command line leaves."""

from __future__ import annotations

import json
import re
import shlex
from collections import Counter

from playwright.sync_api import Locator, expect

from tests.page.kit import Tab
from tests.page.lists import PAGE, ROWS, listed, shows

STATES = [word for state in ("active", "staged", "archived") for word in ("--status", state)]


def families(memories: Tab, name: str) -> Locator:
    return memories.page.get_by_role("group", name="Families").get_by_role("button", name=name)


def field(memories: Tab) -> Locator:
    return memories.page.get_by_role("combobox", name="Filter the memories")


def chosen_in(memories: Tab, menu: str, item: str) -> None:
    memories.page.get_by_role("button", name=menu).click()
    memories.page.get_by_role("menuitem", name=item).or_(
        memories.page.get_by_role("menuitemcheckbox", name=item)
    ).click()


def copied_list(memories: Tab) -> list[str]:
    """The ids that the copied command lists."""
    program, *command = shlex.split(memories.page.evaluate("navigator.clipboard.readText()"))
    assert (program, command[0]) == ("mem", "list")
    return listed(memories.server, *command[1:])


def reported(memory: dict[str, int]) -> bool:
    return memory["worked"] + memory["partial"] + memory["failed"] > 0


def offered(memories: Tab, word: str) -> Locator:
    """The count beside a suggestion."""
    options = memories.page.get_by_role("listbox", name="Suggestions").get_by_role("option")
    return options.filter(has=memories.page.get_by_text(word, exact=True)).locator(".muted")


def test_words_family_category_and_tag_leave_what_the_command_line_leaves(opened, server):
    memories = opened("/memories")
    field(memories).press_sequentially("dome")
    shows(memories, listed(server, "--text", "dome"))
    families(memories, "Hazards").click()
    hazards = listed(server, "--text", "dome", "-c", "hazards")
    shows(memories, hazards)
    assert families(memories, "Hazards").locator(".number").inner_text() == str(len(hazards))

    memories.page.get_by_role("button", name="family:hazards: remove").click()
    field(memories).fill("")
    everything = listed(server)
    shows(memories, everything)
    field(memories).press_sequentially("category:gotcha ")
    gotchas = listed(server, "-c", "gotcha")
    shows(memories, gotchas)
    expect(families(memories, "All")).to_have_attribute("aria-pressed", "false")
    families(memories, "All").click()
    field(memories).press_sequentially("age:soon ")
    flawed = "age:soon, age takes a span such as <7d or >30d: remove"
    expect(memories.page.get_by_role("button", name=flawed)).to_be_visible()
    shows(memories, everything)

    tagged = next(each for each in server.mem("list", "-c", "gotcha")["items"] if each["tags"])
    memories.open(f"/memories/{tagged['id']}")
    memories.page.locator(".facts a.badge").first.click()
    shows(memories, listed(server, "--tag", tagged["tags"][0]))
    field(memories).press("Backspace")
    assert field(memories).input_value() == f"tag:{tagged['tags'][0]}"  # the chip is its text again


def test_the_project_at_the_top_left_narrows_the_list_and_the_copied_command(opened, server, tmp_path):
    (tmp_path / "lighthouse" / ".git").mkdir(parents=True)
    other = ("--project", str(tmp_path / "lighthouse"))
    lamp = server.mem("add", "The lamp turns twice a minute", *other)["id"]
    clock = server.mem("add", "All our clocks are set to universal time", "--global")["id"]
    memories = opened("/memories")
    project = memories.page.get_by_label("Project")

    project.select_option("global")
    shows(memories, [clock])
    project.select_option("all")
    shows(memories, listed(server, "--all"))
    project.select_option("lighthouse")
    shows(memories, [clock, lamp])
    assert listed(server, *other) == [clock, lamp]
    chosen_in(memories, "More about this view", "Copy as mem command")
    memories.says("Copied: mem list")
    assert copied_list(memories) == [clock, lamp]
    server.mem("archive", lamp, clock)
    project.select_option("")
    shows(memories, listed(server))


def test_the_copied_command_and_the_json_list_the_same(opened, server):
    memories = opened("/memories")
    for query in (
        'is:any family:fixes reports:YES "the dome"&sort=-score',
        "is:expired",
        "tag:camera by:claude-code source:agent age:>7d&sort=confidence",
        "confidence:<0.9 path:src/mount/flip.py it's&sort=used",
    ):
        memories.open(f"/memories?q={query}")
        chosen_in(memories, "More about this view", "Copy as mem command")
        memories.says("Copied: mem list")
        same = copied_list(memories)
        assert same
        shows(memories, same)
        memories.page.get_by_role("button", name="More about this view").click()
        with memories.context.expect_page() as other:
            memories.page.get_by_role("menuitem", name="Open as JSON").click()
        answer = json.loads(other.value.locator("pre").inner_text())
        assert answer["total"] == len(same)
        assert [each["id"] for each in answer["items"]] == same[:PAGE]
        other.value.close()


def test_suggestions_and_menus_count_what_the_store_holds(opened, server):
    active = server.mem("list", "--limit", "1000")["items"]
    rules = server.mem("list", "-c", "rules", "--limit", "1000")["items"]
    states = Counter(each["status"] for each in server.mem("list", *STATES, "-n", "999")["items"])
    memories = opened("/memories?q=family:rules")
    for key, counted in (
        ("category:", Counter(each["category"] for each in active)),
        ("source:", Counter(each["source"] for each in rules)),
        ("tag:", Counter(tag for each in rules for tag in each["tags"])),
        ("reports:", Counter("yes" if reported(each) else "no" for each in rules)),
    ):
        field(memories).fill(key)
        for name, n in counted.most_common(4):
            expect(offered(memories, f"{key}{name}")).to_have_text(str(n))
    memories.open("/memories?q=is:archived")
    field(memories).fill("is:")
    counts = {name: str(n) for name, n in states.items()} | {"any": str(states.total()), "expired": ""}
    for name, shown in counts.items():
        expect(offered(memories, f"is:{name}")).to_have_text(shown)
    offered(memories, "is:staged").click()
    shows(memories, listed(server, "--status", "archived", "--status", "staged"))

    memories.open("/memories?q=family:rules+source:agent")
    memories.page.get_by_role("button", name=re.compile("^Source")).click()
    human = memories.page.get_by_role("menuitemcheckbox", name="human")
    by_people = listed(server, "-c", "rules", "--source", "human")
    expect(human.locator(".hint")).to_have_text(str(len(by_people)))
    human.click()
    shows(memories, by_people)


def test_an_empty_result_offers_to_drop_each_word(opened, server):
    memories = opened("/memories?q=family:ops+nightingale+dome")
    memories.says("Nothing fits all of these words")
    drops = memories.page.locator(".drops button")
    expect(drops).to_have_text(["family:ops ×", "nightingale ×", "dome ×"])
    drops.nth(1).click()
    shows(memories, listed(server, "-c", "ops", "--text", "dome"))

    memories.open("/memories?q=nightingale")
    memories.page.get_by_role("link", name="Show all memories").click()
    shows(memories, listed(server))


def test_headings_sort_and_a_second_click_turns_the_order_round(opened, server):
    memories = opened("/memories")
    up, down = ("ascending", "--ascending"), ("descending",)
    for heading, orders in (("Score", (down, up)), ("Category", (up, down))):
        cell = memories.page.get_by_role("columnheader", name=heading)
        for order, *option in orders:
            cell.get_by_role("button").click()
            expect(cell).to_have_attribute("aria-sort", order)
            shows(memories, listed(server, "--sort", heading.lower(), *option))

    memories.page.reload()
    shows(memories, listed(server, "--sort", "category"))


def test_columns_are_chosen_sorted_by_and_kept(opened, server):
    memories = opened("/memories")
    memories.page.get_by_role("button", name="Columns").click()
    for name in ("Project", "Confidence", "Path"):
        memories.page.get_by_role("menuitemcheckbox", name=name).click()
    memories.page.keyboard.press("Escape")
    memories.page.reload()
    memories.page.get_by_role("columnheader", name="Confidence").get_by_role("button").click()
    surest = server.mem("list", "--sort", "confidence", "--limit", "1000")["items"]
    shows(memories, [each["id"] for each in surest])
    expect(memories.page.locator(ROWS).first.locator(".more-cell")).to_have_text(
        ["meridian", f"{surest[0]['confidence']:.2f}", ", ".join(surest[0]["scope"])]
    )
    chosen_in(memories, "Columns", "Path")
    expect(memories.page.get_by_role("columnheader", name="Path")).to_have_count(0)
