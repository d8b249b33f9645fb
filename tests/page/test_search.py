"""Search on the page: what `mem why` says as bars, places and reasons; reported on, and never counted as use."""

from __future__ import annotations

import shlex
from urllib.parse import quote_plus

import pytest
from playwright.sync_api import expect

ASKED = "pictures vanish after upload"  #: no two memories are equally close to it
OTHER_WORDS = "signing in"  #: what the story calls a login
EXACT = '"cover is still on"'
LABELS = {
    "semantic": "meaning",
    "keyword": "words",
    "coverage": "distinctive words",
    "phrase": "phrase",
    "asked_kind": "kind",
}
#: What reports and marks add or take away after the match, which is one part of a bar.
AFTERWARDS = {"evidence", "same_question", "citation_changed", "project_stale"}
#: The width of each part of a bar, as a share of the axis, and where the dashed line of 1.00 stands.
WIDTHS = "bar => [...bar.children].map(part => part.getBoundingClientRect().width / bar.getBoundingClientRect().width)"
AXIS = "bars => Number(getComputedStyle(bars).getPropertyValue('--axis'))"


def address(question=ASKED, **more):
    return "/search?" + "&".join(
        f"{name}={quote_plus(value)}" for name, value in {"q": question, **more}.items()
    )


@pytest.fixture
def search(open_tab):
    opened = open_tab()
    opened.open(address(), "Search")
    hits(opened).first.wait_for()
    return opened


def hits(opened):
    return opened.page.locator(".hit")


def ids(opened, rows=".hit .hit-text > a"):
    links = opened.page.locator(rows).evaluate_all("links => links.map(link => link.pathname)")
    return [each.removeprefix("/memories/") for each in links]


def shows(opened, wanted):
    """Wait until these are the hits, in this order."""
    links = hits(opened).locator(".hit-text > a")
    for place, each in enumerate(wanted):
        expect(links.nth(place)).to_have_attribute("href", f"/memories/{each}")
    expect(links).to_have_count(len(wanted))


def given(found):
    return [hit["id"] for hit in found["hits"]]


def parts_of(hit):
    return [each for each in hit["signals"] if each["name"] not in AFTERWARDS and each["share"] > 0]


def said(signal):
    """Say a signal as a screen reader hears it."""
    share = signal["name"] in ("coverage", "phrase")
    value = f"{int(100 * signal['value'] + 0.5)} %" if share else f"{signal['value']:.2f}"
    return f"{LABELS[signal['name']]} {value}"


def bar_words(hit):
    return f"{', '.join(map(said, parts_of(hit)))}; relevance {hit['score']:.2f}"


def ordinal(place):
    ending = {1: "st", 2: "nd", 3: "rd"}.get(place % 10, "th")
    return f"{place}{'th' if 10 < place % 100 < 14 else ending}"


def moved_words(hit):
    """Say how reports moved a hit."""
    together, final = hit["ranks"]["together"], hit["ranks"]["final"]
    return "" if together == final else f"{'up' if final < together else 'down'} from {ordinal(together)}"


def reports_of(server, memory_id, question):
    outcomes = server.mem("show", memory_id)["outcomes"]
    return [each["result"] for each in outcomes if each["query"] == question and each["counted"]]


def use_of(server, memory_id):
    [memory] = server.mem("list", "--id", memory_id)["items"]
    return memory["use_count"], memory["recall_count"], memory["last_used_at"], memory["last_recalled_at"]


def test_bars_places_and_reasons_are_those_of_mem_why(search, server):
    found = server.mem("why", ASKED)
    first = found["hits"][0]
    bars = search.page.locator(".hit .bar")

    assert ids(search) == given(found)
    assert bars.evaluate_all("bars => bars.map(bar => bar.ariaLabel)") == [
        bar_words(hit) for hit in found["hits"]
    ]
    axis = search.page.locator(".bars").evaluate(AXIS)
    assert axis == pytest.approx(max(hit["score"] for hit in found["hits"]), abs=0.01)
    shares = [each["share"] for each in parts_of(first)]
    gained = first["score"] - sum(shares)
    drawn = [axis * width for width in bars.first.evaluate(WIDTHS)]
    assert drawn == pytest.approx([*shares, gained], abs=0.01)
    moved = search.page.locator(".hit-facts").evaluate_all(
        "facts => facts.map(fact => fact.textContent.match(/(up|down) from \\d+(st|nd|rd|th)/)?.[0] ?? '')"
    )
    assert moved == [moved_words(hit) for hit in found["hits"]]
    assert {each.split()[0] for each in moved if each} == {"up", "down"}
    left_out = search.page.locator(".misses li")
    assert ids(search, ".misses a") == [miss["id"] for miss in found["near_misses"]]
    for row, miss in zip(left_out.all_inner_texts(), found["near_misses"], strict=True):
        assert miss["words"].replace("ranked below --limit", "below the limit") in row
    places = str(search.page.locator("svg", has=search.page.locator(".order")).get_attribute("aria-label"))
    order = "by words {keyword}, by meaning {semantic}, together {together}, with reports {final}"
    assert places.startswith(f"Hit 1: {order.format(**first['ranks'])}. Hit 2: ")
    expect(search.page.locator(".search-facts")).to_contain_text(f"{len(found['hits'])} hits in")

    hits(search).nth(2).locator(".hit-bar").click()
    third = search.page.locator(".hit.open .bar-values")
    assert third.locator("dt").all_inner_texts()[:3] == ["meaning", "words", "distinctive words"]
    search.page.get_by_role("link", name="see Review").click()
    search.page.get_by_role("heading", level=1, name="Review").wait_for()
    assert search.witness.complaints == []


def test_side_by_side_has_both_plain_lists_with_the_place_of_each_in_the_answer(search, server):
    search.page.get_by_role("button", name="Side by side").click()
    search.page.wait_for_url("**show=side*")
    found = server.mem("why", ASKED)
    place = {memory: f"given {ordinal(number)}" for number, memory in enumerate(given(found), 1)}
    for heading, name in (("By meaning", "by_meaning"), ("By words", "by_words")):
        rows = search.page.locator(".side-by-side section").filter(has_text=heading).locator("li")
        expect(rows).to_have_count(len(found[name]))
        for row, hit in zip(rows.all_inner_texts(), found[name], strict=True):
            assert " ".join(hit["content"].split()) in row
            assert f"{hit['score']:.2f}" in row
            assert row.endswith(place.get(hit["id"], "not given"))

    search.page.get_by_label("mode").select_option("semantic")
    search.says("Search by words is off")
    search.page.get_by_label("mode").select_option("keyword")
    search.says("Search by meaning is off")
    search.page.locator(".side-by-side li a").first.click()
    search.page.get_by_role("heading", level=1, name="Memory").wait_for()
    assert search.witness.complaints == []


def test_mode_and_ranker_are_part_of_the_address_and_change_the_order_as_at_the_terminal(search, server):
    page = search.page
    page.get_by_label("mode").select_option("keyword")
    page.get_by_label("ranker").select_option("rrf")
    page.wait_for_url("**mode=keyword&ranker=rrf")
    words = given(server.mem("search", ASKED, "--mode", "keyword", "--ranker", "rrf", "--peek"))
    shows(search, words)
    page.reload()
    shows(search, words)
    assert page.get_by_label("mode").input_value() == "keyword"

    page.get_by_label("mode").select_option("hybrid")
    page.get_by_label("ranker").select_option("balanced")
    shows(search, given(server.mem("search", ASKED, "--ranker", "balanced", "--peek")))
    page.get_by_role("button", name="More about this view").click()
    page.get_by_role("menuitem", name="Copy as mem command").click()
    copied = page.locator(".toast span").first.inner_text().removeprefix("Copied: ")
    assert given(server.mem(*shlex.split(copied)[1:])) == ids(search)
    assert search.witness.complaints == []


def test_meaning_finds_what_is_related_and_words_find_what_is_written(search, server):
    for mode, question, expected in (
        ("semantic", OTHER_WORDS, "cannot log in"),
        ("keyword", EXACT, "the cover is still on"),
    ):
        search.open(address(question, mode=mode))
        hits(search).first.wait_for()
        assert ids(search) == given(server.mem("search", question, "--mode", mode, "--peek"))
        expect(hits(search).first).to_contain_text(expected)
    expect(hits(search)).to_have_count(1)

    search.open(address(OTHER_WORDS, mode="keyword"))
    search.says("Nothing stored answers this")
    search.open("/search")
    search.says("Ask what an agent would ask")
    assert search.page.locator(".hit").count() == 0
    assert search.witness.complaints == []


def test_a_late_answer_to_an_earlier_question_is_dropped(search, server):
    page = search.page
    late = []

    def keep(route):
        late.append(route)

    page.route("**/api/search?*q=telescope*", keep)
    field = page.get_by_role("searchbox", name="Question")
    field.fill("telescope")
    page.wait_for_url("**q=telescope")
    field.press("Enter")
    page.wait_for_function("() => document.querySelector('.dim')")
    newest = server.mem("undo", "--list", "--limit", "1")["items"]
    page.keyboard.press("w")  # while the hits are those of the question before
    field.fill("docker")
    expect(hits(search).first).to_contain_text("docker")
    shown = ids(search)
    for each in late:
        each.continue_()
    page.wait_for_function(
        "() => performance.getEntriesByType('resource').some(each => each.name.includes('q=telescope'))"
    )

    assert ids(search) == shown == given(server.mem("search", "docker", "--peek"))
    assert server.mem("undo", "--list", "--limit", "1")["items"] == newest
    assert search.witness.complaints == []


def test_a_report_counts_for_the_question_and_stays_with_its_memory(search, server):
    page, before, place = search.page, ids(search), 7
    chosen, reports = before[place], reports_of(server, before[place], ASKED)
    for key in [*"j" * (place + 1), "k"]:
        page.keyboard.press(key)
    opened = page.locator(".hit.open .hit-text > a")
    expect(opened).to_have_attribute("href", f"/memories/{chosen}")
    page.keyboard.press("w")
    search.says("Reported for this question: it worked")
    after = given(server.mem("why", ASKED))
    shows(search, after)  # the order follows the report, and the choice stays with the memory

    assert after.index(chosen) < place
    expect(opened).to_have_attribute("href", f"/memories/{chosen}")
    assert reports_of(server, chosen, ASKED) == [*reports, "worked"]
    page.keyboard.press("u")
    search.says("Undone")
    shows(search, before)
    assert reports_of(server, chosen, ASKED) == reports
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/memories/{chosen}")
    page.go_back()
    shows(search, before)
    assert page.get_by_role("searchbox", name="Question").input_value() == ASKED
    assert search.witness.complaints == []


def test_looking_never_counts_as_use(search, server):
    memory, newest = ids(search)[0], server.mem("recalls", "--limit", "1")["items"]
    use = use_of(server, memory)
    search.page.keyboard.press("Control+k")
    search.page.get_by_role("combobox", name="Search or jump to").fill(ASKED)
    search.page.locator("[role=option] .shape").first.wait_for()
    for view in (
        address(show="side"),
        f"/recalls/{newest[0]['id']}",
        f"/memories/{memory}",
        "/timeline",
        "/insights",
    ):
        search.open(view)
        search.page.get_by_role("heading", level=1).wait_for()

    assert server.mem("recalls", "--limit", "1")["items"] == newest
    assert use_of(server, memory) == use
