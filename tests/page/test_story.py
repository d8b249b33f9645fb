"""The store that pictures and tests show has something of everything that the page can show."""

from __future__ import annotations

from memory_layer.model.review import Matter


def test_the_story_has_something_of_everything(server):
    queue = server.mem("review", "--limit", "50")
    stats = server.mem("stats")
    shown = [
        server.mem("tasks"),
        server.mem("recalls", "--limit", "100"),
        server.mem("run", "list"),
        server.mem("timeline", "--limit", "100"),
        server.mem("procedure", "list"),
    ]

    assert all(queue["by_kind"].get(kind) for kind in Matter), queue["by_kind"]
    assert 230 <= stats["total"] <= 290
    assert stats["outcomes"]["high"] > 10
    assert {each["source"] for each in shown[0]["items"]} == {"beads", "claude"}
    assert [len(each["items"]) > 2 for each in shown] == [True] * 5
    assert server.mem("handoff")["next"]
    assert server.mem("audit", "verify")["intact"]
