"""The six endpoints for a project's memories: paths, parameters, defaults, names and statuses."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from starlette.testclient import TestClient

from memory_layer.verbs import remember
from memory_layer.verbs.call import Dispatcher
from tests.doors.in_process import as_repository
from tests.doors.rest_client import rest_client
from tests.doors.terminals import typed

LISTED = "/api/projects/{}/memories"
#: The answer of the list, as it was written down first; ids are the product's own.
PRINTED = {
    "memories": [
        {
            "id": 1,
            "projectId": 1,
            "type": "pattern",
            "content": "This project uses pnpm + Turborepo",
            "source": "human",
            "tags": ["build", "package-manager"],
            "relevanceScore": 1.0,
            "active": True,
            "createdAt": "2026-02-05T10:00:00Z",
        }
    ]
}
#: The body of a create, as it was written down first.
WARNING = {
    "type": "warning",
    "content": "Full test execution is required for changes under src/core/",
    "tags": ["src/core/**", "testing"],
    "relevanceScore": 0.9,
}
APPROVED_BY_AGENT = "only a person at a terminal can approve a memory"


@pytest.fixture
def rest(machine) -> Iterator[TestClient]:
    with rest_client(machine / "work") as client:
        yield client


def made(rest: TestClient, project: str = "shop", **fields: Any) -> dict[str, Any]:
    """A new memory of a project."""
    answer = rest.post(LISTED.format(project), json=WARNING | fields)
    assert answer.status_code == 201, answer.text
    memory: dict[str, Any] = answer.json()
    return memory


def listed(rest: TestClient, project: str = "shop", **query: Any) -> list[dict[str, Any]]:
    answer = rest.get(LISTED.format(project), params=query)
    assert answer.status_code == 200, answer.text
    memories: list[dict[str, Any]] = answer.json()["memories"]
    return memories


def one(rest: TestClient, memory: dict[str, Any], project: str = "shop") -> str:
    return f"{LISTED.format(project)}/{memory['id']}"


def test_a_list_answers_as_printed(rest):
    """A person wrote it at a terminal, since a token is an agent's."""
    content = str(PRINTED["memories"][0]["content"])
    typed("add", content, "-c", "pattern", "-t", "build,package-manager", "-p", "shop")

    answer = rest.get(LISTED.format("shop"))
    found = answer.json()

    assert answer.headers["content-type"] == "application/json"
    assert list(found) == ["memories"]
    assert list(found["memories"][0]) == list(PRINTED["memories"][0])
    apart = {name: found["memories"][0][name] for name in ("id", "projectId", "createdAt")}
    assert found == {"memories": [PRINTED["memories"][0] | apart]}
    assert datetime.fromisoformat(apart["createdAt"]).tzinfo == UTC


def test_a_time_of_whole_seconds_is_written_without_a_fraction():
    from memory_layer.doors.rest.project_memories import moment

    assert moment(datetime(2026, 2, 5, 10, tzinfo=UTC)) == "2026-02-05T10:00:00Z"


def test_a_memory_is_created_from_the_printed_body(rest):
    memory = made(rest)

    assert {name: memory[name] for name in WARNING} == WARNING
    assert memory["source"] == "agent"
    assert memory["active"] is True
    assert memory["operation"].startswith("op_")
    assert rest.get(one(rest, memory)).json() == {
        name: value for name, value in memory.items() if name != "operation"
    }


def test_what_is_known_already_is_answered_with_200(rest):
    first = made(rest)
    again = rest.post(LISTED.format("shop"), json=WARNING)

    assert (again.status_code, again.json()["id"]) == (200, first["id"])


def test_lists_filter_by_type_tags_and_activity(rest):
    warning = made(rest)
    other = made(rest, type="pattern", content="Migrations run before the tests", tags=["db", "testing"])
    archived = made(rest, content="The old gateway needs a restart each Monday", tags=["ops"])
    assert rest.patch(one(rest, archived), json={"active": False}).json()["active"] is False

    def ids(**query: Any) -> set[str]:
        return {each["id"] for each in listed(rest, **query)}

    assert ids() == {warning["id"], other["id"]}
    assert ids(type="pattern") == {other["id"]}
    assert ids(tags="testing") == {warning["id"], other["id"]}
    assert ids(tags="testing,db") == {other["id"]}
    assert ids(active="false") == {archived["id"]}
    assert rest.patch(one(rest, archived), json={"active": True}).json()["active"] is True
    assert ids(active="false") == set()


def test_a_list_has_fifty_memories_by_default_and_a_cursor_leads_on(rest):
    memories = [f"Rule {number} of the house: {number * 7} steps to the door" for number in range(53)]
    assert rest.post("/api/memories/batch?project=shop", json={"memories": memories}).status_code == 201

    first = rest.get(LISTED.format("shop")).json()
    rest_of_them = rest.get(LISTED.format("shop"), params={"cursor": first["next"]}).json()

    assert (len(first["memories"]), len(rest_of_them["memories"])) == (50, 3)
    assert "next" not in rest_of_them
    assert {each["content"] for each in first["memories"] + rest_of_them["memories"]} == set(memories)


def test_a_change_names_its_version_and_another_one_shows_both(rest):
    memory = made(rest)
    url = one(rest, memory)
    assert rest.get(url).headers["etag"] == '"1"'

    changed = rest.patch(
        url, json={"relevanceScore": 0.4, "tags": ["testing", "new"]}, headers={"If-Match": '"1"'}
    )
    assert changed.headers["etag"] == '"2"'
    assert (changed.json()["relevanceScore"], changed.json()["tags"]) == (0.4, ["testing", "new"])

    late = rest.patch(url, json={"content": "Something else"}, headers={"If-Match": '"1"'})
    problem = late.json()
    assert (late.status_code, problem["code"]) == (412, "changed_meanwhile")
    assert problem["current"]["version"] == 2
    assert problem["requested"] == {"content": "Something else"}
    assert rest.delete(url, headers={"If-Match": '"1"'}).status_code == 412
    assert rest.get(url, headers={"If-None-Match": '"2"'}).status_code == 304


@pytest.mark.parametrize(
    ("method", "body"), [("DELETE", None), ("PATCH", {"active": False}), ("PATCH", {"confidence": 0.2})]
)
def test_a_write_between_the_comparison_and_the_change_is_not_lost(rest, monkeypatch, method, body):
    memory = made(rest)
    run = Dispatcher.run

    def after_somebody_else(self, verb, values, **more):
        if verb.name in ("archive", "edit") and values.get("add_tags") != ["meanwhile"]:
            run(self, remember.EDIT, {"memory_id": memory["id"], "add_tags": ["meanwhile"]})
        return run(self, verb, values, **more)

    with monkeypatch.context() as patch:
        patch.setattr(Dispatcher, "run", after_somebody_else)
        refused = rest.request(method, one(rest, memory), json=body, headers={"If-Match": '"1"'})

    assert (refused.status_code, refused.json()["code"]) == (412, "changed_meanwhile")
    assert refused.json()["current"]["version"] == 2
    assert rest.get(one(rest, memory)).json()["active"] is True


def test_a_delete_archives_and_can_be_undone(rest):
    memory = made(rest)
    gone = rest.delete(one(rest, memory))

    assert (gone.status_code, gone.content) == (204, b"")
    assert listed(rest) == []
    undone = rest.post(f"/api/operations/{gone.headers['memory-operation']}/undo")
    assert undone.status_code == 200, undone.text
    assert [each["id"] for each in listed(rest)] == [memory["id"]]


def test_a_token_is_an_agents_and_cannot_approve(rest):
    memory = made(rest)
    refused = rest.patch(f"{one(rest, memory)}/approve")

    assert (refused.status_code, refused.json()["code"]) == (403, "not_allowed")
    assert refused.json()["detail"] == APPROVED_BY_AGENT
    assert rest.get(one(rest, memory)).json()["approvedBy"] is None


def test_a_memory_is_found_only_in_its_own_project(rest):
    memory = made(rest)
    made(rest, "other", content="Another house has other rules")

    assert rest.get(one(rest, memory, "other")).status_code == 404
    assert rest.delete(one(rest, memory, "other")).status_code == 404
    assert rest.get(LISTED.format("nowhere")).status_code == 404
    assert [each["id"] for each in listed(rest)] == [memory["id"]]


def test_a_project_is_named_by_its_key_or_short_id(rest, machine, mem):
    repository = as_repository(machine / "work")
    (repository / ".git" / "config").write_text(
        '[remote "origin"]\n\turl = https://github.com/acme/shop.git\n'
    )
    memory_id = mem("add", "The till closes at nine", "--json").data["id"]
    key = mem("show", memory_id, "--json").data["memory"]["project"]
    short_id = mem("projects", "--json").data["items"][0]["id"]

    assert "/" in key
    for name in (key, key.replace("/", "%2F"), short_id):
        assert [each["id"] for each in listed(rest, name)] == [memory_id], name


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"content": "No type"}, 400),
        ({"type": "pattern"}, 400),
        ({"type": "pattern", "content": "Text", "source": "human"}, 400),
        ({"type": "pattern", "content": "Text", "relevanceScore": "high"}, 400),
        ({"type": "nonsense", "content": "Text"}, 422),
        ({"type": "pattern", "content": "   "}, 422),
        ({"type": "pattern", "content": "Text", "relevanceScore": 7}, 422),
        ({"type": "pattern", "content": "Text", "confidence": -1}, 422),
    ],
    ids=json.dumps,
)
def test_a_wrong_body_is_one_problem_and_stores_nothing(rest, body, status):
    refused = rest.post(LISTED.format("shop"), json=body)

    assert refused.status_code == status, refused.text
    assert refused.headers["content-type"] == "application/problem+json"
    assert refused.json()["next_step"].startswith("Nothing was changed.")
    assert rest.get("/api/memories?all=true").json()["total"] == 0
