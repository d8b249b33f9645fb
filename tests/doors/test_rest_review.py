"""Decisions over HTTP are about what was looked at, and nothing else."""

from __future__ import annotations

import pytest

from tests.doors.rest_client import rest_client


@pytest.fixture
def client(machine):
    with rest_client(machine / "work") as made:
        yield made


def waiting(client):
    for text in ("Never deploy on a Friday", "Every release has a note"):
        client.post("/api/memories", json={"content": text, "category": "policy"})
    return client.get("/api/review", params={"kinds": ["held"]}).json()["items"]


def seen(*items):
    return {"kind": "held", "versions": {each["memory"]["id"]: each["memory"]["version"] for each in items}}


def test_a_decision_is_refused_once_the_memory_has_changed(client):
    (one, _) = waiting(client)
    path = f"/api/review/{one['memory']['id']}/decide"
    client.post(f"/api/memories/{one['memory']['id']}/tags", json={"words": ["urgent"]})
    refused = client.post(path, json={"decision": "archive"} | seen(one))
    (now,) = [each for each in waiting(client) if each["memory"]["id"] == one["memory"]["id"]]

    assert (refused.status_code, refused.json()["code"]) == (409, "changed_meanwhile")
    assert client.post(path, json={"decision": "archive"} | seen(now)).status_code == 200
    assert client.post(path, json={"decision": "archive"} | seen(now)).status_code == 409


def test_several_are_decided_as_one_operation_or_not_at_all(client):
    items = waiting(client)
    ids = [each["memory"]["id"] for each in items]
    wanted = {"memory_ids": ids, "decision": "archive"} | seen(*items)
    old = wanted | {"versions": {ids[0]: 1, ids[1]: 99}}

    assert client.post("/api/review/decide", json=old).status_code == 409
    assert len(waiting(client)) == 2
    done = client.post("/api/review/decide", json=wanted)
    assert [each["decision"] for each in done.json()["items"]] == ["archive", "archive"]
    assert client.get("/api/review").json()["total"] == 0
    assert client.post(f"/api/operations/{done.headers['Memory-Operation']}/undo").status_code == 200
    assert client.get("/api/review").json()["total"] == 2


def test_health_names_the_agents_of_this_machine_and_what_connects_them(client, machine):
    (machine / "person" / ".claude").mkdir()

    agents = client.get("/api/health").json()["agents"]

    claude = next(each for each in agents if each["agent"] == "claude-code")
    assert (claude["state"], claude["fix"]) == ("missing", "mem install claude-code")
