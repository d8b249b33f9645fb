"""Insights, and looking back: what agents asked, were given and reported, by page."""

from __future__ import annotations

import json
from typing import Any

from tests.doors.rest_client import rest_client


def asked(mem, question: str, *reported: tuple[str, str]) -> str:
    """Ask a question, report outcomes of what was given, and return the recall."""
    recall = mem("search", question, "--json").data["recall"]
    for memory_id, result in reported:
        assert mem("outcome", memory_id, result, "--recall", recall).code == 0
    return str(recall)


def test_insights_count_below_twenty_reports_and_tell_rates_from_then_on(machine, mem):
    tea, coffee = (
        mem("add", f"The {drink} machine of the kitchen needs water", "--json").data["id"]
        for drink in ("tea", "coffee")
    )
    for _ in range(10):
        asked(mem, "which machine needs water", (coffee, "worked"))
    asked(mem, "who fixes the lift")
    few = mem("insights", "--json").data
    for _ in range(10):
        asked(mem, "which machine needs water", (tea, "partial"))
    found = mem("insights", "--weeks", "1", "--json").data
    told = mem("insights").out

    assert (few["reports"]["worked"], few["enough"], few["worked"], few["first"]) == (10, False, None, None)
    assert few["by_source"][0]["worked"] is None
    assert (found["asked"], found["questions"], found["worked"]) == (21, 10, 0.5)
    assert 0 < found["by_source"][0]["worked"]["low"] < 0.5 < found["by_source"][0]["worked"]["high"] < 1
    assert [each["question"] for each in found["in_vain"]] == ["who fixes the lift"]
    assert found["funnel"] == {"given": 2, "used": 2, "reported": 2, "worked": 1}
    assert sum(week["right"] for week in found["weekly"]) == round(found["first"] * found["questions"])
    assert "50% worked" in told
    assert "who fixes the lift" in told


def test_insights_of_a_project_leave_out_another_ones(machine, mem):
    with rest_client(machine / "work") as client:
        for name in ("shop", "farm"):
            client.post(
                "/api/memories", params={"project": name}, json={"content": f"The {name} opens at nine"}
            )
        hit = client.get("/api/search", params={"q": "when does the shop open", "project": "shop"}).json()
        report = {"memory_ids": [hit["hits"][0]["id"]], "result": "worked", "recall": hit["recall"]}
        assert client.post("/api/outcomes", json=report).status_code == 201

        shop, farm = (
            client.get("/api/insights", params={"project": name}).json() for name in ("shop", "farm")
        )

    assert (shop["asked"], shop["reports"]["worked"], farm["asked"], farm["reports"]["worked"]) == (
        1,
        1,
        0,
        0,
    )


def test_recalls_are_listed_by_page_by_memory_and_with_what_was_reported(machine, mem):
    one = mem("add", "The tea machine needs water", "--json").data["id"]
    mem("add", "The lift is fixed by Ada")
    first = asked(mem, "what does the tea machine need", (one, "worked"))
    second = asked(mem, "who fixes the lift")
    with rest_client(machine / "work") as client:
        page = client.get("/api/recalls", params={"limit": 1}).json()
        rest = client.get("/api/recalls", params={"limit": 1, "cursor": page["next"]}).json()
        given = client.get(f"/api/memories/{one}/recalls").json()
        none = client.get("/api/recalls", params={"until": "2020-01-01"}).json()

    assert [page["items"][0]["id"], rest["items"][0]["id"]] == [second, first]
    assert [each["id"] for each in given["items"]] == [first]
    assert given["items"][0]["reports"] == {"worked": 1, "partial": 0, "failed": 0}
    assert none["items"] == []


def test_operations_are_listed_by_page_and_say_on_every_page_what_was_undone(machine, mem):
    ids = [mem("add", f"Shelf {number} holds nails", "--json").data["id"] for number in range(3)]
    listed = mem("undo", "--list", "--json").data["items"]
    mem("undo", listed[-1]["id"])
    with rest_client(machine / "work") as client:
        found: list[dict[str, Any]] = []
        cursor: str | None = ""
        while cursor is not None:
            values = {"limit": 1} | ({"cursor": cursor} if cursor else {})
            page = client.get("/api/operations", params=values).json()
            found, cursor = [*found, *page["items"]], page["next"]

    assert [each["memories"] for each in found] == [ids[:1], *([each] for each in reversed(ids))]
    assert [each["undone"] for each in found] == [False, False, False, True]


def test_an_explained_search_tells_every_place_of_a_hit(machine, mem):
    ids = [
        mem("add", text, "--json").data["id"]
        for text in (
            "The tea machine needs water",
            "The machine of the kitchen is loud",
            "Tea is in the drawer",
        )
    ]
    asked(mem, "tea machine", (ids[2], "worked"), (ids[0], "failed"))
    with rest_client(machine / "work") as client:
        found = client.get("/api/search", params={"q": "tea machine", "explain": True, "peek": True}).json()
        plain = client.get("/api/search", params={"q": "tea machine", "peek": True}).json()

    assert [hit["id"] for hit in found["hits"]] == [hit["id"] for hit in plain["hits"]]
    assert [hit["ranks"]["final"] for hit in found["hits"]] == list(range(1, len(found["hits"]) + 1))
    assert found["hits"][0]["ranks"]["together"] != 1
    assert {hit["ranks"]["semantic"] for hit in found["hits"]} == {None}
    assert [each["ranks"]["keyword"] for each in found["by_words"]] == list(
        range(1, len(found["by_words"]) + 1)
    )
    assert (found["by_meaning"], found["recall"], found["took"]["embedding_ms"]) == ([], None, 0.0)
    assert json.dumps(found).count("ranks") == len(found["hits"]) + len(found["by_words"])
